"""The options of a decision in Influence: listed in ascending order, counted, or picked by number."""

from __future__ import annotations

from typing import Any

from playmill.author import lowest_bit, rule
from playmill.games.influence.actions import ATTACK, AUTO, END_ATTACK, PLACE
from playmill.games.influence.constants import (
    ATTACKING,
    DEFENDING,
    SIDES,
    WORDS,
)
from playmill.games.influence.rules.attack_lists import ways


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Attack: each own cell of 2 or more, in each direction to a cell not owned, or the end. Defence: each own cell
    with room, or `auto`."""
    n = 0
    if s.player < 0:
        return n
    for word in range(WORDS):
        cells = s.own[s.player, word]
        while cells != 0:
            cell = 32 * word + lowest_bit(cells)
            cells &= cells - 1
            if s.phase == DEFENDING:
                if s.influence[cell] < cfg.capacity[cell]:
                    out.ids[n] = PLACE + cell
                    n += 1
            elif s.influence[cell] >= 2:
                front = ways(cfg, s, cell)
                while front != 0:
                    out.ids[n] = ATTACK + SIDES * cell + lowest_bit(front)
                    front &= front - 1
                    n += 1
    out.ids[n] = END_ATTACK if s.phase == ATTACKING else AUTO
    return n + 1


@rule
def count_actions(cfg: Any, s: Any, out: Any) -> int:
    """The number of options: those kept up to date, and ending or `auto`."""
    return s.options + 1 if s.player >= 0 else 0


@rule
def nth_action(cfg: Any, s: Any, out: Any, k: int) -> int:
    """Option number k in the order in which they are kept."""
    if k < s.options:
        return s.moves[k]
    return END_ATTACK if s.phase == ATTACKING else AUTO
