"""The options of a decision in Battle of Dimensions: listed, counted, or picked by number.

Options are sets: kinds of card as bits, times the Dimensions they can go to. So they are counted, and one is picked,
without listing the others. Counting goes over all Dimensions there could be, since those nobody plays in are empty: a
compiler makes more of a number it knows than of one it has to look up.
"""

from __future__ import annotations

from typing import Any

from playmill.author import bit_count, lowest_bit, nth_bit, rare, rule
from playmill.games.dimensions.actions import (
    HOLD,
    KINDS,
    MOVE,
    MOVE_CAPTAIN,
    PLAY,
    PLAYERS,
    PUT,
    PUT_CAPTAIN,
    RED,
    SKIP,
    STAY,
    divided,
)
from playmill.games.dimensions.constants import BATTLE, CAPTAIN_AVAILABLE, MOVEMENT, NOBODY, REINFORCE
from playmill.games.dimensions.rules.anomalies import anomaly_options, count_targets, nth_target
from playmill.games.dimensions.rules.attack import attack_number, winning_attacks


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Writes the options of the player to move, ascending; returns how many there are."""
    if s.player == NOBODY:
        return 0
    if s.phase == BATTLE:
        return _list_cards(s, out)
    if s.phase == REINFORCE:
        return _list_reinforcements(cfg, s, out)
    if s.phase == MOVEMENT:
        return _list_moves(cfg, s, out)
    return _list_attacks(s, out)


@rule
def count_actions(cfg: Any, s: Any, out: Any) -> int:
    """How many options the player to move has."""
    if s.player == NOBODY:
        return 0
    if s.phase == BATTLE:
        return bit_count(s.hand_kinds[s.player])
    if s.phase == REINFORCE:
        return _count_reinforcements(cfg, s)
    if s.phase == MOVEMENT:
        n = _count_moves(cfg, s)
        return n if s.hand_anomalies[s.player] == 0 else n + _count_anomalies(cfg, s)
    return 1 + bit_count(winning_attacks(s, s.player))


@rule
def nth_action(cfg: Any, s: Any, out: Any, k: int) -> int:
    """Option number k of those just counted, in ascending order."""
    if s.phase == BATTLE:
        return PLAY + nth_bit(s.hand_kinds[s.player], k)
    if s.phase == REINFORCE:
        return _nth_reinforcement(cfg, s, k)
    if s.phase == MOVEMENT:
        moves = _count_moves(cfg, s)
        return _nth_move(cfg, s, k) if k < moves else _nth_anomaly(cfg, s, k - moves)
    return HOLD if k == 0 else attack_number(nth_bit(winning_attacks(s, s.player), k - 1))


@rule
def has_captain(s: Any, player: int) -> bool:
    """Whether a player may still place the Captain."""
    return s.captain_at == CAPTAIN_AVAILABLE and s.faction[player] == RED


# Phase 1: battle. Each kind of faction card held


@rule
def _list_cards(s: Any, out: Any) -> int:
    n = 0
    kinds = s.hand_kinds[s.player]
    while kinds != 0:
        out.ids[n] = PLAY + lowest_bit(kinds)
        n += 1
        kinds &= kinds - 1
    return n


# Phase 2: reinforce. Each kind held into each Dimension; the Captain too; nothing if there is no card to put


@rule
def _list_reinforcements(cfg: Any, s: Any, out: Any) -> int:
    kinds = s.hand_kinds[s.player]
    n = _list_ways(cfg, kinds, PUT, NOBODY, out, 0)
    if has_captain(s, s.player):
        n = _list_ways(cfg, 1, PUT_CAPTAIN, NOBODY, out, n)
        if kinds == 0:
            out.ids[n] = SKIP
            n += 1
    return n


@rule
def _list_ways(cfg: Any, kinds: int, first: int, source: int, out: Any, n: int) -> int:
    """Adds each kind of card of a set with each Dimension but the one it comes from to a list of n actions."""
    players = cfg.players
    while kinds != 0:
        start = first + lowest_bit(kinds) * PLAYERS
        for dimension in range(players):
            out.ids[n] = start + dimension
            n += dimension != source
        kinds &= kinds - 1
    return n


@rule
def _count_reinforcements(cfg: Any, s: Any) -> int:
    kinds = s.hand_kinds[s.player]
    n = bit_count(kinds) * cfg.players
    if has_captain(s, s.player):
        n += cfg.players + (1 if kinds == 0 else 0)
    return n


@rule
def _nth_reinforcement(cfg: Any, s: Any, k: int) -> int:
    kinds = s.hand_kinds[s.player]
    number = divided(k, cfg.players)
    dimension = k - number * cfg.players
    if number < bit_count(kinds):
        return PUT + nth_bit(kinds, number) * PLAYERS + dimension
    return SKIP if kinds == 0 and number == 1 else PUT_CAPTAIN + dimension


# Phase 3: nothing; each kind from each Dimension where it lies to each other one; the own Captain; each anomaly held


@rule
def _list_moves(cfg: Any, s: Any, out: Any) -> int:
    out.ids[0] = STAY
    n = 1
    for source in range(cfg.players):
        n = _list_ways(cfg, s.table_kinds[source], MOVE + source * KINDS * PLAYERS, source, out, n)
    if _moves_captain(s):
        n = _list_ways(cfg, 1, MOVE_CAPTAIN, s.captain_at, out, n)
    return _list_anomalies(cfg, s, out, n)


@rule
def _moves_captain(s: Any) -> bool:
    return s.captain_at >= 0 and s.faction[s.player] == RED


@rule
def _count_moves(cfg: Any, s: Any) -> int:
    movable = 1 if _moves_captain(s) else 0
    for source in range(PLAYERS):
        movable += bit_count(s.table_kinds[source])
    return 1 + movable * (cfg.players - 1)


@rule
def _nth_move(cfg: Any, s: Any, k: int) -> int:
    if k == 0:
        return STAY
    number = divided(k - 1, cfg.players - 1)
    target = k - 1 - number * (cfg.players - 1)
    source = 0
    before = 0
    total = 0
    for dimension in range(PLAYERS):
        total += bit_count(s.table_kinds[dimension])
        if number >= total:
            source = dimension + 1
            before = total
    if source == PLAYERS:
        return MOVE_CAPTAIN + target + (1 if target >= s.captain_at else 0)
    kind = nth_bit(s.table_kinds[source], number - before)
    return MOVE + (source * KINDS + kind) * PLAYERS + target + (1 if target >= source else 0)


@rare
def _list_anomalies(cfg: Any, s: Any, out: Any, n: int) -> int:
    """Adds every anomaly held with every target to a list of n actions; returns the new length."""
    anomalies = s.hand_anomalies[s.player]
    while anomalies != 0:
        n = anomaly_options(cfg, s, lowest_bit(anomalies), out, n)
        anomalies &= anomalies - 1
    return n


@rare
def _count_anomalies(cfg: Any, s: Any) -> int:
    n = 0
    anomalies = s.hand_anomalies[s.player]
    while anomalies != 0:
        n += count_targets(cfg, s, lowest_bit(anomalies))
        anomalies &= anomalies - 1
    return n


@rare
def _nth_anomaly(cfg: Any, s: Any, k: int) -> int:
    anomalies = s.hand_anomalies[s.player]
    targets = count_targets(cfg, s, lowest_bit(anomalies))
    while k >= targets:
        k -= targets
        anomalies &= anomalies - 1
        targets = count_targets(cfg, s, lowest_bit(anomalies))
    return nth_target(cfg, s, lowest_bit(anomalies), k)


# Phase 4: nothing; each attack that wins


@rule
def _list_attacks(s: Any, out: Any) -> int:
    out.ids[0] = HOLD
    n = 1
    attacks = winning_attacks(s, s.player)
    while attacks != 0:
        out.ids[n] = attack_number(lowest_bit(attacks))
        n += 1
        attacks &= attacks - 1
    return n
