"""What boards of Grid promise their owners: the ground on which its agents weigh options.

The *promise* of a window is the victory points of each pattern that can still come to lie in it, worth less for every
card that is missing. Cards are tried out on the state itself, which is a copy made for the agent, and taken back.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.rule import bit_count, lowest_bit, rule
from playmill.games.grid import actions as act
from playmill.games.grid.cards import free_cells
from playmill.games.grid.patterns import matching_patterns

#: What a point is worth that needs no more cards.
CERTAIN = 1 << 16
#: Where an agent notes the promise of each window.
NOTES = act.MAX_OPTIONS - act.WINDOWS


@rule
def note_promises(cfg: Any, s: Any, legal: Any, player: int) -> None:
    """Notes what every window of a board promises, for `gain` to compare with."""
    for window in range(cfg.windows):
        legal.ids[NOTES + window] = promise(cfg, s, player, window)


@rule
def promise(cfg: Any, s: Any, player: int, window: int) -> int:
    """What a window may still bring: points of its possible patterns, divided by 5 for every missing card."""
    shape = cfg.window_shape[window]
    if cfg.shape_used[shape] == 0:
        return 0
    # Inside a reward the cards of the pattern are as good as gone: nothing should be built on them.
    if player == s.active and cfg.window_bits[window] & s.pattern_cells != 0:
        return 0
    size = 9 if shape == act.SQUARE else (5 if shape == act.LINE_5 else 4)
    missing = size - bit_count(cfg.window_bits[window] & s.filled[player])
    if missing == size:
        return 0
    weight = CERTAIN
    for _ in range(min(missing, 8)):
        weight //= 5
    found = matching_patterns(cfg, s, player, window)
    points = 0
    while found != 0:
        points += cfg.pattern_vp[lowest_bit(found)] + 1
        found &= found - 1
    return points * weight


@rule
def gain(cfg: Any, s: Any, legal: Any, player: int, cell: int, card: int) -> int:
    """How much more the noted board promises with a card in a free cell."""
    lay(s, player, cell, card)
    change = 0
    for i in range(cfg.cell_windows[cell]):
        window = cfg.cell_window[cell, i]
        change += promise(cfg, s, player, window) - legal.ids[NOTES + window]
    lift(s, player, cell)
    return change


@rule
def change_without(cfg: Any, s: Any, player: int, cell: int) -> int:
    """How a board's promise changes when the card in a cell leaves it."""
    card = s.board[player, cell]
    change = -promise_around(cfg, s, player, cell)
    lift(s, player, cell)
    change += promise_around(cfg, s, player, cell)
    lay(s, player, cell, card)
    return change


@rule
def change_with(cfg: Any, s: Any, player: int, cell: int, card: int) -> int:
    """How a board's promise changes when a card comes to a free cell."""
    change = -promise_around(cfg, s, player, cell)
    lay(s, player, cell, card)
    change += promise_around(cfg, s, player, cell)
    lift(s, player, cell)
    return change


@rule
def best_change(cfg: Any, s: Any, player: int, card: int) -> int:
    """The most a card can change a board's promise, which need not be for the better."""
    cells = free_cells(cfg, s, player)
    best = -(1 << 60)
    while cells != 0:
        best = max(best, change_with(cfg, s, player, lowest_bit(cells), card))
        cells &= cells - 1
    return best


@rule
def promise_around(cfg: Any, s: Any, player: int, cell: int) -> int:
    """What all windows with a cell promise."""
    total = 0
    for i in range(cfg.cell_windows[cell]):
        total += promise(cfg, s, player, cfg.cell_window[cell, i])
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


@rule
def best_gain(cfg: Any, s: Any, legal: Any, player: int, card: int) -> int:
    """The most a card can bring to the noted board."""
    cells = free_cells(cfg, s, player)
    best = -(1 << 40)
    while cells != 0:
        best = max(best, gain(cfg, s, legal, player, lowest_bit(cells), card))
        cells &= cells - 1
    return best


@rule
def hopes(cfg: Any, s: Any, player: int, card: int) -> int:
    """The most a card can bring to any player's board: what its windows promise with it, not what they did before."""
    cells = free_cells(cfg, s, player)
    best = 0
    while cells != 0:
        cell = lowest_bit(cells)
        lay(s, player, cell, card)
        best = max(best, promise_around(cfg, s, player, cell))
        lift(s, player, cell)
        cells &= cells - 1
    return best


@rule
def total_promise(cfg: Any, s: Any, player: int) -> int:
    """What a whole board promises."""
    total = 0
    for window in range(cfg.windows):
        total += promise(cfg, s, player, window)
    return total
