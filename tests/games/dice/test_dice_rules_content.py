"""Content at work: who has a say when, and what conditions ask."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from dice_naive import NaiveMatch, selections
from dice_position import (
    LETTERS,
    Data,
    Position,
    active,
    bits,
    match,
    modifier,
    packed_roll,
    passive,
    position,
    ways_of,
)
from dice_random_content import condition
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from common.effort import share
from playmill.engine.lang.rule import interpreted
from playmill.games.dice.constants import ON_SAVE
from playmill.games.dice.content.consistency import MOST_CONDITIONS, condition_nodes
from playmill.games.dice.rules import effects
from playmill.games.dice.rules.throws import lay

_lay = interpreted(lay)
_listen = interpreted(effects.listen)


def at(points: int) -> Data:
    """The condition of having so many points in this turn."""
    return {"turn_points": {"exactly": points}}


# The order of events


def test_on_roll_global_modifiers_then_own_then_global_items_then_own() -> None:
    """Each fires only at the points that the one before it leaves."""
    config = match(
        table=[
            passive("third", "on_roll", {"add": 4}, at(103)),
            modifier("first", "on_roll", {"add": 1}, at(100)),
        ],
        mine=[
            passive("fourth", "on_roll", {"add": 8}, at(107)),
            modifier("second", "on_roll", {"add": 2}, at(101)),
        ],
        theirs=[modifier("other", "on_roll", {"add": 1000}), passive("others", "on_roll", {"add": 1000})],
    )
    assert position("152346", config, then=[".52346"]).do("save a").points == 115


def test_on_save_global_items_then_own_after_doubling() -> None:
    config = match(
        table=[passive("first", "on_save", {"add": 1}, at(200))],
        mine=[passive("second", "on_save", {"add": 2}, at(201))],
        theirs=[passive("other", "on_save", {"add": 1000})],
    )
    assert position("1.....", config, flags=["double_next_save"]).do("pass a").totals == [203, 0]


def test_on_pass_modifiers_then_items_each_global_then_own() -> None:
    """Modifiers come before the table's item sets the flag, the player's own item after that."""
    shielded = {"flag": "bust_shield"}
    config = match(
        table=[
            passive("third", "on_pass", {"set_flag": "bust_shield"}),
            modifier("first", "on_pass", {"add": 1}, {"not": shielded}),
        ],
        mine=[
            passive("fourth", "on_pass", {"add": 4}, shielded),
            modifier("second", "on_pass", {"add": 2}, {"not": shielded}),
        ],
        theirs=[modifier("other", "on_pass", {"add": 1000}), passive("others", "on_pass", {"add": 1000})],
    )
    assert position("1.....", config).do("pass a").totals == [107, 0]


@pytest.mark.parametrize("owner", ["table", "mine"])
@pytest.mark.parametrize("make", [modifier, passive])
def test_each_list_has_its_say_in_its_order(owner: str, make: Any) -> None:
    listed = [make("a", "on_roll", {"add": 1}, at(100)), make("b", "on_roll", {"add": 2}, at(101))]
    assert position("152346", match(**{owner: listed}), then=[".52346"]).do("save a").points == 103
    assert position("152346", match(**{owner: listed[::-1]}), then=[".52346"]).do("save a").points == 101


def test_content_of_the_table_works_for_both_players_and_a_players_own_for_nobody_else() -> None:
    config = match(
        table=[modifier("all", "on_pass", {"add": 1})],
        mine=[modifier("mine", "on_pass", {"add": 10})],
        theirs=[passive("theirs", "on_pass", {"add": 20})],
    )
    assert position("1.....", config, then=["122346"]).do("pass a", "pass a").totals == [111, 121]


def test_on_save_comes_before_on_pass() -> None:
    config = match(mine=[passive("both", "on_pass on_save", {"percent": 10})])
    game = position("1.....", config).do("pass a")
    assert game.totals == [110 + 11, 0], "10 % of 100 on the save, 10 % of 110 on the pass"
    assert game.fired("both") == (2, 21)


def test_on_save_effects_come_before_the_next_throw() -> None:
    config = match(mine=[passive("save", "on_save", {"add": 7}), modifier("roll", "on_roll", {"percent": 100})])
    assert position("152346", config, then=[".52346"]).do("save a").points == 214


def test_pass_delta_starts_anew_with_every_pass() -> None:
    config = match(table=[modifier("tip", "on_pass", {"add": 50})])
    game = position("1.....", config, then=["122346", "122346"]).do("pass a", "pass a", "pass a")
    assert game.totals == [300, 150]


def test_an_item_with_two_triggers_listens_to_these_only() -> None:
    config = match(mine=[passive("ledger", "on_roll on_pass", {"add": 10})])
    game = position("152346", config, then=[".52346"]).do("save a")
    assert game.points == 110
    assert game.do("pass b").totals == [170, 0]


def test_effects_of_one_piece_are_done_in_turn() -> None:
    first = match(mine=[modifier("m", "on_roll", [{"add": 100}, {"percent": 50}])])
    assert position("152346", first, then=[".52346"]).do("save a").points == 300
    second = match(mine=[modifier("m", "on_roll", [{"percent": 50}, {"add": 100}])])
    assert position("152346", second, then=[".52346"]).do("save a").points == 250


def test_a_condition_is_asked_once_before_the_effects() -> None:
    config = match(mine=[modifier("m", "on_roll", [{"add": 1}, {"add": 1}], at(100))])
    assert position("152346", config, then=[".52346"]).do("save a").points == 102


# Conditions, each at its border


def asked(what: Data, roll: str = "122346", **where: Any) -> bool:
    """Whether a condition holds in a position."""
    return position(roll, match(mine=[active("it", {"add": 1}, what)]), **where).usable() == ["it"]


@pytest.mark.parametrize(
    ("compared", "expected"),
    [
        ("at_least", [True, True, True, False, False]),
        ("at_most", [False, False, True, True, True]),
        ("exactly", [False, False, True, False, False]),
    ],
)
def test_comparisons(compared: str, expected: list[bool]) -> None:
    found = [asked({"turn_points": {compared: n}}, points=300) for n in (200, 299, 300, 301, 400)]
    assert found == expected


@pytest.mark.parametrize(
    ("what", "roll", "expected"),
    [
        ({"count": {"face": 2, "at_least": 2}}, "122346", True),
        ({"count": {"face": 2, "at_least": 3}}, "122346", False),
        ({"count": {"face": 2, "at_most": 2}}, "122346", True),
        ({"count": {"face": 2, "at_most": 1}}, "122346", False),
        ({"count": {"face": 5, "exactly": 0}}, "122346", True),
        ({"count": {"face": 6, "exactly": 1}}, "122346", True),
        ({"count": {"face": 1, "at_least": 2}}, "1.....", False),
        ({"of_a_kind": 2}, "122346", True),
        ({"of_a_kind": 3}, "122346", False),
        ({"of_a_kind": 3}, "666612", True),
        ({"of_a_kind": 4}, "666612", True),
        ({"of_a_kind": 5}, "666612", False),
        ({"of_a_kind": 6}, "444444", True),
        ({"straight": "any"}, "123451", True),
        ({"straight": "any"}, "223456", True),
        ({"straight": "any"}, "123465", True),
        ({"straight": "any"}, "123466", False),
        ({"straight": "any"}, "134562", True),
        ({"straight": "any"}, "133456", False),
        ({"straight": "1-5"}, "123455", True),
        ({"straight": "1-5"}, "223456", False),
        ({"straight": "2-6"}, "223456", True),
        ({"straight": "2-6"}, "123455", False),
        ({"straight": "1-6"}, "123455", False),
        ({"straight": "1-6"}, "223456", False),
        ({"straight": "1-6"}, "645231", True),
        ({"straight": "1-5"}, "645231", True),
        ({"straight": "2-6"}, ".56432", True),
        ({"sum": {"exactly": 18}}, "122346", True),
        ({"sum": {"at_least": 19}}, "122346", False),
        ({"sum": {"exactly": 7}}, "1....6", True),
    ],
)
def test_conditions_of_the_roll_ask_for_all_dice_on_the_table(what: Data, roll: str, expected: bool) -> None:
    assert asked(what, roll) == expected


@pytest.mark.parametrize(
    ("what", "where", "expected"),
    [
        ({"dice_rolled": {"exactly": 6}}, {}, True),
        ({"dice_rolled": {"at_most": 2}}, {"thrown": "ab"}, True),
        ({"dice_rolled": {"at_most": 2}}, {"thrown": "abc"}, False),
        ({"first_roll": True}, {"rolls": 1}, True),
        ({"first_roll": True}, {"rolls": 2}, False),
        ({"roll_number": {"at_least": 3}}, {"rolls": 2}, False),
        ({"roll_number": {"at_least": 3}}, {"rolls": 3}, True),
        ({"hot_dice": True}, {"hot": True}, True),
        ({"hot_dice": True}, {"hot": False}, False),
        ({"turn_points": {"at_most": -50}}, {"points": -50}, True),
        ({"turn_points": {"at_most": -50}}, {"points": -49}, False),
        ({"own_total": {"at_least": 3000}}, {"totals": [3000, 0]}, True),
        ({"own_total": {"at_least": 3000}}, {"totals": [2999, 3500]}, False),
        ({"behind_by": 500}, {"totals": [1000, 1500]}, True),
        ({"behind_by": 500}, {"totals": [1001, 1500]}, False),
        ({"behind_by": 500}, {"totals": [1500, 1000]}, False),
        ({"ahead_by": 500}, {"totals": [1500, 1000]}, True),
        ({"ahead_by": 500}, {"totals": [1499, 1000]}, False),
        ({"ahead_by": 500}, {"totals": [1000, 1500]}, False),
        ({"behind_by": 1}, {"totals": [700, 700]}, False),
        ({"ahead_by": 1}, {"totals": [700, 700]}, False),
        ({"flag": "bust_shield"}, {"flags": ["bust_shield"]}, True),
        ({"flag": "bust_shield"}, {"flags": ["double_next_save"]}, False),
        ({"flag": "bust_shield"}, {"flags": {1: ["bust_shield"]}}, False),
        ({"flag": "double_next_save"}, {"flags": ["double_next_save"]}, True),
    ],
)
def test_conditions_of_the_match(what: Data, where: Data, expected: bool) -> None:
    assert asked(what, **where) == expected


def test_totals_are_seen_from_the_player_who_is_asked() -> None:
    config = match(table=[active("it", {"add": 1}, {"ahead_by": 500})])
    assert position("122346", config, player=1, totals=[0, 500]).usable() == ["it"]
    assert position("122346", config, player=0, totals=[0, 500]).usable() == []
    richer = match(table=[active("it", {"add": 1}, {"own_total": {"at_least": 500}})])
    assert position("122346", richer, player=1, totals=[0, 500]).usable() == ["it"]


@pytest.mark.parametrize(
    ("what", "dice", "expected"),
    [
        ({"selection_size": {"exactly": 2}}, "ab", True),
        ({"selection_size": {"exactly": 2}}, "a", False),
        ({"selection_size": {"at_least": 3}}, "abc", True),
        ({"selection_contains": {"face": 5}}, "ab", True),
        ({"selection_contains": {"face": 5}}, "a", False),
        ({"selection_contains": {"face": 1, "exactly": 2}}, "abc", True),
        ({"selection_contains": {"face": 1, "exactly": 2}}, "ab", False),
        ({"selection_contains": {"face": 1, "at_most": 1}}, "b", True),
        ({"selection_points": {"at_least": 150}}, "ab", True),
        ({"selection_points": {"at_least": 151}}, "ab", False),
        ({"selection_points": {"exactly": 50}}, "b", True),
    ],
)
@pytest.mark.parametrize("trigger", ["on_save", "on_pass"])
def test_conditions_of_the_selection(trigger: str, what: Data, dice: str, expected: bool) -> None:
    """The dice are 1, 5, 1 on a, b, c; what was saved before does not count."""
    config = match(mine=[passive("it", trigger, {"add": 7}, what)])
    points = selections("151...")[dice]
    assert position("151...", config).do(f"pass {dice}").totals[0] == points + 7 * expected


def test_selection_points_count_the_doubling() -> None:
    config = match(mine=[passive("it", "on_save", {"add": 7}, {"selection_points": {"at_least": 200}})])
    assert position("1.....", config).do("pass a").totals[0] == 100
    assert position("1.....", config, flags=["double_next_save"]).do("pass a").totals[0] == 207


def test_turn_points_on_save_and_on_pass_include_the_save() -> None:
    config = match(mine=[passive("it", "on_save on_pass", {"add": 1}, {"turn_points": {"at_least": 400}})])
    assert position("1.....", config, points=299).do("pass a").totals[0] == 399
    assert position("1.....", config, points=300).do("pass a").totals[0] == 402


def test_dice_rolled_counts_the_dice_thrown() -> None:
    two = active("two", {"reroll": {"dice": "lowest", "count": 2}})
    config = match(
        mine=[
            two,
            modifier("few", "on_roll", {"add": 1}, {"dice_rolled": {"exactly": 2}}),
            modifier("many", "on_roll", {"add": 10}, {"dice_rolled": {"exactly": 6}}),
        ]
    )
    assert position("125536", config, then=["35...."]).do("use two").points == 1


def test_hot_dice_are_known_to_the_roll_they_lead_to() -> None:
    config = match(mine=[modifier("heat", "on_roll", {"add": 7}, {"hot_dice": True})])
    game = position("111222", config, then=["152346", ".52346"]).do("save abcdef")
    assert game.points == 1207
    assert game.do("save a").points == 1307


def test_first_roll_and_roll_number_start_anew_with_the_turn() -> None:
    config = match(
        table=[
            modifier("one", "on_roll", {"add": 1}, {"first_roll": True}),
            modifier("two", "on_roll", {"add": 10}, {"roll_number": {"exactly": 2}}),
            modifier("three", "on_roll", {"add": 100}, {"roll_number": {"exactly": 3}}),
        ]
    )
    game = position("111222", config, then=["111222", "111222", "122346"], rolls=1)
    assert game.do("save abcdef").points == 1210
    assert game.do("save abcdef").points == 2510
    assert game.do("pass abcdef").points == 1


# Conditions inside each other


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ({"all": [{"first_roll": True}, {"of_a_kind": 2}]}, True),
        ({"all": [{"first_roll": True}, {"of_a_kind": 3}]}, False),
        ({"all": [{"of_a_kind": 3}, {"first_roll": True}]}, False),
        ({"any": [{"of_a_kind": 3}, {"first_roll": True}]}, True),
        ({"any": [{"of_a_kind": 3}, {"hot_dice": True}]}, False),
        ({"not": {"of_a_kind": 3}}, True),
        ({"not": {"first_roll": True}}, False),
        ({"not": {"not": {"first_roll": True}}}, True),
        ({"not": {"all": [{"first_roll": True}, {"of_a_kind": 3}]}}, True),
        ({"not": {"any": [{"first_roll": True}, {"of_a_kind": 3}]}}, False),
        ({"all": [{"any": [{"hot_dice": True}, {"of_a_kind": 2}]}, {"not": {"of_a_kind": 3}}]}, True),
        ({"any": [{"all": [{"first_roll": True}, {"hot_dice": True}]}, {"all": [{"of_a_kind": 2}]}]}, True),
    ],
)
def test_all_any_and_not(what: Data, expected: bool) -> None:
    assert asked(what) == expected


def any_position(random: Random, game: Position, model: NaiveMatch) -> None:
    """Puts the match and the model of it into the same position after a save."""
    s = game.s
    roll = "".join(random.choice("123456.") for _ in LETTERS)
    while not selections(roll):
        roll = "".join(random.choice("11123456") for _ in LETTERS)
    table = [letter for letter, face in zip(LETTERS, roll, strict=True) if face != "."]
    s.table = bits("".join(table))
    model.selection = random.choice(list(selections(roll)))
    model.saved_faces = "".join(roll[LETTERS.index(letter)] for letter in model.selection)
    model.roll = "".join("." if letter in model.selection else roll[place] for place, letter in enumerate(LETTERS))
    model.thrown = "".join(sorted(random.sample(table, random.randint(1, len(table)))))
    model.save_points = selections(roll)[model.selection] * random.choice([1, 2])
    model.player, model.rolls, model.hot = random.choice([0, 1]), random.randint(1, 4), random.random() < 0.5
    model.points = random.randrange(-250, 850, 50)
    model.totals = [random.randrange(0, 1250, 50) for _ in range(2)]
    model.flags = [{flag: None for flag in game.flag_names if random.random() < 0.5} for _ in range(2)]
    _lay(s, *ways_of(roll))
    s.roll, s.saved, s.thrown = packed_roll(model.roll), bits(model.selection), bits(model.thrown)
    s.kept, s.table = packed_roll(roll), bits("".join(table)) & ~s.saved
    s.base, s.points = model.save_points, model.points
    s.player, s.rolls, s.hot = model.player, model.rolls, int(model.hot)
    for seat in range(2):
        s.total[seat] = model.totals[seat]
        s.flags[seat] = sum(1 << place for place, flag in enumerate(game.flag_names) if flag in model.flags[seat])


@settings(max_examples=share(120), deadline=None, derandomize=True, database=None)
@given(st.randoms(use_true_random=False))
def test_nested_conditions_hold_as_a_plain_reading_says(random: Random) -> None:
    what = condition(random, saved=True, depth=5)
    assume(sum(1 for _ in condition_nodes(what, "")) <= MOST_CONDITIONS)
    config = match(table=[passive("it", "on_save", {"add": 1}, what)])
    game, model = position("1.....", config), NaiveMatch(config)
    elsewhere = Random(random.getrandbits(32))
    for _ in range(20):
        any_position(elsewhere, game, model)
        before = game.fired("it")[0]
        _listen(game.cfg, game.s, ON_SAVE)
        assert game.fired("it")[0] - before == model.holds(what, "on_save"), (what, vars(model))
