"""Of which dice a condition or an effect asks: turns worked out by hand for each scope at each event.

`of` is one of thrown, saved, table; without it the event says which.
"""

from __future__ import annotations

import pytest
from dice_position import Data, Position, active, match, modifier, passive, position

SCOPES = ("thrown", "saved", "table")
LOCK = active("wax", {"lock": {"dice": "chosen", "count": 6}})
AGAIN = active("again", {"reroll": {"dice": "chosen", "count": 6}})


def with_scope(what: Data, of: str | None) -> Data:
    """A condition with its scope, or without."""
    return {**what, "of": of} if of else what


# On a roll


def rolled(what: Data, of: str | None) -> bool:
    """Of 1 5 3 3 2 4 the last two are thrown again and fall on 3 and 5; the others lie still."""
    config = match(mine=[AGAIN, modifier("it", "on_roll", {"add": 7}, with_scope(what, of))])
    return position("153324", config, then=["....35"]).do("use again", "choose ef").points == 7


@pytest.mark.parametrize(
    ("what", "holds"),
    [
        #                                                     thrown 3 5, saved none, table 1 5 3 3 3 5
        ({"count": {"face": 5, "exactly": 1}}, {"thrown": True, "saved": False, "table": False}),
        ({"count": {"face": 5, "exactly": 2}}, {"thrown": False, "saved": False, "table": True}),
        ({"count": {"face": 1, "exactly": 0}}, {"thrown": True, "saved": True, "table": False}),
        ({"of_a_kind": 3}, {"thrown": False, "saved": False, "table": True}),
        ({"sum": {"exactly": 8}}, {"thrown": True, "saved": False, "table": False}),
        ({"sum": {"exactly": 20}}, {"thrown": False, "saved": False, "table": True}),
    ],
)
def test_on_roll_each_scope_looks_at_its_dice(what: Data, holds: dict[str, bool]) -> None:
    assert {of: rolled(what, of) for of in SCOPES} == holds
    assert rolled(what, None) == holds["thrown"], "the dice just thrown, if nothing else is said"


def test_on_roll_a_straight_that_a_partial_reroll_completes_lies_on_the_table_but_was_not_thrown() -> None:
    """Of 1 2 3 4 4 1 the fifth die is thrown again and falls on 5."""

    def points(of: str | None) -> int:
        config = match(mine=[AGAIN, modifier("it", "on_roll", {"add": 7}, with_scope({"straight": "1-5"}, of))])
        return position("123441", config, then=["....5."]).do("use again", "choose e").points

    assert [points(of) for of in (None, *SCOPES)] == [0, 0, 0, 7]


def test_on_roll_dice_that_lay_there_or_were_locked_do_not_pay_again() -> None:
    """The seed's “+25 for every five thrown”: two fives of the first roll, locked; then one more falls."""
    groats = modifier("groats", "on_roll", {"add_per_die": {"face": 5, "points": 25}})
    game = position("155234", match(mine=[LOCK, groats]), then=["...523"]).do("use wax", "choose bc", "save a")
    assert (game.roll, game.points, game.fired("groats")) == (".55523", 125, (1, 25))
    table = modifier("groats", "on_roll", {"add_per_die": {"face": 5, "points": 25, "of": "table"}})
    game = position("155234", match(mine=[LOCK, table]), then=["...523"]).do("use wax", "choose bc", "save a")
    assert (game.points, game.fired("groats")) == (175, (1, 75)), "all three, for whoever wants it so"


def test_on_roll_behind_a_shield_the_dice_thrown_again_are_those_just_thrown() -> None:
    """A 4 lies locked; the last die falls on 2, which the shield cancels, then on 4 (a bust, which ends the turn)."""
    sum_of = modifier("it", "on_roll", {"add": 7}, {"sum": {"exactly": 4}})
    config = match(mine=[LOCK, sum_of])
    game = position("1..4.5", config, then=[".....2", ".....4", "111111"], flags=["bust_shield"])
    game.do("use wax", "choose d", "save a")
    assert (game.roll, game.points, game.fired("it")) == ("111111", 0, (1, 7)), "2, then 4 alone; and then it is a bust"


# On a save and on a pass: 2 and 6 lay there, 6 6 6 5 were thrown


def saved(what: Data, of: str | None, trigger: str) -> bool:
    """Of 2 6 6 6 6 5 the dice c to f were thrown; b, c, d, e are saved: four sixes, 1200."""
    game = position("266665", match(mine=[passive("it", trigger, {"add": 7}, with_scope(what, of))]), thrown="cdef")
    total: int = game.do("pass bcde").totals[0]
    return total == 1207


@pytest.mark.parametrize(
    ("what", "holds"),
    [
        #                                                     thrown 6 6 6 5, saved 6 6 6 6, table 2 5
        ({"count": {"face": 6, "exactly": 3}}, {"thrown": True, "saved": False, "table": False}),
        ({"count": {"face": 6, "exactly": 4}}, {"thrown": False, "saved": True, "table": False}),
        ({"count": {"face": 6, "exactly": 0}}, {"thrown": False, "saved": False, "table": True}),
        ({"of_a_kind": 3}, {"thrown": True, "saved": True, "table": False}),
        ({"of_a_kind": 4}, {"thrown": False, "saved": True, "table": False}),
        ({"sum": {"exactly": 23}}, {"thrown": True, "saved": False, "table": False}),
        ({"sum": {"exactly": 24}}, {"thrown": False, "saved": True, "table": False}),
        ({"sum": {"exactly": 7}}, {"thrown": False, "saved": False, "table": True}),
    ],
)
@pytest.mark.parametrize("trigger", ["on_save", "on_pass"])
def test_on_save_and_on_pass_each_scope_looks_at_its_dice(trigger: str, what: Data, holds: dict[str, bool]) -> None:
    assert {of: saved(what, of, trigger) for of in SCOPES} == holds
    assert saved(what, None, trigger) == holds["saved"], "the dice just saved, if nothing else is said"


@pytest.mark.parametrize("trigger", ["on_save", "on_pass"])
@pytest.mark.parametrize(
    ("roll", "dice", "of", "expected"),
    [
        ("123456", "abcdef", None, 1500 + 200),
        ("123455", "abcde", None, 500 + 200),
        ("123456", "ae", None, 150),
        ("123456", "ae", "thrown", 150 + 200),
        ("123456", "ae", "table", 150),
        ("112345", "a", "table", 100 + 200),
    ],
)
def test_a_straight_saved_pays_on_the_save(trigger: str, roll: str, dice: str, of: str | None, expected: int) -> None:
    """“On save, a straight: +200”: it pays where a straight is saved, and only there."""
    config = match(mine=[passive("road", trigger, {"add": 200}, with_scope({"straight": "any"}, of))])
    assert position(roll, config).do(f"pass {dice}").totals[0] == expected


def test_on_pass_saved_is_the_last_save_of_the_turn() -> None:
    """1 1 are saved first, then a 5: the pass knows of the 5 alone."""
    ones = modifier("ones", "on_pass", {"add": 7}, {"count": {"face": 1, "at_least": 1}})
    fives = modifier("fives", "on_pass", {"add": 70}, {"count": {"face": 5, "exactly": 1}})
    game = position("112346", match(mine=[ones, fives]), then=["..5346"]).do("save ab", "pass c")
    assert game.totals[0] == 250 + 70


@pytest.mark.parametrize(
    ("of", "expected"),
    [(None, 4), ("saved", 4), ("thrown", 3), ("table", 0)],
    ids=["usual", "saved", "thrown", "table"],
)
@pytest.mark.parametrize("trigger", ["on_save", "on_pass"])
def test_add_per_die_counts_the_dice_of_its_scope(trigger: str, of: str | None, expected: int) -> None:
    per = {"face": 6, "points": 10, **({"of": of} if of else {})}
    game = position("266665", match(mine=[passive("it", trigger, {"add_per_die": per})]), thrown="cdef")
    assert game.do("pass bcde").totals[0] == 1200 + 10 * expected


def test_with_two_triggers_each_event_has_its_own_usual_dice() -> None:
    """1 5 are thrown and the 1 is saved: on the roll both count, on the save the 1 alone."""
    item = passive("it", "on_roll on_save", {"add": 7}, {"sum": {"at_most": 5}})
    game = position("112346", match(mine=[item]), then=["..1211", "1.....", "111111"])
    game.do("save ab")
    assert (game.points, game.fired("it")) == (207 + 7, (2, 14)), "the save 1 1, and the roll 1 2 1 1"


# While an item is used


@pytest.mark.parametrize(
    ("of", "usable"), [(None, True), ("table", True), ("thrown", False), ("saved", False)], ids=str
)
def test_an_active_item_looks_at_the_table_if_nothing_else_is_said(of: str | None, usable: bool) -> None:
    """Of 1 5 5 2 3 4 only the last three were thrown; on the table there are two fives."""
    what = with_scope({"count": {"face": 5, "exactly": 2}}, of)
    game: Position = position("155234", match(mine=[active("it", {"add": 1}, what)]), thrown="def")
    assert (game.usable() == ["it"]) == usable
