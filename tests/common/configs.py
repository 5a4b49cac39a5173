"""A config walked through: every place in it, with what its schema says may stand there."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from playmill.engine.config.model import RuleConfig

Path = tuple[str | int, ...]


class Place(NamedTuple):
    """A place in a config: its path, what stands there, and the part of the schema that speaks of it."""

    path: Path
    value: Any
    schema: dict[str, Any]

    @property
    def name(self) -> str:
        """The path as it is written."""
        return ".".join(map(str, self.path))


def places(config: RuleConfig) -> Iterator[Place]:
    """All places of a config, from the whole to the single numbers."""
    schema = _schema(type(config))
    yield from _places((), config.model_dump(mode="json"), schema, schema)


@cache
def _schema(kind: type[RuleConfig]) -> dict[str, Any]:
    return kind.model_json_schema()


def _places(path: Path, value: Any, schema: dict[str, Any], whole: dict[str, Any]) -> Iterator[Place]:
    schema = _meant(value, schema, whole)
    yield Place(path, value, schema)
    if isinstance(value, dict):
        for key, part in value.items():
            told = schema.get("properties", {}).get(key, schema.get("additionalProperties"))
            if isinstance(told, dict):
                yield from _places((*path, key), part, told, whole)
    elif isinstance(value, list):
        for number, part in enumerate(value):
            if isinstance(schema.get("items"), dict):
                yield from _places((*path, number), part, schema["items"], whole)


def _meant(value: Any, schema: dict[str, Any], whole: dict[str, Any]) -> dict[str, Any]:
    """What a schema says of a value: references are followed, and of several kinds the one that fits is taken."""
    if "$ref" in schema:
        return _meant(value, whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    for part in (*schema.get("anyOf", ()), *schema.get("oneOf", ()), *schema.get("allOf", ())):
        found = _meant(value, part, whole)
        if found.get("type") == _kind(value):
            return found
    return schema


def _kind(value: Any) -> str:
    kinds = {bool: "boolean", int: "integer", float: "number", str: "string", list: "array", dict: "object"}
    return kinds.get(type(value), "null")


def is_number(place: Place) -> bool:
    """Whether a number of the rules stands there."""
    return type(place.value) in (int, float) and place.schema.get("type") in ("integer", "number")


def edited(config: RuleConfig, path: Path, value: Any) -> Any:
    """The data of a config with another value at a place."""
    data = config.model_dump(mode="json")
    if not path:
        return value
    part = data
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    return data
