"""A plain match has a way of its own through the rules: it must lead where the long way leads, move by move."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from dice_position import FAIR, ONES, Position, deal, match, off, position

from common.found import game_of
from playmill.engine.match import Match
from playmill.engine.play import Cpu
from playmill.games.dice.config import Config
from playmill.games.dice.effects import LOG
from playmill.games.dice.rules import MAX_ROLLS


def all_but_told(game: Position) -> dict[str, bytes]:
    """The state; what the faces tell is known in plain matches only."""
    return {name: game.source[name].tobytes() for name in game.source.dtype.fields or () if name != "told"}


def assert_same(plain: Position, asked: Position) -> None:
    """The same position, luck, options and advice, whichever way the rules went."""
    assert plain.cfg.plain == 1 and asked.cfg.plain == 0
    assert all_but_told(plain) == all_but_told(asked)
    assert plain.streams() == asked.streams()
    assert plain.counted_ids() == asked.counted_ids() == plain.legal_ids()
    if plain.player >= 0:
        assert plain.advice("threshold") == asked.advice("threshold")


@pytest.mark.parametrize(
    ("config", "matches"),
    [
        (match(), 12),
        (match(must_roll=True), 12),
        (match(target=150), 25),
        (match(max_turns=3), 25),
        (match(target=1_000_000, max_turns=60), 2),
    ],
    ids=["usual", "must roll", "soon won", "soon drawn", "long"],
)
def test_a_plain_match_goes_as_if_everything_were_asked_for(config: Config, matches: int) -> None:
    choose = random.Random(3)
    for number in range(matches):
        plain, asked = deal(config, number=number), deal(config, number=number).the_long_way()
        assert_same(plain, asked)
        while plain.player >= 0:
            action = choose.choice(plain.legal_ids())
            plain.do_id(action)
            asked.do_id(action)
            assert_same(plain, asked)
        assert plain.outcome().tobytes() == asked.outcome().tobytes()


def in_both_ways(make: Callable[[], Position], *texts: str) -> Position:
    """A position after some actions, the same whichever way the rules went."""
    plain, asked = make(), make().the_long_way()
    for text in texts:
        plain.do(text)
        asked.do(text)
        assert all_but_told(plain) == all_but_told(asked), text
        assert plain.counted_ids() == asked.counted_ids() == plain.legal_ids()
    return plain


def test_hot_dice_are_thrown_in_a_plain_match() -> None:
    game = in_both_ways(lambda: position("123456", then=["123456", "222346"]), "save abcdef", "save abcdef")
    assert (game.player, game.points, game.roll, game.s.hot) == (0, 1500 + 1500, "222346", 1)


def test_a_log_full_of_busts_takes_no_more_in_a_plain_match() -> None:
    busts = ["223346"] * LOG
    game = in_both_ways(lambda: position("122346", then=busts), "pass a")
    assert game.s.noted == LOG and game.s.turns == LOG + 2


def test_the_last_turn_may_bust_in_a_plain_match() -> None:
    game = in_both_ways(lambda: position("122346", match(max_turns=2), then=["223346"]), "pass a")
    assert game.won == -1 and game.totals == [100, 0]


def test_after_too_many_throws_one_has_to_pass_in_a_plain_match() -> None:
    game = in_both_ways(lambda: position("122346", rolls=MAX_ROLLS - 1), "save a")
    assert all(option.startswith("pass") for option in game.legal())


@pytest.mark.parametrize(
    ("config", "plain", "free"),
    [
        (match(), 1, 1),
        (match(must_roll=True), 1, 0),
        (match(dice=([ONES] * 6, FAIR)), 0, 0),
        (match(dice=(FAIR, [*[FAIR] * 5, ONES])), 0, 0),
        (match(mine=["bust_shield"]), 0, 0),
        (match(mine=[off("bust_shield")]), 1, 1),
    ],
)
def test_a_match_is_plain_without_content_and_loaded_dice(config: Config, plain: int, free: int) -> None:
    packed = config.pack(2)
    assert (packed["plain"], packed["free"]) == ([plain], [free])


@pytest.mark.parametrize("agent", ["random", "threshold"])
def test_compiled_plain_matches_end_as_if_everything_were_asked_for(agent: str) -> None:
    game = game_of("dice")
    number = list(game.agents).index(agent)
    params = tuple(parameter.default for parameter in game.agents[agent].parameters.values())
    rows: list[Any] = []
    for plain in (1, 0):
        cpu = Cpu(Match(game, match(), 2, 7, (number,) * 2, (0, 1), (params,) * 2))
        assert cpu._desk["cfg"]["plain"] == [1]
        cpu._desk["cfg"]["plain"] = cpu._desk["cfg"]["free"] = plain
        rows.append(cpu.play(0, 3000).rows)
    assert np.array_equal(*rows)
