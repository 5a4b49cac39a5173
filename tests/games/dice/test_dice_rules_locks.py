"""Locked dice: they keep their faces, lie still and may be saved."""

from __future__ import annotations

from typing import Any

import pytest
from dice_position import Data, active, match, modifier, passive, position

#: Six dice that score nothing.
BUST = "223346"
LOCK = active("wax", {"lock": {"dice": "chosen", "count": 6}})


def test_lock_a_locked_die_keeps_its_face_and_is_not_thrown_again_in_this_turn() -> None:
    game = position("152346", match(mine=[LOCK]), then=["..3333", "...444", ".66666"])
    game.do("use wax", "choose b", "save a")
    assert (game.throws()[-1], game.locked) == ((0, "cdef", ".53333"), "b")
    game.do("save cde")
    assert (game.throws()[-1], game.roll, game.player) == ((0, "f", ".5...4"), ".5...4", 0)


def test_lock_a_locked_die_stays_on_the_table_and_may_still_be_saved() -> None:
    game = position("152346", match(mine=[LOCK]), then=["..3346"]).do("use wax", "choose b", "save a")
    assert (game.player, game.roll, game.sets()) == (0, ".53346", ["b"]), "it saves the throw from busting"
    assert game.do("pass b").totals == [150, 0]


def test_lock_counts_for_the_table_and_selections_like_any_die_there() -> None:
    threes = modifier("threes", "on_roll", {"add": 7}, {"count": {"face": 3, "exactly": 3}, "of": "table"})
    game = position("153346", match(mine=[LOCK, threes]), then=["....32"]).do("use wax", "choose cd", "save ab")
    assert (game.roll, game.sets(), game.points) == ("..3332", ["cde"], 157)


def test_lock_ends_with_the_turn() -> None:
    game = position("152346", match(mine=[LOCK]), then=["152346", "263344", "162346"])
    game.do("use wax", "choose bcdef", "pass a")
    assert (game.player, game.locked, game.roll) == (1, "", "152346")
    assert [throw.dice for throw in game.do("pass a").throws()] == ["abcdef", "abcdef"]


def test_lock_ends_when_the_die_is_saved_so_hot_dice_are_six_dice_thrown() -> None:
    game = position("11....", match(mine=[LOCK]), then=["152346"]).do("use wax", "choose b", "save ab")
    assert (game.throws(), game.locked, bool(game.s.hot)) == ([(0, "abcdef", "152346")], "", True)


def test_lock_with_nothing_left_to_throw_one_can_only_pass() -> None:
    """The 5 and the 4 are locked: to go on, something else has to be left, or all six saved."""
    game = position("154...", match(mine=[LOCK])).do("use wax", "choose bc")
    assert game.legal() == ["save b", "pass a", "pass b", "pass ab"], "without a nothing is left that may be thrown"
    assert game.counted_ids() == game.legal_ids()
    game = position("15....", match(mine=[LOCK])).do("use wax", "choose ab")
    assert game.legal() == ["save ab", "pass a", "pass b", "pass ab"], "saving both is hot dice"


def test_lock_and_hot_dice_that_must_be_thrown() -> None:
    game = position("15....", match(mine=[LOCK], must_roll=True)).do("use wax", "choose ab")
    assert game.legal() == ["save ab", "pass a", "pass b"]
    assert game.counted_ids() == game.legal_ids()


def test_lock_a_shield_throws_only_the_dice_that_are_not_locked() -> None:
    twos = passive("glue", "on_roll", {"lock": {"dice": "showing", "face": 2}})
    config = match(mine=[twos])
    game = position("152346", config, then=[".22346", "...555"], flags=["bust_shield"]).do("save a")
    assert [throw.dice for throw in game.throws()] == ["bcdef", "def"]
    assert (game.roll, game.locked, game.flags(), game.player) == (".22555", "bc", [], 0)


def test_lock_a_shield_is_no_help_and_stays_where_all_dice_thrown_are_locked() -> None:
    glue = passive("glue", "on_roll", {"lock": {"dice": "all"}})
    game = position("152346", match(mine=[glue]), then=[".22346"], points=300, flags=["bust_shield"]).do("save a")
    assert (game.player, game.points, game.flags(0)) == (1, 0, ["bust_shield"])


@pytest.mark.parametrize(
    ("effect", "roll"),
    [
        ({"reroll": {"dice": "all"}}, "155555"),
        ({"reroll": {"dice": "lowest", "count": 2}}, "155346"),
        ({"reroll": {"dice": "showing", "face": 1}}, None),
        ({"set_face": {"dice": "lowest", "to": 6}}, "162346"),
        ({"lock": {"dice": "lowest"}}, "122346"),
        ({"set_weights": {"dice": "showing", "face": 1, "weights": [0, 1, 0, 0, 0, 0]}}, None),
    ],
)
def test_lock_puts_a_die_out_of_reach_of_effects(effect: Data, roll: str | None) -> None:
    """The one is locked; where it was the only die meant, the item is not offered."""
    game = position("122346", match(mine=[active("it", effect)]), then=["255555"], locked="a")
    assert game.usable() == (["it"] if roll else [])
    if roll:
        assert game.do("use it").roll == roll


def test_lock_of_chosen_dice_offers_those_that_are_not_locked() -> None:
    game = position("15.4..", match(mine=[LOCK]), locked="b").do("use wax")
    assert game.legal() == ["choose a", "choose d", "choose ad"]


def test_lock_and_reroll_in_one_item_throw_what_is_not_locked() -> None:
    effect = [{"reroll": {"dice": "all"}}, {"lock": {"dice": "lowest", "count": 2}}]
    game = position("122346", match(mine=[active("it", effect)]), then=["665555"]).do("use it")
    assert (game.throws(), game.locked) == ([(0, "cdef", "125555")], "ab")


def test_lock_by_a_passive_item_after_the_roll() -> None:
    config = match(mine=[passive("it", "on_roll", {"lock": {"dice": "showing", "face": 1}})])
    game = position("152346", config, then=[".12346", "..1111"]).do("save a")
    assert (game.locked, game.fired("it")) == ("b", (1, 0))
    assert position("152346", config, then=[".12346", "...666"], points=0).do("save a", "pass b").totals == [200, 0]


AGENTS: tuple[Any, ...] = ("threshold", "greedy")


@pytest.mark.parametrize("agent", AGENTS)
def test_agents_pass_where_locks_leave_nothing_to_throw(agent: str) -> None:
    assert position("154...", match(mine=[LOCK]), locked="bc", cooldowns={"wax": 1}).advice(agent, 10_000)[:4] == "pass"


def test_greedy_keeps_a_locked_die_that_scores_on_the_table_as_insurance() -> None:
    """Three dice besides: thrown alone they bust in 5 of 18 throws, beside a locked one never."""
    game = position("11234.", match(mine=[LOCK]), points=400, cooldowns={"wax": 1})
    assert game.advice("greedy").startswith("pass")
    assert position("11234.", game.config, points=400, locked="a", cooldowns={"wax": 1}).advice("greedy") == "save b"


def test_greedy_locks_a_die_before_a_risky_throw() -> None:
    game = position("11234.", match(mine=[active("wax", {"lock": {"dice": "chosen"}})]), points=400)
    assert game.advice("greedy") == "use wax"
    assert game.do("use wax").advice("greedy") in ("choose a", "choose b")
