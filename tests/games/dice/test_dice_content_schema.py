"""The JSON Schema of content: it describes every field, and says the same as the checker wherever it can."""

from __future__ import annotations

import copy
import json
import re
from importlib import resources
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playmill.games.dice.config import Config
from playmill.games.dice.content import Content, library, schema
from playmill.games.dice.content.checks import checked
from playmill.games.dice.content.conditions import AllOf
from playmill.games.dice.content.json_schema import EXAMPLE
from playmill.games.dice.content.references import KnownContent
from playmill.texts import Text

SCHEMA = schema()
#: The keywords the schema uses; the judge below must know them all.
ANNOTATIONS = {"$schema", "$defs", "title", "description", "examples", "default"}


def fits(node: Any, data: Any) -> bool:
    """Whether data fits a schema, by the keywords that ours uses; a stand-in where `jsonschema` is not installed."""
    return all(RULES[key](value, data, node) for key, value in node.items() if key not in ANNOTATIONS)


def is_type(name: str, data: Any) -> bool:
    types = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}
    return isinstance(data, types[name]) and (name not in ("integer", "number") or not isinstance(data, bool))


def number(data: Any) -> bool:
    return is_type("number", data)


def same(left: Any, right: Any) -> bool:
    return json.dumps(left, sort_keys=True) == json.dumps(right, sort_keys=True)


RULES: dict[str, Any] = {
    "$ref": lambda v, d, n: fits(SCHEMA["$defs"][v.rpartition("/")[2]], d),
    "type": lambda v, d, n: is_type(v, d),
    "const": lambda v, d, n: same(v, d),
    "enum": lambda v, d, n: any(same(each, d) for each in v),
    "minimum": lambda v, d, n: not number(d) or d >= v,
    "maximum": lambda v, d, n: not number(d) or d <= v,
    "exclusiveMinimum": lambda v, d, n: not number(d) or d > v,
    "minLength": lambda v, d, n: not isinstance(d, str) or len(d) >= v,
    "maxLength": lambda v, d, n: not isinstance(d, str) or len(d) <= v,
    "pattern": lambda v, d, n: not isinstance(d, str) or re.search(v.replace("$", r"\Z"), d) is not None,
    "items": lambda v, d, n: not isinstance(d, list) or all(fits(v, each) for each in d),
    "contains": lambda v, d, n: not isinstance(d, list) or any(fits(v, each) for each in d),
    "minItems": lambda v, d, n: not isinstance(d, list) or len(d) >= v,
    "maxItems": lambda v, d, n: not isinstance(d, list) or len(d) <= v,
    "uniqueItems": lambda v, d, n: not isinstance(d, list) or len({json.dumps(each) for each in d}) == len(d),
    "properties": lambda v, d, n: not isinstance(d, dict) or all(fits(v[key], d[key]) for key in d if key in v),
    "required": lambda v, d, n: not isinstance(d, dict) or set(v) <= set(d),
    "additionalProperties": lambda v, d, n: v or not isinstance(d, dict) or set(d) <= set(n["properties"]),
    "minProperties": lambda v, d, n: not isinstance(d, dict) or len(d) >= v,
    "maxProperties": lambda v, d, n: not isinstance(d, dict) or len(d) <= v,
    "oneOf": lambda v, d, n: sum(fits(each, d) for each in v) == 1,
    "anyOf": lambda v, d, n: any(fits(each, d) for each in v),
    "not": lambda v, d, n: not fits(v, d),
}


def valid(data: Any) -> bool:
    """Whether data fits the schema, as our judge and, where it is installed, `jsonschema` find."""
    ours = fits(SCHEMA, data)
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        return ours
    assert Draft202012Validator(SCHEMA).is_valid(data) == ours
    return ours


def good(data: Any) -> bool:
    return not checked(data, KnownContent())[1]


def shipped(kind: str) -> Any:
    file = resources.files("playmill.games.dice.content").joinpath("data", f"{kind}.json")
    return json.loads(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["modifiers", "items", "dice"])
def test_every_shipped_file_fits(kind: str) -> None:
    data = shipped(kind)
    assert valid(data)
    assert not checked(data, KnownContent(((Content(flags=library().flags), Text("", "")),)))[1]
    assert list(data) == [kind]


def test_the_example_fits() -> None:
    assert SCHEMA["examples"] == [EXAMPLE]
    assert valid(EXAMPLE) and good(EXAMPLE)


def test_every_field_is_described() -> None:
    for name, model in SCHEMA["$defs"].items():
        assert model.get("description"), name
        for key, field in model.get("properties", {}).items():
            reference = field.get("$ref", "").rpartition("/")[2]
            assert field.get("description") or SCHEMA["$defs"][reference]["description"], f"{name}.{key}"
    assert all(field["description"] for field in SCHEMA["properties"].values())


def test_every_condition_and_effect_has_an_example_that_fits() -> None:
    for union in ("Condition", "PassiveEffect", "ActiveEffect"):
        for reference in SCHEMA["$defs"][union]["oneOf"]:
            model = SCHEMA["$defs"][reference["$ref"].rpartition("/")[2]]
            assert model["examples"], model
            assert all(fits(model, example) for example in model["examples"])
    for model in SCHEMA["$defs"].values():
        assert all(fits(model, example) for example in model.get("examples", ()))


def test_the_schema_is_json_and_nobody_can_spoil_it() -> None:
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    schema().clear()
    assert schema() == SCHEMA
    assert "null" not in json.dumps(SCHEMA["$defs"]).replace("never null", "")
    assert "title" not in json.dumps(SCHEMA["$defs"])


def with_condition(condition: Any) -> Any:
    data = copy.deepcopy(EXAMPLE)
    data["modifiers"][0]["condition"] = condition
    return data


def with_effect(effect: Any) -> Any:
    data = copy.deepcopy(EXAMPLE)
    data["items"][0]["effect"] = effect
    return data


GOOD_CONDITIONS: list[Any] = [
    {"count": {"face": 1, "at_least": 1}, "of": "thrown"},
    {"of_a_kind": 3, "of": "saved"},
    {"straight": "any", "of": "table"},
    {"sum": {"at_most": 9}, "of": "saved"},
    {"count": {"face": 1, "at_least": 0}},
    {"count": {"face": 6, "exactly": 6}},
    {"of_a_kind": 6},
    {"straight": "1-6"},
    {"sum": {"at_most": 36}},
    {"roll_number": {"exactly": 1000}},
    {"turn_points": {"at_most": -100000}},
    {"own_total": {"at_least": 0}},
    {"ahead_by": 1},
    {"flag": "double_next_save"},
    {"scores": True},
    {"all": [{"any": [{"not": {"hot_dice": True}}]}]},
]
BAD_CONDITIONS: list[Any] = [
    {"of": "saved"},
    {"straight": "any", "of": "roll"},
    {"straight": "any", "of": None},
    {"first_roll": True, "of": "thrown"},
    {"count": {"face": 1, "at_least": 1, "of": "thrown"}},
    None,
    {},
    [],
    "first_roll",
    {"cuont": {"face": 1, "at_least": 1}},
    {"count": {"face": 1}},
    {"count": {"face": 1, "at_least": 1, "at_most": 2}},
    {"count": {"at_least": 1, "at_most": 2}},
    {"count": {"face": 0, "at_least": 1}},
    {"count": {"face": 1, "at_least": 7}},
    {"count": {"face": 1, "at_least": -1}},
    {"count": {"face": 1, "at_least": None}},
    {"count": {"face": 1, "at_least": 1}, "first_roll": True},
    {"of_a_kind": 1},
    {"of_a_kind": "3"},
    {"straight": "6-1"},
    {"dice_rolled": {"exactly": 0}},
    {"dice_rolled": 3},
    {"sum": {"at_least": 37}},
    {"first_roll": False},
    {"first_roll": 1},
    {"roll_number": {"at_least": 1001}},
    {"turn_points": {"at_least": 100001}},
    {"own_total": {"at_least": -1}},
    {"behind_by": 0},
    {"flag": "Bust Shield"},
    {"all": []},
    {"any": [{"first_roll": True}] * 9},
    {"not": []},
    {"all": [{"of_a_kind": 3}, {"of_a_kind": 7}]},
]
GOOD_EFFECTS: list[Any] = [
    {"add_to_pass": -50},
    {"percent": 12.5},
    {"set_face": {"dice": "all", "to": 1}},
    {"set_face": {"dice": "chosen", "count": 2, "to": "chosen"}},
    {"set_face": {"dice": "lowest", "to": "+1"}},
    {"set_face": {"dice": "showing", "face": 2, "to": "flip"}},
    {"add": -10000},
    [{"add": 1}, {"percent": -1000}, {"add_per_die": {"face": 2, "points": 5}}, {"clear_flag": "bust_shield"}],
    {"add_per_die": {"face": 2, "points": 5, "of": "table"}},
    {"add_per_die": {"face": 2, "points": 5, "of": "saved"}},
    {"reroll": {"dice": "chosen"}},
    {"reroll": {"dice": "highest", "count": 6}},
    {"reroll": {"dice": "all"}},
    {"reroll": {"dice": "showing", "face": 3}},
    {"set_face": {"dice": "lowest", "count": 2, "to": 6}},
    {"lock": {"dice": "chosen", "count": 2}},
    {"lock": {"dice": "all"}},
    {"lock": {"dice": "showing", "face": 1}},
    {"set_weights": {"dice": "all", "weights": [0, 0, 0, 0, 0, 1000000]}},
]
BAD_EFFECTS: list[Any] = [
    {"add_to_pass": 0},
    {"percent": 1000.5},
    {"set_face": {"dice": "all", "to": "up"}},
    {"set_face": {"dice": "all", "to": 1.0}},
    {"set_face": {"dice": "all", "to": True}},
    {"add_per_die": {"face": 2, "points": 5, "of": "selection"}},
    {"add_per_die": {"face": 2, "points": 5}, "of": "saved"},
    None,
    {},
    [],
    "add",
    {"add": 0},
    {"add": 10001},
    {"add": 1.5},
    {"add": "1"},
    {"add": 5, "percent": 5},
    [{"add": 1}] * 5,
    [[{"add": 1}]],
    {"percent": 1001},
    {"multiply_save": 2},
    {"set_flag": "Luck"},
    {"add_per_die": {"face": 2}},
    {"add_per_die": {"face": 2, "points": 0}},
    {"reroll": "all"},
    {"reroll": {"dice": "all", "count": 2}},
    {"reroll": {"dice": "all", "face": 2}},
    {"reroll": {"dice": "lowest", "face": 2}},
    {"reroll": {"dice": "showing"}},
    {"reroll": {"dice": "showing", "face": 2, "count": 1}},
    {"reroll": {"dice": "chosen", "count": 7}},
    {"reroll": {"count": 2}},
    {"set_face": {"dice": "lowest"}},
    {"set_weights": {"dice": "all", "weights": [1] * 7}},
    {"set_weights": {"dice": "all", "weights": [0] * 6}},
    {"set_weights": {"dice": "all", "weights": [-1, 1, 1, 1, 1, 1]}},
]


def test_schema_and_checker_agree_on_conditions() -> None:
    for condition in GOOD_CONDITIONS:
        assert valid(with_condition(condition)) and good(with_condition(condition)), condition
    for condition in BAD_CONDITIONS:
        assert not valid(with_condition(condition)) and not good(with_condition(condition)), condition


def test_schema_and_checker_agree_on_effects() -> None:
    for effect in GOOD_EFFECTS:
        assert valid(with_effect(effect)) and good(with_effect(effect)), effect
    for effect in BAD_EFFECTS:
        assert not valid(with_effect(effect)) and not good(with_effect(effect)), effect


MISSING = object()
FIELDS: list[tuple[str, str, Any, bool]] = [
    ("modifiers", "trigger", "on_pass", True),
    ("modifiers", "trigger", "on_save", False),
    ("modifiers", "effect", {"multiply_save": 2}, False),
    ("modifiers", "condition", MISSING, True),
    ("modifiers", "note", MISSING, False),
    ("modifiers", "type", "passive", False),
    ("items", "type", "passive", False),
    ("items", "type", MISSING, False),
    ("items", "cooldown_turns", 100, True),
    ("items", "cooldown_turns", 0, True),
    ("items", "cooldown_turns", -1, False),
    ("items", "triggers", ["on_roll"], False),
    ("items", "activate_condition", MISSING, True),
    ("items", "id", "a" * 32, True),
    ("items", "id", "a" * 33, False),
    ("items", "id", "1st", False),
    ("items", "name", {"en": "A", "ru": "Б"}, True),
    ("items", "name", {"en": "A"}, True),
    ("items", "name", {"ru": "Б"}, True),
    ("items", "name", "Both", True),
    ("items", "name", {}, False),
    ("items", "name", "", False),
    ("items", "name", "x" * 41, False),
    ("items", "name", 5, False),
    ("items", "name", MISSING, False),
    ("items", "desc", "One line.", True),
    ("items", "notification", {"ru": "Да"}, True),
    ("items", "notification", MISSING, False),
    ("items", "id", MISSING, True),
    ("items", "enabled", False, True),
    ("items", "enabled", 0, False),
    ("modifiers", "id", MISSING, True),
    ("modifiers", "enabled", False, True),
    ("dice", "id", MISSING, True),
    ("dice", "enabled", False, False),
    ("dice", "rarity", MISSING, True),
    ("dice", "code", MISSING, False),
    ("items", "name", {"en": "A", "ru": " "}, False),
    ("items", "name", {"en": "A", "ru": "Б", "de": "C"}, False),
    ("items", "name", {"en": "A" * 41, "ru": "Б"}, False),
    ("dice", "code", "½", True),
    ("dice", "code", "", False),
    ("dice", "code", "a b", False),
    ("dice", "theme", {"en": "bone", "ru": "кость"}, True),
    ("dice", "theme", "bone", True),
    ("dice", "rarity", "mythic", True),
    ("dice", "rarity", "", False),
    ("dice", "desc", MISSING, True),
    ("dice", "weights", [1] * 5, False),
    ("dice", "weights", [1, 1, 1, 1, 1, 1.5], True),
    ("dice", "weights", [1, 1, 1, 1, 1, -0.5], False),
    ("dice", "weights", [1, 1, 1, 1, 1, True], False),
    ("dice", "weights", [0] * 6, False),
]


@pytest.mark.parametrize(("kind", "key", "value", "fine"), FIELDS)
def test_schema_and_checker_agree_on_fields(kind: str, key: str, value: Any, fine: bool) -> None:
    data = copy.deepcopy(EXAMPLE)
    if value is MISSING:
        del data[kind][0][key]
    else:
        data[kind][0][key] = value
    assert valid(data) == good(data) == fine


@pytest.mark.parametrize("data", [[], None, "x", {"item": []}, {"items": {}}, {"items": [5]}, {"$schema": 5}])
def test_schema_and_checker_agree_on_frames(data: Any) -> None:
    assert not valid(data) and not good(data)


def test_schema_and_checker_agree_on_numbers_of_entries() -> None:
    die = EXAMPLE["dice"][0]
    dice = [{**die, "id": f"die_{n}"} for n in range(201)]
    assert valid({"dice": dice[:200]}) and good({"dice": dice[:200]})
    assert not valid({"dice": dice}) and not good({"dice": dice})
    assert valid({}) and good({})


faces = st.integers(1, 6)


def compares(low: int, high: int) -> Any:
    return st.builds(lambda op, n: {op: n}, st.sampled_from(["at_least", "at_most", "exactly"]), st.integers(low, high))


leaves = st.one_of(
    st.builds(lambda face, n: {"count": {"face": face, **n}}, faces, compares(0, 6)),
    st.builds(lambda n: {"of_a_kind": n}, st.integers(2, 6)),
    st.builds(lambda which: {"straight": which}, st.sampled_from(["any", "1-5", "2-6", "1-6"])),
    st.builds(lambda n: {"dice_rolled": n}, compares(1, 6)),
    st.builds(lambda n: {"sum": n}, compares(1, 36)),
    st.sampled_from([{"first_roll": True}, {"hot_dice": True}, {"flag": "bust_shield"}]),
    st.builds(lambda n: {"turn_points": n}, compares(-100_000, 100_000)),
    st.builds(lambda n: {"behind_by": n}, st.integers(1, 1_000_000)),
)
conditions = st.recursive(
    leaves,
    lambda inner: (
        st.builds(
            lambda key, parts: {key: parts}, st.sampled_from(["all", "any"]), st.lists(inner, min_size=1, max_size=4)
        )
        | st.builds(lambda part: {"not": part}, inner)
    ),
    max_leaves=8,
)


@given(conditions)
@settings(deadline=None)
def test_a_condition_survives_reading_and_writing(condition: Any) -> None:
    data = with_condition(condition)
    assert valid(data)
    content, found = checked(data, KnownContent())
    if found:  # the one thing about conditions that the schema cannot say
        assert all(re.search("deep|at most 24", mistake.text.en) for mistake in found)
        return
    read = content.modifiers[0].condition
    assert read is not None
    assert read.model_dump(mode="json") == condition
    assert hash(read) == hash(content.modifiers[0].condition)
    assert len(list(read.nodes())) == json.dumps(condition).count("{") - sum(
        json.dumps(condition).count(f'"{key}": {{') for key in ("count", "dice_rolled", "sum", "turn_points")
    )


def test_content_is_written_as_it_was_read() -> None:
    content = checked(EXAMPLE, KnownContent())[0]
    data = content.model_dump(mode="json")
    assert data["modifiers"][0] == {**EXAMPLE["modifiers"][0], "effect": [{"add": -300}], "enabled": True}
    assert checked(data, KnownContent()) == (content, [])
    everything = library().model_dump(mode="json")
    assert valid(everything)
    assert checked(everything, KnownContent()) == (library(), [])
    assert Content.model_validate_json(json.dumps(everything)) == library()


def test_kinds_and_values_of_conditions() -> None:
    tree = {"all": [{"selection_contains": {"face": 5}}, {"not": {"sum": {"exactly": 7}}}]}
    data = copy.deepcopy(EXAMPLE)
    data["modifiers"][0] |= {"trigger": "on_pass", "condition": tree}
    condition = checked(data, KnownContent())[0].modifiers[0].condition
    assert isinstance(condition, AllOf)
    assert [node.kind for node in condition.nodes()] == ["all", "selection_contains", "not", "sum"]
    contains, opposite = condition.all
    assert (contains.value.face, contains.value.op, contains.value.n) == (5, "at_least", 1)
    assert (opposite.value.kind, opposite.value.value.op, opposite.value.value.n) == ("sum", "exactly", 7)
    assert [opposite.value.value.holds(n) for n in (6, 7, 8)] == [False, True, False]
    assert contains.value.holds(1) and not contains.value.holds(0)


def test_the_schema_of_the_config_embeds_that_of_content() -> None:
    data = Config.model_json_schema()
    assert {"$ref": "#/$defs/Content"} in data["properties"]["content"]["anyOf"]
    assert data["$defs"]["Condition"]["oneOf"]
    listed, easy = data["$defs"]["Side"]["properties"]["dice"]["anyOf"]
    assert listed["oneOf"] == [{"minItems": 1, "maxItems": 1}, {"minItems": 6, "maxItems": 6}]
    assert easy == {"type": "string"}
