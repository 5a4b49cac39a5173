"""Fast test whether a card just laid can have made a pattern: nearly always it has not.

The first look is at the row and the column of the card. A pattern with the card needs four cards of a line, or three of
the row and three of the column, whose ranks rise by 1, fall by 1 or stay the same. A card has a mark of three bits, by
its rank, and a table knows of the marks of any five cards whether there are three or four such ones among them.

The second look is at all windows with a changed cell. A board is a set of bits, and all its windows are looked at
together: laid over itself and shifted by a cell, a board keeps the bits of those cards that have a neighbour. A window
is known by its first cell. A line of five is looked for by the lines of four in it, a square by its upper row and its
left column. Where that, too, finds something, the windows are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from playmill.author import lowest_bit, rare, rule
from playmill.games.grid.constants import SIDE
from playmill.games.grid.patterns.matching import matching_patterns

#: The bits of a mark. A line has those of its cards, the first one lowest.
MARK = 3
#: A board has the marks of its rows, then those of its columns: where these begin, and how many numbers there are.
COLUMNS, LINES = 8, 16
#: The mark of a joker; those of ranks are lower, and a free cell has 0.
JOKER_MARK = 7
#: How many cards of a line are looked up at once, and the bits of their marks.
LOOKED_UP = 5
_MARKS = (1 << MARK * LOOKED_UP) - 1
#: What the table tells: three cards in a line can be in a pattern, four can.
_THREE, _FOUR = 1, 2
#: How many windows are looked at together.
STRETCH = 32


def marks_of(ranks: Sequence[int]) -> dict[int, int]:
    """The mark of each rank: as far apart as the ranks, or all the same where these are too far apart for it."""
    low, high = min(ranks), max(ranks)
    return {rank: rank - low + 1 if high - low + 1 < JOKER_MARK else 1 for rank in ranks}


def _is_steady(marks: int, cards: int) -> bool:
    """Whether ranks may rise by 1, fall by 1 or stay the same, by the marks of so many cards; a joker has any rank."""
    line = [marks >> MARK * place & JOKER_MARK for place in range(cards)]
    known = [(place, mark) for place, mark in enumerate(line) if mark != JOKER_MARK]
    return 0 not in line and any(len({mark - step * place for place, mark in known}) < 2 for step in (-1, 0, 1))


def _told_by_marks() -> Any:
    """What the marks of five cards tell, whatever they are: by those of the first four, and of the last four."""
    three, four, five = (1 << MARK * cards for cards in (3, 4, 5))
    threes = [_THREE * _is_steady(marks, 3) for marks in range(three)]
    fours = [threes[marks % three] | threes[marks >> MARK] for marks in range(four)]
    for marks in range(four):
        if threes[marks % three] & threes[marks >> MARK]:
            fours[marks] |= _FOUR * _is_steady(marks, 4)
    return np.array([fours[marks % four] | fours[marks >> MARK] for marks in range(five)], np.uint8)


TOLD = _told_by_marks()


@rule
def signs_of_pattern(cfg: Any, row: int, column: int) -> int:
    """0 if no card can be in a pattern with others of its row and of its column, by the marks of both."""
    if cfg.long_lines == 1:
        return _signs_in_long_lines(row, column)
    return _signs(int(TOLD[row]), int(TOLD[column]))


@rare
def _signs_in_long_lines(row: int, column: int) -> int:
    """The same for lines of more cards than are looked up at once."""
    across, down = 0, 0
    for first in range(SIDE - LOOKED_UP + 1):
        across |= int(TOLD[row >> MARK * first & _MARKS])
        down |= int(TOLD[column >> MARK * first & _MARKS])
    return _signs(across, down)


@rule
def _signs(across: int, down: int) -> int:
    return (across | down) & _FOUR | across & down & _THREE


@rule
def has_pattern(cfg: Any, s: Any, player: int) -> bool:
    """Whether a window with a changed cell is full and keeps a pattern."""
    return pattern_is_likely(cfg, s, player) and _has_pattern(cfg, s, player)


@rare
def _has_pattern(cfg: Any, s: Any, player: int) -> bool:
    """The same, looking at each window."""
    for first in range(0, cfg.windows, STRETCH):
        windows = changed_windows(cfg, s, player, first)
        while windows != 0:
            if matching_patterns(cfg, s, player, first + lowest_bit(windows)) != 0:
                return True
            windows &= windows - 1
    return False


@rule
def changed_windows(cfg: Any, s: Any, player: int, first: int) -> int:
    """The full windows with a changed cell, of a stretch of windows from `first` on, as bits; without a branch."""
    free = ~s.filled[player]
    dirty = s.dirty[player]
    found = 0
    for place in range(min(cfg.windows - first, STRETCH)):
        bits = cfg.window_bits[first + place]
        found |= ((bits & free == 0) & (bits & dirty != 0)) << place
    return found


@rule
def pattern_is_likely(cfg: Any, s: Any, player: int) -> bool:
    """Whether a full window with a changed cell has ranks that a pattern may have; if not, there is no new pattern."""
    filled = s.filled[player]
    changed = s.dirty[player]
    down = cfg.width
    rows = _fours(filled, 1) & _fours_with(changed, 1) & cfg.row_starts
    while rows != 0:
        if _four_are_steady(cfg, s, player, lowest_bit(rows), 1):
            return True
        rows &= rows - 1
    columns = _fours(filled, down) & _fours_with(changed, down) & cfg.column_starts
    while columns != 0:
        if _four_are_steady(cfg, s, player, lowest_bit(columns), down):
            return True
        columns &= columns - 1
    squares = _threes(_threes(filled, 1), down) & _threes_with(_threes_with(changed, 1), down) & cfg.square_starts
    while squares != 0:
        corner = lowest_bit(squares)
        if _three_are_steady(cfg, s, player, corner, 1) and _three_are_steady(cfg, s, player, corner, down):
            return True
        squares &= squares - 1
    return False


@rule
def _fours(cells: int, step: int) -> int:
    """The cells that are the first of four in a line, all in a set."""
    pairs = cells & cells >> step
    return pairs & pairs >> 2 * step


@rule
def _fours_with(cells: int, step: int) -> int:
    """The cells that are the first of four in a line, at least one of them in a set."""
    pairs = cells | cells >> step
    return pairs | pairs >> 2 * step


@rule
def _threes(cells: int, step: int) -> int:
    """The cells that are the first of three in a line, all in a set."""
    return cells & cells >> step & cells >> 2 * step


@rule
def _threes_with(cells: int, step: int) -> int:
    """The cells that are the first of three in a line, at least one of them in a set."""
    return cells | cells >> step | cells >> 2 * step


@rule
def _four_are_steady(cfg: Any, s: Any, player: int, cell: int, step: int) -> bool:
    """Whether the ranks of four cards in a line rise by 1, fall by 1 or stay the same; a joker makes it possible."""
    first = cfg.rank[s.board[player, cell]]
    second = cfg.rank[s.board[player, cell + step]]
    third = cfg.rank[s.board[player, cell + 2 * step]]
    fourth = cfg.rank[s.board[player, cell + 3 * step]]
    climb = second - first
    is_off = abs(climb) >> 1 | (third - second) ^ climb | (fourth - third) ^ climb
    return is_off * first * second * third * fourth == 0


@rule
def _three_are_steady(cfg: Any, s: Any, player: int, cell: int, step: int) -> bool:
    """The same for three cards."""
    first = cfg.rank[s.board[player, cell]]
    second = cfg.rank[s.board[player, cell + step]]
    third = cfg.rank[s.board[player, cell + 2 * step]]
    climb = second - first
    is_off = abs(climb) >> 1 | (third - second) ^ climb
    return is_off * first * second * third == 0
