"""Clauses of Connect Four."""

from __future__ import annotations

import numpy as np
import pytest

from common.found import game_of
from playmill import State
from playmill.engine.contract.game import folder_of


def after(*columns: int) -> State:
    """The game after discs in these columns, counted from 1."""
    state = State(game_of("connect4"), interpreted=True)
    for column in columns:
        state.apply_action(column - 1)
    return state


@pytest.mark.parametrize(
    "columns",
    [
        (1, 1, 2, 2, 3, 3, 4),
        (1, 2, 1, 2, 1, 2, 1),
        (1, 2, 2, 3, 3, 4, 3, 4, 4, 6, 4),
        (7, 6, 6, 5, 5, 4, 5, 4, 4, 2, 4),
    ],
    ids=["along a row", "up a column", "rising", "falling"],
)
def test_four_in_a_row_win_in_every_direction(columns: tuple[int, ...]) -> None:
    assert not after(*columns[:-1]).is_terminal()
    assert after(*columns).returns() == [1.0, -1.0]


def test_a_full_column_is_no_option() -> None:
    assert after(3, 3, 3, 3, 3, 3).legal_actions() == [0, 1, 3, 4, 5, 6]


def test_a_full_board_without_a_line_is_a_draw() -> None:
    state = after(1)
    board = np.array([[1, 1, 2, 2, 1, 1, 2], [2, 2, 1, 1, 2, 2, 1]] * 3)
    record = np.zeros(1, state.game.state)
    record["board"], record["discs"], record["winner"], record["player"] = board, 41, -1, 1
    record["board"][0, 0, 6] = 0
    state.put_record(record)
    state.apply_action(6)
    assert state.is_terminal() and state.returns() == [0.0, 0.0]


def test_the_line_may_be_shorter() -> None:
    state = State("examples/connect4", config={"line": 3}, interpreted=True)
    for column in (0, 0, 1, 1, 2):
        state.apply_action(column)
    assert state.is_terminal()


def test_it_has_a_hundred_lines_in_all_as_the_page_says() -> None:
    folder = folder_of(game_of("connect4"))
    lines = {
        file.stem: len(file.read_text(encoding="utf-8").splitlines())
        for file in folder.glob("*.py")
        if file.stem != "invariants"
    }
    assert sum(lines.values()) <= 100
    page = (folder.parents[1] / "docs" / "new_game.md").read_text(encoding="utf-8").replace("\n", " ")
    assert f"{lines['config']} lines of numbers, {lines['rules']} of rules, {lines['words']} of words" in page
