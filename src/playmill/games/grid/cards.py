"""The table of Grid: who sits next, what is asked, which cells are free, and cards on their way between places."""

from __future__ import annotations

from typing import Any

from playmill.engine.rule import rule
from playmill.games.grid.actions import EMPTY

#: A decision that does not choose a place.
NO_PLACES = 0


@rule
def next_player(cfg: Any, player: int) -> int:
    """The neighbour who is next in turn."""
    seat = player + cfg.step
    if seat >= cfg.players:
        return 0
    return cfg.players - 1 if seat < 0 else seat


@rule
def ask(s: Any, kind: int, places: int) -> None:
    """The next decision, and the places one of which it chooses, as bits."""
    s.kind = kind
    s.places = places


@rule
def free_cells(cfg: Any, s: Any, player: int) -> int:
    """The empty cells of a player's board, as bits."""
    return ((1 << cfg.cells) - 1) & ~s.filled[player]


@rule
def put(s: Any, player: int, cell: int, card: int) -> None:
    """A card comes to lie on a board."""
    s.board[player, cell] = card
    s.filled[player] |= 1 << cell
    s.dirty[player] |= 1 << cell


@rule
def take(s: Any, player: int, cell: int) -> int:
    """A card leaves a board."""
    card = s.board[player, cell]
    s.board[player, cell] = EMPTY
    s.filled[player] ^= 1 << cell
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
    s.hand_size[player] -= 1
    for place in range(s.hand_size[player]):
        s.hand[player, place] = s.hand[player, place + 1]
    s.hand[player, s.hand_size[player]] = EMPTY
    return card


@rule
def from_picked(s: Any) -> int:
    """The card picked first."""
    card = s.picked[0]
    s.picked_size -= 1
    for place in range(s.picked_size):
        s.picked[place] = s.picked[place + 1]
    s.picked[s.picked_size] = EMPTY
    return card
