"""The loop that plays games on a GPU, one in each thread; `cuda.py` puts its kernel behind a copy of `loops.py`.

The whole desk lies in the thread's own memory, which the hardware interleaves so that neighbouring threads read
neighbouring words; nothing but the finished rows goes to the card's main memory.
"""

from __future__ import annotations

from typing import Any

import numba.cuda
import numpy as np

from playmill.engine.loops import LIVE, deal, play_one
from playmill.engine.slots import outcome

cuda: Any = numba.cuda

#: The record type of the game's desk.
DESK = np.dtype([])


@cuda.jit  # type: ignore[untyped-decorator, unused-ignore]
def play_on_device(desks: Any, pages: Any, seed: int, first: int, rows: Any) -> None:
    """Thread t plays games first+t, first+t+threads, … of a run, one row for each."""
    own = cuda.local.array(1, DESK)
    own[0] = desks[0]
    desk = own[0]
    game = cuda.grid(1)
    while game < rows.shape[0]:
        deal(desk, seed, first + game)
        decisions = play_one(desk, pages)
        outcome(desk.cfg, desk.states[LIVE], rows[game])
        rows[game].decisions = decisions
        game += cuda.gridsize(1)
