"""The position that a picture of Grid shows, for which viewer, with the options of that viewer."""

from __future__ import annotations

from playmill.drawing.scene import Scene
from playmill.games.grid.config import Config
from playmill.games.grid.words import names


class GridScene(Scene[Config]):
    """What is drawn, for whom, and what that player can do."""

    @property
    def players(self) -> int:
        return names.players_of(self.s)
