"""How wide intervals are: of a run looked at once, and of one that may be stopped at any look."""

from __future__ import annotations

from math import exp, sqrt

import numpy as np
import pytest
from scipy import integrate, stats

from playmill.stats.critical_values import LEVEL, ONCE, AtAnyTime


def test_looked_at_once_it_is_students():
    assert ONCE.point(63) == pytest.approx(stats.t.ppf(0.975, 63))
    assert ONCE.chance(ONCE.point(63), 63) == pytest.approx(LEVEL)


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
