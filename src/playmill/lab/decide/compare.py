"""`compare`: plays two settings on the same deals and tests every figure's difference."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import Changes, RuleConfig, change_texts
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game
from playmill.interrupts import Stop, interrupt
from playmill.lab.decide.until_sure import BUDGET, SequentialQuestion, Telling, settle
from playmill.lab.runs.executors import where_of
from playmill.lab.runs.figures import described_figures, find, name_of, relabelled, with_numbers
from playmill.lab.runs.finished_games import RunTotal
from playmill.lab.runs.paired_play import PairedSetting, check_deals, turns
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan
from playmill.lab.runs.saved_progress import Keep, Kept, SavedProgress, played_before, played_so_far
from playmill.lab.runs.simulate import Progress, Simulation
from playmill.lab.runs.simulate.simulation import simulation
from playmill.report.commands.compare import (
    MARK_ENDS,
    ComparisonReport,
    FigureDifference,
    compared_tables,
    comparison_page,
    mark_of,
    print_comparison,
    table_so_far,
)
from playmill.report.commands.until_sure import Sure
from playmill.report.html.page import in_notebook
from playmill.report.model.tables import RunInfo, Table
from playmill.report.terminal.as_text import as_text
from playmill.stats.block_jackknife import Jackknifed, leave_out, with_intervals
from playmill.stats.critical_values import ONCE, AtAnyTime, Errors
from playmill.stats.differences import Difference, paired
from playmill.stats.estimates import Estimate
from playmill.texts import Lang, PlaymillError, user_language

if TYPE_CHECKING:
    import polars

#: Deals if nobody says how many, and nothing is to be settled.
DEALS = 10_000
#: Figures that will still change are shown at once where the rest takes so many seconds, and again after so many; of
#: all time, looks take no more than one part in this many.
_LONG, _NEXT_LOOK, _WORTH = 1.0, 0.7, 10


@dataclass(frozen=True)
class Comparison:
    """Two runs on the same deals: results of each, and every figure's difference, b - a."""

    a: Simulation
    b: Simulation
    differences: Mapping[str, Difference]
    #: What the agents of a and of b are called where their figures stand side by side.
    labels: tuple[Mapping[str, str], Mapping[str, str]]
    deals: int
    requested: int
    elapsed_s: float
    command: str = ""
    #: What was to be settled, and how sure that is, if it was played for that.
    sure: Sure | None = None
    #: The names of the kept runs that are compared, if nothing was played; whether they have the same deals.
    kept: tuple[str, str] | None = None
    same_luck: bool = True
    #: Whether what was played is on disk, so that asking the same again goes on from there.
    remembered: bool = False
    #: Whether figures were shown while it was played, and it did not come to its end: intervals hold at any look.
    looked: bool = False

    def __repr__(self) -> str:
        real = sum(one.real for one in self.differences.values())
        verdict = f", {self.sure.verdict}" if self.sure is not None else ""
        return (
            f"<Comparison of {self.a.info.game}: {self.deals} deals, {real} of {len(self.differences)} differ{verdict}>"
        )

    def __str__(self) -> str:
        lang = user_language()
        return as_text(lambda console: print_comparison(console, self.shown, self.tables(), lang))

    def _repr_html_(self) -> str:
        return in_notebook(self.page(user_language()))

    def __getitem__(self, name: str) -> Difference:
        """A difference by the name of its figure, or the last words of it: a, b, value, low, high, p, real."""
        return self.differences[name_of(find(name, self.a.results, "comparison[…]"))]

    def metrics(self) -> polars.DataFrame:
        """One row a figure: its value on each side, the difference, its 95 % interval, p, and whether it is real."""
        import polars

        rows = [
            (name, one.a, one.b, one.value, one.low, one.high, one.p, one.real)
            for name, one in self.differences.items()
        ]
        numbers = ("a", "b", "value", "low", "high", "p")
        kinds = {"name": polars.String, **dict.fromkeys(numbers, polars.Float64), "real": polars.Boolean}
        return polars.DataFrame(rows, kinds, orient="row", strict=False)

    @property
    def info(self) -> RunInfo:
        """What was played with the first of the settings."""
        return self.a.info

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
        """The share of variance that the common deals removed, of the figure in the middle; None if there is none."""
        found = sorted(one.removed for one in self.differences.values() if one.removed is not None)
        return found[len(found) // 2] if found else None

    @cached_property
    def shown(self) -> ComparisonReport:
        """It, ready to be printed or made a page."""
        report, info = self.a.game.report, replace(self.a.info, agents=_relabelled(self.a.info.agents, self.labels[0]))
        results = [relabelled(run.results, names) for run, names in zip((self.a, self.b), self.labels, strict=True)]
        moved = {name: (one.value, one.low, one.high) for name, one in self.differences.items()}
        marks = {name: (mark_of(one), *MARK_ENDS) for name, one in self.differences.items()}
        sections = [
            report.sections(tree, replace(run.info, agents=info.agents))
            for tree, run in (
                (results[0], self.a),
                (results[1], self.b),
                (with_numbers(results[0], moved), self.a),
                (with_numbers(results[0], marks), self.a),
            )
        ]
        return ComparisonReport(
            a=self.a.info,
            b=self.b.info,
            reports=(sections[0], sections[1], sections[2]),
            marks=sections[3],
            real=tuple(self.named(self.real)),
            deals=self.deals,
            requested=self.requested,
            elapsed_s=self.elapsed_s,
            removed=self.removed,
            tested=sum(one.tested for one in self.differences.values()),
            untested=sum(not one.tested for one in self.differences.values()),
            command=self.command,
            sure=self.sure,
            looked=self.looked,
            kept=self.kept,
            same_luck=self.same_luck,
        )

    def named(self, differences: Mapping[str, Difference]) -> Iterator[FigureDifference]:
        """Yields differences as the report's tables call their figures."""
        info = replace(self.a.info, agents=_relabelled(self.a.info.agents, self.labels[0]))
        results = relabelled(self.a.results, self.labels[0])
        every = {figure.name: figure for figure in described_figures(self.a.game, results, info).values()}
        for name, one in differences.items():
            figure = every[name]
            moves = Estimate(one.value, one.low, one.high, min(one.n))
            yield FigureDifference(figure.title, one.a, one.b, moves, percent=figure.percent)

    def table_so_far(self) -> Table:
        """Returns the leading figures, to be shown while deals are being played."""
        known = {name: one for name, one in self.differences.items() if one.tested and isfinite(one.high - one.low)}
        return table_so_far(self.named(known), self.deals, self.requested)

    def tables(self) -> list[Table]:
        """Returns what is really different, then every table of the report with a, b and the difference."""
        return compared_tables(self.shown)

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {
            "meta": {
                "game": self.a.info.game,
                "deals": self.deals,
                "requested": self.requested,
                "complete": self.complete,
                "seed": self.a.info.seed,
                "elapsed_s": self.elapsed_s,
                **({"kept": list(self.kept), "same_luck": self.same_luck} if self.kept else {}),
                "a": self.a.info.json(),
                "b": self.b.info.json(),
            },
            "results": {
                "differences": {name: one.json() for name, one in self.differences.items()},
                "variance_removed": self.removed,
                **({"sure": self.sure.json()} if self.sure is not None else {}),
                "a": self.a.results,
                "b": self.b.results,
            },
        }

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network."""
        return comparison_page(self.shown, self.tables(), lang)


@same_folder()
def compare(
    game: str | Game,
    *,
    a: Mapping[str, Any] | None = None,
    b: Mapping[str, Any] | None = None,
    players: int | None = None,
    agents: Any = "random",
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    games: int | None = None,
    rotate: bool = True,
    until_sure: str | None = None,
    within: float | None = None,
    seconds: float | None = None,
    keep: Keep = False,
    on: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    telling: Telling | None = None,
    preparing: Preparing | None = None,
    so_far: Callable[[Comparison], None] | None = None,
) -> Comparison:
    """Plays deals with the settings of each side, from every seat, and returns how every figure differs.

    `a` and `b` are those of the arguments `config`, `set`, `agents` and `players` that hold for one side alone, such as
    `b={"set": {"target": 50}}`; with a `seed` of its own a side has other deals. `games` deals are played (10,000 by
    default); with `until_sure`, the name of a figure, only until it is sure that it differs by more than `within`, or
    by less, and at most so many (a million), or `seconds`; with `keep` what was played is on disk, and asking the same
    again goes on from there (None keeps what takes long, a folder keeps it there). `on` is where it is played, as for
    `simulate`.
    `so_far` is shown what is known every now and then, with intervals that hold at any look, wider than at the end.
    Ctrl-C ends it with the deals that both have finished; if anything was shown before, with such intervals, too.
    """
    question, where = _question(until_sure, within, seconds), where_of(on, workers)
    games = games if games is not None else BUDGET if question else DEALS
    check_deals(games)
    common = {"players": players, "agents": agents, "config": config, "set": set, "seed": seed}
    resolved_plans = [_side(game, rotate, common, side or {}) for side in (a, b)]
    if resolved_plans[0].plan == resolved_plans[1].plan:
        raise PlaymillError(
            "the two sides are the same; say what differs: --a …, --b …",
            "обе стороны одинаковы; скажите, чем они отличаются: --a …, --b …",
        )
    labels = labels_of(*(tuple(dict.fromkeys(resolved.plan.names)) for resolved in resolved_plans))
    begun = time.perf_counter()
    sure: Sure | None = None
    before = 0.0
    command = _command(resolved_plans, games, rotate, question)
    with interrupt() as stop, where.joined(), ExitStack() as stack:
        sides = [
            PairedSetting(resolved, where, preparing, stop, names, rows=question is not None)
            for resolved, names in zip(resolved_plans, labels, strict=True)
        ]
        start = time.perf_counter()

        def found(requested: int, errors: Errors, before: float = 0.0) -> Comparison:
            elapsed = time.perf_counter() - start + before
            left = [side.left_out() for side in sides]
            runs = [
                _run(side, requested, errors, elapsed, start - begun, one)
                for side, one in zip(sides, left, strict=True)
            ]
            pairs = paired(left[0], left[1], errors)
            differences = {name_of(path): one for path, one in pairs.items()}
            deals = int(sides[0].total.blocks.sum())
            return Comparison(runs[0], runs[1], differences, labels, deals, requested, round(elapsed, 3), command)

        if question is not None:
            memory = stack.enter_context(question.memory(resolved_plans, keep=keep, command=command, deals=games))
            sure = settle(question, sides, games, stop, memory=memory, progress=progress, telling=telling)
            before = memory.seconds
            sure = replace(sure, kept=memory.kept) if sure is not None else None
        else:
            memory = stack.enter_context(
                SavedProgress(
                    {"plans": [resolved.plan.json() for resolved in resolved_plans]},
                    keep=keep,
                    listed=Kept("compare", command, games),
                )
            )

            def show() -> None:
                if so_far is not None:
                    so_far(replace(found(games, AtAnyTime(_deals(sides)), memory.seconds), looked=True))

            looked = _play(sides, games, stop, memory, progress, show if so_far is not None else None)
            before = memory.seconds
    deals = int(sides[0].total.blocks.sum())
    if not deals:
        raise KeyboardInterrupt
    if question is None:
        # Whoever looked may have stopped because of what was seen.
        looked = looked and deals < games
        made = found(games, AtAnyTime(deals) if looked else ONCE, before)
        return replace(made, remembered=memory.kept, looked=looked)
    # Whoever is sure, or out of time, has played all that was wanted.
    requested = games if stop() and not (sure and sure.settled) else deals
    made = found(requested, AtAnyTime(deals), before)
    if sure is not None and (decided := made.differences.get(sure.name)) is not None:
        settled = replace(decided, low=sure.last.low, high=sure.last.high)
        return replace(made, differences={**made.differences, sure.name: settled}, sure=sure)
    return replace(made, sure=sure)


def _question(figure: str | None, within: float | None, seconds: float | None) -> SequentialQuestion | None:
    if figure is None:
        if within is not None or seconds is not None:
            option = "--within" if within is not None else "--time"
            raise PlaymillError(
                f"{option} needs --until-sure FIGURE, which says what is to be settled",
                f"{option} без --until-sure ПОКАЗАТЕЛЬ не имеет смысла: что надо решить?",
            )
        return None
    question = SequentialQuestion(figure, within, seconds=seconds)
    question.check(compared=True)
    return question


def _play(
    sides: Sequence[PairedSetting],
    deals: int,
    stop: Stop,
    memory: SavedProgress,
    progress: Progress | None,
    so_far: Callable[[], None] | None,
) -> bool:
    """Plays the deals that are not saved yet; returns whether anything was shown before the end."""
    before = played = played_before(memory, sides, deals)
    looked, next_look, started = False, 0.0, time.monotonic()
    for _ in turns(sides, deals, stop, first=played):
        played = int(sides[0].total.blocks.sum())
        memory.note(lambda: played_so_far(sides), at_once=played == deals)
        if progress is not None:
            progress(played)
        begun = time.monotonic()
        rest = (begun - started) * (deals - played) / max(1, played - before)
        if so_far is not None and begun >= next_look and rest > (0 if looked else _LONG):
            so_far()
            looked, ended = True, time.monotonic()
            next_look = ended + max(_NEXT_LOOK, _WORTH * (ended - begun))
    if played:
        memory.note(lambda: played_so_far(sides), at_once=True)
    return looked


def _deals(sides: Sequence[PairedSetting]) -> int:
    """Returns how many deals all sides have played."""
    return int(sides[0].total.blocks.sum())


def _run(
    side: PairedSetting, deals: int, errors: Errors, elapsed: float, prepared: float, left: Jackknifed
) -> Simulation:
    """Returns the result of one side alone; `left` is what is known without each group of its deals."""

    def figures(resolved: ResolvedPlan, total: RunTotal, info: RunInfo) -> dict[str, Any]:
        if not side.labels:
            return with_intervals(left, errors)
        # Its agents under their own names, not under those that both sides have in common.
        own = leave_out(
            lambda counts: resolved.game.report.results(counts, info), total.counts.groups, total.blocks.tolist()
        )
        return with_intervals(own, errors)

    return simulation(
        side.resolved,
        side.total,
        requested=deals * side.rotations,
        backend=side.backend,
        workers=side.executor.workers,
        strict=False,
        elapsed_s=elapsed,
        prepared_s=prepared,
        figures=None if errors is ONCE else figures,
    )


def _side(game: str | Game, rotate: bool, common: Mapping[str, Any], own: Mapping[str, Any]) -> ResolvedPlan:
    return resolve_plan(game, rotate=rotate, grouped=True, **side_settings(common, own))


def side_settings(
    common: Mapping[str, Any],
    own: Mapping[str, Any],
    may_differ: Sequence[str] = ("agents", "config", "players", "seed", "set"),
) -> dict[str, Any]:
    """Returns what one side plays: what holds for both, and what it has of its own."""
    for name in own:
        if name not in may_differ:
            known = ", ".join(may_differ)
            raise PlaymillError(
                f"one side cannot have {name!r} of its own; expected {known}; a setting of the rules goes into 'set'",
                f"у одной стороны не может быть своего {name!r}; ожидается {known}; настройка правил — в 'set'",
            )
    return {**common, **own, "set": (*change_texts(common.get("set", ())), *change_texts(own.get("set", ())))}


def _command(
    resolved_plans: Sequence[ResolvedPlan], games: int, rotate: bool, question: SequentialQuestion | None
) -> str:
    """Returns the command line that repeats the comparison."""
    words = [
        "playmill",
        "compare",
        resolved_plans[0].reference,
        "--games",
        str(games),
        "--seed",
        str(resolved_plans[0].plan.seed),
    ]
    for name, resolved in zip("ab", resolved_plans, strict=True):
        words += [f"--{name}", *resolved.found, *resolved.changes()]
    words += ["--players", str(resolved_plans[0].plan.players), *([] if rotate else ["--fixed-seats"])]
    return shlex.join([*words, *(question.words() if question is not None else [])])


def labels_of(a: Sequence[str], b: Sequence[str]) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Returns common names for agents that replace each other; none if one side has more of them."""
    if a == b or len(a) != len(b):
        return {}, {}
    common = [one if one == other else f"{one} → {other}" for one, other in zip(a, b, strict=True)]
    return dict(zip(a, common, strict=True)), dict(zip(b, common, strict=True))


def _relabelled(agents: Sequence[str], names: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(names.get(agent, agent) for agent in agents)
