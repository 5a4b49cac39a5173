"""Lengths of vectors known with noise: exact cases, and intervals that hold where the length is near the noise."""

from __future__ import annotations

from math import inf, sqrt

import numpy as np
import pytest
import tunings

from playmill.stats.goal_loss import student
from playmill.stats.vector_length import length_interval


def deviations(errors: list[float], groups: int) -> np.ndarray:
    """Rows whose covariance is that of independent errors of these sizes."""
    axes = np.linalg.qr(np.random.default_rng(1).standard_normal((groups, len(errors))))[0]
    return axes * np.array(errors)


def test_far_from_the_noise_it_is_students_interval() -> None:
    low, high = length_interval([20.0], deviations([1.0], 64))
    assert (low, high) == pytest.approx((20 - student(0.975, 63), 20 + student(0.975, 63)), abs=0.05)


def test_of_few_groups_it_is_wider_and_of_one_it_says_nothing() -> None:
    widths = [np.diff(length_interval([5.0, 1.0], deviations([1.0, 1.0], groups)))[0] for groups in (4, 16, 64)]
    assert widths[0] > widths[1] > widths[2]
    assert length_interval([1.0], np.zeros((1, 1))) == (0.0, inf)


def test_without_noise_the_length_is_known() -> None:
    assert length_interval([3.0, 4.0], np.zeros((8, 2))) == (5.0, 5.0)


def test_a_vector_shorter_than_noise_makes_it_still_has_an_interval_of_some_width() -> None:
    low, high = length_interval([1e-6, 0.0, 0.0], deviations([1.0, 1.0, 1.0], 64))
    assert low == 0.0
    assert high > 1.0


@pytest.mark.parametrize(
    ("figures", "size", "uneven"), [(2, 2.0, 1.0), pytest.param(5, 2.0, 3.0, marks=pytest.mark.long)]
)
def test_gaps_near_the_noise_are_held(figures: int, size: float, uneven: float) -> None:
    """The gap of a tuning missed one case of seven at (2, 2.0): a gap as large as its noise."""
    repeat = 250
    rng = np.random.default_rng(5)
    truth = next(iter(tunings.shapes(figures, size)))
    floor = 0.95 - 3 * sqrt(0.95 * 0.05 / repeat)
    assert min(tunings.held(truth, repeat, rng, uneven)) / repeat >= floor
