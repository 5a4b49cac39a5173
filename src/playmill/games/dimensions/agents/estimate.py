"""Estimates a chance to win in Battle of Dimensions, for the agents `tactical` and `strategic`.

The estimate after a *transfer* (some cards of one colour go from one place to another, where a place is a Dimension or
`AWAY`, a hand or the Black Hole) is made of two things: how the counts of the factions compare, and how far each
faction is from its instant win. It is all in integers, so that every machine comes to the same choice; what is kept for
each faction or Dimension is packed into one integer, a byte for each.

Whatever the options of a decision are, the same is done for each of them, and in one place of the code: on a GPU they
are looked at by threads that wait for each other wherever they do different things.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from playmill.author import rule
from playmill.games.dimensions import actions as act
from playmill.games.dimensions.actions import BLUE, FACTIONS, GREEN, PLAYERS, YELLOW
from playmill.games.dimensions.constants import MOVEMENT, NOBODY
from playmill.games.dimensions.rules.attack import strength
from playmill.games.dimensions.rules.ending import faction_count

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
#: How much better, in 1/16 of a card's worth, a card lies in its player's own Dimension, where only they can attack it.
HOME = 2
#: Bits of the chance of an instant win where those of several factions are packed into one integer.
_OF_GOAL = 20


class Outlook(NamedTuple):
    """What the player makes of the table before a decision."""

    me: int  # the own faction
    turns: int  # turns to come
    slope: int  # spreads in half a card of lead, in 1/4096
    prey: int  # whom each faction beats
    hunter: int  # who beats each faction
    counts: int  # the cards of each faction
    own: int  # the size of each squad in the own Dimension, the Captain counted
    green: int  # the size of the green squad in each Dimension
    yellow: int  # that of the yellow one
    goals: int  # the chances of the instant wins
    ahead: int  # the chance to win if it is not by the own instant win
    further: int  # the same with one more own card on the table
    now: int  # the chance to win
    card: int  # what one more own card on the table adds to it


@rule
def outlook(cfg: Any, s: Any, cards: int) -> Any:
    """The outlook with so many cards back in the deck."""
    me = s.faction[s.player]
    turns = 0
    if s.final == 0 or cards > 0:
        turns = (s.deck_size + cards) // (cfg.players + 1) + 1
    slope = 4096 * 8 // (SPREAD + SPREAD_PER_TURN * turns)
    prey, hunter, counts, own, green, yellow = 0, 0, 0, 0, 0, 0
    for faction in range(FACTIONS):
        prey |= s.prey[faction] << 8 * faction
        hunter |= faction << 8 * s.prey[faction]
        counts |= faction_count(cfg, s, faction) << 8 * faction
        own |= strength(s, s.player, faction) << 8 * faction
    for dimension in range(PLAYERS):
        green |= s.squad[dimension, GREEN] << 8 * dimension
        yellow |= s.squad[dimension, YELLOW] << 8 * dimension
    o = Outlook(me, turns, slope, prey, hunter, counts, own, green, yellow, 0, 0, 0, 0, 0)
    goals = 0
    for colour in range(GREEN, BLUE + 1):
        goals |= _goal_chance(cfg, s, o, colour, colour, AWAY, AWAY, 0) << _OF_GOAL * (colour - GREEN)
    return _weighed(s, o, prey, hunter, goals)


@rule
def swapped(s: Any, o: Any, one: int, other: int) -> Any:
    """The outlook with two factions swapped in the Spiral."""
    prey, hunter = 0, 0
    for faction in range(FACTIONS):
        victim = _swapped(byte(o.prey, _swapped(faction, one, other)), one, other)
        prey |= victim << 8 * faction
        hunter |= faction << 8 * victim
    return _weighed(s, o, prey, hunter, o.goals)


@rule
def _swapped(faction: int, one: int, other: int) -> int:
    if faction == one:
        return other
    return one if faction == other else faction


@rule
def _weighed(s: Any, o: Any, prey: int, hunter: int, goals: int) -> Any:
    """The outlook with this Spiral and these chances of instant wins."""
    table = o.counts, o.own, o.green, o.yellow
    o = Outlook(o.me, o.turns, o.slope, prey, hunter, *table, goals, 0, 0, 0, 0)
    ahead = _ahead_of_all(s, o, 0)
    further = _ahead_of_all(s, o, 1)
    now = together(goal_of(o, o.me), ahead)
    card = together(goal_of(o, o.me), further) - now
    return Outlook(o.me, o.turns, o.slope, prey, hunter, *table, goals, ahead, further, now, card)


@rule
def byte(packed: int, place: int) -> int:
    return packed >> 8 * place & 255


@rule
def goal_of(o: Any, faction: int) -> int:
    """The chance of the instant win of a faction as the table is."""
    if GREEN <= faction <= BLUE:
        return o.goals >> _OF_GOAL * (faction - GREEN) & (1 << _OF_GOAL) - 1
    return 0


@rule
def ahead_of(o: Any, rival: int, more: int) -> int:
    """The chance to end ahead of a rival with so many more cards of lead."""
    lead = 2 * (byte(o.counts, o.me) - byte(o.counts, rival) + more)
    lead += (1 if byte(o.prey, o.me) == rival else 0) - (1 if byte(o.prey, rival) == o.me else 0)
    return AHEAD[min(max((lead * o.slope >> 8) + 96, 0), 192)]


@rule
def _ahead_of_all(s: Any, o: Any, more: int) -> int:
    """The chance that no rival wins, neither at once nor in the end, with so many own cards more."""
    chance = ONE
    for rival in range(FACTIONS):
        if rival != o.me and s.owner[rival] != NOBODY:
            chance = chance * ahead_of(o, rival, more) * (ONE - goal_of(o, rival)) >> 32
    return chance


@rule
def together(goal: int, ahead: int) -> int:
    """The chance to win at once or in the end."""
    return goal * (WIN // ONE) + ((ONE - goal) * ahead >> 8)


@rule
def chance(cfg: Any, s: Any, o: Any, colour: int, kind: int, source: int, target: int, cards: int) -> int:
    """The own chance to win after a transfer."""
    more = (cards if target >= 0 else 0) - (cards if source >= 0 else 0)
    was = goal_of(o, colour)
    goal = _goal_chance(cfg, s, o, colour, kind, source, target, cards)
    if s.owner[colour] == NOBODY or (more == 0 and goal == was):
        return o.now
    if colour == o.me:
        return together(goal, o.further if more == 1 else _ahead_of_all(s, o, more))
    ahead = o.ahead * ahead_of(o, colour, -more) // ahead_of(o, colour, 0)
    if goal != was:
        ahead = ahead * (ONE - goal) // max(ONE - was, 1)
    return together(goal_of(o, o.me), ahead)


@rule
def _goal_chance(cfg: Any, s: Any, o: Any, colour: int, kind: int, source: int, target: int, cards: int) -> int:
    """The chance that a faction comes to its instant win, after a transfer of its cards."""
    if not has_goal(cfg, s, colour):
        return 0
    if colour == BLUE:
        missing = _blue_missing(cfg, s, o, kind, source, target, cards)
    else:
        missing = _squads_missing(cfg, o, colour, source, target, cards)
        if missing == BY_CARD and colour == o.me and s.hand[s.player, colour] > (cards if source == AWAY else 0):
            missing = BY_HAND
    if missing == 0:
        return ONE
    if colour == o.me and s.active == s.player and missing + s.phase <= MOVEMENT:
        return ONE - 1
    if o.turns == 0:
        return 0
    chance = HOPE[missing] if colour == o.me else FEAR[missing]
    return chance if o.turns >= cfg.players else chance * o.turns // cfg.players


@rule
def has_goal(cfg: Any, s: Any, colour: int) -> bool:
    """Whether a colour can win at once in this game."""
    return cfg.epic == 1 and s.owner[colour] != NOBODY and GREEN <= colour <= BLUE


@rule
def _squads_missing(cfg: Any, o: Any, colour: int, source: int, target: int, cards: int) -> int:
    """What green or yellow takes to win at once (see `HOPE`), hands aside."""
    squads = o.green if colour == GREEN else o.yellow
    most, total, covered = 0, 0, 0
    for dimension in range(PLAYERS):  # nothing lies in those of nobody
        size = byte(squads, dimension)
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
            wanted = _kind_of(cfg, abs(need))
            if cfg.value[wanted] == need:
                best = min(best, _blue_missing_one(cfg, s, o, wanted, dimension, kind, source, target))
            elif cfg.value[wanted] == -need and s.table[dimension, wanted] > 0:
                best = BY_MOVE
    return best


@rule
def _kind_of(cfg: Any, value: int) -> int:
    """The kind of the lowest blue cards of at least this value, which the highest have."""
    kind, step = act.FIRST_VALUE_KIND, (act.KINDS - act.FIRST_VALUE_KIND) // 2
    while step > 0:
        if kind + step < cfg.kinds and cfg.value[kind + step - 1] < value:
            kind += step
        step >>= 1
    return kind


@rule
def _blue_missing_one(
    cfg: Any, s: Any, o: Any, wanted: int, dimension: int, kind: int, source: int, target: int
) -> int:
    """What blue takes to win at once where a card of the wanted kind would do it."""
    used = 1 if wanted == kind else 0
    held = s.hand[s.player, wanted]
    unseen = cfg.copies[wanted] - held - s.hole[wanted]
    most = 0
    for other in range(cfg.players):
        unseen -= s.table[other, wanted]
        if other != dimension:
            most = max(most, s.table[other, wanted])
    if most > (used if target == dimension else 0):
        return BY_MOVE
    if o.me == BLUE and held > (used if source == AWAY else 0):
        return BY_HAND
    return BY_CARD if unseen > 0 else BY_CARD + 1
