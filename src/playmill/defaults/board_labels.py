"""Labels of a board: names of columns, rows or cells, from the short forms of its actions."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

#: A name of a column, a row or a cell that is written beside it, or in it, has at most this many letters.
_LONGEST = 3
#: What a name is made of: runs of letters, runs of figures.
_PARTS = re.compile(r"[^\W\d_]+|\d+")


class BoardLabels(NamedTuple):
    """Names of columns and of rows; or, where a name is not made of two, of every cell. Any of them may be missing."""

    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    cells: tuple[tuple[str, ...], ...] = ()


def labels_of(named: Callable[[int], str], clicks: Sequence[Sequence[object]]) -> BoardLabels:
    """The names on a board whose clicks are these actions: `named` is the short form of an action.

    Where all cells of a column are one action, the columns have names; where each is its own, `b3` is the third row of
    column b, and `3-2` the second column of the third row; what cannot be taken apart so is the name of one cell.
    """
    if not clicks or not clicks[0]:
        return BoardLabels()
    texts = tuple(tuple(named(one) if isinstance(one, int) else "" for one in row) for row in clicks)
    if len(clicks) > 1 and all(list(row) == list(clicks[0]) for row in clicks):
        return BoardLabels(columns=_short(texts[0]))
    if (apart := _apart(texts)) is not None:
        return apart
    every = [text for row in texts for text in row]
    return BoardLabels(cells=texts) if _short(every) else BoardLabels()


def _apart(texts: Sequence[Sequence[str]]) -> BoardLabels | None:
    """Names of columns and rows, if one part of a cell's name is always the one and another always the other."""
    parts = [[_PARTS.findall(text) for text in row] for row in texts]
    if len({len(cell) for row in parts for cell in row}) > 1:
        return None
    columns, rows = [], []
    for place in range(len(parts[0][0])):
        grid = [[cell[place] for cell in row] for row in parts]
        by_column, by_row = all(row == grid[0] for row in grid), all(len({*row}) == 1 for row in grid)
        if by_column and not by_row:
            columns.append(_short(grid[0]))
        elif by_row and not by_column:
            rows.append(_short([row[0] for row in grid]))
        elif not by_row:
            return None
    return BoardLabels(columns[0], rows[0]) if len(columns) == len(rows) == 1 and columns[0] and rows[0] else None


def _short(names: Sequence[str]) -> tuple[str, ...]:
    """Names that are different and short enough to stand beside a board, or none."""
    fitting = all(0 < len(name) <= _LONGEST for name in names) and len({*names}) == len(names)
    return tuple(names) if fitting else ()
