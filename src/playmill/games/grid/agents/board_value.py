"""Values a board of Grid by what each of its windows may still become; agents weigh options with it.

The *promise* of a window is the victory points of each pattern that can still come to lie in it, worth less for every
card that is missing. An agent notes what every window of a board is like and promises, and what follows from that for
its cells (see `board_notes.py`).

An agent may have an *aim*: the one pattern whose promises count, or NO_AIM.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import bit_count, rule
from playmill.games.grid import constants
from playmill.games.grid.patterns.outlines import ALL_SHUT, outline, rules_open

#: What a point is worth that needs no more cards.
CERTAIN = 1 << 16
NO_AIM = -1
#: What a point is worth by the cards that are missing: every one makes it five times less likely. Whoever builds for
#: one pattern alone waits longer for a card.
_WORTH = np.array([CERTAIN // 5**cards for cards in range(10)])
_WORTH_OF_AIM = np.array([CERTAIN // 2**cards for cards in range(10)])
_POINTS_OF_AIM = 20


@rule
def counts(cfg: Any, s: Any, player: int, window: int, aim: int) -> bool:
    """Whether a window can promise anything: some pattern is of its shape, and its cards are there to stay.

    Inside a reward the cards of the pattern are as good as gone: nothing should be built on them.
    """
    shape = cfg.window_shape[window]
    wanted = cfg.shape_used[shape] == 1 if aim == NO_AIM else cfg.pattern_shape[aim] == shape
    return wanted and (player != s.active or cfg.window_bits[window] & s.pattern_cells == 0)


@rule
def worth(cfg: Any, shape: int, aim: int, rules: int, missing: int) -> int:
    """What a window of a shape, with some card, is worth that may keep these rules and lacks so many others."""
    if aim == NO_AIM:
        return cfg.points[shape, rules] * int(_WORTH[missing])
    wanted = cfg.pattern_rules[aim]
    return _POINTS_OF_AIM * int(_WORTH_OF_AIM[missing]) if rules & wanted == wanted else 0


@rule
def promise(cfg: Any, s: Any, player: int, window: int, aim: int) -> int:
    """What a window may still bring: points of its possible patterns, worth less for every missing card."""
    if not counts(cfg, s, player, window, aim):
        return 0
    if cfg.window_bits[window] & s.filled[player] == 0:
        return 0
    starts, rows, columns, free = outline(cfg, s, player, window)
    if starts == ALL_SHUT:
        return 0
    rules = rules_open(cfg, s, player, window, starts, rows, columns)
    return worth(cfg, cfg.window_shape[window], aim, rules, bit_count(free))


@rule
def promise_around(cfg: Any, s: Any, player: int, cell: int, aim: int) -> int:
    """What all windows with a cell promise."""
    total = 0
    for i in range(cfg.cell_windows[cell]):
        total += promise(cfg, s, player, cfg.cell_window[cell, i], aim)
    return total


@rule
def total_promise(cfg: Any, s: Any, player: int) -> int:
    """What a whole board promises."""
    total = 0
    for window in range(cfg.windows):
        total += promise(cfg, s, player, window, NO_AIM)
    return total


@rule
def lay(s: Any, player: int, cell: int, card: int) -> None:
    """Tries a card out in a free cell."""
    s.board[player, cell] = card
    s.filled[player] |= 1 << cell


@rule
def lift(s: Any, player: int, cell: int) -> None:
    """Takes a card off a cell."""
    s.board[player, cell] = constants.EMPTY
    s.filled[player] &= ~(1 << cell)
