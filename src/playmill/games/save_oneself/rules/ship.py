"""The ship of Save Oneself: it comes, sails (step 5 of a round), turns, sees a signal or is gone."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import rule
from playmill.games.save_oneself.constants import (
    BOTTLE,
    BY_BEACON,
    BY_MESSAGE,
    BY_SOS,
    HIGHER_GROUND,
    ISLAND,
    LINES,
    LIT_BEACON,
    MESSAGE,
    MIRAGE,
    NE,
    NO_SHIP,
    NOBODY,
    NW,
    PIRATES,
    ROCKS,
    SEA_SERPENT,
    SHIP_GONE,
    SHIP_SIGHTED,
    SOS,
    SW,
    column_of,
    rectangle,
    row_of,
)
from playmill.games.save_oneself.rules.sides import end, is_up, show_front

#: What a ship's row and column change by, by its course.
_SAILS_SOUTH = np.array([1, 0, -1, 0])
_SAILS_EAST = np.array([0, -1, 0, 1])
_SIGNALS = 1 << SOS | 1 << LIT_BEACON | 1 << MESSAGE


@rule
def sail(cfg: Any, s: Any) -> None:
    """The ship stays this once, is driven off by pirates, or moves; then it sees a signal, or may be gone."""
    if s.ship == NO_SHIP:
        return
    if s.waiting != 0:
        s.waiting = 0
        return
    if is_up(s, PIRATES):
        drive_off(cfg, s)
        return
    if is_up(s, SHIP_SIGHTED) and s.turned == 0 and _at_corner(s, (s.ship + 1) % 4):
        s.ship = (s.ship + 1) % 4
        s.turned = 1
    sail_on(s)
    if is_up(s, SEA_SERPENT) and _next_to_ship(s, s.cell[MIRAGE]):
        sail_on(s)
    look_out(s)
    if s.player != NOBODY and (_too_far(s.ship_row, s.island_north) or _too_far(s.ship_column, s.island_west)):
        end(s, SHIP_GONE)


@rule
def sail_on(s: Any) -> None:
    """NE sails south along the east shore, SE west, SW north, NW east."""
    s.ship_row += _SAILS_SOUTH[s.ship]
    s.ship_column += _SAILS_EAST[s.ship]


@rule
def ship_comes(s: Any, corner: int) -> None:
    """A ship lies diagonally outside a corner of the box and fixes the island: four by four cells from that corner."""
    s.ship = corner
    s.ships += 1
    s.waiting = 1
    s.turned = 0
    s.island_north = s.north if corner == NE or corner == NW else s.south - ISLAND + 1
    s.island_west = s.west if corner == SW or corner == NW else s.east - ISLAND + 1
    s.ship_row = corner_row(s, corner)
    s.ship_column = corner_column(s, corner)
    s.room = rectangle(s.island_north, s.island_west, ISLAND, ISLAND)


@rule
def corner_row(s: Any, corner: int) -> int:
    """The row diagonally outside a corner of the island."""
    return s.island_north - 1 if corner == NE or corner == NW else s.island_north + ISLAND


@rule
def corner_column(s: Any, corner: int) -> int:
    """The column diagonally outside a corner of the island."""
    return s.island_west - 1 if corner == SW or corner == NW else s.island_west + ISLAND


@rule
def _at_corner(s: Any, corner: int) -> bool:
    return s.ship_row == corner_row(s, corner) and s.ship_column == corner_column(s, corner)


@rule
def _next_to_ship(s: Any, cell: int) -> bool:
    return abs(row_of(cell) - s.ship_row) + abs(column_of(cell) - s.ship_column) == 1


@rule
def drive_off(cfg: Any, s: Any) -> None:
    """The pirates take the ship out of the game, and its island; they leave a compass."""
    s.ship = NO_SHIP
    open_room(s)
    show_front(cfg, s, PIRATES)


@rule
def open_room(s: Any) -> None:
    """Without a ship: every cell that leaves at most four different rows and columns."""
    rows = LINES - (s.south - s.north)
    columns = LINES - (s.east - s.west)
    s.room = rectangle(s.south - ISLAND + 1, s.east - ISLAND + 1, rows, columns)


@rule
def look_out(s: Any) -> None:
    """The game is won if somebody on board of a ship in play sees a signal."""
    if s.sides & _SIGNALS == 0 or s.ship == NO_SHIP:
        return
    if is_up(s, SOS) and row_of(s.cell[ROCKS]) == s.ship_row:
        end(s, BY_SOS)
    elif is_up(s, LIT_BEACON) and column_of(s.cell[HIGHER_GROUND]) == s.ship_column:
        end(s, BY_BEACON)
    elif is_up(s, MESSAGE) and _next_to_ship(s, s.cell[BOTTLE]) and not _on_island_corner(s, s.cell[BOTTLE]):
        end(s, BY_MESSAGE)


@rule
def _on_island_corner(s: Any, cell: int) -> bool:
    row, column = row_of(cell) - s.island_north, column_of(cell) - s.island_west
    return (row == 0 or row == ISLAND - 1) and (column == 0 or column == ISLAND - 1)


@rule
def _too_far(line: int, first: int) -> bool:
    return line < first - 1 or line > first + ISLAND
