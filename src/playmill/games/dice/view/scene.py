"""The position that a picture of Dice shows, for which viewer, with the options of that viewer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from playmill.author import Lang, Text
from playmill.drawing.lettering import clean
from playmill.games.dice.config import Config
from playmill.games.dice.words import names
from playmill.games.dice.words.names import Saving


@dataclass(frozen=True)
class DiceScene:
    """What is drawn, for whom, and what that player can do."""

    config: Config
    s: np.void
    viewer: int | None
    legal: frozenset[int]
    lang: Lang

    def say(self, words: Text) -> str:
        """Words in the language of the picture, without characters that would spoil it."""
        return clean(words.of(self.lang))

    @cached_property
    def saves(self) -> list[list[Saving]]:
        """The sets that may be saved, grouped where they show the same faces and bring the same, the best first."""
        groups: dict[tuple[int, tuple[int, ...]], list[Saving]] = {}
        for saving in names.savings(self.config, self.s):
            groups.setdefault((saving.gain, tuple(sorted(saving.faces))), []).append(saving)
        return list(groups.values())
