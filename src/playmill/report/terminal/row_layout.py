"""Lays out rows in a terminal: a table if it fits, wrapped words if it is tight, else paragraphs.

Nothing is ever cut: neither a number nor a name is broken in two, and whatever a heading says stands beside its cell.
Where there is no room beside a number for its interval, that stands below it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text as RichText

#: Groups digits and ties units to numbers; unlike the narrow one it is in every code page a terminal may have.
SPACE = "\u00a0"
#: Spaces between columns, the best first.
_GAPS = (3, 2, 1)
#: Words may be broken into this many lines, or more in a column at least so wide.
_LINES, _WIDE = 3, 24
#: From this width on a table with intervals below their values is easier to read than paragraphs.
_FOLDING = 72
_INDENT = 2


@dataclass(frozen=True)
class Column:
    """A column: heading, alignment, whether it may be wrapped, and whether it names the row.

    The columns that name a row are the first ones; where rows are paragraphs, they are the head of each. One of
    estimates is `folded` before that: then an interval stands below its value.
    """

    title: str
    right: bool = False
    broken: bool = False
    names: bool = False
    folded: bool = False


Row = Sequence[RichText]


def print_rows(
    console: Console,
    columns: Sequence[Column],
    rows: Iterable[Sequence[str | RichText]],
    *,
    gaps: Sequence[int] = _GAPS,
) -> None:
    """Prints rows as a table, or each as a paragraph where the console is too narrow."""
    made = [[cell if isinstance(cell, RichText) else RichText(cell) for cell in row] for row in rows]
    layout = _layout(columns, made, console.width, gaps)
    lines = [*(_paragraphs(columns, made, console.width) if layout is None else _table(columns, made, *layout))]
    for line in lines:
        line.rstrip()
    _print_lines(console, lines)


def _print_lines(console: Console, lines: Sequence[RichText]) -> None:
    """Prints lines as they are, all at once: each time, a console takes longer to begin than to print a line."""
    if lines:
        console.print(RichText("\n").join(lines), highlight=False, soft_wrap=True)


def is_table(columns: Sequence[Column], rows: Iterable[Row], width: int) -> bool:
    """Returns whether the rows fit a width as a table in which no cell is wrapped."""
    layout = _layout([Column(one.title, one.right) for one in columns], list(rows), width, _GAPS)
    return layout is not None


def print_words(console: Console, text: str, style: str = "") -> None:
    """Prints wrapped sentences; percent signs stay with their number, dashes with the word before."""
    tied = text.replace(" %", f"{SPACE}%").replace(" —", f"{SPACE}—")
    _print_lines(console, _wrapped(RichText(tied, style=style), console.width))


# How wide


def _layout(
    columns: Sequence[Column], rows: Sequence[Row], width: int, gaps: Sequence[int]
) -> tuple[int, list[int]] | None:
    """Returns the spaces between columns and the width of each; None if there is no room for a table."""
    whole = [[max(map(cell_len, row[place].plain.split("\n"))) for row in rows] for place in range(len(columns))]
    for least in (_unbroken, _broken, _folded) if width >= _FOLDING else (_unbroken, _broken):
        widths = [least(columns[place], rows, place, cells) for place, cells in enumerate(whole)]
        for gap in gaps:
            left = width - sum(widths) - gap * (len(widths) - 1)
            if left >= 0:
                return gap, _widened(columns, whole, widths, left)
    return None


def _longest_word(text: str) -> int:
    return max(map(cell_len, text.split(" ")))


def _unbroken(column: Column, rows: Sequence[Row], place: int, cells: Sequence[int]) -> int:
    """Returns the width a column needs with every cell in one line; its title may have several."""
    return max([*cells, _longest_word(column.title)])


def _broken(column: Column, rows: Sequence[Row], place: int, cells: Sequence[int]) -> int:
    """Returns the width a column needs if its words may be wrapped."""
    if not column.broken:
        return _unbroken(column, rows, place, cells)
    words = max((_longest_word(line) for row in rows for line in row[place].plain.split("\n")), default=0)
    words += _INDENT * any("\n" in row[place].plain for row in rows)
    return max(words, min(_WIDE, max(map(_share, cells), default=0)), _longest_word(column.title))


def _folded(column: Column, rows: Sequence[Row], place: int, cells: Sequence[int]) -> int:
    """Returns the width a column needs if, besides, intervals may stand below their values."""
    if not column.folded:
        return _broken(column, rows, place, cells)
    return max(_longest_word(text) for text in (column.title, *(row[place].plain for row in rows)))


def _share(width: int) -> int:
    return ceil(width / _LINES)


def _widened(columns: Sequence[Column], whole: Sequence[Sequence[int]], widths: Sequence[int], left: int) -> list[int]:
    """Gives the remaining width to columns whose words would be wrapped, then to titles."""
    made = list(widths)
    for wanted in (whole, [[cell_len(column.title)] for column in columns]):
        missing = {place: max(cells, default=0) - made[place] for place, cells in enumerate(wanted)}
        # Whoever needs little gets it; the others have equal parts of what is left.
        poor = sorted((place for place in missing if missing[place] > 0), key=lambda place: missing[place])
        for number, place in enumerate(poor):
            more = min(missing[place], left // (len(poor) - number))
            made[place] += more
            left -= more
    return made


# As a table


def _table(columns: Sequence[Column], rows: Sequence[Row], gap: int, widths: Sequence[int]) -> Iterator[RichText]:
    heads = [_wrapped(RichText(column.title), width) for column, width in zip(columns, widths, strict=True)]
    # Titles of one line stand right above their cells.
    high = max(map(len, heads))
    yield from _lines(columns, [[RichText("")] * (high - len(head)) + head for head in heads], gap, widths)
    yield RichText("─" * (sum(widths) + gap * (len(widths) - 1)))
    for row in rows:
        cells = [
            _wrapped(cell, width, hanging=_INDENT * ("\n" in cell.plain))
            for cell, width in zip(row, widths, strict=True)
        ]
        yield from _lines(columns, cells, gap, widths)


def _lines(
    columns: Sequence[Column], cells: Sequence[Sequence[RichText]], gap: int, widths: Sequence[int]
) -> Iterator[RichText]:
    """Yields the lines of one row, cells beside each other."""
    for number in range(max(map(len, cells))):
        line = RichText()
        for place, (column, width) in enumerate(zip(columns, widths, strict=True)):
            part = cells[place][number] if number < len(cells[place]) else RichText("")
            room = " " * max(0, width - cell_len(part.plain))
            line.append(" " * gap if place else "")
            line.append_text(RichText(room) + part if column.right else part + RichText(room))
        yield line


# As paragraphs


def _paragraphs(columns: Sequence[Column], rows: Sequence[Row], width: int) -> Iterator[RichText]:
    """Yields each row under its names; without any, rows are separated by blank lines."""
    names = [place for place, column in enumerate(columns) if column.names]
    for number, row in enumerate(rows):
        if names:
            head = ", ".join(_named(columns[place].title, row[place].plain) for place in names if row[place].plain)
            yield from _wrapped(RichText(head, style="bold"), width)
        elif number:
            yield RichText("")
        for place, column in enumerate(columns):
            if place not in names and row[place].plain:
                yield from _entry(column, row[place], _INDENT if names else 0, width)


def _named(title: str, cell: str) -> str:
    """Returns a name with its heading if it is a number, which says nothing without it."""
    return f"{title} {cell}" if cell.isdecimal() else " ".join(cell.split("\n"))


def _entry(column: Column, cell: RichText, indent: int, width: int) -> Iterator[RichText]:
    """Returns a heading and its cell; what does not fit in one line is indented further."""
    head = RichText(column.title + (" " if column.title.endswith("?") else ": "))
    several = "\n" in cell.plain
    fits = indent + cell_len(head.plain) + cell_len(cell.plain) <= width
    if not several and (fits or column.broken):
        lines = _wrapped(head + cell, width - indent, hanging=_INDENT)
    else:
        head.rstrip()
        room = width - indent - _INDENT
        below = _wrapped(cell, room, hanging=_INDENT * several) if column.broken else cell.split("\n")
        lines = [*_wrapped(head, width - indent), *(RichText(" " * _INDENT) + line for line in below)]
    yield from (RichText(" " * indent) + line for line in lines)


def _wrapped(text: RichText, width: int, *, hanging: int = 0) -> list[RichText]:
    """Wraps a text at plain spaces only; continuation lines are indented by `hanging`."""
    if "\n" not in text.plain and cell_len(text.plain) <= width:
        return [text]
    made: list[RichText] = []
    for line in text.split("\n", allow_blank=True):
        plain, begin, end, before = line.plain, 0, 0, RichText("")
        for word in plain.split(" "):
            after = end + len(word)
            if end > begin and len(before) + cell_len(plain[begin:after]) > width:
                made.append(before + line[begin : end - 1])
                begin, before = end, RichText(" " * hanging)
            end = after + 1
        made.append(before + line[begin:])
    return made
