"""The agent `tactical`: one look ahead, by an estimate of its own chance to win.

Every action but a few anomalies is a *transfer*: some cards of one colour go from one place to another, where a place
is a Dimension or `AWAY` (a hand or the Black Hole). The estimate after a transfer is made of two things: how the counts
of the factions compare, and how far each faction is from its instant win. It is all in integers, so that every machine
comes to the same choice; what is kept for each faction is packed into one integer, a byte for each.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from playmill.engine.rng import below
from playmill.engine.rule import rule
from playmill.games.dimensions import actions as act
from playmill.games.dimensions.actions import (
    AURA,
    BLUE,
    FACTIONS,
    FIRST_VALUE_KIND,
    GREEN,
    PURPLE,
    RED,
    YELLOW,
    pair_of,
)
from playmill.games.dimensions.rules import ATTACK, BATTLE, MOVEMENT, NOBODY, REINFORCE, faction_count, strength

#: A certainty: among the chances that are multiplied, and in the estimate of the own win.
ONE = 1 << 16
WIN = ONE << 8
AWAY = -1
WHOLE_SQUAD = -1

#: The chance to be ahead at the end with a lead of (i - 96) / 16 spreads.
AHEAD = np.array([round(ONE / (1 + np.exp((96 - i) / 16))) for i in range(193)], np.int64)
#: How uncertain a lead in the count is, in 1/16 card: in the final turn, and how much more for each turn to come.
SPREAD = 8
SPREAD_PER_TURN = 3
#: The chance of the own or a rival's instant win by what is missing: nothing, a move, a card, two, three, more.
HOPE = np.array([ONE, 30000, 10000, 9000, 3000, 0], np.int64)
FEAR = np.array([ONE, 26000, 12000, 4000, 1000, 0], np.int64)
FAR = 5
#: What an own card in the hand is worth, in 1/16 of one on the table: the only one there, and one of several.
KEEP_ONLY = 16
KEEP = 8
#: What is worth so many 1/16 of an own card on the table: the Captain's safety, an anomaly kept, another turn.
CAPTAIN = 4
RESERVE = 3
TURN = 24
#: How much better, in 1/16 of a card's worth, a card lies in its player's own Dimension, where only she can attack it.
HOME = 2


class Outlook(NamedTuple):
    """What the player makes of the table before a decision."""

    me: int  # the own faction
    turns: int  # turns to come
    slope: int  # spreads in half a card of lead, in 1/4096
    prey: int  # whom each faction beats
    count: int  # the cards of each faction
    green: int  # the chances of the instant wins
    yellow: int
    blue: int
    ahead: int  # the chance to win if it is not by the own instant win
    now: int  # the chance to win
    card: int  # what one more own card on the table adds to it


@rule
def tactical(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Takes the action after which its own chance to win looks best; equal ones by lot."""
    o = _outlook(cfg, s, 0, 0, 0, params)
    if s.phase == BATTLE:
        return _choose_battle(cfg, s, o, legal, n)
    losses = _losses(cfg, s, o)
    rest = 0 if s.phase == ATTACK else _best_attack(s, o, losses, RED, 0)
    start = below(rng, s.player, n)
    best = -WIN
    choice = 0
    for i in range(n):
        action = int(legal.ids[i + start if i + start < n else i + start - n])
        if s.phase == ATTACK:
            score = _score_attack(o, losses, action)
        elif action >= act.ENTANGLE:
            score = _score_anomaly(cfg, s, o, losses, rest, action, params)
        else:
            score = _score_transfer(cfg, s, o, losses, rest, action)
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
    prey = 0
    count = 0
    for faction in range(FACTIONS):
        prey |= _swapped(int(s.prey[_swapped(faction, one, other)]), one, other) << 8 * faction
        count |= int(faction_count(cfg, s, faction)) << 8 * faction
    slope = 4096 * 8 // (SPREAD + SPREAD_PER_TURN * turns)
    o = Outlook(me, turns, slope, prey, count, 0, 0, 0, 0, 0, 0)
    green = _goal_chance(cfg, s, o, GREEN, GREEN, AWAY, AWAY, 0)
    yellow = _goal_chance(cfg, s, o, YELLOW, YELLOW, AWAY, AWAY, 0)
    blue = _goal_chance(cfg, s, o, BLUE, BLUE, AWAY, AWAY, 0)
    o = Outlook(me, turns, slope, prey, count, green, yellow, blue, 0, 0, 0)
    ahead = _ahead_of_all(s, o, 0)
    now = _together(_goal(o, me), ahead)
    card = _together(_goal(o, me), _ahead_of_all(s, o, 1)) - now
    return Outlook(me, turns, slope, prey, count, green, yellow, blue, ahead, now, card)


@rule
def _swapped(faction: int, one: int, other: int) -> int:
    if faction == one:
        return other
    return one if faction == other else faction


@rule
def _byte(packed: int, place: int) -> int:
    return packed >> 8 * place & 255


@rule
def _goal(o: Any, faction: int) -> int:
    """The chance of the instant win of a faction as the table is."""
    if faction == GREEN:
        return o.green
    if faction == YELLOW:
        return o.yellow
    return o.blue if faction == BLUE else 0


@rule
def _ahead_of(o: Any, rival: int, more: int) -> int:
    """The chance to end ahead of a rival with so many more cards of lead."""
    lead = 2 * (_byte(o.count, o.me) - _byte(o.count, rival) + more)
    lead += (1 if _byte(o.prey, o.me) == rival else 0) - (1 if _byte(o.prey, rival) == o.me else 0)
    return AHEAD[min(max((lead * o.slope >> 8) + 96, 0), 192)]


@rule
def _ahead_of_all(s: Any, o: Any, more: int) -> int:
    """The chance that no rival wins, neither at once nor in the end, with so many own cards more."""
    chance = ONE
    for rival in range(FACTIONS):
        if rival != o.me and s.owner[rival] != NOBODY:
            chance = chance * _ahead_of(o, rival, more) * (ONE - _goal(o, rival)) >> 32
    return chance


@rule
def _together(goal: int, ahead: int) -> int:
    """The chance to win at once or in the end."""
    return goal * (WIN // ONE) + ((ONE - goal) * ahead >> 8)


@rule
def _chance(cfg: Any, s: Any, o: Any, colour: int, kind: int, source: int, target: int, cards: int) -> int:
    """The own chance to win after a transfer."""
    more = (cards if target >= 0 else 0) - (cards if source >= 0 else 0)
    was = _goal(o, colour)
    goal = _goal_chance(cfg, s, o, colour, kind, source, target, cards)
    if s.owner[colour] == NOBODY or (more == 0 and goal == was):
        return o.now
    if colour == o.me:
        return _together(goal, _ahead_of_all(s, o, more))
    ahead = o.ahead * _ahead_of(o, colour, -more) // _ahead_of(o, colour, 0)
    if goal != was:
        ahead = ahead * (ONE - goal) // (ONE - was)
    return _together(_goal(o, o.me), ahead)


@rule
def _goal_chance(cfg: Any, s: Any, o: Any, colour: int, kind: int, source: int, target: int, cards: int) -> int:
    """The chance that a faction comes to its instant win, after a transfer of its cards."""
    if not _has_goal(cfg, s, colour):
        return 0
    if colour == BLUE:
        missing = _blue_missing(cfg, s, o, kind, source, target, cards)
    else:
        missing = _squads_missing(cfg, s, colour, source, target, cards)
        if missing == 2 and colour == o.me and s.hand[s.player, colour] > (cards if source == AWAY else 0):
            missing = 1
    if missing == 0 or (missing == 1 and colour == o.me and s.active == s.player and s.phase < MOVEMENT):
        return ONE
    if o.turns == 0:
        return 0
    chance = HOPE[missing] if colour == o.me else FEAR[missing]
    return chance * min(o.turns, int(cfg.players)) // int(cfg.players)


@rule
def _has_goal(cfg: Any, s: Any, colour: int) -> bool:
    """Whether a colour can win at once in this game."""
    return cfg.epic == 1 and s.owner[colour] != NOBODY and GREEN <= colour <= BLUE


@rule
def _squads_missing(cfg: Any, s: Any, colour: int, source: int, target: int, cards: int) -> int:
    """How far green or yellow is: 0 = won, 1 = a move or a card of the own hand away, 2 = one card away, 3 = two …"""
    most = 0
    total = 0
    covered = 0
    for dimension in range(cfg.players):
        size = int(s.squad[dimension, colour])
        size += (cards if dimension == target else 0) - (cards if dimension == source else 0)
        most = max(most, size)
        total += size
        covered += 1 if size > 0 else 0
    if colour == GREEN:
        missing = int(cfg.green_goal) - most
        by_move = total > most
    else:
        missing = max(int(cfg.yellow_goal) - total, int(cfg.players) - covered)
        by_move = total > covered and total >= cfg.yellow_goal
    if missing <= 0:
        return 0
    return 1 if missing == 1 and by_move else min(missing + 1, FAR)


@rule
def _blue_missing(cfg: Any, s: Any, o: Any, kind: int, source: int, target: int, cards: int) -> int:
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
        if best > 1 and abs(need) <= cfg.value[cfg.kinds - 1]:
            wanted = FIRST_VALUE_KIND
            while cfg.value[wanted] < abs(need):
                wanted += 1
            if cfg.value[wanted] == need:
                best = min(best, _blue_missing_one(cfg, s, o, wanted, dimension, kind, source, target))
            elif cfg.value[wanted] == -need and s.table[dimension, wanted] > 0:
                best = 1
    return best


@rule
def _blue_missing_one(
    cfg: Any, s: Any, o: Any, wanted: int, dimension: int, kind: int, source: int, target: int
) -> int:
    """How far blue is when a card of the wanted kind in a Dimension would win."""
    used = 1 if wanted == kind else 0
    held = int(s.hand[s.player, wanted])
    if o.me == BLUE and held > (used if source == AWAY else 0):
        return 1
    unseen = int(cfg.copies[wanted]) - held - int(s.hole[wanted])
    for other in range(cfg.players):
        lying = int(s.table[other, wanted])
        unseen -= lying
        if other != dimension and lying > (used if target == dimension else 0):
            return 1
    return 2 if unseen > 0 else 3


# Phase 1: battle


@rule
def _choose_battle(cfg: Any, s: Any, o: Any, legal: Any, n: int) -> int:
    """The card with the best expected result, if the others play what they may hold at random."""
    unseen = 0
    total = 1
    for colour in range(FACTIONS):
        left = _unseen(cfg, s, o, colour)
        unseen |= left << 8 * colour
        total += left
    share = ONE // total
    others = int(cfg.players) - 1
    best = -WIN * ONE
    choice = 0
    for i in range(n):
        kind = int(legal.ids[i])
        colour = int(cfg.colour[kind])
        prey = _byte(o.prey, colour)
        hunter = _hunter(o, colour)
        unbeaten = ONE - share * _byte(unseen, hunter)
        wins = _power(unbeaten, others) - _power(unbeaten - share * _byte(unseen, prey), others)
        won = _chance(cfg, s, o, colour, kind, AWAY, s.player, 1)
        lost = o.now
        if colour == o.me:
            kept = _kept(cfg, s, o) * o.card >> 4
            won -= kept
            lost = _chance(cfg, s, o, colour, kind, AWAY, AWAY, 1) - kept
        score = wins * won + (ONE - wins) * lost
        if s.owner[prey] != NOBODY:
            score -= _landings(o, unseen, share, others, prey, False) * _landing_gain(o, prey)
        if s.owner[hunter] != NOBODY:
            score += _landings(o, unseen, share, others, hunter, True) * _landing_gain(o, hunter)
        if score > best:
            best = score
            choice = kind
    return choice


@rule
def _hunter(o: Any, colour: int) -> int:
    """The colour that beats this one: in a cycle of five, the fourth from here."""
    return _byte(o.prey, _byte(o.prey, _byte(o.prey, _byte(o.prey, colour))))


@rule
def _unseen(cfg: Any, s: Any, o: Any, colour: int) -> int:
    """Cards of a colour that may be in other hands (the deck and cards made Auras included)."""
    left = int(cfg.copies[RED]) - _byte(o.count, colour) - int(s.hole[colour]) - int(s.hand[s.player, colour])
    if colour == RED:
        left += 1 if s.captain_at >= 0 else 0
    elif colour == PURPLE:
        left += int(s.auras)
    elif colour == BLUE:
        for kind in range(FIRST_VALUE_KIND, cfg.kinds):
            left -= int(s.hole[kind]) + int(s.hand[s.player, kind])
    return left


@rule
def _landings(o: Any, unseen: int, share: int, others: int, colour: int, fed: bool) -> int:
    """How many cards of a colour the others land on average; if fed, how many more when its prey is there anyway."""
    unbeaten = ONE - share * _byte(unseen, _hunter(o, colour))
    unfed = _power(unbeaten - share * _byte(unseen, _byte(o.prey, colour)), others - 1)
    return others * share * _byte(unseen, colour) * (unfed if fed else _power(unbeaten, others - 1) - unfed) >> 16


@rule
def _landing_gain(o: Any, colour: int) -> int:
    """What it is worth to the player that another's battle card of a colour wins."""
    if colour == o.me:
        return o.card
    return _together(_goal(o, o.me), o.ahead * _ahead_of(o, colour, -1) // _ahead_of(o, colour, 0)) - o.now


@rule
def _power(base: int, n: int) -> int:
    result = base
    for _ in range(n - 1):
        result = result * base >> 16
    return result


@rule
def _kept(cfg: Any, s: Any, o: Any) -> int:
    """How much of the worth of an own card on the table one in the hand has, in 1/16."""
    if s.final == 1 and s.active != s.player:
        return 0
    held = int(s.hand[s.player, o.me])
    if o.me == BLUE:
        for kind in range(FIRST_VALUE_KIND, cfg.kinds):
            held += int(s.hand[s.player, kind])
    return KEEP_ONLY if held == 1 else KEEP


# Phases 2 and 3: reinforce, move or anomaly


@rule
def _score_transfer(cfg: Any, s: Any, o: Any, losses: Any, rest: int, action: int) -> int:
    """The chance to win after a reinforcement or a move, with the best attack to follow."""
    if action in (act.STAY, act.SKIP):
        return o.now + rest + 1
    kind = RED
    source = AWAY
    bonus = 0
    if action < act.PUT_CAPTAIN:
        kind = (action - act.PUT) // act.PLAYERS
        target = (action - act.PUT) % act.PLAYERS
    elif action < act.SKIP:
        target = action - act.PUT_CAPTAIN
        bonus = CAPTAIN * o.card >> 4
    elif action < act.MOVE_CAPTAIN:
        source = (action - act.MOVE) // (act.PLAYERS * act.KINDS)
        kind = (action - act.MOVE) // act.PLAYERS % act.KINDS
        target = (action - act.MOVE) % act.PLAYERS
        if target != s.player and not _has_goal(cfg, s, int(cfg.colour[kind])):
            return o.now
    else:
        source = int(s.captain_at)
        target = action - act.MOVE_CAPTAIN
    colour = int(cfg.colour[kind])
    score = _chance(cfg, s, o, colour, kind, source, target, 1) + bonus
    if source == AWAY and s.owner[colour] == target:
        score += HOME * (o.card if colour == o.me else -losses[colour]) >> 4
    if target == s.player:
        return score + _best_attack(s, o, losses, colour, 1)
    if source == s.player:
        return score + (_best_attack(s, o, losses, colour, -1) if score > o.now else 0)
    return score + rest


@rule
def _score_anomaly(cfg: Any, s: Any, o: Any, losses: Any, rest: int, action: int, params: Any) -> int:
    """The chance to win after an anomaly, with the best attack to follow; a little less, for it could be kept."""
    less = RESERVE * o.card >> 4
    if action < act.TUNNEL:
        one, other = pair_of(action - act.ENTANGLE)
        swapped = _outlook(cfg, s, one, other, 0, params)
        return swapped.now + _best_attack(s, swapped, losses, RED, 0) - less
    if action == act.LOOP:
        return o.now + rest + ((TURN * o.card >> 4) if s.final == 0 else 0) - less
    if action == act.BANG:
        pile = 0
        for kind in range(cfg.kinds):
            pile += int(s.hole[kind])
        return _outlook(cfg, s, 0, 0, pile, params).now + rest - less
    target = AWAY
    if action < act.SWALLOW:
        source = (action - act.TUNNEL) // (act.PLAYERS * FACTIONS)
        colour = (action - act.TUNNEL) // act.PLAYERS % FACTIONS
        target = (action - act.TUNNEL) % act.PLAYERS
    else:
        source = (action - act.SWALLOW) // act.TARGETS
        colour = (action - act.SWALLOW) % act.TARGETS
        if colour == AURA:
            return _chance(cfg, s, o, PURPLE, PURPLE, source, AWAY, int(s.aura[source])) + rest - less
    cards = int(s.squad[source, colour])
    change = (cards if target == s.player else 0) - (cards if source == s.player else 0)
    score = _chance(cfg, s, o, colour, WHOLE_SQUAD, source, target, cards)
    return score + _best_attack(s, o, losses, colour, change) - less


# Phase 4: attack


@rule
def _losses(cfg: Any, s: Any, o: Any) -> Any:
    """What it is worth to the player that each colour loses a card in the own Dimension, and that an Aura is made."""
    aura = 0
    if cfg.epic == 1:
        aura = _chance(cfg, s, o, PURPLE, PURPLE, AWAY, s.player, 1) - o.now
    red = _loss(cfg, s, o, RED)
    green = _loss(cfg, s, o, GREEN)
    yellow = _loss(cfg, s, o, YELLOW)
    blue = _loss(cfg, s, o, BLUE)
    return red, green, yellow, blue, _loss(cfg, s, o, PURPLE), aura


@rule
def _loss(cfg: Any, s: Any, o: Any, colour: int) -> int:
    if colour == o.me:
        return -WIN
    if s.squad[s.player, colour] == 0 or colour != BLUE or cfg.epic == 0:
        return _chance(cfg, s, o, colour, colour, s.player, AWAY, 1) - o.now
    total = 0
    for kind in range(FIRST_VALUE_KIND, cfg.kinds):
        if s.table[s.player, kind] > 0:
            after = _chance(cfg, s, o, BLUE, kind, s.player, AWAY, 1)
            total += int(s.table[s.player, kind]) * (after - o.now)
    return total // int(s.squad[s.player, BLUE])


@rule
def _best_attack(s: Any, o: Any, losses: Any, colour: int, change: int) -> int:
    """The gain of the best attack in the own Dimension once a squad there has changed so.

    Before the own move, a victim may also be moved in from elsewhere.
    """
    best = 0
    for target in range(FACTIONS):
        if losses[target] + max(losses[AURA], 0) > best:
            more = change if target == colour else 0
            size = strength(s, s.player, target) + more
            cards = s.squad[s.player, target] + more
            if cards == 0 and s.phase == REINFORCE and _byte(o.count, target) > size:
                cards = 1
                size += 1
            if cards > 0:
                for attacker in range(FACTIONS):
                    gain = losses[target] + (losses[AURA] if attacker == PURPLE else 0)
                    if gain > best and attacker != target:
                        mine = strength(s, s.player, attacker) + (change if attacker == colour else 0)
                        if mine > size or (mine > 0 and _byte(o.prey, attacker) == target):
                            best = gain
    return best


@rule
def _score_attack(o: Any, losses: Any, action: int) -> int:
    """The gain of an attack; never on the own colour."""
    if action == act.HOLD:
        return 1
    attacker = (action - act.STRIKE) // act.TARGETS
    target = (action - act.STRIKE) % act.TARGETS
    if target == AURA:
        return -losses[AURA]
    return losses[target] + (losses[AURA] if attacker == PURPLE else 0)
