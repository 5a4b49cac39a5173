"""A report in the terminal, and the written form of its numbers, which the page shares."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from math import ceil, isnan, log10
from statistics import median_high

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text as RichText

from playmill.report.model import METHOD, Cell, Estimate, RunInfo, Table
from playmill.report.rows import SPACE, Column, is_table, print_rows, print_words
from playmill.texts import LANGUAGES, Lang, Text, form_of

NOTHING = "—"
#: In place of an interval that so few observations leave unknown.
TOO_FEW = Text("[too few]", "[мало]")
_MAX_DIGITS = 6
#: Of a figure from fewer observations it is said how many they are.
FEW = 30
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


def decimal(value: float, digits: int, lang: Lang) -> str:
    """A number with so many decimals, its thousands grouped."""
    text = f"{value:,.{digits}f}".replace(",", SPACE)
    if text.startswith("-") and not any(digit in text for digit in "123456789"):
        text = text[1:]
    return text.replace(".", ",") if lang == "ru" else text


def percentage(share: float, digits: int, lang: Lang) -> str:
    """A share in percent."""
    return f"{decimal(100 * share, digits, lang)}{SPACE}%"


def short(value: float, lang: Lang) -> str:
    """A whole number, one of tenths as it is, any other with two decimals."""
    return decimal(value, _short_digits(value), lang)


def _short_digits(value: float) -> int:
    return next(digits for digits in range(3) if digits == 2 or round(value, digits) == value)


def estimate_digits(estimate: Estimate, *, percent: bool) -> int:
    """The decimals that leave its half-width at least one digit other than 0; never less than one."""
    if not estimate.known:
        return 1 if percent else max(1, _short_digits(estimate.value))
    half = (estimate.high - estimate.low) / 2 * (100 if percent else 1)
    return min(_MAX_DIGITS, max(1, ceil(-log10(half) - 1e-9))) if half > 0 else 1


def estimate_parts(estimate: Estimate, digits: int, *, percent: bool, lang: Lang) -> tuple[str, str]:
    """The value and the interval in brackets."""
    if isnan(estimate.value):
        return NOTHING, ""
    scale = 100 if percent else 1
    value = percentage(estimate.value, digits, lang) if percent else decimal(estimate.value, digits, lang)
    if not estimate.known:
        return value, TOO_FEW.of(lang).replace(" ", SPACE)
    low, high = (decimal(scale * end, digits, lang) for end in (estimate.low, estimate.high))
    # A Russian number has a comma inside, so another sign must stand between two of them.
    return value, f"[{low};{SPACE}{high}]" if lang == "ru" else f"[{low},{SPACE}{high}]"


def column_digits(table: Table, column: int) -> int:
    """The decimals usual in a column of estimates, so that its rows look alike."""
    percent = column in table.percent_columns
    cells = [row[column] for row in table.rows]
    needs = [estimate_digits(cell, percent=percent) for cell in cells if isinstance(cell, Estimate) and cell.known]
    return median_high(needs) if needs else 1


def cell_digits(table: Table, row: int, column: int) -> int:
    """The decimals of a number: as many as it needs, an estimate as many as its column.

    Where columns are alike, those of the estimates in all of them; plain numbers decide where there are none.
    """
    percent, estimates, numbers = column in table.percent_columns, [], []
    for one in table.alike_columns if column in table.alike_columns else (column,):
        cell = table.rows[row][one]
        if isinstance(cell, Estimate) and not isnan(cell.value):
            estimates += [estimate_digits(cell, percent=percent), column_digits(table, one)]
        elif isinstance(cell, int | float):
            numbers.append(1 if percent else _short_digits(cell))
    return max(estimates or numbers, default=1)


def cell_parts(table: Table, row: int, column: int, lang: Lang) -> tuple[str, str]:
    """A cell in words; of an estimate the value and the interval, of anything else the second part is empty."""
    cell: Cell = table.rows[row][column]
    percent = column in table.percent_columns
    if cell is None:
        return NOTHING, ""
    if isinstance(cell, Text):
        return cell.of(lang), ""
    if isinstance(cell, str):
        return cell, ""
    digits = cell_digits(table, row, column)
    if isinstance(cell, Estimate):
        value, interval = estimate_parts(cell, digits, percent=percent, lang=lang)
        return value, f"{interval} n={cell.n}" if interval and cell.n < FEW else interval
    return percentage(cell, digits, lang) if percent else decimal(cell, digits, lang), ""


def is_numeric(table: Table, column: int) -> bool:
    """Whether a column holds numbers and stands to the right."""
    if column in table.number_columns:
        return True
    cells = [row[column] for row in table.rows]
    return any(isinstance(cell, int | float | Estimate) for cell in cells)


def counted(n: int, forms: Text, lang: Lang) -> str:
    """A number with its noun, in the form that `form_of` picks."""
    return f"{decimal(n, 0, lang)}{SPACE}{form_of(n, forms, lang)}"


def duration(seconds: float, lang: Lang) -> str:
    """A time as people say it."""
    hour, minute, second = Text("h", "ч").of(lang), Text("min", "мин").of(lang), Text("s", "с").of(lang)
    if seconds < 59.95:
        return f"{decimal(seconds, 2 if seconds < 0.995 else 1, lang)}{SPACE}{second}"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60}{SPACE}{minute} {whole % 60:02}{SPACE}{second}"
    return f"{decimal(whole // 3600, 0, lang)}{SPACE}{hour} {whole % 3600 // 60:02}{SPACE}{minute}"


def agents_text(run: RunInfo) -> str:
    """The agents in the order of seats, neighbours of one kind together."""
    groups = ((name, len(list(seats))) for name, seats in groupby(run.agents))
    return ", ".join(f"{name}{SPACE}×{SPACE}{n}" if n > 1 else name for name, n in groups)


def speed_text(run: RunInfo, lang: Lang) -> str | None:
    """Games a second, if the time is known."""
    if run.elapsed_s <= 0 or run.games == 0:
        return None
    speed = run.games / run.elapsed_s
    return f"{decimal(speed, 0 if speed >= 10 else 1, lang)} {Text('games/s', 'партий/с').of(lang)}"


def header_parts(run: RunInfo, lang: Lang) -> list[str]:
    """What was run, part by part."""
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
    """How the intervals of runs were made."""
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
    """The sentence that marks a run which was stopped before its end."""
    played, wanted = decimal(run.games, 0, lang), decimal(run.requested, 0, lang)
    return Text(
        f"Incomplete: {played} of {wanted} games were played.",
        f"Прогон не завершён: сыграно партий {played} из {wanted}.",
    ).of(lang)


def setting_text(value: object) -> str:
    """The value of a setting as its config file writes it."""
    return json.dumps(value, ensure_ascii=False, default=str)


def cut_setting(value: object) -> str:
    """The value of a setting, without the end of a very long one."""
    text = setting_text(value)
    return text if len(text) <= _LONG_SETTING else text[: _LONG_SETTING - 1] + "…"


def warning_texts(run: RunInfo, lang: Lang, *, known: bool = False) -> list[str]:
    """What to know before believing a run; `known` leaves out what was said of several runs together."""
    told = [] if run.complete else [incomplete_text(run, lang)]
    return told if known else told + [text.of(lang) for text in run.warnings]


def print_report(console: Console, run: RunInfo, tables: Iterable[Table], lang: Lang, *, known: bool = False) -> None:
    """Prints what was run and every table; rows become paragraphs where the terminal is too narrow for a table."""
    print_head(console, header_parts(run, lang), warning_texts(run, lang, known=known), run.changes, lang)
    if "fallbacks" in run.extra:
        print_words(console, f"{FALLBACKS.of(lang)}: {decimal(run.extra['fallbacks'], 0, lang)}", "dim")
    print_tables(console, tables, lang, method=method_of([run]))


def print_head(
    console: Console, parts: Sequence[str], warnings: Iterable[str], changes: Mapping[str, object], lang: Lang
) -> None:
    """Prints what was run, what to know before believing it, and the settings that are not as in the rules."""
    print_title(console, parts)
    for warning in warnings:
        print_words(console, warning, "bold yellow")
    if changes:
        told = [f"{name} = {cut_setting(value)}" for name, value in changes.items()]
        print_words(console, f"{CHANGED.of(lang)}: {'; '.join(told)}")
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
    """The parts joined into lines that break only between parts."""
    lines = [parts[0]]
    for part in parts[1:]:
        if cell_len(lines[-1] + separator + part) <= width:
            lines[-1] += separator + part
        else:
            lines.append(part)
    return "\n".join(lines)


def fits(console: Console, table: Table, lang: Lang) -> bool:
    """Whether a console is wide enough for a table with each of its rows in one line."""
    return is_table(*_rows(table, lang), console.width)


def _rows(table: Table, lang: Lang) -> tuple[list[Column], list[list[RichText]]]:
    """A table as a terminal shows it; the columns of words before the first numbers name its rows."""
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
