"""What the player of Save Oneself observes: everything but the order of the deck, which is dealt anew."""

from __future__ import annotations

from typing import Any

from playmill.author import below, rule
from playmill.games.save_oneself.constants import ALL_BACKS, CARDS, CELLS, FRONT, NO_SHIP, STREAM_DECK
from playmill.games.save_oneself.rules.sides import is_up

OBSERVATION = 15 + CELLS
#: What each of them is; a side is 1 + its number, 0 no card.
NAMES = (
    *("player", "ending", "phase", "lives", "moves", "moved", "revealed", "here", "ship", "waiting", "turned"),
    *("ship_row", "ship_column", "island_north", "island_west"),
    *(f"side[{cell}]" for cell in range(CELLS)),
)


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """Lives, the phase, the player, the ship and its island, and the side that is up on each cell (0 = no card)."""
    out[0] = s.player
    out[1] = s.ending
    out[2] = s.phase
    out[3] = s.lives
    out[4] = s.moves
    out[5] = s.moved
    out[6] = s.revealed
    out[7] = s.here
    out[8] = s.ship
    for place in range(9, 15):
        out[place] = 0
    if s.ship != NO_SHIP:
        out[9] = s.waiting
        out[10] = s.turned
        out[11] = s.ship_row
        out[12] = s.ship_column
        out[13] = s.island_north
        out[14] = s.island_west
    for cell in range(CELLS):
        side = 0
        if s.field >> cell & 1:
            side = 1 + s.card[cell]
            if not is_up(s, s.card[cell]):
                side += FRONT
        out[15 + cell] = side


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Shuffles what is left of the deck; the cards are first put in order, so that nothing of the old one is left."""
    left = ALL_BACKS & ~(s.sides | s.sides >> FRONT)
    top = s.placed
    for card in range(CARDS):
        if left >> card & 1:
            place = s.placed + below(rng, STREAM_DECK, top - s.placed + 1)
            s.deck[top] = s.deck[place]
            s.deck[place] = card
            top += 1
