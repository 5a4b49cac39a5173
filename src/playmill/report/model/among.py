"""`Among`: those among whom a question is asked, as tables and sentences name them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from playmill.engine.contract.levels import Level
from playmill.texts import LANGUAGES, Lang, Text


@dataclass(frozen=True)
class Among:
    """An agent that takes all seats, by its name in reports; it may stand for a level of play."""

    agent: str
    level: Level | None = None

    @property
    def head(self) -> Text:
        """What stands over its column: the level and the agent."""
        if self.level is None:
            return Text(self.agent, self.agent)
        return Text(*(f"{name} ({self.agent})" for name in self.level.name))

    @property
    def name(self) -> Text:
        """What a sentence calls those who play so, after "among"."""
        return Text(self.agent, self.agent) if self.level is None else self.level.among


def named(agents: Sequence[str], levels: Sequence[Level] = ()) -> tuple[Among, ...]:
    """Returns agents with the levels that they stand for, if they do."""
    return tuple(Among(agent, level) for agent, level in zip(agents, levels or (None,) * len(agents), strict=True))


def among_names(every: Sequence[Among], lang: Lang) -> str:
    """Returns those among whom something holds, after "among": "beginners and experts", "dealer and tactical"."""
    *others, last = (one.name.of(lang) for one in every)
    return f"{', '.join(others)}{Text(' and ', ' и ').of(lang)}{last}" if others else last


def among_both(every: Sequence[Among]) -> Text:
    """Returns the same in all languages."""
    return Text(*(among_names(every, lang) for lang in LANGUAGES))
