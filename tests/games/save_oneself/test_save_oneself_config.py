"""The config of Save Oneself: the cards of the page, what is refused and how, and the record made of it."""

from __future__ import annotations

import json
from importlib import import_module, resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from playmill.engine.config.model import differences, load_config, schema_in
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.config.record import Numbers
from playmill.games.save_oneself.constants import (
    CARD_IDS,
    CARDS,
    CORNERS,
    EIGHTS,
    FRONT_IDS,
    MAPS_CROSS,
    NEVER,
    NO_CORNER,
    SHIP_WAITING,
    SIDE_IDS,
    SIDES,
)
from playmill.texts import PlaymillError

# The table of the rules page: back, its lives, its corner, what it needs, front, its lives, its score.
PAGE = """
vines          0 SW up:palm-trees                      shelter       2  2
hook           0 NE up:water                           fish          3  0
water          2 -  up:telescope                       waterfall     2  0
flint          0 -  up:vines                           torch         0  2
palm-trees     0 SE up:rocks                           coconuts      2  0
sticks         0 NW up:flint                           spear         0  2
bottle         0 -  ship_waiting                       message       0  3
higher-ground  0 -  up:torch+stand:higher-ground       lit-beacon    0  7
telescope      0 -  stand:higher-ground                ship-sighted  0  1
rocks          0 -  stand:higher-ground                sos           0  5
pig           -2 -  up:spear                           meat          3  0
storm         -2 -  by_itself                          tornado      -3  0
mirage         0 -  by_itself                          sea-serpent   0  0
pirates        0 -  by_itself                          compass       0  0
map-r          0 -  maps_cross                         rum           1  0
map-c          0 -  with_map_r                         treasure      0 10
"""
ROWS = [line.split() for line in PAGE.strip().splitlines()]
ALL_CARDS = (
    "vines, hook, water, flint, palm-trees, sticks, bottle, higher-ground, telescope, rocks, pig, storm, mirage, "
    "pirates, map-r, map-c"
)
ALL_SIDES = (
    f"{ALL_CARDS}, shelter, fish, waterfall, torch, coconuts, spear, message, lit-beacon, ship-sighted, sos, meat, "
    "tornado, sea-serpent, compass, rum, treasure"
)


def packed(*changes: str) -> Any:
    return Config().changed(changes).pack(1)[0]


def refused(data: object) -> PlaymillError:
    with pytest.raises(PlaymillError) as caught:
        Config.read(data, "my.json")
    return caught.value


def card(name: str, **fields: Any) -> dict[str, Any]:
    return {"cards": {name: fields}}


def needs(*conditions: Any, name: str = "vines") -> dict[str, Any]:
    return card(name, needs=list(conditions))


# The page


def test_the_cards_are_those_of_the_page() -> None:
    cards = Config().cards
    assert list(cards) == [row[0] for row in ROWS] == list(CARD_IDS)
    assert [row[4] for row in ROWS] == list(FRONT_IDS)
    for name, lives, corner, conditions, _, front_lives, score in ROWS:
        found = cards[name]
        assert found.lives == int(lives)
        assert found.corner == (None if corner == "-" else corner)
        assert (found.front.lives, found.front.score) == (int(front_lives), int(score))
        told = [need.kind + (f":{need.side}" if need.side else "") for need in found.needs]
        assert "+".join(told) == conditions


def test_the_other_numbers_are_those_of_the_page() -> None:
    config = Config()
    assert (config.lives, config.moves, config.compass_moves) == (16, 1, 2)
    assert (config.tornado_at, config.cards_per_point) == (13, 4)
    assert config.lose_on_empty_deck is False


def test_the_shipped_file_is_the_default() -> None:
    text = (
        resources.files("playmill.games.save_oneself.config").joinpath("data", "cards.json").read_text(encoding="utf-8")
    )
    assert Config.read({"cards": json.loads(text)}) == Config() == Config.read({})
    assert differences(Config()) == {}


def test_a_config_round_trips() -> None:
    config = Config().changed(["cards.vines.front.lives=3", "cards.hook.corner=null", "lives=20"])
    assert Config.read(config.model_dump(mode="json")) == config
    assert config != Config()


# Partial cards, and changes of single numbers


def test_what_a_file_leaves_out_is_as_shipped() -> None:
    config = Config.read({"cards": {"vines": {"front": {"lives": 3}}, "pig": {"lives": -4}}})
    assert (config.cards["vines"].front.lives, config.cards["vines"].front.score) == (3, 2)
    assert config.cards["vines"].corner == "SW"
    assert config.cards["pig"].lives == -4
    assert config.cards["pig"].front == Config().cards["pig"].front
    assert differences(config) == {"cards.vines.front.lives": 3, "cards.pig.lives": -4}
    assert list(config.cards) == list(CARD_IDS)


def test_needs_are_replaced_as_a_whole() -> None:
    config = Config.read(needs({"kind": "stand", "side": "rocks"}, name="higher-ground"))
    assert [need.kind for need in config.cards["higher-ground"].needs] == ["stand"]


def test_set_reaches_single_numbers_of_cards() -> None:
    config = Config().changed(["cards.vines.front.lives=3", "cards.palm-trees.corner=NW", "cards.vines.lives=1"])
    assert config.cards["vines"].front.lives == 3
    assert config.cards["palm-trees"].corner == "NW"
    assert packed("cards.vines.front.lives=3")["front_lives"].tolist()[0] == 3
    assert Config().changed(["cards.vines.needs.0.side=water"]).cards["vines"].needs[0].side == "water"
    assert Config().changed(['cards.vines.needs=[{"kind":"ship_waiting"}]']).cards["vines"].needs[0].side is None


def test_set_of_an_unknown_path_names_the_known_ones() -> None:
    with pytest.raises(PlaymillError) as caught:
        Config().changed(["cards.vine.lives=1"])
    assert str(caught.value) == f"--set cards.vine.lives: cards has no 'vine'; it has: {ALL_CARDS}"
    with pytest.raises(PlaymillError, match=r"cards\.vines has no 'live'; it has: lives, corner, needs, front"):
        Config().changed(["cards.vines.live=1"])


# Mistakes

MISTAKES: list[tuple[Any, str, str]] = [
    (5, "config is 5; expected an object", "config равно 5; ожидается: объект"),
    ({"life": 3}, "there is no key 'life'", "ключа 'life' нет"),
    ({"lives": 0}, "lives is 0; expected at least 1", "lives равно 0; ожидается: не меньше 1"),
    # cards
    ({"cards": []}, "cards is []; expected an object", "cards равно []; ожидается: объект"),
    (card("vine"), f"cards: there is no card 'vine'; the cards are {ALL_CARDS}", f"карты 'vine' нет; есть {ALL_CARDS}"),
    (
        card("shelter", score=3),
        f"cards: there is no card 'shelter'; the cards are {ALL_CARDS}",
        f"карты 'shelter' нет; есть {ALL_CARDS}",
    ),
    (card("pig", lives=True), "cards.pig.lives is true; expected a whole number", "ожидается: целое число"),
    (
        card("hook", corner="N"),
        """cards.hook.corner is "N"; expected one of 'NE', 'SE', 'SW' or 'NW'""",
        "ожидается: одно из 'NE', 'SE', 'SW' или 'NW'",
    ),
    # needs
    (
        needs(),
        "cards.vines.needs: the list is empty; expected what must hold to turn the card over",
        "cards.vines.needs: список пуст; ожидается, что нужно, чтобы перевернуть карту",
    ),
    (card("vines", needs={}), "cards.vines.needs is {}; expected a list", "ожидается: список"),
    (needs("water"), 'cards.vines.needs.0 is "water"; expected an object', "ожидается: объект"),
    (needs({"side": "water"}), "the key 'cards.vines.needs.0.kind' is missing", "нет ключа 'cards.vines.needs.0.kind'"),
    (
        needs({"kind": "up", "who": 1}),
        "there is no key 'cards.vines.needs.0.who'",
        "ключа 'cards.vines.needs.0.who' нет",
    ),
    (
        needs({"kind": "down", "side": "water"}),
        "cards.vines.needs.0.kind is \"down\"; expected one of 'up', 'stand', 'ship_waiting', 'maps_cross', "
        "'by_itself' or 'with_map_r'",
        "'by_itself' или 'with_map_r'",
    ),
    (needs({"kind": "up", "side": 3}), "cards.vines.needs.0.side is 3; expected a text in quotes", "текст в кавычках"),
    (
        needs({"kind": "ship_waiting"}, {"kind": "up", "side": "palm"}),
        f"cards.vines.needs.1.side: there is no side 'palm'; the sides are {ALL_SIDES}",
        f"cards.vines.needs.1.side: стороны 'palm' нет; есть {ALL_SIDES}",
    ),
    (
        needs({"kind": "stand"}),
        f"cards.vines.needs.0.side: stand asks for a side; the sides are {ALL_SIDES}",
        f"cards.vines.needs.0.side: для stand нужна сторона; есть {ALL_SIDES}",
    ),
    (
        needs({"kind": "ship_waiting", "side": "water"}),
        "cards.vines.needs.0.side: ship_waiting takes no side",
        "cards.vines.needs.0.side: для ship_waiting сторона не указывается",
    ),
    (
        needs({"kind": "stand", "side": "water"}, {"kind": "stand", "side": "rocks"}),
        "cards.vines.needs: a player stands on one card only",
        "cards.vines.needs: игрок стоит только на одной карте",
    ),
    (
        needs({"kind": "by_itself"}),
        "cards.vines.needs.0.kind: by_itself is only for storm, mirage, pirates",
        "cards.vines.needs.0.kind: by_itself бывает только у storm, mirage, pirates",
    ),
    (
        needs({"kind": "with_map_r"}, name="map-r"),
        "cards.map-r.needs.0.kind: with_map_r is only for map-c",
        "cards.map-r.needs.0.kind: with_map_r бывает только у map-c",
    ),
    (
        needs({"kind": "up", "side": "vines"}, name="storm"),
        'cards.storm.needs: storm turns by the rules: its needs stay [{"kind": "by_itself"}]',
        'cards.storm.needs: storm переворачивается по правилам: её needs остаются [{"kind": "by_itself"}]',
    ),
    (
        needs(name="map-c"),
        'cards.map-c.needs: map-c turns by the rules: its needs stay [{"kind": "with_map_r"}]',
        'её needs остаются [{"kind": "with_map_r"}]',
    ),
    # lives that cannot come to pass
    (
        card("mirage", lives=-1),
        "cards.mirage.lives: expected at least 0: mirage turns as it is revealed, so that nobody enters it",
        "ожидается не меньше 0: мираж переворачивается, как только открыт, и войти в него нельзя",
    ),
    (
        card("storm", front={"lives": 1}),
        "cards.storm.front.lives: expected at most 0: a tornado takes lives",
        "cards.storm.front.lives: ожидается не больше 0: торнадо отнимает жизни",
    ),
    (
        card("vines", front={"lives": -1}),
        "cards.vines.front.lives: expected at least 0: of the fronts only tornado takes lives",
        "cards.vines.front.lives: ожидается не меньше 0: из лицевых сторон жизни отнимает только торнадо",
    ),
]


@pytest.mark.parametrize(("data", "english", "russian"), MISTAKES, ids=[told[:60] for _, told, _ in MISTAKES])
def test_a_mistake_gets_its_sentence(data: Any, english: str, russian: str) -> None:
    error = refused(data)
    assert str(error) == error.text.en == f"my.json: {english}"
    assert error.text.ru.startswith("my.json: ")
    assert error.text.ru.endswith(russian) or russian in error.text.ru
    assert "\n" not in error.text.en + error.text.ru


def test_five_conditions_are_too_many() -> None:
    error = refused(needs(*[{"kind": "up", "side": "water"}] * 5))
    assert str(error).endswith("expected at most 4 entries")


def test_a_mistake_of_a_change_names_the_change() -> None:
    with pytest.raises(PlaymillError) as caught:
        Config().changed(["cards.vines.front.lives=-3"])
    assert str(caught.value).startswith(
        "--set cards.vines.front.lives=-3: cards.vines.front.lives: expected at least 0"
    )


@pytest.mark.parametrize(
    ("content", "english", "russian"),
    [
        ('{"cards": {"vines": {"li', "it breaks off at line 1, column 22", "он обрывается в строке 1, столбце 22"),
        ("", "is empty; expected JSON", "пуст; ожидается JSON"),
        ('{"lives": 12,}', "a comma with nothing after it at line 1", "запятая, за которой ничего нет, в строке 1"),
    ],
)
def test_a_file_cut_off_is_told_of_in_one_sentence(tmp_path: Path, content: str, english: str, russian: str) -> None:
    path = tmp_path / "my.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(PlaymillError) as caught:
        load_config(Config, path, [])
    assert english in caught.value.text.en
    assert russian in caught.value.text.ru
    with pytest.raises(PlaymillError, match="there is no such file"):
        load_config(Config, tmp_path / "none.json", [])


# The names of the seed

BACKS = [
    {
        "id": name,
        "type": "back",
        "emoji": "🌿",
        "lives": int(lives),
        "direction": None if corner == "-" else corner,
        "requirements": [
            {"ship_waiting": "_ship-set-sail", "maps_cross": "_map", "with_map_r": "_map"}.get(kind, kind).split(":")[
                -1
            ]
            for kind in conditions.split("+")
            if kind != "by_itself"
        ],
    }
    for name, lives, corner, conditions, *_ in ROWS
]
FRONTS = [
    {"id": front, "type": "front", "emoji": "🏠", "backId": name, "lives": int(lives), "score": int(score)}
    for name, _, _, _, front, lives, score in ROWS
]


def test_the_decks_of_the_seed_are_our_sixteen_cards() -> None:
    """A list of backs with `direction` and `requirements` and of fronts with `backId`."""
    assert Config.read({"cards": BACKS + FRONTS}) == Config()
    other = [*BACKS[1:], BACKS[0] | {"direction": "NE", "requirements": ["higher-ground", "rocks"]}, *FRONTS[1:]]
    vines = Config.read({"cards": other}).cards["vines"]
    assert vines.corner == "NE" and vines.front == Config().cards["vines"].front, "what is left out is as usual"
    assert [(need.kind, need.side) for need in vines.needs] == [("stand", "higher-ground"), ("up", "rocks")]


def test_the_names_of_the_seed_stand_beside_ours() -> None:
    data = {"hook": {"direction": "SW", "requirements": ["_ship-set-sail"], "type": "back", "front": {"type": "front"}}}
    ours = {"hook": {"corner": "SW", "needs": [{"kind": "ship_waiting"}]}}
    assert Config.read({"cards": data}) == Config.read({"cards": ours})
    assert valid({"cards": data}) and valid({"cards": {"hook": {"front": {"backId": "hook", "lives": 1}}}})


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ({"hook": {"direction": "SW", "corner": "SW"}}, "cards.hook.direction: corner is given too"),
        ({"hook": {"direction": "up"}}, "cards.hook.corner"),
        ({"hook": {"requirements": ["spoon"]}}, "there is no side 'spoon'"),
        ({"hook": {"requirements": "water"}}, "cards.hook.needs"),
        ({"hook": {"type": "front"}}, "cards.hook.type: 'front'; expected 'back'"),
        ({"hook": {"front": {"backId": "pig"}}}, "cards.hook.front.backId: 'pig'; expected 'hook'"),
        ({"storm": {"requirements": ["pig"]}}, "storm turns by the rules"),
        ([{"id": "spoon", "type": "back"}], "cards.0.id: there is no card 'spoon'"),
        ([{"backId": [], "type": "front"}], "cards.0.backId: there is no card []"),
        ([BACKS[0], BACKS[0]], "cards.1: vines is there twice"),
        ([5], "cards.0: expected an object with a card"),
    ],
)
def test_what_is_wrong_in_the_names_of_the_seed_is_told(cards: Any, told: str) -> None:
    error = refused({"cards": cards})
    assert told in error.text.en and error.text.ru != error.text.en


# The schema

SCHEMA = schema_in(Config, "en")
ANNOTATIONS = {"title", "description", "default", "$defs"}
JUDGES: dict[str, Any] = {
    "$ref": lambda v, d, n: fits(SCHEMA["$defs"][v.rpartition("/")[2]], d),
    "type": lambda v, d, n: is_type(v, d),
    "enum": lambda v, d, n: d in v,
    "anyOf": lambda v, d, n: any(fits(each, d) for each in v),
    "minimum": lambda v, d, n: not is_type("integer", d) or d >= v,
    "maximum": lambda v, d, n: not is_type("integer", d) or d <= v,
    "minItems": lambda v, d, n: not isinstance(d, list) or len(d) >= v,
    "maxItems": lambda v, d, n: not isinstance(d, list) or len(d) <= v,
    "items": lambda v, d, n: not isinstance(d, list) or all(fits(v, each) for each in d),
    "required": lambda v, d, n: not isinstance(d, dict) or set(v) <= set(d),
    "properties": lambda v, d, n: not isinstance(d, dict) or all(fits(v[key], d[key]) for key in d if key in v),
    "propertyNames": lambda v, d, n: not isinstance(d, dict) or all(fits(v, key) for key in d),
    "additionalProperties": lambda v, d, n: not isinstance(d, dict) or all(
        v and fits(v, d[key]) for key in d if key not in n.get("properties", {})
    ),
}  # fmt: skip


def is_type(name: str, data: Any) -> bool:
    kinds = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool, "null": type(None)}
    return isinstance(data, kinds[name]) and not (name == "integer" and isinstance(data, bool))


def fits(node: Any, data: Any) -> bool:
    """Whether data fit a schema, by the keywords that ours uses; a stand-in where `jsonschema` is not installed."""
    return all(JUDGES[key](value, data, node) for key, value in node.items() if key not in ANNOTATIONS)


def valid(data: Any) -> bool:
    """Whether data fit the schema, as our judge and, where it is installed, `jsonschema` find."""
    ours = fits(SCHEMA, data)
    if find_spec("jsonschema"):
        judge = import_module("jsonschema").Draft202012Validator
        judge.check_schema(SCHEMA)
        assert judge(SCHEMA).is_valid(data) == ours
    return ours


def test_the_schema_allows_the_default_and_parts_of_it() -> None:
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
    assert valid(Config().model_dump(mode="json"))
    assert valid({})
    assert valid({"cards": {"vines": {"front": {"lives": 3}}}})
    assert valid(needs({"kind": "ship_waiting"}))


def test_the_schema_refuses_mistakes_that_a_schema_can_see() -> None:
    """Only what depends on the card, on two numbers or on the kind of a condition is left to the checker."""
    late = ("takes no side", "one card only", "is only for", "by the rules", "asks for a side", ".lives: expected")
    for data, told, _ in MISTAKES:
        unseen = any(words in told for words in late) and data != needs(name="map-c")
        assert valid(data) == unseen, told


def test_every_number_is_described() -> None:
    for part in (SCHEMA, *SCHEMA["$defs"].values()):
        for name, field in part["properties"].items():
            assert "$ref" in field or field["description"].endswith("."), name


# The record


def test_the_record_of_the_default_is_the_table_of_the_page() -> None:
    numbers = packed()
    choosable = 0
    for place, (name, lives, corner, conditions, _, front_lives, score) in enumerate(ROWS):
        assert numbers["back_lives"][place] == int(lives), name
        assert numbers["corner"][place] == (NO_CORNER if corner == "-" else CORNERS.index(corner)), name
        assert numbers["front_lives"][place] == int(front_lives), name
        assert numbers["points"][place] == int(score), name
        up, stands_on = 0, 0
        for condition in conditions.split("+"):
            kind, _, side = condition.partition(":")
            if kind == "up":
                up |= 1 << SIDE_IDS.index(side)
            elif kind == "stand":
                stands_on |= 1 << SIDE_IDS.index(side)
            else:
                up |= {"ship_waiting": SHIP_WAITING, "maps_cross": MAPS_CROSS}.get(kind, NEVER)
        if name == "map-r":
            up |= 1 << SIDE_IDS.index("map-c")  # the maps turn together
        assert (numbers["needs"][place], numbers["stands_on"][place]) == (up, stands_on), name
        choosable |= 0 if up & NEVER else 1 << place
    assert numbers["choosable"] == choosable
    others = ("lives", "moves", "compass_moves", "tornado_at", "cards_per_point", "lose_on_empty_deck")
    assert [int(numbers[name]) for name in others] == [16, 1, 2, 13, 4, 0]


CHANGES = {
    "lives=20": "lives",
    "moves=2": "moves",
    "compass_moves=3": "compass_moves",
    "tornado_at=12": "tornado_at",
    "cards_per_point=5": "cards_per_point",
    "lose_on_empty_deck=true": "lose_on_empty_deck",
    "cards.pig.lives=-4": "back_lives",
    "cards.pig.corner=NE": "corner",
    "cards.hook.corner=null": "corner",
    "cards.pig.front.lives=4": "front_lives",
    "cards.storm.front.lives=-5": "front_lives",
    "cards.pig.front.score=4": "points",
    "cards.pig.needs.0.side=torch": "needs",
    'cards.pig.needs.0={"kind":"maps_cross"}': "needs",
    "cards.rocks.needs.0.side=vines": "stands_on",
}


def different(change: str) -> set[str]:
    mine, default = packed(change), packed()
    return {name for name in Numbers.names or () if not np.array_equal(mine[name], default[name])}


@pytest.mark.parametrize("change", CHANGES)
def test_a_number_reaches_its_field_of_the_record(change: str) -> None:
    assert different(change) - {"lacking", "elsewhere"} == {CHANGES[change]}


def test_every_field_of_the_record_can_be_changed_but_what_follows_from_the_rules() -> None:
    assert set(CHANGES.values()) == set(Numbers.names or ()) - {"choosable", "lacking", "elsewhere"}


TWO_NEEDS = 'cards.pig.needs=[{"kind":"up","side":"spear"},{"kind":"maps_cross"},{"kind":"stand","side":"vines"}]'


@pytest.mark.parametrize("changes", [(), (TWO_NEEDS,)])
def test_cards_that_lack_something_are_those_whose_needs_are_not_met(changes: tuple[str, ...]) -> None:
    numbers, dice = packed(*changes), np.random.default_rng(1)
    for holds in dice.integers(0, NEVER, 300).tolist():
        lacking = 0
        for eight in range(EIGHTS):
            lacking |= int(numbers["lacking"][eight, holds >> 8 * eight & 255])
        assert lacking == sum(1 << card for card in range(CARDS) if int(numbers["needs"][card]) & ~holds)
    for side in range(SIDES):
        elsewhere = [card for card in range(CARDS) if int(numbers["stands_on"][card]) & ~(1 << side)]
        assert numbers["elsewhere"][side] == sum(1 << card for card in elsewhere)


@pytest.mark.parametrize("place", range(len(CARD_IDS)))
def test_each_card_has_its_own_place(place: int) -> None:
    numbers, default = packed(f"cards.{CARD_IDS[place]}.front.score=19"), packed()
    assert np.flatnonzero(numbers["points"] != default["points"]).tolist() == [place]
    assert numbers["points"][place] == 19
