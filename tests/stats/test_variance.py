"""Shares of variance and figures of samples against outcomes whose answer is known."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.stats import bootstrap

from playmill.stats.samples import average, figure, quantile, surely
from playmill.stats.variance import shares


def squares(outcome: Callable[..., np.ndarray], count: int = 30_000, seed: int = 1) -> np.ndarray:
    """Games of `outcome(luck, choice)` on squares of two by two, both causes normal."""
    drawn = np.random.default_rng(seed).standard_normal((2, count, 2))
    first, second = np.broadcast_arrays(drawn[0][:, :, None], drawn[1][:, None, :])
    return outcome(first, second)[..., None]


@pytest.mark.parametrize(
    ("outcome", "known"),
    [
        (lambda a, b: a + 0 * b, (1.0, 0.0, 0.0)),
        (lambda a, b: b + 0 * a, (0.0, 1.0, 0.0)),
        (lambda a, b: a + b, (0.5, 0.5, 0.0)),
        (lambda a, b: a * b, (0.0, 0.0, 1.0)),
        (lambda a, b: 2 * a + b + a * b, (4 / 6, 1 / 6, 1 / 6)),
    ],
    ids=["luck alone", "choices alone", "half and half", "only together", "all three"],
)
def test_shares_of_variance_are_those_of_the_sum_they_were_made_of(
    outcome: object, known: tuple[float, float, float]
) -> None:
    found = shares(squares(outcome))
    for share, true in zip((found.first, found.second, found.together), known, strict=True):
        assert share.value == pytest.approx(true, abs=0.05)
        assert share.high - share.low < 0.1
    assert found.first.value + found.second.value + found.together.value == pytest.approx(1)


def test_intervals_of_shares_hold_the_truth_as_often_as_they_say() -> None:
    hits = 0
    for seed in range(100):
        found = shares(squares(lambda a, b: np.sign(a + b), 150, seed)).first
        hits += found.low <= 1 / 3 <= found.high  # of the sign of a sum of two alike: a third each
    assert hits >= 89


def test_a_figure_of_a_sample_has_the_interval_that_the_bootstrap_gives_it() -> None:
    sample = np.random.default_rng(5).exponential(2.0, 400)
    found = figure(sample, lambda rows: float(np.std(rows)))
    drawn = bootstrap((sample,), np.std, n_resamples=2000, random_state=1, method="BCa").confidence_interval
    assert found.value == pytest.approx(float(np.std(sample)))
    assert (found.high - found.low) == pytest.approx(drawn.high - drawn.low, rel=0.25)


def test_an_average_of_shares_never_leaves_the_whole_and_none_has_no_error() -> None:
    assert average(np.zeros(30), most=1.0).low == 0 < average(np.zeros(30), most=1.0).high < 0.2
    assert average([0.5, 0.5, 0.75]).value == pytest.approx(7 / 12)
    assert average([]).n == 0


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
