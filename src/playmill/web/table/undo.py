"""Rules of undo: a decision can be taken back if nobody has learned anything by it.

Never across another's action, never across chance, never across something hidden that has come to light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from playmill.engine.run.state import State
from playmill.texts import Text
from playmill.web.table.history import Moment

#: Random streams that are tried: one shuffle may leave something where it was; over several all it deals is written.
_STREAMS = 3
_STREAM_STEP = 0x9E3779B97F4A7C15

NOTHING = Text("there is nothing to take back", "возвращать нечего")
NOT_YOURS = Text("the last decision was not yours", "последнее решение приняли не вы")
ACTED = Text("somebody else has acted since", "после этого уже действовал кто-то другой")
CHANCE = Text("chance has spoken: that cannot be taken back", "случай уже сказал своё: вернуть ход нельзя")
REVEALED = Text(
    "something hidden has come to light: that cannot be taken back", "открылось скрытое: вернуть ход нельзя"
)


@dataclass(frozen=True)
class UndoPoint:
    """A decision and the state just before it; `version` is that of the moment it was made in."""

    seat: int
    action: int
    version: int
    before: State


def refusal(last: UndoPoint | None, seat: int | None, now: State, moments: Sequence[Moment]) -> Text | None:
    """Why a seat cannot undo the last decision; None if it can. `now` is the state just after it."""
    if last is None:
        return NOTHING
    if seat is None or last.seat != seat:
        return NOT_YOURS
    if any(moment.seat != seat for moment in moments[last.version + 1 :]):
        return ACTED
    if not np.array_equal(last.before.workspace["rng"]["stream"], now.workspace["rng"]["stream"]):
        return CHANCE
    return REVEALED if _revealed(last, now) else None


def _revealed(last: UndoPoint, now: State) -> bool:
    """Whether what the player sees now could depend on what was hidden from them before.

    Nothing is tried out: reads and writes of the rules are traced. Hidden is what `conceal` deals anew. An action has
    revealed nothing if it reads none of that, and if what it has not written is still hidden and not read by `observe`;
    where it is declared what is hidden, `observe` reads no more of it than whether something lies there.
    """
    if not (hidden := _hidden(last.before, last.seat)):
        return False
    read, written = last.before.traced(lambda game: game.apply_action(last.action))
    if hidden & read:
        return True
    left = hidden - written
    if now.game.secrets is None and left & now.traced(lambda game: game.observation_tensor(last.seat))[0]:
        return True
    return not left <= _hidden(now, last.seat)


def _hidden(state: State, seat: int) -> frozenset[int]:
    """The fields of a state that a player cannot know: those that `conceal` writes with any of several streams."""
    found: frozenset[int] = frozenset()
    for stream in range(_STREAMS):
        found |= state.traced(partial(_deal_anew, seat, stream))[1]
    return found


def _deal_anew(seat: int, stream: int, game: State) -> None:
    game.conceal(seat, _STREAM_STEP * (stream + 1))
