"""The agents `tactical` and `strategic`: one step of lookahead with an estimated chance to win.

The estimate is in `estimate.py`. Every action but a few anomalies is a transfer of cards of one colour from
one place to another. The two have different habits: what they think cards in the hand are worth. `strategic` fights
battles with its next reinforcement in mind: it keeps its own colour for it, and spends what it would have to give to a
rival there. The more players there are, the fewer turns of its own are to come, and the less it keeps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from playmill.author import below, lowest_bit, rare, rule
from playmill.games.dimensions import actions as act
from playmill.games.dimensions.actions import (
    AURA,
    BLUE,
    FACTIONS,
    FIRST_VALUE_KIND,
    GREEN,
    KINDS,
    PLAYERS,
    PURPLE,
    RED,
    TARGETS,
    YELLOW,
    divided,
    pair_of,
)
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
    swapped,
    together,
)
from playmill.games.dimensions.constants import ATTACK, BATTLE, NOBODY, REINFORCE
from playmill.games.dimensions.rules.options import has_captain

#: The habits of `strategic`; every player at the table makes one of several own cards worth less to keep.
_KEEP_LAST = 20
_KEEP_ALONE, _KEEP_LESS = 28, 4
_COMING, _LATER = 32, 10
#: In a byte for each attacker: 1, and the bit that no size reaches.
_ONE, _TOP = 0x0101010101, 0x8080808080
_PURPLE_WINS = 128 << 8 * PURPLE
#: Among the kinds of cards that may be lost: none is, but an Aura is made.
_AURA_MADE = KINDS


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
    o = outlook(cfg, s, 0)
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
        else:
            score = _score(cfg, s, o, losses, rest, action, habits.reserve)
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
        for kind in range(FIRST_VALUE_KIND, cfg.kinds):
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
        for kind in range(FIRST_VALUE_KIND, cfg.kinds):
            held += s.hand[s.player, kind]
    return habits.keep_only if held == 1 else habits.keep


# Phases 2 and 3: reinforce, move or anomaly


class Transfer(NamedTuple):
    """What an action does to the table: cards of one colour go from one place to another."""

    colour: int
    kind: int  # of the card, or a whole squad
    source: int
    target: int
    cards: int


@rule
def _score(cfg: Any, s: Any, o: Any, losses: Any, rest: int, action: int, reserve: int) -> int:
    """The chance to win after a reinforcement, a move or an anomaly, with the best attack to follow.

    After an anomaly it is a little less, for it could be kept.
    """
    if action in (act.STAY, act.SKIP):
        return o.now + rest + 1
    is_anomaly = action >= act.ENTANGLE
    less = reserve * o.card >> 4 if is_anomaly else 0
    if act.ENTANGLE <= action < act.TUNNEL or action >= act.BANG:
        return _score_without_transfer(cfg, s, o, losses, rest, action) - less
    t = _transfer(cfg, s, action)
    aimless = goal_of(o, t.colour) == 0 and (t.colour != o.me or not has_goal(cfg, s, t.colour))
    if aimless and not is_anomaly and t.source != AWAY and t.target != s.player:
        return o.now
    score = chance(cfg, s, o, t.colour, t.kind, t.source, t.target, t.cards)
    of_auras = action >= act.SWALLOW and t.kind != WHOLE_SQUAD
    if score == WIN and not of_auras:
        return 2 * WIN
    if act.PUT_CAPTAIN <= action < act.SKIP:
        score += CAPTAIN * o.card >> 4
    if t.source == AWAY and s.owner[t.colour] == t.target:
        score += HOME * (o.card if t.colour == o.me else -losses[t.colour]) >> 4
    change = (t.cards if t.target == s.player else 0) - (t.cards if t.source == s.player else 0)
    if change == 0 or of_auras:
        return score + rest - less
    if change < 0 and score <= o.now and not is_anomaly:
        return score
    return score + _best_attack(s, o, losses, t.colour, change) - less


@rule
def _transfer(cfg: Any, s: Any, action: int) -> Any:
    """The transfer that a reinforcement, a move, a Wormhole or a Black Hole is."""
    first, kinds, targets = act.PUT, KINDS, PLAYERS
    if action >= act.SWALLOW:
        first, kinds, targets = act.SWALLOW, FACTIONS, TARGETS
    elif action >= act.TUNNEL:
        first, kinds = act.TUNNEL, FACTIONS
    elif action >= act.MOVE_CAPTAIN:
        first = act.MOVE_CAPTAIN
    elif action >= act.MOVE:
        first = act.MOVE
    elif action >= act.PUT_CAPTAIN:
        first = act.PUT_CAPTAIN
    number = divided(action - first, targets)
    target = action - first - number * targets
    source = divided(number, kinds)
    kind = number - source * kinds
    if action >= act.SWALLOW:
        source, kind, target = number, target, AWAY
    elif act.MOVE_CAPTAIN <= action < act.TUNNEL:
        source = s.captain_at
    elif action < act.MOVE:
        source = AWAY
    colour, cards = kind, 1
    if action < act.TUNNEL:
        colour = cfg.colour[kind]
    elif kind == AURA:
        colour, kind, cards = PURPLE, PURPLE, s.aura[source]
    else:
        kind, cards = WHOLE_SQUAD, s.squad[source, colour]
    return Transfer(colour, kind, source, target, cards)


@rare
def _score_without_transfer(cfg: Any, s: Any, o: Any, losses: Any, rest: int, action: int) -> int:
    """The chance to win after an Entanglement, a Big Bang or a Time Loop, with the best attack to follow."""
    if action < act.TUNNEL:
        one, other = pair_of(action - act.ENTANGLE)
        after = swapped(s, o, one, other)
        return after.now + _best_attack(s, after, losses, RED, 0)
    if action == act.LOOP:
        return o.now + rest + (TURN * o.card >> 4 if s.final == 0 else 0)
    pile = 0
    for kind in range(cfg.kinds):
        pile += s.hole[kind]
    return outlook(cfg, s, pile).now + rest


# Phase 4: attack


@rule
def _losses(cfg: Any, s: Any, o: Any) -> Any:
    """What it is worth to the player that each colour loses a card in the own Dimension, and that an Aura is made.

    Of a blue squad in Epic it is any of its cards.
    """
    blues = 0
    kinds = (1 << FACTIONS) - 1 & ~(1 << o.me)
    if cfg.epic == 1:
        blues = s.squad[s.player, BLUE]
        if blues > 0 and o.me != BLUE:
            kinds = kinds & ~(1 << BLUE) | s.table_kinds[s.player] >> FIRST_VALUE_KIND << FIRST_VALUE_KIND
        kinds |= 1 << _AURA_MADE
    red, green, yellow, blue, purple, aura = 0, 0, 0, 0, 0, 0
    while kinds != 0:
        kind = lowest_bit(kinds)
        kinds &= kinds - 1
        made = kind == _AURA_MADE
        colour = PURPLE if made else cfg.colour[kind]
        source, target = (AWAY, s.player) if made else (s.player, AWAY)
        gain = chance(cfg, s, o, colour, PURPLE if made else kind, source, target, 1) - o.now
        red += gain if kind == RED else 0
        green += gain if kind == GREEN else 0
        yellow += gain if kind == YELLOW else 0
        if colour == BLUE:
            blue += gain * s.table[s.player, kind] if kind >= FIRST_VALUE_KIND else gain
        purple += gain if kind == PURPLE else 0
        aura += gain if made else 0
    if blues > 0:
        blue //= blues
    return (
        -WIN if o.me == RED else red,
        -WIN if o.me == GREEN else green,
        -WIN if o.me == YELLOW else yellow,
        -WIN if o.me == BLUE else blue,
        -WIN if o.me == PURPLE else purple,
        aura,
    )


@rule
def _best_attack(s: Any, o: Any, losses: Any, colour: int, change: int) -> int:
    """The gain of the best attack in the own Dimension once a squad there has changed so.

    Before the own move, a victim may also be moved in from elsewhere. All attackers are compared with a target at once.
    """
    best = 0
    sizes = o.own + (change << 8 * colour)
    captain = 1 if s.captain_at == s.player else 0
    for target in range(FACTIONS):
        size = byte(sizes, target)
        cards = size - (captain if target == RED else 0)
        if cards == 0 and s.phase == REINFORCE and byte(o.counts, target) > size:
            cards = 1
            size += 1
        hunter = 8 * byte(o.hunter, target)
        winning = (sizes | _TOP) - (size + 1) * _ONE
        if sizes >> hunter & 255 > 0:
            winning |= 128 << hunter
        winning &= _TOP & ~(128 << 8 * target)
        if cards > 0 and winning != 0:
            if winning != _PURPLE_WINS:
                best = max(best, losses[target])
            if winning & _PURPLE_WINS != 0:
                best = max(best, losses[target] + losses[AURA])
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
