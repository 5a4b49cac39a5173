"""Whoever has not shown a card keeps it secret."""

from __future__ import annotations

from typing import Any

from playmill.author import Secret, rule

from .rules import CARDS, NOBODY


@rule
def shown(cfg: Any, s: Any) -> bool:
    """Whether the cards lie open: the game is over, and nobody has folded."""
    return bool(s.player < 0 and s.folded == NOBODY)


#: A card is seen by whoever holds it; the third one lies in no field, so the deck is stated.
HIDDEN = {"card": Secret("owner", open=shown, deck=CARDS)}
