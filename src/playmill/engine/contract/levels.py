"""Levels of play of a game: beginners, good players and experts, each with the agent that stands for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from playmill.texts import PlaymillError, Text

#: The key of the highest level.
EXPERTS = "experts"
#: What each level is called, alone and after "among", by the key that a game's module `levels` uses.
NAMES: Mapping[str, tuple[Text, Text]] = {
    "beginners": (Text("beginners", "новички"), Text("beginners", "новичков")),
    "good": (Text("good players", "хорошие игроки"), Text("good players", "хороших игроков")),
    EXPERTS: (Text("experts", "мастера"), Text("experts", "мастеров")),
}


@dataclass(frozen=True)
class Level:
    """A level of play and the agent that stands for it, as on the command line."""

    key: str
    agent: str

    @property
    def name(self) -> Text:
        """What those who play at this level are called."""
        return NAMES[self.key][0]

    @property
    def among(self) -> Text:
        """The same after "among"."""
        return NAMES[self.key][1]


def check_levels(game: str, levels: Any) -> Mapping[str, str]:
    """Returns what a game's hook `levels` has returned; raises unless it names agents by level."""
    if not isinstance(levels, Mapping) or not all(isinstance(agent, str) for agent in levels.values()):
        raise PlaymillError(
            f"the game {game!r}: levels(config) must return agents by level, such as {{'good': 'greedy'}}",
            f"игра {game!r}: levels(config) должна возвращать агентов по уровням, например {{'good': 'greedy'}}",
        )
    unknown = next((key for key in levels if key not in NAMES), None)
    if unknown is not None:
        known = ", ".join(NAMES)
        raise PlaymillError(
            f"the game {game!r}: levels(config) names a level {unknown!r}; the levels are {known}",
            f"игра {game!r}: levels(config) называет уровень {unknown!r}; уровни такие: {known}",
        )
    return dict(levels)
