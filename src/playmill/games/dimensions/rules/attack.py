"""Phase 4 of a turn of Battle of Dimensions: which attacks win, and what a won attack takes."""

from __future__ import annotations

from typing import Any

from playmill.author import below, rule
from playmill.games.dimensions.actions import AURA, BLUE, FACTIONS, PURPLE, RED, STRIKE, TARGETS
from playmill.games.dimensions.constants import STREAM_LOSS
from playmill.games.dimensions.rules.cards import lift, pop_aura

#: For each attacker a byte: 1, and the bit that no size reaches.
_ONE, _TOP = 0x0101010101, 0x8080808080
_PURPLE_ON_AURAS = 1 << 8 * PURPLE + AURA


@rule
def strength(s: Any, dimension: int, colour: int) -> int:
    """The size of a squad, the Captain counted."""
    captain = colour == RED and s.captain_at == dimension
    return s.squad[dimension, colour] + (1 if captain else 0)


@rule
def colours_in(s: Any, dimension: int) -> int:
    """The colours of the ordinary cards in a Dimension, as bits."""
    kinds = s.table_kinds[dimension]
    return kinds & 31 | (1 << BLUE if kinds > 31 else 0)


@rule
def attack_wins(s: Any, dimension: int, attacker: int, target: int) -> bool:
    """Whether there are such a squad and such a target with a card to lose, and the attack wins."""
    if attacker == target or strength(s, dimension, attacker) == 0:
        return False
    cards = s.aura[dimension] if target == AURA else s.squad[dimension, target]
    return cards > 0 and _overcomes(s, dimension, attacker, target)


@rule
def _overcomes(s: Any, dimension: int, attacker: int, target: int) -> bool:
    """The larger squad wins, and the one whose colour beats the other's. Auras have no colour; purple spares them."""
    mine = strength(s, dimension, attacker)
    if target == AURA:
        return attacker != PURPLE and mine > s.aura[dimension]
    return mine > strength(s, dimension, target) or s.prey[attacker] == target


@rule
def winning_attacks(s: Any, dimension: int) -> int:
    """Every attack in a Dimension that wins and takes something, as bits: 8 for each attacker, one for each target.

    All attackers are compared with a target at once: their sizes stand in the bytes of one word.
    """
    sizes = s.aura[dimension] << 8 * AURA
    for colour in range(FACTIONS):
        sizes |= strength(s, dimension, colour) << 8 * colour
    larger = 0
    beating = 0
    for target in range(TARGETS):
        size = sizes >> 8 * target & 0xFF
        larger |= ((sizes | _TOP) - (size + 1) * _ONE & _TOP) >> 7 - target
    for attacker in range(FACTIONS):
        beating |= 1 << 8 * attacker + s.prey[attacker]
    present = (sizes + 0x7F * _ONE & _TOP) >> 7
    targets = colours_in(s, dimension) | (1 << AURA if s.aura[dimension] > 0 else 0)
    return (larger | beating) & present * 0xFF & targets * _ONE & ~_PURPLE_ON_AURAS


@rule
def attack_number(bit: int) -> int:
    """The action of an attack, by its bit among `winning_attacks`."""
    return STRIKE + (bit >> 3) * TARGETS + (bit & 7)


@rule
def attack(cfg: Any, s: Any, attacker: int, target: int, rng: Any) -> None:
    """A won attack takes one card: to the Black Hole, or, when a purple squad wins it in Epic, to the Auras."""
    dimension = s.active
    if target == AURA:
        s.hole[pop_aura(s, dimension)] += 1
        return
    kind = target
    if target == BLUE and cfg.epic == 1:
        kind = _random_blue(cfg, s, dimension, rng)
    lift(cfg, s, dimension, kind, 1)
    if attacker == PURPLE and cfg.epic == 1:
        s.aura_cards[s.auras] = kind * 8 + dimension
        s.auras += 1
        s.auras_made += 1
        s.aura[dimension] += 1
    else:
        s.hole[kind] += 1


@rule
def _random_blue(cfg: Any, s: Any, dimension: int, rng: Any) -> int:
    """The kind of a card drawn at random from a blue squad."""
    number = below(rng, STREAM_LOSS, s.squad[dimension, BLUE])
    kind = FACTIONS
    while number >= s.table[dimension, kind]:
        number -= s.table[dimension, kind]
        kind += 1
    return kind
