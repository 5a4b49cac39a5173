"""Moves the cards of Grid between deck, hands, boards and discard pile; free cells and who is next."""

from __future__ import annotations

from typing import Any

from playmill.author import rare, rule
from playmill.games.grid.constants import EMPTY, PICKS
from playmill.games.grid.patterns.prefilter import COLUMNS, MARK, signs_of_pattern

#: A decision that does not choose a place.
NO_PLACES = 0


@rule
def next_player(cfg: Any, player: int) -> int:
    """The neighbour who is next in turn."""
    return int(cfg.next_seat[player])


@rule
def ask(s: Any, kind: int, places: int, count: int) -> None:
    """The next decision, the places one of which it chooses, as bits, and how many they are."""
    s.kind = kind
    s.places = places
    s.options = count


@rule
def free_cells(cfg: Any, s: Any, player: int) -> int:
    """The empty cells of a player's board, as bits."""
    return cfg.board & ~s.filled[player]


@rule
def count_free_cells(cfg: Any, s: Any, player: int) -> int:
    """How many cells of a player's board are empty."""
    return cfg.cells - s.laid[player]


@rule
def nth_free_cell(s: Any, player: int, k: int) -> int:
    """Empty cell number k of a player's board, in no order: they stand in a list, so that none is searched for.

    A place of the list keeps in which bits the cell there differs from it, so a blank list has all cells.
    """
    return s.free[player, k] ^ k


@rule
def _enter(s: Any, player: int, place: int, cell: int) -> None:
    """A cell comes to a place of the list of empty ones."""
    s.free[player, place] = place ^ cell
    s.entry[player, cell] = place ^ cell


@rule
def _strike(cfg: Any, s: Any, player: int, cell: int) -> None:
    """A cell leaves the list of empty ones; the last one comes to its place."""
    laid = s.laid[player]
    s.laid[player] = laid + 1
    _enter(s, player, s.entry[player, cell] ^ cell, nth_free_cell(s, player, cfg.cells - laid - 1))


@rule
def put(cfg: Any, s: Any, player: int, cell: int, card: int) -> None:
    """A card comes to lie on a board, which is to be searched for patterns with it."""
    lay(cfg, s, player, cell, card)
    s.dirty[player] |= 1 << cell


@rule
def lay(cfg: Any, s: Any, player: int, cell: int, card: int) -> int:
    """A card comes to lie on a board; returns 0 if it cannot have made a pattern."""
    x, y, mark = cfg.spot[cell].x, cfg.spot[cell].y, cfg.mark[card]
    row, column = s.lines[player, y] | mark << MARK * x, s.lines[player, COLUMNS + x] | mark << MARK * y
    s.lines[player, y] = row
    s.lines[player, COLUMNS + x] = column
    s.board[player, cell] = card
    s.filled[player] |= 1 << cell
    _strike(cfg, s, player, cell)
    return signs_of_pattern(cfg, row, column)


@rule
def take(cfg: Any, s: Any, player: int, cell: int) -> int:
    """A card leaves a board."""
    card = s.board[player, cell]
    x, y, mark = cfg.spot[cell].x, cfg.spot[cell].y, cfg.mark[card]
    s.lines[player, y] ^= mark << MARK * x
    s.lines[player, COLUMNS + x] ^= mark << MARK * y
    s.board[player, cell] = EMPTY
    s.filled[player] ^= 1 << cell
    _enter(s, player, count_free_cells(cfg, s, player), cell)
    s.laid[player] -= 1
    return card


@rule
def discard(s: Any, card: int) -> None:
    """A card goes to the top of the discard pile."""
    s.discard[s.discard_size] = card
    s.discard_size += 1


@rule
def from_discard(s: Any, place: int) -> int:
    """A card leaves the discard pile; those above it move down."""
    card = s.discard[place]
    s.discard_size -= 1
    for later in range(place, s.discard_size):
        s.discard[later] = s.discard[later + 1]
    s.discard[s.discard_size] = EMPTY
    return card


@rule
def receive(s: Any, player: int, card: int) -> None:
    """A card goes to the end of a hand."""
    s.hand[player, s.hand_size[player]] = card
    s.hand_size[player] += 1


@rule
def from_hand(s: Any, player: int) -> int:
    """The card received first."""
    card = s.hand[player, 0]
    s.hand[player, 0] = EMPTY
    s.hand_size[player] -= 1
    if s.hand_size[player] > 0:
        _move_up(s, player)
    return card


@rare
def _move_up(s: Any, player: int) -> None:
    """The cards of a hand close the gap in front of them."""
    for place in range(s.hand_size[player]):
        s.hand[player, place] = s.hand[player, place + 1]
    s.hand[player, s.hand_size[player]] = EMPTY


@rule
def from_picked(s: Any) -> int:
    """The card picked first."""
    card = s.picked[0]
    s.picked_size -= 1
    for place in range(PICKS - 1):
        s.picked[place] = s.picked[place + 1]
    s.picked[PICKS - 1] = EMPTY
    return card
