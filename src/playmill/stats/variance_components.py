"""Variance components: what decides who wins, split into players, seat, choices of equals, and chance.

A *table* is a draw of agents for the seats. It plays four games: two draws of the agents' own rng, and with each of
them two games whose chance is drawn independently. Nothing is ever aligned by the position in a stream of the rules:
two games share their agents, or their agents and the agents' rng, or nothing. With Y the outcome, A the agents and W
their rng, products of such games have these means, and differences of the means are the parts:

    E[Y]^2 <= E[E[Y|A]^2] <= E[E[Y|A,W]^2] <= E[Y^2]
           players        choices          chance

Each conditional mean is taken over everything the rules draw, so that no part depends on how, when or how often they
draw it. What chance and choices do only together cannot be told apart without such an alignment: it counts as chance,
since other chance with the same choices would have changed it. How far E[Y] of each seat is from an equal share is the
part of the seat. The four add up to the variance of what a player who is dealt a seat gets (the nested analysis of
variance of Searle, Casella and McCulloch, "Variance components", 1992). All are unbiased; those below 0, as noise makes
them where there is nothing, are none.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan, sqrt
from typing import Any

import numpy as np

from playmill.stats.block_jackknife import jackknife
from playmill.stats.critical_values import t95
from playmill.stats.estimates import Estimate
from playmill.stats.from_observations import GROUPS, Numbers

#: Below this many tables nothing is said of the error.
FEW_TABLES = 10
#: Columns of a table's observation before what each seat got, and who sat there.
_CROSSED, _SAME, _APART, _SEATS = range(4)
#: Places of the parts among all figures.
_PLAYERS, _SEAT, _CHOICES, _CHANCE, _ADDED = range(5)


@dataclass(frozen=True)
class VarianceShares:
    """Shares of the variance of outcomes; undefined where an outcome never varied.

    `added` is the part of `players` that adds up from agents one by one: what each wins against all alike. The rest of
    it is who meets whom. Both are undefined if every table had the same agents; alone there is no seat.
    """

    players: Estimate
    added: Estimate
    seat: Estimate
    choices: Estimate
    chance: Estimate


def causes(outcomes: Any, seated: Any) -> VarianceShares:
    """Takes apart outcomes of shape (tables, 2, 2, seats): agents' rng by row, games that share it by column.

    What a game pays its seats adds up to 1, except alone. `seated` are the agents by table and seat, as numbers.
    """
    y, who = np.asarray(outcomes, np.float64), np.asarray(seated, np.int64)
    n, seats = len(y), y.shape[-1]
    several = bool(n) and bool((who != who[:1]).any())
    means = y.mean(axis=2)
    same = (y[:, :, 0] * y[:, :, 1]).sum(axis=2).mean(axis=1)
    apart = ((y[:, :, 0] - y[:, :, 1]) ** 2).sum(axis=2).mean(axis=1) / 2
    crossed = (means[:, 0] * means[:, 1]).sum(axis=1)
    rows = np.column_stack([crossed, same, apart, means.mean(axis=1), who.reshape(n, seats)])

    whole = _parts(rows, seats, several) if n >= 2 else np.zeros(5)
    left = np.maximum(whole, 0.0)
    left[_ADDED] = min(left[_ADDED], left[_PLAYERS])  # noise may make the part look larger than the whole
    total = float(left[:_ADDED].sum())
    if total <= 0:
        nothing = Estimate(nan, nan, nan, n, 1.0)
        return VarianceShares(*[nothing] * 5)
    raw, halves = _shares(rows, seats, several)

    def share(part: int, known: bool = True) -> Estimate:
        if not known:
            return Estimate(nan, nan, nan, 0, 1.0)
        value = min(1.0, float(left[part]) / total)
        low, high = min(raw[part], value) - halves[part], max(raw[part], value) + halves[part]
        return Estimate(value, max(low, 0.0), min(high, 1.0), n, 1.0)

    return VarianceShares(
        players=share(_PLAYERS, several),
        added=share(_ADDED, several),
        seat=share(_SEAT, seats > 1),
        choices=share(_CHOICES),
        chance=share(_CHANCE),
    )


def _parts(rows: Numbers, seats: int, several: bool) -> Numbers:
    """The parts of the variance, by their places."""
    n = len(rows)
    got = rows[:, _SEATS : _SEATS + seats]
    # The square of a mean holds the square of its error, which is taken out.
    squares = float((got.mean(axis=0) ** 2 - got.var(axis=0, ddof=1) / n).sum())
    fair = squares if seats == 1 else 1 / seats
    by_agents = float(rows[:, _CROSSED].mean()) if several else squares
    same, chance = float(rows[:, _SAME].mean()), float(rows[:, _APART].mean())
    added = _added(got, rows[:, _SEATS + seats :].astype(np.int64)) if several else 0.0
    return np.array([by_agents - squares, squares - fair, same - by_agents, chance, added])


def _shares(rows: Numbers, seats: int, several: bool) -> tuple[list[float], list[float]]:
    """Each part as a share of all, and half of its interval: jackknife over groups of tables; not a number if few."""
    n = len(rows)
    found = _parts(rows, seats, several)
    shares = (found / found[:_ADDED].sum()).tolist()
    if n < FEW_TABLES:
        return shares, [nan] * len(shares)
    groups = min(GROUPS, n)
    group = np.arange(n) % groups
    sizes = np.bincount(group, minlength=groups).tolist()
    others = [_parts(rows[group != one], seats, several) for one in range(groups)]
    without = np.array([parts / parts[:_ADDED].sum() for parts in others])
    # Two more tables that differ as much as can be: where all were alike their variance says too little.
    unseen = 2 / ((n + 1) * (n + 2))
    point = t95(groups - 1)
    return shares, [
        point * sqrt(jackknife(share, without[:, part].tolist(), sizes) + unseen) for part, share in enumerate(shares)
    ]


def _added(got: Numbers, who: Any) -> float:
    """The variance that adds up from the agent of each seat: what seats get with it, without the noise of the means."""
    n, seats = got.shape
    centred = got - got.mean(axis=0)
    found = 0.0
    for seat in range(seats):
        counts = np.bincount(who[:, seat])
        there = np.maximum(counts, 1)
        for other in range(seats):
            mean = np.bincount(who[:, seat], centred[:, other]) / there
            squares = np.bincount(who[:, seat], centred[:, other] ** 2) / there - mean**2
            noise = np.where(counts > 1, squares * (1 - counts / n) / np.maximum(counts - 1, 1), 0.0)
            found += float((counts / n * (mean**2 - noise)).sum())
    return found
