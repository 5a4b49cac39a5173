"""GPU step loop: many games in step, one in each thread; `cuda/batch.py` makes kernels of it for each game."""

from __future__ import annotations

from typing import Any

import numba.cuda

from playmill.engine.kernels.play import LIVE
from playmill.engine.kernels.step import ask_place, is_option

cuda: Any = numba.cuda

#: What threads write down for all: the first place with an illegal action, and the first whose game cannot go on.
ILLEGAL, STUCK = range(2)


def check_on_device(workspaces: Any, actions: Any, options: Any, notes: Any) -> None:
    """Notes the first place whose action is illegal."""
    i = cuda.grid(1)
    if i < workspaces.shape[0] and options[i] > 0 and not is_option(workspaces[i], options[i], actions[i]):
        cuda.atomic.min(notes, ILLEGAL, i)


def ask_on_device(
    matches: Any,
    workspaces: Any,
    lookup: Any,
    what: int,
    goes_on: int,
    seed: int,
    actions: Any,
    options: Any,
    numbers: Any,
    ended: Any,
    over: Any,
    players: Any,
    rewards: Any,
    seen: Any,
    mask: Any,
    notes: Any,
) -> None:
    """What `ask_all` does, unless an illegal action was noted: then nothing."""
    i = cuda.grid(1)
    if i < workspaces.shape[0] and notes[ILLEGAL] >= workspaces.shape[0]:
        workspace = workspaces[i]
        trouble = ask_place(
            matches[0],
            workspace,
            lookup,
            what,
            goes_on,
            seed,
            actions[i],
            i,
            options,
            numbers,
            ended,
            rewards,
            seen,
            mask,
        )
        if trouble < -1:
            cuda.atomic.min(notes, STUCK, i)
        over[i] = options[i] == 0
        players[i] = workspace.states[LIVE].player


def pick_on_device(workspaces: Any, which: Any, options: Any, actions: Any) -> None:
    """Option number `which` of each game, or its last."""
    i = cuda.grid(1)
    if i < workspaces.shape[0]:
        actions[i] = workspaces[i].legal.ids[max(min(which[i], options[i] - 1), 0)]


def widen_on_device(given: Any, numbers: Any) -> None:
    """The same whole numbers, 64 bits wide."""
    i = cuda.grid(1)
    if i < numbers.shape[0]:
        numbers[i] = given[i]
