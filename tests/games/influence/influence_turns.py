"""Rotations and mirrors of maps by plain geometry, not by the code under test."""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable

from playmill.games.influence.maps.model import HOLE, Map, neighbours, places

Point = complex
Motion = Callable[[Point], Point]


def point(place: tuple[int, int]) -> Point:
    """The middle of a cell in the plane, y downwards."""
    row, column = place
    return complex(column + row % 2 / 2, row * math.sqrt(3) / 2)


def near(value: Point) -> tuple[float, float]:
    return round(value.real, 3) + 0.0, round(value.imag, 3) + 0.0


def images(made: Map, motion: Motion) -> list[int] | None:
    """For every cell the number of the cell it is moved to; None if one leaves the field."""
    cells = places(made.rows)
    numbers = {near(point(cell)): number for number, cell in enumerate(cells)}
    found = [numbers.get(near(motion(point(cell)))) for cell in cells]
    return None if None in found else [number for number in found if number is not None]


def rotation(made: Map, order: int) -> Motion:
    """Clockwise (on a screen) by 360°/order about the centre of gravity: the one point that a symmetry must leave."""
    cells = places(made.rows)
    centre = sum(map(point, cells)) / len(cells)
    turn = cmath.exp(2j * math.pi / order)
    return lambda z: centre + (z - centre) * turn


def mirror(made: Map, axis: int) -> Motion:
    """Left to right (0) or top to bottom (1)."""
    cells = places(made.rows)
    centre = sum(map(point, cells)) / len(cells)
    sign = -1 if axis == 0 else 1
    return lambda z: centre + sign * (z - centre).conjugate()


def starts_of(made: Map, players: int) -> list[int]:
    cells = places(made.rows)
    return [cells.index((row, column)) for row, column in made.starts[str(players)]]


def is_turned_onto_itself(made: Map, order: int) -> bool:
    """Whether a rotation keeps the kinds of cells and carries neighbours to neighbours, direction by direction."""
    moved = images(made, rotation(made, order))
    if moved is None or sorted(moved) != list(range(len(moved))):
        return False
    kinds = [cell for row in made.rows for cell in row if cell != HOLE]
    around = neighbours(made.rows)
    for cell, image in enumerate(moved):
        if kinds[cell] != kinds[image]:
            return False
        for side in range(6):
            other = around[cell][side]
            if around[image][(side + 6 // order) % 6] != (moved[other] if other >= 0 else -1):
                return False
    return True


def starts_are_turned(made: Map, players: int) -> bool:
    """Whether turning by 360°/players carries each start to the next one."""
    moved = images(made, rotation(made, players))
    starts = starts_of(made, players)
    return moved is not None and [moved[start] for start in starts] == starts[1:] + starts[:1]
