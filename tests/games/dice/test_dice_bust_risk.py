"""The risk shown is the risk there is: what the throw after a save comes to, with shields, locks and content."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from dice_position import Data, Position, active, match, modifier, passive, position
from dice_scenes import options

from playmill.games.dice import words
from playmill.games.dice.actions import CONTINUE
from playmill.games.dice.config import Config
from playmill.games.dice.view import view
from playmill.games.dice.words.bust_risk import risk_after
from playmill.texts import Text

SHIELD = ["bust_shield"]
NOTHING: Data = {"not": {"scores": True}}


def chance(roll: str, dice: str, config: Config | None = None, **where: Any) -> float | None:
    """The chance to bust after a save."""
    game = position(roll, config, **where)
    return risk_after(game.config, _state(game), sum(1 << "abcdef".index(letter) for letter in dice)).chance


def _state(game: Position) -> np.void:
    state: np.void = game.source[0]
    return state


@pytest.mark.parametrize(
    ("roll", "dice", "plain"),
    [
        ("1....2", "a", 2 / 3),
        ("1...22", "a", 4 / 9),
        ("1..223", "a", 5 / 18),
        ("1.2234", "a", 17 / 108),
        ("122346", "a", 25 / 324),
        ("111222", "abcdef", 5 / 162),
    ],
)
def test_a_shield_has_the_same_dice_thrown_again_so_both_throws_have_to_fail(
    roll: str, dice: str, plain: float
) -> None:
    assert chance(roll, dice) == pytest.approx(plain)
    assert chance(roll, dice, flags=SHIELD) == pytest.approx(plain**2)


def test_a_shield_that_this_very_save_raises_or_takes_counts() -> None:
    up = match(mine=[passive("up", "on_save", {"set_flag": "bust_shield"})])
    down = match(mine=[passive("down", "on_save", {"clear_flag": "bust_shield"})])
    assert chance("1...22", "a", up) == pytest.approx(16 / 81)
    assert chance("1...22", "a", down, flags=SHIELD) == pytest.approx(4 / 9)


def test_locked_dice_that_score_leave_no_risk_and_others_help_to_three_of_a_kind() -> None:
    assert chance("112234", "a", locked="b") == 0
    # A locked 2 beside two dice: neither may be 1 or 5, and not both 2: 16 - 1 of 36.
    assert chance("1..234", "a", locked="d") == pytest.approx(15 / 36)
    assert chance("1.2234", "a", locked="cd") == pytest.approx(9 / 36), "no 1, 5 or 2"


def test_changed_weights_count() -> None:
    load = passive("load", "on_save", {"set_weights": {"dice": "all", "weights": [1, 1, 0, 0, 0, 0]}})
    assert chance("1...22", "a", match(mine=[load])) == pytest.approx(1 / 4)
    assert chance("1..222", "a", match(mine=[load])) == 0, "three twos score"
    late = passive("late", "on_roll", {"set_weights": {"dice": "lowest", "weights": [1, 0, 0, 0, 0, 0]}})
    assert chance("1...22", "a", match(mine=[late])) == pytest.approx(4 / 9)
    assert chance("1...22", "a", match(mine=[late]), flags=SHIELD) == 0, "the throw behind the shield has a one"


def _brute(config: Config, flags: list[str]) -> float:
    """Of all throws of the two dice left after a 1 is saved, and all that may follow, the share that busts."""
    faces = ["".join(pair) for pair in product("123456", repeat=2)]
    bust = 0.0
    for first in faces:
        ends = [
            position("1...22", config, then=[f"....{first}", f"....{second}"], flags=flags).do("save a").s.turns > 1
            for second in faces
        ]
        bust += sum(ends) / len(ends)
    return bust / len(faces)


@pytest.mark.parametrize("flags", [[], SHIELD], ids=["bare", "shielded"])
@pytest.mark.parametrize(
    "content",
    [
        [modifier("points", "on_roll", {"add": 5})],
        [passive("turn", "on_roll", {"set_face": {"dice": "showing", "face": 2, "to": 5}})],
        [passive("angel", "on_roll", {"set_flag": "bust_shield"}, {"all": [NOTHING, {"roll_number": {"exactly": 2}}]})],
        [passive("thief", "on_roll", {"clear_flag": "bust_shield"}, {"of_a_kind": 2})],
        [passive("wax", "on_roll", {"lock": {"dice": "showing", "face": 3}})],
    ],
    ids=["points", "turn", "angel", "thief", "wax"],
)
def test_the_risk_with_content_is_that_of_all_throws_gone_through(content: list[Data], flags: list[str]) -> None:
    config = match(mine=content)
    assert chance("1...22", "a", config, flags=flags) == pytest.approx(_brute(config, flags))


def test_nothing_is_told_where_it_would_take_too_long() -> None:
    angel = passive("angel", "on_roll", {"set_flag": "bust_shield"}, NOTHING)
    assert chance("1...22", "a", match(mine=[angel])) is None, "a shield for every throw"


def test_the_list_the_page_and_the_story_say_the_same() -> None:
    """With three dice left a throw busts 28 times of 100; with a shield up 8 times."""
    config = match(mine=[active("shield", {"set_flag": "bust_shield"})])
    for flags, told in (
        ([], Text("bust 28 %", "провал 28 %")),
        (SHIELD, Text("bust 8 % (shield)", "провал 8 % (щит)")),
    ):
        game = position("1..223", config, flags=flags, then=["...123"])
        s = _state(game).copy()
        listed = words.brings(config, s, options(config, s))[CONTINUE + 1]
        assert listed == Text(f"1: +100 · throw 3 · {told.en}", f"1: +100 · бросить 3 · {told.ru}")
        assert told.en in view(config, s, 0, options(config, s), "en")
        game.do("save a")
        told_of = words.events(config, s, _state(game), CONTINUE + 1)
        assert told_of[1] == Text(f"throw 3 · {told.en}", f"бросить 3 · {told.ru}")
