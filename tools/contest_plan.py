"""A contest of a thousand, planned: games, hours on so many cores, and how many places are settled.

    python tools/contest_plan.py --measure              seconds a game: compiled agents, search, and Python bots
    python tools/contest_plan.py                        1,000 entrants, with the seconds of a Python bot
    python tools/contest_plan.py --entrants 100 --seconds 0.05 --start 0.2

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
from playmill.lab.contests.tournament.deal_results import DealResults
from playmill.lab.contests.tournament.deal_task import PairingTask, TaskResult
from playmill.lab.contests.tournament.entrants import Entrant
from playmill.lab.contests.tournament.event import ContestEvent, EventBudget, Group, OverError
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
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--deals", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.08, help="a game")
    parser.add_argument("--start", type=float, default=0.3, help="a piece of a table")
    parser.add_argument("--rounds", type=int, nargs="*", default=[10, 20, 40])
    parser.add_argument("--budgets", type=int, nargs="*", default=[1_000_000, 4_000_000])
    options = parser.parse_args(words)
    if options.measure:
        measure(PIECE)
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
