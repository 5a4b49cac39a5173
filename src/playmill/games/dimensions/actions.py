"""Integer ids of the actions of Battle of Dimensions: how they are made, and how they are taken apart."""

from __future__ import annotations

from typing import Any, NamedTuple

from playmill.author import python_function, rule

RED, GREEN, YELLOW, BLUE, PURPLE = range(5)
FACTIONS = 5
PLAYERS = 5

#: A kind of card: 0 … 4 are the plain cards of the five factions, 5 and up the blue cards of one value (Epic).
FIRST_VALUE_KIND = 5
KINDS = 21

ENTANGLEMENT, WORMHOLE, BLACK_HOLE, BIG_BANG, TIME_LOOP = range(5)
ANOMALIES = 5

#: The target of an attack or a Black Hole that is no squad.
AURA = 5
TARGETS = 6
PAIRS = 10

PLAY = 0
PUT = PLAY + KINDS
PUT_CAPTAIN = PUT + KINDS * PLAYERS
SKIP = PUT_CAPTAIN + PLAYERS
STAY = SKIP + 1
MOVE = STAY + 1
MOVE_CAPTAIN = MOVE + PLAYERS * KINDS * PLAYERS
ENTANGLE = MOVE_CAPTAIN + PLAYERS
TUNNEL = ENTANGLE + PAIRS
SWALLOW = TUNNEL + PLAYERS * FACTIONS * PLAYERS
BANG = SWALLOW + PLAYERS * TARGETS
LOOP = BANG + 1
HOLD = LOOP + 1
STRIKE = HOLD + 1
ACTIONS = STRIKE + FACTIONS * TARGETS


@rule
def pair_of(pair: int) -> Any:
    """The two places (or factions) of unordered pair number 0 … 9."""
    one = 0
    rest = pair
    while rest >= FACTIONS - 1 - one:
        rest -= FACTIONS - 1 - one
        one += 1
    return one, one + 1 + rest


_pair_of = python_function(pair_of)


class Action(NamedTuple):
    """One action taken apart; a field that says nothing of this act is −1."""

    act: str
    kind: int = -1
    faction: int = -1
    source: int = -1
    target: int = -1


_ACTS = (
    ("play", PLAY),
    ("put", PUT),
    ("put_captain", PUT_CAPTAIN),
    ("skip", SKIP),
    ("stay", STAY),
    ("move", MOVE),
    ("move_captain", MOVE_CAPTAIN),
    ("entanglement", ENTANGLE),
    ("wormhole", TUNNEL),
    ("black_hole", SWALLOW),
    ("big_bang", BANG),
    ("time_loop", LOOP),
    ("hold", HOLD),
    ("attack", STRIKE),
)


def take_apart(action: int) -> Action:
    """The act an id stands for and its fields."""
    act, first = next(pair for pair in reversed(_ACTS) if action >= pair[1])
    rest = action - first
    if act == "play":
        return Action(act, kind=rest)
    if act == "put":
        return Action(act, kind=rest // PLAYERS, target=rest % PLAYERS)
    if act == "move":
        return Action(act, kind=rest // PLAYERS % KINDS, source=rest // (PLAYERS * KINDS), target=rest % PLAYERS)
    if act in ("put_captain", "move_captain"):
        return Action(act, target=rest)
    if act == "entanglement":
        one, other = _pair_of(rest)
        return Action(act, faction=one, target=other)
    if act == "wormhole":
        return Action(
            act, source=rest // (FACTIONS * PLAYERS), faction=rest // PLAYERS % FACTIONS, target=rest % PLAYERS
        )
    if act == "black_hole":
        return Action(act, source=rest // TARGETS, faction=rest % TARGETS)
    if act == "attack":
        return Action(act, faction=rest // TARGETS, target=rest % TARGETS)
    return Action(act)


def put_together(action: Action) -> int:
    """The id of an act with its fields: the inverse of `take_apart`."""
    act, kind, faction, source, target = action
    first = dict(_ACTS)[act]
    if act == "play":
        return first + kind
    if act == "put":
        return first + kind * PLAYERS + target
    if act == "move":
        return first + (source * KINDS + kind) * PLAYERS + target
    if act in ("put_captain", "move_captain"):
        return first + target
    if act == "entanglement":
        return first + next(pair for pair in range(PAIRS) if _pair_of(pair) == (faction, target))
    if act == "wormhole":
        return first + (source * FACTIONS + faction) * PLAYERS + target
    if act == "black_hole":
        return first + source * TARGETS + faction
    if act == "attack":
        return first + faction * TARGETS + target
    return first
