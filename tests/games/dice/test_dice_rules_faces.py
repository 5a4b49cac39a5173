"""Dice that items turn: to a face, by one, over, to a face that the player chooses; after a roll and after a save."""

from __future__ import annotations

from typing import Any

import pytest
from dice_position import Data, Position, active, match, modifier, passive, position


def turn(to: int | str, dice: str = "all", **more: Any) -> Data:
    """An effect that turns dice."""
    return {"set_face": {"dice": dice, "to": to, **more}}


def used(effect: Any, roll: str, **where: Any) -> Position:
    """An active item used at once."""
    return position(roll, match(mine=[active("it", effect)]), **where).do("use it")


@pytest.mark.parametrize(
    ("to", "roll", "then"),
    [
        ("+1", "123456", "234566"),
        ("-1", "123456", "112345"),
        ("flip", "123456", "654321"),
        (5, "123456", "555555"),
        ("+1", "1.....", None),
    ],
)
def test_set_face_relative(to: int | str, roll: str, then: str | None) -> None:
    """A six has nothing above it and a one nothing below; what would leave nothing that scores is not offered."""
    game = position(roll, match(mine=[active("it", turn(to))]))
    assert game.usable() == (["it"] if then else [])
    assert not then or game.do("use it").roll == then


def test_set_face_relative_of_chosen_dice_that_stay_as_they_are_is_no_choice() -> None:
    game = position("126666", match(mine=[active("it", turn("+1", "chosen", count=2))])).do("use it")
    assert "choose c" not in game.legal() and "choose b" in game.legal()
    assert "choose a" in game.legal(), "four sixes score beside it"
    assert game.do("choose bc").roll == "136666"


def test_set_face_turns_only_the_dice_meant() -> None:
    assert used(turn("flip", "showing", face=2), "122346").roll == "155346"
    assert used(turn("-1", "highest", count=2), "122346").roll == "122335"
    assert used(turn("+1"), "152346", locked="ac").roll == "162456"


def test_a_face_is_chosen_after_the_dice() -> None:
    game = position("122346", match(mine=[active("it", turn("chosen", "chosen", count=2))])).do("use it")
    assert game.legal() == [f"choose {dice}" for dice in _pairs("abcdef")]
    game.do("choose bc")
    assert game.legal() == ["face 1", "face 3", "face 4", "face 5", "face 6"], "twos they are already"
    assert game.do("face 5").roll == "155346"
    assert (game.usable(), game.s.choosing, game.s.facing, game.s.chosen) == ([], 0, 0, 0)
    assert game.fired("it") == (1, 0)


def _pairs(dice: str) -> list[str]:
    found = [*dice, *(a + b for place, a in enumerate(dice) for b in dice[place + 1 :])]
    return sorted(found, key=lambda one: sum(1 << "abcdef".index(letter) for letter in one))


def test_a_face_is_chosen_for_dice_that_the_item_names() -> None:
    game = position("122346", match(mine=[active("it", turn("chosen", "lowest"))])).do("use it")
    assert game.legal() == ["face 2", "face 5"], "any other face would leave nothing that scores"
    assert game.do("face 5").roll == "522346"
    sixes = position("126634", match(mine=[active("it", turn("chosen", "showing", face=2))])).do("use it")
    assert sixes.legal() == ["face 1", "face 3", "face 4", "face 5", "face 6"]


def test_the_chosen_face_serves_all_effects_of_the_item() -> None:
    both = [turn("chosen", "chosen"), {"lock": {"dice": "chosen"}}, {"add": -10}]
    game = position("122346", match(mine=[active("it", both)])).do("use it", "choose b", "face 1")
    assert (game.roll, game.locked, game.points) == ("112346", "b", -10)


def test_agents_choose_dice_and_a_face() -> None:
    game = position("112266", match(mine=[active("it", turn("chosen", "chosen"))]))
    assert game.advice("threshold") == "use it"
    assert game.do("use it").advice("greedy") == "choose c"
    assert game.do("choose c").advice("greedy") == "face 1", "three ones"


# After a save


def test_on_save_a_die_that_is_left_is_turned_and_locked() -> None:
    """Of 1 2 2 3 4 6 the one is saved; the lowest that is left becomes a five and stays."""
    keep = [turn(5, "lowest"), {"lock": {"dice": "showing", "face": 5}}]
    game = position("122346", match(mine=[passive("it", "on_save", keep)]), then=["..2346"]).do("save a")
    assert (game.roll, game.locked, game.sets()) == (".52346", "b", ["b", "bcdef"])
    assert [throw.dice for throw in game.throws()] == ["cdef"]


def test_on_save_a_turned_die_that_is_not_locked_is_thrown_like_the_others() -> None:
    game = position("122346", match(mine=[passive("it", "on_save", turn(5, "lowest"))]), then=[".12346"]).do("save a")
    assert (game.roll, game.fired("it")) == (".12346", (1, 0))


def test_on_save_turning_is_seen_by_what_looks_at_the_table_on_the_pass() -> None:
    five = modifier("five", "on_pass", {"add": 7}, {"count": {"face": 5, "exactly": 1}, "of": "table"})
    config = match(mine=[passive("it", "on_save", turn(5, "lowest")), five])
    assert position("122346", config).do("pass a").totals == [107, 0]


def test_on_save_not_all_dice_that_are_left_can_be_locked() -> None:
    """One at least is left to throw: locking both twos does nothing, locking one of three dice does."""
    every = match(mine=[passive("it", "on_save", {"lock": {"dice": "all"}})])
    game = position("1...22", every, then=["....15"]).do("save a")
    assert (game.roll, game.locked, game.fired("it")) == ("....15", "", (0, 0))
    low = match(mine=[passive("it", "on_save", {"lock": {"dice": "lowest"}})])
    game = position("1..223", low, then=["....12"]).do("save a")
    assert (game.roll, game.locked) == ("...212", "d")


def test_on_save_with_no_dice_left_nothing_is_turned_or_locked() -> None:
    both = [turn(5), {"lock": {"dice": "all"}}]
    game = position("111222", match(mine=[passive("it", "on_save", both)]), then=["122346"]).do("save abcdef")
    assert (game.roll, game.locked, game.fired("it")) == ("122346", "", (0, 0))
