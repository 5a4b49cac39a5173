"""Names of the things of Influence, in English and Russian, and what is read from a state to name them.

Players are numbered from 1 wherever people or plain Python agents read them; rows and columns from 0, as in maps.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from playmill.author import PlaymillError, Text, interpreted
from playmill.games.influence.config import Config
from playmill.games.influence.constants import DEFENDING, EMPTY, NOBODY, SIDES
from playmill.games.influence.maps.model import HOLE, STRONG, Place, neighbours, places
from playmill.games.influence.rules import attack_class

ATTACK, DEFENCE = "attack", "defence"
DECISION_NAMES = {ATTACK: Text("Attack", "Атака"), DEFENCE: Text("Defence", "Оборона")}
#: Short and full names of the directions, in the order of their numbers.
DIRECTIONS = ("e", "se", "sw", "w", "nw", "ne")
DIRECTION_NAMES = (
    Text("east", "восток"),
    Text("south-east", "юго-восток"),
    Text("south-west", "юго-запад"),
    Text("west", "запад"),
    Text("north-west", "северо-запад"),
    Text("north-east", "северо-восток"),
)
#: What stands for a player in a cell of the field drawn in letters, the same in every language.
LETTERS = "ABCDEF"


class MapLookup(NamedTuple):
    """A map looked up once: where each cell lies, which it is by place, who borders on whom, which are strong.

    `grid` is the number of the cell at [row][column], -1 for a hole. `around` is for programs: at [row][column] the
    cells beside, each as (direction, row, column); None for a hole.
    """

    places: tuple[Place, ...]
    numbers: Mapping[Place, int]
    grid: tuple[tuple[int, ...], ...]
    neighbours: tuple[tuple[int, ...], ...]
    around: tuple[tuple[tuple[tuple[str, int, int], ...] | None, ...], ...]
    strong: tuple[bool, ...]


@lru_cache(maxsize=32)
def _board(rows: tuple[str, ...]) -> MapLookup:
    cells = tuple(places(rows))
    numbers = {place: number for number, place in enumerate(cells)}
    beside = tuple(map(tuple, neighbours(rows)))
    grid = tuple(tuple(numbers.get((r, c), -1) for c in range(len(row))) for r, row in enumerate(rows))

    def around(cell: int) -> tuple[tuple[str, int, int], ...] | None:
        if cell < 0:
            return None
        return tuple((DIRECTIONS[side], *cells[other]) for side, other in enumerate(beside[cell]) if other >= 0)

    strong = tuple(rows[row][column] == STRONG for row, column in cells)
    return MapLookup(cells, numbers, grid, beside, tuple(tuple(map(around, row)) for row in grid), strong)


def board_of(config: Config) -> MapLookup:
    """The field of a config, looked up once for each map."""
    return _board(tuple(config.map.rows))


def is_hole(config: Config, place: Place) -> bool:
    """Whether a place lies within the map but has no cell."""
    row, column = place
    rows = config.map.rows
    return row < len(rows) and column < len(rows[row]) and rows[row][column] == HOLE


def capacities(config: Config) -> list[int]:
    """What each cell holds at most."""
    weak, strong = config.weak_capacity, config.strong_capacity
    return [strong if is_strong else weak for is_strong in board_of(config).strong]


def chances(config: Config) -> list[int]:
    """The chances of an attack in percent, by how much stronger the attacker is: −2 or less, −1, 0, +1, +2 or more."""
    return [
        config.chance_le_minus2,
        config.chance_minus1,
        config.chance_zero,
        config.chance_plus1,
        config.chance_ge_plus2,
    ]


def chance_of(config: Config, mine: int, theirs: int, defender: int) -> int:
    """The chance of one attack in percent; the defender of an empty cell is NOBODY."""
    kind = interpreted(attack_class)(mine, theirs, defender)
    return 100 if kind == EMPTY else chances(config)[kind]


def target_of(config: Config, action: int) -> int:
    """The cell an attack is aimed at, -1 if there is none."""
    return board_of(config).neighbours[action // SIDES][action % SIDES]


def cell_name(config: Config, cell: int) -> str:
    """A cell by row and column, the same in all languages and in short forms: "2.3"."""
    row, column = board_of(config).places[cell]
    return f"{row}.{column}"


def number_of(cell: int) -> str:
    """What the number in a cell is called as a thing of the picture."""
    return f"n-{cell}"


def player_name(player: int) -> Text:
    """A player: "player 2"."""
    return Text(f"player {player + 1}", f"игрок {player + 1}")


def players_of(s: np.void) -> int:
    """How many play, those who are out included."""
    return int(s["players"])


def decision_kind(s: np.void) -> str:
    """The kind of the decision that a game waits for."""
    if s["player"] == NOBODY:
        raise PlaymillError("the game is over: nothing is to be decided", "партия окончена: решать больше нечего")
    return DEFENCE if s["phase"] == DEFENDING else ATTACK


def points_word(n: int) -> Text:
    """A number of points: "1 point", "5 points"."""
    return Text("{n} {n:point|points}", "{n} {n:очко|очка|очков}").format(n=n)
