"""Names beside the board that comes by itself: as the words of the game call its columns, rows or cells."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from common.found import game_of
from common.pictures import readable
from playmill import State
from playmill.defaults.board_labels import BoardLabels, labels_of

CELLS = [[row * 3 + column for column in range(3)] for row in range(2)]
COLUMNS = [[0, 1, 2]] * 2


@pytest.mark.parametrize(
    ("named", "found"),
    [
        (lambda cell: f"{'abc'[cell % 3]}{cell // 3 + 1}", BoardLabels(("a", "b", "c"), ("1", "2"))),
        (lambda cell: f"{cell // 3 + 1}-{cell % 3 + 1}", BoardLabels(("1", "2", "3"), ("1", "2"))),
        (lambda cell: f"({cell // 3}, {cell % 3})", BoardLabels(("0", "1", "2"), ("0", "1"))),
        (lambda cell: f"row {cell // 3 + 1}, column {cell % 3 + 1}", BoardLabels(("1", "2", "3"), ("1", "2"))),
        (str, BoardLabels(cells=(("0", "1", "2"), ("3", "4", "5")))),
        (lambda cell: f"cell number {cell}", BoardLabels()),
        (lambda cell: "here", BoardLabels()),
    ],
)
def test_a_name_of_two_parts_is_that_of_a_column_and_a_row(named: Callable[[int], str], found: BoardLabels) -> None:
    assert labels_of(named, CELLS) == found


def test_columns_that_are_clicked_whole_have_the_names_of_their_actions() -> None:
    assert labels_of(lambda column: str(column + 1), COLUMNS) == BoardLabels(columns=("1", "2", "3"))
    assert labels_of(lambda column: f"into column {column}", COLUMNS) == BoardLabels()
    assert labels_of(str, []) == BoardLabels()


def test_they_stand_beside_the_picture_and_the_board_in_text() -> None:
    state = State(game_of("connect4"), interpreted=True)
    assert "1234567" in "".join(readable(state.view(0, "en")).split())
    lines = state.position("en").splitlines()
    assert lines[lines.index("board:") + 1] == "  1 2 3 4 5 6 7"
