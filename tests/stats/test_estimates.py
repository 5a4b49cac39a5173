"""Estimates against SciPy and NumPy."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm

from playmill.stats.estimates import Z95, Estimate, Measured, mean, rate, wilson


def test_z95_is_the_two_sided_point() -> None:
    assert pytest.approx(norm.ppf(0.975), abs=1e-15) == Z95


@pytest.mark.parametrize(
    ("hits", "n"), [(0, 1), (1, 1), (0, 50), (50, 50), (1, 3), (17, 60), (333_333, 1_000_000), (1, 10**9)]
)
def test_rate_is_wilsons(hits: int, n: int) -> None:
    interval = binomtest(hits, n).proportion_ci(method="wilson")
    estimate = rate(hits, n)
    assert estimate.value == hits / n
    assert estimate.n == n
    assert estimate.low == pytest.approx(interval.low, rel=1e-9, abs=1e-15)
    assert estimate.high == pytest.approx(interval.high, rel=1e-9)


@given(st.integers(1, 10**12), st.data())
def test_a_rate_lies_within_its_interval(n: int, data: st.DataObject) -> None:
    estimate = rate(data.draw(st.integers(0, n)), n)
    assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


def test_the_rate_of_nothing_knows_nothing() -> None:
    assert rate(0, 0) == Estimate(0.0, 0.0, 1.0, 0)


def test_no_hits_start_at_0_and_all_hits_end_at_1_exactly() -> None:
    assert rate(0, 7).low == 0.0
    assert rate(7, 7).high == 1.0


def test_sums_from_numpy_do_not_overflow() -> None:
    numbers = [2**30, 2**30, 2**30 + 2]
    sums = (3, sum(numbers), sum(number**2 for number in numbers))
    estimate = mean(*(np.int64(number) for number in sums))
    assert estimate == mean(*sums)
    assert estimate.high - estimate.low == pytest.approx(2 * Z95 * (4 / 9) ** 0.5)
    assert type(estimate.value) is type(rate(np.int64(1), np.int64(2)).value) is float


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=60))
def test_mean_is_numpys(numbers: list[int]) -> None:
    estimate = mean(len(numbers), sum(numbers), sum(number**2 for number in numbers))
    error = np.std(numbers, ddof=1) / np.sqrt(len(numbers))
    assert estimate.value == pytest.approx(np.mean(numbers), abs=1e-12)
    assert estimate.high - estimate.value == pytest.approx(1.959963984540054 * error, abs=1e-9)
    assert estimate.value - estimate.low == pytest.approx(estimate.high - estimate.value, abs=1e-9)


def test_mean_of_none_and_of_one() -> None:
    assert mean(0, 0, 0) == Estimate(0.0, 0.0, 0.0, 0)
    assert mean(1, 7, 49) == Estimate(7.0, 7.0, 7.0, 1)


def test_mean_of_equal_numbers_has_no_width() -> None:
    assert mean(10, 70, 490) == Estimate(7.0, 7.0, 7.0, 10)


def test_an_estimate_is_saved_without_its_count() -> None:
    assert Estimate(0.5, 0.4, 0.6, 100).json() == {"value": 0.5, "low": 0.4, "high": 0.6}


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
