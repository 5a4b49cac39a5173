"""The agent `calculating`: weighs what an attack takes, what it costs, and what can be held afterwards.

Everything is counted in whole numbers, tenths of a point of influence, so that every machine comes to the same choice.
The weights were fitted by play against `cautious` and earlier versions of itself, on four maps with two, three and
four players. What came out: nearly every attack pays. A lost one costs the defender as much as the attacker,
and what stands still only waits to be attacked.
"""

from __future__ import annotations

from typing import Any

from playmill.author import Parameter, Text, rule
from playmill.games.influence.actions import AUTO, END_ATTACK, PLACE
from playmill.games.influence.constants import DEFENDING, EMPTY, SIDES
from playmill.games.influence.rules import attack_class, kept_by_defender

#: What each weight is for, in the order of `WEIGHTS`.
CELL, DENY, TRADE, FRONT, ONWARD, STUCK, HOLD, LEAVE = range(8)
#: The more influence attacks, the better: what has come together moves on together.
MASS = 33
#: The need of a border cell for a point: for each point of the strongest enemy beside it, less for each of its own; and
#: for each free cell beside it that it cannot take yet.
STRONGEST, OWN, FREE = 41, 49, 17
_NONE = -1_000_000_000


@rule
def calculating(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """The attack worth most, as long as one is worth anything (most are); then points where the need is greatest."""
    if s.phase == DEFENDING:
        return _neediest(cfg, s)
    best, most = END_ATTACK, 0
    for i in range(s.options):
        action = s.moves[i]
        worth = _worth(cfg, s, params, action)
        if worth > most or (worth == most and action < best):
            best, most = action, worth
    return best


@rule
def _weight(s: Any, params: Any, number: int) -> int:
    return int(params.value[s.player, number])


@rule
def _worth(cfg: Any, s: Any, params: Any, action: int) -> int:
    """What an attack is worth on average, in percent of tenths."""
    cell = action // SIDES
    target = cfg.neighbour[cell, action % SIDES]
    mine, theirs = s.influence[cell], s.influence[target]
    kind = attack_class(mine, theirs, s.owner[target] - 1)
    moved = mine - 1 if kind == EMPTY else max(1, mine - theirs)
    arrives = min(moved, cfg.capacity[target])
    left = mine - arrives if kind == EMPTY else 1 + moved - arrives
    gain = _weight(s, params, CELL) + _position(cfg, s, params, target, arrives)
    trade = 0
    chance = cfg.chance[kind]
    if kind != EMPTY:
        gain += _weight(s, params, DENY)
        won = theirs - (mine - left - arrives)
        lost = theirs - kept_by_defender(cfg, mine, theirs) - (mine - 1)
        trade = chance * won + (100 - chance) * lost
    bare = max(0, strongest_beside(cfg, s, cell, target) - left)
    return chance * gain + _weight(s, params, TRADE) * trade + 100 * (MASS * mine - _weight(s, params, LEAVE) * bare)


@rule
def _position(cfg: Any, s: Any, params: Any, target: int, arrives: int) -> int:
    """What it is worth to have so much influence on a cell just taken: what comes next, and whether it can be held."""
    free, enemies, strongest, together = 0, 0, 0, 0
    for side in range(SIDES):
        other = cfg.neighbour[target, side]
        if other >= 0 and s.owner[other] != s.player + 1:
            if s.owner[other] == 0:
                free += 1
            else:
                enemies += 1
                strongest = max(strongest, s.influence[other])
                together += s.influence[other]
    if free + enemies == 0:
        return -_weight(s, params, STUCK) * (arrives - 1)
    ways = min(free, arrives - 1) + (enemies if arrives > 1 else 0)
    worth = _weight(s, params, ONWARD) * ways
    if enemies > 0:
        worth += _weight(s, params, FRONT) * arrives
    outweighed = 2 * max(0, strongest - arrives) + max(0, together - arrives)
    return worth - _weight(s, params, HOLD) * outweighed


@rule
def strongest_beside(cfg: Any, s: Any, cell: int, apart: int) -> int:
    """The most influence an enemy has beside a cell, one neighbour apart."""
    most = 0
    for side in range(SIDES):
        other = cfg.neighbour[cell, side]
        if other >= 0 and other != apart and s.owner[other] != 0 and s.owner[other] != s.player + 1:
            most = max(most, s.influence[other])
    return most


@rule
def _neediest(cfg: Any, s: Any) -> int:
    """A point for the border cell that needs it most; with a full border everything evenly."""
    best, most = AUTO, _NONE
    for i in range(s.options):
        cell = s.moves[i] - PLACE
        if s.front[cell] != 0:
            need = _need(cfg, s, cell)
            if need > most or (need == most and PLACE + cell < best):
                best, most = PLACE + cell, need
    return best


@rule
def _need(cfg: Any, s: Any, cell: int) -> int:
    """How much a border cell needs one more point."""
    free, strongest = 0, 0
    for side in range(SIDES):
        other = cfg.neighbour[cell, side]
        if other >= 0 and s.owner[other] != s.player + 1:
            if s.owner[other] == 0:
                free += 1
            else:
                strongest = max(strongest, s.influence[other])
    own = s.influence[cell]
    need = FREE * max(0, free + 1 - own)
    return need + STRONGEST * strongest - OWN * own if strongest > 0 else need


#: The weights, in tenths of a point of influence.
WEIGHTS = {
    "cell": Parameter(38, 0, 1000, Text("worth of a cell taken", "цена взятой клетки")),
    "deny": Parameter(63, 0, 1000, Text("more if an enemy loses it", "надбавка, если её теряет враг")),
    "trade": Parameter(
        10,
        0,
        1000,
        Text("worth of a point that the enemy loses more than you", "цена очка, на которое враг теряет больше вас"),
    ),
    "front": Parameter(
        31, 0, 1000, Text("worth of a point that arrives beside an enemy", "цена очка, которое встаёт рядом с врагом")
    ),
    "onward": Parameter(
        23, 0, 1000, Text("worth of a cell to go on to from there", "цена клетки, на которую оттуда можно пойти дальше")
    ),
    "stuck": Parameter(
        8,
        0,
        1000,
        Text("cost of a point that arrives where nothing is left to take", "цена очка, застрявшего, где брать нечего"),
    ),
    "hold": Parameter(
        13,
        0,
        1000,
        Text(
            "cost of a point by which enemies beside outweigh what arrives",
            "цена очка, на которое враги рядом сильнее пришедших",
        ),
    ),
    "leave": Parameter(
        9,
        0,
        1000,
        Text(
            "cost of a point by which an enemy outweighs what is left behind",
            "цена очка, на которое враг сильнее оставленных",
        ),
    ),
}
