"""What may be taken back: a decision after which nobody knows more than before.

Never across another's action, never across chance, never across something hidden that has come to light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from playmill.engine.state import State
from playmill.texts import Text
from playmill.web.moments import Moment

#: In so many worlds that the player could not tell from the true one a decision must look the same.
_WORLDS = 12
_OTHER_LUCK = 0x9E3779B97F4A7C15

NOTHING = Text("there is nothing to take back", "возвращать нечего")
NOT_YOURS = Text("the last decision was not yours", "последнее решение приняли не вы")
ACTED = Text("somebody else has acted since", "после этого уже действовал кто-то другой")
CHANCE = Text("chance has spoken: that cannot be taken back", "случай уже сказал своё: вернуть ход нельзя")
REVEALED = Text(
    "something hidden has come to light: that cannot be taken back", "открылось скрытое: вернуть ход нельзя"
)


@dataclass(frozen=True)
class Decided:
    """A decision and the game just before it; `version` is that of the moment it was made in."""

    seat: int
    action: int
    version: int
    before: State


def refused(last: Decided | None, seat: int | None, now: State, moments: Sequence[Moment]) -> Text | None:
    """Why a seat cannot take the last decision back; None if it can. `now` is the game just after it."""
    if last is None:
        return NOTHING
    if seat is None or last.seat != seat:
        return NOT_YOURS
    if any(moment.seat != seat for moment in moments[last.version + 1 :]):
        return ACTED
    if not np.array_equal(last.before.desk["luck"]["stream"], now.desk["luck"]["stream"]):
        return CHANCE
    return REVEALED if _revealed(last, now) else None


def _revealed(last: Decided, now: State) -> bool:
    """Whether what the player sees now depends on what she could not know before."""
    seen = now.observation_tensor(last.seat)
    for world in range(_WORLDS):
        other = last.before.clone()
        other.observer = None
        other.conceal(last.seat, _OTHER_LUCK * (world + 1))
        other.desk["luck"]["stream"] ^= np.uint64(_OTHER_LUCK * (2 * world + 1) & 0xFFFFFFFFFFFFFFFF)
        if last.action not in other.legal_actions():
            return True
        other.apply_action(last.action)
        if not np.array_equal(other.observation_tensor(last.seat), seen):
            return True
    return False
