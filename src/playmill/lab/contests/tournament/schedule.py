"""Who plays whom, how often: everybody against everybody, Swiss rounds, or until the ladder is settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, pairwise

from playmill.lab.contests.tournament.hall import Group, Hall, Wanted
from playmill.stats.errors import LEVEL
from playmill.stats.sequences import Look
from playmill.stats.sequences import Sequence as Betting

#: First everybody plays so many deals with everybody, so that whoever stops early has a whole ladder.
_FIRST = 64
#: Groups that are looked at for a table of a Swiss round.
_LOOKED = 2000


def round_robin(hall: Hall, deals: int) -> None:
    """Every group that can sit together plays so many deals, in every setting."""
    for wanted in sorted({min(_FIRST, deals), deals}):
        _all(hall, [(setting, group, wanted) for group in hall.groups for setting in range(len(hall.settings))])


def _all(hall: Hall, wanted: Iterable[Wanted]) -> None:
    for _ in hall.play_all(wanted):
        pass


def swiss(hall: Hall, deals: int, rounds: int) -> None:
    """So many rounds, each with those together who stand next to each other and have met the least."""
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[Group] = Counter()
    rested: Counter[int] = Counter()
    for _ in range(rounds):
        order = hall.order()
        # Who is over rests: of those who rested least the lowest.
        spare = len(order) % hall.size
        resting = sorted(order, key=lambda place: (rested[place], -order.index(place)))[:spare]
        rested.update(resting)
        groups = seated([place for place in order if place not in resting], hall.size, met)
        for group in groups:
            met.update(combinations(group, 2))
            sat[group] += 1
        settings = range(len(hall.settings))
        _all(hall, [(setting, group, deals * sat[group]) for group in groups for setting in settings])


def seated(order: Sequence[int], size: int, met: Counter[tuple[int, int]]) -> list[Group]:
    """Everybody at tables of one size, from the top: with those who are nearest, and whom they have met the least."""
    left, made = list(order), []
    while left:
        group = min(
            _candidates(left, size),
            key=lambda group: (
                sum(met[pair] for pair in combinations(sorted(group), 2)),
                _again([place for place in left if place not in group], size, met),
                sum(left.index(place) for place in group),
            ),
        )
        left = [place for place in left if place not in group]
        made.append(tuple(sorted(group)))
    return made


def _candidates(left: Sequence[int], size: int) -> Iterator[Group]:
    return ((left[0], *others) for others in islice(combinations(left[1:], size - 1), _LOOKED))


def _again(left: Sequence[int], size: int, met: Counter[tuple[int, int]]) -> int:
    """How many of those left over have nobody new to sit with; of tables of two only."""
    if size != 2 or not left:
        return 0
    return sum(all(met[min(one, other), max(one, other)] for other in left if other != one) for one in left)


class Settling:
    """Plays until neighbours on the ladder are told apart, looking as it goes.

    Of every two a betting sequence holds what one takes from the other, deal by deal, at all tables of both; such a
    sequence is valid at every look (see `stats/sequences.py`). All pairs share the 5 % evenly, as nobody knows before
    which of them will be neighbours: that any verdict is wrong happens in at most 5 % of contests. `within` calls two
    equal when their share of points is within so much of a half.
    """

    def __init__(self, hall: Hall, *, within: float | None = None) -> None:
        self._hall, self._within = hall, within
        count = len(hall.entrants)
        self._alpha = LEVEL / (count * (count - 1) / 2)
        self._sequences: dict[tuple[int, int], Betting] = {}

    def run(self) -> None:
        """Plays until every place is settled."""
        hall = self._hall
        first = min(_FIRST, hall.shelf(0, hall.groups[0]).sitting.piece * 8)
        round_robin(hall, first)
        while waiting := [pair for pair in pairwise(hall.order()) if self.verdict(*pair) is None]:
            for one, other in waiting:
                keys = hall.keys_of(one, other)
                now = min(hall.deals(*key) for key in keys)
                _all(hall, [(*key, now + max(first, now // 4)) for key in keys])

    def look(self, one: int, other: int) -> Look:
        """What is believed of the share of points that one takes from another."""
        if one > other:
            look = self.look(other, one)
            return Look(look.n, 1 - look.value, 1 - look.high, 1 - look.low)
        sequence = self._sequences.setdefault((one, other), Betting(alpha=self._alpha))
        deals = min(self._hall.deals(*key) for key in self._hall.keys_of(one, other))
        if deals > sequence.n:
            sequence.add(*self._hall.common(one, other, sequence.n, deals))
        return sequence.look()

    def verdict(self, one: int, other: int) -> int | None:
        """1 if one surely beats another, -1 if the other does, 0 if they are equal within what matters; else None."""
        look = self.look(one, other)
        if look.low > 0.5:
            return 1
        if look.high < 0.5:
            return -1
        if self._within is not None and 0.5 - self._within <= look.low and look.high <= 0.5 + self._within:
            return 0
        return None
