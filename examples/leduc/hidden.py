"""A card is seen by whoever holds it; the one on the table in the second round; both hands at a showdown."""

from __future__ import annotations

from typing import Any

from playmill.author import SPECTATOR, rule

from .rules import DEAL, NO_CARD, NOBODY, TABLE, WORDS, another, rank

OBSERVATION = 8 + 2 * WORDS
NAMES = (
    *("player", "folded", "round", "paid[0]", "paid[1]", "rank[0]", "rank[1]", "rank[table]"),
    *(f"said[{bets}, {place}]" for bets in range(2) for place in range(WORDS)),
)
UNKNOWN = -1


@rule
def shown(s: Any) -> bool:
    """Whether the hands lie open: the game is over, and nobody has folded."""
    return bool(s.player < 0 and s.folded == NOBODY)


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """What was said and paid, and the rank of every card that is seen."""
    out[0] = s.player
    out[1] = s.folded
    out[2] = s.round
    for seat in range(2):
        out[3 + seat] = s.paid[seat]
        out[5 + seat] = rank(s.card[seat]) if seat == player or shown(s) else UNKNOWN
    out[7] = rank(s.card[TABLE]) if s.round == 1 else UNKNOWN
    for place in range(WORDS):
        out[8 + place] = s.said[0, place]
        out[8 + WORDS + place] = s.said[1, place]


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Deals what the player does not see from the rest of the deck; of two cards alike one has been seen."""
    if shown(s):
        return
    table = s.card[TABLE] if s.round == 1 else NO_CARD
    own = 0 if player == SPECTATOR else player
    if player == SPECTATOR:
        s.card[own] = another(rng, DEAL, table, NO_CARD)
    s.card[1 - own] = another(rng, DEAL, s.card[own], table)
    if s.round == 0:
        s.card[TABLE] = another(rng, DEAL, s.card[0], s.card[1])
