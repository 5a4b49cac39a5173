"""Data to try: made by a JSON Schema, made from data that is right by changing it, or spoilt as text."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

Schema = Mapping[str, Any]
#: Texts that JSON readers have stumbled over.
TOKENS = (
    "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 30, "9" * 5000, "0x10", "-0", "1e-400", "1.0", "null",
    "true", '""', '"\\u0000"', '"\\ud800"', '"\\u001b[2J"', '"' + "k" * 3000 + '"', "[" * 300, "{}", "[]", ",", "\x00",
    "\ufeff", "//x", "'a'", '{"a":1,"a":2}', "[" * 90 + "]" * 90, "18446744073709551616", "-9223372036854775809",
)  # fmt: skip
ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 255, 256, 2**31 - 1, 2**31, 2**63 - 1, 2**63, -(2**63), 10**25, 0.5, -0.0, 1e308,
    "", "x", "0", "1", "а", "\x07", "\ud800", "../x", "w" * 500, [], {}, [[]], [0] * 300, {"x": 1}, [None],
)  # fmt: skip


def made(schema: Schema, luck: Random, root: Schema | None = None, depth: int = 0) -> Any:
    """A value that a schema allows, mostly; the edges of its ranges are favoured."""
    root = root if root is not None else schema
    schema = resolved(schema, root)
    if "default" in schema and luck.random() < (0.5 if depth else 0.0):
        return copy.deepcopy(schema["default"])
    for word in ("anyOf", "oneOf"):
        if word in schema:
            return made(luck.choice(schema[word]), luck, root, depth + 1)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return luck.choice(schema["enum"])
    if "examples" in schema and luck.random() < 0.5:
        return copy.deepcopy(luck.choice(schema["examples"]))
    kind = schema.get("type", "string")
    if isinstance(kind, list):
        kind = luck.choice(kind)
    if kind == "object":
        return _object(schema, luck, root, depth)
    if kind == "array":
        low, high = schema.get("minItems", 0), schema.get("maxItems", 6)
        count = luck.choice((low, high, luck.randint(low, min(high, low + 4)))) if depth < 8 else low
        return [made(schema.get("items", {}), luck, root, depth + 1) for _ in range(min(count, 40))]
    if kind in ("integer", "number"):
        return number(schema, luck)
    if kind == "boolean":
        return luck.random() < 0.5
    return "".join(luck.choice("abcdefghijklmnopqrstuvwxyz_") for _ in range(luck.randint(1, 12)))


def _object(schema: Schema, luck: Random, root: Schema, depth: int) -> dict[str, Any]:
    needed = schema.get("required", ())
    share = 0.6 if depth < 3 else 0.2
    return {
        key: made(part, luck, root, depth + 1)
        for key, part in schema.get("properties", {}).items()
        if key in needed or (luck.random() < share and depth < 9 and key != "$schema")
    }


def number(schema: Schema, luck: Random) -> int | float:
    """A number of a range: an end of it, a small one, or any."""
    low = schema.get("minimum", schema.get("exclusiveMinimum", -10))
    high = schema.get("maximum", schema.get("exclusiveMaximum", low + 50))
    if schema.get("type") == "number":
        return luck.choice((low, high, luck.uniform(low, high)))
    low, high = int(low), int(high)
    return luck.choice((low, high, min(high, low + 1), luck.randint(low, min(high, low + 12)), luck.randint(low, high)))


def resolved(schema: Schema, root: Schema) -> Schema:
    """A schema with its references followed."""
    while "$ref" in schema or "allOf" in schema:
        if "allOf" in schema:
            schema = {**schema["allOf"][0], **{key: value for key, value in schema.items() if key != "allOf"}}
            continue
        found: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        schema = {**found, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


Step = str | int


def leaves(data: Any, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """The path of every part of data, whole ones too."""
    yield path
    if isinstance(data, dict):
        for key, part in data.items():
            yield from leaves(part, (*path, key))
    elif isinstance(data, list):
        for place, part in enumerate(data):
            yield from leaves(part, (*path, place))


def at(data: Any, path: tuple[Step, ...]) -> Any:
    """The part of data at a path."""
    for step in path:
        data = data[step]
    return data


def schema_at(schema: Schema, path: tuple[Step, ...]) -> Schema:
    """What a schema says of the part at a path; nothing where it takes several forms."""
    root = schema
    for step in path:
        schema = resolved(schema, root)
        forms = [part for part in schema.get("anyOf", ()) if "$ref" in part or "properties" in part or "items" in part]
        schema = resolved(forms[0], root) if forms else schema
        if isinstance(step, int):
            schema = schema.get("items", {})
        else:
            schema = schema.get("properties", {}).get(step, schema.get("additionalProperties") or {})
        if not isinstance(schema, Mapping):
            return {}
    return resolved(schema, root)


def varied(data: Any, schema: Schema, luck: Random, *, wild: float = 0.1) -> Any:
    """Data with a few of its parts changed: within their ranges as a rule, to something odd with chance `wild`."""
    data = copy.deepcopy(data)
    for _ in range(luck.choice((1, 1, 2, 3, 5, 8))):
        paths = [path for path in leaves(data) if path]
        if not paths:
            return data
        path = luck.choice(paths)
        where = at(data, path[:-1])
        old, said = where[path[-1]], schema_at(schema, path)
        if luck.random() < wild:
            where[path[-1]] = copy.deepcopy(luck.choice(ODD))
        elif isinstance(old, list) and old and luck.random() < 0.7:
            _relist(old, luck)
        elif isinstance(where, dict) and luck.random() < 0.05:
            del where[path[-1]]
        elif said and luck.random() < 0.9 and not isinstance(old, (dict, list)):
            where[path[-1]] = made(said, luck, schema, 1)
        elif isinstance(old, bool):
            where[path[-1]] = not old
        elif isinstance(old, int):
            where[path[-1]] = luck.choice((old + 1, old - 1, 0, old * 2, luck.randint(0, 20)))
        elif said and isinstance(old, (dict, list)):
            where[path[-1]] = made(said, luck, schema, 1)
    return data


def _relist(old: list[Any], luck: Random) -> None:
    deed = luck.randrange(4)
    if deed == 0:
        old.pop(luck.randrange(len(old)))
    elif deed == 1:
        old.insert(luck.randrange(len(old) + 1), copy.deepcopy(luck.choice(old)))
    elif deed == 2:
        luck.shuffle(old)
    else:
        old[luck.randrange(len(old))] = copy.deepcopy(luck.choice(old))


def written(data: Any, luck: Random, *, spoilt: float = 0.15) -> bytes:
    """Data as the text of a JSON file, spoilt with that chance."""
    text = json.dumps(data, ensure_ascii=luck.random() < 0.3, indent=luck.choice((None, 1))).encode(errors="replace")
    return spoil(text, luck) if luck.random() < spoilt else text


def spoil(data: bytes, luck: Random) -> bytes:
    """A text with bytes changed, lost, doubled or put in."""
    found = bytearray(data)
    for _ in range(luck.choice((1, 1, 2, 4, 16))):
        place = luck.randrange(len(found) + 1)
        deed = luck.randrange(7)
        if deed == 0 and place < len(found):
            found[place] = luck.randrange(256)
        elif deed == 1:
            del found[place : place + luck.choice((1, 2, 10, 100))]
        elif deed == 2:
            found[place:place] = luck.choice(TOKENS).encode(errors="surrogatepass")
        elif deed == 3:
            found[place:place] = found[place : place + luck.choice((1, 10, 200))]
        elif deed == 4 and luck.random() < 0.3:
            del found[place:]
        elif deed == 5 and place < len(found):
            found[place] ^= 1 << luck.randrange(8)
        else:
            _replace_number(found, luck)
    return bytes(found)


def _replace_number(found: bytearray, luck: Random) -> None:
    digits = [place for place, sign in enumerate(found) if 48 <= sign <= 57]
    if digits:
        place = luck.choice(digits)
        found[place : place + 1] = luck.choice(TOKENS[:14]).encode()
