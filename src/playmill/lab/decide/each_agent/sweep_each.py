"""`sweep_each`: sweeps a number of the rules once for each of several agents, and finds what turns over."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from rich.console import Console
from rich.text import Text as RichText

from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import Changes, RuleConfig
from playmill.engine.contract.agent import Preparing
from playmill.engine.contract.game import Game
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
from playmill.lab.decide.sweep import Sweep, sweep
from playmill.lab.decide.sweep.report import KICKER, print_sweep, sweep_parts
from playmill.lab.decide.sweep.result import SweptSetting
from playmill.lab.decide.sweep.run import DEALS
from playmill.lab.runs.executors import where_of
from playmill.lab.runs.figures import ReportFigure
from playmill.lab.runs.saved_progress import Keep
from playmill.lab.runs.simulate import Progress
from playmill.report.commands.each_agent import AGAINST_RULES, ReversedFigure, real_among, turned_table
from playmill.report.commands.side_by_side import among_text, deals_text, players_text
from playmill.report.html.page import (
    command_part,
    contents,
    fact_list,
    page_of,
    plot_section,
    run_heading,
    section,
    warning,
)
from playmill.report.model.among import Among, among_names, named
from playmill.report.model.common_tables import FAIR
from playmill.report.model.tables import Cell, Table
from playmill.report.number_format import decimal, duration
from playmill.report.plots import Curve, LinePlot, LinePoint, Scale
from playmill.report.terminal.report_printer import print_tables, print_title
from playmill.report.terminal.row_layout import SPACE, print_words
from playmill.stats.differences import Difference
from playmill.stats.fair_share import Answer, nearer
from playmill.texts import Lang, Text

_RULES = Text("the rules", "правила")
_REAL_AMONG = Text("differs from the rules among", "отличается от правил среди")
_MISSING = Text(
    "Incomplete: not all settings were played among all of them.", "Не завершено: сыграны не все настройки."
)
METHOD = Text(
    "Among all of these agents all settings play the same deals with the same luck; intervals (95 %) are over deals. A"
    " difference from the rules is called real, and anything is said to turn over, if it stands after Holm's correction"
    " for all settings and figures among all of these agents and for asking of each fair share whether it comes nearer:"
    " if nothing differs, anything at all is called real in at most 5 % of such sweeps.",
    "Среди каждого из этих агентов все настройки играют одни и те же раздачи с одной и той же удачей; интервалы (95 %)"
    " — по раздачам. Отличие от правил названо настоящим, а что-то — переворачивающимся, если это выдерживает поправку"
    " Холма на все настройки и показатели у всех этих агентов и на вопрос о каждой честной доле, стала ли она ближе:"
    " если ничего не отличается, хоть что-то будет так названо не более чем в 5 % случаев.",
)


@dataclass(frozen=True, repr=False)
class SweepEach(EachAgentResult[Sweep]):
    """Sweeps over the same settings among each agent, corrected for all of them together."""

    turned: tuple[ReversedFigure, ...]

    @cached_property
    def _figures(self) -> list[tuple[ReportFigure, ...]]:
        """Every figure that is shown, as each sweep calls it."""
        return list(zip(*(one.figures for one in self.found), strict=False))

    def tables(self) -> list[Table]:
        """What turns over, and a table for each figure: the values, the figure among each agent, where it is real."""
        every = (self._table(number, figures) for number, figures in enumerate(self._figures, 1))
        return [turned_table(self.turned, self.who), *every]

    def _table(self, number: int, figures: Sequence[ReportFigure]) -> Table:
        first = self.found[0]
        rows: list[tuple[Cell, ...]] = []
        if not any(map(first.is_rules, first.settings)):
            base = [one.base.get(figure.name) for one, figure in zip(self.found, figures, strict=True)]
            rows.append((_RULES, *("" for _ in first.overs[1:]), *base, ""))
        for settings in zip(*(one.settings for one in self.found), strict=True):
            pairs = list(zip(settings, figures, strict=True))
            moved = [setting.differences.get(figure.name) for setting, figure in pairs]
            real = [who for who, one in zip(self.who, moved, strict=True) if one is not None and one.real]
            verdict = _RULES if first.is_rules(settings[0]) else real_among(real)
            rows.append(
                (*_names(first, settings[0]), *(one.figures.get(figure.name) for one, figure in pairs), verdict)
            )
        paths = tuple(Text(one.path, one.path) for one in first.overs)
        shares = range(len(paths), len(paths) + len(self.found)) if figures[0].percent else ()
        heads = tuple(one.head for one in self.who)
        title = _titled(figures[0], self.played)
        return Table(
            f"figure-{number}", title, (*paths, *heads, _REAL_AMONG), tuple(rows), percent_columns=frozenset(shares)
        )

    def plots(self) -> list[LinePlot]:
        """Returns each figure along one number, a line for each agent."""
        first = self.found[0]
        if len(first.overs) > 1 or not first.overs[0].numbers:
            return []
        return [self._lines(figures) for figures in self._figures]

    def _lines(self, figures: Sequence[ReportFigure]) -> LinePlot:
        (over,) = self.found[0].overs
        curves = []
        for who, one, figure in zip(self.who, self.found, figures, strict=True):
            points = [
                LinePoint(float(setting.values[0]), found.value, found.low, found.high)
                for setting in one.settings
                if (found := setting.figures.get(figure.name)) is not None and found.known
            ]
            curves.append(Curve(who.head, tuple(sorted(points))))
        fair = figures[0].fair
        return LinePlot(
            _titled(figures[0], self.played),
            Scale(Text(over.path, over.path), ticks=tuple(sorted(map(float, over.values)))),
            Scale(Text("", ""), percent=figures[0].percent),
            tuple(curves),
            reference=fair,
            reference_label=FAIR if fair is not None else None,
        )

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        first, deals = self.found[0].info, [one.deals for one in self.found]
        return {
            "meta": {
                "game": first.game,
                "playmill": first.playmill,
                "players": first.players,
                "among": list(self.among),
                **({"levels": [one.key for one in self.levels]} if self.levels else {}),
                "seed": first.seed,
                "deals": deals[0] if len({*deals}) == 1 else deals,
                "complete": self.complete,
                "elapsed_s": round(sum(one.info.elapsed_s for one in self.found), 3),
                "command": self.command,
            },
            "turned": [one.json(self.who) for one in self.turned],
            "runs": [one.json() for one in self.found],
        }

    def csv(self) -> str:
        """Returns one row an agent, setting and figure."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        for place, (who, one) in enumerate(zip(self.played, self.found, strict=True)):
            head, *rows = csv.reader(io.StringIO(one.csv()))
            writer.writerows([] if place else [["among", *head]])
            writer.writerows([who, *row] for row in rows)
        return text.getvalue()

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network: side by side first, then each sweep."""
        first = self.found[0]
        facts = (
            (Text("Among", "Среди"), among_names(self.asked, lang)),
            (
                Text("Deals of each setting", "Раздач у каждой настройки"),
                " / ".join(dict.fromkeys(decimal(one.deals, 0, lang) for one in self.found)),
            ),
            (Text("Players", "Игроков"), str(first.info.players)),
            (Text("Seed", "Сид"), str(first.info.seed)),
            *((Text(path, path), values) for path, values in first.named(lang)),
        )
        heads = [one.head for one in self.who]
        parts = [
            fact_list(facts, lang),
            "" if self.complete else warning(_MISSING.of(lang)),
            contents(heads, lang),
            *(plot_section(plot, lang, f"plot-{number}") for number, plot in enumerate(self.plots(), 1)),
            *(section(table, lang) for table in self.tables()),
            command_part(self.command, lang),
        ]
        for place, (head, one) in enumerate(zip(heads, self.found, strict=True), 1):
            parts += [run_heading(place, head, lang), *sweep_parts(one, lang, f"run-{place}-")]
        return page_of(first.info, parts, lang, kicker=KICKER, method=METHOD)

    def show(self, console: Console, lang: Lang) -> None:
        """Prints what was played, the figures side by side, and each sweep after them."""
        first = self.found[0]
        print_title(
            console,
            [
                first.info.title.of(lang),
                players_text(first.info.players, lang),
                among_text(self.asked, lang),
                deals_text([one.deals for one in self.found], lang),
                f"{Text('seed', 'сид').of(lang)}{SPACE}{first.info.seed}",
                duration(sum(one.info.elapsed_s for one in self.found), lang),
            ],
        )
        if not self.complete:
            print_words(console, _MISSING.of(lang), "bold yellow")
        for path, values in first.named(lang):
            console.print(RichText(f"{path}: {values}"), soft_wrap=True)
        print_tables(console, self.tables(), lang, method=METHOD)
        for who, one in zip(self.who, self.found, strict=True):
            console.print()
            console.rule(who.head.of(lang), style="dim")
            print_sweep(console, one, lang)


@same_folder()
def sweep_each(
    game: str | Game,
    *,
    among: Sequence[Any],
    over: str | Sequence[str],
    show: str | Sequence[str],
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
) -> SweepEach:
    """Plays a sweep among each of some agents, who take all seats, on the same deals.

    Arguments are those of `sweep`. What differs from the rules, and what turns over between agents,
    is corrected for all settings and figures among all of them.
    """
    whom = check_among(game, among, players)
    each = games_each(games, whom.names)
    played = 0

    def ask(agent: Any, place: int) -> Sweep:
        nonlocal played
        before, latest = played, 0

        def report_done(done: int) -> None:
            nonlocal latest
            latest = done
            if progress is not None:
                progress(before + done)

        found = sweep(
            game,
            over=over,
            show=show,
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
        played += latest
        return found

    with where_of(on, workers).joined():
        found = ask_each(whom.agents, ask)
    corrected, turned = _corrected(found, named(whom.names, whom.levels)[: len(found)])
    return SweepEach(whom.names, tuple(corrected), _command(found, whom, each), tuple(turned), levels=whom.levels)


def _command(found: Sequence[Sweep], whom: AmongWhom, games: Sequence[int]) -> str:
    """Returns the command line that repeats the sweeps."""
    each = [shlex.split(one.command) for one in found]
    at = each[0].index("--agents")
    specs = [words[at + 1] for words in each]
    rest = [agent if isinstance(agent, str) else str(agent) for agent in whom.agents[len(found) :]]
    words = [*each[0][:at], *whom.options([*specs, *rest]), *each[0][at + 2 :]]
    size = words.index("--games")
    return shlex.join([*words[: size + 1], sizes_text(games, exact=bool(whom.levels)), *words[size + 2 :]])


def _corrected(found: Sequence[Sweep], whom: Sequence[Among]) -> tuple[list[Sweep], list[ReversedFigure]]:
    """Corrects sweeps for all figures, settings and agents together, and finds what turns over between agents."""
    every: dict[tuple[int, int, str], Difference] = {}
    distances: dict[tuple[int, int, str], Answer] = {}
    for who, one in enumerate(found):
        described = {figure.name: figure for figure in one.figures}
        for place, setting in enumerate(one.settings):
            for name, difference in setting.differences.items():
                every[who, place, name] = difference
                figure, a, b = described.get(name), one.base.get(name), setting.figures.get(name)
                fair = figure.fair_among(one.base) if figure is not None else None
                if figure is not None and fair is not None and a is not None and b is not None:
                    fair_there = figure.fair_among(setting.figures)
                    distances[who, place, name] = nearer(a, b, difference.p, fair, fair_there)
    real, near = corrected_together(every, distances)
    corrected = [
        replace(
            one,
            settings=tuple(
                replace(
                    setting,
                    differences={name: real.get((who, place, name), old) for name, old in setting.differences.items()},
                )
                for place, setting in enumerate(one.settings)
            ),
        )
        for who, one in enumerate(found)
    ]
    return corrected, list(_turned(corrected, whom, near))


def _turned(
    found: Sequence[Sweep], whom: Sequence[Among], near: Mapping[tuple[int, int, str], int]
) -> Iterator[ReversedFigure]:
    """Returns the figures that turn over, for each of the settings."""
    first = found[0]
    for figures in zip(*(one.figures for one in found), strict=False):
        for place, setting in enumerate(first.settings):
            settings = [one.settings[place] for one in found]
            values = zip(first.overs, _names(first, setting), strict=True)
            setting_text = ", ".join(f"{over.path}={value}" for over, value in values)
            yield from turned_differences(
                whom,
                Text(*(f"{title} ({setting_text})" for title in _titled(figures[0], [one.agent for one in whom]))),
                [one.differences.get(figure.name) for one, figure in zip(settings, figures, strict=True)],
                [near.get((who, place, figure.name), 0) for who, figure in enumerate(figures)],
                form=AGAINST_RULES,
                percent=figures[0].percent,
            )


def _names(found: Sweep, setting: SweptSetting) -> list[str]:
    """Returns the values of a setting as people type them."""
    return [one.name(value) for one, value in zip(found.overs, setting.values, strict=True)]


def _titled(figure: ReportFigure, agents: Sequence[str]) -> Text:
    """Returns the title of a figure of the first agent, with the name common to all of them."""
    first, common = agents[0], together(agents)
    if renamed(figure.name, first, common) == figure.name and not any(first in label for label in figure.labels):
        return figure.title
    return Text(*(title.replace(first, common) for title in figure.title))
