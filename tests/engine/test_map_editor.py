"""A canvas is the same for any game: here of squares, four in a row."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from playmill.engine.contract.map_editor import (
    NOWHERE,
    Canvas,
    Drawing,
    Easel,
    Fact,
    Pins,
    Place,
    PlaceKind,
    Symmetry,
    is_alike,
    symmetries_of,
)
from playmill.texts import PlaymillError, Text

NAME = Text("a square", "квадрат")


def squares(rows: int, columns: int) -> Canvas:
    """Squares side by side, which a mirror or half a turn carries onto one another."""
    places = [Place(row, column, column + 0.5, row + 0.5) for row in range(rows) for column in range(columns)]
    mirrors = [(partial(_mirrored, total),) for total in (columns, columns - 1)]
    turn = [(lambda cell: (rows - 1 - cell[0], columns - 1 - cell[1]),)]
    symmetries = (Symmetry("mirror", NAME, 2, mirrors), Symmetry("turn", NAME, 2, turn))
    return Canvas((rows, columns), places, "M-.5-.5h1v1h-1z", columns, rows, symmetries)


def _mirrored(total: int, cell: tuple[int, int]) -> tuple[int, int]:
    return cell[0], total - cell[1]


def _drawn(value: Any) -> Drawing:
    kinds = tuple(int(sign) for row in value for sign in row)
    return Drawing("drawn", (len(value), len(value[0])), kinds, {"ends": (None, None)})


EASEL = Easel(
    path="board",
    title=NAME,
    called=NAME,
    kinds=[PlaceKind("0", NAME), PlaceKind("1", NAME), PlaceKind("2", NAME)],
    pins=[Pins("ends", NAME, 2)],
    usual=(2, 4),
    canvas=squares,
    drawn=_drawn,
    value=lambda drawing: drawing.kinds,
    text=str,
    mistakes=lambda value: (),
    facts=lambda drawing: [Fact(NAME, NAME)],
)


def test_steps_carry_places_onto_places_or_nowhere():
    canvas = squares(2, 4)
    best, other = canvas.images["mirror"]
    assert best == ((3, 2, 1, 0, 7, 6, 5, 4),), "the axis that loses no place comes first"
    assert other == ((NOWHERE, 3, 2, 1, NOWHERE, 7, 6, 5),)
    assert canvas.images["turn"] == [((7, 6, 5, 4, 3, 2, 1, 0),)]


def test_a_drawing_keeps_the_axis_that_it_has():
    canvas = squares(2, 4)
    mine = _drawn(["0121", "0010"])
    assert symmetries_of(canvas, mine)["mirror"] == canvas.images["mirror"][1]
    assert symmetries_of(canvas, _drawn(["1221", "0110"]))["mirror"] == canvas.images["mirror"][0]
    assert symmetries_of(canvas, EASEL.blank((2, 4), "x"))["mirror"] == canvas.images["mirror"][0], "nothing is alike"
    assert not is_alike(_drawn(["1121", "0010"]), canvas.images["mirror"][1]), "what is drawn has no image there"


def test_another_size_keeps_what_fits():
    drawing = Drawing("x", (2, 4), (1, 2, 0, 1, 0, 0, 2, 1), {"ends": (1, 7)})
    smaller = EASEL.resized(drawing, (1, 3))
    assert (smaller.kinds, smaller.pins) == ((1, 2, 0), {"ends": (1, None)})
    larger = EASEL.resized(drawing, (3, 5))
    assert larger.kinds == (1, 2, 0, 1, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0) and larger.pins == {"ends": (1, 8)}
    assert EASEL.resized(larger, (2, 4)) == drawing


def test_what_a_browser_sends_is_looked_through():
    sent = {"name": "x", "size": [1, 2], "kinds": [0, 2], "pins": {"ends": [1], "others": "ignored"}}
    assert EASEL.received(sent) == Drawing("x", (1, 2), (0, 2), {"ends": (1, None)})
    assert EASEL.received({**sent, "pins": {}}).pins == {"ends": (None, None)}
    for wrong in ({"kinds": [0, 3]}, {"kinds": [0.0, 1]}, {"size": [1]}, {"pins": {"ends": [1, 1]}}, {"name": None}):
        with pytest.raises(PlaymillError, match="no drawing"):
            EASEL.received({**sent, **wrong})
    for wrong in (None, [], 5, "x", {}):
        with pytest.raises(PlaymillError, match="no drawing"):
            EASEL.received(wrong)
