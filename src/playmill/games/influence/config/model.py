"""The config of Influence: a model of every setting, with its range and its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self, cast

import numpy as np
from pydantic import BeforeValidator, Field, TypeAdapter, ValidationError
from pydantic_core import PydanticKnownError
from pydantic_core.core_schema import ErrorType

from playmill.author import Packed, PlaymillError, RuleConfig, Text, setting
from playmill.games.influence.config.record import Numbers
from playmill.games.influence.config.start_search import far_apart, steps_from
from playmill.games.influence.constants import FAILURES, MAX_ROUNDS, ORDERS, PLAYERS, RESULT_ROUNDS
from playmill.games.influence.maps.model import MAX_SIDE, STRONG, Map, built_in, find_map, neighbours, places

DEFAULT_MAP = "middle"
Percent = Annotated[int, Field(ge=0, le=100)]
StartInfluence = Annotated[int, Field(ge=1, le=100)]
BySeat = Annotated[list[StartInfluence], Field(min_length=2, max_length=PLAYERS)]
_ONE, _EACH = TypeAdapter(StartInfluence), TypeAdapter(BySeat)


def _one_or_each(value: object) -> object:
    """A number, or one for each seat: refused with what the one that was meant asks for."""
    try:
        (_EACH if isinstance(value, list) and value else _ONE).validate_python(value, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        raise PydanticKnownError(cast(ErrorType, first["type"]), first.get("ctx")) from None
    return value


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
    start_influence: Annotated[StartInfluence | BySeat, BeforeValidator(_one_or_each)] = setting(
        Text("Influence at the start", "Влияние в начале"),
        Text(
            "Influence on the cell where a player starts: a number, or one for each seat, such as [2, 4].",
            "Влияние на клетке, с которой игрок начинает: число или по числу на каждое место, например [2, 4].",
        ),
        default=2,
    )
    min_start_distance: int = setting(
        Text("Distance between starts", "Расстояние между стартами"),
        Text(
            "Random start cells are at least so many steps apart.",
            "Между случайными начальными клетками не меньше стольких шагов.",
        ),
        default=1,
        ge=1,
        le=MAX_SIDE,
    )
    first_turn_attacks: bool = setting(
        Text("Attacks in the first turn", "Атаки в первый ход"),
        Text(
            "Whether enemy cells may be attacked in a player's first turn; empty ones may be taken in any case.",
            "Можно ли в свой первый ход атаковать клетки врагов; пустые можно занимать в любом случае.",
        ),
        default=True,
    )
    turn_order: Literal["fixed", "snake", "drawn"] = setting(
        Text("Order of turns", "Порядок ходов"),
        Text(
            "The order of turns: fixed; snake, reversed in every other round; or drawn anew each round, turn by turn.",
            "Порядок ходов: fixed — всегда один; snake — в каждом втором раунде обратный; drawn — в каждом раунде"
            " заново по жребию, ход за ходом.",
        ),
        default="fixed",
    )
    failure: Literal["difference", "one", "nothing"] = setting(
        Text("Cost of repelling an attack", "Цена отбитой атаки"),
        Text(
            "What a failed attack costs the defender, who keeps at least 1: difference, as much as attacked; one, a"
            " single point; or nothing.",
            "Сколько теряет защитник от неудачной атаки (хотя бы 1 у него остаётся): difference — сколько атаковало;"
            " one — одно очко; nothing — ничего.",
        ),
        default="difference",
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
        for name in ("round_limit", "result_rounds", "min_start_distance", "first_turn_attacks"):
            numbers[name] = getattr(self, name)
        numbers["start_influence"] = self._start_influence(players)
        numbers["failure"] = FAILURES.index(self.failure)
        numbers["turn_order"] = ORDERS.index(self.turn_order)
        numbers["chance"] = (
            self.chance_le_minus2,
            self.chance_minus1,
            self.chance_zero,
            self.chance_plus1,
            self.chance_ge_plus2,
            100,
        )
        beside = neighbours(rows)
        starts = [cells.index((row, column)) for row, column in self.map.starts.get(str(players), ())]
        numbers["fixed"] = bool(starts)
        numbers["starts"][:players] = self._far_enough(starts, beside, players)
        for cell, (row, column) in enumerate(cells):
            strong = rows[row][column] == STRONG
            numbers["capacity"][cell] = self.strong_capacity if strong else self.weak_capacity
        numbers["neighbour"] = -1
        numbers["neighbour"][: len(cells)] = beside
        return packed

    def _start_influence(self, players: int) -> list[int]:
        """The influence at the start by seat."""
        if isinstance(self.start_influence, int):
            return [self.start_influence] * PLAYERS
        if len(self.start_influence) < players:
            raise PlaymillError(
                f"start_influence has {len(self.start_influence)} numbers; expected one for each of {players} players",
                f"start_influence: чисел {len(self.start_influence)}; ожидается по одному на игрока, а их {players}",
            )
        return [*self.start_influence, *[1] * PLAYERS][:PLAYERS]

    def _far_enough(self, starts: Sequence[int], beside: Sequence[Sequence[int]], players: int) -> Sequence[int]:
        """The starts of the map; without them, such as random ones may be if luck finds none."""
        wanted, name = self.min_start_distance, self.map.name
        for player, cell in enumerate(starts):
            steps = steps_from(beside, cell)
            for other in starts[:player]:
                if 0 <= steps[other] < wanted:
                    raise PlaymillError(
                        f'min_start_distance is {wanted}; the starts of the map "{name}" for {players} players are'
                        f" {steps[other]} apart",
                        f'min_start_distance равно {wanted}; начальные клетки карты "{name}" для игроков числом'
                        f" {players} стоят в {steps[other]} шагах друг от друга",
                    )
        if starts or wanted == 1:
            return starts or [0] * players
        if (found := far_apart(beside, players, wanted)) is None:
            raise PlaymillError(
                f'min_start_distance is {wanted}; on the map "{name}" no {players} cells so far apart were found',
                f'min_start_distance равно {wanted}; на карте "{name}" не нашлось {players} клеток на таком расстоянии',
            )
        return found
