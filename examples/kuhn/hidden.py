"""Whoever has not shown a card keeps it secret."""

from __future__ import annotations

from typing import Any

from playmill.author import SPECTATOR, below, rule

from .rules import CARDS, DEAL, NOBODY, another

OBSERVATION = 6
NAMES = ("player", "folded", "paid[0]", "paid[1]", "card[0]", "card[1]")
UNKNOWN = -1


@rule
def shown(s: Any) -> bool:
    """Whether the cards lie open: the game is over, and nobody has folded."""
    return bool(s.player < 0 and s.folded == NOBODY)


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """What was paid, who has folded, and one's own card; the other one at a showdown."""
    out[0] = s.player
    out[1] = s.folded
    for seat in range(2):
        out[2 + seat] = s.paid[seat]
        out[4 + seat] = s.card[seat] if seat == player or shown(s) else UNKNOWN


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """The other player has either of the other cards; whoever looks on knows none."""
    if not shown(s):
        known = 0 if player == SPECTATOR else player
        if player == SPECTATOR:
            s.card[known] = below(rng, DEAL, CARDS)
        s.card[1 - known] = another(rng, DEAL, s.card[known])
