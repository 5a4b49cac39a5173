"""The numbers of Influence, and its field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Self

import numpy as np
from pydantic import BeforeValidator, Field

from playmill.engine.config import Packed, RuleConfig
from playmill.games.influence.field import STRONG, Map, built_in, find_map, neighbours, places
from playmill.games.influence.tables import MAX_ROUNDS, RESULT_ROUNDS, Numbers
from playmill.texts import PlaymillError

DEFAULT_MAP = "middle"
Percent = Annotated[int, Field(ge=0, le=100)]


def _or_name(node: dict[str, Any]) -> None:
    """A map may also be given by its name or path."""
    whole = node.pop("allOf", None) or [{"$ref": node.pop("$ref")}]
    node["anyOf"] = [*whole, {"type": "string", "examples": [DEFAULT_MAP, "my_map.json"]}]
    node["default"] = DEFAULT_MAP


class Config(RuleConfig):
    """Rules of Influence."""

    map: Annotated[Map, BeforeValidator(find_map)] = Field(
        default_factory=lambda: built_in()[DEFAULT_MAP],
        description="The field: the name of a built-in map, the path of a map file (from the current folder; it is "
        "read at once and becomes part of the config), or a map itself.",
        json_schema_extra=_or_name,
    )
    round_limit: int = Field(default=100, ge=1, le=MAX_ROUNDS, description="After so many rounds the best result wins.")
    result_rounds: int = Field(
        default=10,
        ge=1,
        le=RESULT_ROUNDS,
        description="A result is the influence at the start of the turn, added up over so many last turns.",
    )
    start_influence: int = Field(default=2, ge=1, le=8, description="Influence on the cell where a player starts.")
    weak_capacity: int = Field(default=8, ge=1, le=100, description="What a weak cell holds.")
    strong_capacity: int = Field(default=12, ge=1, le=100, description="What a strong cell holds.")
    chance_le_minus2: Percent = Field(default=0, description="Attack 2 or more weaker: chance to win, percent.")
    chance_minus1: Percent = Field(default=25, description="Attack 1 weaker: chance to win, percent.")
    chance_zero: Percent = Field(default=50, description="Attack on an equal: chance to win, percent.")
    chance_plus1: Percent = Field(default=75, description="Attack 1 stronger: chance to win, percent.")
    chance_ge_plus2: Percent = Field(default=100, description="Attack 2 or more stronger: chance to win, percent.")

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
