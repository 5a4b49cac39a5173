"""Choices for settings of Influence: the built-in maps, with their pictures, and named switches."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from playmill.author import Lang, Text
from playmill.author.words import Choice, Choices
from playmill.games.influence.config import Config
from playmill.games.influence.maps import ABOUT
from playmill.games.influence.maps.model import STRONG, Map, built_in, places
from playmill.games.influence.view.shapes import hexagon

#: Of a small picture: its width and height, how much of its place a cell fills, and its colours.
_WIDTH, _HEIGHT, _WEAK, _STRONG = 240, 160, 0.42, 0.54
_NAMES = {
    "turn_order": {
        "fixed": Text("always the same", "всегда один"),
        "snake": Text("snake", "змейкой"),
        "drawn": Text("drawn each round", "по жребию"),
    },
    "failure": {
        "difference": Text("as much as attacked", "сколько атаковало"),
        "one": Text("one point", "одно очко"),
        "nothing": Text("nothing", "ничего"),
    },
}
_GROUND, _CELL, _RICH = "#f7f4ec", "#d9d0bf", "#9a8f7c"


def choices(config: Config) -> Mapping[str, Choices]:
    """The maps, the smallest first; what a failed attack costs, and the order of turns."""
    switches = {
        path: Choices([Choice(key, key, name) for key, name in named.items()]) for path, named in _NAMES.items()
    }
    return {"map": Choices([_choice(made) for made in built_in().values()], first=True), **switches}


def _choice(made: Map) -> Choice:
    summary = ABOUT.get(made.name, Text("", ""))
    cells, strong = len(places(made.rows)), sum(row.count(STRONG) for row in made.rows)
    about = Text(
        f"{summary.en} ({cells} cells, {strong} of them strong)", f"{summary.ru} (клеток {cells}, сильных {strong})"
    )
    name = Text(made.name, made.name)
    return Choice(made.name, made.model_dump(mode="json"), name, about, partial(_picture, tuple(made.rows)))


def _picture(rows: tuple[str, ...], lang: Lang) -> str:
    """A map in small: weak cells, strong ones darker and larger."""
    wide, deep = len(rows[0]) + 0.5, 0.866 * (len(rows) - 1) + 1.16
    pitch = min(_WIDTH / wide, _HEIGHT / deep)
    left, top = (_WIDTH - pitch * wide) / 2, (_HEIGHT - pitch * deep) / 2
    parts = []
    for row, column in places(rows):
        rich = rows[row][column] == STRONG
        x = left + pitch * (column + 0.5 + row % 2 / 2)
        y = top + pitch * (0.58 + 0.866 * row)
        shape = hexagon(x, y, pitch * (_STRONG if rich else _WEAK))
        parts.append(f'<path d="{shape}" fill="{_RICH if rich else _CELL}"/>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="10" fill="{_GROUND}"/>{"".join(parts)}</svg>'
    )
