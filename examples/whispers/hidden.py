"""Who sees what: one's own cards, and the cards that one has looked at."""

from __future__ import annotations

from typing import Any

from playmill.author import Secret, rule

from .rules import KEPT


@rule
def over(cfg: Any, s: Any) -> bool:
    """Whether the cards lie open."""
    return bool(s.player < 0)


@rule
def possible(cfg: Any, s: Any, player: int) -> bool:
    """Whoever has won a duel holds a card higher than the one that lost."""
    fits = True
    for seat in range(s.players):
        if s.out[seat] == 0 and s.hand[seat, KEPT] < s.least[seat]:
            fits = False
    return fits


HIDDEN = {
    "deck": Secret(count="deck_size"),
    "aside": Secret(),
    "hand": Secret("owner", known="known", open=over),
}
