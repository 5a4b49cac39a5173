"""What holds in every position of Battle of Dimensions."""

from __future__ import annotations

from typing import Any

from playmill.author import Text
from playmill.author.invariants import Pile, cards_conserved, holds

from .actions import ANOMALIES, FACTIONS, PLAYERS
from .constants import BATTLE, CAPTAIN_ABSENT, NOBODY, TURN_OVER

_COUNTED = tuple(Pile(field, counted=True) for field in ("hand", "table", "hole"))


def _cards(config: Any, s: Any) -> list[int]:
    """Every faction card, by kind: in a hand, committed to a battle, in a Dimension, as an Aura, or given away."""
    found = [kind for pile in _COUNTED for kind in pile.cards(config, s).elements()]
    found += [kind - 1 for kind in s["committed"].tolist() if kind]
    found += [card >> 3 for card in s["aura_cards"][: s["auras"]].tolist()]
    return found + [card for card in s["deck"][: s["deck_size"]].tolist() if card < s["hole"].size]


INVARIANTS = (
    cards_conserved(Text("no faction card is lost or doubled", "карты фракций не теряются и не двоятся"), _cards),
    holds(
        Text("a hand has as many cards as it counts", "в руке столько карт, сколько насчитано"),
        lambda config, s: all(
            size == cards.sum() + int(anomalies).bit_count()
            for size, cards, anomalies in zip(s["hand_size"], s["hand"], s["hand_anomalies"], strict=True)
        ),
    ),
)
#: What learners see of it; anomalies are bits.
OBSERVED = {
    **{name: name for name in ("player", "turns", "committed", "known_anomalies", "laid", "kept", "blue_sum", "aura")},
    **dict.fromkeys(("hole_anomalies", "shown_anomalies", "hand_anomalies"), (0, 2**ANOMALIES - 1)),
    **dict.fromkeys(("deck_size", "table", "hand", "hole", "returned"), (0, 127)),
    "aura_cards": "aura_cards",
    "phase": (BATTLE, TURN_OVER),
    **dict.fromkeys(("active", "first"), (0, PLAYERS - 1)),
    **dict.fromkeys(("final", "loop"), (0, 1)),
    "last_taker": (NOBODY, PLAYERS - 1),
    "captain_at": (CAPTAIN_ABSENT, PLAYERS - 1),
    "spiral": (0, FACTIONS - 1),
    "owner": (NOBODY, PLAYERS - 1),
    "faction": "faction",
    "hand_size": (0, 128),
    "older": (-255, 255),
}
#: A loss is drawn among the cards of a squad; there are fewer kinds of cards to deal.
OUTCOMES = 128
