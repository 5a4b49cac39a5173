"""Compiled agents of Leduc poker: one that believes its cards."""

from __future__ import annotations

from typing import Any

from playmill.author import CompiledAgent, SearchPlan, Text, rule

from .rules import ALIKE, CARDS, CHECK, TABLE, rank


@rule
def plain(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Bets a pair and a king, stays with a queen, and never bluffs."""
    own = rank(s.card[s.player])
    paired = s.round == 1 and own == rank(s.card[TABLE])
    highest = CARDS // ALIKE - 1
    if paired or (own == highest and s.round == 0):
        return int(legal.ids[n - 1])
    if legal.ids[0] == CHECK or own < highest - 1:
        return int(legal.ids[0])
    return int(legal.ids[1])


AGENTS = {
    "plain": CompiledAgent(
        plain,
        Text(
            "bets a pair and a king, stays with a queen, never bluffs",
            "ставит с парой и королём, держится с дамой, не блефует",
        ),
        honest=True,
    )
}

#: How `search` plays on in its head.
SEARCH = SearchPlan("plain")
