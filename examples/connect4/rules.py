"""Connect Four: drop a disc into a column; four in a row, in any direction, win."""

from typing import Any

import numpy as np

from playmill.author import rule

ROWS, COLUMNS = 6, 7
MAX_PLAYERS, MAX_ACTIONS, STAKES = 2, COLUMNS, (-1, 1, 0)
#: Along a row, down a column, and both diagonals.
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))

State = np.dtype([("player", "i1"), ("winner", "i1"), ("discs", "i1"), ("board", "i1", (ROWS, COLUMNS))], align=True)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """The board is empty, seat 0 begins."""
    s.winner = -1


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Every column that is not full."""
    n = 0
    for column in range(COLUMNS):
        if s.player >= 0 and s.board[0, column] == 0:
            out.ids[n] = column
            n += 1
    return n


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """The disc falls to the lowest free cell of its column."""
    row = ROWS - 1
    while s.board[row, action] != 0:
        row -= 1
    s.board[row, action] = s.player + 1
    s.discs += 1
    if wins(cfg, s, row, action):
        s.winner = s.player
    s.player = -1 if s.winner >= 0 or s.discs == ROWS * COLUMNS else 1 - s.player


@rule
def wins(cfg: Any, s: Any, row: int, column: int) -> bool:
    """Whether the disc in this cell is part of a line long enough."""
    for down, right in DIRECTIONS:
        if 1 + same(s, row, column, down, right) + same(s, row, column, -down, -right) >= cfg.line:
            return True
    return False


@rule
def same(s: Any, row: int, column: int, down: int, right: int) -> int:
    """How many more discs of the same player lie in a direction."""
    n = 0
    y, x = row + down, column + right
    while 0 <= y < ROWS and 0 <= x < COLUMNS and s.board[y, x] == s.board[row, column]:
        n, y, x = n + 1, y + down, x + right
    return n


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 for the winner, -1 for the loser; a full board is a draw."""
    for seat in range(MAX_PLAYERS):
        out[seat] = 0.0 if s.winner < 0 else (1.0 if s.winner == seat else -1.0)
