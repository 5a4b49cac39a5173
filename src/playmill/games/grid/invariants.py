"""What holds in every position of Grid."""

from __future__ import annotations

from typing import Any

from playmill.author import Text
from playmill.author.invariants import Pile, cards_conserved, holds, never_shrinks

from .constants import DECK, DISCARD, EMPTY, HAND, JOKER, PLACEMENT, PLAYERS, REF

_PILES = (
    Pile("deck", size="deck_size"),
    Pile("discard", size="discard_size"),
    Pile("hand", size="hand_size"),
    Pile("picked", size="picked_size"),
    Pile("revealed", empty=EMPTY),
    Pile("board", empty=EMPTY),
    Pile("card", empty=EMPTY),
)


def _cards(config: Any, s: Any) -> list[int]:
    """Every card but the jokers, which are made of nothing by a reward."""
    return [card for pile in _PILES for card in pile.cards(config, s).elements() if card != JOKER]


INVARIANTS = (
    cards_conserved(Text("every card is in one place", "каждая карта лежит в одном месте"), _cards),
    holds(
        Text("as many cells are filled as have a card", "занято столько клеток, сколько на них карт"),
        lambda config, s: (s["laid"] == (s["board"] != EMPTY).sum(axis=1)).all(),
    ),
    never_shrinks(Text("points stay", "очки не пропадают"), "vp", "turns"),
)
#: What learners see of it; a card is its number in the deck's list.
OBSERVED = {
    **{name: name for name in ("player", "turns", "target", "source", "ref", "passes", "vp", "skip", "extra")},
    **dict.fromkeys(("card", "picked", "revealed", "hand", "board", "discard"), (EMPTY, JOKER)),
    "kind": (PLACEMENT, REF),
    "active": (0, PLAYERS - 1),
    "phase": "phase",
    "pattern": (-1, 255),
    "reward": (-1, 255),
    "window": (-1, 65535),
    "deck_size": (0, DECK),
    "discard_size": (0, DISCARD),
    "hand_size": (0, HAND),
}
OUTCOMES = DECK
