"""Rollout loop: plays games from their deal or any position, by any agents, with separate seeds for rules and agents.

A *job* describes one game: the number of its game rng and of its agent rng, where it begins, and who sits where. The
two are numbered apart, so that the same deal can be played with other choices and the same choices with another deal.
Compiled once for each game, like `play.py`.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.kernels.placeholders import (
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
from playmill.engine.kernels.play import BLANK, LIVE
from playmill.engine.lang.rng import below, happens, seed_agent_rng, seed_game_rng
from playmill.engine.lang.rule import SPECTATOR, rule

#: Of a job: the game begins with its deal; no action is done before the players are asked.
NONE = -1
#: By whom a position is known: by all-seeing eyes, or by everybody alike, else by the player of that number. What
#: is not known is dealt anew before the game goes on.
AS_IT_IS, PUBLIC = -2, SPECTATOR


@rule
def play_rollouts(
    workspaces: Any,
    lookup: Any,
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
    workspace = workspaces[0]
    number = 0
    for i in range(jobs.shape[0]):
        job = jobs[i]
        for seat in range(workspace.seats.shape[0]):
            who = job.who[seat]
            workspace.seats[seat] = cast[who].number
            workspace.starts[seat] = cast[who].start
            for k in range(workspace.params.value.shape[1]):
                workspace.params.value[seat, k] = cast[who].params[k]
        _begin(workspace, job, positions)
        number = _play(workspace, lookup, job, tags, counts, notes, i, number)
        outcome(workspace.cfg, workspace.states[LIVE], rows[i])
        rows[i].decisions = notes[i].decisions
        returns(workspace.cfg, workspace.states[LIVE], paid[i])


@rule
def _begin(workspace: Any, job: Any, positions: Any) -> None:
    """Lays out the game of a job, up to the first decision of its players."""
    seed_game_rng(workspace.rng, job.rng_seed, job.rng_game)
    seed_agent_rng(workspace.agent_rng, job.agent_rng_seed, job.agent_rng_game)
    if job.position == NONE:
        workspace.states[LIVE] = workspace.states[BLANK]
        setup(workspace.cfg, workspace.states[LIVE], workspace.rng)
        return
    workspace.states[LIVE] = positions[job.position]
    if job.known != AS_IT_IS:
        conceal(workspace.cfg, workspace.states[LIVE], job.known, workspace.rng)
    if job.action != NONE:
        apply_action(workspace.cfg, workspace.states[LIVE], job.action, workspace.rng)


@rule
def _play(workspace: Any, lookup: Any, job: Any, tags: Any, counts: Any, notes: Any, i: int, number: int) -> int:
    """Plays on to the end; returns the number of the next decision of all jobs."""
    s = workspace.states[LIVE]
    while s.player >= 0:
        n = count_actions(workspace.cfg, s, workspace.legal)
        if n > 1:
            number += 1
            notes[i].decisions += 1
            notes[i].options += n
            if counts.shape[0] > 0:
                _count_offered(workspace, tags, counts, number)
            if job.lapse > 0.0 and happens(workspace.agent_rng, s.player, job.lapse):
                count_actions(workspace.cfg, s, workspace.legal)
                action = nth_action(workspace.cfg, s, workspace.legal, below(workspace.agent_rng, s.player, n))
            else:
                action = choose(workspace.seats[s.player], workspace, workspace, lookup, n)
                if action < 0:  # no such action: the game is left where it is
                    workspace.invalid_actions += 1
                    break
            if counts.shape[0] > 0:
                _count_chosen(tags, counts, action, number)
        else:
            notes[i].forced += 1
            action = nth_action(workspace.cfg, s, workspace.legal, 0)
            if counts.shape[0] > 0:
                _count_forced(tags, counts, action)
        apply_action(workspace.cfg, s, action, workspace.rng)
    return number


@rule
def _count_offered(workspace: Any, tags: Any, counts: Any, number: int) -> None:
    """Counts, once, every tag that any of the options has, and those that not all of them have."""
    n = legal_actions(workspace.cfg, workspace.states[LIVE], workspace.legal)
    for k in range(n):
        action = workspace.legal.ids[k]
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
        action = workspace.legal.ids[k]
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
