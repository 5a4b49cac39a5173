"""A card is seen by whoever holds it; the one on the table in the second round; both hands at a showdown."""

from __future__ import annotations

from typing import Any

from playmill.author import Secret, rule

from .rules import CARDS, NOBODY, TABLE, WORDS, rank

OBSERVATION = 8 + 2 * WORDS
NAMES = (
    *("player", "folded", "round", "paid[0]", "paid[1]", "rank[0]", "rank[1]", "rank[table]"),
    *(f"said[{bets}, {place}]" for bets in range(2) for place in range(WORDS)),
)
#: What learners were trained to see for a card that lies face down.
UNKNOWN = -1


@rule
def sees(cfg: Any, s: Any, player: int, place: int) -> bool:
    """Whether a player sees a card: the one on the table, one's own, or all when nobody has folded."""
    if place == TABLE:
        return bool(s.round == 1)
    return bool(place == player or (s.player < 0 and s.folded == NOBODY))


#: The other cards of the deck lie in no field.
HIDDEN = {"card": Secret(sees, deck=CARDS)}


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """What was said and paid, and the rank of every card that is seen: two cards alike look the same."""
    out[0] = s.player
    out[1] = s.folded
    out[2] = s.round
    for seat in range(2):
        out[3 + seat] = s.paid[seat]
    for place in range(3):
        out[5 + place] = rank(s.card[place]) if sees(cfg, s, player, place) else UNKNOWN
    for place in range(WORDS):
        out[8 + place] = s.said[0, place]
        out[8 + WORDS + place] = s.said[1, place]
