"""How wide intervals are: of a run looked at once, and of one that may be stopped at any look."""

from __future__ import annotations

from math import exp, inf, sqrt

import numpy as np
import pytest
from scipy import integrate, stats
from scipy.special import stdtr, stdtrit

from playmill.stats.critical_values import LEVEL, ONCE, AtAnyTime, t95, two_sided


def test_looked_at_once_it_is_students():
    assert ONCE.point(63) == pytest.approx(stats.t.ppf(0.975, 63))
    assert ONCE.chance(ONCE.point(63), 63) == pytest.approx(LEVEL)


def test_students_points_and_chances_are_those_of_scipy_in_every_digit_that_is_kept():
    for degrees in (*range(1, 80), 100, 200, 399, 400, 1000):
        assert t95(degrees) == round(float(stdtrit(degrees, 0.975)), 10)
    rng = np.random.default_rng(3)
    for degrees, t in zip(rng.integers(1, 64, 2000).tolist(), np.exp(rng.uniform(-6, 5, 2000)).tolist(), strict=True):
        assert two_sided(t, degrees) == pytest.approx(2 * float(stdtr(degrees, -t)), rel=6e-10)


@pytest.mark.parametrize("degrees", [1, 5, 63, 399])
def test_students_chances_at_the_ends(degrees):
    assert two_sided(0.0, degrees) == two_sided(1e-200, degrees) == 1
    assert two_sided(inf, degrees) == two_sided(1e200, degrees) == 0
    assert two_sided(-2.0, degrees) == two_sided(2.0, degrees)


@pytest.mark.parametrize("blocks", [64, 3000, 10**6])
@pytest.mark.parametrize("degrees", [5, 63])
def test_at_its_end_chance_is_the_level(blocks, degrees):
    errors = AtAnyTime(blocks)
    assert errors.chance(errors.point(degrees), degrees) == pytest.approx(LEVEL)
    assert errors.chance(0.0, degrees) == 1
    assert errors.chance(1e9, degrees) < 1e-6


def test_wealth_is_that_of_bets_spread_normally_over_means():
    """The mixture, worked out by numbers: every mean is bet on, as much as the normal curve says."""
    blocks, z = 500, 2.5
    spread = 8.8 / 3000
    won, _ = integrate.quad(
        lambda mean: stats.norm.pdf(mean, scale=sqrt(spread)) * exp(mean * z * sqrt(blocks) - blocks * mean**2 / 2),
        -2,
        2,
    )
    assert AtAnyTime(blocks).chance(z, 10**7) == pytest.approx(min(1, 1 / won), rel=1e-4)


def test_all_looks_together_miss_in_at_most_one_run_of_twenty():
    """An interval for one look, looked at as often, misses in about three of ten."""
    luck = np.random.default_rng(4)
    looks = np.unique(np.geomspace(64, 6000, 40).astype(int))
    sums = luck.standard_normal((400, 6000)).cumsum(axis=1)[:, looks - 1]
    z = np.abs(sums) / np.sqrt(looks)
    points = np.array([AtAnyTime(int(look)).point(10**7) for look in looks])
    assert (z > points).any(axis=1).mean() <= LEVEL
    assert (z > 1.96).any(axis=1).mean() > 0.2


def test_it_is_less_than_twice_as_wide_as_for_one_look():
    for blocks in (300, 3000, 300_000):
        assert 1.4 < AtAnyTime(blocks).point(10**7) / ONCE.point(10**7) < 2
