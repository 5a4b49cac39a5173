"""The field: hexagons joined by sides, odd rows shifted right by half a cell, edges, holes, two kinds of cell."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from influence_position import Place, Position, at, middle, name, position, step

from common.effort import share
from playmill import PlaymillError
from playmill.games.influence.actions import END_ATTACK
from playmill.games.influence.constants import CELLS, SIDES


def neighbours(game: Position, place: str) -> list[str]:
    """The neighbours of a cell by the packed table: east, south-east, south-west, west, north-west, north-east."""
    table = game.cfg.neighbour
    found = [table[game.numbers[at(place)], side] for side in range(SIDES)]
    return [name(game.places[cell]) if cell >= 0 else "" for cell in found]


def open_field(*rows: str) -> Position:
    """A field of weak cells and holes, with two players in its first corner."""
    first = ["A2", "B2", *rows[0][2:]]
    return position(" / ".join(" ".join(row) for row in (first, *rows[1:])))


FIVE = open_field("-----", "-----", "-----", "-----", "-----")


def test_cell_of_an_even_row_borders_above_and_below_on_its_own_column_and_the_one_to_the_left() -> None:
    assert neighbours(FIVE, "2,2") == ["2,3", "3,2", "3,1", "2,1", "1,1", "1,2"]


def test_cell_of_an_odd_row_borders_above_and_below_on_its_own_column_and_the_one_to_the_right() -> None:
    assert neighbours(FIVE, "1,2") == ["1,3", "2,3", "2,2", "1,1", "0,2", "0,3"]
    assert neighbours(FIVE, "3,1") == ["3,2", "4,2", "4,1", "3,0", "2,1", "2,2"]


@pytest.mark.parametrize(
    ("corner", "expected"),
    [
        ("0,0", ["0,1", "1,0", "", "", "", ""]),
        ("0,4", ["", "1,4", "1,3", "0,3", "", ""]),
        ("4,0", ["4,1", "", "", "", "", "3,0"]),
        ("4,4", ["", "", "", "4,3", "3,3", "3,4"]),
        ("1,0", ["1,1", "2,1", "2,0", "", "0,0", "0,1"]),
        ("1,4", ["", "", "2,4", "1,3", "0,4", ""]),
        ("2,0", ["2,1", "3,0", "", "", "", "1,0"]),
        ("2,4", ["", "3,4", "3,3", "2,3", "1,3", "1,4"]),
        ("0,2", ["0,3", "1,2", "1,1", "0,1", "", ""]),
        ("4,2", ["4,3", "", "", "4,1", "3,1", "3,2"]),
    ],
)
def test_field_ends_at_its_edges(corner: str, expected: list[str]) -> None:
    assert neighbours(FIVE, corner) == expected


def test_bottom_edge_of_an_odd_row() -> None:
    game = open_field("---", "---")
    assert neighbours(game, "1,0") == ["1,1", "", "", "", "0,0", "0,1"]
    assert neighbours(game, "1,2") == ["", "", "", "1,1", "0,2", ""]


def test_hole_is_nobodys_neighbour_and_cells_do_not_reach_over_it() -> None:
    game = open_field("-----", "--.--", "-----")
    assert neighbours(game, "1,1") == ["", "2,2", "2,1", "1,0", "0,1", "0,2"]
    assert neighbours(game, "1,3") == ["1,4", "2,4", "2,3", "", "0,3", "0,4"]
    assert neighbours(game, "0,2") == ["0,3", "", "1,1", "0,1", "", ""]
    assert neighbours(game, "0,3") == ["0,4", "1,3", "", "0,2", "", ""]
    assert neighbours(game, "2,2") == ["2,3", "", "", "2,1", "1,1", ""]
    assert neighbours(game, "2,3") == ["2,4", "", "", "2,2", "", "1,3"]


def test_one_row_and_one_column() -> None:
    row = open_field("----")
    assert neighbours(row, "0,1") == ["0,2", "", "", "0,0", "", ""]
    column = position("A2 / B2 / - / -")
    assert neighbours(column, "0,0") == ["", "1,0", "", "", "", ""]
    assert neighbours(column, "1,0") == ["", "", "2,0", "", "0,0", ""]
    assert neighbours(column, "2,0") == ["", "3,0", "", "", "", "1,0"]
    assert neighbours(column, "3,0") == ["", "", "", "", "2,0", ""]


def test_cell_surrounded_by_holes_has_no_neighbour() -> None:
    game = position("A2 . - / . . - / - - B2")
    assert neighbours(game, "0,0") == [""] * SIDES
    assert game.legal() == ["end"]


def test_cells_are_numbered_row_by_row_without_the_holes() -> None:
    game = position(". A2 / B2 . / - -!")
    assert game.places == [(0, 1), (1, 0), (2, 0), (2, 1)]
    assert game.cfg.cells == 4
    assert list(game.s.owner[:5]) == [1, 2, 0, 0, 0]
    assert list(game.cfg.capacity[:5]) == [8, 8, 8, 12, 0]


def test_strong_cells_hold_12_and_weak_cells_8() -> None:
    game = position("A1 B1! / -! -")
    assert list(game.cfg.capacity[:4]) == [8, 12, 12, 8]
    small = position("A1 B1! / -! -", weak_capacity=3, strong_capacity=5)
    assert list(small.cfg.capacity[:4]) == [3, 5, 5, 3]


@st.composite
def maps(draw: st.DrawFn) -> list[str]:
    """Any map of a few rows with two cells at least."""
    width = draw(st.integers(1, 8))
    rows = draw(st.lists(st.text("wS.", min_size=width, max_size=width), min_size=1, max_size=8))
    if sum(len(row) - row.count(".") for row in rows) < 2:
        rows.append(draw(st.sampled_from(["w", "S"])) * width)
        rows.append("w" * width)
    return rows


@settings(max_examples=share(150), deadline=None, derandomize=True, database=None)
@given(maps())
def test_neighbours_are_the_cells_whose_middles_lie_closest_and_both_directions_agree(rows: list[str]) -> None:
    game = Position(rows, 2)
    table = game.cfg.neighbour
    for cell, place in enumerate(game.places):
        for side in range(SIDES):
            other = table[cell, side]
            assert other == game.numbers.get(step(place, side), -1)
            if other >= 0:
                assert table[other, (side + 3) % SIDES] == cell
        near = [other for other in game.places if _touch(place, other)]
        assert sorted(near) == sorted(game.places[table[cell, side]] for side in range(SIDES) if table[cell, side] >= 0)
    assert all(table[cell, side] == -1 for cell in range(game.cfg.cells, CELLS) for side in range(SIDES))


def _touch(one: Place, other: Place) -> bool:
    """Whether two hexagons share a side: in half cells and rows their middles are (2, 0) or (1, 1) apart."""
    (x, y), (u, v) = middle(one), middle(other)
    return (abs(x - u), abs(y - v)) in ((2, 0), (1, 1))


@pytest.mark.parametrize("rows", [["w" * 64] * 4, ["wwww"] * 64, ["S" * 16] * 16])
def test_field_has_up_to_256_cells_in_up_to_64_rows_and_columns(rows: list[str]) -> None:
    game = Position(rows, 6)
    assert game.cfg.cells == CELLS == len(game.places)
    inner = [place for place in game.places if len(game.around(place)) == SIDES]
    assert len(inner) == (len(rows) - 2) * (len(rows[0]) - 2)


@pytest.mark.parametrize("rows", [["w" * 65], ["w"] * 65, ["w" * 16] * 17])
def test_field_has_no_more(rows: list[str]) -> None:
    with pytest.raises(PlaymillError):
        Position(rows, 2)


@pytest.mark.parametrize(
    ("place", "field"),
    [
        ("2,2", "B2 - - - - / - - - - - / - - A2 - - / - - - - - / - - - - -"),
        ("1,2", "B2 - - - - / - - A2 - - / - - - - - / - - - - - / - - - - -"),
    ],
)
def test_attack_in_each_direction_takes_the_neighbour_in_that_direction(place: str, field: str) -> None:
    start = position(field)
    assert start.legal_ids() == [SIDES * start.numbers[at(place)] + side for side in range(SIDES)] + [END_ATTACK]
    for target in neighbours(start, place):
        after = start.again().do(f"attack {place} {target}")
        assert after.owned(0) == sorted([at(place), at(target)])
        assert [after.influence(cell) for cell in after.owned(0)] == [1, 1]
        assert after.owned(1) == [(0, 0)]


def test_steps_in_all_directions_lead_once_around_a_cell() -> None:
    """The measure itself: neighbours of neighbours, clockwise, touch each other."""
    for place in ((2, 2), (3, 3)):
        ring = [step(place, side) for side in range(SIDES)]
        assert len(set(ring)) == SIDES
        assert all(_touch(one, other) for one, other in pairwise([*ring, ring[0]]))
