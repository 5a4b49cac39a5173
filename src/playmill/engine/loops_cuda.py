"""The loop that plays games on a GPU, one in each thread; `cuda.py` puts its kernel behind a copy of `loops.py`.

What changes while a game is played lies in the thread's own memory, which the hardware interleaves so that neighbouring
threads read neighbouring words; what all games of a match share is read from one desk in the card's main memory, and
nothing but the finished rows goes there. They are counted there, by a twin of the game's `tally` that many threads can
use at a time (see `adding.py`).
"""

from __future__ import annotations

from typing import Any

import numba.cuda
import numpy as np

from playmill.engine.loops import LIVE, deal, play_one
from playmill.engine.rng import empty_hat
from playmill.engine.rule import rule
from playmill.engine.slots import outcome
from playmill.engine.slots import tally as tally_together

cuda: Any = numba.cuda

#: The record type of the part of the game's desk that changes while a game is played.
DESK = np.dtype([])


@rule
def add_to(numbers: Any, place: Any, amount: Any) -> None:
    """Adds to a number that other threads may be adding to at the same moment."""
    if amount != 0:
        cuda.atomic.add(numbers, place, int(amount))


@cuda.jit
def play_on_device(desks: Any, pages: Any, seed: int, first: int, rows: Any, slips: Any) -> None:
    """Thread t plays games first+t, first+t+threads, … of a run, one row for each; the first with a slip is noted."""
    match = desks[0]
    desk = cuda.local.array(1, DESK)[0]
    desk.slips = 0
    empty_hat(desk.luck)
    empty_hat(desk.guess)
    game = cuda.grid(1)
    while game < rows.shape[0]:
        deal(match, desk, seed, first + game)
        decisions = play_one(match, desk, pages)
        if desk.slips > 0:
            cuda.atomic.min(slips, 0, game)
            return
        outcome(match.cfg, desk.states[LIVE], rows[game])
        rows[game].decisions = decisions
        game += cuda.gridsize(1)


@cuda.jit
def count_on_device(desks: Any, first: int, edge: int, rows: Any, tallies: Any) -> None:
    """Adds games first, first+1, … of a run to the tallies: one for each stretch between two multiples of `edge`."""
    row = cuda.grid(1)
    while row < rows.shape[0]:
        tally_together(rows[row], desks[0].agents, tallies[(first + row) // edge - first // edge])
        row += cuda.gridsize(1)


@cuda.jit
def clear_on_device(numbers: Any) -> None:
    """Makes all these numbers 0."""
    place = cuda.grid(1)
    while place < numbers.shape[0]:
        numbers[place] = 0
        place += cuda.gridsize(1)
