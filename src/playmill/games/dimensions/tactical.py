"""The agent `tactical`: one look ahead, by an estimate of its own chance to win.

Every action but a few anomalies is a *transfer*: some cards of one colour go from a place to another, where a place is
a Dimension or `AWAY` (a hand or the Black Hole). The estimate after a transfer is made of two things: how the counts of
the factions compare, and how far each faction is from its instant win. It is all in integers, so that every machine
comes to the same choice.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from playmill.engine.rng import below
from playmill.engine.rule import rule
from playmill.games.dimensions.actions import (
    AURA,
    BANG,
    BLUE,
    ENTANGLE,
    FACTIONS,
    FIRST_VALUE_KIND,
    GREEN,
    HOLD,
    KINDS,
    LOOP,
    MOVE,
    MOVE_CAPTAIN,
    PLAYERS,
    PURPLE,
    PUT,
    PUT_CAPTAIN,
    RED,
    SKIP,
    STAY,
    STRIKE,
    SWALLOW,
    TARGETS,
    TUNNEL,
    YELLOW,
    pair_of,
)
from playmill.games.dimensions.rules import ATTACK, BATTLE, MOVEMENT, NOBODY, REINFORCE, faction_count, strength

#: A certainty: among the chances that are multiplied, and in the estimate of the own win.
ONE = 1 << 16
WIN = ONE << 8
AWAY = -1
WHOLE_SQUAD = -1

#: The chance to be ahead at the end with a lead of (i - 64) / 16 spreads.
_AHEAD = np.array([round(ONE / (1 + np.exp(-(i - 64) / 16))) for i in range(129)], np.int64)
#: How uncertain a lead in the count is, in 1/16 card: in the final turn, and how much more for each turn to come.
SPREAD = 8
SPREAD_PER_TURN = 8
#: The chance of the own or a rival's instant win by what is missing: nothing, a move, a card, two, three, more.
HOPE = np.array([ONE, 40000, 20000, 9000, 3000, 0], np.int64)
FEAR = np.array([ONE, 26000, 12000, 4000, 1000, 0], np.int64)
FAR = 5
#: The fear of a rival whose turn is next, in 1/16 of the usual one.
FEAR_NEXT = 16
#: What an own card in the hand is worth, in 1/16 of one on the table: before the own Reinforce and later, the only
#: one and one of several.
KEEP_NOW_ONLY = 15
KEEP_NOW = 4
KEEP_ONLY = 6
KEEP = 2
#: What is worth so many 1/16 of an own card on the table: the Captain's safety, an anomaly kept, another turn.
CAPTAIN = 4
RESERVE = 3
TURN = 24
#: The part of a card's worth, in 1/16, that is lost with it where others can attack it.
EXPOSED = 2


class Outlook(NamedTuple):
    """What the player makes of the table before a decision."""

    me: int  # the own faction
    next: int  # the faction that acts next
    turns: int  # turns to come
    slope: int
    now: int  # the own chance to win
    card: int  # what one more own card on the table adds to it
    prey: tuple[int, int, int, int, int]
    count: tuple[int, int, int, int, int]
    goal: tuple[int, int, int, int, int]


@rule
def tactical(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Takes the action after which its own chance to win looks best; equal ones by lot."""
    o = _outlook(cfg, s, 0, 0, 0, params)
    if s.phase == BATTLE:
        return _choose_battle(cfg, s, o, legal, n)
    losses = _losses(cfg, s, o)
    follow = _follow_up(cfg, s, o, losses)
    start = below(rng, s.player, n)
    best = -WIN
    choice = 0
    for i in range(n):
        action = int(legal.ids[i + start if i + start < n else i + start - n])
        if s.phase == ATTACK:
            score = _score_attack(o, losses, action)
        else:
            score = _score_transfer(cfg, s, o, losses, follow, action, params)
        if score > best:
            best = score
            choice = action
    return choice


# The estimate


@rule
def _outlook(cfg: Any, s: Any, one: int, other: int, cards: int, params: Any) -> Any:
    """The outlook with two factions swapped in the Spiral and so many cards back in the deck."""
    me = int(s.faction[s.player])
    turns = 0
    if s.final == 0 or cards > 0:
        turns = (int(s.deck_size) + cards) // (int(cfg.players) + 1) + 1
    following = s.active
    if s.active == s.player:
        following = s.active + 1 if s.active + 1 < cfg.players else 0
    next_one = int(s.faction[following])
    prey = (
        _prey(s, 0, one, other),
        _prey(s, 1, one, other),
        _prey(s, 2, one, other),
        _prey(s, 3, one, other),
        _prey(s, 4, one, other),
    )
    count = (_count(cfg, s, 0), _count(cfg, s, 1), _count(cfg, s, 2), _count(cfg, s, 3), _count(cfg, s, 4))
    goal = (0, 0, 0, 0, 0)
    o = Outlook(me, next_one, turns, 0, 0, 0, prey, count, goal)
    slope = 4096 * 8 // (SPREAD + SPREAD_PER_TURN * turns)
    if cfg.epic == 1:
        goal = (
            0,
            _goal_chance(cfg, s, o, GREEN, GREEN, AWAY, AWAY, 0),
            _goal_chance(cfg, s, o, YELLOW, YELLOW, AWAY, AWAY, 0),
            _goal_chance(cfg, s, o, BLUE, BLUE, AWAY, AWAY, 0),
            0,
        )
    o = Outlook(me, next_one, turns, slope, 0, 0, prey, count, goal)
    now = _weigh(s, o, me, 0, goal[me])
    card = _weigh(s, o, me, 1, goal[me]) - now
    return Outlook(me, next_one, turns, slope, now, card, prey, count, goal)


@rule
def _prey(s: Any, faction: int, one: int, other: int) -> int:
    """Whom a faction beats once two factions have changed places in the Spiral."""
    return _swapped(int(s.prey[_swapped(faction, one, other)]), one, other)


@rule
def _swapped(faction: int, one: int, other: int) -> int:
    if faction == one:
        return other
    return one if faction == other else faction


@rule
def _hunter(o: Any, colour: int) -> int:
    """The colour that beats this one."""
    return o.prey[o.prey[o.prey[o.prey[colour]]]]


@rule
def _count(cfg: Any, s: Any, faction: int) -> int:
    return int(faction_count(cfg, s, faction))


@rule
def _chance(cfg: Any, s: Any, o: Any, colour: int, kind: int, source: int, target: int, cards: int) -> int:
    """The own chance to win after a transfer."""
    more = (cards if target >= 0 else 0) - (cards if source >= 0 else 0)
    goal = 0
    if cfg.epic == 1:
        goal = _goal_chance(cfg, s, o, colour, kind, source, target, cards)
    if more == 0 and goal == o.goal[colour]:
        return o.now
    return _weigh(s, o, colour, more, goal)


@rule
def _weigh(s: Any, o: Any, colour: int, more: int, goal: int) -> int:
    """The own chance to win if one colour had so many more cards and that chance of its instant win."""
    mine = o.count[o.me] + (more if colour == o.me else 0)
    own = goal if colour == o.me else o.goal[o.me]
    chance = ONE
    for rival in range(FACTIONS):
        if rival != o.me and s.owner[rival] != NOBODY:
            lead = 2 * (mine - o.count[rival] - (more if rival == colour else 0))
            lead += (1 if o.prey[o.me] == rival else 0) - (1 if o.prey[rival] == o.me else 0)
            ahead = _AHEAD[min(max((lead * o.slope >> 8) + 64, 0), 128)]
            chance = chance * ahead * (ONE - (goal if rival == colour else o.goal[rival])) >> 32
    return own * (WIN // ONE) + ((ONE - own) * chance >> 8)


@rule
def _goal_chance(cfg: Any, s: Any, o: Any, colour: int, kind: int, source: int, target: int, cards: int) -> int:
    """The chance that a faction comes to its instant win, after a transfer of its cards."""
    if s.owner[colour] == NOBODY or colour == RED or colour == PURPLE:
        return 0
    mine = colour == o.me
    if colour == GREEN:
        missing = _green_missing(cfg, s, source, target, cards)
    elif colour == YELLOW:
        missing = _yellow_missing(cfg, s, source, target, cards)
    else:
        missing = _blue_missing(cfg, s, mine, kind, source, target, cards)
    if mine and missing == 2 and colour != BLUE:
        held = int(s.hand[s.player, colour]) - (cards if source == AWAY else 0)
        missing -= 1 if held > 0 else 0
    if missing == 0 or (mine and missing == 1 and s.active == s.player and s.phase < MOVEMENT):
        return ONE
    if o.turns == 0:
        return 0
    chance = HOPE[missing] if mine else FEAR[missing]
    if colour == o.next:
        return chance * FEAR_NEXT >> 4
    return chance * min(o.turns, cfg.players) // cfg.players


@rule
def _size(s: Any, dimension: int, colour: int, source: int, target: int, cards: int) -> int:
    """The ordinary cards of a colour in a Dimension after a transfer."""
    size = int(s.squad[dimension, colour])
    return size + (cards if dimension == target else 0) - (cards if dimension == source else 0)


@rule
def _green_missing(cfg: Any, s: Any, source: int, target: int, cards: int) -> int:
    """How far green is: 0 = won, 1 = a move away, 2 = one card away, 3 = two …"""
    most = 0
    total = 0
    for dimension in range(cfg.players):
        size = _size(s, dimension, GREEN, source, target, cards)
        most = max(most, size)
        total += size
    if most >= cfg.green_goal:
        return 0
    if most == cfg.green_goal - 1 and total > most:
        return 1
    return min(int(cfg.green_goal) - most + 1, FAR)


@rule
def _yellow_missing(cfg: Any, s: Any, source: int, target: int, cards: int) -> int:
    """How far yellow is: 0 = won, 1 = a move away, 2 = one card away, 3 = two …"""
    total = 0
    covered = 0
    for dimension in range(cfg.players):
        size = _size(s, dimension, YELLOW, source, target, cards)
        total += size
        covered += 1 if size > 0 else 0
    missing = max(int(cfg.yellow_goal) - total, int(cfg.players) - covered)
    if missing <= 0:
        return 0
    if total >= cfg.yellow_goal and missing == 1 and total > covered:
        return 1
    return min(missing + 1, FAR)


@rule
def _blue_missing(cfg: Any, s: Any, mine: bool, kind: int, source: int, target: int, cards: int) -> int:
    """How far blue is: 0 = won, 1 = a move or a card of the own hand away, 2 = an unseen card away, 3 = further."""
    value = 0
    if cards > 0:
        value = int(s.blue_sum[source]) if kind == WHOLE_SQUAD else int(cfg.value[kind])
    best = 3
    for dimension in range(cfg.players):
        need = int(cfg.blue_goal) - int(s.blue_sum[dimension])
        need += (value if dimension == source else 0) - (value if dimension == target else 0)
        if need == 0:
            return 0
        if best > 1:
            wanted = _kind_of(cfg, abs(need))
            if wanted != NOBODY and need > 0:
                best = min(best, _blue_missing_one(cfg, s, mine, wanted, dimension, kind, source, target))
            elif wanted != NOBODY and s.table[dimension, wanted] > 0:
                best = 1
    return best


@rule
def _blue_missing_one(
    cfg: Any, s: Any, mine: bool, wanted: int, dimension: int, kind: int, source: int, target: int
) -> int:
    """How far blue is when a card of the wanted kind in a Dimension would win."""
    used = 1 if wanted == kind else 0
    held = int(s.hand[s.player, wanted])
    if mine and held > (used if source == AWAY else 0):
        return 1
    seen = held + int(s.hole[wanted])
    for other in range(cfg.players):
        lying = int(s.table[other, wanted])
        seen += lying
        if other != dimension and lying > (used if target == dimension else 0):
            return 1
    return 2 if seen < cfg.copies[wanted] else 3


@rule
def _kind_of(cfg: Any, value: int) -> int:
    """The kind of the blue cards of one value, or -1."""
    for kind in range(FIRST_VALUE_KIND, cfg.kinds):
        if cfg.value[kind] == value:
            return kind
    return NOBODY


# Phase 1: battle


@rule
def _choose_battle(cfg: Any, s: Any, o: Any, legal: Any, n: int) -> int:
    """The card with the best expected result, if the others play what they may hold at random."""
    shares = _shares(cfg, s)
    gains = (
        _landing_gain(cfg, s, o, 0),
        _landing_gain(cfg, s, o, 1),
        _landing_gain(cfg, s, o, 2),
        _landing_gain(cfg, s, o, 3),
        _landing_gain(cfg, s, o, 4),
    )
    others = int(cfg.players) - 1
    best = -WIN
    choice = 0
    for i in range(n):
        kind = int(legal.ids[i])
        colour = int(cfg.colour[kind])
        prey = o.prey[colour]
        hunter = _hunter(o, colour)
        unbeaten = ONE - shares[hunter]
        wins = _power(unbeaten, others) - _power(unbeaten - shares[prey], others) + _power(shares[colour], others)
        won = _chance(cfg, s, o, colour, kind, AWAY, s.player, 1)
        lost = _chance(cfg, s, o, colour, kind, AWAY, AWAY, 1)
        if colour == o.me:
            lost -= _keep(cfg, s, o) * o.card >> 4
            won -= _keep(cfg, s, o) * o.card >> 4
        score = wins * won + (ONE - wins) * lost
        if gains[prey] != 0:
            score -= _landings(o, shares, others, prey, False) * gains[prey]
        if gains[hunter] != 0:
            score += _landings(o, shares, others, hunter, True) * gains[hunter]
        if score > best * ONE:
            best = score // ONE
            choice = kind
    return choice


@rule
def _landing_gain(cfg: Any, s: Any, o: Any, colour: int) -> int:
    """What it is worth to the player that another's battle card of a colour wins."""
    if s.owner[colour] == NOBODY:
        return 0
    if colour == o.me:
        return o.card
    return _chance(cfg, s, o, colour, colour, AWAY, int(s.owner[colour]), 1) - o.now


@rule
def _landings(o: Any, shares: Any, others: int, colour: int, fed: bool) -> int:
    """How many cards of a colour the others land on average; if fed, how many more when its prey is there anyway."""
    unbeaten = ONE - shares[_hunter(o, colour)]
    unfed = _power(unbeaten - shares[o.prey[colour]], others - 1)
    return others * shares[colour] * (unfed if fed else _power(unbeaten, others - 1) - unfed) >> 16


@rule
def _power(base: int, n: int) -> int:
    result = ONE
    for _ in range(n):
        result = result * base >> 16
    return result


@rule
def _shares(cfg: Any, s: Any) -> Any:
    """The share of each colour among the faction cards the player has not seen."""
    red = _unseen(cfg, s, RED)
    green = _unseen(cfg, s, GREEN)
    yellow = _unseen(cfg, s, YELLOW)
    blue = _unseen(cfg, s, BLUE)
    purple = _unseen(cfg, s, PURPLE)
    card = ONE // max(red + green + yellow + blue + purple, 1)
    return red * card, green * card, yellow * card, blue * card, purple * card


@rule
def _unseen(cfg: Any, s: Any, colour: int) -> int:
    left = int(cfg.copies[RED]) - int(s.hole[colour]) - int(s.hand[s.player, colour])
    for dimension in range(cfg.players):
        left -= int(s.squad[dimension, colour])
    if colour == BLUE:
        for kind in range(FIRST_VALUE_KIND, cfg.kinds):
            left -= int(s.hole[kind]) + int(s.hand[s.player, kind])
    return max(left, 0)


@rule
def _keep(cfg: Any, s: Any, o: Any) -> int:
    """How much of the worth of an own card on the table one in the hand has, in 1/16."""
    if s.final == 1 and s.active != s.player:
        return 0
    held = int(s.hand[s.player, o.me])
    if o.me == BLUE:
        for kind in range(FIRST_VALUE_KIND, cfg.kinds):
            held += int(s.hand[s.player, kind])
    if s.active == s.player:
        return KEEP_NOW_ONLY if held == 1 else KEEP_NOW
    return KEEP_ONLY if held == 1 else KEEP


# Phases 2 and 3: reinforce, move or anomaly


@rule
def _follow_up(cfg: Any, s: Any, o: Any, losses: Any) -> Any:
    """The gain of the attack to follow, when a card of each colour comes to the own Dimension and when none does."""
    if s.phase == ATTACK:
        return 0, 0, 0, 0, 0, 0
    return (
        _best_attack(s, o, losses, 0, 1),
        _best_attack(s, o, losses, 1, 1),
        _best_attack(s, o, losses, 2, 1),
        _best_attack(s, o, losses, 3, 1),
        _best_attack(s, o, losses, 4, 1),
        _best_attack(s, o, losses, 0, 0),
    )


@rule
def _score_transfer(cfg: Any, s: Any, o: Any, losses: Any, follow: Any, action: int, params: Any) -> int:
    """The chance to win after a reinforcement, a move or an anomaly, with the best attack to follow."""
    if action in (STAY, SKIP):
        return o.now + follow[FACTIONS] + 1
    if action >= ENTANGLE:
        return _score_anomaly(cfg, s, o, losses, follow[FACTIONS], action, params) - (RESERVE * o.card >> 4)
    kind = RED
    source = AWAY
    bonus = 0
    if action < PUT_CAPTAIN:
        kind = (action - PUT) // PLAYERS
        target = (action - PUT) % PLAYERS
    elif action < SKIP:
        target = action - PUT_CAPTAIN
        bonus = CAPTAIN * o.card >> 4
    elif action < MOVE_CAPTAIN:
        source = (action - MOVE) // (PLAYERS * KINDS)
        kind = (action - MOVE) // PLAYERS % KINDS
        target = (action - MOVE) % PLAYERS
    else:
        source = int(s.captain_at)
        target = action - MOVE_CAPTAIN
    colour = int(cfg.colour[kind])
    score = _chance(cfg, s, o, colour, kind, source, target, 1) + bonus
    if o.turns > 0 and s.owner[colour] != NOBODY:
        exposed = _exposed(s, o, colour, target, 1) - _exposed(s, o, colour, target, 0)
        if source != AWAY:
            exposed += _exposed(s, o, colour, source, -1) - _exposed(s, o, colour, source, 0)
        score += (EXPOSED * exposed * (losses[colour] if colour != o.me else -o.card)) >> 4
    if target == s.player:
        return score + follow[colour]
    if source == s.player:
        return score + _best_attack(s, o, losses, colour, -1)
    return score + follow[FACTIONS]


@rule
def _exposed(s: Any, o: Any, colour: int, dimension: int, more: int) -> int:
    """1 if a squad lies where another can attack it and its owner does not decide that, once it has changed so."""
    size = strength(s, dimension, colour) + more
    if size == 0 or s.faction[dimension] == colour:
        return 0
    for other in range(FACTIONS):
        if other != colour:
            enemy = strength(s, dimension, other)
            if enemy > size or (enemy > 0 and o.prey[other] == colour):
                return 1
    return 0


@rule
def _score_anomaly(cfg: Any, s: Any, o: Any, losses: Any, rest: int, action: int, params: Any) -> int:
    """The chance to win after an anomaly, with the best attack to follow."""
    if action < TUNNEL:
        one, other = pair_of(action - ENTANGLE)
        swapped = _outlook(cfg, s, one, other, 0, params)
        return swapped.now + _best_attack(s, swapped, losses, RED, 0)
    if action == LOOP:
        return o.now + rest + ((TURN * o.card >> 4) if s.final == 0 else 0)
    if action == BANG:
        pile = 0
        for thing in range(cfg.kinds):
            pile += int(s.hole[thing])
        return _outlook(cfg, s, 0, 0, pile, params).now + rest
    target = AWAY
    if action < SWALLOW:
        source = (action - TUNNEL) // (PLAYERS * FACTIONS)
        colour = (action - TUNNEL) // PLAYERS % FACTIONS
        target = (action - TUNNEL) % PLAYERS
    else:
        source = (action - SWALLOW) // TARGETS
        colour = (action - SWALLOW) % TARGETS
        if colour == AURA:
            return _chance(cfg, s, o, PURPLE, PURPLE, source, AWAY, int(s.aura[source])) + rest
    cards = int(s.squad[source, colour])
    change = (cards if target == s.player else 0) - (cards if source == s.player else 0)
    return _chance(cfg, s, o, colour, WHOLE_SQUAD, source, target, cards) + _best_attack(s, o, losses, colour, change)


# Phase 4: attack


@rule
def _losses(cfg: Any, s: Any, o: Any) -> Any:
    """What it is worth to the player that each colour loses a card in the own Dimension, and that an Aura is made."""
    aura = 0
    if cfg.epic == 1 and s.owner[PURPLE] != NOBODY:
        aura = _weigh(s, o, PURPLE, 1, 0) - o.now
    return (
        _loss(cfg, s, o, 0),
        _loss(cfg, s, o, 1),
        _loss(cfg, s, o, 2),
        _loss(cfg, s, o, 3),
        _loss(cfg, s, o, 4),
        aura,
    )


@rule
def _loss(cfg: Any, s: Any, o: Any, colour: int) -> int:
    if colour == o.me or s.owner[colour] == NOBODY:
        return 0
    if colour != BLUE or s.squad[s.player, BLUE] == 0 or cfg.epic == 0:
        return _chance(cfg, s, o, colour, colour, s.player, AWAY, 1) - o.now
    total = 0
    for kind in range(FIRST_VALUE_KIND, cfg.kinds):
        lying = int(s.table[s.player, kind])
        if lying > 0:
            total += lying * (_chance(cfg, s, o, BLUE, kind, s.player, AWAY, 1) - o.now)
    return total // int(s.squad[s.player, BLUE])


@rule
def _best_attack(s: Any, o: Any, losses: Any, colour: int, change: int) -> int:
    """The gain of the best attack in the own Dimension once a squad there has changed so.

    Before the own move, a victim may also be moved in from elsewhere.
    """
    best = 0
    for target in range(FACTIONS):
        if target != o.me and losses[target] + max(losses[AURA], 0) > best:
            more = change if target == colour else 0
            size = strength(s, s.player, target) + more
            cards = s.squad[s.player, target] + more
            if cards == 0 and s.phase == REINFORCE and o.count[target] > size:
                cards = 1
                size += 1
            if cards > 0:
                for attacker in range(FACTIONS):
                    gain = losses[target] + (losses[AURA] if attacker == PURPLE else 0)
                    if gain > best and attacker != target:
                        mine = strength(s, s.player, attacker) + (change if attacker == colour else 0)
                        if mine > 0 and (mine > size or o.prey[attacker] == target):
                            best = gain
    return best


@rule
def _score_attack(o: Any, losses: Any, action: int) -> int:
    """The gain of an attack; never on the own colour."""
    if action == HOLD:
        return 1
    attacker = (action - STRIKE) // TARGETS
    target = (action - STRIKE) % TARGETS
    if target == o.me:
        return -WIN
    if target == AURA:
        return -losses[AURA]
    return losses[target] + (losses[AURA] if attacker == PURPLE else 0)
