"""Terminal report of a contest: its submissions, and what an author may see of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.text import Text as RichText

from playmill.report.model.tables import Cell, Table
from playmill.report.terminal.report_printer import print_table
from playmill.report.terminal.row_layout import print_words
from playmill.texts import Lang, Text

#: Mishaps that are told of one table.
_MISHAPS = 5

#: What the states of a submission are called.
STATES: Mapping[str, Text] = {
    "queued": Text("queued", "в очереди"),
    "checking": Text("checking", "проверяется"),
    "playing": Text("playing", "играет"),
    "done": Text("done", "готово"),
    "refused": Text("refused", "отклонено"),
}
_REPLACED, _GONE = Text("done, replaced", "готово, заменено"), Text("withdrawn", "отозвано")


@dataclass(frozen=True)
class SubmissionStatus:
    """A submission: which version of which entrant, and its state."""

    name: str
    version: int
    state: str
    when: str
    why: Text | None
    #: Whether it is what lies in the entrant's folder now, and whether it is the one on the ladder.
    present: bool
    rated: bool

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        data = {"name": self.name, "version": self.version, "state": self.state, "when": self.when}
        return {
            **data,
            "present": self.present,
            "rated": self.rated,
            **({"why": self.why._asdict()} if self.why is not None else {}),
        }


@dataclass(frozen=True)
class EntrantPairing:
    """A pairing of one entrant: opponents, result, and which games can be watched."""

    against: tuple[str, ...]
    setting: str
    deals: int
    failed: int
    unused: int
    #: Files of games that were kept as they were played, and the command that shows each.
    games: tuple[str, ...]
    watch: tuple[str, ...]
    mishaps: tuple[tuple[int, int, Text], ...]
    complaints: str | None

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        mishaps = [{"deal": deal, "game": game, "why": why._asdict()} for deal, game, why in self.mishaps]
        lists = {key: list(getattr(self, key)) for key in ("against", "games", "watch")}
        return {**vars(self), **lists, "mishaps": mishaps}


@dataclass(frozen=True)
class SubmissionView:
    """What there is to see of a submission."""

    name: str
    version: int
    state: str
    why: Text | None
    tables: tuple[EntrantPairing, ...]

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        why = {"why": self.why._asdict()} if self.why is not None else {}
        tables = [table.json() for table in self.tables]
        return {"name": self.name, "version": self.version, "state": self.state, **why, "tables": tables}


def submissions_table(listed: Sequence[SubmissionStatus]) -> Table:
    """Returns the table of all submissions, the last ones first."""
    rows: list[tuple[Cell, ...]] = []
    for one in reversed(listed):
        state: Text = STATES[one.state]
        if not one.present and one.state == "done":
            state = _GONE if not any(other.present for other in listed if other.name == one.name) else _REPLACED
        rows.append((one.name, str(one.version), state, one.when.replace("T", " ")[:16], one.why or ""))
    return Table(
        "submissions",
        Text("Submissions", "Заявки"),
        (
            Text("entrant", "участник"),
            Text("version", "версия"),
            Text("state", "состояние"),
            Text("since (UTC)", "с (UTC)"),
            Text("why", "почему"),
        ),
        tuple(rows),
    )


def versions_note(names: Sequence[str], *, closed: bool) -> list[Text]:
    """Returns the note about entrants with several versions, and what is done about selection."""
    if not names:
        return []
    who = ", ".join(names)
    if closed:
        return [
            Text(
                f"Of these there were several versions, so they played the final on deals of its own: {who}.",
                f"У этих было несколько версий, поэтому финал они сыграли на отдельных раздачах: {who}.",
            )
        ]
    return [
        Text(
            f"Of these there were several versions, each with luck of its own: {who}. What counts is the final, played"
            " on other deals when the contest is closed.",
            f"У этих было несколько версий, и каждой везло по-своему: {who}. Засчитывается финал: его играют на других"
            " раздачах, когда соревнование закрывают.",
        )
    ]


def print_submissions(console: Console, submissions: Sequence[SubmissionStatus], lang: Lang) -> None:
    """Prints the state of every submission."""
    if submissions:
        print_table(console, submissions_table(submissions), lang)
    else:
        none = Text("Nobody has handed in anything yet.", "Пока никто ничего не прислал.")
        print_words(console, none.of(lang))


def print_looked(console: Console, looked: SubmissionView, lang: Lang) -> None:
    """Prints what there is to see of a submission."""
    head = f"{looked.name}, {Text('version', 'версия').of(lang)} {looked.version}: {STATES[looked.state].of(lang)}"
    print_words(console, head, "bold")
    if looked.why is not None:
        print_words(console, looked.why.of(lang), "bold yellow")
    for table in looked.tables:
        console.print()
        against = ", ".join(table.against).replace("~", Text("random ", "случайный ").of(lang))
        lines = [
            Text(f"against {against}", f"против: {against}").of(lang),
            Text(f"{table.deals} deals", f"раздач: {table.deals}").of(lang),
        ]
        if table.failed:
            lines.append(Text(f"failed in {table.failed} games", f"сбоев (партий): {table.failed}").of(lang))
        if table.unused:
            lines.append(Text(f"{table.unused} answers not used", f"негодных ответов: {table.unused}").of(lang))
        print_words(console, " · ".join(lines), "bold cyan")
        for deal, game, why in table.mishaps[:_MISHAPS]:
            where = Text(f"deal {deal}, game {game + 1}", f"раздача {deal}, партия {game + 1}").of(lang)
            console.print(RichText(f"  {where}: {why.of(lang)}"), soft_wrap=True)
        for command in table.watch:
            console.print(RichText(f"  {command}"), soft_wrap=True)
        if table.complaints is not None:
            console.print(RichText(f"  stderr: {table.complaints}"), soft_wrap=True)
