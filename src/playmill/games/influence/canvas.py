"""The map editor of Influence: cells, kinds and starts to click, symmetries, and checks of a drawing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

from playmill.author import PlaymillError, Text
from playmill.author.maps import Canvas, Cell, Drawing, Easel, Fact, Pins, Place, PlaceKind, Step, Symmetry
from playmill.games.influence.constants import CELLS, PLAYERS
from playmill.games.influence.maps import text_of
from playmill.games.influence.maps.characters import NAMES
from playmill.games.influence.maps.checks import mistakes_of, notes_of
from playmill.games.influence.maps.generate import FAIR_FOR, generate
from playmill.games.influence.maps.hexes import HOLE, MAX_SIDE, STRONG, WEAK, distances, parts, places
from playmill.games.influence.maps.model import Map
from playmill.games.influence.maps.rotation import Rotation, centres
from playmill.games.influence.view.shapes import STRONG_SIZE, WEAK_SIZE, hexagon

#: From a cell to the next, and from its middle to a corner.
PITCH = 40.0
RADIUS = PITCH / math.sqrt(3)
_SIGNS = (HOLE, WEAK, STRONG)
_TURNS = {
    "half": (2, Text("half a turn, 2 players", "пол-оборота, 2 игрока")),
    "third": (3, Text("third of a turn, 3 players", "1/3 оборота, 3 игрока")),
    "sixth": (6, Text("sixth of a turn, 6 players", "1/6 оборота, 6 игроков")),
}
_ACROSS = Text("mirror, left and right", "зеркало: лево и право")
_DOWN = Text("mirror, top and bottom", "зеркало: верх и низ")
_BOTH = Text("both mirrors, 4 players", "оба зеркала, 4 игрока")


@lru_cache(maxsize=16)
def canvas(rows: int, columns: int) -> Canvas:
    """The canvas of a map, odd rows shifted right by half a cell."""
    if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
        raise PlaymillError(
            f"{rows} rows and {columns} columns; expected 1 to {MAX_SIDE} of each",
            f"рядов {rows}, столбцов {columns}; ожидается: и тех и других от 1 до {MAX_SIDE}",
        )
    cells = [
        Place(row, column, PITCH * (column + 0.5 + row % 2 / 2), RADIUS * (1.5 * row + 1))
        for row in range(rows)
        for column in range(columns)
    ]
    shift = 0.5 if rows > 1 else 0.0
    size = PITCH * (columns + shift), RADIUS * (1.5 * rows + 0.5)
    return Canvas((rows, columns), cells, hexagon(0, 0, RADIUS), *size, tuple(_symmetries(rows, columns)))


def _symmetries(rows: int, columns: int) -> Iterator[Symmetry]:
    across = [partial(_across, total) for total in (columns - 1, columns - 2, columns)]
    down = [partial(_down, total) for total in (rows - 1, rows - 2, rows) if total % 2 == 0]
    for key, (order, name) in _TURNS.items():
        found = dict.fromkeys(centres(rows, columns, order))
        yield Symmetry(key, name, order, [(Rotation(order, centre).of,) for centre in found])
    yield Symmetry("across", _ACROSS, 2, [(one,) for one in across])
    yield Symmetry("down", _DOWN, 2, [(one,) for one in down])
    # The second step is the half turn, so that every other one of four places is opposite.
    yield Symmetry("both", _BOTH, 4, [(one, partial(_after, one, other)) for one in across for other in down])


def _across(total: int, cell: Cell) -> Cell:
    """The mirror image of a cell at a line from top to bottom; its column and that of the image make the total."""
    row, column = cell
    return row, total - column - row % 2


def _down(total: int, cell: Cell) -> Cell:
    """The mirror image of a cell at the middle of a row; an even total of the two rows leaves the shift as it is."""
    row, column = cell
    return total - row, column


def _after(one: Step, other: Step, cell: Cell) -> Cell:
    return other(one(cell))


def drawn(value: Any) -> Drawing:
    """A map as a drawing."""
    made = Map.model_validate(value)
    size = len(made.rows), len(made.rows[0])
    numbers = canvas(*size).numbers
    kinds = tuple(_SIGNS.index(sign) for row in made.rows for sign in row)
    pins: dict[str, tuple[int | None, ...]] = {group.key: (None,) * group.count for group in EASEL.pins}
    for players, found in made.starts.items():
        pins[players] = tuple(numbers[row, column] for row, column in found)
    return Drawing(made.name, size, kinds, pins)


def value(drawing: Drawing) -> dict[str, Any]:
    """A drawing as the data of a map, right or wrong."""
    cells = canvas(*drawing.size).places
    starts = {}
    for key, pins in sorted(drawing.pins.items()):
        if found := [[cells[pin].row, cells[pin].column] for pin in pins if pin is not None]:
            starts[key] = found
    return {"name": drawing.name, "rows": _rows(drawing), **({"starts": starts} if starts else {})}


def _rows(drawing: Drawing) -> list[str]:
    rows, columns = drawing.size
    signs = "".join(_SIGNS[kind] for kind in drawing.kinds)
    return [signs[columns * row : columns * (row + 1)] for row in range(rows)]


def mistakes(data: Any) -> list[Text]:
    """Every mistake of a map, as the checker of files tells it."""
    return [mistake.message() for mistake in mistakes_of(data)]


def facts(drawing: Drawing) -> Iterator[Fact]:
    """The cells by kind, whether they hang together, and of each number of players how they start."""
    rows = _rows(drawing)
    signs = "".join(rows)
    cells = len(signs) - signs.count(HOLE)
    yield Fact(Text("Cells", "Клеток"), Text(f"{cells} of at most {CELLS}", f"{cells}, можно до {CELLS}"))
    strong = signs.count(STRONG)
    share = round(100 * strong / cells) if cells else 0
    yield Fact(Text("Strong", "Сильных"), _number(f"{strong} ({share} %)"))
    yield Fact(Text("Holes", "Дыр"), _number(signs.count(HOLE)))
    pieces = len(parts(rows))
    yield Fact(
        Text("Connected", "Связное поле"),
        Text("yes", "да") if pieces == 1 else Text(f"no, {pieces} parts", f"нет, частей: {pieces}"),
    )
    field, spots = set(places(rows)), canvas(*drawing.size).places
    for group in EASEL.pins:
        pins = drawing.pins[group.key]
        starts = [(spots[pin].row, spots[pin].column) for pin in pins if pin is not None]
        if len(starts) == len(pins) and field.issuperset(starts):
            yield _starts_fact(group, field, starts)


def _starts_fact(group: Pins, field: set[Cell], starts: Sequence[Cell]) -> Fact:
    """How far apart players start, and how many cells are nearest to each of them."""
    steps = [distances(field, start) for start in starts]
    apart = [steps[one].get(starts[other]) for one, other in combinations(range(len(starts)), 2)]
    known = [far for far in apart if far is not None]
    if len(known) < len(apart):
        return Fact(group.name, Text("there is no way between some of them", "между некоторыми нет пути"))
    low, high = min(known), max(known)
    far = str(low) if low == high else f"{low}–{high}"
    mine, shared = [0] * len(starts), 0
    for cell in field:
        reach = [found.get(cell, len(field)) for found in steps]
        nearest = reach.index(min(reach))
        if reach.count(reach[nearest]) == 1:
            mine[nearest] += 1
        else:
            shared += 1
    ratio = " : ".join(map(str, mine))
    return Fact(
        group.name,
        Text(
            f"steps apart {far}; cells nearest to each {ratio}, to nobody {shared}",
            f"шагов между ними {far}; клеток ближе всего к каждому {ratio}, ни к кому {shared}",
        ),
    )


def _number(number: int | str) -> Text:
    return Text(str(number), str(number))


def notes(drawing: Drawing) -> list[Text]:
    """What is allowed but may not be meant."""
    return [] if drawing.is_empty else notes_of(_rows(drawing))


def suggest(size: Cell, symmetry: str, seed: int) -> dict[str, Any]:
    """A map of the generator, fair by turning if that is the symmetry."""
    order = _TURNS[symmetry][0] if symmetry in _TURNS else 0
    return generate(*size, symmetric=order, seed=seed, players=None if FAIR_FOR[order] else 2).model_dump(mode="json")


def text(data: Any) -> str:
    """A map as the text of its file, right or wrong."""
    return text_of(Map.model_construct(**{"starts": {}, **data}))


EASEL = Easel(
    path="map",
    title=Text("Maps", "Карты"),
    called=Text("My map", "Моя карта"),
    kinds=(
        PlaceKind(HOLE, NAMES[HOLE]),
        PlaceKind(WEAK, NAMES[WEAK], WEAK_SIZE),
        PlaceKind(STRONG, NAMES[STRONG], STRONG_SIZE),
    ),
    pins=[
        Pins(str(players), Text(f"Starts of {players} players", f"Старты {players} игроков"), players, players)
        for players in range(2, PLAYERS + 1)
    ],
    usual=(9, 9),
    canvas=canvas,
    drawn=drawn,
    value=value,
    text=text,
    mistakes=mistakes,
    facts=facts,
    notes=notes,
    suggest=suggest,
)
