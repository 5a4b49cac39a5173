"""Cache of what agents compute about boards of Grid, renewed only where a board has changed.

Of each board the notes say what they were made of, card by card, what every window is like and promises, and which
windows are worth a look: most are not. What a card would bring in any free cell follows from the notes, without a look
at the other cards, and is noted too: who picks a card asks it, and soon after who places it. A stamp, new whenever
anything about a board is, tells what still holds; what is being renewed has none until it is whole. So notes spare work
and never change an answer, wherever the board comes from: the next decision, another game, or somebody's head.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import bit_count, lowest_bit, rare, rule
from playmill.games.grid import constants
from playmill.games.grid.agents.board_value import counts, lay, lift, promise_around, worth
from playmill.games.grid.patterns.outlines import (
    ALL_SHUT,
    line_colours_with,
    outline,
    ranks_with,
    rules_open,
    rules_open_with_joker,
    square_colours_with,
)
from playmill.games.grid.rules.cards import free_cells

#: Cards that are weighed at a time, on all boards together: as many as an ordinary turn asks for, and some more.
WEIGHED = 8
#: Room for the kinds of cards, by rank and colour, behind a stamp.
_KINDS = (constants.RANKS + 1) * constants.COLOURS

Notes = np.dtype(
    [
        ("kept", np.int64),  # the last stamp given; 0: there are no notes
        ("stamp", np.int64, (constants.PLAYERS,)),  # of the notes of each board; 0: there are none
        # What they were made of: what counted, where cards were as good as gone, and all cards.
        ("aim", np.int64, (constants.PLAYERS,)),
        ("leaving", np.int64, (constants.PLAYERS,)),
        ("filled", np.int64, (constants.PLAYERS,)),
        ("board", np.uint8, (constants.PLAYERS, constants.CELLS)),
        # Windows: their outlines, what they promise, and the free places of those worth a look, as bits.
        ("starts", np.uint32, (constants.PLAYERS, constants.WINDOWS)),
        ("rows", np.int32, (constants.PLAYERS, constants.WINDOWS)),
        ("columns", np.int32, (constants.PLAYERS, constants.WINDOWS)),
        ("promise", np.int32, (constants.PLAYERS, constants.WINDOWS)),
        ("free", np.uint16, (constants.PLAYERS, constants.WINDOWS)),
        ("worthy", np.uint8, (constants.PLAYERS, constants.WINDOWS)),  # the windows worth a look, one behind the other
        ("worthies", np.int64, (constants.PLAYERS,)),
        ("around", np.int64, (constants.PLAYERS, constants.CELLS)),  # what all windows with a cell promise
        # Cards: of which notes and kind, and what the windows with each free cell would promise with such a card there.
        ("next", np.int64),  # where the next one is noted
        ("last", np.int64),  # where the one asked for last is
        ("weighed", np.int64, (WEIGHED,)),
        ("brings", np.int64, (WEIGHED, constants.CELLS)),
        ("harm", np.int64, (constants.REVEAL,)),  # only for the decision at hand: what each open card is to the leader
    ],
    align=True,
)


@rare
def note_board(cfg: Any, s: Any, notes: Any, player: int, aim: int) -> None:
    """Sees to it that the notes of a board are those of its cards as they lie now, with this aim."""
    if notes.kept == 0:
        _begin(notes)
    leaving = s.pattern_cells if player == s.active else 0
    if notes.stamp[player] == 0 or notes.aim[player] != aim:
        changed = cfg.board
        _wipe(cfg, notes, player)
    else:
        changed = (notes.filled[player] ^ s.filled[player]) | (notes.leaving[player] ^ leaving)
        for cell in range(cfg.cells):
            changed |= (notes.board[player, cell] != s.board[player, cell]) << cell
    if changed == 0:
        return
    notes.stamp[player] = 0
    notes.aim[player] = aim
    notes.leaving[player] = leaving
    notes.filled[player] = s.filled[player]
    for cell in range(cfg.cells):
        notes.board[player, cell] = s.board[player, cell]
    worthies = 0
    for window in range(cfg.windows):
        if cfg.window_bits[window] & changed != 0:
            _note_window(cfg, s, notes, player, window, aim)
        notes.worthy[player, worthies] = window
        worthies += notes.free[player, window] != 0
    notes.worthies[player] = worthies
    notes.kept += 1
    notes.stamp[player] = notes.kept


@rule
def _begin(notes: Any) -> None:
    """Makes notes of nothing."""
    for player in range(constants.PLAYERS):
        notes.stamp[player] = 0
    for place in range(WEIGHED):
        notes.weighed[place] = 0
    notes.next = 0
    notes.last = 0


@rule
def _wipe(cfg: Any, notes: Any, player: int) -> None:
    """Makes the notes of a board those of one that promises nothing."""
    for window in range(cfg.windows):
        notes.promise[player, window] = 0
    for cell in range(cfg.cells):
        notes.around[player, cell] = 0


@rule
def _note_window(cfg: Any, s: Any, notes: Any, player: int, window: int, aim: int) -> None:
    """Notes what one window is like and promises."""
    shape = cfg.window_shape[window]
    size = constants.SHAPE_SIZES[shape]
    promise = 0
    notes.free[player, window] = 0
    if counts(cfg, s, player, window, aim):
        starts, rows, columns, free = outline(cfg, s, player, window)
        if starts != ALL_SHUT:
            rules = rules_open(cfg, s, player, window, starts, rows, columns)
            missing = bit_count(free)
            if missing < size:
                promise = worth(cfg, shape, aim, rules, missing)
            # One more card never opens a rule that is shut.
            if missing > 0 and worth(cfg, shape, aim, rules, missing - 1) > 0:
                notes.free[player, window] = free
                notes.starts[player, window] = starts
                notes.rows[player, window] = rows
                notes.columns[player, window] = columns
    change = promise - notes.promise[player, window]
    if change != 0:
        notes.promise[player, window] = promise
        for place in range(size):
            notes.around[player, cfg.window_cell[window, place]] += change


# Cards


@rule
def _weighed(cfg: Any, s: Any, notes: Any, player: int, card: int) -> int:
    """Where it is noted what a card would bring to each free cell of a noted board."""
    kind = 0 if card == constants.JOKER else cfg.rank[card] * constants.COLOURS + cfg.colour[card]
    mark = notes.stamp[player] * _KINDS + kind
    if notes.weighed[notes.last] == mark:
        return notes.last
    at = 0
    while at < WEIGHED and notes.weighed[at] != mark:
        at += 1
    if at == WEIGHED:
        at = notes.next
        notes.next = (at + 1) % WEIGHED
        notes.weighed[at] = 0
        _weigh(cfg, s, notes, player, card, at)
        notes.weighed[at] = mark
    notes.last = at
    return at


@rare
def _weigh(cfg: Any, s: Any, notes: Any, player: int, card: int, at: int) -> None:
    """Notes what a card would bring to each free cell of a noted board."""
    for cell in range(cfg.cells):
        notes.brings[at, cell] = 0
    for number in range(notes.worthies[player]):
        window = notes.worthy[player, number]
        if card == constants.JOKER:
            _add_joker(cfg, s, notes, player, window, at)
        elif cfg.window_shape[window] == constants.SQUARE:
            _add_to_square(cfg, s, notes, player, window, card, at)
        else:
            _add_to_line(cfg, notes, player, window, card, at)


@rule
def _add_joker(cfg: Any, s: Any, notes: Any, player: int, window: int, at: int) -> None:
    """Adds what a window would promise with a joker: the same wherever it comes to lie."""
    starts, rows, columns = notes.starts[player, window], notes.rows[player, window], notes.columns[player, window]
    rules = rules_open_with_joker(cfg, s, player, window, starts, rows, columns)
    free = notes.free[player, window]
    brings = worth(cfg, cfg.window_shape[window], notes.aim[player], rules, bit_count(free) - 1)
    while free != 0:
        notes.brings[at, cfg.window_cell[window, lowest_bit(free)]] += brings
        free &= free - 1


@rule
def _add_to_line(cfg: Any, notes: Any, player: int, window: int, card: int, at: int) -> None:
    """Adds what a line would promise with a card, in the places where it fits."""
    colours = line_colours_with(notes.rows[player, window], 1 << cfg.colour[card])
    if colours == 0:
        return
    shape, rank, aim = cfg.window_shape[window], cfg.rank[card], notes.aim[player]
    starts, free = notes.starts[player, window], notes.free[player, window]
    missing = bit_count(free) - 1
    while free != 0:
        place = lowest_bit(free)
        free &= free - 1
        ranks = ranks_with(cfg, shape, starts, place, rank)
        if ranks != 0:
            brings = worth(cfg, shape, aim, ranks | colours, missing)
            notes.brings[at, cfg.window_cell[window, place]] += brings


@rule
def _add_to_square(cfg: Any, s: Any, notes: Any, player: int, window: int, card: int, at: int) -> None:
    """Adds what a square would promise with a card, in the places where it fits."""
    starts, rows, columns = notes.starts[player, window], notes.rows[player, window], notes.columns[player, window]
    rank, aim, free = cfg.rank[card], notes.aim[player], notes.free[player, window]
    missing = bit_count(free) - 1
    while free != 0:
        place = lowest_bit(free)
        free &= free - 1
        ranks = ranks_with(cfg, constants.SQUARE, starts, place, rank)
        if ranks != 0:
            colours = square_colours_with(cfg, s, player, window, rows, columns, place, card)
            brings = worth(cfg, constants.SQUARE, aim, ranks | colours, missing)
            notes.brings[at, cfg.window_cell[window, place]] += brings


@rule
def gain(cfg: Any, s: Any, notes: Any, player: int, cell: int, card: int) -> int:
    """How much more a noted board promises with a card in a free cell."""
    return notes.brings[_weighed(cfg, s, notes, player, card), cell] - notes.around[player, cell]


@rule
def best_gain(cfg: Any, s: Any, notes: Any, player: int, card: int) -> int:
    """The most a card can bring to a noted board, which need not be for the better."""
    at = _weighed(cfg, s, notes, player, card)
    cells = free_cells(cfg, s, player)
    best = -(1 << 40)
    while cells != 0:
        cell = lowest_bit(cells)
        cells &= cells - 1
        best = max(best, notes.brings[at, cell] - notes.around[player, cell])
    return best


@rule
def hopes(cfg: Any, s: Any, notes: Any, player: int, card: int) -> int:
    """The most a card can bring to a noted board: what its windows promise with it, not what they did before."""
    at = _weighed(cfg, s, notes, player, card)
    cells = free_cells(cfg, s, player)
    best = 0
    while cells != 0:
        best = max(best, notes.brings[at, lowest_bit(cells)])
        cells &= cells - 1
    return best


@rule
def change_without(cfg: Any, s: Any, notes: Any, player: int, cell: int) -> int:
    """How the promise of a noted board changes when the card in a cell leaves it."""
    card = s.board[player, cell]
    lift(s, player, cell)
    change = promise_around(cfg, s, player, cell, notes.aim[player]) - notes.around[player, cell]
    lay(s, player, cell, card)
    return change
