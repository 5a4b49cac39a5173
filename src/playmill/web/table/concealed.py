"""Positions as one seat may know them: what is hidden from it is dealt anew by the game's `conceal`.

The random stream of `conceal` is always the same here: of two positions that a seat cannot tell apart it makes the same
bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.lang.rule import SPECTATOR
from playmill.engine.run.state import State
from playmill.web.table.history import Moment
from playmill.web.table.state import GameTable

#: Pictures and positions of a table that are cached: everybody who sees the same gets the same one.
_MOST_CACHED = 24
_STREAM_STEP = 0x9E3779B97F4A7C15


def concealed(table: GameTable, record: np.void, seat: int | None, world: int = 0) -> np.void:
    """Returns a position as a seat may know it; None is a spectator, who knows what everybody sees.

    `world` is the number of one of the worlds that look the same to that seat.
    """
    assert table.game is not None
    state = table.state.clone()
    put = np.zeros(1, table.game.state)
    put[0] = record
    state.put_record(put)
    state.workspace["conceal_rng"]["stream"] = 0
    state.conceal(SPECTATOR if seat is None else seat, world * _STREAM_STEP)
    return state.record.copy()


def known_position(table: GameTable, moment: Moment, seat: int | None) -> np.void:
    """Returns the position after a moment as a seat may know it, cached at the table."""
    key = (moment.version, seat)
    if key not in table.known:
        trim(table.known)
        table.known[key] = concealed(table, moment.after, seat)
    return table.known[key]


def trim(cache: dict[Any, Any]) -> None:
    """Drops the oldest entries of a cache to which one more is about to be added."""
    while len(cache) >= _MOST_CACHED:
        cache.pop(next(iter(cache)), None)


def known_state(table: GameTable, seat: int) -> State:
    """Returns a fresh state with the position as a seat knows it, and with none of the true random streams."""
    assert table.game is not None
    state = State(table.game, players=table.facts.players, config=table.config, interpreted=True)
    put = np.zeros(1, table.game.state)
    put[0] = concealed(table, table.moments[-1].after, seat)
    state.put_record(put)
    return state
