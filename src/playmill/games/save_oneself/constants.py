"""Constants of Save Oneself: cards and their sides, cells, corners, phases and endings, by number.

A card has two sides. Side `card` is its back, side `card + FRONT` its front; a set of sides is a mask of bits.
A cell is a number too, `STRIDE * row + column`: rows grow to the south and columns to the east, the first card lies in
the middle, and no card can come to lie more than three rows or columns away. A set of cells is a mask of bits as well;
the last column of each row is no cell, so that a step over the edge never leads to a cell on the other side.
"""

from __future__ import annotations

from playmill.author import rule

CARD_IDS = (
    "vines",
    "hook",
    "water",
    "flint",
    "palm-trees",
    "sticks",
    "bottle",
    "higher-ground",
    "telescope",
    "rocks",
    "pig",
    "storm",
    "mirage",
    "pirates",
    "map-r",
    "map-c",
)
FRONT_IDS = (
    "shelter",
    "fish",
    "waterfall",
    "torch",
    "coconuts",
    "spear",
    "message",
    "lit-beacon",
    "ship-sighted",
    "sos",
    "meat",
    "tornado",
    "sea-serpent",
    "compass",
    "rum",
    "treasure",
)
SIDE_IDS = CARD_IDS + FRONT_IDS
#: These turn by the rules alone; map-c turns together with map-r. What they need cannot be changed.
FIXED_NEEDS = {"storm": "by_itself", "mirage": "by_itself", "pirates": "by_itself", "map-c": "with_map_r"}
CARDS = len(CARD_IDS)
FRONT = CARDS
ALL_BACKS = (1 << CARDS) - 1

VINES = CARD_IDS.index("vines")
STICKS = CARD_IDS.index("sticks")
BOTTLE = CARD_IDS.index("bottle")
HIGHER_GROUND = CARD_IDS.index("higher-ground")
TELESCOPE = CARD_IDS.index("telescope")
ROCKS = CARD_IDS.index("rocks")
PIG = CARD_IDS.index("pig")
STORM = CARD_IDS.index("storm")
MIRAGE = CARD_IDS.index("mirage")
PIRATES = CARD_IDS.index("pirates")
MAP_R = CARD_IDS.index("map-r")
MAP_C = CARD_IDS.index("map-c")
SHELTER = FRONT + VINES
SPEAR = FRONT + STICKS
MESSAGE = FRONT + BOTTLE
LIT_BEACON = FRONT + HIGHER_GROUND
SHIP_SIGHTED = FRONT + TELESCOPE
SOS = FRONT + ROCKS
TORNADO = FRONT + STORM
SEA_SERPENT = FRONT + MIRAGE
COMPASS = FRONT + PIRATES

#: Beside the sides that are up, what a card may need to be turned over.
SHIP_WAITING, MAPS_CROSS, NEVER = (1 << 2 * CARDS << bit for bit in range(3))

#: Sides, and sets of eight bits in which they and what else may be needed are looked up.
SIDES = 2 * CARDS
EIGHTS = (NEVER.bit_length() + 7) // 8

#: The corners in the order in which a ship that turns goes on; its course has the name of the corner it begins at.
CORNERS = ("NE", "SE", "SW", "NW")
NE, SE, SW, NW = range(4)
NO_CORNER = NO_SHIP = -1

#: The side of the island: so many rows and columns of cards at most.
ISLAND = 4
STRIDE = 8
LINES = 2 * ISLAND - 1
START = STRIDE * (ISLAND - 1) + ISLAND - 1
CELLS = STRIDE * LINES
#: The first cell of every row.
_FIRST_COLUMN = sum(1 << STRIDE * row for row in range(LINES))

#: Lives, and the points of one front, go no higher.
MAX_LIVES = 60
MAX_POINTS = 20
#: So many rounds are remembered one by one.
ROUNDS = 40


@rule
def row_of(cell: int) -> int:
    """The row of a cell."""
    return cell // STRIDE


@rule
def column_of(cell: int) -> int:
    """The column of a cell."""
    return cell % STRIDE


@rule
def rectangle(north: int, west: int, rows: int, columns: int) -> int:
    """The set of cells of a rectangle whose north-western cell is given."""
    band = _FIRST_COLUMN & ((1 << STRIDE * rows) - 1)
    return (band * ((1 << columns) - 1)) << (STRIDE * north + west)


#: Random streams: the order of the deck, and with which of several farthest cards a mirage swaps places.
STREAM_DECK, STREAM_MIRAGE = range(2)
MOVING, TURNING = range(2)


NOBODY = -1
#: How a game ends: three signals, three misfortunes.
RUNNING, BY_SOS, BY_BEACON, BY_MESSAGE, NO_LIVES, SHIP_GONE, NO_CARDS = range(7)
