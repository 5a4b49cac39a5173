"""The loop that probes: games from their deal or from any position, by any agents, with luck and whims taken apart.

A *job* says all of one game: which luck it is played with and which whims its players have, where it begins, and who
sits where. Luck and whims are numbered apart, so that the same deal can be played with other choices and the same
choices with another deal. Compiled once for each game, like `play.py`.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.kernels.play import BLANK, LIVE
from playmill.engine.kernels.slots import (
    apply_action,
    choose,
    conceal,
    count_actions,
    legal_actions,
    nth_action,
    outcome,
    returns,
    setup,
)
from playmill.engine.lang.rng import below, happens, seed_luck, seed_whims
from playmill.engine.lang.rule import SPECTATOR, rule

#: Of a job: the game begins with its deal; no action is done before the players are asked.
NONE = -1
#: By whom a position is known: by all-seeing eyes, or by everybody alike, else by the player of that number. What
#: is not known is dealt anew before the game goes on.
AS_IT_IS, PUBLIC = -2, SPECTATOR


@rule
def probe(
    desks: Any,
    pages: Any,
    jobs: Any,
    cast: Any,
    positions: Any,
    tags: Any,
    counts: Any,
    rows: Any,
    paid: Any,
    notes: Any,
) -> None:
    """Plays every job to its end: its row, what it paid each seat, and notes on its decisions.

    Where `counts` has places, turns are counted by tag: `counts[tag]` has how many had an option with it (`met`) and
    how many took one (`used`); and the same of those that had options without it, too (`offered`, `chosen`). An
    action's tags are its row of `tags`, up to the first NONE.
    """
    desk = desks[0]
    number = 0
    for i in range(jobs.shape[0]):
        job = jobs[i]
        for seat in range(desk.seats.shape[0]):
            who = job.who[seat]
            desk.seats[seat] = cast[who].number
            desk.starts[seat] = cast[who].start
            for k in range(desk.params.value.shape[1]):
                desk.params.value[seat, k] = cast[who].params[k]
        _begin(desk, job, positions)
        number = _play(desk, pages, job, tags, counts, notes, i, number)
        outcome(desk.cfg, desk.states[LIVE], rows[i])
        rows[i].decisions = notes[i].decisions
        returns(desk.cfg, desk.states[LIVE], paid[i])


@rule
def _begin(desk: Any, job: Any, positions: Any) -> None:
    """Lays out the game of a job, up to the first decision of its players."""
    seed_luck(desk.luck, job.luck_seed, job.luck)
    seed_whims(desk.whims, job.whim_seed, job.whim)
    if job.position == NONE:
        desk.states[LIVE] = desk.states[BLANK]
        setup(desk.cfg, desk.states[LIVE], desk.luck)
        return
    desk.states[LIVE] = positions[job.position]
    if job.known != AS_IT_IS:
        conceal(desk.cfg, desk.states[LIVE], job.known, desk.luck)
    if job.action != NONE:
        apply_action(desk.cfg, desk.states[LIVE], job.action, desk.luck)


@rule
def _play(desk: Any, pages: Any, job: Any, tags: Any, counts: Any, notes: Any, i: int, number: int) -> int:
    """Plays on to the end; returns the number of the next decision of all jobs."""
    s = desk.states[LIVE]
    while s.player >= 0:
        n = count_actions(desk.cfg, s, desk.legal)
        if n > 1:
            number += 1
            notes[i].decisions += 1
            notes[i].options += n
            if counts.shape[0] > 0:
                _count_offered(desk, tags, counts, number)
            if job.lapse > 0.0 and happens(desk.whims, s.player, job.lapse):
                count_actions(desk.cfg, s, desk.legal)
                action = nth_action(desk.cfg, s, desk.legal, below(desk.whims, s.player, n))
            else:
                action = choose(desk.seats[s.player], desk, desk, pages, n)
                if action < 0:  # no such action: the game is left where it is
                    desk.slips += 1
                    break
            if counts.shape[0] > 0:
                _count_chosen(tags, counts, action, number)
        else:
            notes[i].forced += 1
            action = nth_action(desk.cfg, s, desk.legal, 0)
            if counts.shape[0] > 0:
                _count_forced(tags, counts, action)
        apply_action(desk.cfg, s, action, desk.luck)
    return number


@rule
def _count_offered(desk: Any, tags: Any, counts: Any, number: int) -> None:
    """Counts, once, every tag that any of the options has, and those that not all of them have."""
    n = legal_actions(desk.cfg, desk.states[LIVE], desk.legal)
    for k in range(n):
        action = desk.legal.ids[k]
        for place in range(tags.shape[1]):
            tag = tags[action, place]
            if tag == NONE:
                break
            if counts[tag].last != number:
                counts[tag].last = number
                counts[tag].met += 1
                counts[tag].now = 0
            counts[tag].now += 1
    for k in range(n):
        action = desk.legal.ids[k]
        for place in range(tags.shape[1]):
            tag = tags[action, place]
            if tag == NONE:
                break
            if 0 < counts[tag].now < n:
                counts[tag].offered += 1
                counts[tag].free = number
            counts[tag].now = 0


@rule
def _count_forced(tags: Any, counts: Any, action: int) -> None:
    for place in range(tags.shape[1]):
        tag = tags[action, place]
        if tag == NONE:
            break
        counts[tag].met += 1
        counts[tag].used += 1


@rule
def _count_chosen(tags: Any, counts: Any, action: int, number: int) -> None:
    for place in range(tags.shape[1]):
        tag = tags[action, place]
        if tag == NONE:
            break
        counts[tag].used += 1
        if counts[tag].free == number:
            counts[tag].chosen += 1
