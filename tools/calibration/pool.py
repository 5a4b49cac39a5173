"""Pools of played deals, from which runs are drawn: whoever draws from a pool knows the true value of every figure."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.lang.record import RecordArray
from playmill.interrupts import Stop
from playmill.lab.runs.executors import Where
from playmill.lab.runs.finished_games import FinishedGames, RunTotal, joined_rows
from playmill.lab.runs.paired_play import PairedSetting
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan
from playmill.lab.runs.rotation import GroupCounter
from playmill.lab.runs.simulate.simulation import own_figures, run_info
from playmill.lab.runs.sparse_counts import cells_of
from playmill.report.model.tables import RunInfo
from playmill.stats.block_jackknife import Jackknifed, leave_out

Whole = np.ndarray[Any, np.dtype[np.int64]]
#: A pool that took longer than so many seconds is saved, in a folder that git does not know.
_LONG, _FOLDER = 5.0, Path("out/coverage")


@dataclass(frozen=True)
class Setting:
    """Who plays what; a rotated one plays every deal from every seat."""

    game: str
    agents: tuple[str, ...]
    set: tuple[str, ...] = ()
    rotate: bool = False

    @property
    def name(self) -> str:
        """What it is called in tables."""
        words = [Path(self.game).name, "/".join(self.agents), *self.set]
        return " ".join([*words, "rotated"] if self.rotate else words)


@dataclass(frozen=True)
class Shown:
    """A figure as a report saves it: nothing where it is undefined, no ends where there were too few to say."""

    value: float | None
    low: float | None
    high: float | None
    #: Observations behind it, where that is known; whether it is a share.
    n: int | None
    share: bool


@dataclass
class Pool:
    """Deals of a setting that were played once."""

    setting: Setting
    deals: int
    seed: int
    folder: Path = field(default=_FOLDER)

    @cached_property
    def resolved(self) -> ResolvedPlan:
        """The resolved plan, counted by groups of deals as `compare` counts."""
        one = self.setting
        return resolve_plan(
            one.game, agents=list(one.agents), set=one.set, seed=self.seed, rotate=one.rotate, grouped=True
        )

    @property
    def rotations(self) -> int:
        """Games of a deal."""
        return self.resolved.plan.rotations

    @cached_property
    def rows(self) -> RecordArray:
        """The games, a row for each deal and a column for each rotation."""
        file = self.folder / f"{self.resolved.plan.name}-{self.deals}.npy"
        outcome = self.resolved.game.outcome
        if file.is_file():
            rows: RecordArray = np.load(file).view(outcome)
        else:
            side = PairedSetting(self.resolved, Where(), None, Stop(), rows=True)
            begun = time.perf_counter()
            parts = side.play(0, self.deals) or []
            rows = joined_rows([part.rows for part in parts if part.rows is not None], outcome)
            if time.perf_counter() - begun > _LONG:
                self.folder.mkdir(parents=True, exist_ok=True)
                np.save(file, rows.view(np.uint8))
        return rows.reshape(self.deals, self.rotations)

    @cached_property
    def _counter(self) -> GroupCounter:
        return GroupCounter(self.resolved.match(), self.rotations, self.resolved.plan.grouping)

    def part(self, deals: Whole, first: int = 0) -> FinishedGames:
        """These deals of the pool as consecutive ones of a run."""
        rows = np.ascontiguousarray(self.rows[deals]).reshape(-1)
        counts = self._counter.count(first, rows)
        return FinishedGames(first * self.rotations, len(rows), cells_of(counts), rows)

    def run(self, deals: Whole) -> RunTotal:
        """These deals of the pool, as what a run of them adds up to."""
        total = RunTotal(self.resolved.plan, self.resolved.game)
        total.add(self.part(deals))
        return total

    def info(self, games: int) -> RunInfo:
        """What is known of a run of so many games."""
        return replace(self._info, games=games, requested=games)

    @cached_property
    def _info(self) -> RunInfo:
        return run_info(self.resolved, games=0, requested=0, fallbacks=Fallbacks())

    def results(self, total: RunTotal) -> Mapping[str, Any]:
        """The results of a run, as `simulate` gives them."""
        return own_figures(self.resolved, total, self.info(total.games))

    def left_out(self, total: RunTotal) -> Jackknifed:
        """The results of a run with what they are without each group, as `compare` takes them."""
        info, report = self.info(total.games), self.resolved.game.report
        return leave_out(lambda counts: report.results(counts, info), total.counts.groups, total.blocks.tolist())

    @cached_property
    def truth(self) -> dict[str, float | None]:
        """The value of every figure in the whole pool; None if nothing was observed of it."""
        shown = figures(self.results(self.run(np.arange(self.deals))))
        return {name: None if one.n == 0 else one.value for name, one in shown.items()}

    def known(self, figure: str) -> float:
        """The value of a figure of which something was observed."""
        value = self.truth[figure]
        assert value is not None, figure
        return value


def figures(results: Any) -> dict[str, Shown]:
    """Every figure of some results by its name, found by its form: value or mean, low and high."""
    return dict(_figures(results, ()))


def _figures(results: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Shown]]:
    if isinstance(results, Mapping):
        name = next((name for name in ("value", "mean") if name in results), None)
        if name is not None and "low" in results and "high" in results:
            value = results[name]
            n, share = results.get("n", getattr(value, "n", None)), getattr(value, "most", None) is not None
            value, low, high = (_number(results[key]) for key in (name, "low", "high"))
            yield ".".join(path), Shown(value, low, high, n, share)
        parts: Any = results.items()
    elif isinstance(results, Sequence) and not isinstance(results, str):
        parts = enumerate(results)
    else:
        return
    for key, part in parts:
        yield from _figures(part, (*path, str(key)))


def _number(saved: Any) -> float | None:
    return None if saved is None or isnan(saved) else float(saved)
