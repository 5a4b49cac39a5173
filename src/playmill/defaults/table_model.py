"""The table of a state that has a `board`, guessed: its cells, what a click on each does, and their names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from playmill.defaults.board_labels import labels_of
from playmill.engine.config.model import RuleConfig
from playmill.texts import Lang

if TYPE_CHECKING:
    from playmill.drawing.kit import Click, Thing


def guessed_table(
    rules: ModuleType, words: Any, config: RuleConfig, s: np.void, player: int | None, lang: Lang
) -> list[Thing]:
    """The field `board` of a state as a board: 0 is an empty cell, 1 a piece of the first player, and so on.

    Where the config has `rows` and `columns`, the board is that large. As many actions as columns are clicks on
    columns, as many as cells are clicks on cells; they are named as in the words of these actions.
    """
    from playmill.drawing.kit import Board

    field = np.asarray(s["board"])
    rows, columns = board_size(config, field.shape)
    shown: list[list[int]] = field[:rows, :columns].tolist()
    cells = [[value - 1 if value > 0 else None for value in row] for row in shown]
    clicks = board_clicks(rules.MAX_ACTIONS, field.shape, rows, columns)
    labels = labels_of(partial(words.to_text, config), clicks)
    return [Board(cells, clicks, labels.columns, labels.rows, labels.cells)]


def board_size(config: RuleConfig, most: Sequence[int]) -> tuple[int, int]:
    """How many rows and columns of a field `board` are played on."""
    rows, columns = (getattr(config, key, many) for key, many in zip(("rows", "columns"), most, strict=True))
    return int(rows), int(columns)


def has_board(state: np.dtype[np.void]) -> bool:
    """Whether a state has a field `board` with rows and columns."""
    return "board" in (state.names or ()) and len(state["board"].shape) == 2


def board_clicks(actions: int, most: Sequence[int], rows: int, columns: int) -> list[list[Click]]:
    """The action of a click on each cell, if there are as many actions as columns or as cells."""
    if actions == most[1]:
        return [[*range(columns)] for _ in range(rows)]
    if actions == most[0] * most[1]:
        return [[row * most[1] + column for column in range(columns)] for row in range(rows)]
    return []
