"""The numbers of Influence, and its field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

import numpy as np
from pydantic import BeforeValidator, Field

from playmill.engine.config import Packed, RuleConfig, setting
from playmill.games.influence.field import STRONG, Map, built_in, find_map, neighbours, places
from playmill.games.influence.tables import MAX_ROUNDS, RESULT_ROUNDS, Numbers
from playmill.texts import PlaymillError, Text

DEFAULT_MAP = "middle"
Percent = Annotated[int, Field(ge=0, le=100)]


def _or_name(node: dict[str, Any]) -> None:
    """A map may also be given by its name or path."""
    whole = node.pop("allOf", None) or [{"$ref": node.pop("$ref")}]
    node["anyOf"] = [*whole, {"type": "string", "examples": [DEFAULT_MAP, "my_map.json"]}]
    node["default"] = DEFAULT_MAP


class Config(RuleConfig):
    """Rules of Influence."""

    map: Annotated[Map, BeforeValidator(find_map)] = setting(
        Text("Map", "Карта"),
        Text(
            "The field that is played on. It is the name of a built-in map, the path of a map file (from the current "
            "folder; read at once and part of the config from then on), or a map itself.",
            "Поле, на котором играют. Это название встроенной карты, путь к файлу карты (от текущей папки; файл "
            "читается сразу и становится частью конфига) или сама карта.",
        ),
        schema=_or_name,
        whole=True,
        default_factory=lambda: built_in()[DEFAULT_MAP],
    )
    round_limit: int = setting(
        Text("Rounds at most", "Предел раундов"),
        Text(
            "After so many rounds the best result wins.",
            "После стольких раундов побеждает тот, у кого лучше результат.",
        ),
        default=100,
        ge=1,
        le=MAX_ROUNDS,
    )
    result_rounds: int = setting(
        Text("Turns in a result", "Ходов в результате"),
        Text(
            "A result is the influence at the start of the turn, added up over so many last turns.",
            "Результат — это влияние на начало хода, сложенное за столько последних ходов.",
        ),
        default=10,
        ge=1,
        le=RESULT_ROUNDS,
    )
    start_influence: int = setting(
        Text("Influence at the start", "Влияние в начале"),
        Text("Influence on the cell where a player starts.", "Влияние на клетке, с которой игрок начинает."),
        default=2,
        ge=1,
        le=8,
    )
    weak_capacity: int = setting(
        Text("A weak cell holds", "Слабая клетка вмещает"),
        Text("What a weak cell holds.", "Сколько влияния вмещает слабая клетка."),
        default=8,
        ge=1,
        le=100,
    )
    strong_capacity: int = setting(
        Text("A strong cell holds", "Сильная клетка вмещает"),
        Text("What a strong cell holds.", "Сколько влияния вмещает сильная клетка."),
        default=12,
        ge=1,
        le=100,
    )
    chance_le_minus2: Percent = setting(
        Text("Chance, 2 or more weaker", "Шанс, слабее на 2 и больше"),
        Text(
            "Attack 2 or more weaker: chance to win, percent.",
            "Атакующий слабее на 2 и больше: шанс победить, в процентах.",
        ),
        default=0,
    )
    chance_minus1: Percent = setting(
        Text("Chance, 1 weaker", "Шанс, слабее на 1"),
        Text("Attack 1 weaker: chance to win, percent.", "Атакующий слабее на 1: шанс победить, в процентах."),
        default=25,
    )
    chance_zero: Percent = setting(
        Text("Chance, equal", "Шанс, поровну"),
        Text("Attack on an equal: chance to win, percent.", "Силы равны: шанс победить, в процентах."),
        default=50,
    )
    chance_plus1: Percent = setting(
        Text("Chance, 1 stronger", "Шанс, сильнее на 1"),
        Text("Attack 1 stronger: chance to win, percent.", "Атакующий сильнее на 1: шанс победить, в процентах."),
        default=75,
    )
    chance_ge_plus2: Percent = setting(
        Text("Chance, 2 or more stronger", "Шанс, сильнее на 2 и больше"),
        Text(
            "Attack 2 or more stronger: chance to win, percent.",
            "Атакующий сильнее на 2 и больше: шанс победить, в процентах.",
        ),
        default=100,
    )

    def changed(self, changes: Sequence[str]) -> Self:
        """A copy with `path=value` changes; a whole map comes first, so that parts of it can be changed at once."""
        whole = [change for change in changes if change.partition("=")[0] == "map"]
        others = [change for change in changes if change not in whole]
        if whole and others:
            return super().changed(whole).changed(others)
        return super().changed(changes)

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        packed: Packed = np.zeros(1, Numbers)
        numbers = packed[0]
        rows, cells = self.map.rows, places(self.map.rows)
        if len(cells) < players:
            raise PlaymillError(
                f'map: "{self.map.name}" has {len(cells)} cells, too few for {players} players',
                f'map: на карте "{self.map.name}" клеток: {len(cells)}; это мало, игроков {players}',
            )
        numbers["players"] = players
        numbers["cells"] = len(cells)
        for name in ("round_limit", "result_rounds", "start_influence"):
            numbers[name] = getattr(self, name)
        numbers["chance"] = (
            self.chance_le_minus2,
            self.chance_minus1,
            self.chance_zero,
            self.chance_plus1,
            self.chance_ge_plus2,
            100,
        )
        starts = self.map.starts.get(str(players), ())
        numbers["fixed"] = bool(starts)
        for player, place in enumerate(starts):
            numbers["starts"][player] = cells.index((place[0], place[1]))
        for cell, (row, column) in enumerate(cells):
            strong = rows[row][column] == STRONG
            numbers["capacity"][cell] = self.strong_capacity if strong else self.weak_capacity
        numbers["neighbour"] = -1
        numbers["neighbour"][: len(cells)] = neighbours(rows)
        return packed
