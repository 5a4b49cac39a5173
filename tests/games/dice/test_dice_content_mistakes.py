"""Bad content files: each mistake that people and language models make gets its sentence, in both languages."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.effort import share
from playmill.games.dice.content import content_of, entries, library, merged, mistakes, read_content
from playmill.games.dice.content.checks import checked
from playmill.games.dice.content.entries import PassiveItem
from playmill.games.dice.content.json_schema import EXAMPLE
from playmill.games.dice.content.reading import made_id
from playmill.games.dice.content.references import KnownContent
from playmill.texts import PlaymillError, Text

MISSING = object()
CONDITIONS = (
    "count, of_a_kind, straight, dice_rolled, sum, first_roll, roll_number, hot_dice, scores, turn_points, own_total, "
    "selection_size, selection_contains, selection_points, behind_by, ahead_by, flag, all, any, not"
)
ITEM_KEYS = "id, name, desc, type, cooldown_turns, activate_condition, effect, notification, enabled"
PASSIVE_KEYS = "id, name, desc, type, triggers, condition, effect, notification, enabled"
OF_ACTIVE = "add, add_to_pass, add_per_die, percent, set_flag, clear_flag, reroll, set_face, set_weights, lock"
COUNT = '{"count": {"face": 6, "at_least": 3}}'
TEXT = 'a text in quotes, or one for each language, such as {"en": "Lucky Charm", "ru": "Талисман удачи"}'
RULED = "bust_shield, double_next_save"
OWN = 'a flag of your own goes into "flags": [{"id": "shield", "name": …}]'
SHAPE = '{"modifiers": […], "items": […], "dice": […]}'
PASSIVE: dict[str, Any] = {
    "id": "purse",
    "name": {"en": "Purse", "ru": "Кошель"},
    "desc": {"en": "It gives.", "ru": "Он даёт."},
    "type": "passive",
    "triggers": ["on_roll"],
    "effect": {"add": 5},
    "notification": {"en": "It gave", "ru": "Дал"},
}


def edited(changes: dict[str, Any]) -> Any:
    """The example of the schema with values put at, or taken from, JSON paths."""
    data = copy.deepcopy(EXAMPLE)
    for path, value in changes.items():
        *steps, last = (int(step) if step.isdecimal() else step for step in path.split("."))
        place: Any = data
        for step in steps:
            place = place[step]
        if value is MISSING:
            del place[last]
        else:
            place[last] = copy.deepcopy(value)
    return data


def messages_of(data: Any) -> list[Text]:
    return [mistake.text for mistake in checked(data, KnownContent())[1]]


C, A, E = "modifiers.0.condition", "items.0.activate_condition", "items.0.effect"
MISTAKES: list[tuple[dict[str, Any], list[str]]] = [
    # names of things
    (
        {A: {"cuont": {"face": 6, "at_least": 3}}},
        [f'{A}: there is no condition "cuont"; did you mean "count"? Known: {CONDITIONS}'],
    ),
    ({C: {"and": []}}, [f'{C}: there is no condition "and"; did you mean "all"? Known: {CONDITIONS}']),
    ({C: {"moon_phase": 3}}, [f'{C}: there is no condition "moon_phase"; known: {CONDITIONS}']),
    (
        {"modifiers.0.trigger": "on_rol"},
        ['modifiers.0.trigger is "on_rol"; expected one of "on_roll", "on_pass"; did you mean "on_roll"?'],
    ),
    ({"modifiers.0.trigger": "on_save"}, ['modifiers.0.trigger is "on_save"; expected one of "on_roll", "on_pass"']),
    (
        {"modifiers.0.trigger": ["on_roll"]},
        ['modifiers.0.trigger is ["on_roll"]; expected one of "on_roll", "on_pass"'],
    ),
    (
        {"modifiers.0.effect": {"addd": 5}},
        [
            'modifiers.0.effect: there is no effect "addd"; did you mean "add"? Known: add, add_to_pass, add_per_die, '
            "percent"
        ],
    ),
    ({E: {"steal": 5}}, [f'{E}: there is no effect "steal"; known: {OF_ACTIVE}']),
    (
        {"modifiers.0.effect": {"set_flag": "bust_shield"}},
        [
            'modifiers.0.effect: a modifier cannot have the effect "set_flag"; it can have: add, add_to_pass, '
            "add_per_die, percent"
        ],
    ),
    (
        {E: {"multiply_save": 2}},
        [f'{E}: an active item cannot have the effect "multiply_save"; it can have: {OF_ACTIVE}'],
    ),
    (
        {"items.0": {**PASSIVE, "triggers": ["on_save"], "effect": {"reroll": {"dice": "all"}}}},
        [f'{E}.reroll: a passive item can have it only with "triggers": ["on_roll"]; this one has on_save'],
    ),
    (
        {"items.0.cooldown": 3, "items.0.cooldown_turns": MISSING},
        [f'items.0: there is no key "cooldown"; did you mean "cooldown_turns"? Known: {ITEM_KEYS}'],
    ),
    (
        {"items.0": {**{key: value for key, value in PASSIVE.items() if key != "triggers"}, "trigger": "on_roll"}},
        [f'items.0: there is no key "trigger"; did you mean "triggers"? Known: {PASSIVE_KEYS}'],
    ),
    ({"items.0.colour": "red"}, [f'items.0: there is no key "colour"; known: {ITEM_KEYS}']),
    (
        {"item": []},
        ['there is no key "item"; did you mean "items"? Known: $schema, modifiers, items, dice, flags, kits'],
    ),
    (
        {"dice.0.rarity": 5},
        ["dice.0.rarity is 5; expected a text of 1 to 40 characters on one line, no blanks at its ends"],
    ),
    # numbers
    (
        {"items.0.cooldown_turns": "6"},
        ['items.0.cooldown_turns is "6"; expected a whole number from 0 to 100, without quotes'],
    ),
    ({"items.0.cooldown_turns": -1}, ["items.0.cooldown_turns is -1; expected a whole number from 0 to 100"]),
    ({"items.0.cooldown_turns": 101}, ["items.0.cooldown_turns is 101; expected a whole number from 0 to 100"]),
    ({"items.0.cooldown_turns": 2.5}, ["items.0.cooldown_turns is 2.5; expected a whole number from 0 to 100"]),
    ({"items.0.cooldown_turns": True}, ["items.0.cooldown_turns is true; expected a whole number from 0 to 100"]),
    ({"items.0.cooldown_turns": MISSING}, ['items.0: the key "cooldown_turns" is missing; an active item needs it']),
    (
        {"modifiers.0.effect": {"add": "100"}},
        ['modifiers.0.effect.add is "100"; expected a whole number from -10000 to 10000, not 0, without quotes'],
    ),
    ({"modifiers.0.effect": {"add": 0}}, ["modifiers.0.effect.add: 0 does nothing; expected another number"]),
    ({"modifiers.0.effect": {"percent": 0}}, ["modifiers.0.effect.percent: 0 does nothing; expected another number"]),
    (
        {"modifiers.0.effect": {"percent": 2000}},
        ["modifiers.0.effect.percent is 2000; expected a number from -1000 to 1000, not 0"],
    ),
    ({C: {"of_a_kind": 1}}, [f"{C}.of_a_kind is 1; expected a whole number from 2 to 6"]),
    ({C: {"behind_by": 0}}, [f"{C}.behind_by is 0; expected a whole number from 1 to 1000000"]),
    # dice
    ({"dice.0.weights": [1] * 7}, ["dice.0.weights has 7 numbers; expected 6"]),
    ({"dice.0.weights": []}, ["dice.0.weights has 0 numbers; expected 6"]),
    (
        {"dice.0.weights": [0] * 6},
        ["dice.0.weights: all six are 0, so the die could not fall; expected at least one above 0"],
    ),
    (
        {"dice.0.weights": [1, 1, 1, -2, 1, "2"]},
        [
            "dice.0.weights.3 is -2; expected a number not below 0",
            'dice.0.weights.5 is "2"; expected a number not below 0, without quotes',
        ],
    ),
    ({"dice.0.weights": "1:1:1:1:1:1"}, ['dice.0.weights is "1:1:1:1:1:1"; expected a list']),
    ({"dice.0.weights": MISSING}, ['dice.0: the key "weights" is missing']),
    ({"dice.0.code": "12345"}, ["dice.0.code has 5 characters; expected at most 4"]),
    (
        {"dice.0.code": ""},
        ['dice.0.code is ""; expected a text of 1 to 4 characters on one line, no blanks at its ends'],
    ),
    # texts
    ({"modifiers.0.name": {}}, [f"modifiers.0.name is {{}}; expected {TEXT}"]),
    ({"modifiers.0.name": 5}, [f"modifiers.0.name is 5; expected {TEXT}"]),
    ({"modifiers.0.name": "x" * 41}, ["modifiers.0.name has 41 characters; expected at most 40"]),
    ({"modifiers.0.name": {"ru": "я" * 41}}, ["modifiers.0.name.ru has 41 characters; expected at most 40"]),
    (
        {"modifiers.0.name": " "},
        ['modifiers.0.name is " "; expected a text of 1 to 40 characters on one line, no blanks at its ends'],
    ),
    ({"modifiers.0.name.de": "Steuer"}, ['modifiers.0.name: there is no key "de"; known: en, ru']),
    (
        {"modifiers.0.name.en": ""},
        ['modifiers.0.name.en is ""; expected a text of 1 to 40 characters on one line, no blanks at its ends'],
    ),
    (
        {"modifiers.0.note.ru": "а\nб"},
        ['modifiers.0.note.ru is "а\\nб"; expected a text of 1 to 60 characters on one line, no blanks at its ends'],
    ),
    ({"modifiers.0.name.en": "x" * 41}, ["modifiers.0.name.en has 41 characters; expected at most 40"]),
    ({"items.0.desc.ru": "я" * 201}, ["items.0.desc.ru has 201 characters; expected at most 200"]),
    ({"items.0.notification.en": "x" * 61}, ["items.0.notification.en has 61 characters; expected at most 60"]),
    ({"modifiers.0.note": MISSING}, ['modifiers.0: the key "note" is missing']),
    # ids
    (
        {"items.0.id": "Bust Shield"},
        [
            'items.0.id is "Bust Shield"; expected small Latin letters, digits and _, a letter first, at most 32, '
            'such as "lucky_charm"'
        ],
    ),
    (
        {"items.0.id": "brass_fives"},
        ['dice.0.id: "brass_fives" is items.0.id already; choose another id, such as "brass_fives_2"'],
    ),
    # conditions
    (
        {C: {"count": {"face": 6, "at_least": 3}, "sum": {"at_least": 3}}},
        [
            f'{C} has 2 keys ("count", "sum"); expected exactly one, such as {COUNT}; '
            'several conditions go into {"all": […]}'
        ],
    ),
    (
        {C: {"count": 6, "at_least": 3}},
        [
            f'{C} has 2 keys ("count", "at_least"); expected exactly one, such as {COUNT}; '
            'several conditions go into {"all": […]}'
        ],
    ),
    ({C: {"count": 6}}, [f'{C}.count is 6; expected an object such as {{"face": 6, "at_least": 3}}']),
    (
        {C: {"count": {"face": 6}}},
        [f"{C}.count: nothing to compare with; expected exactly one of at_least, at_most, exactly"],
    ),
    (
        {C: {"sum": {"at_least": 3, "at_most": 5}}},
        [
            f"{C}.sum: 2 comparisons (at_least, at_most); expected exactly one of at_least, at_most, exactly; "
            'two conditions go into {"all": […]}'
        ],
    ),
    (
        {C: {"count": {"face": 7, "min": 3}}},
        [
            f"{C}.count.face is 7; expected a whole number from 1 to 6",
            f'{C}.count: there is no key "min"; did you mean "at_least"? Known: at_least, at_most, exactly, face',
        ],
    ),
    ({C: "always"}, [f'{C} is "always"; expected an object with one key, such as {COUNT}']),
    ({C: {}}, [f"{C} is {{}}; expected an object with one key, such as {COUNT}"]),
    ({C: None}, [f"{C} is null; a key that is not needed is left out"]),
    ({C: {"count": None}}, [f"{C}.count is null; a key that is not needed is left out"]),
    ({C: {"first_roll": False}}, [f'{C}.first_roll is false; expected true; the opposite is written with "not"']),
    ({C: {"hot_dice": 1}}, [f'{C}.hot_dice is 1; expected true; the opposite is written with "not"']),
    ({C: {"all": []}}, [f"{C}.all has 0 conditions; expected 1 to 8"]),
    ({C: {"any": [{"first_roll": True}] * 9}}, [f"{C}.any has 9 conditions; expected 1 to 8"]),
    (
        {C: {"not": [{"first_roll": True}]}},
        [f'{C}.not is [{{"first_roll": true}}]; expected an object with one key, such as {COUNT}'],
    ),
    ({C: {"straight": "any", "of": "rolled"}}, [f'{C}.of is "rolled"; expected one of "thrown", "saved", "table"']),
    (
        {C: {"count": {"face": 6, "at_least": 3, "of": "table"}}},
        [
            f'{C}.count: "of" stands beside "count", not within it, as in '
            '{"count": {"face": 6, "exactly": 0}, "of": "table"}'
        ],
    ),
    ({C: {"first_roll": True, "of": "table"}}, [f'{C}: there is no key "of"; known: first_roll']),
    ({C: {"straight": "1-4"}}, [f'{C}.straight is "1-4"; expected one of "any", "1-5", "2-6", "1-6"']),
    (
        {C: {"flag": "shield"}},
        [f'{C}.flag: there is no flag "shield"; did you mean "bust_shield"? Known: {RULED}; {OWN}'],
    ),
    (
        {C: {"all": [{"any": [{"selection_size": {"at_least": 2}}]}]}},
        [
            f"{C}.all.0.any.0.selection_size: asks for saved dice; allowed only with on_save and on_pass; "
            "this one has on_roll"
        ],
    ),
    (
        {A: {"not": {"selection_contains": {"face": 1}}}},
        [
            f"{A}.not.selection_contains: asks for saved dice; allowed only with on_save and on_pass; "
            "this item is active"
        ],
    ),
    (
        {C: {"all": [{"any": [{"first_roll": True}] * 8}] * 3}},
        [f"{C}: 28 conditions; expected at most 24"],
    ),
    (
        {C: {"not": {"not": {"not": {"not": {"not": {"not": {"first_roll": True}}}}}}}},
        [f"{C}.not.not.not.not.not.not.first_roll: conditions stand more than 6 deep inside each other"],
    ),
    # effects
    ({E: "reroll 2 dice"}, [f'{E} is "reroll 2 dice"; expected an effect such as {{"add": 100}}, or a list of 1 to 4']),
    ({E: ["add 100"]}, [f'{E}.0 is "add 100"; expected an object with one key, such as {{"add": 100}}']),
    ({E: []}, [f"{E} has 0 effects; expected 1 to 4"]),
    ({E: [{"add": 1}] * 5}, [f"{E} has 5 effects; expected 1 to 4"]),
    (
        {E: {"add": 5, "percent": 10}},
        [
            f'{E} has 2 keys ("add", "percent"); expected exactly one, such as {{"add": 100}}; '
            "several effects go into a list"
        ],
    ),
    (
        {E: {"reroll": {"dice": "all", "count": 2}}},
        [f'{E}.reroll.count: does not go with dice "all"; only with chosen, lowest, highest'],
    ),
    ({E: {"reroll": {"dice": "showing"}}}, [f'{E}.reroll: the key "face" is missing; dice "showing" needs it']),
    (
        {E: {"reroll": {"dice": "lowest", "face": 2}}},
        [f'{E}.reroll.face: does not go with dice "lowest"; only with showing'],
    ),
    (
        {E: {"set_face": {"dice": "all", "to": 7}}},
        [f'{E}.set_face.to is 7; expected one of 1, 2, 3, 4, 5, 6, "+1", "-1", "flip", "chosen"'],
    ),
    ({E: {"set_face": {"dice": "lowest"}}}, [f'{E}.set_face: the key "to" is missing']),
    ({E: {"set_weights": {"dice": "all", "weights": [1] * 5}}}, [f"{E}.set_weights.weights has 5 numbers; expected 6"]),
    (
        {E: {"add_per_die": {"face": 1, "points": 10, "of": "selection"}}},
        [f'{E}.add_per_die.of is "selection"; expected one of "thrown", "saved", "table"'],
    ),
    (
        {E: [{"reroll": {"dice": "chosen", "count": 2}}, {"set_face": {"dice": "chosen", "to": 1}}]},
        [f"{E}.1.set_face.count: 1, but effect.0.reroll.count is 2; dice are chosen once for all: expected 2"],
    ),
    (
        {E: [{"set_face": {"dice": "chosen", "to": 1}}, {"set_face": {"dice": "chosen", "to": 5}}]},
        [
            f"{E}.1.set_face: turns the chosen dice a second time, after effect.0.set_face; "
            "expected one set_face of them"
        ],
    ),
    # passive and active
    (
        {"items.0.type": "activ"},
        ['items.0.type is "activ"; expected one of "passive", "active"; did you mean "active"?'],
    ),
    ({"items.0.type": MISSING}, ['items.0: the key "type" is missing; expected one of "passive", "active"']),
    ({"items.0.triggers": ["on_roll"]}, ['items.0: only a passive item has "triggers"; this one is active']),
    ({"items.0.condition": {"first_roll": True}}, ['items.0: only a passive item has "condition"; this one is active']),
    (
        {"items.0": {**PASSIVE, "cooldown_turns": 3}},
        ['items.0: only an active item has "cooldown_turns"; this one is passive'],
    ),
    (
        {"items.0": {**PASSIVE, "triggers": "on_roll"}},
        ['items.0.triggers is "on_roll"; expected a list such as ["on_save"]'],
    ),
    ({"items.0": {**PASSIVE, "triggers": []}}, ["items.0.triggers has 0 triggers; expected 1 to 3"]),
    (
        {"items.0": {**PASSIVE, "triggers": ["on_roll"] * 2}},
        ['items.0.triggers.1: "on_roll" is there already; expected each once'],
    ),
    (
        {"items.0": {**PASSIVE, "triggers": ["on_rool"]}},
        ['items.0.triggers.0 is "on_rool"; expected one of "on_roll", "on_save", "on_pass"; did you mean "on_roll"?'],
    ),
    (
        {"items.0": {**PASSIVE, "effect": {"set_face": {"dice": "chosen", "to": 1}}}},
        [f'{E}.set_face.dice: "chosen", but nobody chooses for a passive item; only active items can have it'],
    ),
    (
        {"items.0": {**PASSIVE, "triggers": ["on_pass"], "effect": {"set_face": {"dice": "lowest", "to": 1}}}},
        [
            f"{E}.set_face: lasts until the turn ends, and on_pass ends it; expected on_roll or on_save; "
            "this one has on_pass"
        ],
    ),
    (
        {"items.0": {**PASSIVE, "triggers": ["on_roll"], "effect": {"set_face": {"dice": "all", "to": "chosen"}}}},
        [f'{E}.set_face.to: "chosen", but nobody chooses for a passive item; only active items can have it'],
    ),
    (
        {E: [{"set_face": {"dice": "lowest", "to": "chosen"}}, {"set_face": {"dice": "highest", "to": "chosen"}}]},
        [
            f'{E}.1.set_face.to: "chosen" a second time, after effect.0.set_face; one face is chosen for all: '
            "expected one such set_face"
        ],
    ),
    (
        {"items.0": {**PASSIVE, "triggers": ["on_save", "on_pass"], "effect": {"multiply_save": 2}}},
        [
            f'{E}.multiply_save: a passive item can have it only with "triggers": ["on_save"]; '
            "this one has on_save, on_pass"
        ],
    ),
    (
        {
            "items.0": {
                **PASSIVE,
                "triggers": ["on_pass"],
                "effect": {"set_weights": {"dice": "all", "weights": [1] * 6}},
            }
        },
        [
            f"{E}.set_weights: lasts until the turn ends, and on_pass ends it; expected on_roll or on_save; "
            "this one has on_pass"
        ],
    ),
    (
        {"items.0": {**PASSIVE, "triggers": ["on_save", "on_pass"], "effect": {"lock": {"dice": "all"}}}},
        [
            f"{E}.lock: lasts until the turn ends, and on_pass ends it; expected on_roll or on_save; "
            "this one has on_save, on_pass"
        ],
    ),
    (
        {"modifiers.0.trigger": "on_pass", C: {"scores": True}},
        [f"{C}.scores: asks whether a roll scores; allowed only with on_roll alone; this one has on_pass"],
    ),
    # flags
    (
        {E: [{"set_flag": "spark"}, {"clear_flag": "bust_shield"}], "flags": [{"id": "sparc", "name": "Spark"}]},
        [
            f'{E}.0.set_flag: there is no flag "spark"; did you mean "sparc"? Known: bust_shield, double_next_save, '
            'sparc; a flag of your own goes into "flags": [{"id": "spark", "name": …}]'
        ],
    ),
    (
        {"flags": [{"name": "Spark", "lasts": "ever"}]},
        ['flags.0.lasts is "ever"; expected one of "until_used", "turn", "turns"'],
    ),
    (
        {"flags": [{"name": "Spark", "lasts": "turns"}]},
        ['flags.0: the key "turns" is missing; a flag that lasts "turns" needs it'],
    ),
    (
        {"flags": [{"name": "Spark", "turns": 3}]},
        ['flags.0.turns: does not go with lasts "until_used"; only with "turns"'],
    ),
    (
        {"flags": [{"name": "Spark", "lasts": "turns", "turns": 101}]},
        ["flags.0.turns is 101; expected a whole number from 1 to 100"],
    ),
    (
        {"flags": [{"id": "bust_shield", "name": "Mine"}]},
        ['flags.0.id: "bust_shield" is a flag with rules of its own; choose another id, such as "bust_shield_2"'],
    ),
    (
        {"flags": [{"name": "Spark"}, {"name": "spark"}]},
        ['flags.1: the id made from its name, "spark", is flags.0.id already; give it an id, such as "spark_2"'],
    ),
    # ids that are made
    (
        {"modifiers.0.id": MISSING, "items.0.id": MISSING, "items.0.name": "The Devil's Number"},
        [
            'items.0: the id made from its name, "the_devils_number", is modifiers.0.id already; give it an id, '
            'such as "the_devils_number_2"'
        ],
    ),
    (
        {"modifiers.0.id": MISSING, "modifiers.0.name": "???"},
        ['modifiers.0: the key "id" is missing, and none can be made from the name "???"'],
    ),
    ({"modifiers.0.id": MISSING, "modifiers.0.name": MISSING}, ['modifiers.0: the key "name" is missing']),
    ({"modifiers.0.enabled": "no"}, ['modifiers.0.enabled is "no"; expected true or false']),
    # kits
    (
        {
            "kits": [
                {
                    "name": "K",
                    "desc": "D",
                    "global_items": ["quick_hand"],
                    "players": [{"dice": ["quick_hands"] * 6}, {}],
                }
            ]
        },
        [
            'kits.0.global_items.0: there is no item "quick_hand"; did you mean "quick_hands"? Known: quick_hands',
            *[f'kits.0.players.0.dice.{n}: "quick_hands" is an item; expected a die' for n in range(6)],
        ],
    ),
    ({"kits": [{"name": "K", "desc": "D", "players": [{}]}]}, ["kits.0.players has 1 players; expected 2"]),
    (
        {"kits": [{"name": "K", "desc": "D", "players": [{"dice": ["brass_fives"]}, {}]}]},
        ["kits.0.players.0.dice has 1 dice; expected 6"],
    ),
    # frames
    ({"items": {}}, ["items is {}; expected a list"]),
    ({"items": ["lucky charm"]}, ['items.0 is "lucky charm"; expected an object: an item']),
    ({"modifiers": [5]}, ["modifiers.0 is 5; expected an object with the keys name, desc, trigger, effect, note"]),
    ({"$schema": 7}, ["$schema is 7; expected a text in quotes"]),
    ({"items": [1] * 10_000}, ["items has 10000 entries; expected at most 200"]),
    ({"dice": [EXAMPLE["dice"][0]] * 201}, ["dice has 201 entries; expected at most 200"]),
]


@pytest.mark.parametrize(("changes", "sentences"), MISTAKES, ids=[each[0][:60] for _, each in MISTAKES])
def test_a_mistake_gets_its_sentence(changes: dict[str, Any], sentences: list[str]) -> None:
    texts = messages_of(edited(changes))
    assert [text.en for text in texts] == sentences
    for text in texts:
        path = re.match(r"[\w.$]+", text.en)
        assert path is not None and (path[0] == "there" or path[0] in text.ru)
        assert re.search("[а-я]", text.ru) and not re.search(r"\b(is|expected|the|has)\b", text.ru)
        assert "\n" not in text.en + text.ru


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({A: {"cuont": 1}}, f'{A}: нет условия "cuont"; может быть, "count"? Есть: {CONDITIONS}'),
        (
            {"items.0.cooldown_turns": "6"},
            'items.0.cooldown_turns равно "6"; ожидается: целое число от 0 до 100, без кавычек',
        ),
        ({"dice.0.weights": [1] * 7}, "dice.0.weights: чисел 7; ожидается: 6"),
        (
            {"modifiers.0.name": {}},
            "modifiers.0.name равно {}; ожидается: текст в кавычках или по тексту на каждом языке, например "
            '{"en": "Lucky Charm", "ru": "Талисман удачи"}',
        ),
        (
            {E: {"set_flag": "spark"}},
            f'{E}.set_flag: нет флага "spark"; есть: bust_shield, double_next_save; собственный флаг пишется в '
            '"flags": [{"id": "spark", "name": …}]',
        ),
        ({"items": [1] * 10_000}, "items: записей 10000; ожидается: не больше 200"),
        (
            {"items.0.triggers": ["on_roll"]},
            'items.0: "triggers" бывает только у пассивного предмета, а здесь type — active',
        ),
        ({C: {"all": []}}, f"{C}.all: условий 0; ожидается: от 1 до 8"),
    ],
)
def test_sentences_in_russian(changes: dict[str, Any], sentence: str) -> None:
    assert [text.ru for text in messages_of(edited(changes))] == [sentence]


WHOLE = json.dumps(EXAMPLE, indent=1, ensure_ascii=False)
FILES = [
    (
        WHOLE[: len(WHOLE) // 2],
        " is not valid JSON: it breaks off at line 38, column 11; is the end of the file missing?",
    ),
    (WHOLE[:-1], " is not valid JSON: it breaks off at line 82, column 1; is the end of the file missing?"),
    (
        f"```json\n{WHOLE}\n```\nor\n```json\n{WHOLE}\n```",
        " has 2 fenced blocks (```) with JSON; expected one: put them into one object",
    ),
    (
        "Here it is:\n```json\n{1}\n```",
        " is not valid JSON: Expecting property name enclosed in double quotes at line 3, column 2",
    ),
    (f"Here it is:\n{WHOLE}", ' begins with "Here it is:"; expected JSON alone, nothing before or after it'),
    (f"{WHOLE}\nEnjoy!", " has more after the end of the JSON, at line 83, column 1; expected JSON alone"),
    (WHOLE.replace('"on_roll"', "'on_roll'"), " is not valid JSON: Expecting value at line 13, column 15"),
    ("", " is empty; expected a JSON object"),
    ("[" * 100_000, " is nested too deeply; expected at most 150 levels"),
    (
        '{"items": ' + '{"all": [' * 60 + "]}" * 60 + "}",
        ": items.all.0.all.0.all is nested too deeply; conditions may stand at most 6 deep",
    ),
    ('{"dice": [1' + "0" * 5000 + "]}", ": the number 10000000000000000000… has 5001 digits"),
    (
        WHOLE.replace('"trigger"', '"note": 1, "trigger"'),
        ': modifiers.0: the key "note" is there more than once; expected once',
    ),
    (
        WHOLE.replace('"Brass Fives"', '"\\ud800"'),
        ": dice.0.name.en has half a character (\\ud800); expected whole ones",
    ),
    (
        WHOLE.replace("-300", "NaN"),
        ": modifiers.0.effect.add is NaN; expected a whole number from -10000 to 10000, not 0",
    ),
    ("[]", f": a list; expected an object: {SHAPE}"),
    ("7", f": 7; expected an object: {SHAPE}"),
    (json.dumps(PASSIVE), f": a single entry; expected lists of them: {SHAPE}"),
]


@pytest.mark.parametrize(("text", "sentence"), FILES, ids=[sentence[:40] for _, sentence in FILES])
def test_a_broken_file_gets_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "my.json"
    path.write_text(text, encoding="utf-8")
    (only,) = mistakes(path)
    assert only.en == f"{path}{sentence}"
    assert only.ru.startswith(str(path)) and re.search("[а-я]", only.ru)
    with pytest.raises(PlaymillError) as caught:
        read_content([path])
    assert caught.value.text == only


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (only,) = mistakes(tmp_path / "no.json")
    assert only.en == f"cannot read {tmp_path / 'no.json'}: there is no such file"
    (only,) = mistakes(tmp_path)
    assert only.ru == f"не читается файл {tmp_path}: это папка"
    (tmp_path / "old.json").write_bytes("{}Щит".encode("cp1251"))
    (only,) = mistakes(tmp_path / "old.json")
    assert only.en.endswith("it is not UTF-8 text")


def test_windows_files_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "my.json"
    path.write_bytes(b"\xef\xbb\xbf" + WHOLE.replace("\n", "\r\n").encode())
    assert mistakes(path) == []
    assert read_content([path]).ids() == {"devils_number": "modifiers", "quick_hands": "items", "brass_fives": "dice"}


def test_a_good_file_has_no_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "my.json"
    path.write_text(json.dumps({"$schema": "content.schema.json", **EXAMPLE}), encoding="utf-8")
    assert mistakes(path) == []
    (tmp_path / "empty.json").write_text("{}", encoding="utf-8")
    assert mistakes(tmp_path / "empty.json") == []


def test_all_mistakes_of_a_file_are_told_in_its_order(tmp_path: Path) -> None:
    data = edited(
        {
            "dice.0.weights": [1] * 7,
            "items.0.id": "fair",
            "items.0.cooldown_turns": "4",
            "items.0.activate_condition": {"selection_size": {"exactly": 2}},
            "modifiers.0.trigger": "on_rool",
            "modifiers.0.name": {},
            "modifierz": [],
        }
    )
    path = tmp_path / "my.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    found = [text.en.removeprefix(f"{path}: ").split(" ")[0].rstrip(":") for text in mistakes(path)]
    assert found == [
        "there",
        "modifiers.0.name",
        "modifiers.0.trigger",
        "items.0.id",
        "items.0.cooldown_turns",
        "items.0.activate_condition.selection_size",
        "dice.0.weights",
    ]


def test_after_twenty_mistakes_the_rest_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "my.json"
    path.write_text(json.dumps({"items": ["x"] * 33}), encoding="utf-8")
    found = mistakes(path)
    assert len(found) == 21
    assert found[-1] == Text(f"{path}: and 13 more", f"{path}: и ещё 13")


def test_a_shipped_id_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "my.json"
    path.write_text(json.dumps(edited({"items.0.id": "fair"})), encoding="utf-8")
    (only,) = mistakes(path)
    assert only.en == (
        f'{path}: items.0.id: "fair" is a die that comes with the game; choose another id, such as "fair_2"'
    )
    assert only.ru == f'{path}: items.0.id: "fair" — кость из самой игры; выберите другой id, например "fair_2"'


def test_two_files_may_name_the_same_flag_if_they_mean_the_same(tmp_path: Path) -> None:
    spark = {"flags": [{"id": "spark", "name": "Spark", "lasts": "turn"}]}
    for name, data in (("a", spark), ("b", spark), ("c", {"flags": [{"id": "spark", "name": "Spark"}]})):
        (tmp_path / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")
    same = read_content([tmp_path / "a.json", tmp_path / "b.json"])
    assert [(flag.id, flag.time) for flag in same.flags] == [("spark", 1)]
    with pytest.raises(PlaymillError, match=r'c\.json: flags\.0\.id: "spark" is a flag of .*a\.json'):
        read_content([tmp_path / "a.json", tmp_path / "c.json"])


def test_a_file_may_speak_of_the_flags_that_come_with_the_game(tmp_path: Path) -> None:
    path = tmp_path / "my.json"
    path.write_text(json.dumps(edited({C: {"flag": "merry"}})), encoding="utf-8")
    assert mistakes(path) == []


@pytest.mark.parametrize(
    ("kind", "entry", "expected"),
    [
        ("items", {"name": {"en": "King's Road", "ru": "Тракт"}}, "kings_road"),
        ("items", {"name": {"ru": "Ярость Щуки"}}, "yarost_shchuki"),
        ("items", {"name": "Café  déjà-vu!"}, "cafe_deja_vu"),
        ("items", {"name": "3 bells"}, "item_3_bells"),
        ("dice", {"name": "…", "code": "1+"}, "die_1"),
        ("dice", {"name": "x" * 40}, "x" * 32),
        ("dice", {"name": "…", "code": "½"}, "die_12"),
        ("dice", {"name": "…", "code": "+"}, None),
        ("dice", {"name": 5}, ""),
    ],
)
def test_an_id_is_made_from_the_name_or_the_code(kind: str, entry: Any, expected: str | None) -> None:
    assert made_id(kind, entry) == expected


def test_only_what_the_seed_does_not_call_optional_is_needed() -> None:
    shortest = {
        "modifiers": [
            {"name": "Toll", "desc": "Passing costs 5.", "trigger": "on_pass", "effect": {"add": -5}, "note": "toll"}
        ],
        "items": [
            {
                "name": {"ru": "Оберег"},
                "desc": "Gives 5.",
                "type": "active",
                "cooldown_turns": 2,
                "effect": {"add": 5},
                "notification": {"en": "Here"},
            }
        ],
        "dice": [{"code": "b", "name": "Bone", "weights": [1, 2, 1, 2, 1, 2], "desc": "Evens."}],
    }
    content = content_of(shortest, "")
    assert content.ids() == {"toll": "modifiers", "obereg": "items", "bone": "dice"}
    item, die = content.items[0], content.dice[0]
    assert (item.name.text, item.notification.text) == (Text("Оберег", "Оберег"), Text("Here", "Here"))
    assert (die.rarity, die.theme, item.enabled) == (None, None, True)
    assert entries(content)[2].detail == Text("1:2:1:2:1:2", "1:2:1:2:1:2")


def test_two_files_cannot_share_an_id(tmp_path: Path) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    first.write_text(WHOLE, encoding="utf-8")
    second.write_text(json.dumps({"dice": [{**EXAMPLE["dice"][0], "id": "quick_hands"}]}), encoding="utf-8")
    with pytest.raises(PlaymillError) as caught:
        read_content([first, second])
    assert str(caught.value) == (
        f'{second}: dice.0.id: "quick_hands" is an item of {first}; choose another id, such as "quick_hands_2"'
    )
    with pytest.raises(PlaymillError, match='"devils_number" is a modifier of'):
        read_content([first, first])


def test_several_files_together_have_a_limit_too(tmp_path: Path) -> None:
    die = EXAMPLE["dice"][0]
    for name in "ab":
        dice = [{**die, "id": f"{name}_{n}"} for n in range(150)]
        (tmp_path / f"{name}.json").write_text(json.dumps({"dice": dice}), encoding="utf-8")
    assert len(read_content([tmp_path / "a.json"]).dice) == 150
    with pytest.raises(PlaymillError, match="together have 300 dice; expected at most 200"):
        read_content([tmp_path / "a.json", tmp_path / "b.json"])


def test_merging_refuses_an_id_twice() -> None:
    with pytest.raises(PlaymillError, match='the id "mark_of_the_beast" is a modifier already'):
        merged(library(), library())


def test_the_first_mistake_stops_reading() -> None:
    with pytest.raises(PlaymillError, match=r"^here: modifiers\.0\.trigger is 5;"):
        content_of(edited({"modifiers.0.trigger": 5, "dice.0.weights": 5}), "here: ")


def test_python_objects_are_checked_too() -> None:
    with pytest.raises(ValueError, match="only with"):
        PassiveItem.model_validate_json(json.dumps({**PASSIVE, "effect": [{"multiply_save": 2}]}))


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["count", "all", "on_roll"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["count", "all", "not", "dice", "face", "add", "effect", "id", "?count", ""])
            | st.text(max_size=3),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


def paths(data: Any, path: str = "") -> list[str]:
    inner = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = [path] if path else []
    return found + [deep for key, value in inner for deep in paths(value, f"{path}.{key}" if path else str(key))]


@given(st.sampled_from(paths(EXAMPLE)), json_values)
@settings(deadline=None, max_examples=share(400))
def test_nonsense_anywhere_is_told_and_never_crashes(path: str, value: Any) -> None:
    data = edited({path: value})
    content, found = checked(data, KnownContent())
    assert found or content.ids()
    for mistake in found:
        assert mistake.text.en and re.search("[а-я]", mistake.text.ru), mistake


@given(json_values)
@settings(deadline=None, max_examples=share(200))
def test_nonsense_alone_is_told_and_never_crashes(value: Any) -> None:
    checked(value, KnownContent())
