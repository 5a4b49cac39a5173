"""The position that a picture of Influence shows, for which viewer, with the options of that viewer."""

from __future__ import annotations

from functools import cached_property

from playmill.drawing.scene import Scene
from playmill.games.influence.config import Config
from playmill.games.influence.view.shapes import FieldGeometry, field_geometry


class InfluenceScene(Scene[Config]):
    """What is drawn, for whom, and what that player can do."""

    @cached_property
    def geometry(self) -> FieldGeometry:
        return field_geometry(tuple(self.config.map.rows))

    @cached_property
    def most(self) -> int:
        """The most that any cell can hold."""
        return max(self.config.weak_capacity, self.config.strong_capacity)

    @cached_property
    def owners(self) -> list[int]:
        found: list[int] = self.s["owner"].tolist()
        return found

    @cached_property
    def influence(self) -> list[int]:
        found: list[int] = self.s["influence"].tolist()
        return found
