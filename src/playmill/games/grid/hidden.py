"""What a player of Grid observes: everything but the order of the deck, which is dealt anew."""

from __future__ import annotations

from typing import Any

from playmill.author import add_to_shuffle_buffer, drain_shuffle_buffer, rule
from playmill.games.grid.constants import CELLS, DECK, DISCARD, EMPTY, HAND, PICKS, PLAYERS, REVEAL

_GUESS = 0

#: Numbers in an observation.
OBSERVATION = 16 + PICKS + REVEAL + PLAYERS * (3 + HAND + CELLS) + DISCARD
#: What each of them is; a card is its number in the deck's list.
NAMES = (
    *("player", "kind", "active", "phase", "turns", "extra", "card", "pattern", "reward", "target", "source"),
    *("deck_size", "discard_size", "window", "ref", "passes"),
    *(f"picked[{place}]" for place in range(PICKS)),
    *(f"revealed[{place}]" for place in range(REVEAL)),
    *(
        name
        for seat in range(PLAYERS)
        for name in (
            *(f"{name}[{seat}]" for name in ("vp", "skip", "hand_size")),
            *(f"hand[{seat}, {place}]" for place in range(HAND)),
            *(f"board[{seat}, {cell}]" for cell in range(CELLS)),
        )
    ),
    *(f"discard[{place}]" for place in range(DISCARD)),
)


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """Writes what a player may see; boards and hands in seat order."""
    out[0] = s.player
    out[1] = s.kind
    out[2] = s.active
    out[3] = s.phase
    out[4] = s.turns
    out[5] = s.extra
    out[6] = s.card
    out[7] = s.pattern if s.pattern_cells != 0 else -1
    out[8] = s.reward if s.pattern_cells != 0 else -1
    out[9] = s.target
    out[10] = s.source
    out[11] = s.deck_size
    out[12] = s.discard_size
    out[13] = s.window if s.pattern_cells != 0 else -1
    out[14] = s.ref
    out[15] = s.passes
    n = 16
    for place in range(PICKS):
        out[n] = s.picked[place]
        n += 1
    for place in range(REVEAL):
        out[n] = s.revealed[place]
        n += 1
    for seat in range(PLAYERS):
        out[n] = s.vp[seat]
        out[n + 1] = s.skip[seat]
        out[n + 2] = s.hand_size[seat]
        n += 3
        for place in range(HAND):
            out[n] = s.hand[seat, place]
            n += 1
        for cell in range(CELLS):
            out[n] = s.board[seat, cell]
            n += 1
    for place in range(DISCARD):
        out[n] = s.discard[place]
        n += 1


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Shuffles the rest of the deck: all its orders are equally likely to every player.

    Each card has luck of its own, so the new order does not depend on the true one. Nor is there a trace of it where
    cards of the deck used to lie.
    """
    for place in range(s.deck_size):
        add_to_shuffle_buffer(rng, _GUESS, place, s.deck[place], s.deck[place])
    drain_shuffle_buffer(rng, _GUESS, s.deck, s.deck_size)
    for place in range(s.deck_size, DECK):
        s.deck[place] = EMPTY
