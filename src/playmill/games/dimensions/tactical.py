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
from playmill.games.dimensions.actions import AURA, BLUE, FACTIONS, GREEN, PURPLE, RED, YELLOW, pair_of
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
#: The chance of the own or a rival's instant win by what it takes: nothing, a move, a card of the own hand, a card from
#: elsewhere, two, three, more.
HOPE = np.array([ONE, 30000, 30000, 10000, 9000, 3000, 0], np.int64)
FEAR = np.array([ONE, 45000, 45000, 12000, 4000, 0, 0], np.int64)
BY_MOVE, BY_HAND, BY_CARD = 1, 2, 3
FAR = 6
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
    hunter: int  # who beats each faction
    counts: int  # the cards of each faction
    green: int  # the chances of the instant wins
    yellow: int
    blue: int
    ahead: int  # the chance to win if it is not by the own instant win
    further: int  # the same with one more own card on the table
    now: int  # the chance to win
    card: int  # what one more own card on the table adds to it


@rule
def tactical(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Takes the action after which its own chance to win looks best; equal ones by lot."""
    o = _outlook(cfg, s, 0, 0, 0)
    if s.phase == BATTLE:
        return _choose_battle(cfg, s, o, legal, n)
    losses = _losses(cfg, s, o)
    rest = 0 if s.phase == ATTACK else _best_attack(s, o, losses, RED, 0)
    best = -WIN
    choice = 0
    equal = 0
    for i in range(n):
        action = legal.ids[i]
        if s.phase == ATTACK:
            score = _score_attack(o, losses, action)
        elif action >= act.ENTANGLE:
            score = _score_anomaly(cfg, s, o, losses, rest, action)
        else:
            score = _score_transfer(cfg, s, o, losses, rest, action)
        if score > best:
            best = score
            choice = action
            equal = 1
        elif score == best:
            equal += 1
            if below(rng, s.player, equal) == 0:
                choice = action
    return choice


# The estimate


@rule
def _outlook(cfg: Any, s: Any, one: int, other: int, cards: int) -> Any:
    """The outlook with two factions swapped in the Spiral and so many cards back in the deck."""
    me = s.faction[s.player]
    turns = 0
    if s.final == 0 or cards > 0:
        turns = (s.deck_size + cards) // (cfg.players + 1) + 1
    prey = 0
    hunter = 0
    counts = 0
    for faction in range(FACTIONS):
        victim = _swapped(s.prey[_swapped(faction, one, other)], one, other)
        prey |= victim << 8 * faction
        hunter |= faction << 8 * victim
        counts |= faction_count(cfg, s, faction) << 8 * faction
    slope = 4096 * 8 // (SPREAD + SPREAD_PER_TURN * turns)
    o = Outlook(me, turns, slope, prey, hunter, counts, 0, 0, 0, 0, 0, 0, 0)
    green = _goal_chance(cfg, s, o, GREEN, GREEN, AWAY, AWAY, 0)
    yellow = _goal_chance(cfg, s, o, YELLOW, YELLOW, AWAY, AWAY, 0)
    blue = _goal_chance(cfg, s, o, BLUE, BLUE, AWAY, AWAY, 0)
    o = Outlook(me, turns, slope, prey, hunter, counts, green, yellow, blue, 0, 0, 0, 0)
    ahead = _ahead_of_all(s, o, 0)
    further = _ahead_of_all(s, o, 1)
    now = _together(_goal(o, me), ahead)
    card = _together(_goal(o, me), further) - now
    return Outlook(me, turns, slope, prey, hunter, counts, green, yellow, blue, ahead, further, now, card)


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
    lead = 2 * (_byte(o.counts, o.me) - _byte(o.counts, rival) + more)
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
        return _together(goal, o.further if more == 1 else _ahead_of_all(s, o, more))
    ahead = o.ahead * _ahead_of(o, colour, -more) // _ahead_of(o, colour, 0)
    if goal != was:
        ahead = ahead * (ONE - goal) // max(ONE - was, 1)
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
        if missing == BY_CARD and colour == o.me and s.hand[s.player, colour] > (cards if source == AWAY else 0):
            missing = BY_HAND
    if missing == 0:
        return ONE
    if colour == o.me and s.active == s.player and missing + s.phase <= MOVEMENT:
        return ONE - 1
    if o.turns == 0:
        return 0
    chance = HOPE[missing] if colour == o.me else FEAR[missing]
    return chance * min(o.turns, cfg.players) // cfg.players


@rule
def _has_goal(cfg: Any, s: Any, colour: int) -> bool:
    """Whether a colour can win at once in this game."""
    return cfg.epic == 1 and s.owner[colour] != NOBODY and GREEN <= colour <= BLUE


@rule
def _squads_missing(cfg: Any, s: Any, colour: int, source: int, target: int, cards: int) -> int:
    """What green or yellow takes to win at once (see `HOPE`), hands aside."""
    most = 0
    total = 0
    covered = 0
    for dimension in range(cfg.players):
        size = s.squad[dimension, colour]
        size += (cards if dimension == target else 0) - (cards if dimension == source else 0)
        most = max(most, size)
        total += size
        covered += 1 if size > 0 else 0
    if colour == GREEN:
        missing = cfg.green_goal - most
        by_move = total > most
    else:
        missing = max(cfg.yellow_goal - total, cfg.players - covered)
        by_move = total > covered and total >= cfg.yellow_goal
    if missing <= 0:
        return 0
    return BY_MOVE if missing == 1 and by_move else min(missing + BY_CARD - 1, FAR)


@rule
def _blue_missing(cfg: Any, s: Any, o: Any, kind: int, source: int, target: int, cards: int) -> int:
    """What blue takes to win at once (see `HOPE`); more than one card counts as two."""
    value = 0
    if cards > 0:
        value = s.blue_sum[source] if kind == WHOLE_SQUAD else cfg.value[kind]
    best = BY_CARD + 1
    for dimension in range(cfg.players):
        need = cfg.blue_goal - s.blue_sum[dimension]
        need += (value if dimension == source else 0) - (value if dimension == target else 0)
        if need == 0:
            return 0
        if best > BY_MOVE and abs(need) <= cfg.value[cfg.kinds - 1]:
            wanted = act.FIRST_VALUE_KIND
            while cfg.value[wanted] < abs(need):
                wanted += 1
            if cfg.value[wanted] == need:
                best = min(best, _blue_missing_one(cfg, s, o, wanted, dimension, kind, source, target))
            elif cfg.value[wanted] == -need and s.table[dimension, wanted] > 0:
                best = BY_MOVE
    return best


@rule
def _blue_missing_one(
    cfg: Any, s: Any, o: Any, wanted: int, dimension: int, kind: int, source: int, target: int
) -> int:
    """What blue takes to win at once where a card of the wanted kind would do it."""
    used = 1 if wanted == kind else 0
    held = s.hand[s.player, wanted]
    unseen = cfg.copies[wanted] - held - s.hole[wanted]
    for other in range(cfg.players):
        lying = s.table[other, wanted]
        unseen -= lying
        if other != dimension and lying > (used if target == dimension else 0):
            return BY_MOVE
    if o.me == BLUE and held > (used if source == AWAY else 0):
        return BY_HAND
    return BY_CARD if unseen > 0 else BY_CARD + 1


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
    others = cfg.players - 1
    best = -WIN * ONE
    choice = 0
    for i in range(n):
        kind = legal.ids[i]
        colour = cfg.colour[kind]
        prey = _byte(o.prey, colour)
        hunter = _byte(o.hunter, colour)
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
def _unseen(cfg: Any, s: Any, o: Any, colour: int) -> int:
    """Cards of a colour that may be in other hands (the deck and cards made Auras included)."""
    left = cfg.copies[RED] - _byte(o.counts, colour) - s.hole[colour] - s.hand[s.player, colour]
    if colour == RED:
        left += 1 if s.captain_at >= 0 else 0
    elif colour == PURPLE:
        left += s.auras
    elif colour == BLUE:
        for kind in range(act.FIRST_VALUE_KIND, cfg.kinds):
            left -= s.hole[kind] + s.hand[s.player, kind]
    return left


@rule
def _landings(o: Any, unseen: int, share: int, others: int, colour: int, fed: bool) -> int:
    """How many cards of a colour the others land on average; if fed, how many more when its prey is there anyway."""
    unbeaten = ONE - share * _byte(unseen, _byte(o.hunter, colour))
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
    held = s.hand[s.player, o.me]
    if o.me == BLUE:
        for kind in range(act.FIRST_VALUE_KIND, cfg.kinds):
            held += s.hand[s.player, kind]
    return KEEP_ONLY if held == 1 else KEEP


# Phases 2 and 3: reinforce, move or anomaly


@rule
def _score_transfer(cfg: Any, s: Any, o: Any, losses: Any, rest: int, action: int) -> int:
    """The chance to win after a reinforcement or a move, with the best attack to follow."""
    if action in (act.STAY, act.SKIP):
        return o.now + rest + 1
    kind = RED
    source = AWAY
    if action < act.PUT_CAPTAIN:
        kind = (action - act.PUT) // act.PLAYERS
        target = (action - act.PUT) % act.PLAYERS
    elif action < act.SKIP:
        target = action - act.PUT_CAPTAIN
    elif action < act.MOVE_CAPTAIN:
        source = (action - act.MOVE) // (act.PLAYERS * act.KINDS)
        kind = (action - act.MOVE) // act.PLAYERS % act.KINDS
        target = (action - act.MOVE) % act.PLAYERS
    else:
        source = s.captain_at
        target = action - act.MOVE_CAPTAIN
    colour = cfg.colour[kind]
    aimless = _goal(o, colour) == 0 and (colour != o.me or not _has_goal(cfg, s, colour))
    if aimless and source != AWAY and target != s.player:
        return o.now
    score = _chance(cfg, s, o, colour, kind, source, target, 1)
    if score == WIN:
        return 2 * WIN
    if act.PUT_CAPTAIN <= action < act.SKIP:
        score += CAPTAIN * o.card >> 4
    if source == AWAY and s.owner[colour] == target:
        score += HOME * (o.card if colour == o.me else -losses[colour]) >> 4
    if target == s.player:
        return score + _best_attack(s, o, losses, colour, 1)
    if source == s.player:
        return score + (_best_attack(s, o, losses, colour, -1) if score > o.now else 0)
    return score + rest


@rule
def _score_anomaly(cfg: Any, s: Any, o: Any, losses: Any, rest: int, action: int) -> int:
    """The chance to win after an anomaly, with the best attack to follow; a little less, for it could be kept."""
    less = RESERVE * o.card >> 4
    if action < act.TUNNEL:
        one, other = pair_of(action - act.ENTANGLE)
        swapped = _outlook(cfg, s, one, other, 0)
        return swapped.now + _best_attack(s, swapped, losses, RED, 0) - less
    if action == act.LOOP:
        return o.now + rest + ((TURN * o.card >> 4) if s.final == 0 else 0) - less
    if action == act.BANG:
        pile = 0
        for kind in range(cfg.kinds):
            pile += s.hole[kind]
        return _outlook(cfg, s, 0, 0, pile).now + rest - less
    target = AWAY
    if action < act.SWALLOW:
        source = (action - act.TUNNEL) // (act.PLAYERS * FACTIONS)
        colour = (action - act.TUNNEL) // act.PLAYERS % FACTIONS
        target = (action - act.TUNNEL) % act.PLAYERS
    else:
        source = (action - act.SWALLOW) // act.TARGETS
        colour = (action - act.SWALLOW) % act.TARGETS
        if colour == AURA:
            return _chance(cfg, s, o, PURPLE, PURPLE, source, AWAY, s.aura[source]) + rest - less
    cards = s.squad[source, colour]
    change = (cards if target == s.player else 0) - (cards if source == s.player else 0)
    score = _chance(cfg, s, o, colour, WHOLE_SQUAD, source, target, cards)
    if score == WIN:
        return 2 * WIN
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
    for kind in range(act.FIRST_VALUE_KIND, cfg.kinds):
        if s.table[s.player, kind] > 0:
            after = _chance(cfg, s, o, BLUE, kind, s.player, AWAY, 1)
            total += s.table[s.player, kind] * (after - o.now)
    return total // s.squad[s.player, BLUE]


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
            if cards == 0 and s.phase == REINFORCE and _byte(o.counts, target) > size:
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
