"""A quick look at a board of Grid: can a card that came to lie there have made a pattern? Nearly always it has not.

A board is a set of bits, and all its windows are looked at together: laid over itself and shifted by a cell, a board
keeps the bits of those cards that have a neighbour. A window is known by its first cell. A line of five is looked for
by the lines of four in it, a square by its upper row and its left column.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.rule import lowest_bit, rule


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
