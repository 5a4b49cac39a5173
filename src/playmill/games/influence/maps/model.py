"""The model of a map of Influence, its JSON Schema, and built-in maps and files loaded by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, model_validator

from playmill.author import ConfigError, PlaymillError, Text, schema_in, setting
from playmill.author.content import parsed, text_of
from playmill.games.influence.maps.checks import (
    MAX_NAME,
    PLAYER_KEYS,
    mistakes_of,
    short,
    suggestion,
    unknown,
)
from playmill.games.influence.maps.hexes import (
    EAST,
    HOLE,
    MAX_SIDE,
    NORTH_EAST,
    NORTH_WEST,
    SOUTH_EAST,
    SOUTH_WEST,
    STRONG,
    WEAK,
    WEST,
    Place,
    beside,
    connected,
    neighbours,
    places,
)

__all__ = [
    "EAST",
    "HOLE",
    "MAX_SIDE",
    "NORTH_EAST",
    "NORTH_WEST",
    "SOUTH_EAST",
    "SOUTH_WEST",
    "STRONG",
    "WEAK",
    "WEST",
    "Map",
    "Place",
    "beside",
    "built_in",
    "connected",
    "find_map",
    "named_map",
    "neighbours",
    "places",
    "schema",
]

_EXAMPLE: dict[str, Any] = {"name": "tiny", "rows": ["wSw", "w.w", "wSw"], "starts": {"2": [[0, 0], [2, 2]]}}


def _starts_schema(node: dict[str, Any]) -> None:
    """Says of each number of players how many places it needs."""
    step = {"type": "integer", "minimum": 0, "maximum": MAX_SIDE - 1}
    place = {"type": "array", "items": step, "minItems": 2, "maxItems": 2}
    listed = {"type": "array", "items": place, "uniqueItems": True}
    node["properties"] = {key: {**listed, "minItems": int(key), "maxItems": int(key)} for key in PLAYER_KEYS}
    node["additionalProperties"] = False


class Map(BaseModel):
    """A field: rows of cells, and where each number of players starts (random cells where it does not say)."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, json_schema_extra={"examples": [_EXAMPLE]})

    name: str = setting(
        Text("Name", "Название"),
        Text("What people call the map.", "Как карту называют люди."),
        schema={"minLength": 1, "maxLength": MAX_NAME, "pattern": r"\S"},
    )
    rows: list[str] = setting(
        Text("Rows", "Ряды"),
        Text(
            "A text for each row, all of the same length, one character a cell: w weak, S strong, . a hole. "
            "Rows 1, 3, 5, … (the second, fourth, sixth, …) are shifted right by half a cell.",
            "По строке на каждый ряд, все одной длины, по знаку на клетку: w слабая, S сильная, . дыра. "
            "Ряды 1, 3, 5, … (второй, четвёртый, шестой, …) сдвинуты вправо на полклетки.",
        ),
        schema={
            "minItems": 1,
            "maxItems": MAX_SIDE,
            "items": {"type": "string", "pattern": r"^[wS.]+$", "minLength": 1, "maxLength": MAX_SIDE},
        },
    )
    starts: dict[str, list[list[int]]] = setting(
        Text("Starts", "Начальные клетки"),
        Text(
            "By number of players: the [row, column] where each starts, counted from 0, in the order of play. "
            "Where it does not say, players start on random cells.",
            "По числу игроков: [ряд, столбец], где каждый начинает, считая с 0, в порядке ходов. "
            "Где не сказано, игроки начинают на случайных клетках.",
        ),
        schema=_starts_schema,
        default_factory=dict,
    )

    @model_validator(mode="before")
    @classmethod
    def _has_no_mistakes(cls, data: object) -> object:
        for mistake in mistakes_of(data):
            raise ConfigError(mistake.path or "map", *mistake.text)
        assert isinstance(data, Mapping)
        return {key: value for key, value in data.items() if key != "$schema"}

    @classmethod
    def read(cls, path: Path) -> Self:
        """The map of a file; the first mistake is a PlaymillError that names the file."""
        data = load(path)
        for mistake in mistakes_of(data):
            raise PlaymillError(*mistake.message(f"{path}: "))
        return cls.model_validate(data)


def schema() -> dict[str, Any]:
    """The JSON Schema of a map file."""
    made = schema_in(Map, "en")
    made["properties"]["$schema"] = {"type": "string", "description": "Where this schema is; for editors."}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


@cache
def built_in() -> Mapping[str, Map]:
    """The maps that come with the game, by their name, the smallest first."""
    folder = resources.files(__package__).joinpath("data")
    found = [
        Map.model_validate_json(path.read_text(encoding="utf-8"))
        for path in folder.iterdir()
        if path.name.endswith(".json")
    ]
    return {made.name: made for made in sorted(found, key=lambda made: (len(places(made.rows)), made.name))}


def named_map(name: str) -> Map:
    """The built-in map of that name, or the map of the file with that path."""
    if name in built_in():
        return built_in()[name]
    if not _is_path(name):
        known = list(built_in())
        text = unknown(Text("map", "карты"), name, suggestion(name, known), known)
        raise PlaymillError(f"{text.en}; or a path FILE.json", f"{text.ru}; или путь ФАЙЛ.json")
    path = Path(name)
    if path.stem in built_in() and not path.exists():
        raise PlaymillError(
            f"cannot read {path}: there is no such file; the built-in map is called {path.stem}",
            f"не читается файл {path}: такого файла нет; встроенная карта называется {path.stem}",
        )
    return Map.read(path)


def find_map(value: object) -> Map:
    """The map of a config: a name, a path, parsed JSON, or a map; the first mistake is a ConfigError."""
    if isinstance(value, Map):
        return value
    if isinstance(value, str):
        try:
            return named_map(value)
        except PlaymillError as error:
            raise ConfigError("map", *error.text) from None
    if not isinstance(value, Mapping):
        raise ConfigError(
            "map",
            f"{short(value)}; expected the name of a built-in map, a path FILE.json, or a map",
            f"{short(value)}; ожидается: имя встроенной карты, путь ФАЙЛ.json или сама карта",
        )
    for mistake in mistakes_of(value):
        raise ConfigError(f"map.{mistake.path}" if mistake.path else "map", *mistake.text)
    return Map.model_validate(value)


def _is_path(name: str) -> bool:
    return name.lower().endswith(".json") or "/" in name or "\\" in name


_WANTED, _ALONE = Text("a map", "карта"), Text("one map a file", "одна карта")


def load(path: Path) -> Any:
    """The parsed JSON of a map file; whatever cannot be parsed is a PlaymillError that says why."""
    return parsed(text_of(path), str(path), wanted=_WANTED, alone=_ALONE)
