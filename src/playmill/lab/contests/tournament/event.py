"""An event: its entrants, rule settings and budget; plays pairings and holds their records."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np

from playmill.engine.contract.game import Game
from playmill.interrupts import Stop
from playmill.lab.contests.tournament.deal_task import PairingTask
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.pairing import Pairing, RuleSetting
from playmill.lab.contests.tournament.play_deals import play_deals
from playmill.lab.contests.tournament.pool import LocalPool, PairingPool
from playmill.lab.contests.tournament.store import PairingRecord, PairingStore
from playmill.stats.head_to_head import HeadToHead
from playmill.stats.ratings import Numbers, RankedDeals, strengths

#: Who sits together, by place among the entrants, in ascending order.
Group = tuple[int, ...]
#: A setting, who sits together, and how many deals they are to have played.
Wanted = tuple[int, Group, int]
#: Callback that receives how many games are played.
ProgressCallback = Callable[[int], None]


@dataclass(frozen=True)
class _Step:
    """A step of a pairing: up to which deal, the task if it is not known, and whether it is the last."""

    key: tuple[int, Group]
    deals: int
    task: PairingTask | None
    whole: bool


class OverError(Exception):
    """Raised when nothing more is to be played: a stop, or the budget is used up."""


class _StopInTime(Stop):
    """A request to stop: somebody's, or because the time is up."""

    def __init__(self, asked: Stop, seconds: float) -> None:
        super().__init__()
        self._asked, self._until = asked, time.monotonic() + seconds

    def __call__(self) -> int:
        return self._asked() or int(time.monotonic() >= self._until)

    def keep(self) -> None:
        self._asked.keep()


class EventBudget:
    """Limits of an event: games (saved ones count, too) and seconds."""

    def __init__(self, games: int | None, seconds: float | None, stop: Stop) -> None:
        self.games = games
        self._seconds, self._asked = seconds, stop
        self.begin()

    def begin(self) -> None:
        """Starts the time, anew."""
        self.stop = self._asked if self._seconds is None else _StopInTime(self._asked, self._seconds)

    def check(self) -> None:
        """Raises if the time is up, or somebody asked to stop."""
        if self.stop():
            raise OverError

    def count(self, games: int) -> None:
        """Raises if this number of games is over the limit."""
        if self.games is not None and games > self.games:
            raise OverError


class ContestEvent:
    """Plays pairings and holds their records; entrants are numbered by name."""

    def __init__(
        self,
        game: Game,
        named: str,
        entrants: Sequence[Entrant],
        settings: Sequence[RuleSetting],
        size: int,
        *,
        seed: int,
        store: PairingStore,
        budget: EventBudget,
        pool: PairingPool | None = None,
        interpreted: bool = False,
        shown: int = 0,
    ) -> None:
        self.game, self.named = game, named
        # By name: the order in which they were named must not change a bit of the ladder.
        self.entrants = tuple(sorted(entrants, key=lambda entrant: entrant.name))
        self.settings, self.size = tuple(settings), size
        self._seed, self._store, self._budget = seed, store, budget
        self._pool = pool if pool is not None else LocalPool(1)
        self._interpreted, self._shown = interpreted, shown
        #: Hears of every game that is played.
        self.on_game: ProgressCallback | None = None
        self._shelves: dict[tuple[int, Group], PairingRecord] = {}
        #: Games that were asked for and are played.
        self.games = 0
        #: Deals that were asked for: of what was kept before there may be more.
        self._wanted: dict[tuple[int, Group], int] = {}

    @property
    def groups(self) -> list[Group]:
        """All groups that can sit together."""
        return list(combinations(range(len(self.entrants)), self.size))

    @property
    def tables_at_most(self) -> int:
        """How many pairings there are if everybody meets everybody."""
        return comb(len(self.entrants), self.size) * len(self.settings)

    def affords(self, games: int) -> bool:
        """Returns whether the budget is enough for this many games."""
        return self._budget.games is None or games <= self._budget.games

    def record(self, setting: int, group: Group) -> PairingRecord:
        """Returns what is known of a pairing."""
        key = setting, group
        if key not in self._shelves:
            members = tuple(self.entrants[place] for place in group)
            pairing = Pairing(
                self.game, self.named, self.settings[setting], members, self._seed, self._interpreted, self._shown
            )
            self._shelves[key] = self._store.open(pairing)
        return self._shelves[key]

    def deals(self, setting: int, group: Group) -> int:
        """Deals of a pairing that were asked for and are played."""
        return min(self._wanted.get((setting, group), 0), self.record(setting, group).deals)

    def play(self, setting: int, group: Group, deals: int) -> None:
        """Plays a pairing up to n deals in all, saved ones included; raises OverError at the end."""
        for _ in self.play_all([(setting, group, deals)]):
            pass

    def play_all(self, wanted: Iterable[Wanted]) -> Generator[None, None, None]:
        """The same for several pairings, one after the other: it comes back after each.

        Later ones may be begun before the first is finished; nobody can tell by the results.
        """
        listed = list(wanted)
        steps: deque[_Step] = deque()
        over = False

        def tasks() -> Iterator[PairingTask]:
            nonlocal over
            try:
                for step in self._steps(listed):
                    steps.append(step)
                    if step.task is not None:
                        yield step.task
            except OverError:
                over = True

        def known() -> Iterator[None]:
            while steps and steps[0].task is None:
                yield from self._count(steps.popleft())

        stop = self._budget.stop
        pairings = [self.record(setting, group).pairing for setting, group, _ in listed]
        kinds = {kind for pairing in pairings for kind in pairing.kinds}
        count = sum(-(-deals // pairing.piece) for pairing, (*_, deals) in zip(pairings, listed, strict=True))
        with closing(self._pool.play(tasks(), play_deals, stop, kinds=kinds, count=count)) as results:
            for played in results:
                yield from known()
                if played is None:
                    raise OverError
                record = self.record(*steps[0].key)
                record.add(played.piece, played.seconds)
                stop.keep()
                yield from self._count(steps.popleft())
        yield from known()
        if over:
            raise OverError

    def _steps(self, wanted: Iterable[Wanted]) -> Iterator[_Step]:
        """What is to be done for these pairings, piece by piece, as far as the budget goes; raises OverError there."""
        games = self.games
        #: Of each pairing the deals that count, and those that are known, when all before it is done.
        reached: dict[tuple[int, Group], tuple[int, int]] = {}
        for setting, group, deals in wanted:
            record = self.record(setting, group)
            pairing = record.pairing
            first, there = reached.get((setting, group), (self.deals(setting, group), record.deals))
            if first >= deals:
                yield _Step((setting, group), first, None, whole=True)
            while first < deals:
                last = min(deals, (first // pairing.piece + 1) * pairing.piece)
                games += (last - first) * pairing.games
                self._budget.count(games)
                task = None
                if there < last:
                    self._budget.check()
                    task, there = PairingTask(pairing, range(there, last)), last
                yield _Step((setting, group), last, task, whole=last == deals)
                first = last
            reached[setting, group] = first, there

    def _count(self, step: _Step) -> Iterator[None]:
        """Marks a step as done: its deals count."""
        if step.deals:
            before = self._wanted.get(step.key, 0)
            self._wanted[step.key] = max(step.deals, before)
            self.games += self.record(*step.key).pairing.games * (self._wanted[step.key] - before)
            if self.on_game is not None:
                self.on_game(self.games)
        if step.whole:
            yield

    def played(self) -> list[tuple[int, Group, PairingRecord, int]]:
        """Every pairing that was played: its setting, who sat there, what is known, and how many deals count."""
        return [(*key, self._shelves[key], self.deals(*key)) for key in sorted(self._wanted) if self.deals(*key)]

    def tables(self) -> list[RankedDeals]:
        """Returns all deals by table."""
        return [RankedDeals(group, record.ranks[:deals]) for _, group, record, deals in self.played()]

    def strengths(self) -> Numbers:
        """Everybody's rating so far."""
        return strengths(len(self.entrants), self.tables())

    def order(self) -> list[int]:
        """Everybody from the highest rating so far to the lowest; equals by name."""
        rated = self.strengths()
        return sorted(range(len(self.entrants)), key=lambda place: (-rated[place], place))

    def keys_of(self, one: int, other: int) -> list[tuple[int, Group]]:
        """Returns all pairings of two, in every setting."""
        others = (place for place in range(len(self.entrants)) if place not in (one, other))
        groups = sorted(tuple(sorted((one, other, *some))) for some in combinations(others, self.size - 2))
        return [(setting, group) for setting in range(len(self.settings)) for group in groups]

    def common(self, one: int, other: int, since: int, until: int) -> tuple[Numbers, Numbers]:
        """Points one took from another, and could take, in deals of these numbers: the mean over all their tables."""
        keys = self.keys_of(one, other)
        taken, played = np.zeros(until - since), np.zeros(until - since)
        for setting, group in keys:
            record = self.record(setting, group)
            part = HeadToHead.of(record.ranks[since:until], group.index(one), group.index(other))
            games = record.ranks.shape[1] * len(keys)
            taken += part.taken / games
            played += part.played / games
        return taken, played


def play_together(wanted: Sequence[tuple[ContestEvent, Wanted]]) -> None:
    """Plays pairings of several events at once, as far as they are not known; nothing counts for an event by it.

    All of them have one pool and one budget. Raises OverError if that is to end.
    """
    listed: list[tuple[PairingRecord, PairingTask]] = []
    for event, (setting, group, deals) in wanted:
        record = event.record(setting, group)
        first = record.deals
        while first < deals:
            last = min(deals, (first // record.pairing.piece + 1) * record.pairing.piece)
            listed.append((record, PairingTask(record.pairing, range(first, last))))
            first = last
    if not listed:
        return
    event = wanted[0][0]
    event._budget.check()
    stop = event._budget.stop
    kinds = {kind for record, _ in listed for kind in record.pairing.kinds}
    tasks = (task for _, task in listed)
    with closing(event._pool.play(tasks, play_deals, stop, kinds=kinds, count=len(listed))) as results:
        left = iter(listed)
        for played in results:
            if played is None:
                raise OverError
            record, _ = next(left)
            record.add(played.piece, played.seconds)
            stop.keep()
