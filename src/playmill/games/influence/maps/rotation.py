"""Rotations of a field by a half, a third or a sixth: which cells they map onto one another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from playmill.games.influence.maps.hexes import EAST, SOUTH_EAST, SOUTH_WEST, Place, beside

#: Hexagons have three coordinates with the sum 0; the first two, in sixths, so that every centre of rotation is whole.
Point = tuple[int, int]
SIXTHS = 6
#: Where a rotation into itself can have its centre, by its order: in a cell, on a side, in a corner.
_SHARED_BY = {2: (1, 2), 3: (1, 3), 6: (1,)}


@dataclass(frozen=True)
class Rotation:
    """A rotation by 360°/`order` about a centre of the field."""

    order: int
    centre: Point

    def of(self, place: Place) -> Place:
        """Where a place goes, clockwise; it may lie outside the rectangle."""
        q, r = _point(place)
        q, r = q - self.centre[0], r - self.centre[1]
        for _ in range(6 // self.order):
            q, r = -r, q + r
        return _place((q + self.centre[0], r + self.centre[1]))

    def orbit(self, place: Place) -> tuple[Place, ...]:
        """The places that turning carries a place to, itself first; a centre is alone."""
        found = [place]
        while (further := self.of(found[-1])) != place:
            found.append(further)
        return tuple(found)


def orbits(rows: int, cols: int, turn: Rotation) -> list[tuple[Place, ...]]:
    """The cells of a rectangle that turning leaves inside it, those together that it carries to one another."""
    inside = {(row, column) for row in range(rows) for column in range(cols)}
    seen: set[Place] = set()
    found = []
    for place in sorted(inside):
        if place not in seen:
            orbit = turn.orbit(place)
            seen.update(orbit)
            if inside.issuperset(orbit):
                found.append(orbit)
    return found


def turned_field(rows: int, cols: int, order: int) -> list[tuple[Place, ...]]:
    """The largest field in a rectangle that a rotation of this order carries onto itself, as its orbits.

    It is moved to the top left, by an even number of rows, so that no row or column is there for nothing.
    """
    fields = [orbits(rows, cols, Rotation(order, centre)) for centre in centres(rows, cols, order)]
    best = max(fields, key=lambda field: sum(map(len, field)))
    up = min(row for orbit in best for row, _ in orbit) // 2 * 2
    left = min(column for orbit in best for _, column in orbit)
    return [tuple((row - up, column - left) for row, column in orbit) for orbit in best]


def centres(rows: int, cols: int, order: int) -> Iterator[Point]:
    """Points near the middle of a rectangle about which a rotation of this order carries cells onto cells."""
    for row in range(max(0, rows // 2 - 1), rows // 2 + 1):
        for column in range(max(0, cols // 2 - 1), cols // 2 + 1):
            place = (row, column)
            around = beside(place)
            for sides in ((), (EAST,), (SOUTH_EAST,), (SOUTH_WEST,), (EAST, SOUTH_EAST), (SOUTH_EAST, SOUTH_WEST)):
                cells = [place, *(around[side] for side in sides)]
                if len(cells) in _SHARED_BY[order]:
                    points = [_point(cell) for cell in cells]
                    yield sum(q for q, _ in points) // len(cells), sum(r for _, r in points) // len(cells)


def _point(place: Place) -> Point:
    row, column = place
    return SIXTHS * (column - row // 2), SIXTHS * row


def _place(point: Point) -> Place:
    q, r = point[0] // SIXTHS, point[1] // SIXTHS
    assert point == (SIXTHS * q, SIXTHS * r), point
    return r, q + r // 2
