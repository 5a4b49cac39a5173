"""The five anomalies of Battle of Dimensions: their targets, and what they do."""

from __future__ import annotations

from typing import Any

from playmill.author import add_to_shuffle_buffer, bit_count, drain_shuffle_buffer, nth_bit, rule
from playmill.games.dimensions.actions import (
    ANOMALIES,
    AURA,
    BANG,
    BIG_BANG,
    BLACK_HOLE,
    ENTANGLE,
    ENTANGLEMENT,
    FACTIONS,
    LOOP,
    PAIRS,
    PLAYERS,
    SWALLOW,
    TARGETS,
    TIME_LOOP,
    TUNNEL,
    WORMHOLE,
)
from playmill.games.dimensions.constants import NOBODY, STREAM_BIG_BANG
from playmill.games.dimensions.rules.attack import colours_in
from playmill.games.dimensions.rules.cards import ANOMALY_CARD, lay, lift, pop_aura, remember
from playmill.games.dimensions.rules.spiral import entangle


@rule
def anomaly_options(cfg: Any, s: Any, anomaly: int, out: Any, n: int) -> int:
    """Adds every target of one anomaly to a list of n actions; returns the new length."""
    if anomaly == ENTANGLEMENT:
        for pair in range(PAIRS):
            out.ids[n] = ENTANGLE + pair
            n += 1
    elif anomaly == WORMHOLE:
        for source in range(cfg.players):
            for colour in range(FACTIONS):
                if s.squad[source, colour] > 0:
                    for target in range(cfg.players):
                        if target != source:
                            out.ids[n] = TUNNEL + (source * FACTIONS + colour) * PLAYERS + target
                            n += 1
    elif anomaly == BLACK_HOLE:
        for source in range(cfg.players):
            for colour in range(FACTIONS):
                if s.squad[source, colour] > 0:
                    out.ids[n] = SWALLOW + source * TARGETS + colour
                    n += 1
            if s.aura[source] > 0:
                out.ids[n] = SWALLOW + source * TARGETS + AURA
                n += 1
    elif anomaly == BIG_BANG:
        out.ids[n] = BANG
        n += 1
    else:
        out.ids[n] = LOOP
        n += 1
    return n


@rule
def count_targets(cfg: Any, s: Any, anomaly: int) -> int:
    """How many targets one anomaly has."""
    if anomaly == ENTANGLEMENT:
        return PAIRS
    if anomaly != WORMHOLE and anomaly != BLACK_HOLE:
        return 1
    things = 0
    for source in range(PLAYERS):
        things += bit_count(_movable(s, source, anomaly))
    return things * (cfg.players - 1) if anomaly == WORMHOLE else things


@rule
def nth_target(cfg: Any, s: Any, anomaly: int, k: int) -> int:
    """Option number k of those that one anomaly has, in ascending order."""
    if anomaly == ENTANGLEMENT:
        return ENTANGLE + k
    if anomaly != WORMHOLE and anomaly != BLACK_HOLE:
        return BANG if anomaly == BIG_BANG else LOOP
    number = k // (cfg.players - 1) if anomaly == WORMHOLE else k
    target = k - number * (cfg.players - 1)
    source = 0
    here = _movable(s, source, anomaly)
    while number >= bit_count(here):
        number -= bit_count(here)
        source += 1
        here = _movable(s, source, anomaly)
    thing = nth_bit(here, number)
    if anomaly == BLACK_HOLE:
        return SWALLOW + source * TARGETS + thing
    return TUNNEL + (source * FACTIONS + thing) * PLAYERS + target + (1 if target >= source else 0)


@rule
def _movable(s: Any, source: int, anomaly: int) -> int:
    """What Wormhole or Black Hole can take out of a Dimension: its squads, and Black Hole its Auras, as bits."""
    auras = anomaly == BLACK_HOLE and s.aura[source] > 0
    return colours_in(s, source) | (1 << AURA if auras else 0)


@rule
def play_anomaly(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """The active player plays an anomaly."""
    if action < TUNNEL:
        entangle(s, action - ENTANGLE)
        _spend(s, ENTANGLEMENT)
    elif action < SWALLOW:
        place = (action - TUNNEL) // PLAYERS
        _tunnel(cfg, s, place // FACTIONS, place % FACTIONS, (action - TUNNEL) % PLAYERS)
        _spend(s, WORMHOLE)
    elif action < BANG:
        _swallow(cfg, s, (action - SWALLOW) // TARGETS, (action - SWALLOW) % TARGETS)
        _spend(s, BLACK_HOLE)
    elif action == BANG:
        _big_bang(cfg, s, rng)
        _spend(s, BIG_BANG)
        if s.last_taker != NOBODY and s.deck_size > 0:
            # The final turn was assigned: this turn's recovery decides whether it is called off or the game is scored.
            s.final = 1
    else:
        if s.final == 0:
            s.loop = 1
        _spend(s, TIME_LOOP)


@rule
def _spend(s: Any, anomaly: int) -> None:
    """The anomaly just played goes to the Black Hole pile."""
    s.hand_anomalies[s.active] ^= 1 << anomaly
    s.hand_size[s.active] -= 1
    if s.known_anomalies[s.active] > 0:
        s.known_anomalies[s.active] -= 1
    if s.hand_size[s.active] == 0:
        s.laid[s.active] = 0
    if s.kept[s.active] > 0 and s.shown_anomalies >> anomaly & 1 == 0:
        s.kept[s.active] -= 1
    s.hole_anomalies |= 1 << anomaly
    s.shown_anomalies |= 1 << anomaly
    s.anomaly_plays[anomaly] += 1
    s.anomaly_players[anomaly] |= 1 << s.active


@rule
def _tunnel(cfg: Any, s: Any, source: int, colour: int, target: int) -> None:
    """A whole squad goes to another Dimension; the Captain stays."""
    for kind in range(cfg.kinds):
        cards = s.table[source, kind]
        if cfg.colour[kind] == colour and cards > 0:
            lift(cfg, s, source, kind, cards)
            lay(cfg, s, target, kind, cards)


@rule
def _swallow(cfg: Any, s: Any, source: int, target: int) -> None:
    """A whole squad or Aura stack goes to the Black Hole; the Captain stays."""
    if target == AURA:
        s.auras_swallowed += s.aura[source]
        while s.aura[source] > 0:
            s.hole[pop_aura(s, source)] += 1
        return
    for kind in range(cfg.kinds):
        cards = s.table[source, kind]
        if cfg.colour[kind] == target and cards > 0:
            lift(cfg, s, source, kind, cards)
            s.hole[kind] += cards


@rule
def _big_bang(cfg: Any, s: Any, rng: Any) -> None:
    """The whole Black Hole pile goes back into the deck, which is shuffled."""
    remember(cfg, s)
    size = 0
    for i in range(s.deck_size):
        add_to_shuffle_buffer(rng, STREAM_BIG_BANG, size, s.deck[i], size)
        size += 1
    for kind in range(cfg.kinds):
        for _ in range(s.hole[kind]):
            add_to_shuffle_buffer(rng, STREAM_BIG_BANG, size, kind, size)
            size += 1
        s.hole[kind] = 0
    for anomaly in range(ANOMALIES):
        if s.hole_anomalies >> anomaly & 1 == 1:
            add_to_shuffle_buffer(rng, STREAM_BIG_BANG, size, ANOMALY_CARD + anomaly, size)
            size += 1
    s.hole_anomalies = 0
    drain_shuffle_buffer(rng, STREAM_BIG_BANG, s.deck, size)
    s.deck_size = size
