"""Prints reports to the terminal: header, warnings, changed settings, tables, method."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text as RichText

from playmill.report.model.tables import METHOD, RunInfo, Table
from playmill.report.number_format import NOTHING, cell_parts, counted, decimal, duration, is_numeric
from playmill.report.terminal.row_layout import SPACE, Column, is_table, print_rows, print_words
from playmill.texts import LANGUAGES, Lang, Text

#: A setting longer than this is cut in the terminal; files and pages have it whole.
_LONG_SETTING = 120

LOOKED = Text(
    "The run was stopped by looking at one figure; the 95 % intervals of all others hold at any such moment, too,"
    " as far as the mean of many deals is normal.",
    "Прогон остановлен по одному показателю; интервалы 95 % остальных тоже верны в любой такой момент,"
    " насколько среднее многих раздач нормально.",
)
DEFAULT_SETTINGS = Text("all as in the rules", "все как в правилах")
CHANGED = Text("Changed settings", "Изменённые настройки")
SETTINGS = Text("Settings", "Настройки")
#: Answers of agents in Python and of programs that were replaced; told also where there were none.
FALLBACKS = Text("fallbacks", "замен негодных ответов")
SEATS_ROTATE = Text("seats rotated", "места по кругу")


def agents_text(run: RunInfo) -> str:
    """Returns the agents in the order of seats, equal neighbours together."""
    groups = ((name, len(list(seats))) for name, seats in groupby(run.agents))
    return ", ".join(f"{name}{SPACE}×{SPACE}{n}" if n > 1 else name for name, n in groups)


def speed_text(run: RunInfo, lang: Lang) -> str | None:
    """Returns games per second, if the time is known."""
    if run.elapsed_s <= 0 or run.games == 0:
        return None
    speed = run.games / run.elapsed_s
    return f"{decimal(speed, 0 if speed >= 10 else 1, lang)} {Text('games/s', 'партий/с').of(lang)}"


def header_parts(run: RunInfo, lang: Lang) -> list[str]:
    """Returns the parts of a header: game, players, agents, games, seed, time."""
    parts = [
        run.title.of(lang),
        counted(run.players, Text("player|players", "игрок|игрока|игроков"), lang),
        agents_text(run),
        counted(run.games, Text("game|games", "партия|партии|партий"), lang),
        *([SEATS_ROTATE.of(lang)] if run.rotations > 1 else []),
        f"{Text('seed', 'сид').of(lang)}{SPACE}{run.seed}",
        duration(run.elapsed_s, lang),
    ]
    speed = speed_text(run, lang)
    return [*parts, speed] if speed else parts


def method_of(runs: Sequence[RunInfo]) -> Text:
    """Returns how the intervals of runs were made."""
    if any(run.looked for run in runs):
        return LOOKED
    if all(run.rotations == 1 for run in runs):
        return METHOD
    deals = Text("deal|deals", "раздаче|раздачам|раздачам")
    en, ru = (
        counted(runs[0].blocks, deals, lang) if len(runs) == 1 else deals.of(lang).rpartition("|")[2]
        for lang in LANGUAGES
    )
    return Text(
        f"95 % intervals over {en}, each played from every seat: Wilson's for rates, Student's for means, both let out"
        " where deals are few or lopsided.",
        f"Интервалы 95 % по {ru}, каждая сыграна со всех мест: Уилсона для долей, Стьюдента для средних; шире, где"
        " раздач мало или они перекошены.",
    )


def incomplete_text(run: RunInfo, lang: Lang) -> str:
    """Returns the warning about a run that was stopped before its end."""
    played, wanted = decimal(run.games, 0, lang), decimal(run.requested, 0, lang)
    return Text(
        f"Incomplete: {played} of {wanted} games were played.",
        f"Прогон не завершён: сыграно партий {played} из {wanted}.",
    ).of(lang)


def setting_text(value: object) -> str:
    """Returns the value of a setting as its config file writes it."""
    return json.dumps(value, ensure_ascii=False, default=str)


def cut_setting(value: object) -> str:
    """Returns the value of a setting, shortened if very long."""
    text = setting_text(value)
    return text if len(text) <= _LONG_SETTING else text[: _LONG_SETTING - 1] + "…"


def warning_texts(run: RunInfo, lang: Lang, *, known: bool = False) -> list[str]:
    """Returns what to know before believing a run; `known` leaves out what was said of several runs together."""
    lines = [] if run.complete else [incomplete_text(run, lang)]
    return lines if known else lines + [text.of(lang) for text in run.warnings]


def print_report(console: Console, run: RunInfo, tables: Iterable[Table], lang: Lang, *, known: bool = False) -> None:
    """Prints what was run and every table; rows become paragraphs where the terminal is too narrow."""
    print_head(console, header_parts(run, lang), warning_texts(run, lang, known=known), run.changes, lang)
    if "fallbacks" in run.extra:
        print_words(console, f"{FALLBACKS.of(lang)}: {decimal(run.extra['fallbacks'], 0, lang)}", "dim")
    print_tables(console, tables, lang, method=method_of([run]))


def print_head(
    console: Console, parts: Sequence[str], warnings: Iterable[str], changes: Mapping[str, object], lang: Lang
) -> None:
    """Prints what was run, warnings, and the settings that differ from the rules."""
    print_title(console, parts)
    for warning in warnings:
        print_words(console, warning, "bold yellow")
    if changes:
        lines = [f"{name} = {cut_setting(value)}" for name, value in changes.items()]
        print_words(console, f"{CHANGED.of(lang)}: {'; '.join(lines)}")
    else:
        print_words(console, f"{SETTINGS.of(lang)}: {DEFAULT_SETTINGS.of(lang)}", "dim")


def print_title(console: Console, parts: Sequence[str]) -> None:
    """Prints what was run, in lines that break only between parts."""
    print_words(console, _flow(parts, " · ", console.width), "bold")


def print_tables(console: Console, tables: Iterable[Table], lang: Lang, *, method: Text = METHOD) -> None:
    """Prints every table with its title and note, and how intervals were made."""
    for table in tables:
        print_table(console, table, lang)
    console.print()
    print_words(console, method.of(lang), "dim")


def print_table(console: Console, table: Table, lang: Lang) -> None:
    """Prints a table with its title and note."""
    console.print()
    print_words(console, table.title.of(lang), "bold red" if table.key == "fallbacks" else "bold cyan")
    if table.rows:
        print_rows(console, *_rows(table, lang))
    else:
        print_words(console, NOTHING)
    if table.note:
        print_words(console, table.note.of(lang), "dim")


def _flow(parts: Sequence[str], separator: str, width: int) -> str:
    """Joins parts into lines that break only between parts."""
    lines = [parts[0]]
    for part in parts[1:]:
        if cell_len(lines[-1] + separator + part) <= width:
            lines[-1] += separator + part
        else:
            lines.append(part)
    return "\n".join(lines)


def fits(console: Console, table: Table, lang: Lang) -> bool:
    """Returns whether a console is wide enough for a table with each of its rows in one line."""
    return is_table(*_rows(table, lang), console.width)


def _rows(table: Table, lang: Lang) -> tuple[list[Column], list[list[RichText]]]:
    """Returns columns and rows for the terminal; the columns of words before the first numbers name its rows."""
    numeric = [is_numeric(table, column) for column in range(len(table.columns))]
    names = max(1, numeric.index(True) if any(numeric) else 1)
    columns = [
        Column(title.of(lang), number, not number, place < names, folded=number and place not in table.number_columns)
        for place, (title, number) in enumerate(zip(table.columns, numeric, strict=True))
    ]
    cells = [[_cell(table, row, column, lang) for column in range(len(columns))] for row in range(len(table.rows))]
    return columns, cells


def _cell(table: Table, row: int, column: int, lang: Lang) -> RichText:
    value, interval = cell_parts(table, row, column, lang)
    return RichText.assemble(value, (f" {interval}", "dim")) if interval else RichText(value)
