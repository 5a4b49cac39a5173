"""The end of a game of Battle of Dimensions: instant wins, and the count."""

from __future__ import annotations

from typing import Any

from playmill.author import below, lowest_bit, rule
from playmill.games.dimensions.actions import BLUE, FACTIONS, GREEN, PLAYERS, PURPLE, YELLOW
from playmill.games.dimensions.constants import (
    BY_COUNT,
    BY_NEIGHBOURS,
    BY_UNBEATEN,
    NOBODY,
    STREAM_LOT,
    TIE_BY_LOT,
    TIE_BY_SPIRAL,
)
from playmill.games.dimensions.rules.attack import strength


@rule
def instant_winner(cfg: Any, s: Any) -> int:
    """The faction whose instant win this phase has brought about (Epic), or -1.

    A colour none of whose cards moved cannot have come to its goal, so only the stirred ones count. Nearly always no
    goal is reached, and that is found out first, for all of them at once, in all Dimensions there could be: nothing
    lies in those of nobody.
    """
    stirred = s.stirred
    s.stirred = 0
    if stirred == 0 or cfg.epic == 0:
        return NOBODY
    green = False
    blue = False
    places = 0
    yellows = 0
    for dimension in range(PLAYERS):
        green |= s.squad[dimension, GREEN] >= cfg.green_goal
        blue |= s.blue_sum[dimension] == cfg.blue_goal
        places += s.squad[dimension, YELLOW] > 0
        yellows += s.squad[dimension, YELLOW]
    yellow = places == cfg.players and yellows >= cfg.yellow_goal
    if not (green or yellow or blue):
        return NOBODY
    if green and stirred >> GREEN & 1 == 1 and s.owner[GREEN] != NOBODY:
        return GREEN
    if yellow and stirred >> YELLOW & 1 == 1 and s.owner[YELLOW] != NOBODY:
        return YELLOW
    if blue and stirred >> BLUE & 1 == 1 and s.owner[BLUE] != NOBODY:
        return BLUE
    return NOBODY


@rule
def faction_count(cfg: Any, s: Any, faction: int) -> int:
    """Cards on the table that count for a faction: the Captain for red, every Aura for purple."""
    total = 0
    for dimension in range(PLAYERS):
        total += strength(s, dimension, faction)
    return total + (s.auras if faction == PURPLE else 0)


@rule
def _unbeaten(s: Any, factions: int) -> int:
    """Those of some factions (as bits) that none of them beats."""
    beaten = 0
    for faction in range(FACTIONS):
        beaten |= (factions >> faction & 1) << s.prey[faction]
    return factions & ~beaten


@rule
def count_up(cfg: Any, s: Any, rng: Any) -> None:
    """The players' faction with most cards wins; a tie goes by the Spiral as the config says, else by lot."""
    best = -1
    tied = 0
    count = 0
    for faction in range(FACTIONS):
        if s.owner[faction] != NOBODY:
            cards = faction_count(cfg, s, faction)
            if cards > best:
                best = cards
                tied = 0
                count = 0
            if cards == best:
                tied |= 1 << faction
                count += 1
    s.end = BY_COUNT
    s.winner = lowest_bit(tied)
    if count == 1:
        return
    s.tied = tied
    unbeaten = _unbeaten(s, tied)
    # Each faction beats one: who beats every other tied one has a single rival.
    by_spiral = cfg.tie_break == BY_UNBEATEN or (cfg.tie_break == BY_NEIGHBOURS and count == 2)
    if by_spiral and unbeaten != 0 and unbeaten & (unbeaten - 1) == 0:
        s.tie = TIE_BY_SPIRAL
        s.winner = lowest_bit(unbeaten)
        return
    s.tie = TIE_BY_LOT
    for _ in range(below(rng, STREAM_LOT, count)):
        tied &= tied - 1
    s.winner = lowest_bit(tied)
