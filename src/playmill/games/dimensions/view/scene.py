"""The position that a picture of Battle of Dimensions shows, for which viewer, with the options of that viewer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from playmill.author import Lang, Text
from playmill.games.dimensions import words
from playmill.games.dimensions.actions import Action, take_apart
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.constants import NOBODY
from playmill.games.dimensions.words import names


@dataclass(frozen=True)
class DimensionsScene:
    """What is drawn, for whom, and what that player can do."""

    config: Config
    s: np.void
    viewer: int | None
    legal: frozenset[int]
    lang: Lang

    @property
    def players(self) -> int:
        return names.players_of(self.s)

    @property
    def over(self) -> bool:
        return bool(self.s["player"] == NOBODY)

    def say(self, text: Text) -> str:
        return text.of(self.lang)

    @cached_property
    def options(self) -> list[tuple[int, Action]]:
        """What can be done, taken apart."""
        return [(action, take_apart(action)) for action in sorted(self.legal)]

    def those(self, wanted: Callable[[Action], bool]) -> list[int]:
        """The options that are as wanted."""
        return [action for action, parts in self.options if wanted(parts)]

    def phrase(self, action: int) -> str:
        """An option in words."""
        return self.say(words.describe(self.config, action))
