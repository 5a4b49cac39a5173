"""Formats numbers for reports: decimals, percentages, estimates with intervals, durations, cells of tables.

The terminal and the HTML page share these texts, so that a number reads the same in both.
"""

from __future__ import annotations

from decimal import Decimal
from math import ceil, isfinite, isnan, log10
from statistics import median_high

from playmill.report.model.tables import Cell, Estimate, Table
from playmill.report.terminal.row_layout import SPACE
from playmill.texts import Lang, Text, plural

NOTHING = "—"
#: In place of an interval that so few observations leave unknown.
TOO_FEW = Text("[too few]", "[мало]")
_MAX_DIGITS = 6
#: Decimals added at most where a, b and b - a, each rounded, would not agree.
_MORE_TO_AGREE = 3
#: Of a figure from fewer observations it is said how many they are.
FEW = 30


def decimal(value: float, digits: int, lang: Lang) -> str:
    """Formats a number with n decimals and grouped thousands."""
    text = f"{value:,.{digits}f}".replace(",", SPACE)
    if text.startswith("-") and not any(digit in text for digit in "123456789"):
        text = text[1:]
    return text.replace(".", ",") if lang == "ru" else text


def decimal_text(value: float, digits: int) -> Text:
    """Formats the same in both languages, to be filled into a text."""
    return Text(decimal(value, digits, "en"), decimal(value, digits, "ru"))


def percentage(share: float, digits: int, lang: Lang) -> str:
    """Formats a share in percent."""
    return f"{decimal(100 * share, digits, lang)}{SPACE}%"


def short(value: float, lang: Lang) -> str:
    """Formats a whole number without decimals, tenths with one, any other with two."""
    return decimal(value, _short_digits(value), lang)


def _short_digits(value: float) -> int:
    return next(digits for digits in range(3) if digits == 2 or round(value, digits) == value)


def estimate_digits(estimate: Estimate, *, percent: bool, significant: int = 1) -> int:
    """Returns the decimals that leave its half-width so many significant digits; never less than one."""
    if not estimate.known:
        return 1 if percent else max(1, _short_digits(estimate.value))
    half = (estimate.high - estimate.low) / 2 * (100 if percent else 1)
    return min(_MAX_DIGITS, max(1, ceil(-log10(half) - 1e-9) + significant - 1)) if half > 0 else 1


def estimate_parts(estimate: Estimate, digits: int, *, percent: bool, lang: Lang) -> tuple[str, str]:
    """Formats the value and the interval in brackets."""
    if isnan(estimate.value):
        return NOTHING, ""
    scale = 100 if percent else 1
    value = percentage(estimate.value, digits, lang) if percent else decimal(estimate.value, digits, lang)
    if not estimate.known:
        return value, TOO_FEW.of(lang).replace(" ", SPACE)
    low, high = (decimal(scale * end, digits, lang) for end in (estimate.low, estimate.high))
    return value, interval(low, high, lang)


def interval(low: str, high: str, lang: Lang) -> str:
    """Formats the ends of an interval in brackets."""
    # A Russian number has a comma inside, so another sign must stand between two of them.
    return f"[{low};{SPACE}{high}]" if lang == "ru" else f"[{low},{SPACE}{high}]"


def column_digits(table: Table, column: int) -> int:
    """Returns the decimals usual in a column of estimates, so that its rows look alike."""
    cells = [row[column] for row in table.rows]
    needs = [_digits(table, column, cell) for cell in cells if isinstance(cell, Estimate) and cell.known]
    return median_high(needs) if needs else 1


def _digits(table: Table, column: int, cell: Estimate) -> int:
    """Returns the decimals of an estimate by itself; a difference, which may be near 0, has one more."""
    significant = 2 if table.difference_columns and column == table.difference_columns[2] else 1
    return estimate_digits(cell, percent=column in table.percent_columns, significant=significant)


def cell_digits(table: Table, row: int, column: int) -> int:
    """Returns the decimals of a number: as many as it needs, an estimate as many as its column.

    Where columns are alike, those of the estimates in all of them; plain numbers decide where there are none.
    """
    percent, estimates, numbers = column in table.percent_columns, [], []
    compared = table.difference_columns is not None and column in table.difference_columns
    alike = table.difference_columns if compared else table.alike_columns
    for one in alike if alike and column in alike else (column,):
        cell = table.rows[row][one]
        if isinstance(cell, Estimate) and not isnan(cell.value):
            estimates += [_digits(table, one, cell), column_digits(table, one)]
        elif isinstance(cell, int | float):
            numbers.append(1 if percent else _short_digits(cell))
    digits = max(estimates or numbers, default=1)
    return _agreeing(table, row, digits) if compared else digits


def _agreeing(table: Table, row: int, digits: int) -> int:
    """Returns the decimals, a few more if need be, with which b - a is the difference of a and b as they are shown."""
    assert table.difference_columns is not None
    cells = [table.rows[row][column] for column in table.difference_columns]
    values = [cell.value if isinstance(cell, Estimate) else cell for cell in cells]
    numbers = [value for value in values if isinstance(value, int | float) and isfinite(value)]
    if len(numbers) < len(values):
        return digits
    scale = 100 if table.difference_columns[2] in table.percent_columns else 1
    for more in range(digits, digits + _MORE_TO_AGREE + 1):
        shown = [Decimal(f"{scale * value:.{more}f}") for value in numbers]
        if shown[1] - shown[0] == shown[2]:
            return more
    return digits


def cell_parts(table: Table, row: int, column: int, lang: Lang) -> tuple[str, str]:
    """Formats a cell: value and interval of an estimate; of anything else the second part is empty."""
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
    """Returns whether a column holds numbers and is right-aligned."""
    if column in table.number_columns:
        return True
    cells = [row[column] for row in table.rows]
    return any(isinstance(cell, int | float | Estimate) for cell in cells)


def counted(n: int, forms: Text, lang: Lang) -> str:
    """Formats a number with its noun, in the form that `plural` picks."""
    return f"{decimal(n, 0, lang)}{SPACE}{plural(n, forms.of(lang))}"


def duration(seconds: float, lang: Lang) -> str:
    """Formats a time as people say it."""
    hour, minute, second = Text("h", "ч").of(lang), Text("min", "мин").of(lang), Text("s", "с").of(lang)
    if seconds < 59.95:
        return f"{decimal(seconds, 2 if seconds < 0.995 else 1, lang)}{SPACE}{second}"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60}{SPACE}{minute} {whole % 60:02}{SPACE}{second}"
    return f"{decimal(whole // 3600, 0, lang)}{SPACE}{hour} {whole % 3600 // 60:02}{SPACE}{minute}"
