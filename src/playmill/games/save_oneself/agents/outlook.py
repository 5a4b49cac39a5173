"""Estimates how likely a ship will see a signal, in thousandths, for the agent `survivor`.

A ship sails along one shore and, if it was sighted, along the next. A signal counts if it is there in time: if it is up
already, or if the player can be on higher ground and turn it over before the ship has passed. The order of the deck is
not looked at; which cards are still to come, everybody can tell.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from playmill.author import bit_count, lowest_bit, rule
from playmill.games.save_oneself.constants import (
    BOTTLE,
    CARD_IDS,
    COMPASS,
    FRONT,
    HIGHER_GROUND,
    ISLAND,
    LIT_BEACON,
    MESSAGE,
    MIRAGE,
    NE,
    NW,
    PIG,
    ROCKS,
    SE,
    SEA_SERPENT,
    SHELTER,
    SHIP_SIGHTED,
    SOS,
    SPEAR,
    STORM,
    STRIDE,
    SW,
    TELESCOPE,
    VINES,
    column_of,
    row_of,
)

FLINT = CARD_IDS.index("flint")
TORCH = FRONT + FLINT
#: No card, and no cell.
NONE = -1
NOWHERE = STRIDE * STRIDE - 1
FAR = 99

#: A signal that will be seen, less what may go wrong until then: for each move of the ship, for each card still to be
#: turned over on higher ground, and for each round until the player is there.
SURE = 1000
WAIT = 12
VISIT = 100
WAY = 30
#: One part in so many is left of a promise when there are not lives enough to see the ship come.
STARVING = 12
#: Without any promise: each move that the ship still makes is another card to lay, if there is a life for it.
TIME = 8

#: Sides that are signals or, while a ship waits, become one; and sides from which one is made on higher ground.
_SIGNALS = 1 << BOTTLE | 1 << MESSAGE | 1 << SOS | 1 << LIT_BEACON
_MAKINGS = 1 << ROCKS | 1 << TORCH | 1 << FLINT


class Ship(NamedTuple):
    """A ship in play, or one that may come."""

    course: int
    progress: int  # along its shore: -1 at the first corner, 0 to 3 beside the island, 4 at the next corner
    waiting: int
    turned: int
    north: int  # of its island
    west: int


class Camp(NamedTuple):
    """What the player has on the island, now or after what may be done."""

    sides: int  # that are up
    rocks: int  # their cells
    hill: int
    bottle: int
    serpent: int
    way: int  # moves to higher ground, beyond those of this round
    can_turn: int  # whether a card may still be turned over in this round
    lives: int


class Shore(NamedTuple):
    """One shore as a ship passes it: in `start` + i moves it is beside line i of the island, counted from 0."""

    course: int
    passed: int  # the last line that is behind it
    start: int
    skipped: int  # the line where the sea-serpent makes it move on at once
    visits: int  # what must be turned over on higher ground first, that the ship comes along here at all
    way: int  # the round of that visit
    visit: int  # the round in which a signal can be turned over there


@rule
def chance(ship: Any, camp: Any) -> int:
    """How likely a ship sees a signal that is up, or can be turned over in time."""
    visit = FAR
    again = 1 if camp.sides >> COMPASS & 1 else 2
    if camp.sides >> HIGHER_GROUND & 1:
        visit = camp.way
        if camp.way == 0 and camp.can_turn == 0:
            visit = again
        elif again == 1:
            visit = (camp.way + 1) // 2
    start = ship.waiting - ship.progress
    corner = start + ISLAND
    turns = 0
    if ship.turned == 0:
        if camp.sides >> SHIP_SIGHTED & 1:
            turns = 1
        elif camp.sides >> TELESCOPE & 1 and visit <= corner:
            turns = 2
    best = TIME * min(corner + 1 + (ISLAND + 1 if turns > 0 else 0), camp.lives)
    if camp.sides & _SIGNALS == 0 and (visit == FAR or camp.sides & _MAKINGS == 0):
        return best
    skipped = _skipped(ship, camp, ship.course, ship.progress)
    best = max(best, _along(ship, camp, Shore(ship.course, ship.progress, start, skipped, 0, 0, visit)))
    if turns > 0:
        course = (ship.course + 1) % 4
        start = corner + 1 - (1 if skipped < FAR else 0)
        skipped = _skipped(ship, camp, course, -1)
        if turns == 1:
            best = max(best, _along(ship, camp, Shore(course, -1, start, skipped, 0, 0, visit)))
        elif visit < start:
            best = max(best, _along(ship, camp, Shore(course, -1, start, skipped, 1, visit, visit + again)))
    return best


@rule
def _along(ship: Any, camp: Any, shore: Any) -> int:
    """The best promise of one shore: SOS if the ship passes rows there, the beacon if columns; and the message."""
    sides = camp.sides
    visit = shore.visit
    cell, signal, makings = camp.rocks, SOS, sides >> ROCKS & 1
    if shore.course == SE or shore.course == NW:
        cell, signal, makings = camp.hill, LIT_BEACON, sides >> TORCH & 1
        if makings == 0 and sides >> FLINT & 1:
            makings = sides >> VINES & 1
            visit = max(visit, 1)
    best = 0
    line = _line(ship, shore.course, cell)
    if line > shore.passed and line != shore.skipped:
        moves = shore.start + line - (1 if line > shore.skipped else 0)
        if sides >> signal & 1:
            best = _promise(moves, shore.visits, shore.way, camp.lives)
        elif makings != 0 and visit < moves:
            best = _promise(moves, shore.visits + 1, shore.way if shore.visits > 0 else visit, camp.lives)
    if _ashore(ship, shore.course, camp.bottle):
        line = _line(ship, shore.course, camp.bottle)
        if line > shore.passed and line != shore.skipped and (line == 1 or line == 2):
            moves = shore.start + line - (1 if line > shore.skipped else 0)
            if sides >> MESSAGE & 1:
                best = max(best, _promise(moves, shore.visits, shore.way, camp.lives))
            elif ship.waiting != 0 and camp.can_turn != 0:
                best = max(best, _promise(moves, shore.visits + 1, shore.way, camp.lives))
    return best


@rule
def _promise(moves: int, visits: int, way: int, lives: int) -> int:
    """What a signal is worth that the ship comes to in so many moves."""
    worth = SURE - WAIT * moves - VISIT * visits - WAY * way
    return worth if lives > moves else worth // STARVING


@rule
def _skipped(ship: Any, camp: Any, course: int, passed: int) -> int:
    """The line of a shore at which the sea-serpent makes the ship move on at once."""
    if camp.sides >> SEA_SERPENT & 1 and _ashore(ship, course, camp.serpent):
        line = _line(ship, course, camp.serpent)
        if line > passed:
            return line
    return FAR


@rule
def _line(ship: Any, course: int, cell: int) -> int:
    """Which row, or column, of the island a cell lies in, counted as a ship on a course passes them."""
    if course == NE:
        return row_of(cell) - ship.north
    if course == SW:
        return ship.north + ISLAND - 1 - row_of(cell)
    if course == NW:
        return column_of(cell) - ship.west
    return ship.west + ISLAND - 1 - column_of(cell)


@rule
def _ashore(ship: Any, course: int, cell: int) -> bool:
    """Whether a cell lies on the shore of a course."""
    if course == NE:
        return column_of(cell) == ship.west + ISLAND - 1
    if course == SW:
        return column_of(cell) == ship.west
    if course == NW:
        return row_of(cell) == ship.north
    return row_of(cell) == ship.north + ISLAND - 1


# Ships


@rule
def _ship(course: int, progress: int, waiting: int, turned: int, north: int, west: int) -> Any:
    """Makes all ships of the same type: numbers passed to a rule are all of one width."""
    return Ship(course, progress, waiting, turned, north, west)


@rule
def present_ship(s: Any) -> Any:
    """The ship in play."""
    progress = s.ship_row - s.island_north
    if s.ship == SW:
        progress = s.island_north + ISLAND - 1 - s.ship_row
    elif s.ship == NW:
        progress = s.ship_column - s.island_west
    elif s.ship == SE:
        progress = s.island_west + ISLAND - 1 - s.ship_column
    return _ship(s.ship, progress, s.waiting, s.turned, s.island_north, s.island_west)


@rule
def coming_ship(s: Any, corner: int, here: int) -> Any:
    """The ship that a card would bring if it were laid on a cell."""
    north = min(s.north, row_of(here))
    if corner == SE or corner == SW:
        north = max(s.south, row_of(here)) - ISLAND + 1
    west = min(s.west, column_of(here))
    if corner == NE or corner == SE:
        west = max(s.east, column_of(here)) - ISLAND + 1
    return _ship(corner, -1, 1, 0, north, west)


@rule
def one_day(cfg: Any, s: Any, ships: int, camp: Any, here: int) -> int:
    """The chance with the next ship, whichever of some cards brings it."""
    if ships == 0:
        return 0
    total = 0
    left = ships
    while left != 0:
        total += chance(coming_ship(s, cfg.corner[lowest_bit(left)], here), camp)
        left &= left - 1
    return total // bit_count(ships)


# The field


@rule
def camp_of(s: Any, sides: int, card: int, here: int, moves: int, can_turn: int, lives: int) -> Any:
    """The camp with these sides up, and a card (or none) just laid where the player stands.

    Other higher ground than that card is so many moves away.
    """
    bottle = NOWHERE
    if sides & (1 << BOTTLE | 1 << MESSAGE):
        bottle = here if card == BOTTLE else s.cell[BOTTLE]
    rocks = here if card == ROCKS else s.cell[ROCKS]
    hill = here if card == HIGHER_GROUND else s.cell[HIGHER_GROUND]
    return Camp(sides, rocks, hill, bottle, s.cell[MIRAGE], 0 if card == HIGHER_GROUND else moves, can_turn, lives)


@rule
def harm(cfg: Any, sides: int, card: int) -> int:
    """The lives it costs to enter a card while these sides are up."""
    if cfg.back_lives[card] >= 0 or sides >> card & 1 == 0:
        return 0
    if (card == PIG and sides >> SPEAR & 1) or (card == STORM and sides >> SHELTER & 1):
        return 0
    return -cfg.back_lives[card]


@rule
def around(cells: int) -> int:
    """The cells next to any of some cells; they may lie beyond the edge."""
    return cells << 1 | cells >> 1 | cells << STRIDE | cells >> STRIDE


@rule
def way_up(s: Any, cell: int, left: int) -> int:
    """The moves from a cell to higher ground, beyond those left in this round."""
    if s.sides >> HIGHER_GROUND & 1 == 0:
        return 0
    hill = s.cell[HIGHER_GROUND]
    return max(0, abs(row_of(cell) - row_of(hill)) + abs(column_of(cell) - column_of(hill)) - left)


@rule
def way_to_any(goals: int, cell: int, cells: int, most: int) -> int:
    """The moves from one cell to the nearest of several over some cells, at most so many."""
    reached = 1 << cell
    for moves in range(1, most):
        if around(reached) & goals:
            return moves
        reached |= around(reached) & cells
    return most
