"""Shares of variance and figures of samples against outcomes whose answer is known."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan
from typing import Any

import numpy as np
import pytest
from scipy.stats import bootstrap

from playmill.stats.from_observations import average, figure, mean_of, quantile, share_of, surely
from playmill.stats.variance_components import causes

Games = tuple[np.ndarray, np.ndarray]


def tables(outcome: Callable[..., Any], agents: int = 2, count: int = 4000, seed: int = 1) -> Games:
    """Games of `outcome(first agent, second agent, choice, chance)`: what the first of two seats gets, of 1."""
    rng = np.random.default_rng(seed)
    seated = rng.integers(0, agents, (count, 2))
    chosen, fallen = rng.standard_normal((count, 2, 1)), rng.standard_normal((count, 2, 2))
    first = outcome(seated[:, 0, None, None], seated[:, 1, None, None], chosen, fallen) + np.zeros((count, 2, 2))
    return np.stack([first, 1 - first], axis=-1), seated


def meets(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Rock, paper and scissors, played by three who always choose the same."""
    return np.choose((one - other) % 3, [0.5, 1.0, 0.0])


@pytest.mark.parametrize(
    ("outcome", "agents", "known"),
    [
        (lambda a, b, w, r: r > 0, 2, (0, 0, 0, 1)),
        (lambda a, b, w, r: (r > 0) ^ (w > 0), 2, (0, 0, 0, 1)),  # only together: other chance would change it
        (lambda a, b, w, r: w > 0, 2, (0, 0, 1, 0)),
        (lambda a, b, w, r: w + r > 0, 1, (None, 0, 1 / 3, 2 / 3)),
        (lambda a, b, w, r: (1 + np.sign(a - b)) / 2, 2, (1, 0, 0, 0)),
        (lambda a, b, w, r: (1 + np.sign(a - b)) / 2, 4, (1, 0, 0, 0)),
        (lambda a, b, w, r: meets(a, b), 3, (1, 0, 0, 0)),
        (lambda a, b, w, r: 1.0 + 0 * r, 2, (0, 1, 0, 0)),
        (lambda a, b, w, r: 0.5 + 0 * r, 2, (None, None, None, None)),
    ],
    ids=["coin", "guess", "hidden", "both", "skill", "ladder", "circle", "first wins", "always drawn"],
)
def test_what_decides_is_what_the_outcome_was_made_of(
    outcome: Callable[..., Any], agents: int, known: tuple[float | None, ...]
) -> None:
    found = causes(*tables(outcome, agents))
    for share, true in zip((found.players, found.seat, found.choices, found.chance), known, strict=True):
        if true is None:
            assert isnan(share.value) and isnan(share.low) and isnan(share.high)
        else:
            assert share.value == pytest.approx(true, abs=0.05)
            assert share.low < share.high and share.high - share.low < 0.15


def test_better_play_adds_up_and_a_circle_does_not() -> None:
    ladder, circle = (
        causes(*tables(outcome, agents))
        for outcome, agents in (
            (lambda a, b, w, r: (1 + np.sign(a - b)) / 2, 4),
            (lambda a, b, w, r: meets(a, b), 3),
        )
    )
    assert ladder.added.low < 5 / 6 < ladder.added.high  # of four of whom each beats those below
    assert circle.added.high < 0.02


def test_better_play_is_no_more_than_who_plays() -> None:
    for seed in range(6):
        found = causes(*tables(lambda a, b, w, r: a - b + 2 * r > 0, 2, 300, seed))
        assert found.added.low <= found.added.value <= found.players.value


@pytest.mark.parametrize(
    ("outcome", "part", "true"),
    [
        (lambda a, b, w, r: r > 0, "players", 0),
        pytest.param(lambda a, b, w, r: r > 0, "choices", 0, marks=pytest.mark.long),
        pytest.param(lambda a, b, w, r: r > 0, "chance", 1, marks=pytest.mark.long),
        (lambda a, b, w, r: w + r > 0, "choices", 1 / 3),
    ],
)
def test_intervals_of_shares_hold_the_truth_as_often_as_they_say(
    outcome: Callable[..., Any], part: str, true: float
) -> None:
    hits = 0
    for seed in range(100):
        found = getattr(causes(*tables(outcome, 2, 60, seed)), part)
        hits += found.low <= true <= found.high
    assert hits >= 90


def test_of_few_tables_nothing_is_said_of_the_error() -> None:
    found = causes(*tables(lambda a, b, w, r: r > 0, 2, 6))
    assert found.chance.value > 0 and isnan(found.chance.low) and found.chance.n == 6


def test_a_figure_of_a_sample_has_the_interval_that_the_bootstrap_gives_it() -> None:
    sample = np.random.default_rng(5).exponential(2.0, 400)
    found = figure(sample, lambda rows: float(np.std(rows)))
    drawn = bootstrap((sample,), np.std, n_resamples=2000, random_state=1, method="BCa").confidence_interval
    assert found.value == pytest.approx(float(np.std(sample)))
    assert (found.high - found.low) == pytest.approx(drawn.high - drawn.low, rel=0.25)


def test_an_average_of_shares_never_leaves_the_whole_and_none_has_no_error() -> None:
    assert average(np.zeros(30), most=1.0).low == 0 < average(np.zeros(30), most=1.0).high < 0.2
    assert average([0.5, 0.5, 0.75]).value == pytest.approx(7 / 12)


def test_what_nothing_is_known_of_is_undefined() -> None:
    for found in (average([]), average([], most=1.0), figure([], np.mean), share_of([0], [0]), mean_of([0], [0])):
        assert found.n == 0 and isnan(found.value) and isnan(found.low) and isnan(found.high)
    # One observation, or many that are alike without any bound, have a value and no interval.
    for found in (average([3.0]), average([3.0] * 50), figure([3.0], np.mean), figure([3.0] * 50, np.mean)):
        assert found.value == 3 and isnan(found.low) and isnan(found.high)
    bounded = figure([0.0] * 50, np.mean, reach=1.0)
    assert -0.1 < bounded.low < 0 < bounded.high < 0.1


def test_a_share_of_things_that_come_together_knows_it() -> None:
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(200):  # what happens at once in all six of a game happens to one in ten of them
        games = rng.random(40) < 0.1
        found = share_of(6.0 * games, np.full(40, 6.0))
        hits += found.low <= 0.1 <= found.high
    assert hits >= 180
    assert 0 == share_of([0.0] * 30, [2.0] * 30).value < share_of([0.0] * 30, [2.0] * 30).high < 0.2


@pytest.mark.parametrize(("share", "n"), [(0.0, 40), (0.02, 60), (0.1, 40), (0.5, 30)])
def test_an_average_of_what_seldom_happens_holds_the_truth(share: float, n: int) -> None:
    luck = np.random.default_rng(7)
    hits = 0
    for _ in range(200):
        found = average(-(luck.random(n) < share).astype(float), reach=1.0)
        hits += found.low <= -share <= found.high
    assert hits >= 184


def test_what_surely_is_not_nothing_is_told_though_many_were_looked_at() -> None:
    luck = np.random.default_rng(8)
    some = [average(luck.normal(1.0, 1, 50)), average([0.1, -0.1, 0.2]), average([])]
    assert surely(some) == [True, False, False]
    alarms = sum(any(surely([average(luck.standard_normal(30)) for _ in range(10)])) for _ in range(100))
    assert alarms <= 12


def test_quantiles_lie_between_the_observations_that_hold_them() -> None:
    hits = 0
    for seed in range(200):
        found = quantile(np.random.default_rng(seed).standard_normal(60), 0.9)
        hits += found.low <= 1.2815515655446004 <= found.high
    assert hits >= 185


def test_a_quantile_that_may_lie_beyond_all_observations_has_no_interval() -> None:
    for n, share in ((1, 0.5), (1, 0.05), (40, 0.05), (40, 0.95)):
        found = quantile(np.arange(n), share)
        assert found.n == n and not found.known, (n, share)
    assert quantile(np.arange(80), 0.05).known and quantile(np.arange(80), 0.95).known
