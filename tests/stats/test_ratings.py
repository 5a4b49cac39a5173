"""Ratings of whole contests: what they are fitted to, what ties say, and what they do not depend on."""

from __future__ import annotations

from itertools import combinations, pairwise, permutations
from math import log, log10
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from playmill.stats.ratings import (
    MIDDLE,
    POINTS,
    RankedDeals,
    _distinct,
    _order_terms,
    expected_share,
    ratings,
    strengths,
)

_LUCK = np.random.Generator(np.random.PCG64(3))


def drawn(theta: Any, members: tuple[int, ...], deals: int, games: int) -> RankedDeals:
    """Deals of the model itself: who has the largest of Gumbel's numbers comes first."""
    scores = _LUCK.gumbel(size=(deals, games, len(members))) + np.asarray(theta)[list(members)]
    return RankedDeals(members, np.argsort(np.argsort(-scores, axis=2), axis=2))


def wins(one: int, other: int, draws: int = 0) -> RankedDeals:
    """A table of two with so many games, a deal each."""
    rows = [[0, 1]] * one + [[1, 0]] * other + [[0, 0]] * draws
    return RankedDeals((0, 1), np.array(rows).reshape(-1, 1, 2))


def by_hand(ranks: tuple[int, ...], theta: Any) -> float:
    """The logarithm of the likelihood of an order, straight from its definition, averaged over the orders of ties."""
    levels = sorted(set(ranks))
    stop = len(levels) > 1 and ranks.count(levels[-1]) > 0
    told = [place for place in range(len(ranks)) if not stop or ranks[place] < levels[-1]]
    rest = [place for place in range(len(ranks)) if place not in told]
    found = []
    for order in permutations(told):
        if all(ranks[one] <= ranks[other] for one, other in pairwise(order)):
            left, total = [*order, *rest], 0.0
            for chosen in order:
                total += theta[chosen] - log(sum(np.exp(theta[one]) for one in left))
                left.remove(chosen)
            found.append(total)
    return sum(found) / len(found)


@pytest.mark.parametrize(
    "ranks", [(0, 1), (0, 0), (0, 1, 2), (0, 0, 2), (0, 1, 1), (0, 0, 0), (1, 0, 1, 3), (0, 0, 2, 2)]
)
def test_orders_say_what_the_definition_says(ranks: tuple[int, ...]) -> None:
    size = len(ranks)
    theta = np.array([0.3, -0.4, 1.1, 0.2])[:size]
    chosen, sets = np.split(np.array(_order_terms(ranks)), [size])
    masks = [[member for member in range(size) if bits >> member & 1] for bits in range(1 << size)]
    told = chosen @ theta - sum(
        weight * log(np.exp(theta[mask]).sum()) for weight, mask in zip(sets, masks, strict=True) if weight
    )
    assert told == pytest.approx(by_hand(ranks, theta))


def test_ratings_have_the_greatest_likelihood_that_another_optimiser_finds() -> None:
    tables = [drawn([0, 0.5, -1, 0.7], group, 4, 2) for group in combinations(range(4), 3)]
    tables += [drawn([0, 0.5, -1, 0.7], group, 2, 2) for group in combinations(range(4), 2)]

    def against(theta: Any) -> float:
        total = 0.0
        for table in tables:
            own = theta[list(table.members)]
            total += sum(by_hand(tuple(ranks.tolist()), own) for deal in table.ranks for ranks in deal)
        imagined = 0.5 * (theta - 2 * np.log1p(np.exp(theta))).sum()
        return -(total + imagined)

    best = minimize(against, np.zeros(4), tol=1e-10).x
    assert strengths(4, tables) == pytest.approx(MIDDLE + POINTS * (best - best.mean()), abs=0.01)


def test_two_players_are_rated_by_their_share_of_points() -> None:
    for table in (wins(7500, 2500), wins(5000, 0, 5000)):
        apart = float(np.diff(strengths(2, [table]))[0])
        assert apart == pytest.approx(-400 * log10(3), abs=0.1)
        assert expected_share(-apart) == pytest.approx(0.75, abs=1e-4)


def test_losers_that_a_game_does_not_tell_apart_are_not_pulled_together() -> None:
    theta = np.array([2.0, 0.0, -1.0])
    whole = drawn(theta, (0, 1, 2), 20_000, 1)
    winners = RankedDeals(whole.members, np.minimum(whole.ranks, 1))
    truth = MIDDLE + POINTS * (theta - theta.mean())
    assert strengths(3, [whole]) == pytest.approx(truth, abs=8)
    assert strengths(3, [winners]) == pytest.approx(truth, abs=20)


def test_who_wins_everything_has_a_finite_rating_and_an_honest_interval() -> None:
    found = ratings(3, [wins(20, 0), RankedDeals((1, 2), np.array([[[0, 1]], [[1, 0]]] * 10))])
    top = found.values[0]
    assert np.isfinite(found.drawn).all()
    assert found.open_high == (True, False, False)
    assert found.open_low == (False, True, True)
    assert found.circle == (1, 0, 0)
    # A rule of three: of 20 won it may be that 3 in 20 are lost.
    lowest = min(expected_share(float(row[0] - row[1])) for row in found.drawn)
    assert lowest < 0.87
    assert found.low[0] < top - 50


def test_the_order_of_games_and_tables_does_not_change_a_bit() -> None:
    tables = [drawn(np.linspace(-1, 1, 5), group, 12, 3) for group in combinations(range(5), 3)]
    shuffled = []
    for place in _LUCK.permutation(len(tables)):
        table = tables[place]
        seats = _LUCK.permutation(3)
        ranks = table.ranks[_LUCK.permutation(12)][:, _LUCK.permutation(3)][:, :, seats]
        members = tuple(table.members[seat] for seat in seats)
        shuffled += [RankedDeals(members, ranks[:5]), RankedDeals(members, ranks[5:])]
    one, other = ratings(5, tables, draws=50), ratings(5, shuffled, draws=50)
    assert one.values.tobytes() == other.values.tobytes()
    assert one.drawn.tobytes() == other.drawn.tobytes()


def test_deals_that_are_repeated_from_every_seat_are_one_block() -> None:
    games = _LUCK.integers(0, 2, 200)
    alone = RankedDeals((0, 1), np.stack([games, 1 - games], axis=1).reshape(200, 1, 2))
    twice = RankedDeals((0, 1), np.repeat(alone.ranks, 2, axis=1))
    wide, narrow = ratings(2, [alone]), ratings(2, [twice])
    assert np.ptp(narrow.drawn[:, 0]) == pytest.approx(np.ptp(wide.drawn[:, 0]), rel=0.15)


def test_nobody_has_met_anybody() -> None:
    found = ratings(3, [])
    assert found.values.tolist() == [MIDDLE] * 3
    assert np.isnan(found.drawn).sum() == 0


@pytest.mark.parametrize(("most", "columns"), [(4, 2), (27, 3), (1, 1), (6**6, 6)])
def test_different_deals_are_counted_as_rows_are(most, columns):
    # Of six players a deal is no single number of 64 bits any more.
    rows = np.sort(_LUCK.integers(0, most, (300, columns)), axis=1)
    for mine, usual in zip(_distinct(rows), np.unique(rows, axis=0, return_counts=True), strict=True):
        assert mine.tolist() == usual.tolist()
