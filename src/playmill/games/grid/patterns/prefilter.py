"""Fast test whether a card just laid can have made a pattern: nearly always it has not.

The first look is at the row and the column of the card. A card has a mark of four bits, by its rank, and the marks of
both lines are one number: all steps from a card to the next one are taken at once. A pattern with the card needs four
cards of a line, or three of the row and three of the column, with equal steps between them. There is no branch on the
way, for a processor could not guess which one is taken.

The second look is at all windows with a changed cell. A board is a set of bits, and all its windows are looked at
together: laid over itself and shifted by a cell, a board keeps the bits of those cards that have a neighbour. A window
is known by its first cell. A line of five is looked for by the lines of four in it, a square by its upper row and its
left column. Where that, too, finds something, the windows are looked at one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playmill.author import lowest_bit, rare, rule
from playmill.games.grid.patterns.matching import matching_patterns

#: The bits of a mark, and where the marks of a column begin beside those of a row.
MARK, COLUMN = 4, 32
#: A board has the marks of its rows, then those of its columns: where these begin, and how many numbers there are.
COLUMNS, LINES = 8, 16
#: The mark of a joker; those of ranks are lower, and a free cell has 0.
JOKER_MARK = 8
#: The highest bit of every mark, which only jokers have, and the others.
_HIGH, _LOW = 0x0888888888888888, 0x0777777777777777
_ROW = (1 << COLUMN) - 1
#: How many windows are looked at together.
STRETCH = 32


def marks_of(ranks: Sequence[int]) -> dict[int, int]:
    """The mark of each rank: as far apart as the ranks, or all the same where these are too far apart for it."""
    low, high = min(ranks), max(ranks)
    return {rank: rank - low + 1 if high - low + 1 < JOKER_MARK else 1 for rank in ranks}


def starts_through(place: int, cards: int, length: int) -> int:
    """The highest bits of those marks of a line with which so many cards begin, the one in a place among them."""
    return sum(JOKER_MARK << MARK * start for start in range(length - cards + 1) if start <= place < start + cards)


@rule
def signs_of_pattern(spot: Any, marks: int) -> int:
    """0 if a card cannot be in a pattern, by the marks of its row and its column; with a joker among them it can."""
    steps = (marks | _HIGH) - (marks >> MARK)  # 8 more, so that none is negative
    turns = steps ^ steps >> MARK  # 0 where a step is the same as the next one
    threes = ~((turns & _LOW) + _LOW | turns) & spot.threes
    turns |= turns >> MARK
    fours = ~((turns & _LOW) + _LOW | turns) & spot.fours
    return fours | marks & _HIGH | min(threes & _ROW, threes >> COLUMN)


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
