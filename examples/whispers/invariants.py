"""What holds in every position of Whispers."""

from __future__ import annotations

from playmill.author import Text
from playmill.author.invariants import Pile, cards_conserved, holds, stays

INVARIANTS = (
    cards_conserved(
        Text("every card lies somewhere", "каждая карта где-то лежит"),
        Pile("deck", size="deck_size"),
        Pile("aside"),
        Pile("hand", empty=-1),
        Pile("played", counted=True),
    ),
    stays(Text("who is out stays out", "выбывший не возвращается"), "out", 1),
    holds(
        Text("a shield ends with one's own turn", "щит держится до своего хода"),
        lambda config, s: s["player"] < 0 or not s["shielded"][s["player"]],
    ),
)
