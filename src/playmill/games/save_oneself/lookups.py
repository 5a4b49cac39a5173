"""Read-only lookups in a config and a state of Save Oneself: cards, cells, the ship, signals, the score.

A place is a row and a column. Cards lie in rows and columns 0 … 6; a ship may be two beyond an island, so beside these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from playmill.author import interpreted
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import (
    BY_BEACON,
    BY_MESSAGE,
    BY_SOS,
    CARD_IDS,
    CARDS,
    CELLS,
    CORNERS,
    FRONT,
    ISLAND,
    LINES,
    LIT_BEACON,
    MESSAGE,
    NE,
    NO_SHIP,
    NW,
    PIG,
    SHELTER,
    SHIP_SIGHTED,
    SOS,
    SPEAR,
    START,
    STORM,
    STRIDE,
    SW,
)
from playmill.games.save_oneself.rules import neighbour

Place = tuple[int, int]
#: In the order in which they are looked for.
SIGNALS = (SOS, LIT_BEACON, MESSAGE)
#: What protects from a card.
PROTECTION = {PIG: SPEAR, STORM: SHELTER}
#: By corner, how far a ship that began there goes in one move: rows and columns.
STEPS = ((1, 0), (0, -1), (-1, 0), (0, 1))


class Score(NamedTuple):
    """The points of a position, by where they come from."""

    fronts: int
    lives: int
    cards: int

    @property
    def total(self) -> int:
        return self.fronts + self.lives + self.cards


# Cards and sides


def is_up(s: np.void, side: int) -> bool:
    """Whether a side lies on the field, face up."""
    return bool(int(s["sides"]) >> side & 1)


def lies(s: np.void, card: int) -> bool:
    """Whether a card lies on the field, whichever side is up."""
    return is_up(s, card) or is_up(s, card + FRONT)


def side_up(s: np.void, card: int) -> int:
    """The side of a card on the field that is up."""
    return card if is_up(s, card) else card + FRONT


def card_at(s: np.void, cell: int) -> int | None:
    """The card on a cell, None if it is empty."""
    return int(s["card"][cell]) if 0 <= cell < CELLS and int(s["field"]) >> cell & 1 else None


def cards_on_field(s: np.void) -> list[int]:
    """The cards on the field, by number."""
    return [card for card in range(CARDS) if lies(s, card)]


def cards_in_deck(s: np.void) -> list[int]:
    """The cards still to come, by number: their order is nobody's business."""
    return [card for card in range(CARDS) if not lies(s, card)]


def is_guarded(s: np.void, side: int) -> bool:
    """Whether the player is protected from what a side takes."""
    return side in PROTECTION and is_up(s, PROTECTION[side])


def lives_of(config: Config, side: int) -> int:
    """What a side gives, or takes if less than 0."""
    card = config.cards[CARD_IDS[side % CARDS]]
    return card.lives if side < FRONT else card.front.lives


def points_of(config: Config, side: int) -> int:
    """What a side scores."""
    return config.cards[CARD_IDS[side - FRONT]].front.score if side >= FRONT else 0


def corner_of(config: Config, card: int) -> int | None:
    """The corner to which a revealed card brings a ship."""
    corner = config.cards[CARD_IDS[card]].corner
    return None if corner is None else CORNERS.index(corner)


# Cells


def cell_of(row: int, column: int) -> int | None:
    """The cell at a row and column, None where none can be."""
    return STRIDE * row + column if 0 <= row < LINES and 0 <= column < LINES else None


def cell_beside(cell: int, direction: int) -> int:
    """The cell next to one in a direction."""
    return int(interpreted(neighbour)(cell, direction))


def has_room(s: np.void, cell: int) -> bool:
    """Whether a card lies on a cell or may be laid there."""
    return bool(int(s["room"]) >> cell & 1)


def from_start(row: int, column: int) -> list[int]:
    """A row and a column, counted from where the player started."""
    return [row - START // STRIDE, column - START % STRIDE]


def box_lines(s: np.void) -> tuple[range, range]:
    """The rows and the columns of the smallest box around the cards."""
    return range(int(s["north"]), int(s["south"]) + 1), range(int(s["west"]), int(s["east"]) + 1)


def room_lines(s: np.void) -> tuple[range, range]:
    """The rows and the columns in which cards lie or may be laid."""
    if has_ship(s):
        return island_lines(s)
    rows, columns = box_lines(s)
    return range(rows[-1] - ISLAND + 1, rows[0] + ISLAND), range(columns[-1] - ISLAND + 1, columns[0] + ISLAND)


def lines_shown(s: np.void) -> tuple[range, range]:
    """The rows and columns in which there is something: cards, the island, the ship."""
    rows, columns = box_lines(s)
    if not has_ship(s):
        return rows, columns
    rows, columns = island_lines(s)
    row, column = ship_place(s)
    return (
        range(min(rows[0], row), max(rows[-1], row) + 1),
        range(min(columns[0], column), max(columns[-1], column) + 1),
    )


# The ship and the signals


def has_ship(s: np.void) -> bool:
    """Whether a ship is in play."""
    return bool(s["ship"] != NO_SHIP)


def ship_place(s: np.void) -> Place:
    """Row and column of the ship."""
    return int(s["ship_row"]), int(s["ship_column"])


def island_lines(s: np.void) -> tuple[range, range]:
    """The rows and the columns of the island that the ship has fixed."""
    north, west = int(s["island_north"]), int(s["island_west"])
    return range(north, north + ISLAND), range(west, west + ISLAND)


def is_island_corner(s: np.void, row: int, column: int) -> bool:
    """Whether a place is a corner cell of the island that the ship has fixed."""
    rows, columns = island_lines(s)
    return row in (rows[0], rows[-1]) and column in (columns[0], columns[-1])


def corner_place(s: np.void, corner: int) -> Place:
    """Row and column diagonally outside a corner of the island."""
    rows, columns = island_lines(s)
    return rows[0] - 1 if corner in (NE, NW) else rows[-1] + 1, columns[0] - 1 if corner in (SW, NW) else columns[
        -1
    ] + 1


def next_corner(corner: int) -> int:
    """The corner towards which a ship sails."""
    return (corner + 1) % len(CORNERS)


def will_turn(s: np.void) -> bool:
    """Whether the ship will turn at the end of its side."""
    return is_up(s, SHIP_SIGHTED) and not s["turned"]


def winning_places(s: np.void) -> Iterator[tuple[int, Place]]:
    """Where the ship of the island would see a signal that is up: the signal, and row and column of the ship."""
    rows, columns = island_lines(s)
    for signal in (side for side in SIGNALS if is_up(s, side)):
        row, column = divmod(int(s["cell"][signal - FRONT]), STRIDE)
        beside = [(row, columns[0] - 1), (row, columns[-1] + 1)]
        along = [(rows[0] - 1, column), (rows[-1] + 1, column)]
        if signal == MESSAGE:
            near = [place for place in beside + along if abs(place[0] - row) + abs(place[1] - column) == 1]
            yield from ((signal, place) for place in near if not is_island_corner(s, row, column))
        else:
            yield from ((signal, place) for place in (beside if signal == SOS else along))


def seen_signal(s: np.void) -> int | None:
    """The signal that won a finished game."""
    return {BY_SOS: SOS, BY_BEACON: LIT_BEACON, BY_MESSAGE: MESSAGE}.get(int(s["ending"]))


# The game


def score_of(config: Config, s: np.void) -> Score:
    """The score as it stands."""
    fronts = sum(points_of(config, side) for side in range(FRONT, 2 * FRONT) if is_up(s, side))
    return Score(fronts, int(s["lives"]), int(s["placed"]) // config.cards_per_point)


def is_won(s: np.void) -> bool:
    """Whether a signal was seen."""
    return BY_SOS <= int(s["ending"]) <= BY_MESSAGE
