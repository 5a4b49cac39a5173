"""Chances to win: play-outs of positions, their intervals, and moments that are more than noise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from common.found import FOLDERS, game_of
from playmill import Game, PlaymillError, State
from playmill.lab.audit.playouts import AS_IT_IS, PUBLIC, PlayOuts, chances_of, shares_of
from playmill.lab.replays.replay import Replay, record
from playmill.lab.replays.win_chances import POINTS, ChanceChange, WinChances, chances, follow, positions_of


@pytest.fixture(scope="module")
def replay(pig: Game) -> Replay:
    made = record(pig, players=2, config=pig.config(), seed=3, agents=["threshold"])
    return replace(made, folder=str(FOLDERS["pig"]))


def at(pig: Game, *totals: int, pot: int = 0, player: int = 0) -> np.void:
    """A position of Pig."""
    record = State(pig, interpreted=True).record.copy()
    record["total"], record["pot"], record["player"] = totals, pot, player
    return record


def test_a_chance_is_the_one_that_arithmetic_gives(pig):
    # Whoever throws anything but a 1 has won: 5/6 + 1/36 · 5/6 + … = 6/7 for the one to move.
    first, second = chances_of([at(pig, 98, 98), at(pig, 98, 98, player=1)], pig, playouts=20_000, lapse=0)
    for chance in (first[0], second[1]):
        assert abs(chance.value - 6 / 7) < 4 * (6 / 49 / 20_000) ** 0.5
        assert chance.low < chance.value < chance.high and chance.n == 20_000
    assert first[0].value + first[1].value == pytest.approx(1)


def test_a_game_that_is_over_has_no_chance_left_and_no_band(pig, replay):
    (end,) = chances_of(positions_of(replay)[-1:], pig, playouts=10)
    assert [(side.low, side.value, side.high) for side in end] == [(value,) * 3 for value in replay.returns]


def test_play_outs_are_the_same_interpreted_and_on_any_number_of_threads(pig, replay):
    positions = positions_of(replay)[:6]
    compiled, plain = (PlayOuts(pig, interpreted=how) for how in (False, True))
    assert np.array_equal(*(playing.shares(positions[:2], range(5, 20)) for playing in (compiled, plain)))
    assert chances_of(positions, pig, playouts=300, workers=1) == chances_of(positions, pig, playouts=300, workers=3)


def test_wins_are_shared_and_who_plays_alone_has_won_or_not():
    paid = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 0.0]])
    assert np.allclose(shares_of(paid), [[1, 0, 0], [0.5, 0.5, 0], [1 / 3] * 3])
    assert shares_of(np.array([[1.03], [0.9], [1.0]])).tolist() == [[1.0], [0.0], [1.0]]


def test_positions_that_nobody_can_tell_apart_have_the_same_chances_unless_all_lies_open():
    coin = game_of("coin")
    heads, tails = (State(coin, interpreted=True).record.copy() for _ in range(2))
    heads["coin"], tails["coin"] = 0, 1
    for known, alike in ((PUBLIC, True), (0, True), (AS_IT_IS, False)):
        playing = PlayOuts(coin, known=known, agent="random", interpreted=True)
        one, other = playing.shares([heads, tails], range(100))
        assert np.array_equal(one, other) == alike
    heads["looked"] = tails["looked"] = 1
    playing = PlayOuts(coin, config={"price": 0}, agent="random", interpreted=True)
    assert not np.array_equal(*playing.shares([heads, tails], range(100)))


def test_now_and_then_a_decision_is_made_at_random(pig):
    sure, human = (PlayOuts(pig, lapse=lapse, interpreted=True) for lapse in (0.0, 0.1))
    # With 96 points, 4 at stake and nothing to fear, who plays like clockwork holds and wins.
    assert sure.shares([at(pig, 96, 96, pot=4)], range(60)).mean(axis=1).tolist() == [[1.0, 0.0]]
    assert 0.8 < human.shares([at(pig, 96, 96, pot=4)], range(60)).mean(axis=1)[0, 0] < 1


def test_who_cannot_play_on_gets_a_sentence(pig):
    with pytest.raises(PlaymillError, match="compiled agent, not by 'search'"):
        PlayOuts(pig, agent="search")
    with pytest.raises(PlaymillError, match="no player 2"):
        PlayOuts(pig, known=2)


def test_the_course_of_a_recorded_game_ends_with_who_won(replay):
    found = chances(replay, playouts=200)
    assert found.done and found.agent == "threshold"
    assert [point.at for point in found.points][-1] == len(positions_of(replay)) - 1
    assert tuple(side.value for side in found.points[-1].sides) == replay.returns
    assert all(side.low <= side.value <= side.high for point in found.points for side in point.sides)
    assert found.json()["points"][0]["at"] == 0


def test_told_to_stop_it_ends_with_what_is_known(pig, replay):
    asked: list[int] = []
    playing = PlayOuts(pig)
    courses = follow(positions_of(replay), playing, playouts=100, stopped=lambda: len(asked))
    assert next(courses).points
    asked.append(1)
    assert list(courses) == []


class Urn:
    """In place of play-outs: wins drawn from an urn whose share of wins is known at every position."""

    players, agent = 2, "urn"

    def __init__(self, shares: list[float], seed: int) -> None:
        self._shares = shares
        self._seed = seed

    def shares(self, positions: Any, games: range) -> Any:
        """Wins of the first side, and of the other."""
        return np.stack([self._drawn(int(position["place"]), games) for position in positions])

    def _drawn(self, place: int, games: range) -> Any:
        draw = np.random.default_rng((self._seed, place, games.start)).random(len(games))
        wins = (draw < self._shares[place]).astype(float)
        return np.stack([wins, 1 - wins], axis=1)


def course(shares: list[float], seed: int, playouts: int = 120) -> WinChances:
    positions = np.zeros(len(shares), [("player", np.int8), ("place", np.int32)])
    positions["place"] = np.arange(len(shares))
    return list(follow(list(positions), Urn(shares, seed), playouts=playouts))[-1]


def test_where_nothing_changes_no_moment_is_named_but_in_one_game_of_twenty():
    named = sum(bool(course([0.5] * 30, seed).moments) for seed in range(40))
    assert named <= 6  # 2 are expected at most; more than 6 once in 250 such tests


def test_the_moment_that_changed_everything_is_found_in_a_long_game():
    shares = [0.5] * 411 + [0.8] * 500
    (moment,) = (one for one in course(shares, 1, 400).moments if abs(one.change.value) > 0.2)
    assert isinstance(moment, ChanceChange) and (moment.since, moment.to, moment.side) == (410, 411, 0)
    assert moment.change.low < 0.3 < moment.change.high
    assert len(course(shares, 1, 40).points) < POINTS + 60
