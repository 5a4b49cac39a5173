"""Ratings: Plackett–Luce strengths fitted to all games of a contest at once, with bootstrap intervals.

The model is Plackett and Luce's: of those who are still to be placed, the next one is drawn in proportion to strength.
Of two players that is Bradley and Terry's. Strengths are those of the greatest likelihood, with one imagined draw of
everybody against a player of average strength, so that whoever wins or loses everything has a finite rating. Nothing
depends on the order in which games were played.

A finishing order may have ties, and there are two kinds of them. Players who share a place *draw*: all orders of them
count alike, so that a draw of two is half a win each, and a difference of ratings tells the share of points to expect.
But where somebody finished above all those who share the last place, as in games that name a winner and nobody else,
the game has *not told them apart*: then nothing is said of their order, as one does with lists of the first few.

Errors come from a bootstrap over deals: a deal played from every seat is one block. In each resample every table draws
as many deals as it had, out of its own and, for each member, a share of one more in which that one finished alone in
front: who won 20 deals of 20 may still lose the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, permutations
from math import comb, log
from typing import Any

import numpy as np

from playmill.stats.critical_values import two_sided

Numbers = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]
#: Small whole numbers, of any width.
Ranks = np.ndarray[Any, np.dtype[Any]]

#: Points that make odds of ten to one, as in Elo's scale; the average of a contest is MIDDLE.
_TENFOLD, MIDDLE = 400.0, 1500.0
POINTS = _TENFOLD / log(10)
#: How many imagined draws everybody has against an average player.
_IMAGINED = 1.0
#: Resamples of the bootstrap, and their seed.
DRAWS, _SEED = 1000, 20217
#: No step of the fit is longer than this; it ends when nothing pulls harder than `_STILL`, which takes a few steps.
_STRIDE, _STILL, _STEPS = 2.0, 1e-10, 200
#: From this many entrants on resamples share the curvature of the fit: n x n numbers for each would take hours.
_MANY = 200
#: Numbers held at a time while many resamples are fitted.
_HELD = 4_000_000


@dataclass(frozen=True)
class RankedDeals:
    """The deals of one table: who sat there, by place in the contest, and of each deal and game everybody's rank.

    `ranks` has the shape (deals, games of a deal, members); 0 is first, and equal ranks are ties.
    """

    members: tuple[int, ...]
    ranks: Ranks


@dataclass(frozen=True)
class Ratings:
    """Everybody's rating with its 95 % interval, and the ratings of every resample."""

    values: Numbers
    low: Numbers
    high: Numbers
    drawn: Numbers
    #: Whether somebody is above, or below, who never lost a point to anybody as low, or won one from anybody as high:
    #: such an end of the interval is as far away as the imagined draw lets it be.
    open_low: tuple[bool, ...]
    open_high: tuple[bool, ...]
    #: Those who took points from each other, straight or round about, have the same number; 0 are the most.
    circle: tuple[int, ...]
    #: How many deals everybody played.
    deals: tuple[int, ...]

    def chance(self, one: int, other: int) -> float:
        """How often two equals would be rated so far apart by chance."""
        error = float((self.drawn[:, one] - self.drawn[:, other]).std(ddof=1))
        degrees = min(self.deals[one], self.deals[other]) - 1
        if error == 0 or degrees < 1:
            return 1.0
        return two_sided(float(self.values[one] - self.values[other]) / error, degrees)


def expected_share(difference: float) -> float:
    """The share of points somebody rated so much higher takes from another."""
    return float(1 / (1 + 10 ** (-difference / _TENFOLD)))


def strengths(entrants: int, tables: Sequence[RankedDeals]) -> Numbers:
    """Everybody's rating alone, without its error."""
    kept = _merged(tables)
    sets = _Sets(entrants, [table.members for table in kept])
    found: Numbers = _scaled(sets.fit([(table.counts @ table.terms())[None] for table in kept]))[0]
    return found


def _scaled(theta: Numbers) -> Numbers:
    """Logarithms of strengths on the scale of ratings."""
    scaled: Numbers = MIDDLE + POINTS * (theta - theta.mean(axis=1, keepdims=True))
    return scaled


def ratings(entrants: int, tables: Sequence[RankedDeals], *, draws: int = DRAWS) -> Ratings:
    """Rates everybody by all tables together; equal deals give equal bits, in whatever order they come."""
    kept = _merged(tables)
    sets = _Sets(entrants, [table.members for table in kept])
    rng = np.random.Generator(np.random.PCG64(_SEED))
    sat = np.bincount([member for table in kept for member in table.members], minlength=entrants)
    seen: list[Numbers] = []
    drawn: list[Numbers] = []
    for table in kept:
        terms = table.terms()
        seen.append((table.counts @ terms)[None])
        more = _won_by_each(len(table.members), table.orders.shape[1])
        weights = np.concatenate([table.counts, 1 / sat[list(table.members)]])
        deals = int(table.counts.sum())
        # One less than there are, each a little more: else few deals would seem to vary less than they do (Rao and Wu).
        fewer = max(1, deals - 1)
        picked = rng.multinomial(fewer, weights / weights.sum(), size=draws)
        drawn.append(deals / fewer * (picked @ np.concatenate([terms, more])))
    values = sets.fit(seen)[0]
    resampled = sets.fit(drawn, start=values) if kept else np.zeros((draws, entrants))
    centred, spread = _scaled(values[None])[0], _scaled(resampled)
    low, high = np.quantile(spread, [0.025, 0.975], axis=0)
    took = _took(entrants, kept)
    above, below = (tuple(map(bool, np.any(one & ~one.T, axis=1))) for one in (took, took.T))
    ends = np.minimum(low, centred), np.maximum(high, centred)
    played = np.zeros(entrants, np.int64)
    for table in kept:
        played[list(table.members)] += int(table.counts.sum())
    return Ratings(centred, *ends, spread, below, above, _circles(took & took.T), tuple(played.tolist()))


@dataclass(frozen=True)
class _Kept:
    """The distinct deals of some members: the orders of the games of each, sorted, and how many deals are such."""

    members: tuple[int, ...]
    orders: Whole
    counts: Numbers

    def ranks(self, code: int) -> tuple[int, ...]:
        """Everybody's rank in an order."""
        size = len(self.members)
        return tuple(code // size**place % size for place in range(size))

    def terms(self) -> Numbers:
        """What each of the deals says."""
        distinct, where = np.unique(self.orders, return_inverse=True)
        each = np.array([_order_terms(self.ranks(int(code))) for code in distinct])
        found: Numbers = each[where.reshape(self.orders.shape)].sum(axis=1)
        return found


def _merged(tables: Sequence[RankedDeals]) -> list[_Kept]:
    """All deals by who sat at the table, in the one order that equal deals have."""
    rows: dict[tuple[tuple[int, ...], int], list[Whole]] = {}
    for table in tables:
        if len(table.ranks):
            size = len(table.members)
            codes = table.ranks[:, :, np.argsort(table.members)].astype(np.int64) @ (size ** np.arange(size))
            rows.setdefault((tuple(sorted(table.members)), codes.shape[1]), []).append(np.sort(codes, axis=1))
    found = []
    for (members, _), parts in sorted(rows.items(), key=lambda item: item[0]):
        distinct, counts = _distinct(np.concatenate(parts))
        found.append(_Kept(members, distinct, counts.astype(np.float64)))
    return found


def _distinct(rows: Whole) -> tuple[Whole, Whole]:
    """Returns the different rows in ascending order, and how many there are of each; of millions as single numbers."""
    base, columns = int(rows.max()) + 1, rows.shape[1]
    if base**columns > np.iinfo(np.int64).max:
        return np.unique(rows, axis=0, return_counts=True)
    digits = base ** np.arange(columns - 1, -1, -1)
    numbers, counts = np.unique(rows @ digits, return_counts=True)
    return numbers[:, None] // digits % base, counts


@cache
def _order_terms(ranks: tuple[int, ...]) -> tuple[float, ...]:
    """What one finishing order says: of each member how often it was chosen, of each set how often from it.

    Those who share a place are chosen one after the other, in all orders alike; those who share the last one behind
    somebody were not told apart.
    """
    size = len(ranks)
    chosen, sets = [0.0] * size, [0.0] * (1 << size)
    levels = sorted(set(ranks))
    for level in levels:
        here = [member for member in range(size) if ranks[member] == level]
        behind = sum(1 << member for member in range(size) if ranks[member] > level)
        if not behind and len(levels) > 1:
            break
        for member in here:
            chosen[member] += 1
        for left in range(1, len(here) + 1):
            for group in combinations(here, left):
                sets[behind | sum(1 << member for member in group)] += 1 / comb(len(here), left)
    return (*chosen, *sets)


def _won_by_each(size: int, games: int) -> Numbers:
    """What a deal would say for each member in which it finished alone in front every time."""
    first = [tuple(int(other != member) for other in range(size)) for member in range(size)]
    return games * np.array([_order_terms(ranks) for ranks in first])


class _Sets:
    """The sets that players were chosen from, over all tables; fits strengths to how often that was."""

    def __init__(self, entrants: int, tables: Sequence[tuple[int, ...]]) -> None:
        self._entrants, self._tables = entrants, tables
        found = sorted(
            {group for members in tables for group in _subsets(members)}, key=lambda group: (len(group), group)
        )
        self._place = {group: place for place, group in enumerate(found)}
        #: By size: the places of its sets, and who is in them.
        self._by_size = [
            (
                np.array([self._place[group] for group in found if len(group) == size]),
                np.array([group for group in found if len(group) == size]),
            )
            for size in sorted({len(group) for group in found})
        ]

    def _added(self, terms: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
        """How often everybody was chosen, and from which sets, from the terms of each table."""
        count = len(terms[0]) if terms else 1
        chosen: Numbers = np.zeros((count, self._entrants))
        sets: Numbers = np.zeros((count, len(self._place)))
        for members, counted in zip(self._tables, terms, strict=True):
            size = len(members)
            chosen[:, list(members)] += counted[:, :size]
            for bits in range(1, 1 << size):
                group = tuple(member for place, member in enumerate(members) if bits >> place & 1)
                if len(group) == 1:  # chosen from himself alone: that says nothing
                    chosen[:, group[0]] -= counted[:, size + bits]
                else:
                    sets[:, self._place[group]] += counted[:, size + bits]
        return chosen, sets

    def fit(self, terms: Sequence[Numbers], *, start: Numbers | None = None) -> Numbers:
        """The logarithms of strengths for each row of terms: Newton's method on a function with one peak."""
        chosen, sets = self._added(terms)
        if start is not None and self._entrants > _MANY:
            return self._climb_alike(start, chosen, sets)
        found: Numbers = np.zeros_like(chosen) if start is None else np.tile(start, (len(chosen), 1))
        largest = max((len(groups) * size * size for size, groups in self._sizes()), default=1)
        lot = max(1, _HELD // max(largest, self._entrants**2))
        for first in range(0, len(found), lot):
            part = slice(first, first + lot)
            found[part] = self._climb(found[part], chosen[part], sets[part])
        return found

    def _sizes(self) -> list[tuple[int, Whole]]:
        return [(groups.shape[1], groups) for _, groups in self._by_size]

    def _climb(self, theta: Numbers, chosen: Numbers, sets: Numbers) -> Numbers:
        """Newton's method, each row with a curvature of its own."""
        n = self._entrants
        theta = theta.copy()
        for _ in range(_STEPS):
            pull, parts = self._slope(theta, chosen, sets)
            mine = 1 / (1 + np.exp(-theta))
            bend: Numbers = np.zeros((len(theta), n, n))
            bend[:, np.arange(n), np.arange(n)] = _IMAGINED * mine * (1 - mine)
            for (drawn, shares, expected), (_, doubles) in zip(parts, self._scatters, strict=True):
                bend[:, np.arange(n), np.arange(n)] += expected
                outer = drawn[:, :, :, None] * shares[:, :, None, :]
                bend -= _times(outer.reshape(len(theta), -1), doubles).reshape(-1, n, n)
            theta += _no_leap(np.linalg.solve(bend, pull[:, :, None])[:, :, 0])
            if _is_still(pull, sets):
                break
        return theta

    def _climb_alike(self, start: Numbers, chosen: Numbers, sets: Numbers) -> Numbers:
        """The same where there are many entrants: rows that lie near each other share one curvature.

        That takes more steps, each of which costs next to nothing. Rows that get nowhere are climbed one by one.
        """
        from scipy.linalg import cho_factor, cho_solve

        n = self._entrants
        middle = np.tile(start, (1, 1))
        _, parts = self._slope(middle, chosen[:1], sets.mean(axis=0, keepdims=True))
        mine = 1 / (1 + np.exp(-start))
        bend: Numbers = np.diag(_IMAGINED * mine * (1 - mine))
        for (drawn, shares, expected), (_, doubles) in zip(parts, self._scatters, strict=True):
            bend += np.diag(expected[0])
            outer = drawn[:, :, :, None] * shares[:, :, None, :]
            bend -= _times(outer.reshape(1, -1), doubles).reshape(n, n)
        factor = cho_factor(bend)
        found: Numbers = np.tile(start, (len(chosen), 1))
        lot = max(1, _HELD // max(1, *(groups.size for _, groups in self._sizes())))
        for first in range(0, len(found), lot):
            part = slice(first, first + lot)
            theta, still = found[part], False
            for _ in range(_STEPS):
                pull, _ = self._slope(theta, chosen[part], sets[part])
                theta = theta + _no_leap(cho_solve(factor, pull.T).T)
                if still := _is_still(pull, sets[part]):
                    break
            found[part] = (
                theta
                if still
                else [
                    self._climb(found[row : row + 1], chosen[row : row + 1], sets[row : row + 1])[0]
                    for row in range(first, min(first + lot, len(found)))
                ]
            )
        return found

    def _slope(
        self, theta: Numbers, chosen: Numbers, sets: Numbers
    ) -> tuple[Numbers, list[tuple[Numbers, Numbers, Numbers]]]:
        """How hard everybody is pulled up; by size of sets, how often each was drawn, its share, and what they make."""
        mine = 1 / (1 + np.exp(-theta))
        pull = chosen + _IMAGINED * (0.5 - mine)
        parts = []
        for (places, groups), (singles, _) in zip(self._by_size, self._scatters, strict=True):
            inside = theta[:, groups]
            shares = np.exp(inside - inside.max(axis=2, keepdims=True))
            shares /= shares.sum(axis=2, keepdims=True)
            weights = sets[:, places, None]
            drawn = weights * shares
            expected = _times(drawn.reshape(len(theta), -1), singles)
            pull -= expected
            parts.append((drawn, shares, expected))
        return pull, parts

    @cached_property
    def _scatters(self) -> list[tuple[Any, Any]]:
        """By size of sets: what adds up by entrant, and by pair of entrants."""
        from scipy.sparse import csr_matrix

        n, found = self._entrants, []
        for _, groups in self._by_size:
            flat = groups.ravel()
            singles = csr_matrix((np.ones(flat.size), (np.arange(flat.size), flat)), shape=(flat.size, n))
            pairs = (groups[:, :, None] * n + groups[:, None, :]).ravel()
            doubles = csr_matrix((np.ones(pairs.size), (np.arange(pairs.size), pairs)), shape=(pairs.size, n * n))
            found.append((singles, doubles))
        return found


def _no_leap(step: Any) -> Numbers:
    """Returns a step of each row, none of them too long."""
    longest = np.abs(step).max(axis=1, keepdims=True)
    found: Numbers = step * np.minimum(1.0, _STRIDE / np.maximum(longest, _STRIDE))
    return found


def _is_still(pull: Numbers, sets: Numbers) -> bool:
    return bool(np.abs(pull).max() < _STILL * max(1.0, float(sets.sum(axis=1).max(initial=1.0))))


def _times(rows: Numbers, scatter: Any) -> Numbers:
    made: Numbers = scatter.T.dot(rows.T).T
    return made


def _subsets(members: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [group for size in range(2, len(members) + 1) for group in combinations(members, size)]


def _took(entrants: int, kept: Sequence[_Kept]) -> Flags:
    """Who took a point from whom, straight or round about: points pass on, and a draw is one for each."""
    took: Flags = np.eye(entrants, dtype=np.bool_)
    for table in kept:
        for code in np.unique(table.orders).tolist():
            ranks = table.ranks(code)
            last = max(ranks) if len(set(ranks)) > 1 else None
            for (one, rank), (other, behind) in permutations(zip(table.members, ranks, strict=True), 2):
                took[one, other] |= rank < behind or (rank == behind and rank != last)
    for middle in range(entrants):
        took |= took[:, middle, None] & took[None, middle, :]
    return took


def _circles(mutual: Flags) -> tuple[int, ...]:
    """The number of everybody's circle: 0 the largest."""
    groups = sorted({tuple(np.flatnonzero(row).tolist()) for row in mutual}, key=lambda group: (-len(group), group))
    return tuple(next(number for number, group in enumerate(groups) if one in group) for one in range(len(mutual)))
