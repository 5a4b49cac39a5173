"""Nodes of a JSON Schema as a form needs them: widget, fields, variants, defaults. Knows no game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any

from playmill.texts import LANGUAGES

Node = Mapping[str, Any]
#: The greatest depth that is followed.
DEEPEST = 24


class Widget(Enum):
    """The kind of input for a value."""

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
    #: A list of a fixed number of numbers.
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
class SchemaNode:
    """A node of a schema, and the name of the definition it stands in."""

    schema: Node
    node: Node
    part: str = ""

    @cached_property
    def form(self) -> Widget:
        """The widget of the value."""
        node = self.node
        if "const" in node:
            return Widget.FIXED
        if "enum" in node:
            return Widget.CHOICE
        if "properties" in node:
            return Widget.GROUP
        if "oneOf" in node:
            return Widget.KINDS
        if "anyOf" in node:
            variants = [self.at(one) for one in node["anyOf"]]
            is_phrase = any(set(LANGUAGES) <= set(one.node.get("properties", ())) for one in variants)
            return Widget.PHRASE if is_phrase else self._variant(variants).form
        return _bare_form(self)

    def _variant(self, variants: list[SchemaNode]) -> SchemaNode:
        """Of several ways to write a value the most general: a list before a single part."""
        return next((one for one in variants if one.node.get("type") == "array"), variants[0])

    @cached_property
    def plain(self) -> SchemaNode:
        """The node itself, or of several ways to write a value the one that the form uses."""
        if "anyOf" in self.node and self.form is not Widget.PHRASE:
            return self._variant([self.at(one) for one in self.node["anyOf"]])
        return self

    def at(self, node: Node) -> SchemaNode:
        """Another node of the schema, its references resolved."""
        part, said = self.part, dict(node)
        for _ in range(DEEPEST):
            if "$ref" not in said:
                break
            part = said.pop("$ref").rpartition("/")[2]
            said = {**self.schema["$defs"][part], **said}
        return SchemaNode(self.schema, said, part)

    @cached_property
    def fields(self) -> Mapping[str, SchemaNode]:
        """The fields of a group, by key."""
        return {key: self.at(node) for key, node in self.node["properties"].items()}

    @cached_property
    def needed(self) -> frozenset[str]:
        """The required fields of a group."""
        return frozenset(self.node.get("required", ()))

    @cached_property
    def one_of(self) -> tuple[str, ...]:
        """Alternative fields of which a group has one: “at least”, “at most” or “exactly”; mostly there are none."""
        free = [key for key in self.fields if key not in self.needed]
        if len(free) < 2 or self.node.get("maxProperties") != len(self.needed) + 1:
            return ()
        bare = [{key: value for key, value in self.fields[name].node.items() if key != "description"} for name in free]
        return tuple(free) if all(one == bare[0] for one in bare) else ()

    @property
    def may_lack_one(self) -> bool:
        """Whether none of those is required."""
        return bool(self.node.get("minProperties", 0) <= len(self.needed))

    def unfit(self, value: Mapping[str, Any]) -> frozenset[str]:
        """The fields that are not allowed with the values of other fields."""
        for rule in self.node.get("oneOf", ()):
            wanted = rule.get("properties", {})
            if self._says(value, wanted):
                refused = rule.get("not", {})
                several = refused.get("anyOf", (refused,))
                return frozenset(key for one in several for key in one.get("required", ()))
        return frozenset()

    def demanded(self, value: Mapping[str, Any]) -> frozenset[str]:
        """The fields that are required with the values of other fields."""
        more = [
            rule.get("required", ())
            for rule in self.node.get("oneOf", ())
            if self._says(value, rule.get("properties", {}))
        ]
        return self.needed | frozenset(key for keys in more for key in keys)

    def _says(self, value: Mapping[str, Any], wanted: Mapping[str, Node]) -> bool:
        """Whether these fields all have a wanted value; one left out has its default."""
        return all(
            value.get(key, self.fields[key].node.get("default")) in one.get("enum", (one.get("const"),))
            for key, one in wanted.items()
        )

    @cached_property
    def kinds(self) -> Mapping[str, SchemaNode]:
        """The variants of a value by their tag: the key they require, or a fixed value of a key."""
        return dict(self._tagged())

    @property
    def is_keyed(self) -> bool:
        """Whether a variant is recognised by the one key it requires, not by the value of a shared key."""
        return len(self.needed) == 1

    def _tagged(self) -> Iterator[tuple[str, SchemaNode]]:
        for one in map(self.at, self.node["oneOf"]):
            if one.is_keyed:
                yield next(iter(one.needed)), one
            else:
                yield next(str(shape.node["const"]) for shape in one.fields.values() if "const" in shape.node), one

    def kind_of(self, value: Any) -> str:
        """The variant of a value; empty if it is none."""
        if not isinstance(value, Mapping):
            return ""
        for tag, one in self.kinds.items():
            fixed = {key: shape.node["const"] for key, shape in one.fields.items() if "const" in shape.node}
            if tag in value if one.is_keyed else fixed and all(value.get(key) == const for key, const in fixed.items()):
                return tag
        return ""

    @cached_property
    def parts(self) -> SchemaNode:
        """The node of the parts of a list."""
        return self.at(self.plain.node["items"])

    @property
    def limits(self) -> tuple[int, int]:
        """The least and the greatest length of a list."""
        return int(self.plain.node.get("minItems", 0)), int(self.plain.node.get("maxItems", 100))

    def default(self, depth: int = 0) -> Any:
        """A valid value; None for texts, which have no default."""
        shape = self.plain
        if shape.form in (Widget.PHRASE, Widget.TEXT, Widget.RAW):
            return next(iter(shape.node.get("examples", ())), None) if shape.form is Widget.RAW else None
        for key in ("const", "default"):
            if key in shape.node:
                return shape.node[key]
        if "examples" in shape.node:
            return shape.node["examples"][0]
        if depth > DEEPEST:
            return None
        return _DEFAULTS[shape.form](shape, depth + 1)


def _bare_form(shape: SchemaNode) -> Widget:
    kind = shape.node.get("type")
    if kind == "array":
        items = shape.at(shape.node.get("items", {}))
        if items.form is Widget.CHOICE:
            return Widget.MANY
        if items.form is Widget.NUMBER and shape.node.get("minItems") == shape.node.get("maxItems"):
            return Widget.NUMBERS
        return Widget.LIST if items.form in (Widget.GROUP, Widget.KINDS) else Widget.RAW
    plain = {"integer": Widget.NUMBER, "number": Widget.NUMBER, "boolean": Widget.SWITCH, "string": Widget.TEXT}
    return plain.get(str(kind), Widget.RAW)


def _some_number(shape: SchemaNode, depth: int) -> int:
    return int(min(max(1, shape.node.get("minimum", 1)), shape.node.get("maximum", 1)))


def _some_group(shape: SchemaNode, depth: int) -> dict[str, Any]:
    found = {key: shape.fields[key].default(depth) for key in shape.fields if key in shape.needed}
    return {key: value for key, value in found.items() if value is not None}


_DEFAULTS: Mapping[Widget, Callable[[SchemaNode, int], Any]] = {
    Widget.GROUP: _some_group,
    Widget.KINDS: lambda shape, depth: next(iter(shape.kinds.values())).default(depth),
    Widget.LIST: lambda shape, depth: [shape.parts.default(depth)] * shape.limits[0],
    Widget.MANY: lambda shape, depth: list(shape.parts.node["enum"][: max(1, shape.limits[0])]),
    Widget.NUMBERS: lambda shape, depth: [shape.parts.default(depth)] * shape.limits[0],
    Widget.CHOICE: lambda shape, depth: shape.node["enum"][0],
    Widget.NUMBER: _some_number,
    Widget.SWITCH: lambda shape, depth: False,
}
