"""Hexagons in staggered rows, as text: which characters are cells, which cells border on which."""

from __future__ import annotations

from collections.abc import Sequence

WEAK, STRONG, HOLE = "w", "S", "."
MAX_SIDE = 64
#: Directions clockwise from the right; the one three further on leads back.
EAST, SOUTH_EAST, SOUTH_WEST, WEST, NORTH_WEST, NORTH_EAST = range(6)
#: Row and column, counted from 0.
Place = tuple[int, int]


def places(rows: Sequence[str]) -> list[Place]:
    """The cells that are not holes, row by row: the number of a cell is its place in this list."""
    return [(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != HOLE]


def beside(place: Place) -> list[Place]:
    """The six places around one, by direction; odd rows are shifted right by half a cell."""
    row, column = place
    shift = row % 2
    return [
        (row, column + 1),
        (row + 1, column + shift),
        (row + 1, column - 1 + shift),
        (row, column - 1),
        (row - 1, column - 1 + shift),
        (row - 1, column + shift),
    ]


def neighbours(rows: Sequence[str]) -> list[list[int]]:
    """For every cell the numbers of the cells around it, by direction; -1 where there is none."""
    cells = places(rows)
    numbers = {place: number for number, place in enumerate(cells)}
    return [[numbers.get(other, -1) for other in beside(place)] for place in cells]


def distances(cells: set[Place], start: Place) -> dict[Place, int]:
    """How many steps over the cells each one is away from the first; those out of reach are not in it."""
    found = {start: 0}
    queue = [start]
    for place in queue:
        for other in beside(place):
            if other in cells and other not in found:
                found[other] = found[place] + 1
                queue.append(other)
    return found


def parts(rows: Sequence[str]) -> list[list[Place]]:
    """The pieces of a field between which there is no way, each row by row, the largest first."""
    left = set(places(rows))
    found = []
    while left:
        piece = distances(left, min(left))
        left -= piece.keys()
        found.append(sorted(piece))
    return sorted(found, key=len, reverse=True)


def connected(rows: Sequence[str]) -> bool:
    """Whether every cell can be reached from every other."""
    return len(parts(rows)) == 1
