"""The position that a picture of Grid shows, for which viewer, with the options of that viewer."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from playmill.author import Lang, Text
from playmill.games.grid.config import Config
from playmill.games.grid.words import names


@dataclass(frozen=True)
class GridScene:
    """What is drawn, for whom, and what that player can do."""

    config: Config
    s: np.void
    viewer: int | None
    legal: frozenset[int]
    lang: Lang

    @property
    def players(self) -> int:
        return names.players_of(self.s)

    def say(self, text: Text) -> str:
        return text.of(self.lang)
