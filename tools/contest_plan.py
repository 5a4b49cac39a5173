"""A contest of a thousand, planned: games, hours on so many cores, and how many places are settled.

    python tools/contest_plan.py --measure              seconds a game: compiled agents, search, and Python bots
    python tools/contest_plan.py                        1,000 entrants, with the seconds of a Python bot
    python tools/contest_plan.py --entrants 100 --seconds 0.05 --start 0.2
    python tools/contest_plan.py --served --entrants 200 --versions 5      a contest that is served, as versions arrive

The schedules, the settling and the ladder are the code that plays tournaments; what a table brings is drawn from
strengths that are known, and takes the seconds that were measured. Each table is a task for one core, as on a cluster;
a round is over when its last table is.
"""

from __future__ import annotations

import argparse
import heapq
import os
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from math import exp
from pathlib import Path
from typing import Any, cast

import numpy as np

from playmill.engine.contract.game import load_game
from playmill.interrupts import Stop
from playmill.lab.contests.contest.scaffold import create_contest
from playmill.lab.contests.hosted.newcomer import newcomer_rounds, placement, played_ahead
from playmill.lab.contests.tournament.deal_results import DealResults
from playmill.lab.contests.tournament.deal_task import PairingTask, TaskResult
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.event import ContestEvent, EventBudget, Group, OverError, play_together
from playmill.lab.contests.tournament.ladder import _blocks, _spans
from playmill.lab.contests.tournament.pairing import Pairing, RuleSetting
from playmill.lab.contests.tournament.play_deals import play_deals, prepare
from playmill.lab.contests.tournament.schedule import Settling, round_robin, swiss
from playmill.lab.contests.tournament.store import PairingRecord, PairingStore
from playmill.stats.ratings import POINTS, ratings

CORES = (2, 16, 64)
GAMES = ("dice", "dimensions", "grid", "influence", "save_oneself")
#: How strengths are spread: the standard deviation of ratings.
SPREAD = 200.0
PIECE = 16
#: Played until settled, two are equal within this share of the points.
WITHIN = 0.05


@dataclass(frozen=True)
class Planned:
    """A pairing that is only planned: what the schedules ask of one."""

    names: tuple[str, ...]
    size: int = 2
    games: int = 2
    piece: int = PIECE
    solo: bool = False
    kinds: tuple[str, ...] = ("program", "program")


class PlannedEvent(ContestEvent):
    """An event whose pairings are planned, and kept nowhere."""

    def record(self, setting: int, group: Group) -> PairingRecord:
        """Returns what is known of a pairing."""
        if (setting, group) not in self._shelves:
            names = tuple(self.entrants[place].name for place in group)
            self._shelves[setting, group] = PairingRecord(cast(Pairing, Planned(names)), None)
        return self._shelves[setting, group]


@dataclass
class Drawn:
    """A pool that draws results from strengths, and counts how long so many cores would take."""

    strength: dict[str, float]
    seconds: float
    start: float
    luck: Any = field(default_factory=lambda: np.random.Generator(np.random.PCG64(1)))
    #: Seconds by cores.
    clock: dict[int, float] = field(default_factory=lambda: dict.fromkeys(CORES, 0.0))
    games: int = 0

    def play(self, tasks: Iterable[PairingTask], *_: Any, **__: Any) -> Iterator[TaskResult]:
        """Draws what comes of tasks, which end before the next are begun."""
        took = []
        for task in tasks:
            one, other = (self.strength[name] for name in task.pairing.names)
            lost = self.luck.random((len(task.deals), 2)) > 1 / (1 + exp(other - one))
            seconds = self.start + 2 * len(task.deals) * self.seconds
            # Some bots think longer than others.
            took.append(seconds * self.luck.lognormal(-0.125, 0.5))
            self.games += 2 * len(task.deals)
            yield TaskResult(DealResults(np.stack([lost, ~lost], axis=2).astype(np.uint8)), took[-1])
        for cores in self.clock:
            free = [0.0] * cores
            for seconds in took:
                heapq.heapreplace(free, free[0] + seconds)
            self.clock[cores] += max(free)


def planned(entrants: int, seconds: float, start: float, games: int | None = None) -> tuple[PlannedEvent, Drawn]:
    """Returns an event of so many entrants of known strengths, and the pool it is played by."""
    luck = np.random.Generator(np.random.PCG64(7))
    names = [f"bot-{number:04d}" for number in range(entrants)]
    strength = dict(zip(names, luck.normal(0, SPREAD / POINTS, entrants).tolist(), strict=True))
    game = load_game("dice")
    pool = Drawn(strength, seconds, start)
    event = PlannedEvent(
        game, "", [Entrant(name, "random") for name in names], [RuleSetting("", game.config())], 2, seed=1,
        store=PairingStore(None), budget=EventBudget(games, None, Stop()), pool=cast(Any, pool),
    )  # fmt: skip
    return event, pool


def line(name: str, event: PlannedEvent, pool: Drawn, spans: dict[int, tuple[int, int]], took: float) -> str:
    """Returns a row of the table."""
    hours = " | ".join(f"{pool.clock[cores] / 3600:,.1f}" for cores in CORES)
    truth = sorted(range(len(spans)), key=lambda place: -pool.strength[event.entrants[place].name])
    wrong = sum(not spans[one][0] <= place <= spans[one][1] for place, one in enumerate(truth, 1))
    widths = [last - first + 1 for first, last in spans.values()]
    top = sum(place in truth[:10] for place in event.order()[:10])
    settled = f"{sum(width == 1 for width in widths)}" + (f" ({wrong} wrong)" if wrong else "")
    return f"| {name} | {event.games:,} | {hours} | {settled} | {np.median(widths):.0f} | {top} | {took:.0f} s |"


def plan(
    entrants: int, seconds: float, start: float, *, deals: int, rounds: Sequence[int], budgets: Sequence[int]
) -> None:
    """Prints what each schedule would take and bring."""
    costs = f"{seconds:g} s a game, {start:g} s to start {PIECE} deals of a table"
    print(f"\n{entrants} entrants, strengths ±{SPREAD:.0f} points, {costs}\n")
    head = " | ".join(f"hours on {cores} cores" for cores in CORES)
    print(
        f"| schedule | games | {head} | places settled | half of all within | of the best ten on top | our own work |"
    )
    print("|---|---|" + "---|" * (len(CORES) + 4))
    for name, schedule, games in (
        (f"everybody, {deals} deals", lambda event: round_robin(event, deals), None),
        *((f"Swiss, {one} rounds of {deals}", partial(swiss, deals=deals, rounds=one), None) for one in rounds),
        *((f"until settled, at most {games:,}", None, games) for games in budgets),
    ):
        if schedule is not None and "everybody" in name and entrants > 200:
            every = entrants * (entrants - 1) * deals
            work = every * seconds + every / 2 / PIECE * start
            hours = " | ".join(f"{work / cores / 3600:,.1f}" for cores in CORES)
            print(f"| {name} | {every:,} | {hours} | – | – | – | – |", flush=True)
            continue
        event, pool = planned(entrants, seconds, start, games)
        begun = time.process_time()
        if schedule is not None:
            schedule(event)
            spans = _spans(event.order(), ratings(entrants, event.tables()))
        else:
            settling = Settling(event, within=WITHIN)
            with suppress(OverError):
                settling.run()
            spans = _blocks(event.order(), settling)
        print(line(name, event, pool, spans, time.process_time() - begun), flush=True)


# As versions arrive


class ServedEvent(PlannedEvent):
    """An event of a contest that is served: what was played of two versions is known to every later event."""

    known: dict[tuple[str, ...], PairingRecord]

    def record(self, setting: int, group: Group) -> PairingRecord:
        """Returns what is known of a pairing."""
        names = tuple(self.entrants[place].name for place in group)
        if names not in self.known:
            self.known[names] = PairingRecord(cast(Pairing, Planned(names)), None)
        self._shelves[setting, group] = self.known[names]
        return self.known[names]


class Served:
    """A contest that is served: versions arrive, each a little better, and play as newcomers do, on so many cores."""

    def __init__(self, entrants: int, versions: int, pool: Drawn, cores: int, *, deals: int, opponents: int) -> None:
        self._pool, self._cores, self._deals, self._opponents = pool, cores, deals, opponents
        luck = np.random.Generator(np.random.PCG64(7))
        first = luck.normal(0, SPREAD / POINTS, entrants)
        gains = luck.normal(0.05, 0.1, (versions, entrants)).cumsum(axis=0)
        #: Everything that is handed in, in its order: by whom, and its name.
        self._queue = [
            (who, f"bot-{who:04d}-{version}")
            for version in range(versions)
            for who in luck.permutation(entrants).tolist()
        ]
        for who, name in self._queue:
            pool.strength[name] = float(first[who] + gains[int(name.rpartition("-")[2]), who])
        self.known: dict[tuple[str, ...], PairingRecord] = {}
        self._field: dict[int, str] = {}
        self._rated: dict[str, float] = {}
        self._game = load_game("dice")

    def run(self) -> ServedEvent:
        """Has everybody play in turn; returns the event of those on the ladder in the end."""
        ahead: set[str] = set()
        event = None
        for number, (who, name) in enumerate(self._queue):
            if name not in ahead:
                there = len(self._field)
                count = played_ahead(self._cores, self._deals, self._opponents, there)
                batch = list(dict(reversed(self._queue[number : number + count])).items())
                ahead = {other for _, other in batch}
                if len(batch) > 1:
                    self._play_ahead(batch[::-1])
            event = self._event({**self._field, who: name})
            run = Newcomer(event, name, self._rated, self._opponents)
            for groups in run.rounds():
                for _ in event.play_all([(0, group, self._deals) for group in groups]):
                    pass
                run.note(groups)
            self._field[who] = name
            self._rated[name] = run.placed()
        assert event is not None
        return event

    def _event(self, field: dict[int, str]) -> ServedEvent:
        event = ServedEvent(
            self._game, "", [Entrant(one, "random") for one in field.values()],
            [RuleSetting("", self._game.config())], 2, seed=1, store=PairingStore(None),
            budget=EventBudget(None, None, Stop()), pool=cast(Any, self._pool),
        )  # fmt: skip
        event.known = self.known
        return event

    def _play_ahead(self, batch: list[tuple[int, str]]) -> None:
        """Plays what some who wait will probably have to, as `HostedContest` does."""
        runs = [
            Newcomer(self._event({**self._field, who: name}), name, self._rated, self._opponents) for who, name in batch
        ]
        rounds = [(run, run.rounds()) for run in runs]
        while rounds:
            asked = [(run, more, groups) for run, more in rounds if (groups := next(more, None)) is not None]
            play_together([(run.event, (0, group, self._deals)) for run, _, groups in asked for group in groups])
            for run, _, groups in asked:
                run.note(groups)
            rounds = [(run, more) for run, more, _ in asked]


class Newcomer:
    """One who plays its tables, and where it stands by them."""

    def __init__(self, event: ServedEvent, name: str, rated: dict[str, float], opponents: int) -> None:
        self.event, self._opponents = event, opponents
        places = {entrant.name: place for place, entrant in enumerate(event.entrants)}
        self._me = places[name]
        self._mine: dict[Group, PairingRecord] = {}
        self._rated = [rated.get(entrant.name, 0.0) for entrant in event.entrants]
        others = (place for place in places.values() if place != self._me)
        self._order = sorted(others, key=lambda place: (-self._rated[place], place))

    def rounds(self) -> Iterator[list[Group]]:
        """Its tables, round by round."""
        return newcomer_rounds(self._order, self._me, 1, self._opponents, self._position)

    def note(self, groups: Iterable[Group]) -> None:
        """Some of them were played."""
        self._mine |= {group: self.event.record(0, group) for group in groups}

    def placed(self) -> float:
        """Its rating by them."""
        return placement(
            (one.ranks, group.index(self._me), [self._rated[at] for at in group]) for group, one in self._mine.items()
        )

    def _position(self) -> int:
        now = self.placed()
        return sum(self._rated[place] > now for place in self._order)


def served(entrants: int, versions: int, seconds: float, start: float, *, deals: int, opponents: int) -> str:
    """Returns a row: what all versions of all entrants take, if there are always some that wait."""
    if not opponents:  # everybody on the ladder, for each version that arrives: too many to be drawn
        tables = entrants * (entrants - 1) // 2 + (versions - 1) * entrants * (entrants - 1)
        work = tables * (2 * deals * seconds + -(-deals // PIECE) * start)
        hours = " | ".join(f"{work / cores / 3600:,.1f}" for cores in CORES)
        return f"| everybody | {2 * deals * tables:,} | {hours} | – | – | – |"
    begun, hours, games = time.process_time(), [], []
    for cores in reversed(CORES):
        pool = Drawn({}, seconds, start, clock={cores: 0.0})
        contest = Served(entrants, versions, pool, cores, deals=deals, opponents=opponents)
        event = contest.run()
        hours.insert(0, f"{pool.clock[cores] / 3600:,.1f}")
        games.insert(0, pool.games)
    places = {entrant.name: place for place, entrant in enumerate(event.entrants)}
    for names in (names for names in contest.known if all(one in places for one in names)):
        group = tuple(sorted(places[one] for one in names))
        event._wanted[0, group] = event.record(0, group).deals
    spans = _spans(event.order(), ratings(len(event.entrants), event.tables()))
    took = (time.process_time() - begun) / len(CORES)
    truth = sorted(range(len(spans)), key=lambda place: -pool.strength[event.entrants[place].name])
    widths = [last - first + 1 for first, last in spans.values()]
    top = sum(place in truth[:10] for place in event.order()[:10])
    wrong = sum(not spans[one][0] <= place <= spans[one][1] for place, one in enumerate(truth, 1))
    told = f"{np.median(widths):.0f}" + (f" ({wrong} wrong)" if wrong else "")
    played = " / ".join(f"{one:,}" for one in dict.fromkeys(games))
    return f"| {opponents} | {played} | {' | '.join(hours)} | {told} | {top} | {took:.0f} s |"


# Measuring


def measure(deals: int) -> None:
    """Prints processor time a game, of ours and the bots' together; of bots with their start, once in a piece."""
    print("| game | players | compiled | search, 100 iterations | a Python bot |")
    print("|---|---|---|---|---|")
    for name in GAMES:
        game = load_game(name)
        players = max(2, game.players[0]) if game.players[1] > 1 else 2
        compiled = next((agent for agent in game.agents if agent != "random"), "random")
        with tempfile.TemporaryDirectory() as folder:
            create_contest(Path(folder), name, "en")
            agents = ((compiled, 2000), ("search:iterations=100", 2), (f"program:{folder}/entrants/first", deals))
            row = [_seconds(name, players, agent, count) for agent, count in agents]
        costs = f"{1e6 * row[0]:,.0f} µs ({compiled}) | {row[1]:.2g} s | {row[2]:.2g} s"
        print(f"| `{name}` | {players} | {costs} |", flush=True)


def _seconds(name: str, players: int, agent: str, deals: int) -> float:
    """Returns processor time a game, with what agents in processes of their own took."""
    game = load_game(name)
    entrants = tuple(Entrant(f"{number}", agent) for number in range(players))
    pairing = Pairing(game, name, RuleSetting("", game.config()), entrants, 1)
    prepare(pairing)
    return _times(lambda: play_deals(pairing, range(deals), Stop(), 1)) / (deals * pairing.games)


def _times(work: Callable[[], object]) -> float:
    """Returns the processor time of some work, with that of processes that have ended."""
    before = os.times()
    work()
    return sum(now - then for now, then in zip(os.times()[:4], before[:4], strict=True))


def main(words: Sequence[str] | None = None) -> None:
    """Measures, or plans."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--served", action="store_true")
    parser.add_argument("--versions", type=int, default=5)
    parser.add_argument("--opponents", type=int, nargs="*", default=[10, 20, 40, 0])
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.08, help="a game")
    parser.add_argument("--start", type=float, default=0.3, help="a piece of a table")
    parser.add_argument("--rounds", type=int, nargs="*", default=[10, 20, 40])
    parser.add_argument("--budgets", type=int, nargs="*", default=[1_000_000, 4_000_000])
    options = parser.parse_args(words)
    if options.measure:
        measure(PIECE)
    elif options.served:
        costs = f"{options.seconds:g} s a game, {options.start:g} s to start {PIECE} deals of a table"
        print(f"\n{options.entrants} entrants, {options.versions} versions of each, {costs}\n")
        head = " | ".join(f"hours on {cores} cores" for cores in CORES)
        print(f"| opponents | games | {head} | half of all places within | of the best ten on top | our own work |")
        print("|---|---|" + "---|" * (len(CORES) + 3))
        for opponents in options.opponents:
            how = (options.entrants, options.versions, options.seconds, options.start)
            print(served(*how, deals=options.deals, opponents=opponents), flush=True)
    else:
        plan(
            options.entrants,
            options.seconds,
            options.start,
            deals=options.deals,
            rounds=options.rounds,
            budgets=options.budgets,
        )


if __name__ == "__main__":
    main()
