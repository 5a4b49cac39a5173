"""The loops that play games: one, many, and a batch in step. Compiled once for each game (see `game_kernels.py`).

Whoever plays works at a *desk*: one record with the config, the game being played (`states[LIVE]`), room for a copy
with the hidden things dealt anew (`states[SHADOW]`), a blank one, the luck, the agents and the list of options. One
record is one pointer: passing the parts one by one costs more than a decision. Where thousands play at once the desk
holds only what changes, and the rest is read from one that all share: `match` (elsewhere the desk itself). Beside it
lie the pages of what the agents know by heart (see `lookup_tables.py`), the same for everybody who plays the match.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.kernels.slots import (
    apply_action,
    choose,
    count_actions,
    foresees,
    lose_notes,
    nth_action,
    outcome,
    setup,
    tally,
)
from playmill.engine.lang.rng import SEATS, foresee, seed_luck, seed_whims
from playmill.engine.lang.rule import rule

LIVE, SHADOW, BLANK = range(3)


@rule
def deal(match: Any, desk: Any, seed: int, game: int) -> None:
    """Deals game number `game` of a run onto a desk."""
    seed_luck(desk.luck, seed, game)
    seed_whims(desk.whims, seed, game)
    lose_notes(desk.legal)
    desk.states[LIVE] = match.states[BLANK]
    setup(match.cfg, desk.states[LIVE], desk.luck)


@rule
def play_one(match: Any, desk: Any, pages: Any) -> int:
    """Plays a dealt game to its end with compiled agents; returns the number of decisions with a choice.

    An answer that cannot be, or a player to move without options, is counted as a slip, and the game ends there.
    """
    s = desk.states[LIVE]
    decisions = 0
    while s.player >= 0:
        n = count_actions(match.cfg, s, desk.legal)
        if n > 1:
            decisions += 1
            action = choose(match.seats[s.player], match, desk, pages, n)
            if action < 0:  # there is no such action: done, it would write anywhere
                desk.slips += 1
                break
        elif n == 1:
            action = nth_action(match.cfg, s, desk.legal, 0)
        else:  # not over, and nobody can go on: no game that was finished
            desk.slips += 1
            break
        apply_action(match.cfg, s, action, desk.luck)
    return decisions


@rule
def play_games(desks: Any, pages: Any, seed: int, first: int, games: int, rows: Any, counts: Any) -> int:
    """Plays games first, first+1, … of a run, writes a row for each, and adds all of them to the counts.

    Where nobody wants the rows there are two: all games are written on the first, which is wiped with the other one.
    Returns how many were played: all, or those before the first with a slip.
    """
    desk = desks[0]
    desk.slips = 0
    keeps = rows.shape[0] == games
    place = 0
    for i in range(games):
        deal(desk, desk, seed, first + i)
        for seat in range(SEATS):
            if foresees(desk.seats[seat]):
                foresee(desk.ahead[seat], desk.whims, seat)
        decisions = play_one(desk, desk, pages)
        if desk.slips > 0:
            return i
        if keeps:
            place = i
        else:
            rows[0] = rows[1]
        outcome(desk.cfg, desk.states[LIVE], rows[place])
        rows[place].decisions = decisions
        tally(rows[place], desk.agents, counts[0])
    return games


@rule
def tally_rows(desks: Any, rows: Any, counts: Any) -> None:
    """Adds finished games to the counts."""
    for i in range(rows.shape[0]):
        tally(rows[i], desks[0].agents, counts[0])


@rule
def agent_choice(desks: Any, pages: Any, agent: int, n: int) -> int:
    """What a compiled agent chooses from the n > 1 options of the present decision; `desk.slip` if it is negative."""
    return choose(agent, desks[0], desks[0], pages, n)
