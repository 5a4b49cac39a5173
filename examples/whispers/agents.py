"""Compiled agents of Whispers: one that remembers what it has seen."""

from __future__ import annotations

from typing import Any

from playmill.author import CompiledAgent, SearchPlan, Text, rule

from .rules import CROWN, DRAWN, DUEL, KEPT, MAX_PLAYERS, SCOUT, SHIELD, SWAP


@rule
def worth(s: Any, action: int) -> int:
    """What an action is worth to the player to move: who is seen, and how their card compares."""
    player, kind, other = s.player, action // MAX_PLAYERS, action % MAX_PLAYERS
    own = s.hand[player, DRAWN] if kind == s.hand[player, KEPT] else s.hand[player, KEPT]
    seen = other != player and s.known[other, KEPT] >> player & 1 == 1
    if kind == CROWN:
        return -10
    if kind == DUEL and seen:
        return 8 if own > s.hand[other, KEPT] else -8
    if kind == SWAP and seen:
        return int(s.hand[other, KEPT] - own)
    if kind == DUEL:
        return int(own - SHIELD)
    if kind == SWAP:
        return int(SCOUT - own)
    return 2 if kind == SHIELD or (other != player and not seen) else 1


@rule
def memory(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Looks at cards, fights whom it can beat, and swaps for what is better."""
    best = 0
    for k in range(1, n):
        if worth(s, legal.ids[k]) > worth(s, legal.ids[best]):
            best = k
    return int(legal.ids[best])


AGENTS = {
    "memory": CompiledAgent(
        memory,
        Text(
            "looks at cards, fights whom it can beat, swaps for what is better",
            "смотрит карты, бьётся, с кем справится, и меняется на лучшее",
        ),
        honest=True,
    )
}

#: How `search` plays on in its head.
SEARCH = SearchPlan("memory")
