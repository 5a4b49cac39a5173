"""Compiled agents of Kuhn poker: one that cannot be beaten."""

from __future__ import annotations

from typing import Any

from playmill.author import CompiledAgent, Parameter, SearchPlan, Text, happens, rule

from .rules import CHECK, JACK, KING


@rule
def equilibrium(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """The equilibrium of the game with ante 1 and bet 1, one for each chance to bluff in the first seat."""
    card = s.card[s.player]
    bluff = params.value[s.player, 0]
    chance = 0.0
    if legal.ids[0] == CHECK:
        if s.player == 0:
            chance = bluff if card == JACK else (3.0 * bluff if card == KING else 0.0)
        else:
            chance = 1.0 / 3.0 if card == JACK else (1.0 if card == KING else 0.0)
    elif card != JACK:
        chance = 1.0 if card == KING else (bluff + 1.0 / 3.0 if s.player == 0 else 1.0 / 3.0)
    return int(legal.ids[1] if happens(rng, s.player, chance) else legal.ids[0])


AGENTS = {
    "equilibrium": CompiledAgent(
        equilibrium,
        Text("mixes so that nothing earns more against it", "смешивает так, что обыграть его нельзя"),
        {
            "bluff": Parameter(
                0.2, 0, 1 / 3, Text("chance to open with a bet on a jack", "вероятность открыться ставкой с валетом")
            )
        },
        honest=True,
    )
}

#: How `search` plays on in its head: at random, and so that nobody can see through it.
SEARCH = SearchPlan(mixes=True)
