"""The hall of a contest: its entrants, its settings, and every sitting with what was played there."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import combinations, groupby

import numpy as np

from playmill.engine.contract.game import Game
from playmill.engine.run.backends import default_workers
from playmill.lab.contests.tournament.crew import Played, Task, in_order
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.playing import play_deals
from playmill.lab.contests.tournament.sitting import Setting, Sitting
from playmill.lab.contests.tournament.vault import Shelf, Vault
from playmill.stats.meetings import Points
from playmill.stats.ratings import Deals, Numbers, strengths
from playmill.stopping import Stop

#: Who sits together, by place among the entrants, in ascending order.
Group = tuple[int, ...]
#: A setting, who sits together, and how many deals they are to have played.
Wanted = tuple[int, Group, int]
#: Is told how many games are played.
Told = Callable[[int], None]


@dataclass(frozen=True)
class _Step:
    """A piece of a sitting: up to which deal, what is to be played for it if it is not known, and if it is the last."""

    key: tuple[int, Group]
    deals: int
    task: Task | None
    whole: bool


class OverError(Exception):
    """Nothing more is to be played: somebody asked to stop, or what was allowed is used up."""


class Budget:
    """How much may be played: games that are asked for, those that were kept before among them, and seconds."""

    def __init__(self, games: int | None, seconds: float | None, stop: Stop) -> None:
        self.games = games
        self._until = None if seconds is None else time.monotonic() + seconds
        self.stop = stop

    def check(self) -> None:
        """Raises if the time is up, or somebody asked to stop."""
        if self.stop() or (self._until is not None and time.monotonic() >= self._until):
            raise OverError

    def count(self, games: int) -> None:
        """Raises if so many games in all are too many."""
        if self.games is not None and games > self.games:
            raise OverError


class Hall:
    """Plays sittings and knows what came of them; entrants are numbered by name."""

    def __init__(
        self,
        game: Game,
        named: str,
        entrants: Sequence[Entrant],
        settings: Sequence[Setting],
        size: int,
        *,
        seed: int,
        vault: Vault,
        budget: Budget,
        workers: int | None = None,
        interpreted: bool = False,
        shown: int = 0,
    ) -> None:
        self.game, self.named = game, named
        # By name: the order in which they were named must not change a bit of the ladder.
        self.entrants = tuple(sorted(entrants, key=lambda entrant: entrant.name))
        self.settings, self.size = tuple(settings), size
        self._seed, self._vault, self._budget = seed, vault, budget
        self._workers, self._interpreted, self._shown = workers, interpreted, shown
        #: Hears of every game that is played.
        self.told: Told | None = None
        self._shelves: dict[tuple[int, Group], Shelf] = {}
        #: Deals that were asked for: of what was kept before there may be more.
        self._wanted: dict[tuple[int, Group], int] = {}

    @property
    def groups(self) -> list[Group]:
        """All groups that can sit together."""
        return list(combinations(range(len(self.entrants)), self.size))

    @property
    def games(self) -> int:
        """Games that were asked for and are played."""
        return sum(self._shelves[key].sitting.games * self.deals(*key) for key in self._wanted)

    def shelf(self, setting: int, group: Group) -> Shelf:
        """What is known of a sitting."""
        key = setting, group
        if key not in self._shelves:
            members = tuple(self.entrants[place] for place in group)
            sitting = Sitting(
                self.game, self.named, self.settings[setting], members, self._seed, self._interpreted, self._shown
            )
            self._shelves[key] = self._vault.open(sitting)
        return self._shelves[key]

    def deals(self, setting: int, group: Group) -> int:
        """Deals of a sitting that were asked for and are played."""
        return min(self._wanted.get((setting, group), 0), self.shelf(setting, group).deals)

    def play(self, setting: int, group: Group, deals: int) -> None:
        """Has so many deals of a sitting played in all, those kept before among them; raises OverError at the end."""
        for _ in self.play_all([(setting, group, deals)]):
            pass

    def play_all(self, wanted: Iterable[Wanted]) -> Generator[None, None, None]:
        """The same for several sittings, one after the other: it comes back after each.

        Where programs play, later ones are begun before the first is finished; nobody can tell by the results.
        """
        for programs, some in groupby(wanted, lambda one: "program" in self.shelf(*one[:2]).sitting.kinds):
            yield from self._play(list(some), self._workers or default_workers() if programs else 1)

    def _play(self, wanted: Sequence[Wanted], hands: int) -> Generator[None, None, None]:
        """Plays these sittings, so many tables at a time."""
        steps: deque[_Step] = deque()
        over = False

        def tasks() -> Iterator[Task]:
            nonlocal over
            try:
                for step in self._steps(wanted):
                    steps.append(step)
                    if step.task is not None:
                        yield step.task
            except OverError:
                over = True

        def known() -> Iterator[None]:
            while steps and steps[0].task is None:
                yield from self._count(steps.popleft())

        stop = self._budget.stop
        found = self._in_turn(tasks()) if hands == 1 else in_order(tasks(), play_deals, stop, hands=hands)
        with closing(found) as results:
            for played in results:
                yield from known()
                if played is None:
                    raise OverError
                shelf = self.shelf(*steps[0].key)
                shelf.add(played.piece, played.seconds)
                stop.keep()
                yield from self._count(steps.popleft())
        yield from known()
        if over:
            raise OverError

    def _in_turn(self, tasks: Iterable[Task]) -> Generator[Played | None, None, None]:
        """What comes of tasks that are played one after the other."""
        for task in tasks:
            start = time.perf_counter()
            piece = play_deals(task.sitting, task.deals, self._budget.stop, self._workers)
            yield None if piece is None else Played(piece, time.perf_counter() - start)

    def _steps(self, wanted: Iterable[Wanted]) -> Iterator[_Step]:
        """What is to be done for these sittings, piece by piece, as far as the budget goes; raises OverError there."""
        games = self.games
        for setting, group, deals in wanted:
            shelf = self.shelf(setting, group)
            sitting, first, there = shelf.sitting, self.deals(setting, group), shelf.deals
            if first >= deals:
                yield _Step((setting, group), first, None, whole=True)
            while first < deals:
                last = min(deals, (first // sitting.piece + 1) * sitting.piece)
                games += (last - first) * sitting.games
                self._budget.count(games)
                task = None
                if there < last:
                    self._budget.check()
                    task, there = Task(sitting, range(there, last)), last
                yield _Step((setting, group), last, task, whole=last == deals)
                first = last

    def _count(self, step: _Step) -> Iterator[None]:
        """A step is done: its deals count."""
        if step.deals:
            self._wanted[step.key] = max(step.deals, self._wanted.get(step.key, 0))
            if self.told is not None:
                self.told(self.games)
        if step.whole:
            yield

    def played(self) -> list[tuple[int, Group, Shelf, int]]:
        """Every sitting that was played: its setting, who sat there, what is known, and how many deals count."""
        return [(*key, self._shelves[key], self.deals(*key)) for key in sorted(self._wanted) if self.deals(*key)]

    def tables(self) -> list[Deals]:
        """All deals by table."""
        return [Deals(group, shelf.ranks[:deals]) for _, group, shelf, deals in self.played()]

    def strengths(self) -> Numbers:
        """Everybody's rating so far."""
        return strengths(len(self.entrants), self.tables())

    def order(self) -> list[int]:
        """Everybody from the highest rating so far to the lowest; equals by name."""
        rated = self.strengths()
        return sorted(range(len(self.entrants)), key=lambda place: (-rated[place], place))

    def keys_of(self, one: int, other: int) -> list[tuple[int, Group]]:
        """All sittings of two, in every setting."""
        groups = [group for group in self.groups if one in group and other in group]
        return [(setting, group) for setting in range(len(self.settings)) for group in groups]

    def meetings(self) -> dict[tuple[int, int], Points]:
        """What one took from another at all their tables, of every two who met; the lower place comes first."""
        found: dict[tuple[int, int], list[Points]] = {}
        for _, group, shelf, deals in self.played():
            for (here, one), (there, other) in combinations(enumerate(group), 2):
                found.setdefault((one, other), []).append(Points.of(shelf.ranks[:deals], here, there))
        return {pair: Points.together(parts) for pair, parts in found.items()}

    def common(self, one: int, other: int, since: int, until: int) -> tuple[Numbers, Numbers]:
        """Points one took from another, and could take, in deals of these numbers: the mean over all their tables."""
        keys = self.keys_of(one, other)
        taken, played = np.zeros(until - since), np.zeros(until - since)
        for setting, group in keys:
            shelf = self.shelf(setting, group)
            part = Points.of(shelf.ranks[since:until], group.index(one), group.index(other))
            games = shelf.ranks.shape[1] * len(keys)
            taken += part.taken / games
            played += part.played / games
        return taken, played
