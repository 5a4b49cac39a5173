"""Schedules of an event: round robin, Swiss rounds, or until neighbours on the ladder are settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, pairwise

from playmill.lab.contests.tournament.event import ContestEvent, Group, Wanted
from playmill.stats.confidence_sequences import ConfidenceSequence, SequenceLook
from playmill.stats.critical_values import LEVEL

#: First everybody plays this many deals with everybody, so that whoever stops early has a whole ladder.
_FIRST = 64
#: Groups that are looked at for a table of a Swiss round.
_LOOKED = 2000
#: The most tables of an event in which everybody meets everybody.
MOST_TABLES = 20_000
#: Swiss rounds beside those in which the first of n entrants is found, where there are too many for that.
_MORE_ROUNDS = 4


def round_robin(event: ContestEvent, deals: int) -> None:
    """Has every group that can sit together play n deals, in every setting."""
    for wanted in sorted({min(_FIRST, deals), deals}):
        _all(event, [(setting, group, wanted) for group in event.groups for setting in range(len(event.settings))])


def _all(event: ContestEvent, wanted: Iterable[Wanted]) -> None:
    for _ in event.play_all(wanted):
        pass


def swiss(event: ContestEvent, deals: int, rounds: int) -> None:
    """Plays n rounds, each pairing those next to each other on the ladder who have met the least."""
    for wanted in swiss_rounds(event, deals, rounds):
        _all(event, wanted)


def swiss_rounds(event: ContestEvent, deals: int, rounds: int) -> Iterator[list[Wanted]]:
    """Yields what is to be played in each of n rounds; the next one depends on what came of it."""
    met: Counter[tuple[int, int]] = Counter()
    sat: Counter[Group] = Counter()
    rested: Counter[int] = Counter()
    for _ in range(rounds):
        order = event.order()
        # Who is over rests: of those who rested least the lowest.
        spare = len(order) % event.size
        lowest = sorted(enumerate(order), key=lambda one: (rested[one[1]], -one[0]))
        resting = {place for _, place in lowest[:spare]}
        rested.update(resting)
        groups = seated([place for place in order if place not in resting], event.size, met)
        for group in groups:
            met.update(combinations(group, 2))
            sat[group] += 1
        settings = range(len(event.settings))
        yield [(setting, group, deals * sat[group]) for group in groups for setting in settings]


def seated(order: Sequence[int], size: int, met: Counter[tuple[int, int]]) -> list[Group]:
    """Seats everybody at tables of one size, from the top: with the nearest, and those they have met the least."""
    if size == 2:
        return _paired(order, met)
    left, made = list(order), []
    while left:
        others = islice(combinations(range(1, len(left)), size - 1), _LOOKED)
        chosen = min(
            ((0, *some) for some in others),
            key=lambda some: (
                sum(met[pair] for pair in combinations(sorted(left[number] for number in some), 2)),
                sum(some),
            ),
        )
        made.append(tuple(sorted(left[number] for number in chosen)))
        left = [place for number, place in enumerate(left) if number not in chosen]
    return made


def _paired(order: Sequence[int], met: Counter[tuple[int, int]]) -> list[Group]:
    """The same for tables of two: as few as possible of those left over have nobody new to sit with."""
    known: dict[int, set[int]] = {place: set() for place in order}
    for (one, other), times in met.items():
        if times and one in known and other in known:
            known[one].add(other)
            known[other].add(one)
    left, made = dict.fromkeys(order), list[Group]()
    while left:
        first = next(iter(left))
        del left[first]
        fewest, found = None, None
        for other in islice(left, _LOOKED):
            times = met[min(first, other), max(first, other)]
            if fewest is not None and times > fewest[0]:
                continue
            lonely = times, _lonely(left, other, known)
            if fewest is None or lonely < fewest:
                fewest, found = lonely, other
            if fewest == (0, 0):
                break
        assert found is not None
        del left[found]
        made.append((min(first, found), max(first, found)))
    return made


def _lonely(left: Collection[int], gone: int, known: Mapping[int, set[int]]) -> int:
    """Returns how many of those left over, but one, have nobody new to sit with."""
    others = len(left) - 2
    # Most have met far fewer than there are.
    some = [place for place in left if place != gone and len(known[place]) >= others]
    return sum(len(known[place].intersection(left) - {gone}) >= others for place in some)


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
        first = min(_FIRST, event.record(0, tuple(range(event.size))).pairing.piece * 8)
        if event.tables_at_most <= MOST_TABLES and event.affords(event.tables_at_most * first * event.size):
            round_robin(event, first)
        else:
            # Everybody with everybody would be too much: a rough order is enough to know who is next to whom.
            swiss(event, max(1, first // 8), len(event.entrants).bit_length() + _MORE_ROUNDS)
        while waiting := [pair for pair in pairwise(event.order()) if self.verdict(*pair) is None]:
            # All of them at once: of a table that two pairs share, the second asks for more than the first did.
            there: dict[tuple[int, Group], int] = {}
            wanted: list[Wanted] = []
            for one, other in waiting:
                keys = event.keys_of(one, other)
                there |= {key: event.deals(*key) for key in keys if key not in there}
                now = min(there[key] for key in keys)
                more = now + max(first, now // 4)
                there |= {key: max(there[key], more) for key in keys}
                wanted += [(*key, more) for key in keys]
            _all(event, wanted)

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
