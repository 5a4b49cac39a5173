"""`audit_each`: audits a game once for each of several agents, and finds the figures that turn over between them."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from rich.console import Console

from playmill.engine.config.input_files import same_folder
from playmill.engine.config.model import Changes, RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.contract.levels import Level
from playmill.lab.audit import Audit, audit
from playmill.lab.audit.run import ProgressCallback
from playmill.lab.decide.each_agent.agents import AmongWhom, ask_each, check_among
from playmill.lab.decide.each_agent.result import EachAgentResult
from playmill.lab.runs.executors import where_of
from playmill.lab.runs.saved_progress import Keep
from playmill.report.commands.audit import METHOD, print_audit
from playmill.report.commands.each_agent import ReversedFigure, turned_sides, turned_table
from playmill.report.commands.side_by_side import among_text, compared, players_text
from playmill.report.html.page import command_part, fact_list, page_of, section, warning
from playmill.report.model.among import among_names
from playmill.report.model.tables import Table
from playmill.report.number_format import duration
from playmill.report.terminal.report_printer import print_tables, print_title
from playmill.report.terminal.row_layout import SPACE, print_words
from playmill.texts import Lang, Text

_MISSING = Text("Incomplete: some parts are missing among some of them.", "Не завершено: каких-то частей нет.")
_KICKER = Text("Playmill audit", "Аудит Playmill")
_GLANCE = Text("At a glance", "Коротко")
_PART = Text("part", "часть")


@dataclass(frozen=True, repr=False)
class AuditEach(EachAgentResult[Audit]):
    """Audits of one game, each with another agent that stands for a good player."""

    @property
    def kept(self) -> bool:
        """Whether the last of them is kept, so that the same call goes on with it."""
        return self.found[-1].kept is not None

    @property
    def before(self) -> float:
        """How many seconds of them were played before."""
        return sum(one.before for one in self.found)

    @property
    def anew(self) -> bool:
        """Whether anything was played now."""
        return any(one.anew for one in self.found)

    @property
    def turned(self) -> list[ReversedFigure]:
        """What lies on one side of fair among some, and on the other among others."""
        return turned_sides(self.who, self._reports())

    def _reports(self) -> list[list[Table]]:
        """Returns the tables of each audit, under keys that no other part has."""
        return [
            [replace(table, key=f"{part.key}-{table.key}") for part in one.parts for table in part.tables]
            for one in self.found
        ]

    def tables(self) -> list[Table]:
        """Returns what turns over, each answer in a few words, and every figure that the audits share."""
        heads = [one.head for one in self.who]
        keys = [part.key for part in self.found[0].parts]
        parts = [{part.key: part for part in one.parts} for one in self.found]
        rows = tuple(
            (parts[0][key].title, *(part[key].short if key in part else None for part in parts)) for key in keys
        )
        glance = Table("glance", _GLANCE, (_PART, *heads), rows)
        return [turned_table(self.turned, self.who), glance, *compared(heads, self._reports())]

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        first = self.found[0].info
        return {
            "meta": {
                "game": first.game,
                "playmill": first.playmill,
                "players": first.players,
                "among": list(self.among),
                **({"levels": [one.key for one in self.levels]} if self.levels else {}),
                "seed": first.seed,
                "complete": self.complete,
                "elapsed_s": round(sum(one.info.elapsed_s for one in self.found), 3),
                "command": self.command,
            },
            "turned": [one.json(self.who) for one in self.turned],
            "runs": [one.json() for one in self.found],
        }

    def page(self, lang: Lang) -> str:
        """Returns a page that opens without a network; the command of each audit leads to its own page."""
        first = self.found[0].info
        facts = (
            (Text("Among", "Среди"), among_names(self.asked, lang)),
            (Text("Players", "Игроков"), str(first.players)),
            (Text("Seed", "Сид"), str(first.seed)),
            (Text("Time", "Время"), duration(sum(one.info.elapsed_s for one in self.found), lang)),
        )
        parts = [
            fact_list(facts, lang),
            "" if self.complete else warning(_MISSING.of(lang)),
            *(section(table, lang) for table in self.tables()),
            *(self._findings(who.head, one, lang) for who, one in zip(self.who, self.found, strict=True)),
            command_part(self.command, lang),
        ]
        return page_of(first, parts, lang, kicker=_KICKER, method=METHOD)

    def _findings(self, who: Text, one: Audit, lang: Lang) -> str:
        """Returns what to look at among one agent, and the command of its audit."""
        message = "".join(
            f'<li>{escape(found.text.of(lang))}<pre class="command">{escape(found.command)}</pre></li>'
            for found in one.findings
        )
        again = f'<pre class="command">{escape(one.info.command)}</pre>'
        return f"<section><h2>{escape(who.of(lang))}</h2><ol>{message}</ol>{again}</section>"

    def show(self, console: Console, lang: Lang) -> None:
        """Prints what was played, the figures side by side, and each audit after them."""
        first = self.found[0].info
        print_title(
            console,
            [
                first.title.of(lang),
                players_text(first.players, lang),
                among_text(self.asked, lang),
                f"{Text('seed', 'сид').of(lang)}{SPACE}{first.seed}",
                duration(sum(one.info.elapsed_s for one in self.found), lang),
            ],
        )
        if not self.complete:
            print_words(console, _MISSING.of(lang), "bold yellow")
        print_tables(console, self.tables(), lang, method=METHOD)
        for who, one in zip(self.who, self.found, strict=True):
            console.print()
            console.rule(who.head.of(lang), style="dim")
            print_audit(console, one.shown, lang)


@same_folder()
def audit_each(
    game: str | Game,
    *,
    among: Sequence[str | Level],
    players: int | None = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    seed: int = 0,
    minutes: float | None = 5.0,
    sizes: Mapping[str, int] | None = None,
    only: Sequence[str] = (),
    keep: Keep = None,
    on: str | None = None,
    workers: int | None = None,
    interpreted: bool = False,
    progress: ProgressCallback | None = None,
) -> AuditEach:
    """Audits a game among each of some agents, who share the minutes equally; arguments are those of `audit`."""
    whom = check_among(game, among, players)
    share = minutes / len(among) if minutes is not None else None

    def ask(agent: str, before: int) -> Audit:
        hears = (lambda part, done: progress(part, (before + done) / len(among))) if progress is not None else None
        return audit(
            game,
            players=players,
            agent=agent,
            config=config,
            set=set,
            seed=seed,
            minutes=share,
            sizes=sizes,
            only=only,
            keep=keep,
            on=on,
            workers=workers,
            interpreted=interpreted,
            progress=hears,
        )

    with where_of(on, workers).joined():
        found = ask_each(whom.agents, ask)
    command = _command(found, whom, minutes, sizes)
    return AuditEach(whom.names, tuple(found), command, levels=whom.levels)


def _command(found: Sequence[Audit], whom: AmongWhom, minutes: float | None, sizes: Any) -> str:
    """Returns the command line of the same audits; where the clock set their size, about the same."""
    words = shlex.split(found[0].info.command)
    if "--agents" in words:
        at = words.index("--agents")
        del words[at : at + 2]
    end = words.index("--sizes")
    time = words[end : end + 2] if sizes else ["--quick"] if minutes is None else ["--minutes", f"{minutes:g}"]
    return shlex.join([*words[:end], *time, *words[end + 2 :], *whom.options(whom.agents)])
