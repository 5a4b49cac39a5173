"""The position that a picture of Dice shows, for which viewer, with the options of that viewer."""

from __future__ import annotations

from functools import cached_property

from playmill.drawing.scene import Scene
from playmill.games.dice.config import Config
from playmill.games.dice.words import names
from playmill.games.dice.words.names import Saving


class DiceScene(Scene[Config]):
    """What is drawn, for whom, and what that player can do."""

    @cached_property
    def saves(self) -> list[list[Saving]]:
        """The sets that may be saved, grouped where they show the same faces and bring the same, the best first."""
        groups: dict[tuple[int, tuple[int, ...]], list[Saving]] = {}
        for saving in names.savings(self.config, self.s):
            groups.setdefault((saving.gain, tuple(sorted(saving.faces))), []).append(saving)
        return list(groups.values())
