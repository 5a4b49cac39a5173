"""GPU game loop with `search`: one game in each thread, its trees in the GPU's main memory (see `mcts.py`).

A thread plays the game itself or, while it searches, the game of an iteration: both lie in the same place, and what the
search began with is kept beside it. So each rule of the game is called at one place, as in `play_cuda.py`, and all
threads of a block, whatever they are at, go through a decision together: instructions that one of them had to fetch are
there for all.
"""

from __future__ import annotations

from typing import Any

import numba.cuda
import numpy as np

from playmill.agents.search.mcts import (
    action_of,
    begin_decision,
    begin_iteration,
    end_iteration,
    hash_seen,
    is_evaluated,
    is_known,
    is_over,
)
from playmill.agents.search.tree import NONE, clear, find_node
from playmill.engine.kernels.placeholders import apply_action, choose, count_actions, legal_actions, lose_notes, outcome
from playmill.engine.kernels.play import LIVE, deal
from playmill.engine.kernels.play_cuda import INVALID_ACTION, TAKEN
from playmill.engine.lang.rng import SEATS, STREAMS, clear_shuffle_buffer
from playmill.engine.lang.rule import rule

cuda: Any = numba.cuda


def search_on_device(
    workspaces: Any,
    lookup: Any,
    seed: int,
    first: int,
    rows: Any,
    notes: Any,
    searchers: Any,
    searching: Any,
    kepts: Any,
    trees: Any,
    net: Any,
    lanes: int,
    patience: int,
) -> None:
    """Threads take the games first, first+1, … of a run, as many as there are rows, and write a row for each.

    One thread of `lanes` plays. What changes while it plays and searches lies in `searching`, what is kept of its game
    during a search in `kepts`. Seats with iterations search: their trees lie one after the other in its part of
    `trees`. A thread whose iteration is over waits until `patience` threads of its block wait, those that do not play
    counted in: then they go down their trees together.
    """
    match = workspaces[0]
    thread = cuda.grid(1)
    number = thread // lanes
    workspace = searching[number]
    kept = kepts[number]
    s = workspace.states[LIVE]
    games = rows.shape[0]
    mine = number * searchers[SEATS - 1].end
    tree = trees[mine : mine + 1]
    game, decisions, left = games, 0, 0
    if number * lanes == thread:
        game = NONE
        workspace.players = 0  # nobody mixes
        workspace.answers = 0
        workspace.rollout_failed = 0
        workspace.invalid_actions = 0
        for seat in range(SEATS):
            for place in range(searchers[0].params.shape[0]):
                workspace.params.value[seat, place] = searchers[0].params[place]
        clear_shuffle_buffer(workspace.rng)
        clear_shuffle_buffer(workspace.conceal_rng)
    seat = NONE
    pauses, decided = False, False
    while True:
        if game == NONE:
            game = cuda.atomic.add(notes, TAKEN, 1)
            if game < games:
                decisions, seat, decided = 0, NONE, False
                deal(match, workspace, seed, first + game)
                for place in range(SEATS):
                    clear(workspace, trees[mine + searchers[place].begin : mine + searchers[place].end])
                    keep_tree(workspace, kept.minds[place])
        if cuda.syncthreads_count(np.int32(game < games)) == 0:
            return
        # An iteration ends, and another begins, or the decision is made.
        turns = cuda.syncthreads_count(np.int32(pauses or game >= games)) >= patience
        if pauses and turns:
            pauses = False
            if left < searchers[seat].iterations:
                end_iteration(match.cfg, workspace, tree, net)
            if left > 0:
                left -= 1
                begin_iteration(match.cfg, kept.states[0], workspace)
            else:
                keep_tree(workspace, kept.minds[seat])
                put_back(workspace, kept)
                seat, decided = NONE, True
        cuda.syncthreads()
        action = NONE
        if game < games and not pauses:
            player = s.player if seat == NONE else seat
            known = seat == NONE or is_known(workspace, seat)
            n = legal_actions(match.cfg, s, workspace.legal) if known else count_actions(match.cfg, s, workspace.legal)
            hash_, place = 0, NONE
            searches = searchers[player].iterations > 0
            if known and n > 1 and (decided if seat == NONE else not is_evaluated(workspace, seat)):
                hash_ = hash_seen(match.cfg, workspace)
                place = find_node(tree, hash_)
            if seat != NONE:
                action = action_of(match.cfg, workspace, tree, net, seat, n, known, hash_, place)
                pauses = action == NONE
            elif n == 1:
                action = workspace.legal.ids[0]
            elif n < 1:
                cuda.atomic.min(notes, INVALID_ACTION, game)
                game = games
            elif decided:
                decided = False
                action = favourite_action(workspace, tree, place, n)
            else:
                decisions += 1
                if searches:
                    seat, pauses, left = player, True, searchers[player].iterations
                    tree = trees[mine + searchers[seat].begin : mine + searchers[seat].end]
                    take(searchers[seat], workspace, kept)
                    begin_decision(seat, kept.agent_rng, workspace, tree, searchers[seat].planned)
                else:
                    action = choose(match.seats[player], match, workspace, lookup, n)
                    if action < 0:
                        cuda.atomic.min(notes, INVALID_ACTION, game)
                        game = games
            if workspace.rollout_failed:
                cuda.atomic.min(notes, INVALID_ACTION, game)
                game, pauses, action = games, False, NONE
        cuda.syncthreads()
        if action != NONE:
            apply_action(match.cfg, s, action, workspace.rng)
            if seat != NONE:
                pauses = is_over(workspace)
            elif s.player < 0:
                outcome(match.cfg, s, rows[game])
                rows[game].decisions = decisions
                game = NONE


@rule
def favourite_action(workspace: Any, tree: Any, place: int, n: int) -> int:
    """The listed action tried most often at a node; of equals the one that brought most, then the first."""
    best, most, mean = workspace.legal.ids[0], 0, 0.0
    branch = tree[place].first if tree[place].hash != 0 else NONE
    for i in range(n):
        action = workspace.legal.ids[i]
        while branch != NONE and tree[branch].action < action:
            branch = tree[branch].next
        if branch != NONE and tree[branch].action == action:
            tries, brought = tree[branch].tries, tree[branch].total / tree[branch].tries
            if tries > most or (tries == most and brought > mean):
                best, most, mean = action, tries, brought
    return best


@rule
def take(searcher: Any, workspace: Any, kept: Any) -> None:
    """Keeps the game that is played, and puts a searcher in its place."""
    kept.states[0] = workspace.states[LIVE]
    for stream in range(STREAMS):
        kept.streams[stream] = workspace.rng.stream[stream]
    for stream in range(SEATS):
        kept.agent_rng.stream[stream] = workspace.agent_rng.stream[stream]
    lose_notes(workspace.legal)
    workspace.explore = searcher.explore
    workspace.trust = searcher.trust
    workspace.horizon = searcher.horizon
    workspace.every = searcher.every
    workspace.together = searcher.together
    mind = kept.minds[workspace.states[LIVE].player]
    workspace.places = mind.places
    workspace.branches = mind.branches
    workspace.thoughts = mind.thoughts
    workspace.low = mind.low
    workspace.high = mind.high
    workspace.firsts = mind.firsts
    workspace.mean = mind.mean
    workspace.squares = mind.squares


@rule
def keep_tree(workspace: Any, mind: Any) -> None:
    """Keeps what a searcher knows about its tree until its next decision."""
    mind.places = workspace.places
    mind.branches = workspace.branches
    mind.thoughts = workspace.thoughts
    mind.low = workspace.low
    mind.high = workspace.high
    mind.firsts = workspace.firsts
    mind.mean = workspace.mean
    mind.squares = workspace.squares


@rule
def put_back(workspace: Any, kept: Any) -> None:
    """Puts the game that is played back into its place."""
    workspace.states[LIVE] = kept.states[0]
    lose_notes(workspace.legal)
    for stream in range(STREAMS):
        workspace.rng.stream[stream] = kept.streams[stream]
    for stream in range(SEATS):
        workspace.agent_rng.stream[stream] = kept.agent_rng.stream[stream]
