"""Parses a whole defence given as one list of cells and points, for Python agents and programs."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import PlaymillError, WrongListError
from playmill.games.influence.actions import AUTO, PLACE
from playmill.games.influence.config import Config
from playmill.games.influence.constants import DEFENDING
from playmill.games.influence.words.names import board_of, capacities, points_word


def parse_list(config: Config, s: np.void, answer: Any) -> list[int]:
    """The points of a list `[[[row, column], points], …]`, one by one; it must place all that are left.

    One that cannot be is replaced by `auto`.
    """
    if s["phase"] != DEFENDING:
        raise PlaymillError("a list of points is for the defence", "список очков — для обороны")
    numbers, player, left = board_of(config).numbers, int(s["player"]), int(s["points"])
    room = {
        cell: capacity - int(s["influence"][cell])
        for cell, capacity in enumerate(capacities(config))
        if s["owner"][cell] == player + 1
    }
    actions: list[int] = []
    for entry in answer:
        place, points = _read(entry)
        name, cell = f"{place[0]}.{place[1]}", numbers.get(place)
        if cell is None or cell not in room:
            raise _wrong(f"cell {name} is not yours", f"клетка {name} не ваша")
        if points > room[cell]:
            raise _wrong(
                f"cell {name} has room for {room[cell]}, not for {points}",
                f"на клетке {name} места на {room[cell]}, а не на {points}",
            )
        room[cell] -= points
        actions += [PLACE + cell] * points
    if len(actions) != left:
        wanted = points_word(left)
        raise _wrong(
            f"{wanted.en} to place, and the list has {len(actions)}", f"нужно {wanted.ru}, в списке {len(actions)}"
        )
    return actions


def _read(entry: Any) -> tuple[tuple[int, int], int]:
    """A cell and its points."""
    match entry:
        case [[int(row), int(column)], int(points)] if points >= 1:
            return (row, column), points
    raise _wrong("an entry is [[row, column], points]", "запись — это [[ряд, столбец], очки]")


def _wrong(en: str, ru: str) -> WrongListError:
    return WrongListError(AUTO, f"a distribution that cannot be: {en}", f"такого распределения быть не может: {ru}")
