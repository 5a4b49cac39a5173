"""Plays several settings on the same deals by turns, so that whenever it stops all have played the same deals."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from playmill.engine.contract.agent import Preparing
from playmill.interrupts import Stop
from playmill.lab.runs.executors import Where
from playmill.lab.runs.figures import relabelled
from playmill.lab.runs.finished_games import FinishedGames, RunTotal
from playmill.lab.runs.resolved_plan import ResolvedPlan
from playmill.lab.runs.simulate.simulation import run_info
from playmill.report.model.tables import RunInfo
from playmill.stats.block_jackknife import Jackknifed, leave_out
from playmill.texts import PlaymillError, Text

#: Deals are played on all sides by turns, about this many seconds at a time.
_TURN = 1.0
FIRST_TURN = 64
_TOO_FEW = Text(
    "{n} {n:deal says|deals say} nothing of the error; at least 2",
    "по {n} {n:раздаче|раздачам|раздачам} о погрешности не судят; хотя бы 2",
)


def check_deals(deals: int) -> None:
    """Raises unless there are enough deals to estimate an error."""
    if deals < 2:
        raise PlaymillError(*_TOO_FEW.format(n=deals))


def check_seconds(seconds: float | None) -> None:
    """Raises if a time is not above 0."""
    if seconds is not None and not seconds > 0:
        raise PlaymillError(
            f"seconds is {seconds}; expected a number above 0", f"seconds равно {seconds}; нужно число больше 0"
        )


class PairedSetting:
    """One of the settings: its resolved plan, its executor, and the total of its games.

    `labels` are what its agents are called where sides stand together; parts have `rows` of single games if wanted.
    """

    def __init__(
        self,
        resolved: ResolvedPlan,
        where: Where,
        preparing: Preparing | None,
        stop: Stop,
        labels: Mapping[str, str] | None = None,
        *,
        rows: bool = False,
    ) -> None:
        resolved.learn(preparing)
        self.resolved, self.backend = resolved, where.backend
        self.labels = labels or {}
        self.rotations = resolved.plan.rotations
        self.total = RunTotal(resolved.plan, resolved.game)
        self.executor = where.prepared(resolved, stop, rows=rows)

    def play(self, first: int, deals: int) -> list[FinishedGames] | None:
        """Plays these deals; None if somebody asked to stop before all were played."""
        parts = list(self.executor.play([range(first * self.rotations, (first + deals) * self.rotations)]))
        return parts if sum(part.games for part in parts) == deals * self.rotations else None

    def report(self, counts: Any, info: RunInfo | None = None) -> Mapping[str, Any]:
        """Returns the results that the game's report makes of a tally."""
        made = self.resolved.game.report.results(counts, info or self._info())
        found: Mapping[str, Any] = relabelled(made, self.labels)
        return found

    def results(self) -> Mapping[str, Any]:
        """Returns the results of all games so far."""
        return self.report(self.total.counts.total()[0])

    def info(self) -> RunInfo:
        """Returns what is known of the run, with its agents as they are called here."""
        info = self._info()
        return replace(info, agents=tuple(self.labels.get(agent, agent) for agent in info.agents))

    def _info(self) -> RunInfo:
        games = self.total.games
        return run_info(self.resolved, games=games, requested=games, fallbacks=self.total.fallbacks)

    def left_out(self) -> Jackknifed:
        """Returns its results, and what they are without each group of deals."""
        # What is known of the run is the same for all groups, and takes longer to put together than a report.
        report = partial(self.report, info=self._info())
        return leave_out(report, self.total.counts.groups, self.total.blocks.tolist())


def turns(
    sides: Sequence[PairedSetting], deals: int, stop: Stop, *, size: Callable[[int], int] | None = None, first: int = 0
) -> Iterator[list[list[FinishedGames]]]:
    """Plays the same deals with all settings, a batch at a time; deals one of them did not finish are left out.

    `size` says how many come after so many deals; without it, as many as take about a second. Deals before the `first`
    are there already.
    """
    usual = FIRST_TURN
    while first < deals and not stop():
        count = min(size(first) if size is not None else usual, deals - first)
        start = time.perf_counter()
        turn: list[list[FinishedGames]] = []
        for side in sides:
            parts = side.play(first, count)
            if parts is None:
                return
            turn.append(parts)
        stop.keep()
        for side, parts in zip(sides, turn, strict=True):
            for part in parts:
                side.total.add(part)
        seconds = max(time.perf_counter() - start, 1e-6)
        yield turn
        first += count
        usual = max(1, min(usual * 4, int(count * len(sides) * _TURN / seconds)))
