"""Head-to-head results: shares of points between two players over deals, and circles of who beats whom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np

from playmill.stats.block_jackknife import share_interval
from playmill.stats.critical_values import two_sided
from playmill.stats.estimates import Estimate
from playmill.stats.ratings import RankedDeals, Ranks

Numbers = np.ndarray[Any, np.dtype[np.float64]]
#: The most circles that are looked for.
_MOST_CIRCLES = 1000


@dataclass(frozen=True)
class HeadToHead:
    """Points one player took from another in each deal, and how many there were; a game that ranks them is one."""

    taken: Numbers
    played: Numbers
    wins: int
    draws: int
    losses: int

    @classmethod
    def of(cls, ranks: Ranks, one: int, other: int) -> HeadToHead:
        """What ranks of the shape (deals, games, members) say of two members: a draw is half a point each.

        Two who share the last place behind somebody else were not told apart: that game says nothing of them.
        """
        mine, theirs = ranks[:, :, one], ranks[:, :, other]
        tied = mine == theirs
        untold = tied & (mine == ranks.max(axis=2)) & (mine > ranks.min(axis=2))
        won, drawn = mine < theirs, tied & ~untold
        taken: Numbers = won.sum(axis=1) + drawn.sum(axis=1) / 2
        played: Numbers = (~untold).sum(axis=1).astype(np.float64)
        wins, draws = int(won.sum()), int(drawn.sum())
        return cls(taken, played, wins, draws, int(played.sum()) - wins - draws)

    @classmethod
    def together(cls, parts: Sequence[HeadToHead]) -> HeadToHead:
        """The deals of several tables, one after the other."""
        return cls(
            np.concatenate([part.taken for part in parts]) if parts else np.zeros(0),
            np.concatenate([part.played for part in parts]) if parts else np.zeros(0),
            sum(part.wins for part in parts),
            sum(part.draws for part in parts),
            sum(part.losses for part in parts),
        )

    @property
    def share(self) -> Estimate:
        """The share of points taken, with its 95 % interval over deals."""
        deals, total = len(self.taken), float(self.played.sum())
        if deals == 0 or total == 0:
            return Estimate(0.5, 0.0, 1.0, 0, 1.0)
        value = float(self.taken.sum()) / total
        if deals < 2:
            return Estimate(value, 0.0, 1.0, deals, 1.0)
        rest = self.taken - value * self.played
        variance = deals / (deals - 1) * float(rest @ rest) / total**2
        return Estimate(value, *share_interval(value, variance, deals - 1, deals), deals, 1.0)

    @property
    def chance(self) -> float:
        """How often two equals would lie so far apart by chance: deals are measured from a half, as equals' are.

        Two more deals are thought to be there, one won by each: where nothing differed in a few deals, that is no proof
        that nothing ever does.
        """
        deals, total = len(self.taken), float(self.played.sum())
        if deals < 2 or total == 0:
            return 1.0
        value, usual = float(self.taken.sum()) / total, total / deals
        rest = self.taken - self.played / 2
        variance = (float(rest @ rest) + 2 * (usual / 2) ** 2) / ((deals + 1) * (deals + 2) * usual**2)
        return two_sided((value - 0.5) / sqrt(variance), deals - 1)


def head_to_head(tables: Sequence[RankedDeals]) -> dict[tuple[int, int], HeadToHead]:
    """Returns what one took from another at all their tables, of every two who met; the lower place comes first."""
    found: dict[tuple[int, int], list[HeadToHead]] = {}
    for table in tables:
        for (here, one), (there, other) in combinations(enumerate(table.members), 2):
            found.setdefault((one, other), []).append(HeadToHead.of(table.ranks, here, there))
    return {pair: HeadToHead.together(parts) for pair, parts in found.items()}


def circles(beats: Any) -> list[tuple[int, ...]]:
    """Circles in which everybody beats the next and the last the first: all of three, and where there are none among
    some who beat each other round about, a shortest one. Each begins with its lowest number."""
    above = np.asarray(beats, np.bool_)
    n = len(above)
    found: list[tuple[int, ...]] = []
    for one in range(n):
        for two in np.flatnonzero(above[one]):
            if two > one:
                found += [
                    (one, int(two), int(three)) for three in np.flatnonzero(above[two] & above[:, one]) if three > one
                ]
            if len(found) >= _MOST_CIRCLES:
                return found
    covered = {member for circle in found for member in circle}
    for one in range(n):
        if one not in covered and (circle := _shortest(above, one)) is not None:
            least = circle.index(min(circle))
            found.append((*circle[least:], *circle[:least]))
            covered.update(circle)
    return found


def _shortest(above: Any, start: int) -> tuple[int, ...] | None:
    """A shortest circle through one player, or None."""
    came: dict[int, int] = {}
    edge = [start]
    while edge:
        following = []
        for one in edge:
            for other in np.flatnonzero(above[one]).tolist():
                if other == start:
                    path = [one]
                    while path[-1] != start:
                        path.append(came[path[-1]])
                    return tuple(reversed(path))
                if other not in came:
                    came[other] = one
                    following.append(other)
        edge = following
    return None
