"""The agents `tactical` and `strategic`: one step of lookahead with an estimated chance to win.

The estimate is in `estimate.py`. Every action but a few anomalies is a transfer of cards of one colour from
one place to another. The two have different habits: what they think cards in the hand are worth. `strategic` fights
battles with its next reinforcement in mind: it keeps its own colour for it, and spends what it would have to give to a
rival there. The more players there are, the fewer turns of its own are to come, and the less it keeps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from playmill.author import below, rule
from playmill.games.dimensions import actions as act
from playmill.games.dimensions.actions import AURA, BLUE, FACTIONS, GREEN, PURPLE, RED, YELLOW, pair_of
from playmill.games.dimensions.agents.estimate import (
    AWAY,
    CAPTAIN,
    HOME,
    KEEP,
    KEEP_ONLY,
    ONE,
    RESERVE,
    TURN,
    WHOLE_SQUAD,
    WIN,
    ahead_of,
    byte,
    chance,
    goal_of,
    has_goal,
    outlook,
    together,
)
from playmill.games.dimensions.constants import ATTACK, BATTLE, NOBODY, REINFORCE
from playmill.games.dimensions.rules.attack import strength
from playmill.games.dimensions.rules.options import has_captain

#: The habits of `strategic`; every player at the table makes one of several own cards worth less to keep.
_KEEP_LAST = 20
_KEEP_ALONE, _KEEP_LESS = 28, 4
_COMING, _LATER = 32, 10


class Habits(NamedTuple):
    """What an agent thinks cards in its hand are worth, in 1/16 of an own card on the table."""

    keep_only: int  # the only own card
    keep: int  # one of several
    coming: int  # the best reinforcement that a battle of the own turn leaves, in 1/16 of what it brings
    later: int  # the same of a battle in another's turn
    reserve: int  # an anomaly


@rule
def tactical(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """Takes the action after which its own chance to win looks best; equal ones by lot."""
    return _best(cfg, s, legal, n, rng, Habits(KEEP_ONLY, KEEP, 0, 0, RESERVE))


@rule
def strategic(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    """The same, and in battles it thinks of the hand that is left for the next reinforcement."""
    keep = max(_KEEP_ALONE - _KEEP_LESS * cfg.players, 0)
    return _best(cfg, s, legal, n, rng, Habits(_KEEP_LAST, keep, _COMING, _LATER, 0))


@rule
def _best(cfg: Any, s: Any, legal: Any, n: int, rng: Any, habits: Any) -> int:
    """The action after which the own chance to win looks best; equal ones by lot."""
    o = outlook(cfg, s, 0, 0, 0)
    if s.phase == BATTLE:
        return _choose_battle(cfg, s, o, legal, n, habits)
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
            score = _score_anomaly(cfg, s, o, losses, rest, action, habits.reserve)
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


# Phase 1: battle


@rule
def _choose_battle(cfg: Any, s: Any, o: Any, legal: Any, n: int, habits: Any) -> int:
    """The card with the best expected result, if the others play what they may hold at random."""
    unseen = 0
    total = 1
    for colour in range(FACTIONS):
        left = _unseen(cfg, s, o, colour)
        unseen |= left << 8 * colour
        total += left
    share = ONE // total
    others = cfg.players - 1
    coming = habits.coming if s.active == s.player else habits.later
    best = -WIN * ONE
    choice = 0
    for i in range(n):
        kind = legal.ids[i]
        colour = cfg.colour[kind]
        prey = byte(o.prey, colour)
        hunter = byte(o.hunter, colour)
        unbeaten = ONE - share * byte(unseen, hunter)
        wins = _power(unbeaten, others) - _power(unbeaten - share * byte(unseen, prey), others)
        won = chance(cfg, s, o, colour, kind, AWAY, s.player, 1)
        lost = o.now
        if colour == o.me:
            kept = _kept(cfg, s, o, habits) * o.card >> 4
            won -= kept
            lost = chance(cfg, s, o, colour, kind, AWAY, AWAY, 1) - kept
        score = wins * won + (ONE - wins) * lost
        if s.owner[prey] != NOBODY:
            score -= _landings(o, unseen, share, others, prey, False) * _landing_gain(o, prey)
        if s.owner[hunter] != NOBODY:
            score += _landings(o, unseen, share, others, hunter, True) * _landing_gain(o, hunter)
        if coming > 0:
            score += (coming * _next_reinforcement(cfg, s, o, kind) >> 4) * ONE
        if score > best:
            best = score
            choice = kind
    return choice


@rule
def _next_reinforcement(cfg: Any, s: Any, o: Any, played: int) -> int:
    """What the best reinforcement is worth that the hand allows once a card of it is played; it has to be made."""
    if s.final == 1 and s.active != s.player:
        return 0
    best = -WIN
    for kind in range(cfg.kinds):
        if s.hand[s.player, kind] > (1 if kind == played else 0):
            colour = cfg.colour[kind]
            if colour == o.me:
                best = max(best, o.card)
            else:
                best = max(best, 0 if s.owner[colour] == NOBODY else _landing_gain(o, colour))
    if has_captain(s, s.player):
        best = max(best, o.card)
    return best if best > -WIN else 0


@rule
def _unseen(cfg: Any, s: Any, o: Any, colour: int) -> int:
    """Cards of a colour that may be in other hands (the deck and cards made Auras included)."""
    left = cfg.copies[RED] - byte(o.counts, colour) - s.hole[colour] - s.hand[s.player, colour]
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
    unbeaten = ONE - share * byte(unseen, byte(o.hunter, colour))
    unfed = _power(unbeaten - share * byte(unseen, byte(o.prey, colour)), others - 1)
    return others * share * byte(unseen, colour) * (unfed if fed else _power(unbeaten, others - 1) - unfed) >> 16


@rule
def _landing_gain(o: Any, colour: int) -> int:
    """What it is worth to the player that another's battle card of a colour wins."""
    if colour == o.me:
        return o.card
    return together(goal_of(o, o.me), o.ahead * ahead_of(o, colour, -1) // ahead_of(o, colour, 0)) - o.now


@rule
def _power(base: int, n: int) -> int:
    result = base
    for _ in range(n - 1):
        result = result * base >> 16
    return result


@rule
def _kept(cfg: Any, s: Any, o: Any, habits: Any) -> int:
    """How much of the worth of an own card on the table one in the hand has, in 1/16."""
    if s.final == 1 and s.active != s.player:
        return 0
    held = s.hand[s.player, o.me]
    if o.me == BLUE:
        for kind in range(act.FIRST_VALUE_KIND, cfg.kinds):
            held += s.hand[s.player, kind]
    return habits.keep_only if held == 1 else habits.keep


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
    aimless = goal_of(o, colour) == 0 and (colour != o.me or not has_goal(cfg, s, colour))
    if aimless and source != AWAY and target != s.player:
        return o.now
    score = chance(cfg, s, o, colour, kind, source, target, 1)
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
def _score_anomaly(cfg: Any, s: Any, o: Any, losses: Any, rest: int, action: int, reserve: int) -> int:
    """The chance to win after an anomaly, with the best attack to follow; a little less, for it could be kept."""
    less = reserve * o.card >> 4
    if action < act.TUNNEL:
        one, other = pair_of(action - act.ENTANGLE)
        swapped = outlook(cfg, s, one, other, 0)
        return swapped.now + _best_attack(s, swapped, losses, RED, 0) - less
    if action == act.LOOP:
        return o.now + rest + ((TURN * o.card >> 4) if s.final == 0 else 0) - less
    if action == act.BANG:
        pile = 0
        for kind in range(cfg.kinds):
            pile += s.hole[kind]
        return outlook(cfg, s, 0, 0, pile).now + rest - less
    target = AWAY
    if action < act.SWALLOW:
        source = (action - act.TUNNEL) // (act.PLAYERS * FACTIONS)
        colour = (action - act.TUNNEL) // act.PLAYERS % FACTIONS
        target = (action - act.TUNNEL) % act.PLAYERS
    else:
        source = (action - act.SWALLOW) // act.TARGETS
        colour = (action - act.SWALLOW) % act.TARGETS
        if colour == AURA:
            return chance(cfg, s, o, PURPLE, PURPLE, source, AWAY, s.aura[source]) + rest - less
    cards = s.squad[source, colour]
    change = (cards if target == s.player else 0) - (cards if source == s.player else 0)
    score = chance(cfg, s, o, colour, WHOLE_SQUAD, source, target, cards)
    if score == WIN:
        return 2 * WIN
    return score + _best_attack(s, o, losses, colour, change) - less


# Phase 4: attack


@rule
def _losses(cfg: Any, s: Any, o: Any) -> Any:
    """What it is worth to the player that each colour loses a card in the own Dimension, and that an Aura is made."""
    aura = 0
    if cfg.epic == 1:
        aura = chance(cfg, s, o, PURPLE, PURPLE, AWAY, s.player, 1) - o.now
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
        return chance(cfg, s, o, colour, colour, s.player, AWAY, 1) - o.now
    total = 0
    for kind in range(act.FIRST_VALUE_KIND, cfg.kinds):
        if s.table[s.player, kind] > 0:
            after = chance(cfg, s, o, BLUE, kind, s.player, AWAY, 1)
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
            if cards == 0 and s.phase == REINFORCE and byte(o.counts, target) > size:
                cards = 1
                size += 1
            if cards > 0:
                for attacker in range(FACTIONS):
                    gain = losses[target] + (losses[AURA] if attacker == PURPLE else 0)
                    if gain > best and attacker != target:
                        mine = strength(s, s.player, attacker) + (change if attacker == colour else 0)
                        if mine > size or (mine > 0 and byte(o.prey, attacker) == target):
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
