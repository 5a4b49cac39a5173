"""Schedules of an event: round robin, Swiss rounds, or until neighbours on the ladder are settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, pairwise

from playmill.lab.contests.tournament.event import ContestEvent, Group, Wanted
from playmill.stats.confidence_sequences import ConfidenceSequence, SequenceLook
from playmill.stats.critical_values import LEVEL

#: First everybody plays this many deals with everybody, so that whoever stops early has a whole ladder.
_FIRST = 64
#: Groups that are looked at for a table of a Swiss round.
_LOOKED = 2000


def round_robin(event: ContestEvent, deals: int) -> None:
    """Has every group that can sit together play n deals, in every setting."""
    for wanted in sorted({min(_FIRST, deals), deals}):
        _all(event, [(setting, group, wanted) for group in event.groups for setting in range(len(event.settings))])


def _all(event: ContestEvent, wanted: Iterable[Wanted]) -> None:
    for _ in event.play_all(wanted):
        pass


def swiss(event: ContestEvent, deals: int, rounds: int) -> None:
    """Plays n rounds, each pairing those next to each other on the ladder who have met the least."""
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[Group] = Counter()
    rested: Counter[int] = Counter()
    for _ in range(rounds):
        order = event.order()
        # Who is over rests: of those who rested least the lowest.
        spare = len(order) % event.size
        resting = sorted(order, key=lambda place: (rested[place], -order.index(place)))[:spare]
        rested.update(resting)
        groups = seated([place for place in order if place not in resting], event.size, met)
        for group in groups:
            met.update(combinations(group, 2))
            sat[group] += 1
        settings = range(len(event.settings))
        _all(event, [(setting, group, deals * sat[group]) for group in groups for setting in settings])


def seated(order: Sequence[int], size: int, met: Counter[tuple[int, int]]) -> list[Group]:
    """Seats everybody at tables of one size, from the top: with the nearest, and those they have met the least."""
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
    """Returns how many of those left over have nobody new to sit with; for tables of two only."""
    if size != 2 or not left:
        return 0
    return sum(all(met[min(one, other), max(one, other)] for other in left if other != one) for one in left)


class Settling:
    """Plays until neighbours on the ladder are told apart, looking as it goes.

    Of every two a betting sequence holds what one takes from the other, deal by deal, at all tables of both; such a
    sequence is valid at every look (see `stats/confidence_sequences.py`). All pairs share the 5 % evenly, as nobody
    knows before which of them will be neighbours: that any verdict is wrong happens in at most 5 % of contests.
    `within` calls two equal when their share of points is within so much of a half.
    """

    def __init__(self, event: ContestEvent, *, within: float | None = None) -> None:
        self._event, self._within = event, within
        count = len(event.entrants)
        self._alpha = LEVEL / (count * (count - 1) / 2)
        self._sequences: dict[tuple[int, int], ConfidenceSequence] = {}

    def run(self) -> None:
        """Plays until every place is settled."""
        event = self._event
        first = min(_FIRST, event.record(0, event.groups[0]).pairing.piece * 8)
        round_robin(event, first)
        while waiting := [pair for pair in pairwise(event.order()) if self.verdict(*pair) is None]:
            for one, other in waiting:
                keys = event.keys_of(one, other)
                now = min(event.deals(*key) for key in keys)
                _all(event, [(*key, now + max(first, now // 4)) for key in keys])

    def look(self, one: int, other: int) -> SequenceLook:
        """Returns what is believed of the share of points that one takes from another."""
        if one > other:
            look = self.look(other, one)
            return SequenceLook(look.n, 1 - look.value, 1 - look.high, 1 - look.low)
        sequence = self._sequences.setdefault((one, other), ConfidenceSequence(alpha=self._alpha))
        deals = min(self._event.deals(*key) for key in self._event.keys_of(one, other))
        if deals > sequence.n:
            sequence.add(*self._event.common(one, other, sequence.n, deals))
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
