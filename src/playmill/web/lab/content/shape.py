"""What a JSON Schema lets stand at a place, as far as a form needs to know it; nothing here knows a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from playmill.texts import LANGUAGES

Node = Mapping[str, Any]
#: As deep as anything is followed: deeper than content that means something.
DEEPEST = 24


class Form(Enum):
    """How a value is asked for."""

    #: Text in languages.
    PHRASE = "phrase"
    #: Several fields.
    GROUP = "group"
    #: One of several kinds, each with fields of its own.
    KINDS = "kinds"
    #: Any number of such parts.
    LIST = "list"
    #: Some of a few values.
    MANY = "many"
    #: A row of so many numbers.
    NUMBERS = "numbers"
    CHOICE = "choice"
    NUMBER = "number"
    SWITCH = "switch"
    TEXT = "text"
    #: The only value there can be.
    FIXED = "fixed"
    #: Whatever has no simpler form, as it is written.
    RAW = "raw"


@dataclass(frozen=True)
class Shape:
    """A place in a schema: what the schema says of it, and the definition it stands in."""

    schema: Node
    node: Node
    part: str = ""

    @cached_property
    def form(self) -> Form:
        """How it is asked for."""
        node = self.node
        if "const" in node:
            return Form.FIXED
        if "enum" in node:
            return Form.CHOICE
        if "properties" in node:
            return Form.GROUP
        if "oneOf" in node:
            return Form.KINDS
        if "anyOf" in node:
            variants = [self.at(one) for one in node["anyOf"]]
            is_phrase = any(set(LANGUAGES) <= set(one.node.get("properties", ())) for one in variants)
            return Form.PHRASE if is_phrase else self._variant(variants).form
        return _bare_form(self)

    def _variant(self, variants: list[Shape]) -> Shape:
        """Of several ways to write something the one that can hold most: a list before a part alone."""
        return next((one for one in variants if one.node.get("type") == "array"), variants[0])

    @cached_property
    def plain(self) -> Shape:
        """The shape itself, or of several ways to write it the one that is asked for."""
        if "anyOf" in self.node and self.form is not Form.PHRASE:
            return self._variant([self.at(one) for one in self.node["anyOf"]])
        return self

    def at(self, node: Node) -> Shape:
        """Another place, its references followed."""
        part, said = self.part, dict(node)
        for _ in range(DEEPEST):
            if "$ref" not in said:
                break
            part = said.pop("$ref").rpartition("/")[2]
            said = {**self.schema["$defs"][part], **said}
        return Shape(self.schema, said, part)

    @cached_property
    def fields(self) -> Mapping[str, Shape]:
        """The fields of a group, by key."""
        return {key: self.at(node) for key, node in self.node["properties"].items()}

    @cached_property
    def needed(self) -> frozenset[str]:
        """The fields that a group cannot do without."""
        return frozenset(self.node.get("required", ()))

    @cached_property
    def one_of(self) -> tuple[str, ...]:
        """Of fields alike those of which a group has one: “at least”, “at most” or “exactly”; mostly there are none."""
        free = [key for key in self.fields if key not in self.needed]
        if len(free) < 2 or self.node.get("maxProperties") != len(self.needed) + 1:
            return ()
        bare = [{key: value for key, value in self.fields[name].node.items() if key != "description"} for name in free]
        return tuple(free) if all(one == bare[0] for one in bare) else ()

    @property
    def may_lack_one(self) -> bool:
        """Whether none of those need be there."""
        return bool(self.node.get("minProperties", 0) <= len(self.needed))

    def unfit(self, value: Mapping[str, Any]) -> frozenset[str]:
        """The fields that do not go with what other fields say, where the schema tells which do."""
        for rule in self.node.get("oneOf", ()):
            wanted = rule.get("properties", {})
            if self._says(value, wanted):
                refused = rule.get("not", {})
                several = refused.get("anyOf", (refused,))
                return frozenset(key for one in several for key in one.get("required", ()))
        return frozenset()

    def demanded(self, value: Mapping[str, Any]) -> frozenset[str]:
        """The fields that a group cannot do without, given what others say."""
        more = [
            rule.get("required", ())
            for rule in self.node.get("oneOf", ())
            if self._says(value, rule.get("properties", {}))
        ]
        return self.needed | frozenset(key for keys in more for key in keys)

    def _says(self, value: Mapping[str, Any], wanted: Mapping[str, Node]) -> bool:
        """Whether these fields all have a value that is wanted; one left out has its default."""
        return all(
            value.get(key, self.fields[key].node.get("default")) in one.get("enum", (one.get("const"),))
            for key, one in wanted.items()
        )

    @cached_property
    def kinds(self) -> Mapping[str, Shape]:
        """The kinds that something can be of, by what tells them apart: the key they need, or a value of its own."""
        return dict(self._tagged())

    @property
    def is_keyed(self) -> bool:
        """Whether a kind is told by the one key it needs, not by the value of a key that others have too."""
        return len(self.needed) == 1

    def _tagged(self) -> Iterator[tuple[str, Shape]]:
        for one in map(self.at, self.node["oneOf"]):
            if one.is_keyed:
                yield next(iter(one.needed)), one
            else:
                yield next(str(shape.node["const"]) for shape in one.fields.values() if "const" in shape.node), one

    def kind_of(self, value: Any) -> str:
        """Of which kind a value is; of none, if it cannot be told."""
        if not isinstance(value, Mapping):
            return ""
        for tag, one in self.kinds.items():
            fixed = {key: shape.node["const"] for key, shape in one.fields.items() if "const" in shape.node}
            if tag in value if one.is_keyed else fixed and all(value.get(key) == told for key, told in fixed.items()):
                return tag
        return ""

    @cached_property
    def parts(self) -> Shape:
        """What a list holds."""
        return self.at(self.plain.node["items"])

    @property
    def limits(self) -> tuple[int, int]:
        """How many parts a list has, at least and at most."""
        return int(self.plain.node.get("minItems", 0)), int(self.plain.node.get("maxItems", 100))

    def default(self, depth: int = 0) -> Any:
        """Something right that may stand here; None for texts, which are nobody's but the writer's."""
        shape = self.plain
        if shape.form in (Form.PHRASE, Form.TEXT, Form.RAW):
            return next(iter(shape.node.get("examples", ())), None) if shape.form is Form.RAW else None
        for key in ("const", "default"):
            if key in shape.node:
                return shape.node[key]
        if "examples" in shape.node:
            return shape.node["examples"][0]
        if depth > DEEPEST:
            return None
        return _DEFAULTS[shape.form](shape, depth + 1)


def _bare_form(shape: Shape) -> Form:
    kind = shape.node.get("type")
    if kind == "array":
        items = shape.at(shape.node.get("items", {}))
        if items.form is Form.CHOICE:
            return Form.MANY
        if items.form is Form.NUMBER and shape.node.get("minItems") == shape.node.get("maxItems"):
            return Form.NUMBERS
        return Form.LIST if items.form in (Form.GROUP, Form.KINDS) else Form.RAW
    plain = {"integer": Form.NUMBER, "number": Form.NUMBER, "boolean": Form.SWITCH, "string": Form.TEXT}
    return plain.get(str(kind), Form.RAW)


def _some_number(shape: Shape, depth: int) -> int:
    return int(min(max(1, shape.node.get("minimum", 1)), shape.node.get("maximum", 1)))


def _some_group(shape: Shape, depth: int) -> dict[str, Any]:
    found = {key: shape.fields[key].default(depth) for key in shape.fields if key in shape.needed}
    return {key: value for key, value in found.items() if value is not None}


_DEFAULTS: Mapping[Form, Callable[[Shape, int], Any]] = {
    Form.GROUP: _some_group,
    Form.KINDS: lambda shape, depth: next(iter(shape.kinds.values())).default(depth),
    Form.LIST: lambda shape, depth: [shape.parts.default(depth)] * shape.limits[0],
    Form.MANY: lambda shape, depth: list(shape.parts.node["enum"][: max(1, shape.limits[0])]),
    Form.NUMBERS: lambda shape, depth: [shape.parts.default(depth)] * shape.limits[0],
    Form.CHOICE: lambda shape, depth: shape.node["enum"][0],
    Form.NUMBER: _some_number,
    Form.SWITCH: lambda shape, depth: False,
}
