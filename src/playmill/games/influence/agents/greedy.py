"""The agents `greedy` and `cautious`, and the value of a position for `search`."""

from __future__ import annotations

from typing import Any

from playmill.author import rule
from playmill.games.influence.actions import AUTO, END_ATTACK, PLACE
from playmill.games.influence.agents.calculating import strongest_beside
from playmill.games.influence.constants import DEFENDING, EMPTY, SIDES
from playmill.games.influence.rules import attack_class

_NONE = -1_000_000


@rule
def greedy(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Takes what it surely can, strong cells first, then enemies'; strengthens the border where it is weakest."""
    if s.phase == DEFENDING:
        return _weakest_border(cfg, s)
    best, most = END_ATTACK, _NONE
    for i in range(s.options):
        action = s.moves[i]
        cell = action // SIDES
        target = cfg.neighbour[cell, action % SIDES]
        kind = attack_class(s.influence[cell], s.influence[target], s.owner[target] - 1)
        if cfg.chance[kind] == 100:
            worth = 1000 * cfg.capacity[target] + s.influence[cell]
            if kind != EMPTY:
                worth += 500
            if worth > most or (worth == most and action < best):
                best, most = action, worth
    return best


@rule
def cautious(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Attacks with a good chance only, and only where what it takes and what it leaves can be held."""
    if s.phase == DEFENDING:
        return _most_threatened(cfg, s)
    best, most = END_ATTACK, 0
    for i in range(s.options):
        action = s.moves[i]
        cell = action // SIDES
        target = cfg.neighbour[cell, action % SIDES]
        mine, theirs = s.influence[cell], s.influence[target]
        kind = attack_class(mine, theirs, s.owner[target] - 1)
        if cfg.chance[kind] >= params.value[s.player, 0]:
            arrives = min(mine - 1 if kind == EMPTY else max(1, mine - theirs), cfg.capacity[target])
            worth = 10 * cfg.capacity[target] + cfg.chance[kind]
            if kind != EMPTY:
                worth += 10 * theirs + 100
            worth -= 20 * max(0, strongest_beside(cfg, s, target, cell) - arrives)
            worth -= 20 * max(0, strongest_beside(cfg, s, cell, target) - 1)
            if worth > most or (worth == most and action < best):
                best, most = action, worth
    return best


@rule
def _weakest_border(cfg: Any, s: Any) -> int:
    """A point for the border cell with the least influence; with a full border everything evenly."""
    best, least = AUTO, 1_000_000
    for i in range(s.options):
        cell = s.moves[i] - PLACE
        if s.front[cell] != 0 and (s.influence[cell] < least or (s.influence[cell] == least and PLACE + cell < best)):
            best, least = PLACE + cell, s.influence[cell]
    return best


@rule
def _most_threatened(cfg: Any, s: Any) -> int:
    """A point for the border cell that the enemy beside it outweighs most; with a full border everything evenly."""
    best, most = AUTO, _NONE
    for i in range(s.options):
        cell = s.moves[i] - PLACE
        if s.front[cell] != 0:
            need = 2 * strongest_beside(cfg, s, cell, cell) - s.influence[cell]
            if need > most or (need == most and PLACE + cell < best):
                best, most = PLACE + cell, need
    return best


@rule
def standing(cfg: Any, s: Any, out: Any) -> None:
    """Who has more cells and influence is likely to win, and much more is nearly a win."""
    whole = 0.0
    for player in range(cfg.players):
        weight = 1.0 * (s.capacity[player] + s.total[player])
        out[player] = weight * weight * weight
        whole += out[player]
    for player in range(cfg.players):
        out[player] /= whole
