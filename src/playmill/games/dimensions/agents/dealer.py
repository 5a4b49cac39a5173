"""The agent `dealer`: plays at random, phase by phase, as the designers simulate it by hand."""

from __future__ import annotations

from typing import Any

from playmill.author import below, bit_count, happens, nth_bit, rule
from playmill.games.dimensions.actions import (
    AURA,
    HOLD,
    KINDS,
    MOVE,
    PLAY,
    PLAYERS,
    PURPLE,
    PUT,
    PUT_CAPTAIN,
    RED,
    SKIP,
    STAY,
    STRIKE,
    TARGETS,
)
from playmill.games.dimensions.constants import ATTACK, BATTLE, REINFORCE
from playmill.games.dimensions.rules.anomalies import count_targets, nth_target
from playmill.games.dimensions.rules.attack import attack_wins, colours_in
from playmill.games.dimensions.rules.options import has_captain

_CAPTAIN, _ANOMALY, _WITHOUT, _PLACE = range(4)
#: What the dealer does in the third phase when it tries an anomaly and holds none.
NOTHING, MOVE_INSTEAD = range(2)
#: Where it places the Captain: in its own Dimension, in any, in any but its own.
OWN, _ANY, OTHER = range(3)


@rule
def dealer(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Plays at random the way the designers simulate it by hand: phase by phase, uniform at every step."""
    if s.phase == BATTLE:
        return PLAY + _random_bit(s.hand_kinds[s.player], rng, s.player)
    if s.phase == REINFORCE:
        return _deal_reinforcement(cfg, s, rng, params)
    if s.phase == ATTACK:
        return _deal_attack(s, rng)
    if happens(rng, s.player, params.value[s.player, _ANOMALY]):
        if s.hand_anomalies[s.player] != 0:
            return _deal_anomaly(cfg, s, rng)
        if params.value[s.player, _WITHOUT] == NOTHING:
            return STAY
    return _deal_move(cfg, s, rng)


@rule
def _random_bit(mask: int, rng: Any, stream: int) -> int:
    """A random set bit of a mask that is not zero."""
    return nth_bit(mask, below(rng, stream, bit_count(mask)))


@rule
def _deal_reinforcement(cfg: Any, s: Any, rng: Any, params: Any) -> int:
    if has_captain(s, s.player) and happens(rng, s.player, params.value[s.player, _CAPTAIN]):
        return PUT_CAPTAIN + _captain_place(cfg, s, rng, params.value[s.player, _PLACE])
    if s.hand_kinds[s.player] == 0:
        return SKIP
    kind = _random_bit(s.hand_kinds[s.player], rng, s.player)
    return PUT + kind * PLAYERS + below(rng, s.player, cfg.players)


@rule
def _captain_place(cfg: Any, s: Any, rng: Any, place: float) -> int:
    """The Dimension the Captain is placed in."""
    if place == OWN:
        return s.player
    if place == _ANY:
        return below(rng, s.player, cfg.players)
    other = below(rng, s.player, cfg.players - 1)
    return other + (1 if other >= s.player else 0)


@rule
def _deal_anomaly(cfg: Any, s: Any, rng: Any) -> int:
    """A uniform anomaly of those held, then a uniform target."""
    anomaly = _random_bit(s.hand_anomalies[s.player], rng, s.player)
    targets = count_targets(cfg, s, anomaly)
    return nth_target(cfg, s, anomaly, below(rng, s.player, targets)) if targets > 0 else STAY


@rule
def _deal_move(cfg: Any, s: Any, rng: Any) -> int:
    """A uniform Dimension with cards, a uniform colour there, a uniform destination (the same one: nothing)."""
    dimensions = 0
    for dimension in range(PLAYERS):
        dimensions |= (1 if s.table_kinds[dimension] != 0 else 0) << dimension
    if dimensions == 0:
        return STAY
    source = _random_bit(dimensions, rng, s.player)
    colour = _random_bit(colours_in(s, source), rng, s.player)
    target = below(rng, s.player, cfg.players)
    if target == source:
        return STAY
    number = below(rng, s.player, s.squad[source, colour])
    kind = colour  # the kinds before it are of other colours
    while cfg.colour[kind] != colour or number >= s.table[source, kind]:
        if cfg.colour[kind] == colour:
            number -= s.table[source, kind]
        kind += 1
    return MOVE + (source * KINDS + kind) * PLAYERS + target


@rule
def _deal_attack(s: Any, rng: Any) -> int:
    """A uniform colour of the own Dimension, then a uniform other one or the Auras; nothing if that does not win."""
    colours = colours_in(s, s.player)
    if s.captain_at == s.player:
        colours |= 1 << RED
    if colours == 0:
        return HOLD
    attacker = _random_bit(colours, rng, s.player)
    targets = colours ^ (1 << attacker)
    if s.aura[s.player] > 0 and attacker != PURPLE:
        targets |= 1 << AURA
    if targets == 0:
        return HOLD
    target = _random_bit(targets, rng, s.player)
    if attack_wins(s, s.player, attacker, target):
        return STRIKE + attacker * TARGETS + target
    return HOLD
