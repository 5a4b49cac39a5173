"""Figures beside what is fair: sides and distances with known answers, and how often they err where nothing is so."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest

from playmill.stats.estimates import Estimate, rate
from playmill.stats.fair_share import nearer, side_of

FAIR = 1 / 3


def normal(value: float, error: float) -> Estimate:
    return Estimate(value, value - 1.959964 * error, value + 1.959964 * error, 100)


def test_a_figure_is_on_a_side_as_surely_as_its_interval_says() -> None:
    assert side_of(normal(0.40, 0.01), FAIR)[0] == 1
    assert side_of(normal(0.27, 0.01), FAIR)[0] == -1
    assert side_of(normal(0.0196, 0.01), 0.0)[1] == pytest.approx(0.05, abs=0.001)
    assert side_of(rate(0, 0), FAIR) == (0, 1.0)
    assert side_of(Estimate(0.4, nan, nan, 1), FAIR) == (0, 1.0)


@pytest.mark.parametrize(
    ("before", "after", "sign"),
    [(0.41, 0.34, 1), (0.41, 0.27, 1), (0.41, 0.20, -1), (0.27, 0.25, -1), (0.20, 0.41, 1), (0.20, 0.50, -1)],
)
def test_a_figure_comes_nearer_or_moves_away_also_past_fair(before: float, after: float, sign: int) -> None:
    found, p = nearer(normal(before, 1e-4), normal(after, 1e-4), 1e-9, FAIR)
    assert (found, p) == (sign, pytest.approx(1e-9))


def test_it_is_as_sure_as_the_weaker_of_its_two_signs() -> None:
    a, b = normal(0.40, 0.005), normal(0.27, 0.005)  # as far on the other side: which is nearer nobody knows
    assert nearer(a, b, 1e-30, FAIR)[1] > 0.2
    assert nearer(normal(0.41, 1e-4), normal(0.40, 1e-4), 0.2, FAIR) == (1, 0.2)
    assert nearer(normal(0.41, 1e-4), Estimate(0.3, nan, nan, 1), 0.01, FAIR) == (0, 1.0)


@pytest.mark.parametrize("together", [0.0, 0.9])
@pytest.mark.parametrize(("before", "after"), [(0.40, 0.40), (0.40, 2 / 3 - 0.40)])
def test_where_the_distance_stays_it_is_called_another_one_in_five_percent(
    before: float, after: float, together: float
) -> None:
    rng = np.random.default_rng(1)
    error = 0.01
    noise = rng.multivariate_normal([0, 0], error**2 * np.array([[1, together], [together, 1]]), size=2000)
    apart = error * np.sqrt(2 - 2 * together)
    called = 0
    for one, other in noise:
        a, b = before + one, after + other
        p = side_of(normal(b - a, apart), 0.0)[1]
        called += nearer(normal(a, error), normal(b, error), p, FAIR)[1] < 0.05
    assert called / len(noise) < 0.06


@pytest.mark.parametrize("players", [2, 3])
def test_where_only_draws_change_nothing_comes_nearer_in_more_than_five_percent(players: int) -> None:
    rng = np.random.default_rng(2)
    games, called = 4000, 0
    chances = np.array([0.5, *[0.5 / (players - 1)] * (players - 1)])
    for _ in range(1000):
        # All that changes is that 2 of 5 games are drawn: who wins the others stays as it was.
        a, b = (rng.multinomial(games, [*chances * (1 - drawn), drawn])[:-1] for drawn in (0.0, 0.4))
        fairs = [float(wins.mean()) / games for wins in (a, b)]
        one, other = rate(int(a[-1]), games), rate(int(b[-1]), games)
        error = np.sqrt(sum(share.value * (1 - share.value) / games for share in (one, other)))
        p = side_of(normal(other.value - one.value, error), 0.0)[1]
        assert p < 0.05, "as many wins less are a real difference"
        called += nearer(one, other, p, *fairs)[1] < 0.05
    assert called <= 50


def test_a_figure_that_moves_more_than_what_is_fair_comes_nearer() -> None:
    a, b = normal(0.30, 1e-4), normal(0.44, 1e-4)
    assert nearer(a, b, 1e-9, 0.5, 0.48)[0] == 1
    assert nearer(b, a, 1e-9, 0.48, 0.5)[0] == -1
    assert nearer(b, a, 1e-9, 0.48, 0.5)[1] < 0.001
