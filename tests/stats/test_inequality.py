"""How unequal rates are: equal ones are not called unfair, unequal ones are found, against SciPy where it has it."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2, studentized_range

from playmill.stats.inequality import ratios, spread

FIVE = np.full(5, 0.2)


def seats(rates: np.ndarray, games: int, luck: np.random.Generator) -> np.ndarray:
    """One winner a game."""
    return np.eye(len(rates))[luck.choice(len(rates), games, p=rates)]


def test_the_largest_gap_of_equal_rates_is_not_called_unfair() -> None:
    luck = np.random.default_rng(1)
    found = []
    for _ in range(80):
        won = seats(FIVE, 400, luck)
        found.append(spread(*ratios(won, np.ones_like(won))))
    # Seen, the best seat is ahead of the worst by some five points; without the noise next to nothing is left.
    assert np.mean([one.seen for one in found]) > 0.04
    assert np.mean([one.gap.value for one in found]) < 0.4 * np.mean([one.seen for one in found])
    assert sum(one.real for one in found) <= 10  # 4 expected; more than 10 once in four hundred
    assert sum(one.gap.low > 0 for one in found) <= 10


@pytest.mark.parametrize("games", [1, 2, 3, 4])
def test_a_seat_that_won_a_few_games_in_a_row_is_not_called_ahead(games: int) -> None:
    won = np.tile([1.0, 0.0], (games, 1))
    found = spread(*ratios(won, np.ones_like(won)))
    assert not found.real and found.gap.low == 0 and found.gap.value < found.gap.high == 1


def test_a_true_gap_is_found_and_lies_in_its_interval() -> None:
    luck = np.random.default_rng(2)
    rates = np.array([0.26, 0.2, 0.2, 0.2, 0.14])
    for _ in range(8):
        won = seats(rates, 4000, luck)
        found = spread(*ratios(won, np.ones_like(won)))
        assert found.real and found.gap.low <= 0.12 <= found.gap.high
        assert found.gap.value == pytest.approx(0.12, abs=0.04)


def test_chances_and_reach_are_those_of_scipy_where_errors_are_alike() -> None:
    values, error = np.array([0.50, 0.52, 0.47, 0.51]), 0.015
    found = spread(values, np.eye(4) * error**2)
    squares = float(((values - values.mean()) ** 2).sum()) / error**2
    assert found.p == pytest.approx(chi2.sf(squares, 3), abs=0.01)
    reach = studentized_range.ppf(0.95, 4, np.inf) * error
    assert found.gap.high - found.seen == pytest.approx(reach, rel=0.02)


def test_sides_that_take_part_in_some_games_only_have_the_error_of_those() -> None:
    luck = np.random.default_rng(3)
    part = luck.random((5000, 3)) < 0.5
    won = part & (luck.random((5000, 3)) < 0.3)
    values, covariance = ratios(won, part)
    assert values == pytest.approx(won.sum(axis=0) / part.sum(axis=0))
    assert np.sqrt(np.diag(covariance)) == pytest.approx(np.sqrt(0.21 / 2500), rel=0.05)


def test_one_rate_or_rates_without_error_have_no_gap_to_tell() -> None:
    assert not spread([0.4], [[0.01]]).real
    assert spread([0.5, 0.5], np.zeros((2, 2))).gap.value == 0
