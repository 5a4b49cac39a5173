"""What may be taken back: a decision after which nobody knows more than before.

Never across another's action, never across chance, never across something hidden that has come to light.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from playmill.engine.run.state import State
from playmill.texts import Text
from playmill.web.moments import Moment

#: A shuffle may leave something where it was; with so many kinds of luck, all it deals is written.
_LUCKS = 3
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
    """Whether what the player sees now could depend on what she could not know before, whatever that was.

    Nothing is tried out: the rules are watched as they run. What she cannot know is what `conceal` deals anew. An
    action has told her nothing if it reads none of that, and if what it left alone is still hidden, and not looked at
    by `observe`.
    """
    if not (hidden := _hidden(last.before, last.seat)):
        return False
    read, written = last.before.traced(lambda game: game.apply_action(last.action))
    if hidden & read:
        return True
    left = hidden - written
    if left & now.traced(lambda game: game.observation_tensor(last.seat))[0]:
        return True
    return not left <= _hidden(now, last.seat)


def _hidden(state: State, seat: int) -> frozenset[int]:
    """The numbers of a state that a player cannot know: those that are dealt anew for her, by any luck tried."""
    found: frozenset[int] = frozenset()
    for luck in range(_LUCKS):
        found |= state.traced(partial(_deal_anew, seat, luck))[1]
    return found


def _deal_anew(seat: int, luck: int, game: State) -> None:
    game.conceal(seat, _OTHER_LUCK * (luck + 1))
