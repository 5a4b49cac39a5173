"""Histograms against NumPy, `statistics` and the sorted list itself."""

from __future__ import annotations

import statistics
from collections import Counter
from fractions import Fraction
from math import ceil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from playmill.report.model.histogram import Histogram
from playmill.stats.estimates import Measured

samples = st.lists(st.integers(-30, 90), min_size=2, max_size=80)


def histogram(numbers: list[int]) -> Histogram:
    """The histogram of a list, with an offset as low as its smallest number."""
    seen = Counter(numbers)
    return Histogram([seen[value] for value in range(min(numbers), max(numbers) + 1)], min(numbers))


@given(samples)
def test_figures_are_those_of_the_list(numbers: list[int]) -> None:
    counted = histogram(numbers)
    assert counted.n == len(numbers)
    assert counted.mean.value == pytest.approx(statistics.mean(numbers), abs=1e-12)
    assert counted.mean.n == len(numbers)
    assert counted.std == pytest.approx(statistics.stdev(numbers), abs=1e-9)
    assert counted.median == statistics.median(numbers)
    assert (counted.min, counted.max) == (min(numbers), max(numbers))


@given(samples, st.integers(0, 100))
def test_quantile_is_the_nearest_rank(numbers: list[int], percent: int) -> None:
    rank = max(1, ceil(Fraction(percent, 100) * len(numbers)))
    assert histogram(numbers).quantile(percent / 100) == sorted(numbers)[rank - 1]


def test_quantile_takes_a_decimal_for_what_it_says() -> None:
    # 0.07 * 100 is 7.000000000000001 in floats.
    assert Histogram([1] * 100, offset=1).quantile(0.07) == 7


def test_quantiles_agree_with_numpy() -> None:
    numbers = np.random.default_rng(1).poisson(17, 999)
    counted = Histogram(np.bincount(numbers))
    for p in (0.0, 0.1, 0.25, 0.5, 0.9, 1.0):
        assert counted.quantile(p) == np.quantile(numbers, p, method="inverted_cdf")
    assert counted.std == pytest.approx(np.std(numbers, ddof=1))


def test_median_of_an_even_number_lies_between_the_middles() -> None:
    assert Histogram([0, 1, 0, 0, 1]).median == 2.5


def test_of_nothing_observed_nothing_is_known() -> None:
    empty = Histogram([0, 0, 0], offset=5)
    assert empty.json().pop("n") == empty.n == 0
    assert {value for key, value in empty.json().items() if key != "n"} == {None}


def test_one_observation_has_no_spread() -> None:
    assert Histogram([0, 0, 1]).json() == {
        "mean": 2.0,
        "low": None,
        "high": None,
        "n": 1,
        "median": 2.0,
        "std": 0.0,
        "p10": 2,
        "p90": 2,
        "min": 2,
        "max": 2,
        "intervals": {"median": None, "p10": None, "p90": None},
    }


@pytest.mark.parametrize("together", [1, 3])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_the_interval_of_a_quantile_holds_it_as_often_as_promised(p: float, together: int) -> None:
    rng = np.random.default_rng(7)
    truth = np.quantile(np.arange(100), p, method="inverted_cdf")
    held = []
    for _ in range(300):
        numbers = np.repeat(rng.integers(0, 100, 120), together)
        found = Histogram(np.bincount(numbers, minlength=100), together=together).interval(p)
        assert found is not None
        held.append(found[0] <= truth <= found[1])
    assert np.mean(held) >= 0.92


def test_a_quantile_beyond_what_few_observations_can_tell_has_no_interval() -> None:
    few = Histogram([1] * 20).json()["intervals"]
    assert few["p10"] is None and few["p90"] is None
    assert few["median"] is not None


def test_large_counts_stay_exact() -> None:
    counts = np.zeros(3, np.int64)
    counts[:] = 2**62
    huge = Histogram(counts, offset=10**6)
    assert huge.n == 3 * 2**62
    assert huge.mean.value == 1_000_001.0
    assert huge.std == pytest.approx((2 / 3) ** 0.5)


def test_saved_figures_are_plain_numbers() -> None:
    saved = Histogram(np.array([1, 5, 2], np.int64)).json()
    assert {type(value) for key, value in saved.items() if key != "intervals"} <= {int, float, Measured}
