"""Prints Polars frames (answers to SQL) in the terminal, and writes them as CSV or Parquet."""

from __future__ import annotations

import json
from decimal import Decimal
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Any

import polars
from rich.cells import cell_len
from rich.console import Console

from playmill.interrupts import undisturbed
from playmill.report.files.atomic_file import AtomicFile
from playmill.report.files.writing import write_bytes
from playmill.report.number_format import NOTHING, counted, decimal
from playmill.report.terminal.row_layout import Column, print_rows
from playmill.texts import Lang, Text, one_line

_GAP = 2
#: Rows of CSV that are written at a time.
_PIECE = 100_000
_MAX_DIGITS = 4
#: Numbers that this many decimals would show as nothing, and numbers with more digits than they are known to.
_TINY, _HUGE = 0.0001, 1e15
_MORE = Text("… and {} more", "… и ещё {}")
_ROWS = Text("row|rows", "строка|строки|строк")
_NONE = Text("no rows", "строк нет")


def print_frame(console: Console, frame: polars.DataFrame, more: int, lang: Lang) -> None:
    """Prints rows as a table, numbers right-aligned, or vertically where the terminal is too narrow.

    What is not a terminal is as wide as it has to be.
    """
    cells = [_cells(column, lang) for column in frame.iter_columns()]
    titles = [one_line(name) for name in frame.columns]
    widths = [max(map(cell_len, (title, *column))) for title, column in zip(titles, cells, strict=True)]
    width = sum(widths) + _GAP * (len(widths) - 1)
    if frame.is_empty() or width <= console.width or not console.is_terminal:
        console.width = max(width, console.width)
    columns = [
        Column(title, right=column.dtype.is_numeric())
        for title, column in zip(titles, frame.iter_columns(), strict=True)
    ]
    print_rows(console, columns, zip(*cells, strict=True), gaps=(_GAP,))
    if frame.is_empty():
        console.print(_NONE.of(lang), style="dim")
    if more:
        console.print(_MORE.of(lang).format(counted(more, _ROWS, lang)), style="dim")


def write_csv(path: Path, frame: polars.DataFrame) -> None:
    """Writes rows as CSV, atomically and in pieces: the text of many needs much more memory than they do."""
    lists = [name for name, kind in frame.schema.items() if kind.is_nested()]
    plain = frame.with_columns(_listed(frame[name]) for name in lists)
    with undisturbed(), AtomicFile(path) as draft:
        draft.write(plain.clear().write_csv().encode())
        for piece in plain.iter_slices(_PIECE):
            draft.write(piece.write_csv(include_header=False).encode())


def _listed(lists: polars.Series) -> polars.Series:
    """Encodes lists as JSON, which a cell of CSV can hold."""
    return polars.Series(
        lists.name,
        [None if value is None else json.dumps(value, ensure_ascii=False, default=str) for value in lists.to_list()],
    )


def write_parquet(path: Path, frame: polars.DataFrame) -> None:
    """Writes rows as Parquet, atomically."""
    file = BytesIO()
    frame.write_parquet(file)
    write_bytes(path, file.getvalue())


def _cells(column: polars.Series, lang: Lang) -> list[str]:
    """Formats a column; its numbers have as many decimals as the one that needs most, at most four."""
    values = column.to_list()
    digits = max(map(_digits, values), default=0)
    return [_cell(value, digits, lang) for value in values]


def _digits(value: Any) -> int:
    if not isinstance(value, float | Decimal) or not isfinite(value) or abs(float(value)) < _TINY:
        return 0
    number = float(value)
    return next(digits for digits in range(_MAX_DIGITS + 1) if digits == _MAX_DIGITS or round(number, digits) == number)


def _cell(value: Any, digits: int, lang: Lang) -> str:
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return decimal(value, 0, lang)
    if isinstance(value, float | Decimal) and isfinite(value):
        number = float(value)
        # Of a number too small or too large for that, digits and a power of ten.
        if number and not _TINY <= abs(number) < _HUGE:
            return f"{number:.3e}".replace(".", "," if lang == "ru" else ".")
        return decimal(number, digits, lang)
    return one_line(str(value))
