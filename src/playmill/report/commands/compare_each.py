"""Report of `compare --among`: comparisons of the same two settings among different agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from rich.console import Console
from rich.text import Text as RichText

from playmill.report.commands.compare import (
    A,
    B,
    ComparisonReport,
    comparison_parts,
    print_comparison,
    side_text,
    verdict_text,
)
from playmill.report.commands.side_by_side import among_text, deals_text, players_text
from playmill.report.html.page import command_part, contents, fact_list, page_of, run_heading, section, warning
from playmill.report.model.among import Among, among_names
from playmill.report.model.tables import Table
from playmill.report.number_format import decimal, duration
from playmill.report.terminal.report_printer import print_tables, print_title
from playmill.report.terminal.row_layout import SPACE, print_words
from playmill.texts import Lang, Text

_MISSING = Text("Incomplete: not all deals were played among all of them.", "Не завершено: сыграны не все раздачи.")
METHOD = Text(
    "Among all of these agents both sides play the same deals with the same luck; intervals (95 %) are over deals. A"
    " difference is called real, and anything is said to turn over, if it stands after Holm's correction for all"
    " figures among all of these agents and for asking of each fair share whether it comes nearer: if nothing differs,"
    " anything at all is called real in at most 5 % of such reports.",
    "Среди каждого из этих агентов обе стороны играют одни и те же раздачи с одной и той же удачей; интервалы (95 %) —"
    " по раздачам. Отличие названо настоящим, а что-то — переворачивающимся, если это выдерживает поправку Холма на все"
    " показатели у всех этих агентов и на вопрос о каждой честной доле, стала ли она ближе: если ничего не отличается,"
    " хоть что-то будет так названо не более чем в 5 % таких отчётов.",
)


@dataclass(frozen=True)
class ComparisonEachReport:
    """Comparisons among different agents, ready to be shown, with the tables of each."""

    among: tuple[Among, ...]
    found: tuple[ComparisonReport, ...]
    reports: tuple[Sequence[Table], ...]
    tables: tuple[Table, ...]
    command: str
    complete: bool

    @property
    def heads(self) -> tuple[Text, ...]:
        """What stands over the report of each agent."""
        return tuple(who.head for who in self.among[: len(self.found)])


def _verdicts(found: ComparisonEachReport, lang: Lang) -> list[str]:
    """Returns how many figures are really different among each."""
    return [f"{head.of(lang)}: {verdict_text(one, lang)}" for head, one in zip(found.heads, found.found, strict=True)]


def _seconds(found: ComparisonEachReport) -> float:
    return sum(one.elapsed_s for one in found.found)


def print_compared_each(console: Console, found: ComparisonEachReport, lang: Lang) -> None:
    """Prints what was compared, the differences side by side, and each whole comparison."""
    first = found.found[0]
    print_title(
        console,
        [
            first.a.title.of(lang),
            players_text(first.a.players, lang),
            among_text(found.among, lang),
            deals_text([one.deals for one in found.found], lang),
            f"{Text('seed', 'сид').of(lang)}{SPACE}{first.a.seed}",
            duration(_seconds(found), lang),
        ],
    )
    if not found.complete:
        print_words(console, _MISSING.of(lang), "bold yellow")
    for name, side, other in (("A", first.a, first.b), ("B", first.b, first.a)):
        console.print(RichText(f"{name}: {side_text(side, other, lang)}"), soft_wrap=True)
    for message in _verdicts(found, lang):
        print_words(console, message)
    print_tables(console, found.tables, lang, method=METHOD)
    for head, one, report in zip(found.heads, found.found, found.reports, strict=True):
        console.print()
        console.rule(head.of(lang), style="dim")
        print_comparison(console, one, report, lang)


def compared_each_page(found: ComparisonEachReport, lang: Lang) -> str:
    """Returns one page: side by side first, then each comparison."""
    first = found.found[0]
    facts = (
        (A, side_text(first.a, first.b, lang)),
        (B, side_text(first.b, first.a, lang)),
        (Text("Among", "Среди"), among_names(found.among, lang)),
        (Text("Players", "Игроков"), str(first.a.players)),
        (Text("Deals", "Раздач"), " / ".join(dict.fromkeys(decimal(one.deals, 0, lang) for one in found.found))),
        (Text("Seed", "Сид"), str(first.a.seed)),
        (Text("Time", "Время"), duration(_seconds(found), lang)),
    )
    parts = [
        fact_list(facts, lang),
        "" if found.complete else warning(_MISSING.of(lang)),
        *(f"<section><p>{escape(message)}</p></section>" for message in _verdicts(found, lang)),
        contents(found.heads, lang),
        *(section(table, lang) for table in found.tables),
        command_part(found.command, lang),
    ]
    for place, (head, one, report) in enumerate(zip(found.heads, found.found, found.reports, strict=True), 1):
        parts += [run_heading(place, head, lang), *comparison_parts(one, report, lang, f"run-{place}-")]
    kicker = Text("Playmill comparison", "Сравнение Playmill")
    return page_of(first.a, parts, lang, kicker=kicker, method=METHOD)
