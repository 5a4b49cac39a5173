"""Meters of a tuning: play deals of one setting and read the figures that goals ask for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.config.model import RuleConfig
from playmill.engine.run.match import Whole
from playmill.interrupts import Stop
from playmill.lab.decide.tune.goals import WORTH
from playmill.lab.decide.worth import named_trials, require_trials
from playmill.lab.runs.content import require_content
from playmill.lab.runs.executors import Where
from playmill.lab.runs.figures import ReportFigure, described_figures, name_of
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.resolved_plan import ResolvedPlan
from playmill.lab.runs.simulate.simulation import run_info
from playmill.lab.runs.sparse_counts import GroupedCounts
from playmill.report.model.tables import RunInfo
from playmill.stats.block_jackknife import figures, value_of
from playmill.stats.goal_loss import Reading

#: Resolves the plan of a config, at one table.
Casting = Callable[[RuleConfig], ResolvedPlan]


class Meter(Protocol):
    """Plays deals of one setting in order and reads its figures; every deal takes `games` games."""

    games: int

    def play(self, deals: range) -> None:
        """Plays these deals; KeyboardInterrupt if somebody asks to stop before they are finished."""

    def reading(self) -> Reading:
        """Returns what the figures are on all deals so far."""


class ReportMeter:
    """Reads figures of the game's report, and those that its goals module adds."""

    def __init__(self, resolved: ResolvedPlan, wanted: Sequence[re.Pattern[str]], groups: int, how: PlayLimits) -> None:
        self._resolved, self._wanted, self._groups = resolved, wanted, groups
        self._seat = _Seat(resolved, how)
        self.games = resolved.plan.rotations
        self._counts = GroupedCounts(resolved.game.tally, groups)
        self._sizes: Whole = np.zeros(groups, np.int64)

    def play(self, deals: range) -> None:
        """Plays these deals."""
        for part in self._seat.play(deals):
            cells = part.cells.copy()
            cells["group"] %= self._groups
            self._counts.add(cells)
        self._sizes += _sizes(self._resolved, deals, self._groups)

    def reading(self) -> Reading:
        """Returns what the figures are on all deals so far."""
        games = int(self._sizes.sum()) * self._resolved.plan.rotations
        info = info_of(self._resolved, games)
        numbers = self._counts.groups.view(np.int64).reshape(self._groups, -1)
        total = numbers.sum(axis=0)
        filled = np.flatnonzero(self._sizes)
        whole = self._figures(total, info)
        without = [self._figures(total - numbers[group], info) for group in filled]
        names = tuple(whole)
        return Reading(
            names,
            np.array([float(whole[name]) for name in names]),
            np.array([[float(other.get(name, 0.0)) for name in names] for other in without]).reshape(-1, len(names)),
            tuple(whole[name].most for name in names),
            tuple(self._sizes[filled].tolist()),
        )

    def described(self, wanted: Sequence[re.Pattern[str]]) -> dict[str, ReportFigure]:
        """Figures as the report of all deals so far tells them, by name."""
        info = info_of(self._resolved, int(self._sizes.sum()) * self._resolved.plan.rotations)
        counts = (
            self._counts.groups.view(np.int64).reshape(self._groups, -1).sum(axis=0).view(self._resolved.game.tally)[0]
        )
        results = results_of(self._resolved, counts, info)
        found = described_figures(self._resolved.game, results, info).values()
        return {figure.name: figure for figure in found if _is_among(wanted, figure.name)}

    def _figures(self, numbers: Whole, info: RunInfo) -> dict[str, Any]:
        counts = numbers.view(self._resolved.game.tally)[0]
        found = ((name_of(path), saved) for path, saved in figures(results_of(self._resolved, counts, info)).items())
        return {name: value_of(saved) for name, saved in found if _is_among(self._wanted, name)}


def _is_among(wanted: Sequence[re.Pattern[str]], name: str) -> bool:
    return any(pattern.fullmatch(name) for pattern in wanted)


class WorthMeter:
    """Reads the worth of one piece of content: the change in win rate, over all seats."""

    def __init__(self, casting: Casting, config: RuleConfig, name: str, groups: int, how: PlayLimits) -> None:
        plain = casting(config)
        game = plain.game
        self._room = require_trials(game)
        content = require_content(game).library()
        own = getattr(config, "content", None)
        if own is not None:
            content = require_content(game).merged(content, own)
        # A thing of which one or several can be had is tried as one.
        (trial, *_) = named_trials(self._room, config, content, [name], option=f"--goal {WORTH}")
        self._name, self._groups, self._resolved = name, groups, plain
        self._seats = [_Seat(resolved, how, rows=True) for resolved in (plain, *map(casting, trial.configs))]
        self.games = len(self._seats) * plain.plan.rotations
        self._paid: Whole = np.zeros(groups, np.int64)
        self._sizes: Whole = np.zeros(groups, np.int64)

    def play(self, deals: range) -> None:
        """Plays these deals without the piece, and with it in every seat."""
        plain, *having = ([part.rows for part in seat.play(deals) if part.rows is not None] for seat in self._seats)
        group = self._resolved.plan.grouping.of(np.arange(deals.start, deals.stop)) % self._groups
        for place, rows in enumerate(having):
            before, after = (
                np.concatenate([self._room.payoffs(some, place) for some in side]) for side in (plain, rows)
            )
            np.add.at(self._paid, group, after - before)
        self._sizes += _sizes(self._resolved, deals, self._groups)

    def reading(self) -> Reading:
        """Returns what it is worth on all deals so far."""
        filled = np.flatnonzero(self._sizes)
        each = self._room.PAYOFF * (len(self._seats) - 1)
        paid, sizes = self._paid[filled], self._sizes[filled]
        whole = paid.sum() / (each * sizes.sum())
        others = np.maximum(sizes.sum() - sizes, 1)
        without = (paid.sum() - paid) / (each * others)
        return Reading((WORTH + self._name,), np.array([whole]), without.reshape(-1, 1), (None,), tuple(sizes.tolist()))


class PlayLimits:
    """Where games are played, and when to stop."""

    def __init__(self, where: Where, stop: Stop) -> None:
        self.where, self.stop = where, stop
        #: Answers of agents that could not be used, so far.
        self.unused = 0


class _Seat:
    """A resolved plan with its executor."""

    def __init__(self, resolved: ResolvedPlan, how: PlayLimits, *, rows: bool = False) -> None:
        resolved.learn()
        self._rotations, self._how = resolved.plan.rotations, how
        self._executor = how.where.prepared(resolved, how.stop, rows=rows)

    def play(self, deals: range) -> list[FinishedGames]:
        """Plays these deals from every seat."""
        played = list(self._executor.play([range(deals.start * self._rotations, deals.stop * self._rotations)]))
        self._how.unused += sum(part.fallbacks.by_agent.total() for part in played if part.fallbacks is not None)
        if sum(part.games for part in played) < len(deals) * self._rotations:
            raise KeyboardInterrupt
        return played


def _sizes(resolved: ResolvedPlan, deals: range, groups: int) -> Whole:
    found: Whole = np.zeros(groups, np.int64)
    by_group = resolved.plan.grouping.sizes(deals.start, len(deals))
    np.add.at(found, np.arange(len(by_group)) % groups, by_group)
    return found


def info_of(resolved: ResolvedPlan, games: int) -> RunInfo:
    """Returns the run info that a report needs for these games."""
    return run_info(
        resolved,
        games=games,
        requested=games,
        backend="cpu",
        workers=1,
        strict=False,
        elapsed_s=0.0,
        prepared_s=0.0,
        fallbacks=Fallbacks(),
    )


def results_of(resolved: ResolvedPlan, counts: Any, info: RunInfo) -> Mapping[str, Any]:
    """Returns the results of the game's report, with the figures that its goals module adds."""
    results: dict[str, Any] = dict(resolved.game.report.results(counts, info))
    more = resolved.game.goals.figures if resolved.game.goals is not None else None
    return {**results, **more(counts, info)} if more is not None else results
