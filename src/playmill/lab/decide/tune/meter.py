"""What is measured of one setting: the figures that goals ask for, on deals that can be added to."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.config.model import RuleConfig
from playmill.engine.run.match import Whole
from playmill.lab.decide.tune.goals import WORTH
from playmill.lab.decide.worth import named_trials, trials_room
from playmill.lab.runs.content import content_room
from playmill.lab.runs.counts import Counts
from playmill.lab.runs.executors.place import Wanted
from playmill.lab.runs.executors.threads import Threads
from playmill.lab.runs.figures import Figure, described, name_of
from playmill.lab.runs.parts import Part
from playmill.lab.runs.resolved_plan import Cast, Work
from playmill.lab.runs.simulate.simulation import run_info
from playmill.report.model import RunInfo
from playmill.stats.blocks import figures, value_of
from playmill.stats.losses import Reading
from playmill.stopping import Stop

#: Makes the cast of a config, at one table.
Casting = Callable[[RuleConfig], Cast]


class Meter(Protocol):
    """Plays deals of one setting, in their order, and reads its figures; every deal takes so many `games`."""

    games: int

    def play(self, deals: range) -> None:
        """Plays these deals; KeyboardInterrupt if somebody asks to stop before they are finished."""

    def reading(self) -> Reading:
        """What the figures are on all deals so far."""


class ReportMeter:
    """Reads figures of the game's report, and those that its goals count beside it."""

    def __init__(self, cast: Cast, wanted: Sequence[re.Pattern[str]], groups: int, how: How) -> None:
        self._cast, self._wanted, self._groups = cast, wanted, groups
        self._seat = _Seat(cast, how)
        self.games = cast.plan.rotations
        self._counts = Counts(cast.game.tally, groups)
        self._sizes: Whole = np.zeros(groups, np.int64)

    def play(self, deals: range) -> None:
        """Plays these deals."""
        for part in self._seat.play(deals):
            cells = part.cells.copy()
            cells["group"] %= self._groups
            self._counts.add(cells)
        self._sizes += _sizes(self._cast, deals, self._groups)

    def reading(self) -> Reading:
        """What the figures are on all deals so far."""
        games = int(self._sizes.sum()) * self._cast.plan.rotations
        info = info_of(self._cast, games)
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

    def described(self, wanted: Sequence[re.Pattern[str]]) -> dict[str, Figure]:
        """Figures as the report of all deals so far tells them, by name."""
        info = info_of(self._cast, int(self._sizes.sum()) * self._cast.plan.rotations)
        counts = self._counts.groups.view(np.int64).reshape(self._groups, -1).sum(axis=0).view(self._cast.game.tally)[0]
        results = results_of(self._cast, counts, info)
        return {
            name: described(self._cast.game, results, info, path)
            for path in figures(results)
            if _is_among(wanted, name := name_of(path))
        }

    def _figures(self, numbers: Whole, info: RunInfo) -> dict[str, Any]:
        counts = numbers.view(self._cast.game.tally)[0]
        found = ((name_of(path), saved) for path, saved in figures(results_of(self._cast, counts, info)).items())
        return {name: value_of(saved) for name, saved in found if _is_among(self._wanted, name)}


def _is_among(wanted: Sequence[re.Pattern[str]], name: str) -> bool:
    return any(pattern.fullmatch(name) for pattern in wanted)


class WorthMeter:
    """Reads what one piece of content is worth to whoever has it: the change in win rate, over all seats."""

    def __init__(self, casting: Casting, config: RuleConfig, name: str, groups: int, how: How) -> None:
        plain = casting(config)
        game = plain.game
        self._room = trials_room(game)
        content = content_room(game).library()
        own = getattr(config, "content", None)
        if own is not None:
            content = content_room(game).merged(content, own)
        # A thing of which one or several can be had is tried as one.
        (trial, *_) = named_trials(self._room, config, content, [name], said=f"--goal {WORTH}")
        self._name, self._groups, self._cast = name, groups, plain
        self._seats = [_Seat(cast, how) for cast in (plain, *map(casting, trial.configs))]
        self.games = len(self._seats) * plain.plan.rotations
        self._paid: Whole = np.zeros(groups, np.int64)
        self._sizes: Whole = np.zeros(groups, np.int64)

    def play(self, deals: range) -> None:
        """Plays these deals without the piece, and with it in every seat."""
        plain, *having = ([part.rows for part in seat.play(deals) if part.rows is not None] for seat in self._seats)
        group = self._cast.plan.grouping.of(np.arange(deals.start, deals.stop)) % self._groups
        for place, rows in enumerate(having):
            before, after = (
                np.concatenate([self._room.payoffs(some, place) for some in side]) for side in (plain, rows)
            )
            np.add.at(self._paid, group, after - before)
        self._sizes += _sizes(self._cast, deals, self._groups)

    def reading(self) -> Reading:
        """What it is worth on all deals so far."""
        filled = np.flatnonzero(self._sizes)
        each = self._room.PAYOFF * (len(self._seats) - 1)
        paid, sizes = self._paid[filled], self._sizes[filled]
        whole = paid.sum() / (each * sizes.sum())
        others = np.maximum(sizes.sum() - sizes, 1)
        without = (paid.sum() - paid) / (each * others)
        return Reading((WORTH + self._name,), np.array([whole]), without.reshape(-1, 1), (None,), tuple(sizes.tolist()))


class How:
    """How games are played: on how many threads, and until who says stop."""

    def __init__(self, workers: int | None, stop: Stop) -> None:
        self.workers, self.stop = workers, stop
        #: Answers of agents that could not be used, so far.
        self.unused = 0


class _Seat:
    """A cast at its table."""

    def __init__(self, cast: Cast, how: How) -> None:
        cast.learn()
        self._rotations, self._how = cast.plan.rotations, how
        self._place = Threads(cast, Work("cpu", False, Fallbacks(), how.stop), how.workers)
        self._place.prepare(Wanted())

    def play(self, deals: range) -> list[Part]:
        """Plays these deals from every seat."""
        played = list(self._place.play([range(deals.start * self._rotations, deals.stop * self._rotations)]))
        self._how.unused += sum(part.fallbacks.by_agent.total() for part in played if part.fallbacks is not None)
        if sum(part.games for part in played) < len(deals) * self._rotations:
            raise KeyboardInterrupt
        return played


def _sizes(cast: Cast, deals: range, groups: int) -> Whole:
    found: Whole = np.zeros(groups, np.int64)
    by_group = cast.plan.grouping.sizes(deals.start, len(deals))
    np.add.at(found, np.arange(len(by_group)) % groups, by_group)
    return found


def info_of(cast: Cast, games: int) -> RunInfo:
    """What a report has to know of games that were played here."""
    return run_info(
        cast,
        games=games,
        requested=games,
        backend="cpu",
        workers=1,
        strict=False,
        elapsed_s=0.0,
        prepared_s=0.0,
        fallbacks=Fallbacks(),
    )


def results_of(cast: Cast, counts: Any, info: RunInfo) -> Mapping[str, Any]:
    """The results of the game's report, with what its goals count beside."""
    results: dict[str, Any] = dict(cast.game.report.results(counts, info))
    more = getattr(cast.game.goals, "figures", None)
    return {**results, **more(counts, info)} if more is not None else results


def figure_names(cast: Cast) -> list[str]:
    """The names of all figures that a report of this cast has."""
    counts = np.zeros(1, cast.game.tally)[0]
    return [name_of(path) for path in figures(results_of(cast, counts, info_of(cast, 0)))]
