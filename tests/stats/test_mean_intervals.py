"""Intervals of means, against known answers and by how often they hold the truth."""

from __future__ import annotations

from collections.abc import Callable
from math import isnan, sqrt

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.special import gammaincinv
from scipy.stats import binomtest, t

from playmill.report.model.histogram import Histogram
from playmill.stats.critical_values import AtAnyTime
from playmill.stats.mean_intervals import Moments, gamma_point, mean_interval

Draw = Callable[[np.random.Generator, int], np.ndarray]


@given(st.floats(0.5, 120), st.sampled_from((0.025, 0.05, 0.975)))
def test_points_of_gamma_distributions(shape: float, share: float) -> None:
    assert gamma_point(shape, share) == pytest.approx(gammaincinv(shape, share), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("hits", [1, 3, 10])
def test_of_yes_and_no_it_is_nearly_the_exact_interval(hits: int) -> None:
    n = 5000
    share = hits / n
    found = Moments(share, share * (1 - share) / n, share * (1 - share) * (1 - 2 * share) / n**2, n)
    low, high = mean_interval(found, n - 1, least=0.0, most=1.0)
    exact = binomtest(hits, n).proportion_ci()
    assert low == pytest.approx(exact.low, rel=0.05)
    assert high >= exact.high * 0.99


def test_of_many_ordinary_numbers_it_is_students() -> None:
    numbers = np.random.default_rng(1).normal(100, 15, 100_000).round().astype(int)
    found = Histogram(np.bincount(numbers, minlength=300)).mean
    half = t.ppf(0.975, len(numbers) - 1) * numbers.std(ddof=1) / sqrt(len(numbers))
    assert found.value - found.low == pytest.approx(half, rel=0.01)
    assert found.high - found.value == pytest.approx(half, rel=0.01)


def rare(chance: float, *worths: int) -> Draw:
    return lambda rng, n: np.where(rng.random(n) < chance, rng.choice(worths, n), 0)


DRAWS: dict[str, tuple[Draw, float]] = {
    "rare points": (rare(0.03, 1, 2, 3), 0.06),
    "rarer points": (rare(0.005, 3, 8), 0.0275),
    "nearly always 31": (lambda rng, n: 31 + (rng.random(n) < 0.03) - 2 * (rng.random(n) < 0.03), 30.97),
    "lopsided": (lambda rng, n: rng.geometric(0.1, n), 10.0),
    "ordinary": (lambda rng, n: rng.integers(5, 16, n), 10.0),
}


@pytest.mark.parametrize("n", [20, 60, 200])
@pytest.mark.parametrize("case", DRAWS)
def test_the_truth_is_held_as_often_as_promised(case: str, n: int) -> None:
    draw, truth = DRAWS[case]
    rng = np.random.default_rng(n)
    missed = 0
    for _ in range(300):
        found = Histogram(np.bincount(draw(rng, n), minlength=400)).mean
        # What is the same in all games claims nothing, and so cannot miss.
        missed += found.known and not found.low <= truth <= found.high
        assert not found.known or found.low < found.high
    assert missed <= 0.08 * 300


@given(st.floats(-5, 5), st.floats(0, 9), st.floats(-20, 20), st.integers(2, 10**6))
@example(2.613015, 9.0, 0.0, 2)
def test_an_interval_holds_its_value_and_stays_within_its_bounds(
    value: float, variance: float, third: float, n: int
) -> None:
    low, high = mean_interval(Moments(value, variance, third, n), n - 1, least=-6.0, most=6.0)
    assert -6 <= low <= value <= high <= 6


def test_who_may_stop_at_any_look_hears_nothing_before_rare_things_were_seen_often() -> None:
    few, many = (Moments(hits / 1000, hits / 1000**2, hits / 1000**3, 1000) for hits in (4, 60))
    assert isnan(mean_interval(few, 63, AtAnyTime(1000), least=0.0)[0])
    assert not isnan(mean_interval(many, 63, AtAnyTime(1000), least=0.0)[0])
