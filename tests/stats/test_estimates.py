"""Estimates against SciPy and NumPy."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from math import isnan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm, t

from playmill.stats.critical_values import Z95
from playmill.stats.estimates import Estimate, Measured, mean, rate, wilson


def test_z95_is_the_two_sided_point() -> None:
    assert pytest.approx(norm.ppf(0.975), abs=1e-15) == Z95


@pytest.mark.parametrize(("hits", "n"), [(0, 50), (50, 50), (17, 60), (333_333, 1_000_000), (10, 10**9)])
def test_rate_is_wilsons(hits: int, n: int) -> None:
    interval = binomtest(hits, n).proportion_ci(method="wilson")
    estimate = rate(hits, n)
    assert estimate.value == hits / n
    assert estimate.n == n
    assert estimate.low == pytest.approx(interval.low, rel=1e-9, abs=1e-15)
    assert estimate.high == pytest.approx(interval.high, rel=1e-9)


@pytest.mark.parametrize("n", [20, 200, 5000])
@pytest.mark.parametrize("expected", [0.02, 0.1, 0.17, 0.4, 0.55, 1.0, 3.0, 8.0])
def test_a_rate_of_rare_things_is_held_as_often_as_promised(n: int, expected: float) -> None:
    """Exactly, over all that can be counted; Wilson's interval alone holds it in 84 % at the worst."""
    chance = expected / n
    held = sum(
        binom.pmf(hits, n, chance)
        for hits in range(min(n, 60) + 1)
        if rate(hits, n).low <= chance <= rate(hits, n).high
    )
    assert held >= 0.92


@given(st.integers(1, 10**12), st.data())
def test_a_rate_lies_within_its_interval(n: int, data: st.DataObject) -> None:
    estimate = rate(data.draw(st.integers(0, n)), n)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def test_the_rate_of_nothing_knows_nothing() -> None:
    found = rate(0, 0)
    assert isnan(found.value) and not found.known and found.n == 0
    assert found.json() == {"value": None, "low": None, "high": None, "n": 0}


def test_no_hits_start_at_0_and_all_hits_end_at_1_exactly() -> None:
    assert rate(0, 7).low == 0.0
    assert rate(7, 7).high == 1.0


def test_sums_from_numpy_do_not_overflow() -> None:
    numbers = [2**30, 2**30, 2**30 + 2]
    sums = (3, sum(numbers), sum(number**2 for number in numbers))
    estimate = mean(*(np.int64(number) for number in sums))
    assert estimate == mean(*sums)
    assert estimate.low < estimate.value < estimate.high
    assert type(estimate.value) is type(rate(np.int64(1), np.int64(2)).value) is float


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=60))
def test_mean_is_numpys_and_its_interval_is_at_least_students(numbers: list[int]) -> None:
    estimate = mean(len(numbers), sum(numbers), sum(number**2 for number in numbers))
    error = np.std(numbers, ddof=1) / np.sqrt(len(numbers))
    assert estimate.value == pytest.approx(np.mean(numbers), abs=1e-12)
    if error == 0:
        assert not estimate.known
        return
    half = t.ppf(0.975, len(numbers) - 1) * error
    assert estimate.value - estimate.low >= half and estimate.high - estimate.value >= half


def test_the_mean_of_none_is_undefined_and_that_of_one_has_no_interval() -> None:
    assert mean(0, 0, 0).json() == {"value": None, "low": None, "high": None, "n": 0}
    assert mean(1, 7, 49).json() == {"value": 7.0, "low": None, "high": None, "n": 1}


def test_equal_numbers_have_an_interval_only_where_it_is_known_how_far_others_can_lie() -> None:
    assert not mean(10, 70, 490).known
    assert not mean(10, 70, 490, least=0, most=100).known  # it would be wider than a whole number
    found = mean(1000, 7000, 49_000, least=0, most=100)
    # The exact bound of something that was never seen in 1,000 games, times how far it can go.
    assert found.high == pytest.approx(7 + 93 * binomtest(0, 1000).proportion_ci().high, rel=0.01)
    assert found.low == pytest.approx(7 - 7 * binomtest(0, 1000).proportion_ci().high, rel=0.01)


@pytest.mark.parametrize("off", [-2, -1, 1, 3])
@pytest.mark.parametrize("n", [200, 1000])
def test_a_mean_of_numbers_nearly_all_the_same_is_held_wherever_the_rare_ones_lie(n: int, off: int) -> None:
    intervals = [
        mean(n, 2 * n + off * rare, 4 * (n - rare) + (2 + off) ** 2 * rare, least=0) for rare in range(1, n // 10)
    ]
    for expected in np.arange(1, 10, 0.05):
        truth = 2 + off * expected / n
        chances = binom.pmf(np.arange(1, n // 10), n, expected / n)
        held = [found.low <= truth <= found.high for found in intervals]
        assert np.dot(chances, held) / chances.sum() >= 0.93, expected


def test_an_estimate_is_saved_with_its_count() -> None:
    assert Estimate(0.5, 0.4, 0.6, 100).json() == {"value": 0.5, "low": 0.4, "high": 0.6, "n": 100}


def test_an_estimate_divided_stays_within_its_part() -> None:
    half = rate(3, 4).over(2)
    assert (half.value, half.low, half.high) == (0.375, rate(3, 4).low / 2, rate(3, 4).high / 2)
    assert (half.n, half.most) == (4, 0.5)
    assert mean(4, 8, 20).over(2).most is None


def test_a_saved_value_remembers_how_it_was_measured_and_is_a_plain_number_in_a_file() -> None:
    saved = {**rate(3, 4).json(), "games": 4}
    value = saved["value"]
    assert isinstance(value, Measured)
    assert (value.n, value.most) == (4, 1.0)
    assert json.dumps({"value": value}) == '{"value": 0.75}'
    for copy in (pickle.loads(pickle.dumps(value)), deepcopy(value)):
        assert (copy, copy.n, copy.most) == (0.75, 4, 1.0)


@given(st.floats(0, 1), st.floats(0.01, 1e9), st.floats(0.1, 20))
def test_wilson_holds_the_share_and_stays_within_0_and_1(share: float, n: float, z: float) -> None:
    low, high = wilson(share, n, z)
    assert 0 <= low <= share + 1e-12 and share - 1e-12 <= high <= 1
