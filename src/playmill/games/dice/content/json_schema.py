"""The JSON Schema of a content file, and the part of it that a mistake belongs to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from playmill.games.dice.content.conditions import TAG
from playmill.games.dice.content.entries import Content

Loc = Sequence[int | str]
ABOUT = (
    "Content of the Playmill dice game: modifiers, items and loaded dice. The game: a player rolls six dice, saves "
    "some that score (ones 100, fives 50, three or more of a kind, straights), then rolls the rest or passes to bank "
    "the turn's points; a roll in which nothing scores is a bust and loses them. A name or text is one string, or an "
    "object with the keys en (English), ru (Russian) or both; both are best. A condition or an effect is an object "
    "with exactly one key; beside it a condition about dice may say of which (of): those thrown, saved, or on the "
    "table. No value is ever null: a key that is not needed is left out. Besides this schema, selection_* conditions "
    "go only with on_save and on_pass, scores only with on_roll and active items; at most 24 conditions per entry, at "
    "most 6 deep; ids are unique over all files; every flag but bust_shield and double_next_save stands in the list "
    "flags, and at most 16 of them are in one match."
)
EXAMPLE: dict[str, Any] = {
    "modifiers": [
        {
            "id": "devils_number",
            "name": {"en": "The Devil's Number", "ru": "Число дьявола"},
            "desc": {
                "en": "Three or more sixes in a roll cost 300 points.",
                "ru": "Три и больше шестёрок в броске отнимают 300 очков.",
            },
            "trigger": "on_roll",
            "condition": {"count": {"face": 6, "at_least": 3}},
            "effect": {"add": -300},
            "note": {"en": "3+ sixes", "ru": "3+ шестёрки"},
        }
    ],
    "items": [
        {
            "id": "quick_hands",
            "name": {"en": "Quick Hands", "ru": "Быстрые руки"},
            "desc": {
                "en": "Throw up to two dice of your choice again.",
                "ru": "Перебросьте до двух костей на выбор.",
            },
            "type": "active",
            "cooldown_turns": 6,
            "activate_condition": {"dice_rolled": {"at_least": 3}},
            "effect": {"reroll": {"dice": "chosen", "count": 2}},
            "notification": {"en": "Thrown again!", "ru": "Переброс!"},
        }
    ],
    "dice": [
        {
            "id": "brass_fives",
            "code": "5+",
            "name": {"en": "Brass Fives", "ru": "Латунные пятёрки"},
            "desc": {
                "en": "Fives fall often: safe single saves.",
                "ru": "Часто падают пятёрки: надёжные одиночные очки.",
            },
            "weights": [1, 1, 1, 1, 4, 1],
            "rarity": "uncommon",
        }
    ],
}


class _AsWritten(GenerateJsonSchema):
    """Keeps keys in the order in which people write them."""

    def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
        return value


@cache
def content_schema() -> dict[str, Any]:
    """The JSON Schema of a content file; one for all, so not to be changed."""
    data = Content.model_json_schema(by_alias=True, schema_generator=_AsWritten)
    _tidy(data)
    properties = {
        "$schema": {"type": "string", "description": "The schema this file follows; anything, ignored."},
        **data.pop("properties"),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Playmill dice content",
        **data,
        "description": ABOUT,
        "properties": properties,
        "examples": [EXAMPLE],
    }


def _tidy(data: Any) -> None:
    """Takes out titles made of names, which say nothing new, and the wrapping older pydantics put around references."""
    if isinstance(data, dict):
        if isinstance(data.get("title"), str):
            del data["title"]
        if "allOf" in data:
            data |= data.pop("allOf")[0]
        for value in data.values():
            _tidy(value)
    elif isinstance(data, list):
        for value in data:
            _tidy(value)


def node_at(loc: Loc) -> dict[str, Any]:
    """The part of the schema that describes what stands at a place found by a validation."""
    node = content_schema()
    for step in loc:
        if isinstance(step, int):
            several = next(part for part in node.get("anyOf", [node]) if "items" in part)
            node = _resolved(several["items"])
        elif step.startswith(TAG):
            node = next(part for part in map(_resolved, node["oneOf"]) if _is_tagged(part, step.removeprefix(TAG)))
        else:
            node = _resolved(_fields(node)[step])
    return node


def keys_at(loc: Loc) -> list[str]:
    """The keys that an object at a place found by a validation can have."""
    return list(_fields(node_at(loc)))


def _fields(node: dict[str, Any]) -> dict[str, Any]:
    """The fields of an object, also of one that could be something else as well."""
    found: dict[str, Any] = next(part for part in (node, *node.get("anyOf", ())) if "properties" in part)["properties"]
    return found


def example_of(kind: str, at: int = 0) -> str:
    """An example of a condition or an effect, as JSON; the last one (-1) says of which dice, if that can be said."""
    models = content_schema()["$defs"].values()
    found = next(model["examples"][at] for model in models if model.get("required") == [kind])
    return json.dumps(found, ensure_ascii=False)


def _resolved(node: dict[str, Any]) -> dict[str, Any]:
    reference = node.get("$ref")
    return {**content_schema()["$defs"][reference.rpartition("/")[2]], **node} if reference else node


def _is_tagged(model: dict[str, Any], name: str) -> bool:
    return model["required"] == [name] or model["properties"].get("type", {}).get("const") == name
