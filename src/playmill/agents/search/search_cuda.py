"""GPU kernels of games with `search`: thousands of games at a time, each with its trees in the GPU's main memory.

Each game has a *slot*, and all slots go on by small steps, a decision at most. `search_on_device` does all that knows
the trees; `roll_out_on_device` does what the game's own heuristic does, which is most of the work: it says what to try
first at a node that is opened, or plays on an iteration that has left the trees. Each leaves in a slot what is to be
done next, under a key, and `sort_on_device` lists the slots by their keys.

Threads of a warp wait for each other wherever they do different things, and compiled rules are far larger than the
instruction cache of a multiprocessor. So neighbours shall do the same: decisions are sorted by how many options they
have, which is how long the heuristic thinks, and by the first of them, which tells one kind of decision from another.
For the same reason a kernel calls each rule of the game at one place, as in `play_cuda.py`, and all threads of a block
go through a decision together.
"""

from __future__ import annotations

from typing import Any

import numba.cuda
import numpy as np

from playmill.agents.search.mcts import (
    action_of,
    asks_heuristic,
    asks_network,
    back_up,
    begin_decision,
    begin_iteration,
    find_returns,
    hash_seen_in,
    is_evaluated,
    is_known,
    is_over,
    suggested,
)
from playmill.agents.search.tree import NONE, clear, find_node
from playmill.engine.kernels.placeholders import (
    apply_action,
    choose,
    count_actions,
    legal_actions,
    lose_notes,
    nth_action,
    outcome,
)
from playmill.engine.kernels.play import LIVE, deal
from playmill.engine.kernels.play_cuda import INVALID_ACTION, TAKEN
from playmill.engine.lang.rng import SEATS, GameRng, clear_shuffle_buffer
from playmill.engine.lang.rule import rule

cuda: Any = numba.cuda

#: Keys of slots: no game is left for it; what knows the trees; positions that a network evaluates; decisions whose
#: options are not counted yet; all others.
FINISHED, DECIDING, ANSWERED, LEARNING, ASKING, UNCOUNTED, COUNTED = range(-1, 6)
#: Numbers of options are told apart by their two highest bits, first options by their highest one: so many of each.
_SIZES, _FIRSTS = 16, 16
KEYS = COUNTED + _SIZES * _FIRSTS
#: What lies in a thread's own memory, where neighbours read neighbouring words: what a player sees, and luck.
OWN = np.dtype([("seen", np.int32, (1,)), ("rng", GameRng)], align=True)
#: Of the list of slots: how many know the trees, how many there are.
OF_TREES, OF_ALL = range(2)


def search_on_device(
    workspaces: Any,
    lookup: Any,
    seed: int,
    first: int,
    rows: Any,
    notes: Any,
    searchers: Any,
    slots: Any,
    kepts: Any,
    trees: Any,
    net: Any,
    jobs: Any,
    ends: Any,
    counts: Any,
    lanes: int,
    begins: int,
) -> None:
    """Goes on with games and their searches by one decision; a slot whose game is over takes the next one.

    Played are the games first, first+1, … of a run, as many as there are rows, and a row is written for each. The game,
    or during an iteration that of the iteration, lies in `slots`, what is kept beside it in `kepts`, and trees of seats
    that search, one after the other, in its part of `trees`. One thread of `lanes` has a slot, by its place in the list
    `jobs`; when it `begins`, there is no list, and slots have no game yet.
    """
    match = workspaces[0]
    own = cuda.local.array(1, OWN)[0]
    thread = cuda.grid(1)
    number = thread // lanes
    works = number * lanes == thread and number < (slots.shape[0] if begins else ends[OF_TREES])
    if works and not begins:
        number = jobs[number]
    workspace = slots[number if works else 0]
    kept = kepts[number if works else 0]
    s = workspace.states[LIVE]
    games = rows.shape[0]
    mine = number * searchers[SEATS - 1].end if works else 0
    tree = trees[mine : mine + 1]
    game, seat, hint, n, hash_, place = games, NONE, NONE, 0, 0, NONE
    ended, decided = False, False
    if works and begins:
        game = NONE
        workspace.players = 0  # nobody mixes
        workspace.answers = 0
        workspace.rollout_failed = 0
        workspace.invalid_actions = 0
        for other in range(SEATS):
            for parameter in range(searchers[0].params.shape[0]):
                workspace.params.value[other, parameter] = searchers[0].params[parameter]
        clear_shuffle_buffer(workspace.rng)
        clear_shuffle_buffer(workspace.conceal_rng)
    elif works:
        game, seat, ended = kept.game, kept.seat, kept.key == LEARNING
        if kept.key == ANSWERED:
            hint, n, hash_, place = kept.hint, kept.options, kept.hash, kept.place
        if seat != NONE:
            tree = trees[mine + searchers[seat].begin : mine + searchers[seat].end]
    if game == NONE:
        game = cuda.atomic.add(notes, TAKEN, 1)
        if game < games:
            seat = NONE
            kept.decisions = 0
            deal(match, workspace, seed, first + game)
            for other in range(SEATS):
                clear(workspace, trees[mine + searchers[other].begin : mine + searchers[other].end])
                keep_tree(workspace, kept.minds[other])
    # An iteration ends, and another begins, or the decision is made.
    if ended and not workspace.rollout_failed:
        if kept.left < searchers[seat].iterations:
            back_up(workspace, tree)
        if kept.left > 0:
            kept.left -= 1
            copy_words(workspace.rng.stream, own.rng.stream)
            clear_shuffle_buffer(own.rng)
            begin_iteration(match.cfg, kept.states[0], workspace, own.rng)
            copy_words(own.rng.stream, workspace.rng.stream)
        else:
            keep_tree(workspace, kept.minds[seat])
            put_back(workspace, kept)
            seat, decided = NONE, True
    cuda.syncthreads()
    action, key = NONE, DECIDING
    if game < games and not workspace.rollout_failed:
        player = s.player if seat == NONE else seat
        if hint == NONE:
            n = legal_actions(match.cfg, s, workspace.legal)
            if n > 1 and (decided or seat != NONE):
                hash_ = hash_seen_in(match.cfg, workspace, own)
                place = find_node(tree, hash_)
        if n < 1:
            workspace.rollout_failed = 1
        elif seat != NONE:
            if n > 1 and hint == NONE and asks_heuristic(tree, net, True, place):
                kept.options, kept.hash, kept.place = n, hash_, place
                key = key_of(n, workspace.legal.ids[0])
            else:
                action = action_of(match.cfg, workspace, tree, net, seat, n, True, hash_, place, hint)
        elif n == 1:
            action = workspace.legal.ids[0]
        elif decided:
            action = favourite_action(workspace, tree, place, n)
        else:
            kept.decisions += 1
            if searchers[player].iterations > 0:
                seat, key = player, LEARNING
                kept.left = searchers[seat].iterations
                tree = trees[mine + searchers[seat].begin : mine + searchers[seat].end]
                take(searchers[seat], workspace, kept)
                begin_decision(seat, kept.agent_rng, workspace, tree, searchers[seat].planned)
            else:
                action = choose(match.seats[player], match, workspace, lookup, n)
                if action < 0:
                    workspace.rollout_failed = 1
    if game < games and workspace.rollout_failed:
        cuda.atomic.min(notes, INVALID_ACTION, game)
        game, action = games, NONE
    cuda.syncthreads()
    if action != NONE:
        apply_action(match.cfg, s, action, workspace.rng)
        if seat != NONE:
            if is_over(workspace) or not is_known(workspace, seat):
                key = UNCOUNTED
        elif s.player < 0:
            outcome(match.cfg, s, rows[game])
            rows[game].decisions = kept.decisions
            game = NONE
    if works:
        kept.game, kept.seat, kept.key = game, seat, key if game < games else FINISHED
        if game < games:
            kept.rank = cuda.atomic.add(counts, key, 1)


def roll_out_on_device(
    workspaces: Any, searchers: Any, slots: Any, kepts: Any, net: Any, jobs: Any, ends: Any, counts: Any, lanes: int
) -> None:
    """Has the heuristic decide once in each slot that waits for it, and goes on to the next decision with a choice."""
    match = workspaces[0]
    thread = cuda.grid(1)
    place = ends[OF_TREES] + thread // lanes
    number, player, hinted, decided, asked = NONE, 0, False, False, False
    if thread % lanes == 0 and place < ends[OF_ALL]:
        number = jobs[place]
    mind = slots[max(number, 0)]
    s = mind.states[LIVE]
    if number >= 0:
        player, decided = kepts[number].seat, kepts[number].key == UNCOUNTED
        asked = kepts[number].key == ASKING
        hinted = not decided and is_known(mind, player)
    while cuda.syncthreads_count(np.int32(number >= 0)) > 0:
        action, n, over = NONE, 0, False
        if number >= 0:
            over = asked or is_over(mind)
            if not over:
                n = legal_actions(match.cfg, s, mind.legal) if hinted else count_actions(match.cfg, s, mind.legal)
                if n == 1 or (decided and n > 1):
                    action = nth_action(match.cfg, s, mind.legal, 0)
                if n > 1:
                    over = is_evaluated(mind, player)
                    if not over and not decided:
                        action = suggested(match.cfg, mind, n)
                        mind.left -= 0 if hinted else mind.gone >> player & 1
                if action == NONE and not over:
                    mind.rollout_failed = 1
        cuda.syncthreads()
        if number >= 0:
            key = FINISHED
            if over and not asked and asks_network(mind):
                key = ASKING
            elif over or mind.rollout_failed:
                if over:
                    find_returns(match.cfg, mind, net)
                key = LEARNING
            elif hinted:
                kepts[number].hint = action
                key = ANSWERED
            elif decided and n > 1:
                key = key_of(n, action)
            else:
                decided = decided or n > 1
                apply_action(match.cfg, s, action, mind.rng)
                if not is_over(mind) and is_known(mind, player):
                    key = DECIDING
            if key != FINISHED:
                kepts[number].key = key
                kepts[number].rank = cuda.atomic.add(counts, key, 1)
                number = NONE


def sort_on_device(kepts: Any, counts: Any, jobs: Any, ends: Any) -> None:
    """Lists the slots by their keys, long decisions before short ones."""
    number = cuda.grid(1)
    key = FINISHED
    if number < kepts.shape[0]:
        key = kepts[number].key
    if key != FINISHED:
        place = kepts[number].rank
        for before in range(key):
            place += counts[before]
        jobs[place] = number
    if number == 0:
        found = 0
        for one in range(KEYS):
            if one == ASKING:
                ends[OF_TREES] = found
            found += counts[one]
        ends[OF_ALL] = found


@rule
def key_of(n: int, action: int) -> int:
    """The key of a decision with n options of which this is the first: those with more come first."""
    high = 0
    while n >> high > 1 and 2 * high < _SIZES - 2:
        high += 1
    size = 2 * high + (n >> max(high - 1, 0) & 1)
    kind = 0
    while action >> kind > 0 and kind < _FIRSTS - 1:
        kind += 1
    return COUNTED + (_SIZES - 1 - size) * _FIRSTS + kind


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
def copy_streams(source: Any, target: Any) -> None:
    """Copies the random streams of a game and of its agents."""
    copy_words(source.rng.stream, target.rng.stream)
    copy_words(source.agent_rng.stream, target.agent_rng.stream)


@rule
def copy_words(source: Any, target: Any) -> None:
    """Copies an array into another one, which is as long."""
    for place in range(source.shape[0]):
        target[place] = source[place]


@rule
def take(searcher: Any, workspace: Any, kept: Any) -> None:
    """Keeps the game that is played, and puts a searcher in its place."""
    kept.states[0] = workspace.states[LIVE]
    copy_streams(workspace, kept)
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
    copy_streams(kept, workspace)
