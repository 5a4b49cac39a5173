"""Compiled agents: the rule that chooses, its parameters, its lookup table; and how `search` plays a game out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.texts import Text, accept_strings

RuleFunction = Callable[..., Any]
LookupValues = np.ndarray[Any, np.dtype[np.float64]]


class ConfiguredTable(Protocol):
    """A lookup table that depends on the config: made when a match is prepared, and the same each time."""

    def table(self, config: RuleConfig) -> LookupValues:
        """Returns the table for a config."""


#: The table of a network, or what makes it for a config.
NetworkTable = LookupValues | ConfiguredTable
#: Progress callback: how much of how much is computed.
Preparing = Callable[[int, int], None]


@dataclass(frozen=True)
class Known:
    """The lookup table of one agent for one config: numbers to read while playing, and facts for the report."""

    pages: LookupValues
    facts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Parameter:
    """One numeric parameter of an agent, with its range; `words` are names of its values, from 0, if it has any."""

    default: float
    low: float
    high: float
    about: Text | str
    words: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        accept_strings(self, "about")

    def read(self, text: str) -> float | None:
        """Parses a value; None if it is none or out of range."""
        if self.words:
            return float(self.words.index(text)) if text in self.words else None
        try:
            value = float(text)
        except ValueError:
            return None
        return value if self.low <= value <= self.high else None

    def format(self, value: float) -> str:
        """A value as users write it."""
        return self.words[int(value)] if self.words else _plain(value)

    @property
    def range(self) -> str:
        """The allowed values, as text."""
        return ", ".join(self.words) if self.words else f"{_plain(self.low)} … {_plain(self.high)}"


def _plain(value: float) -> str:
    """A number without a power of ten: 1000000, not 1e+06."""
    return str(int(value)) if value == int(value) else f"{value:g}"


@dataclass(frozen=True)
class CompiledAgent:
    """An agent that is a rule function `(cfg, s, legal, n, rng, params) -> action`.

    Its random stream is number `s.player` of `rng`, its parameters are row `s.player` of `params`. Unless it is
    `honest`, that is, looks at nothing its player may not see, it is handed a state that went through `conceal`. One
    that `knows` a lookup table, computed for the config before the match, is handed that as a seventh argument. Where
    a game counts its options without listing them, one that never reads the list says so (`lists=False`) and saves
    that work. One that does so little that calling it would take as long is `quick`: it becomes a part of the loops
    that play, and is compiled even if it does not play.
    """

    choose: RuleFunction
    about: Text | str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    honest: bool = False
    lists: bool = True
    quick: bool = False
    knows: Callable[[RuleConfig, Preparing | None], Known] | None = None

    def __post_init__(self) -> None:
        accept_strings(self, "about")


@dataclass(frozen=True)
class SearchPlan:
    """How `search` plays a game on in its head: by which agent, and for how long.

    By itself it plays to the end. A game that is too long for that says how a position stands, `standing(cfg, s, out)`
    with a number for each player on the scale of `returns`, and after how many decisions that is asked. Where whoever
    always does the same is seen through, as in poker, everybody `mixes`. `expert` is the `search` that plays best and
    still answers at once: `--agents expert`, where no network was trained.
    """

    rollout: str = "random"
    standing: RuleFunction | None = None
    horizon: int = 0
    mixes: bool = False
    expert: str = "search:iterations=1000"
