"""GPU game loop: plays games, one in each thread; `cuda/backend.py` makes kernels of its functions for each game.

What changes while a game is played lies in the thread's own memory, which the hardware interleaves so that neighbouring
threads read neighbouring words; what all games of a match share is read from one workspace in the GPU's main memory,
and nothing but the finished rows goes there. They are counted there, by a twin of the game's `tally` that many threads
can use at a time (see `atomic_tally.py`).

Compiled rules are far larger than the instruction cache of a multiprocessor, and what it waits for most is the next
instruction. So the threads of a block go through a decision together: what one of them had to fetch is there for all.
For the same reason nobody deals alone: a thread whose game is over waits until others wait with it, and so does one
whose action takes long, since all others of its block would wait for it. Where long actions are of two kinds, most
threads wait for the same kind after a while, and their games go through its phases together.
"""

from __future__ import annotations

from typing import Any

import numba.cuda
import numpy as np

from playmill.engine.kernels.placeholders import (
    apply_action,
    choose,
    count_actions,
    nth_action,
    outcome,
    takes_long,
    tally,
)
from playmill.engine.kernels.play import LIVE, deal
from playmill.engine.lang.rng import clear_shuffle_buffer
from playmill.engine.lang.rule import rule

cuda: Any = numba.cuda

#: The record type of the part of the game's workspace that changes while a game is played.
WORKSPACE = np.dtype([])


@rule
def add_to(numbers: Any, place: Any, amount: Any) -> None:
    """Atomically adds to a number."""
    if amount != 0:
        cuda.atomic.add(numbers, place, int(amount))


#: Counters shared by all threads: the first game with an invalid action, and how many games have been taken.
INVALID_ACTION, TAKEN = range(2)
#: What a thread waits for: nothing any more; a game, or to do what takes long (see `takes_long`; 2 is the next kind).
NO_MORE, DEALING = -1, 1
#: Warps of a block that look for what is not 0.
LOOKERS = 8


def play_on_device(workspaces: Any, lookup: Any, seed: int, first: int, rows: Any, notes: Any, patience: int) -> None:
    """Threads take the games first, first+1, … of a run, as many as there are rows, and write a row for each.

    When `patience` threads of a block wait, those go on that wait for what most do: a game or the first kind of long
    actions, or the second kind.
    """
    match = workspaces[0]
    workspace = cuda.local.array(1, WORKSPACE)[0]
    workspace.invalid_actions = 0
    clear_shuffle_buffer(workspace.rng)
    clear_shuffle_buffer(workspace.conceal_rng)
    s = workspace.states[LIVE]
    games = rows.shape[0]
    game, decisions, action, late = -1, 0, 0, DEALING
    while True:
        idle = cuda.syncthreads_count(np.int32(late != 0))
        due = 0
        if idle >= patience:
            first_kind = cuda.syncthreads_count(np.int32(late == DEALING))
            second_kind = cuda.syncthreads_count(np.int32(late > DEALING))
            if first_kind + second_kind == 0 and idle == cuda.blockDim.x:
                return
            due = DEALING if first_kind >= second_kind else DEALING + 1
        if game < 0 and due == DEALING:
            game = cuda.atomic.add(notes, TAKEN, 1)
            decisions, late = 0, NO_MORE
            if game < games:
                deal(match, workspace, seed, first + game)
                late = 0
        cuda.syncthreads()
        if late == 0 and s.player >= 0:
            n = count_actions(match.cfg, s, workspace.legal)
            action = -1
            if n > 1:
                decisions += 1
                action = choose(match.seats[s.player], match, workspace, lookup, n)
            elif n == 1:
                action = nth_action(match.cfg, s, workspace.legal, 0)
            if action < 0:  # no game that was finished (see `play_one`); all games before it have been taken
                cuda.atomic.min(notes, INVALID_ACTION, game)
                late = NO_MORE
            else:
                late = takes_long(match.cfg, s, action)
        cuda.syncthreads()
        if late == due:
            late = 0
        if late == 0:
            if s.player >= 0:
                apply_action(match.cfg, s, action, workspace.rng)
            if s.player < 0:
                outcome(match.cfg, s, rows[game])
                rows[game].decisions = decisions
                game, late = -1, DEALING


def count_on_device(workspaces: Any, first: int, edge: int, groups: int, rows: Any, tallies: Any) -> None:
    """Adds games first, first+1, … to the tallies: one for each stretch between two multiples of `edge`.

    With `groups`, one for each group of them: in turn at first, then whole stretches (see `Grouping`).
    """
    row = cuda.grid(1)
    while row < rows.shape[0]:
        place = (first + row) // edge
        if groups == 0:
            place -= first // edge
        elif place < groups:
            place = (first + row) % groups
        else:
            place %= groups
        tally(rows[row], workspaces[0].agents, tallies[place])
        row += cuda.gridsize(1)


def sum_on_device(numbers: Any, total: Any) -> None:
    """Adds up consecutive tallies, number by number."""
    place = cuda.grid(1)
    while place < total.shape[0]:
        found = 0
        for at in range(place, numbers.shape[0], total.shape[0]):
            found += numbers[at]
        total[place] = found
        place += cuda.gridsize(1)


def find_on_device(numbers: Any, ends: Any, places: Any, values: Any) -> None:
    """Compacts tallies: block b finds the non-zero numbers of tally b, in order; without room for them, it counts them.

    `ends` are those counts, or with room for them the end of each tally's part of it.
    """
    size = numbers.shape[0] // ends.shape[0]
    start = cuda.blockIdx.x * size
    fills = places.shape[0] > 0
    lane = cuda.threadIdx.x % 32
    found = 0
    if fills and cuda.blockIdx.x > 0:
        found = ends[cuda.blockIdx.x - 1]
    parts = cuda.shared.array(LOOKERS, np.int32)
    for tile in range(0, size, cuda.blockDim.x):
        place = tile + cuda.threadIdx.x
        value = 0
        if place < size:
            value = numbers[start + place]
        here = cuda.ballot_sync(0xFFFFFFFF, value != 0)
        if lane == 0:
            parts[cuda.threadIdx.x // 32] = cuda.popc(here)
        cuda.syncthreads()
        at = found + cuda.popc(here & ((1 << lane) - 1))
        for warp in range(LOOKERS):
            if warp < cuda.threadIdx.x // 32:
                at += parts[warp]
            found += parts[warp]
        if fills and value != 0:
            places[at] = place
            values[at] = value
        cuda.syncthreads()
    if not fills and cuda.threadIdx.x == 0:
        ends[cuda.blockIdx.x] = found
