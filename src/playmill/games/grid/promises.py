"""What boards of Grid promise their owners: the ground on which its agents weigh options.

The *promise* of a window is the victory points of each pattern that can still come to lie in it, worth less for every
card that is missing. An agent notes the outline and the promise of every window of a board once, and for every cell
which of its windows are worth a look: most are not. What a card would bring in any free cell then follows from the
notes, without a look at the other cards (see `outlines.py`).

An agent may have an *aim*: the one pattern whose promises count, or NO_AIM.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.rule import bit_count, lowest_bit, rule
from playmill.games.grid import actions as act
from playmill.games.grid.cards import free_cells
from playmill.games.grid.outlines import ALL_SHUT, missing_cards, outline, rules_open, rules_open_with

#: What a point is worth that needs no more cards.
CERTAIN = 1 << 16
NO_AIM = -1
#: What a point is worth by the cards that are missing: every one makes it five times less likely. Whoever builds for
#: one pattern alone waits longer for a card.
_WORTH = np.array([CERTAIN // 5**cards for cards in range(10)])
_WORTH_OF_AIM = np.array([CERTAIN // 2**cards for cards in range(10)])
_POINTS_OF_AIM = 20
#: Where an agent notes what a window is like and promises; and in front of that, for every cell, which of its windows
#: promise anything if the right card comes there, as bits.
_NUMBERS = 4
NOTES = act.MAX_OPTIONS - _NUMBERS * act.WINDOWS
_PROMISE = 3
_OPEN = NOTES - act.CELLS
#: The starts of a window are noted less this, so that they fit into 32 bits.
_BELOW = 1 << 31


@rule
def note_promises(cfg: Any, s: Any, legal: Any, player: int, aim: int) -> None:
    """Notes what every window of a board is like and promises, for `gain` to compare with."""
    for cell in range(cfg.cells):
        legal.ids[_OPEN + cell] = 0
    filled = s.filled[player]
    for window in range(cfg.windows):
        size = act.SHAPE_SIZES[cfg.window_shape[window]]
        missing = size - bit_count(cfg.window_bits[window] & filled)
        if missing > 0 and _counts(cfg, s, player, window, aim):
            starts, rows, columns = outline(cfg, s, player, window)
            if starts != ALL_SHUT:
                rules = rules_open(cfg, s, player, window, starts, rows, columns)
                # One more card never opens a rule that is shut.
                if _worth(cfg, window, aim, rules, missing - 1) > 0:
                    note = NOTES + _NUMBERS * window
                    legal.ids[note] = starts - _BELOW
                    legal.ids[note + 1] = rows
                    legal.ids[note + 2] = columns
                    legal.ids[note + _PROMISE] = 0 if missing == size else _worth(cfg, window, aim, rules, missing)
                    for place in range(size):
                        legal.ids[_OPEN + cfg.window_cell[window, place]] |= 1 << cfg.window_turn[window, place]


@rule
def _counts(cfg: Any, s: Any, player: int, window: int, aim: int) -> bool:
    """Whether a window can promise anything: some pattern is of its shape, and its cards are there to stay.

    Inside a reward the cards of the pattern are as good as gone: nothing should be built on them.
    """
    shape = cfg.window_shape[window]
    wanted = cfg.shape_used[shape] == 1 if aim == NO_AIM else cfg.pattern_shape[aim] == shape
    return wanted and (player != s.active or cfg.window_bits[window] & s.pattern_cells == 0)


@rule
def _worth(cfg: Any, window: int, aim: int, rules: int, missing: int) -> int:
    """What a window with some card is worth that may keep these rules and lacks so many others."""
    if aim == NO_AIM:
        return cfg.points[cfg.window_shape[window], rules] * int(_WORTH[missing])
    wanted = cfg.pattern_rules[aim]
    return _POINTS_OF_AIM * int(_WORTH_OF_AIM[missing]) if rules & wanted == wanted else 0


@rule
def promise(cfg: Any, s: Any, player: int, window: int, aim: int) -> int:
    """What a window may still bring: points of its possible patterns, worth less for every missing card."""
    if not _counts(cfg, s, player, window, aim):
        return 0
    starts, rows, columns = outline(cfg, s, player, window)
    if starts == ALL_SHUT or missing_cards(columns) == act.SHAPE_SIZES[cfg.window_shape[window]]:
        return 0
    rules = rules_open(cfg, s, player, window, starts, rows, columns)
    return _worth(cfg, window, aim, rules, missing_cards(columns))


@rule
def gain(cfg: Any, s: Any, legal: Any, player: int, cell: int, card: int, aim: int) -> int:
    """How much more the noted board promises with a card in a free cell."""
    return _promised(cfg, s, legal, player, cell, card, aim, 1)


@rule
def _promised(cfg: Any, s: Any, legal: Any, player: int, cell: int, card: int, aim: int, less: int) -> int:
    """What all windows with a free cell promise with a card, less so many times what they do without it."""
    total = 0
    rank, bit = cfg.rank[card], 1 << cfg.colour[card]
    turns = legal.ids[_OPEN + cell]
    while turns != 0:
        turn = lowest_bit(turns)
        turns &= turns - 1
        window = cfg.cell_window[cell, turn]
        note = NOTES + _NUMBERS * window
        starts, rows, columns = legal.ids[note] + _BELOW, legal.ids[note + 1], legal.ids[note + 2]
        place = cfg.cell_place[cell, turn]
        rules = rules_open_with(cfg, s, player, window, place, card, rank, bit, starts, rows, columns)
        total -= less * legal.ids[note + _PROMISE]
        if rules != 0:
            total += _worth(cfg, window, aim, rules, missing_cards(columns) - 1)
    return total


@rule
def best_gain(cfg: Any, s: Any, legal: Any, player: int, card: int, aim: int) -> int:
    """The most a card can bring to the noted board, which need not be for the better."""
    cells = free_cells(cfg, s, player)
    best = -(1 << 40)
    while cells != 0:
        best = max(best, gain(cfg, s, legal, player, lowest_bit(cells), card, aim))
        cells &= cells - 1
    return best


@rule
def hopes(cfg: Any, s: Any, legal: Any, player: int, card: int) -> int:
    """The most a card can bring to the noted board: what its windows promise with it, not what they did before."""
    cells = free_cells(cfg, s, player)
    best = 0
    while cells != 0:
        best = max(best, _promised(cfg, s, legal, player, lowest_bit(cells), card, NO_AIM, 0))
        cells &= cells - 1
    return best


@rule
def change_without(cfg: Any, s: Any, player: int, cell: int, aim: int) -> int:
    """How a board's promise changes when the card in a cell leaves it."""
    card = s.board[player, cell]
    change = -promise_around(cfg, s, player, cell, aim)
    lift(s, player, cell)
    change += promise_around(cfg, s, player, cell, aim)
    lay(s, player, cell, card)
    return change


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
    s.board[player, cell] = act.EMPTY
    s.filled[player] &= ~(1 << cell)
