"""`compare`: two settings of a game on the same luck, every figure with its difference."""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.agent import Preparing
from playmill.engine.game import Game
from playmill.engine.workplace import same_folder
from playmill.lab.cast import Cast, Work, gather
from playmill.lab.parts import Part, Total
from playmill.lab.places.place import Wanted
from playmill.lab.places.threads import Threads
from playmill.lab.simulate import Progress, Simulation
from playmill.lab.simulate.simulation import simulation
from playmill.report.comparison import Compared, compared_tables, comparison_page
from playmill.report.model import Table
from playmill.stats.blocks import LeftOut, Path, leave_out
from playmill.stats.differences import Difference, paired
from playmill.stopping import Stop, interrupt
from playmill.texts import Lang, PlaymillError

#: Deals are played on both sides by turns, about so many seconds at a time: stopped early, both have the same ones.
_TURN = 1.0
_FIRST_TURN = 64


@dataclass(frozen=True)
class Comparison:
    """Two runs on the same deals: what each found, and every figure's difference, b - a."""

    a: Simulation
    b: Simulation
    differences: Mapping[str, Difference]
    #: What the agents of a and of b are called where their figures stand side by side.
    labels: tuple[Mapping[str, str], Mapping[str, str]]
    deals: int
    requested: int
    elapsed_s: float
    command: str = ""

    def __repr__(self) -> str:
        real = sum(one.real for one in self.differences.values())
        return f"<Comparison of {self.a.info.game}: {self.deals} deals, {real} of {len(self.differences)} differ>"

    def _repr_html_(self) -> str:
        return self.page("en")

    @property
    def complete(self) -> bool:
        """Whether all deals were played."""
        return self.deals == self.requested

    @property
    def real(self) -> dict[str, Difference]:
        """The differences that are real."""
        return {name: one for name, one in self.differences.items() if one.real}

    @cached_property
    def removed(self) -> float | None:
        """The share of variance that the common luck removed, of the figure in the middle; None if there is none."""
        found = sorted(one.removed for one in self.differences.values() if one.removed is not None)
        return found[len(found) // 2] if found else None

    @cached_property
    def shown(self) -> Compared:
        """It, ready to be printed or made a page."""
        report, info = self.a.game.report, replace(self.a.info, agents=_relabelled(self.a.info.agents, self.labels[0]))
        results = [relabelled(run.results, names) for run, names in zip((self.a, self.b), self.labels, strict=True)]
        moved = {name: (one.value, one.low, one.high) for name, one in self.differences.items()}
        marks = {name: (float(one.real), -1.0, 2.0) for name, one in self.differences.items()}
        sections = [
            report.sections(tree, replace(run.info, agents=info.agents))
            for tree, run in (
                (results[0], self.a),
                (results[1], self.b),
                (_with_numbers(results[0], moved), self.a),
                (_with_numbers(results[0], marks), self.a),
            )
        ]
        return Compared(
            a=self.a.info,
            b=self.b.info,
            reports=(sections[0], sections[1], sections[2]),
            marks=sections[3],
            deals=self.deals,
            requested=self.requested,
            elapsed_s=self.elapsed_s,
            removed=self.removed,
            real=len(self.real),
            figures=len(self.differences),
            command=self.command,
        )

    def tables(self) -> list[Table]:
        """What is really different, then every table of the report with a, b and the difference."""
        return compared_tables(self.shown)

    def json(self) -> dict[str, Any]:
        """The form in which it is saved."""
        return {
            "meta": {
                "game": self.a.info.game,
                "deals": self.deals,
                "requested": self.requested,
                "complete": self.complete,
                "seed": self.a.info.seed,
                "elapsed_s": self.elapsed_s,
                "a": self.a.info.json(),
                "b": self.b.info.json(),
            },
            "results": {
                "differences": {name: one.json() for name, one in self.differences.items()},
                "variance_removed": self.removed,
                "a": self.a.results,
                "b": self.b.results,
            },
        }

    def page(self, lang: Lang) -> str:
        """A page that opens without a network."""
        return comparison_page(self.shown, self.tables(), lang)


@same_folder()
def compare(
    game: str | Game,
    *,
    a: Mapping[str, Any] | None = None,
    b: Mapping[str, Any] | None = None,
    games: int = 10_000,
    rotate: bool = True,
    workers: int | None = None,
    progress: Progress | None = None,
    preparing: Preparing | None = None,
    **common: Any,
) -> Comparison:
    """Plays `games` deals with the settings of each side, from every seat, and returns how every figure differs.

    `a` and `b` are arguments of `simulate` that hold for one side: `config`, `set`, `agents`, `players`; `common` are
    those of both. Ctrl-C ends it with the deals that both have finished.
    """
    if games < 1:
        raise PlaymillError(f"cannot play {games} deals; at least 1", f"нельзя сыграть {games} раздач; нужна хотя бы 1")
    casts = [_side(game, rotate, common, side or {}) for side in (a, b)]
    if casts[0].plan == casts[1].plan:
        raise PlaymillError(
            "the two sides are the same; say what differs: --a …, --b …",
            "обе стороны одинаковы; скажите, чем они отличаются: --a …, --b …",
        )
    totals = [Total(cast.plan, cast.game) for cast in casts]
    begun = time.perf_counter()
    with interrupt() as stop:
        sides = [_Side(cast, workers, preparing, stop) for cast in casts]
        start = time.perf_counter()
        deals = 0
        for turn in _turns(sides, games, stop):
            stop.keep()
            for total, parts in zip(totals, turn, strict=True):
                for part in parts:
                    total.add(part)
            deals = int(totals[0].blocks.sum())
            if progress is not None:
                progress(deals)
    if not deals:
        raise KeyboardInterrupt
    elapsed = time.perf_counter() - start
    runs = [
        simulation(
            cast,
            total,
            requested=games * cast.plan.rotations,
            backend="cpu",
            workers=side.place.workers,
            strict=False,
            elapsed_s=elapsed,
            prepared_s=start - begun,
        )
        for cast, total, side in zip(casts, totals, sides, strict=True)
    ]
    labels = _labels(runs[0].info.agent_names, runs[1].info.agent_names)
    left = [
        _left_out(cast, total, run, names) for cast, total, run, names in zip(casts, totals, runs, labels, strict=True)
    ]
    found = {name_of(path): one for path, one in paired(left[0], left[1]).items()}
    command = _command(casts, games, rotate)
    return Comparison(runs[0], runs[1], found, labels, deals, games, round(elapsed, 3), command)


def name_of(path: Path) -> str:
    """The name of a figure: where it stands in the results."""
    return ".".join(map(str, path))


def _side(game: str | Game, rotate: bool, common: Mapping[str, Any], own: Mapping[str, Any]) -> Cast:
    settings = {**common, **own, "set": (*common.get("set", ()), *own.get("set", ()))}
    return gather(game, rotate=rotate, grouped=True, **settings)


class _Side:
    """One of the two: its cast, and where it is played."""

    def __init__(self, cast: Cast, workers: int | None, preparing: Preparing | None, stop: Stop) -> None:
        cast.learn(preparing)
        self.rotations = cast.plan.rotations
        self.place = Threads(cast, Work("cpu", False, Fallbacks(), stop), workers)
        self.place.prepare(Wanted())

    def play(self, first: int, deals: int) -> list[Part]:
        """Plays these deals; fewer if somebody asked to stop."""
        return list(self.place.play([range(first * self.rotations, (first + deals) * self.rotations)]))

    def deals(self, parts: Sequence[Part]) -> int:
        """How many deals were played from every seat."""
        return sum(part.games for part in parts) // self.rotations


def _turns(sides: list[_Side], deals: int, stop: Stop) -> Iterator[list[list[Part]]]:
    """The same deals on both sides, some at a time; those that one side did not finish are left out."""
    first, size = 0, _FIRST_TURN
    while first < deals and not stop():
        count = min(size, deals - first)
        start = time.perf_counter()
        turn = [side.play(first, count) for side in sides]
        if any(
            sum(part.games for part in parts) < count * side.rotations for parts, side in zip(turn, sides, strict=True)
        ):
            return
        yield turn
        first += count
        seconds = max(time.perf_counter() - start, 1e-6)
        size = max(1, min(size * 4, int(count * 2 * _TURN / seconds)))


def _command(casts: Sequence[Cast], games: int, rotate: bool) -> str:
    """The command line that compares them again."""
    words = ["playmill", "compare", casts[0].named, "--games", str(games), "--seed", str(casts[0].plan.seed)]
    for name, cast in zip("ab", casts, strict=True):
        words += [f"--{name}", *cast.written, *cast.changes()]
    words += ["--players", str(casts[0].plan.players)]
    return shlex.join([*words, *([] if rotate else ["--fixed-seats"])])


def _left_out(cast: Cast, total: Total, run: Simulation, names: Mapping[str, str]) -> LeftOut:
    def report(counts: Any) -> Mapping[str, Any]:
        found: Mapping[str, Any] = relabelled(cast.game.report.results(counts, run.info), names)
        return found

    return leave_out(report, total.counts.groups, total.blocks.tolist())


def _labels(a: Sequence[str], b: Sequence[str]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Common names of agents that stand in each other's place; none if there are more on one side."""
    if a == b or len(a) != len(b):
        return {}, {}
    common = [one if one == other else f"{one} → {other}" for one, other in zip(a, b, strict=True)]
    return dict(zip(a, common, strict=True)), dict(zip(b, common, strict=True))


def relabelled(results: Any, names: Mapping[str, str]) -> Any:
    """Nested results in which agents have other names."""
    if isinstance(results, Mapping):
        return {names.get(key, key): relabelled(part, names) for key, part in results.items()}
    if isinstance(results, list):
        return [relabelled(part, names) for part in results]
    return results


def _relabelled(agents: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(agent, agent) for agent in agents)


def _with_numbers(results: Any, numbers: Mapping[str, tuple[float, float, float]], path: Path = ()) -> Any:
    """Nested results with other values and intervals in place of estimates, by name."""
    if isinstance(results, Mapping):
        made = {key: _with_numbers(part, numbers, (*path, key)) for key, part in results.items()}
        if (found := numbers.get(name_of(path))) is not None:
            made |= dict(zip(("mean" if "mean" in made else "value", "low", "high"), found, strict=True))
        return made
    if isinstance(results, list):
        return [_with_numbers(part, numbers, (*path, place)) for place, part in enumerate(results)]
    return results
