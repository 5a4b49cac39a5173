"""The loop that plays games on a GPU, one in each thread; `cuda.py` puts its kernel behind a copy of `loops.py`.

The whole desk lies in the thread's own memory, which the hardware interleaves so that neighbouring threads read
neighbouring words; nothing but the finished rows goes to the card's main memory. They are counted there by threads with
a tally each, since a tally is too large for every thread that plays, and plain rules cannot add to a shared one.
"""

from __future__ import annotations

from typing import Any

import numba.cuda
import numpy as np

from playmill.engine.loops import LIVE, deal, play_one
from playmill.engine.slots import outcome, tally

cuda: Any = numba.cuda

#: The record type of the game's desk.
DESK = np.dtype([])


@cuda.jit
def play_on_device(desks: Any, pages: Any, seed: int, first: int, rows: Any, slips: Any) -> None:
    """Thread t plays games first+t, first+t+threads, … of a run, one row for each; the first with a slip is noted."""
    own = cuda.local.array(1, DESK)
    own[0] = desks[0]
    desk = own[0]
    game = cuda.grid(1)
    while game < rows.shape[0]:
        deal(desk, seed, first + game)
        decisions = play_one(desk, pages)
        if desk.slips > 0:
            cuda.atomic.min(slips, 0, game)
            return
        outcome(desk.cfg, desk.states[LIVE], rows[game])
        rows[game].decisions = decisions
        game += cuda.gridsize(1)


@cuda.jit
def count_on_device(desks: Any, games: int, rows: Any, tallies: Any) -> None:
    """Thread t adds rows t, t+threads, … of so many games to a tally of its own."""
    thread = cuda.grid(1)
    row = thread
    while row < games:
        tally(rows[row], desks[0].agents, tallies[thread])
        row += cuda.gridsize(1)


@cuda.jit
def add_up_on_device(tallies: Any, total: Any) -> None:
    """Thread t adds up place t of all tallies, and empties it."""
    place = cuda.grid(1)
    if place < total.shape[0]:
        found = 0
        for thread in range(tallies.shape[0]):
            found += tallies[thread, place]
            tallies[thread, place] = 0
        total[place] = found
