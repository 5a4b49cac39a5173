"""Report of `audit`: findings first, then every section with its verdict, tables and plots."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from rich.console import Console
from rich.text import Text as RichText

from playmill.report.html.page import command_part, fact_list, page_of, plot_section, section, warning
from playmill.report.model.tables import Estimate, RunInfo, Table
from playmill.report.number_format import counted, duration, estimate_digits, estimate_parts
from playmill.report.plots import Plot
from playmill.report.terminal.report_printer import print_head, print_table
from playmill.report.terminal.row_layout import SPACE, print_words
from playmill.texts import LANGUAGES, Lang, Text

_KICKER = Text("Playmill audit", "Аудит Playmill")
_FIRST = Text("What to look at first", "На что посмотреть сначала")
_NOTHING = Text(
    "Nothing stands out: with these games, no figure asks for a second look.",
    "Ничего не выделяется: на этих партиях ни один показатель не требует второго взгляда.",
)
_STOPPED = Text("Stopped before its end: some parts are missing.", "Остановлено до конца: каких-то частей нет.")
_PLAYERS = Text("player|players", "игрок|игрока|игроков")
METHOD = Text(
    "95 % intervals: Wilson for rates, over deals where seats rotate, by leaving out groups of games elsewhere. Largest"
    " gaps are told without the part that chance alone makes.",
    "Интервалы 95 %: Уилсона для долей, по раздачам там, где места меняются, в остальном — с пропуском групп партий."
    " Наибольшие разрывы указаны без той части, которую создаёт сама случайность.",
)
_GLANCE = Text("At a glance", "Коротко")
#: What is said of a part beside its answer.
_LOOK = Text("look here", "посмотрите")
_HINT = Text("a hint only", "лишь намёк")
_FINE = Text("nothing stands out", "ничего особенного")
_STYLE = """<style>
ol.first { margin: 0; padding-left: 1.4em; } ol.first li { margin: 0 0 14px; } ol.first li:last-child { margin: 0; }
ol.first pre { margin-top: 6px; padding: 8px 12px; } .verdict { font-size: 18px; } .verdict + .note { margin-top: 8px; }
.verdict + .thin { margin-top: 10px; color: var(--warn); font-weight: 600; } .thin + .note { margin-top: 8px; }
.option { white-space: nowrap; }
dl.glance { margin: 0; } dl.glance > div { display: grid; grid-template-columns: 210px 1fr max-content; gap: 2px 20px;
  padding: 10px 0; border-top: 1px solid var(--line); align-items: baseline; }
dl.glance > div:first-child { border-top: 0; padding-top: 0; } dl.glance > div:last-child { padding-bottom: 0; }
dl.glance a { color: var(--accent); font-weight: 600; } dl.glance dd { margin: 0; }
dl.glance .state { color: var(--soft); font-size: 14px; white-space: nowrap; }
dl.glance .state::before { content: "●"; margin-right: 7px; color: var(--accent); }
dl.glance .look .state { color: var(--fair); font-weight: 600; } dl.glance .look .state::before { color: var(--fair); }
dl.glance .thin .state::before { content: "○"; color: var(--soft); }
@media screen and (max-width: 700px) { dl.glance > div { grid-template-columns: 1fr max-content; }
  dl.glance dd.short { grid-column: 1 / -1; grid-row: 2; } }
</style>"""


@dataclass(frozen=True)
class Finding:
    """Something to look at: its weight from 0 to 1, what it is, and the command that looks closer."""

    weight: float
    text: Text
    command: str

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {
            "weight": round(self.weight, 4),
            "text": {"en": self.text.en, "ru": self.text.ru},
            "command": self.command,
        }


@dataclass(frozen=True)
class AuditSection:
    """One section of an audit: question, short answer, verdict, tables, plots, and figures.

    Plots stand first, or after the table of the key `after`. `thin` says that too little was played for the answer to
    be more than a hint, and what would bring more.
    """

    key: str
    title: Text
    short: Text
    verdict: Text
    tables: tuple[Table, ...]
    findings: tuple[Finding, ...]
    results: Mapping[str, Any]
    about: Text
    plots: tuple[Plot, ...] = field(default=())
    after: str = ""
    thin: Text | None = None


@dataclass(frozen=True)
class AuditReport:
    """An audit, ready to be shown."""

    info: RunInfo
    parts: tuple[AuditSection, ...]
    complete: bool
    #: What a reader has to know of who played.
    judged: Text | None = None

    @property
    def warnings(self) -> tuple[Text, ...]:
        """What a reader has to know before believing the figures."""
        return (*(() if self.judged is None else (self.judged,)), *(() if self.complete else (_STOPPED,)))

    @property
    def findings(self) -> list[Finding]:
        """What to look at, the heaviest first."""
        return sorted((one for part in self.parts for one in part.findings), key=lambda one: -one.weight)


def span(found: Estimate) -> Text:
    """Formats a share in percent with its interval, inside a sentence."""
    wide = found.known and found.high - found.low > 0.02
    digits = 0 if not found.known else min(1, estimate_digits(found, percent=True) - 1) if wide else 1
    parts = (estimate_parts(found, digits, percent=True, lang=lang) for lang in LANGUAGES)
    return Text(*(" ".join(filter(None, part)) for part in parts))


GAMES = Text("game|games", "партия|партии|партий")
DEALS = Text("deal|deals", "раздача|раздачи|раздач")


def thin(n: int, enough: int, minutes: int | None, what: Text = GAMES) -> Text | None:
    """Returns the note that few observations make something a hint only, and how long an audit would need."""
    if n >= enough:
        return None
    more = Text("", "")
    if minutes is not None:
        more = Text(
            f" With --minutes {minutes} there would be about {enough}.",
            f" С --minutes {minutes} их было бы около {enough}.",
        )
    return Text(
        f"There is little behind it ({counted(n, what, 'en')}): a hint, no more.{more.en}",
        f"За этим стоит мало ({counted(n, what, 'ru')}): это намёк, не больше.{more.ru}",
    )


def _head(found: AuditReport, lang: Lang) -> list[str]:
    info = found.info
    return [
        info.title.of(lang),
        counted(info.players, _PLAYERS, lang),
        info.agents[0],
        f"{Text('seed', 'сид').of(lang)}{SPACE}{info.seed}",
        duration(info.elapsed_s, lang),
    ]


def print_audit(console: Console, found: AuditReport, lang: Lang) -> None:
    """Prints the audit."""
    warnings = [one.of(lang) for one in found.warnings]
    print_head(console, _head(found, lang), warnings, found.info.changes, lang)
    console.print()
    print_words(console, _FIRST.of(lang), "bold cyan")
    findings = found.findings
    if not findings:
        print_words(console, _NOTHING.of(lang))
    for number, one in enumerate(findings, 1):
        print_words(console, f"{number}. {one.text.of(lang)}")
        console.print(RichText(f"   {one.command}", style="dim"), highlight=False, soft_wrap=True)
    for part in found.parts:
        console.print()
        console.rule(part.title.of(lang), style="dim")
        print_words(console, part.verdict.of(lang), "bold")
        if part.thin is not None:
            print_words(console, part.thin.of(lang), "yellow")
        for table in part.tables:
            print_table(console, table, lang)
    console.print()
    print_words(console, METHOD.of(lang), "dim")
    again = Text("The same again:", "То же ещё раз:").of(lang)
    console.print(RichText(f"{again} {found.info.command}", style="dim"), highlight=False, soft_wrap=True)


def audit_page(found: AuditReport, lang: Lang) -> str:
    """Returns the audit as a self-contained page."""
    info = found.info
    facts = (
        (Text("Players", "Игроков"), str(info.players)),
        (Text("Who plays", "Кто играет"), info.agents[0]),
        (Text("Seed", "Сид"), str(info.seed)),
        (Text("Time", "Время"), duration(info.elapsed_s, lang)),
    )
    parts = [
        fact_list(facts, lang),
        *(warning(one.of(lang)) for one in found.warnings),
        f"{_STYLE}{_glance(found, lang)}",
        _first(found.findings, lang),
    ]
    for part in found.parts:
        parts.append(f'<h2 class="run" id="part-{part.key}">{escape(part.title.of(lang))}</h2>')
        few = f'<p class="thin">{_unbroken(part.thin.of(lang))}</p>' if part.thin is not None else ""
        parts.append(
            f'<section><p class="verdict">{escape(part.verdict.of(lang))}</p>{few}'
            f'<p class="note">{escape(part.about.of(lang))}</p></section>'
        )
        drawn = [plot_section(plot, lang, f"{part.key}-plot-{place}") for place, plot in enumerate(part.plots)]
        parts += [] if part.after else drawn
        for table in part.tables:
            parts += [section(table, lang, f"{part.key}-"), *(drawn if table.key == part.after else ())]
    parts.append(command_part(info.command, lang))
    return page_of(info, parts, lang, kicker=_KICKER, method=METHOD)


def _unbroken(text: str) -> str:
    """Returns a sentence in which an option stays on one line with its number."""
    return re.sub(r"--minutes \d+", r'<span class="option">\g<0></span>', escape(text))


def _glance(found: AuditReport, lang: Lang) -> str:
    """Returns the short answer of each section, with a link to it, and whether it has findings."""
    rows = []
    for part in found.parts:
        kind, state = ("look", _LOOK) if part.findings else ("thin", _HINT) if part.thin else ("fine", _FINE)
        rows.append(
            f'<div class="{kind}"><dt><a href="#part-{part.key}">{escape(part.title.of(lang))}</a></dt>'
            f'<dd class="short">{escape(part.short.of(lang))}</dd><dd class="state">{escape(state.of(lang))}</dd></div>'
        )
    title = escape(_GLANCE.of(lang))
    return f'<section id="glance"><h2>{title}</h2><dl class="glance">{"".join(rows)}</dl></section>'


def _first(findings: Sequence[Finding], lang: Lang) -> str:
    """Returns the findings, each with the command that looks closer."""
    title = f"<h2>{escape(_FIRST.of(lang))}</h2>"
    if not findings:
        return f"<section>{title}<p>{escape(_NOTHING.of(lang))}</p></section>"
    items = "".join(
        f'<li>{escape(one.text.of(lang))}<pre class="command">{escape(one.command)}</pre></li>' for one in findings
    )
    return f'<section id="first">{title}<ol class="first">{items}</ol></section>'
