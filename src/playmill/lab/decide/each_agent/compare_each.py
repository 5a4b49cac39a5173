"""`compare_each`: compares two settings once for each of several agents, and finds what turns over between them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rich.console import Console

from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import Changes, RuleConfig
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game
from playmill.lab.decide.compare import DEALS, Comparison, compare, side_settings
from playmill.lab.decide.each_agent.agents import (
    AmongWhom,
    ask_each,
    check_among,
    games_each,
    renamed,
    sizes_text,
    together,
)
from playmill.lab.decide.each_agent.corrections import corrected_together, turned_differences
from playmill.lab.decide.each_agent.result import EachAgentResult
from playmill.lab.runs.executors import where_of
from playmill.lab.runs.figures import described_figures, name_of
from playmill.lab.runs.resolved_plan import ResolvedPlan, resolve_plan
from playmill.lab.runs.saved_progress import Keep
from playmill.lab.runs.simulate import Progress, Simulation
from playmill.report.commands.compare_each import ComparisonEachReport, compared_each_page, print_compared_each
from playmill.report.commands.each_agent import (
    SIGNS,
    RealDifference,
    ReversedFigure,
    difference_tables,
    real_table,
    turned_table,
)
from playmill.report.model.among import Among, named
from playmill.report.model.tables import Estimate, Table
from playmill.stats.block_jackknife import figures, value_of
from playmill.stats.differences import Difference
from playmill.stats.fair_share import Answer, nearer
from playmill.texts import Lang, PlaymillError, Text


@dataclass(frozen=True, repr=False)
class ComparisonEach(EachAgentResult[Comparison]):
    """Comparisons of the same two settings among each agent, corrected for all of them together."""

    turned: tuple[ReversedFigure, ...]

    @cached_property
    def shown(self) -> ComparisonEachReport:
        """It, ready to be printed or made a page."""
        return ComparisonEachReport(
            self.asked,
            tuple(one.shown for one in self.found),
            tuple(tuple(one.tables()) for one in self.found),
            tuple(self.tables()),
            self.command,
            complete=self.complete,
        )

    def tables(self) -> list[Table]:
        """Returns what turns over, what is really different, and every difference among each agent side by side."""
        alike = [_alike(one, who, self.played) for one, who in zip(self.found, self.played, strict=True)]
        return [
            turned_table(self.turned, self.who),
            real_table(self.who, self._real(alike)),
            *difference_tables(self.who, [one.shown.reports[2] for one in alike], [one.shown.marks for one in alike]),
        ]

    def _real(self, alike: Sequence[Comparison]) -> Iterator[RealDifference]:
        """Yields the differences that are real among any, also of figures that no table has."""
        every = [dict(zip(one.differences, one.named(one.differences), strict=True)) for one in alike]
        for name in dict.fromkeys(name for one in alike for name in one.real):
            among = [who for who, one in zip(self.who, alike, strict=True) if name in one.real]
            figure = next(one[name] for one in every if name in one)
            cells = [one[name].difference if name in one else None for one in every]
            yield RealDifference(figure.title, cells, figure.percent, among)

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        first = self.found[0].a.info
        return {
            "meta": {
                "game": first.game,
                "playmill": first.playmill,
                "among": list(self.among),
                **({"levels": [one.key for one in self.levels]} if self.levels else {}),
                "seed": first.seed,
                "complete": self.complete,
                "elapsed_s": round(sum(one.elapsed_s for one in self.found), 3),
                "command": self.command,
            },
            "turned": [one.json(self.who) for one in self.turned],
            "runs": [one.json() for one in self.found],
        }

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network."""
        return compared_each_page(self.shown, lang)

    def show(self, console: Console, lang: Lang) -> None:
        """Prints it."""
        print_compared_each(console, self.shown, lang)


@same_folder()
def compare_each(
    game: str | Game,
    *,
    among: Sequence[Any],
    a: Mapping[str, Any] | None = None,
    b: Mapping[str, Any] | None = None,
    players: int | None = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    games: int | Sequence[int] = DEALS,
    rotate: bool = True,
    keep: Keep = False,
    on: str | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    preparing: Preparing | None = None,
) -> ComparisonEach:
    """Compares two settings among each of some agents, who take all seats, on the same deals.

    Arguments are those of `compare`. A difference is called real if it
    stands after the correction for all figures among all agents, and so is what turns over: a difference with another
    sign, a figure that comes nearer to fair among some and moves away from it among others.
    """
    whom = check_among(game, among, players)
    asked = "--levels" if whom.levels else "--among"
    for side, name in ((a, "--a"), (b, "--b")):
        if side and "agents" in side:
            raise PlaymillError(
                f"{asked} says who plays on both sides; {name} names agents, too",
                f"{asked} говорит, кто играет на обеих сторонах; агентов называет и {name}",
            )
    common = {"players": players, "config": config, "set": set, "seed": seed}

    each = games_each(games, whom.names)

    def ask(agent: Any, place: int) -> Comparison:
        before = sum(each[:place])
        report_done = (lambda done: progress(before + done)) if progress is not None else None
        return compare(
            game,
            a=a,
            b=b,
            players=players,
            agents=(agent,),
            config=config,
            set=set,
            seed=seed,
            games=each[place],
            rotate=rotate,
            keep=keep,
            on=on,
            workers=workers,
            progress=report_done,
            preparing=preparing,
        )

    with where_of(on, workers).joined():
        found = ask_each(whom.agents, ask)
    corrected, turned = _corrected(found, named(whom.names, whom.levels)[: len(found)])
    resolved_plans = [_side(game, rotate, whom.agents, common, side or {}) for side in (a, b)]
    command = _command(resolved_plans, each, whom, rotate)
    return ComparisonEach(whom.names, tuple(corrected), command, tuple(turned), levels=whom.levels)


def _corrected(found: Sequence[Comparison], whom: Sequence[Among]) -> tuple[list[Comparison], list[ReversedFigure]]:
    """Corrects comparisons for all figures and agents together, and finds what turns over between agents."""
    agents = [one.agent for one in whom]
    common = together(agents)
    every: dict[tuple[int, str], Difference] = {}
    distances: dict[tuple[int, str], Answer] = {}
    titles: dict[str, tuple[Text, bool]] = {}
    for who, (one, agent) in enumerate(zip(found, agents, strict=True)):
        a, b = _estimates(one.a), _estimates(one.b)
        for figure in described_figures(one.a.game, one.a.results, one.a.info).values():
            own = figure.name
            difference, name = one.differences.get(own), renamed(own, agent, common)
            if difference is None:
                continue
            every[who, name] = difference
            title = Text(*(title_text.replace(agent, common) for title_text in figure.title))
            titles.setdefault(name, (title, figure.percent))
            fair = figure.fair_among(a)
            if fair is not None and own in a and own in b:
                distances[who, name] = nearer(a[own], b[own], difference.p, fair, figure.fair_among(b))
    real, near = corrected_together(every, distances)
    corrected = [
        replace(
            one,
            differences={
                name: real.get((who, renamed(name, agent, common)), old) for name, old in one.differences.items()
            },
        )
        for who, (one, agent) in enumerate(zip(found, agents, strict=True))
    ]
    turned = [
        one
        for name, (title, percent) in titles.items()
        for one in turned_differences(
            whom,
            title,
            [real.get((who, name)) for who in range(len(agents))],
            [near.get((who, name), 0) for who in range(len(agents))],
            form=SIGNS,
            percent=percent,
        )
    ]
    return corrected, turned


def _estimates(run: Simulation) -> dict[str, Estimate]:
    """Returns the figures of a run by name."""
    made = {}
    for path, found in figures(run.results).items():
        value = value_of(found)
        made[name_of(path)] = Estimate(float(value), found["low"], found["high"], value.n, value.most)
    return made


def _alike(one: Comparison, agent: str, agents: Sequence[str]) -> Comparison:
    """Returns a comparison in which the agent has the name common to all agents, so that its rows are found."""
    common = together(agents)
    names = {agent: common}
    differences = {renamed(name, agent, common): found for name, found in one.differences.items()}
    return replace(one, labels=(names, names), differences=differences)


def _side(
    game: str | Game, rotate: bool, among: Sequence[Any], common: Mapping[str, Any], own: Mapping[str, Any]
) -> list[ResolvedPlan]:
    """Returns the options of one side for each agent."""
    settings = side_settings(common, own, ("config", "players", "set"))
    return [resolve_plan(game, rotate=rotate, agents=(agent,), **settings) for agent in among]


def _command(sides: Sequence[Sequence[ResolvedPlan]], games: Sequence[int], whom: AmongWhom, rotate: bool) -> str:
    """Returns the command line that repeats the comparison."""
    first = sides[0][0]
    words = [
        "playmill",
        "compare",
        first.reference,
        "--games",
        sizes_text(games, exact=bool(whom.levels)),
        "--seed",
        str(first.plan.seed),
    ]
    words += ["--players", str(first.plan.players), *([] if rotate else ["--fixed-seats"])]
    words += whom.options([resolved.found[0] for resolved in sides[0]])
    for name, resolved_plans in zip("ab", sides, strict=True):
        words += [f"--{name}", *changes] if (changes := resolved_plans[0].changes()) else []
    return shlex.join(words)
