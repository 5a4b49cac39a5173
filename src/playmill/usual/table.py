"""What lies on a table, said without drawing it: boards, hands of cards, facts; and a guess at it from a state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from playmill.engine.config import RuleConfig
from playmill.texts import Lang, Text

#: What a click on a thing does: an action; or actions that it is a part of, each done when all its parts are clicked.
Click = int | Sequence[int] | None


@dataclass(frozen=True)
class Board:
    """Cells in rows: a piece of a player by her seat, a sign of letters, or None for nothing; and what a click does.

    Cells with the same action are one thing to click, such as a column.
    """

    cells: Sequence[Sequence[int | str | None]]
    clicks: Sequence[Sequence[Click]] = ()


@dataclass(frozen=True)
class Hand:
    """Cards in a row under a title: the face of each, or None if it lies face down; and what a click on each does."""

    title: Text | str
    cards: Sequence[str | None]
    clicks: Sequence[Click] = ()


@dataclass(frozen=True)
class Facts:
    """Things to know, each with its name."""

    lines: Sequence[tuple[Text | str, Text | str | int]]


Thing = Board | Hand | Facts
#: `table(config, s, player, lang)`: what somebody sees lying there; without a player, what everybody does.
Table = Callable[[RuleConfig, np.void, int | None, Lang], Sequence[Thing]]


def guessed_table(rules: ModuleType, config: RuleConfig, s: np.void, player: int | None, lang: Lang) -> list[Thing]:
    """The field `board` of a state as a board: 0 is an empty cell, 1 a piece of the first player, and so on.

    Where the config has `rows` and `columns`, the board is that large. As many actions as columns are clicks on
    columns, as many as cells are clicks on cells.
    """
    field = np.asarray(s["board"])
    rows, columns = (getattr(config, key, most) for key, most in zip(("rows", "columns"), field.shape, strict=True))
    shown: list[list[int]] = field[:rows, :columns].tolist()
    cells = [[value - 1 if value > 0 else None for value in row] for row in shown]
    return [Board(cells, _clicks(rules.MAX_ACTIONS, field.shape, rows, columns))]


def has_board(state: np.dtype[np.void]) -> bool:
    """Whether a state has a field `board` with rows and columns."""
    return "board" in (state.names or ()) and len(state["board"].shape) == 2


def _clicks(actions: int, most: Sequence[Any], rows: int, columns: int) -> list[list[Click]]:
    if actions == most[1]:
        return [[*range(columns)] for _ in range(rows)]
    if actions == most[0] * most[1]:
        return [[row * most[1] + column for column in range(columns)] for row in range(rows)]
    return []
