"""Title and actions of Influence in words: phrases, short texts (formatted and parsed), fields."""

from __future__ import annotations

import re

from playmill.author import PlaymillError, Text
from playmill.games.influence.actions import ATTACK, AUTO, END_ATTACK, MAX_ACTIONS, PLACE
from playmill.games.influence.config import Config
from playmill.games.influence.constants import SIDES
from playmill.games.influence.maps.model import Place
from playmill.games.influence.words.names import (
    DIRECTION_NAMES,
    DIRECTIONS,
    board_of,
    cell_name,
    is_hole,
    target_of,
)

TITLE = Text("Influence", "Влияние")
ABOUT = Text(
    "spread over a field of hexagons, attack where you are stronger, and share out new influence in defence",
    "занимай поле из шестиугольников, атакуй там, где ты сильнее, и распределяй новое влияние в обороне",
)

_END, _AUTO = "end", "auto"
#: An attack or a point: its cell, and the direction; spaces are gone already.
_FORM = re.compile(r"(a|\+)([0-9]+)[.,]([0-9]+)([a-z]*)")
#: Letters of a Russian keyboard that look like ours.
_LOOKALIKES = str.maketrans("аео", "aeo")
#: No map has rows or columns of so many digits.
_DIGITS = 6


def describe(config: Config, action: int) -> Text:
    """An action as a phrase that follows the name of its player."""
    _known(config, action)
    if action == END_ATTACK:
        return Text("ends the attack", "заканчивает атаку")
    if action == AUTO:
        return Text("places the remaining points automatically", "распределяет оставшиеся очки автоматически")
    if action >= PLACE:
        cell = cell_name(config, action - PLACE)
        return Text(f"puts a point on cell {cell}", f"добавляет очко на клетку {cell}")
    source, target = cell_name(config, action // SIDES), cell_name(config, target_of(config, action))
    return Text(f"attacks cell {target} from cell {source}", f"атакует клетку {target} с клетки {source}")


def to_text(config: Config, action: int) -> str:
    """The short text form of an action, the same in all languages; `parse` reads it."""
    _known(config, action)
    if action == END_ATTACK:
        return _END
    if action == AUTO:
        return _AUTO
    if action >= PLACE:
        return f"+{cell_name(config, action - PLACE)}"
    return f"a{cell_name(config, action // SIDES)}{DIRECTIONS[action % SIDES]}"


def parse(config: Config, text: str) -> int:
    """The action of a text form; spaces and capitals do not matter, anything else is an error that says what is wrong.

    Whether the action is legal now is not asked.
    """
    plain = "".join(text.lower().split()).translate(_LOOKALIKES)
    if plain in (_END, _AUTO):
        return END_ATTACK if plain == _END else AUTO
    found = _FORM.fullmatch(plain)
    if found is None:
        raise _no_action(text)
    letter, row, column, direction = found.groups()
    cell = _parsed_cell(config, text, row, column)
    if letter == "+":
        if direction:
            raise _mistake(text, "a point goes to a cell, without a direction", "очку нужна клетка, а не направление")
        return PLACE + cell
    if direction not in DIRECTIONS:
        listed = " ".join(DIRECTIONS)
        raise _mistake(text, f"the direction is one of {listed}", f"направление – одно из {listed}")
    action = ATTACK + SIDES * cell + DIRECTIONS.index(direction)
    if target_of(config, action) < 0:
        name, there = cell_name(config, cell), DIRECTION_NAMES[action % SIDES]
        raise _mistake(text, f"there is no cell {there.en} of {name}", f"от {name} на {there.ru} клетки нет")
    return action


def _parsed_cell(config: Config, text: str, row: str, column: str) -> int:
    """The number of the cell at a row and column given in digits."""
    rows = config.map.rows
    if len(row) <= _DIGITS and len(column) <= _DIGITS:
        place: Place = (int(row), int(column))
        number = board_of(config).numbers.get(place)
        if number is not None:
            return number
        if is_hole(config, place):
            name = f"{place[0]}.{place[1]}"
            raise _mistake(text, f"{name} is a hole of the map", f"на месте {name} в карте дыра")
    low, right = len(rows) - 1, len(rows[0]) - 1
    raise _mistake(
        text,
        f"rows of the map are 0 … {low}, columns 0 … {right}",
        f"ряды карты: 0 … {low}, столбцы: 0 … {right}",
    )


def fields(config: Config, action: int) -> dict[str, object]:
    """An action as JSON-able fields: `act`, and [row, column] of the cells it names.

    An attack has `from`, `to` and `direction`, a point its `cell`.
    """
    _known(config, action)
    if action == END_ATTACK:
        return {"act": "end"}
    if action == AUTO:
        return {"act": "auto"}
    cells = board_of(config).places
    if action >= PLACE:
        return {"act": "place", "cell": list(cells[action - PLACE])}
    source, target = cells[action // SIDES], cells[target_of(config, action)]
    return {"act": "attack", "from": list(source), "to": list(target), "direction": DIRECTIONS[action % SIDES]}


def _known(config: Config, action: int) -> None:
    """Raises unless a number stands for an action on this map."""
    if not _exists(config, action):
        raise PlaymillError(f"no action has the number {action}", f"действия с номером {action} нет")


def _exists(config: Config, action: int) -> bool:
    if not 0 <= action < MAX_ACTIONS:
        return False
    if action in (END_ATTACK, AUTO):
        return True
    cells = len(board_of(config).places)
    if action >= PLACE:
        return action - PLACE < cells
    return action // SIDES < cells and target_of(config, action) >= 0


def _no_action(text: str) -> PlaymillError:
    listed = " ".join(DIRECTIONS)
    return _mistake(
        text,
        f"actions look like 'a2.3e' (attack from row 2, column 3 to the east; directions are {listed}), "
        "'end' (end the attack), '+2.3' (a point on row 2, column 3), 'auto' (place the rest automatically)",
        f"действия выглядят так: 'a2.3e' (атака из ряда 2, столбца 3 на восток; направления: {listed}), "
        "'end' (закончить атаку), '+2.3' (очко в ряд 2, столбец 3), 'auto' (распределить остаток автоматически)",
    )


def _mistake(text: str, en: str, ru: str) -> PlaymillError:
    quoted = repr(text if len(text) <= 80 else text[:79] + "…")
    return PlaymillError(f"there is no action {quoted}: {en}", f"действия {quoted} нет: {ru}")
