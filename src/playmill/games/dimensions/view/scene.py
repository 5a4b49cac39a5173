"""The position that a picture of Battle of Dimensions shows, for which viewer, with the options of that viewer."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from playmill.author.words import Action
from playmill.drawing.scene import Scene
from playmill.games.dimensions import words
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.words import names


class DimensionsScene(Scene[Config]):
    """What is drawn, for whom, and what that player can do."""

    @property
    def players(self) -> int:
        return names.players_of(self.s)

    @cached_property
    def options(self) -> list[tuple[int, Action]]:
        """What can be done, taken apart."""
        return [(action, words.ACTS.decode(action)) for action in self.legal]

    def those(self, wanted: Callable[[Action], bool]) -> list[int]:
        """The options that are as wanted."""
        return [action for action, parts in self.options if wanted(parts)]

    def phrase(self, action: int) -> str:
        """An option in words."""
        return self.say(words.describe(self.config, action))
