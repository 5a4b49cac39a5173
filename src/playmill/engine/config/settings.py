"""Tree of the settings of a config: name, description, kind, range, value and default of each, from its JSON Schema.

Forms and lists of settings walk this tree and need no more of a game than its config.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from playmill.engine.config.model import FIXED, RUSSIAN, WHOLE, RuleConfig, Schema
from playmill.texts import Text


class SettingKind(Enum):
    """Kind of a setting: a group has settings within it, `RAW` is whatever has no simpler form."""

    GROUP = "group"
    SWITCH = "switch"
    NUMBER = "number"
    CHOICE = "choice"
    MANY = "many"
    NUMBERS = "numbers"
    TEXT = "text"
    RAW = "raw"


@dataclass(frozen=True)
class Setting:
    """One setting: its path as `--set` writes it and as errors name it, its value, and its default.

    `listed`: either one number or a list of them is allowed.
    """

    path: str
    place: str
    name: Text
    about: Text
    kind: SettingKind
    value: Any
    usual: Any
    low: float | None = None
    high: float | None = None
    whole: bool = True
    options: Sequence[Any] = ()
    fixed: bool = False
    listed: bool = False
    parts: Sequence[Setting] = ()

    @property
    def differs(self) -> bool:
        """Whether it is not the default."""
        return bool(self.value != self.usual)

    def leaves(self) -> Iterator[Setting]:
        """All settings within that are no groups, including itself."""
        if self.kind is not SettingKind.GROUP:
            yield self
        for part in self.parts:
            yield from part.leaves()


def settings_of(config: RuleConfig) -> Setting:
    """The settings of a config as a tree."""
    schema = type(config).model_json_schema()
    mine, usual = config.model_dump(mode="json"), type(config)().model_dump(mode="json")
    return _Walk(schema).setting("", "", schema, mine, usual)


def describe_changes(config: RuleConfig, changes: Mapping[str, Any], *, longest: int) -> list[Text]:
    """Describes changed settings: each by its name, with its value if that is short."""
    changed, todo = [], [settings_of(config)]
    while todo:
        setting = todo.pop(0)
        todo[:0] = setting.parts
        if setting.path in changes:
            value = setting.value if isinstance(setting.value, str) else json.dumps(setting.value, ensure_ascii=False)
            behind = f": {value}" if len(value) <= longest else ""
            changed.append(Text(f"{setting.name.en}{behind}", f"{setting.name.ru}{behind}"))
    return changed


class _Walk:
    """Walks a schema together with a config and the default one."""

    def __init__(self, schema: Schema) -> None:
        self._defs: Schema = schema.get("$defs", {})

    def setting(self, path: str, place: str, node: Schema, value: Any, usual: Any, called: str = "") -> Setting:
        """What stands at a place; entries of lists and objects are called by their id or key."""
        said = node  # what a field says of itself goes before what its type says
        node, empty = self._meant(node, value)
        if called:
            name, about = Text(called, called), _text(node, "description")
        else:
            name, about = _text({**node, **said}, "title"), _text({**node, **said}, "description")
        parts = () if said.get(WHOLE) else tuple(self._parts(path, place, node, value, usual))
        kind, options = (SettingKind.GROUP, ()) if parts else _kind(node, empty=empty)
        return Setting(
            path=path,
            place=place,
            name=name,
            about=about,
            kind=kind,
            value=value,
            usual=usual,
            low=node.get("minimum", node.get("exclusiveMinimum")),
            high=node.get("maximum", node.get("exclusiveMaximum")),
            whole=node.get("type") != "number",
            options=options,
            fixed=bool(said.get(FIXED)) or "const" in node,
            listed={variant.get("type") for variant in said.get("anyOf", ())} == {"integer", "array"},
            parts=parts,
        )

    def _meant(self, node: Schema, value: Any) -> tuple[Schema, bool]:
        """What a schema says of a value, and whether there may be none: references are followed, and of several kinds
        the one that fits is taken."""
        empty = False
        while True:
            if "$ref" in node:
                node = {**self._defs[node["$ref"].rpartition("/")[2]], **_without(node, "$ref")}
            elif "allOf" in node:
                node = {**_merged(node["allOf"]), **_without(node, "allOf")}
            elif "anyOf" in node:
                empty = empty or any(variant.get("type") == "null" for variant in node["anyOf"])
                variants = [variant for variant in node["anyOf"] if variant.get("type") != "null"]
                fitting = [
                    variant for variant in variants if self._meant(variant, value)[0].get("type") == _type(value)
                ]
                node = {**_without(node, "anyOf"), **(fitting or variants)[0]}
            else:
                return node, empty

    def _parts(self, path: str, place: str, node: Schema, value: Any, usual: Any) -> Iterator[Setting]:
        if isinstance(value, Mapping) and isinstance(usual, Mapping) and value.keys() == usual.keys():
            fields: Schema = node.get("properties", {})
            more = node.get("additionalProperties")
            for key in value if fields or isinstance(more, dict) else ():
                field = fields[key] if fields else more
                assert isinstance(field, dict)
                called = "" if fields else key
                yield self.setting(_join(path, key), _join(place, key), field, value[key], usual[key], called)
        elif _entries(value, usual) and isinstance(node.get("items"), Mapping):
            for number, (entry, other) in enumerate(zip(value, usual, strict=True)):
                key = str(entry.get("id", number))
                called = key if "id" in entry else str(number + 1)
                yield self.setting(_join(path, key), _join(place, str(number)), node["items"], entry, other, called)


def _entries(value: Any, usual: Any) -> bool:
    """Whether a list holds the same objects as usual, so that each can be shown by itself."""
    if not isinstance(value, list) or not isinstance(usual, list) or len(value) != len(usual) or not value:
        return False
    if not all(isinstance(entry, dict) for entry in (*value, *usual)):
        return False
    return [entry.get("id") for entry in value] == [entry.get("id") for entry in usual]


def _kind(node: Schema, *, empty: bool) -> tuple[SettingKind, Sequence[Any]]:
    """What form a value has, and among what it is chosen."""
    nothing = (None,) if empty else ()
    if "enum" in node or "const" in node:
        return SettingKind.CHOICE, tuple(dict.fromkeys((*nothing, *node.get("enum", (node.get("const"),)))))
    kind, items = node.get("type"), node.get("items", {})
    if kind == "boolean":
        return (SettingKind.CHOICE, (None, True, False)) if empty else (SettingKind.SWITCH, ())
    if kind in ("integer", "number") and not empty:
        return SettingKind.NUMBER, ()
    if kind == "string" and not empty:
        return SettingKind.TEXT, ()
    if kind == "array" and isinstance(items, Mapping):
        if "enum" in items:
            return SettingKind.MANY, tuple(items["enum"])
        if items.get("type") in ("integer", "number"):
            return SettingKind.NUMBERS, ()
    return SettingKind.RAW, ()


def _type(value: Any) -> str:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return kinds.get(type(value), "null")


def _text(node: Schema, key: str) -> Text:
    """What a node says in both languages; a game may have one."""
    en = str(node.get(key, ""))
    return Text(en, str(node.get(RUSSIAN, {}).get(key, en)))


def _merged(nodes: Sequence[Schema]) -> Schema:
    return {key: value for node in nodes for key, value in node.items()}


def _without(node: Schema, key: str) -> Schema:
    return {name: value for name, value in node.items() if name != key}


def _join(path: str, step: str) -> str:
    return f"{path}.{step}" if path else step
