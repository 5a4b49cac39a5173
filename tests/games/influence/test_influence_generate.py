"""The map generator: connected, fair by symmetry, true to the wishes, the same for the same seed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from influence_turns import Motion, images, is_turned_onto_itself, near, point, starts_are_turned, starts_of

from common.effort import share
from playmill.games.influence.constants import CELLS
from playmill.games.influence.maps.generate import CELLS_EACH, FAIR_FOR, generate
from playmill.games.influence.maps.hexes import distances
from playmill.games.influence.maps.model import Map, connected, places
from playmill.games.influence.maps.rotation import turned_field
from playmill.texts import PlaymillError

WISHES = {
    "rows": st.integers(1, 16),
    "cols": st.integers(1, 16),
    "holes": st.floats(0, 0.8),
    "strong": st.floats(0, 1),
    "symmetric": st.sampled_from([0, 2, 3, 6]),
    "seed": st.integers(0, 2**64),
}

#: Maps of seed 7: free, and of symmetry 3.
FREE = ["www.SS", ".S.w..", "wwwwww", "wSw.ww", "wSwSww"]
THREE = ["..wwSw.", ".ww.w..", "..wwSww", "wwS.www", ".S.wS.w", ".wwwwS.", "..ww.w."]


def made(wishes: dict[str, Any]) -> Map | None:
    """The map, or None where the wishes ask for a field that is too small or too large."""
    try:
        return generate(**wishes)
    except PlaymillError as error:
        assert "expected at" in error.text.en and "ожидается" in error.text.ru
        return None


def field_size(rows: int, cols: int, symmetric: int) -> int:
    return sum(map(len, turned_field(rows, cols, symmetric))) if symmetric else rows * cols


def reachable(total: int, unit: int, centre: bool) -> list[int]:
    """How many cells whole orbits can make up."""
    counts = range(0, total + 1, unit)
    return [count + more for count in counts for more in (0, 1)[: 1 + centre] if count + more <= total]


@given(st.fixed_dictionaries(WISHES))
@settings(deadline=None, max_examples=share(150))
def test_a_map_is_connected_symmetric_and_fair(wishes: dict[str, Any]) -> None:
    field = made(wishes)
    if field is None:
        return
    assert connected(field.rows)
    order = wishes["symmetric"]
    assert set(field.starts) == {str(number) for number in FAIR_FOR[order]}
    if order:
        assert is_turned_onto_itself(field, order)
    for players in FAIR_FOR[order]:
        assert starts_are_turned(field, players)
        assert len(places(field.rows)) >= CELLS_EACH * players


@given(st.fixed_dictionaries(WISHES))
@settings(deadline=None, max_examples=share(150))
def test_the_shares_are_met_as_nearly_as_symmetry_permits(wishes: dict[str, Any]) -> None:
    field = made(wishes)
    if field is None:
        return
    order = wishes["symmetric"]
    unit = order or 1
    total = field_size(wishes["rows"], wishes["cols"], order)
    cells = len(places(field.rows))
    assert 2 <= cells <= CELLS
    wish = wishes["holes"] * total
    best = min(abs(count - wish) for count in reachable(total, unit, total % unit == 1))
    # The nearest number may break the field, or pass a limit; then it is the next one.
    assert best - 1e-9 <= abs(total - cells - wish) <= best + unit
    if order == 0 and total <= CELLS:
        assert abs(total - cells - wish) == pytest.approx(best)
    strong = sum(row.count("S") for row in field.rows)
    wish = wishes["strong"] * cells
    best = min(abs(count - wish) for count in reachable(cells, unit, unit > 1 and cells % unit == 1))
    assert abs(strong - wish) == pytest.approx(best)


@given(st.fixed_dictionaries(WISHES))
@settings(deadline=None, max_examples=share(40))
def test_the_same_seed_gives_the_same_map(wishes: dict[str, Any]) -> None:
    assert made(wishes) == made(wishes)


def test_another_seed_gives_another_map() -> None:
    for symmetric in FAIR_FOR:
        assert len({str(generate(9, 9, symmetric=symmetric, seed=seed).rows) for seed in range(20)}) == 20


def test_the_luck_is_the_same_on_every_machine() -> None:
    assert generate(5, 6, holes=0.2, seed=7).rows == FREE
    assert generate(7, 7, holes=0.2, symmetric=3, seed=7).rows == THREE


@pytest.mark.parametrize("symmetric", [0, 2, 3, 6])
@pytest.mark.parametrize("holes", [0.0, 0.3, 0.6, 0.75])
def test_many_holes_leave_one_field(symmetric: int, holes: float) -> None:
    for seed in range(5):
        field = generate(12, 12, holes=holes, symmetric=symmetric, seed=seed)
        assert connected(field.rows)


@pytest.mark.parametrize("rows", range(1, 9))
@pytest.mark.parametrize("cols", range(2, 9))
def test_half_a_turn_loses_no_more_than_it_must(rows: int, cols: int) -> None:
    if rows * cols < 5:
        return
    field = generate(rows, cols, holes=0, symmetric=2)
    # Odd rows stick out by half a cell; where the number of rows is odd, nothing sticks out on the other side, and
    # either those half cells' cells are lost or, in a narrow field, one whole row.
    lost = min(rows // 2, cols) if rows % 2 else 0
    assert len(places(field.rows)) == rows * cols - lost
    if lost < cols:
        assert (len(field.rows), len(field.rows[0])) == (rows, cols)


def rotations(rows: int, cols: int, order: int) -> list[Motion]:
    """All rotations about a point of a rectangle that could be a symmetry: of a cell, a side or a corner."""
    from cmath import exp, pi

    turn = exp(2j * pi / order)
    cells = [point((row, column)) for row in range(rows) for column in range(cols)]
    sides = [(a + b) / 2 for a in cells for b in cells if abs(abs(a - b) - 1) < 1e-9] if order == 2 else []
    corners = [cell + 1j / 3**0.5 * sign for cell in cells for sign in (-1, 1)] if order == 3 else []
    return [lambda z, c=centre: c + (z - c) * turn for centre in [*cells, *sides, *corners]]


@pytest.mark.parametrize("order", [2, 3, 6])
@pytest.mark.parametrize(("rows", "cols"), [(1, 1), (2, 5), (3, 3), (4, 4), (5, 4), (4, 7), (6, 3), (6, 6)])
def test_the_field_is_the_largest_of_its_symmetry(order: int, rows: int, cols: int) -> None:
    cells = {near(point((row, column))): point((row, column)) for row in range(rows) for column in range(cols)}
    most = 0
    for motion in rotations(rows, cols, order):
        stays = 0
        for z in cells.values():
            orbit = [z]
            for _ in range(order - 1):
                orbit.append(motion(orbit[-1]))
            stays += all(near(each) in cells for each in orbit)
        most = max(most, stays)
    assert field_size(rows, cols, order) == most


def test_a_regular_hexagon_fills_its_rectangle() -> None:
    for radius in range(1, 9):
        side = 2 * radius + 1
        field = generate(side, side, holes=0, symmetric=6) if radius > 1 else None
        assert field_size(side, side, 6) == 3 * radius * (radius + 1) + 1
        if field is not None:
            assert (len(field.rows), len(field.rows[0])) == (side, side)


def test_rows_and_columns_outside_the_hexagon_are_left_out() -> None:
    field = generate(12, 40, holes=0, symmetric=6)
    assert (len(field.rows), len(field.rows[0])) == (11, 11)
    assert is_turned_onto_itself(field, 6)


def gaps(field: Map, players: int) -> list[int]:
    cells = set(places(field.rows))
    starts = [(row, column) for row, column in field.starts[str(players)]]
    return [distances(cells, a)[b] for a in starts for b in starts if a < b]


def test_symmetric_starts_are_far_apart() -> None:
    field = generate(11, 11, holes=0, symmetric=6)
    assert min(gaps(field, 2)) == 10
    assert min(gaps(field, 3)) >= 7
    assert min(gaps(field, 6)) == 5
    assert min(gaps(generate(8, 10, holes=0, symmetric=2), 2)) >= 12


@pytest.mark.parametrize("players", range(2, 7))
def test_a_free_map_spreads_its_starts_when_asked(players: int) -> None:
    field = generate(10, 10, seed=3, players=players)
    assert list(field.starts) == [str(players)]
    assert len(set(starts_of(field, players))) == players
    assert min(gaps(field, players)) >= 5
    assert generate(10, 10, seed=3).starts == {}
    assert generate(10, 10, seed=3).rows == field.rows


def test_starts_for_one_number_of_players() -> None:
    every = generate(9, 9, symmetric=6, seed=1)
    only = generate(9, 9, symmetric=6, seed=1, players=3)
    assert set(every.starts) == {"2", "3", "6"} and set(only.starts) == {"3"}
    assert only.rows == every.rows


def test_no_and_all() -> None:
    field = generate(4, 5, holes=0, strong=0)
    assert field.rows == ["wwwww"] * 4
    assert generate(4, 5, holes=0, strong=1).rows == ["SSSSS"] * 4
    assert generate(3, 4, name="mine").name == "mine"
    assert generate(3, 4, seed=12).name == "3x4 12"


def test_the_largest_field() -> None:
    assert len(places(generate(16, 16, holes=0).rows)) == CELLS
    assert len(places(generate(4, 64, holes=0).rows)) == CELLS
    assert len(places(generate(20, 20, holes=0.36).rows)) == CELLS
    assert len(places(generate(18, 18, holes=0.21, symmetric=2).rows)) == CELLS


IMPOSSIBLE: list[tuple[dict[str, Any], str, str]] = [
    (
        {"rows": 1, "cols": 1},
        "1x1 has 1 cell; expected at least 2: a larger size",
        "в 1x1 клеток: 1; ожидается: не меньше 2, то есть размер побольше",
    ),
    (
        {"rows": 2, "cols": 9, "symmetric": 3},
        "a field of symmetry 3 in 2x9 has 3 cells; expected at least 6: a larger size",
        "в поле с симметрией 3 внутри 2x9 клеток: 3; ожидается: не меньше 6, то есть размер побольше",
    ),
    (
        {"rows": 3, "cols": 3, "symmetric": 6},
        "a field of symmetry 6 in 3x3 has 7 cells; expected at least 12: a larger size",
        "в поле с симметрией 6 внутри 3x3 клеток: 7; ожидается: не меньше 12, то есть размер побольше",
    ),
    (
        {"rows": 20, "cols": 20, "holes": 0.1},
        "20x20 with 10% holes has 360 cells; expected at most 256: a smaller size, or 36% holes",
        "в 20x20, если дыр 10%, клеток: 360; ожидается: не больше 256, то есть размер поменьше или 36% дыр",
    ),
    (
        {"rows": 6, "cols": 6, "holes": 0.97},
        "6x6 with 97% holes has 1 cell; expected at least 2: a larger size, or 94% holes",
        "в 6x6, если дыр 97%, клеток: 1; ожидается: не меньше 2, то есть размер побольше или 94% дыр",
    ),
    (
        {"rows": 5, "cols": 5, "holes": 0.6, "symmetric": 6},
        "5x5 with 60% holes has 8 cells; expected at least 12: a larger size, or 36% holes",
        "в 5x5, если дыр 60%, клеток: 8; ожидается: не меньше 12, то есть размер побольше или 36% дыр",
    ),
    ({"rows": 0, "cols": 5}, "0 rows; expected 1 to 64", "рядов: 0; ожидается: от 1 до 64"),
    ({"rows": 5, "cols": 65}, "65 columns; expected 1 to 64", "столбцов: 65; ожидается: от 1 до 64"),
    (
        {"rows": 5, "cols": 5, "holes": -0.5},
        "a share of holes of -0.5; expected 0 to 1",
        "доля дыр: -0.5; ожидается: от 0 до 1",
    ),
    (
        {"rows": 5, "cols": 5, "strong": 25.0},
        "a share of strong cells of 25; expected 0 to 1",
        "доля сильных клеток: 25; ожидается: от 0 до 1",
    ),
    (
        {"rows": 5, "cols": 5, "symmetric": 4},
        "symmetric 4; expected 0 (free), 2, 3 or 6",
        "симметрия 4; ожидается: 0 (без неё), 2, 3 или 6",
    ),
    (
        {"rows": 5, "cols": 5, "symmetric": 2, "players": 3},
        "starts for 3 players on a map of symmetry 2; expected for: 2",
        "старты для 3 игроков на карте с симметрией 2; ожидается: для 2",
    ),
    (
        {"rows": 5, "cols": 5, "players": 1},
        "starts for 1 player; expected for: 2, 3, 4, 5, 6",
        "старты для 1 игрока; ожидается: для 2, 3, 4, 5, 6",
    ),
    (
        {"rows": 3, "cols": 3, "players": 6},
        "3x3 has 9 cells; expected at least 12: a larger size",
        "в 3x3 клеток: 9; ожидается: не меньше 12, то есть размер побольше",
    ),
]


@pytest.mark.parametrize(("wishes", "en", "ru"), IMPOSSIBLE, ids=[case[1] for case in IMPOSSIBLE])
def test_impossible_wishes_get_one_sentence(wishes: dict[str, Any], en: str, ru: str) -> None:
    with pytest.raises(PlaymillError) as caught:
        generate(**wishes)
    assert caught.value.text == (en, ru)


def test_the_suggested_share_of_holes_is_enough() -> None:
    for rows, cols in ((16, 17), (17, 19), (20, 21), (25, 24), (31, 30)):
        room = rows * cols
        enough = -(-100 * (room - CELLS) // room)
        assert len(places(generate(rows, cols, holes=enough / 100).rows)) <= CELLS


def test_a_judge_of_symmetry_that_can_say_no() -> None:
    field = generate(5, 5, holes=0, strong=0, symmetric=6)
    rows = [*field.rows]
    rows[0] = rows[0].replace("w", "S", 1)
    assert is_turned_onto_itself(field, 6)
    assert not is_turned_onto_itself(Map(name="x", rows=rows), 6)
    assert images(Map(name="x", rows=["www", "w.."]), lambda z: z + 1) is None
