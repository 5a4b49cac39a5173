"""Acts of Influence: short forms, phrases and fields of all that a player can do."""

from __future__ import annotations

import re
from dataclasses import replace

from playmill.author import Text
from playmill.author.words import Act, Action, Acts, Argument
from playmill.games.influence.actions import ATTACK, AUTO, END_ATTACK, PLACE
from playmill.games.influence.config import Config
from playmill.games.influence.constants import CELLS, SIDES
from playmill.games.influence.words.names import DIRECTION_NAMES, DIRECTIONS, board_of, cell_name, is_hole

#: No map has rows or columns of so many digits.
_DIGITS = 6


def _read_cell(config: Config, text: str) -> int | Text:
    """The number of the cell at a row and column."""
    row, column = re.split("[.,]", text)
    if max(len(row), len(column)) <= _DIGITS:
        place = int(row), int(column)
        number = board_of(config).numbers.get(place)
        if number is not None:
            return number
        if is_hole(config, place):
            return Text("{}.{} is a hole of the map", "на месте {}.{} в карте дыра").format(*place)
    rows = config.map.rows
    within = Text("rows of the map are 0 … {}, columns 0 … {}", "ряды карты: 0 … {}, столбцы: 0 … {}")
    return within.format(len(rows) - 1, len(rows[0]) - 1)


def _read_point(config: Config, text: str) -> int | Text:
    if text[-1].isalpha():
        return Text("a point goes to a cell, without a direction", "очку нужна клетка, а не направление")
    return _read_cell(config, text)


def _target(config: Config, attack: Action) -> int:
    """The cell an attack is aimed at, -1 if there is none."""
    return board_of(config).neighbours[attack.cell][attack.direction]


def _no_target(config: Config, attack: Action) -> Text | None:
    if _target(config, attack) >= 0:
        return None
    name, there = cell_name(config, attack.cell), DIRECTION_NAMES[attack.direction]
    return Text(f"there is no cell {there.en} of {name}", f"от {name} на {there.ru} клетки нет")


def _attack(config: Config, attack: Action) -> Text:
    there = cell_name(config, _target(config, attack))
    return Text(f"attacks cell {there} from cell {{cell}}", f"атакует клетку {there} с клетки {{cell}}")


def _attack_fields(config: Config, attack: Action) -> dict[str, object]:
    cells = board_of(config).places
    source, target = cells[attack.cell], cells[_target(config, attack)]
    return {"from": list(source), "to": list(target), "direction": DIRECTIONS[attack.direction]}


_CELL = Argument(
    CELLS,
    cell_name,
    field=lambda config, cell: list(board_of(config).places[cell]),
    among=lambda config: range(len(board_of(config).places)),
    read=_read_cell,
    pattern="[0-9]+[.,][0-9]+",
)
_POINT = replace(_CELL, read=_read_point, pattern="[0-9]+[.,][0-9]+[a-z]*")
_DIRECTION = Argument(SIDES, DIRECTIONS, Text("directions", "направления"))

ACTS = Acts(
    Act(
        ATTACK,
        "a{cell}{direction}",
        _attack,
        {"cell": _CELL, "direction": _DIRECTION},
        key="attack",
        fields=_attack_fields,
        why_not=_no_target,
        kind=Text("attack", "атаковать"),
    ),
    Act(
        END_ATTACK, "end", Text("ends the attack", "заканчивает атаку"), kind=Text("end the attack", "закончить атаку")
    ),
    Act(
        PLACE,
        "+{cell}",
        Text("puts a point on cell {cell}", "добавляет очко на клетку {cell}"),
        {"cell": _POINT},
        key="place",
        kind=Text("put a point where one likes", "поставить очко, куда хочется"),
    ),
    Act(
        AUTO,
        "auto",
        Text("places the remaining points automatically", "распределяет оставшиеся очки автоматически"),
        kind=Text("leave the points to be placed by themselves", "распределить очки автоматически"),
    ),
    examples=Text(
        "'a2.3e' (attack from row 2, column 3 to the east; directions are {0}), "
        "'end' (end the attack), '+2.3' (a point on row 2, column 3), 'auto' (place the rest automatically)",
        "'a2.3e' (атака из ряда 2, столбца 3 на восток; направления: {0}), "
        "'end' (закончить атаку), '+2.3' (очко в ряд 2, столбец 3), 'auto' (распределить остаток автоматически)",
    ).format(" ".join(DIRECTIONS)),
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields
