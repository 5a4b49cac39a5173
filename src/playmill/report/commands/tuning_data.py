"""What the report of `tune` shows: goals, figures before and after, changed numbers, and the race."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from playmill.report.model.among import Among
from playmill.report.model.tables import Estimate, RunInfo
from playmill.texts import Text


@dataclass(frozen=True)
class GoalAmong:
    """One goal among some of those it was tuned for, under the rules, the best and the smallest change."""

    who: Among
    #: Whether a gap is shown, which should be 0, and not the figure itself.
    gap: bool
    rules: Estimate
    best: Estimate | None = None
    smallest: Estimate | None = None
    reached: bool | None = None


@dataclass(frozen=True)
class ShownGoal:
    """One goal: its value under the rules, the best and the smallest change; `search` is of the best."""

    text: Text
    #: What is shown: a gap that should be 0, or the figure itself.
    unit: Text
    percent: bool
    rules: Estimate
    best: Estimate | None = None
    smallest: Estimate | None = None
    search: Estimate | None = None
    #: Whether fresh games allow that it is reached, by the best or, if nothing is better, by the rules.
    reached: bool | None = None
    #: The same among each of those it was tuned for, if there are several.
    among: tuple[GoalAmong, ...] = ()


@dataclass(frozen=True)
class Family:
    """Figures that a goal is about, each under the rules, the best and the smallest change."""

    title: Text
    percent: bool
    reference: float | None
    rows: tuple[tuple[Text, tuple[Estimate | None, ...]], ...]


@dataclass(frozen=True)
class ChangedNumber:
    """A number: its values, and the share of the gain lost if it alone goes back to the rules."""

    path: str
    rules: Any
    best: Any
    smallest: Any
    share: Estimate | None


@dataclass(frozen=True)
class RacerRow:
    """A setting in the race, or of a front: its goals on fresh games, and what the search said of it."""

    setting: Mapping[str, Any]
    search: tuple[Estimate | None, ...]
    fresh: tuple[Estimate, ...]
    deals: int
    out: bool


@dataclass(frozen=True)
class TuningReport:
    """A tuning, ready to be shown."""

    run: RunInfo
    players: tuple[int, ...]
    agents: tuple[str, ...]
    free: tuple[str, ...]
    goals: tuple[ShownGoal, ...]
    families: tuple[Family, ...]
    numbers: tuple[ChangedNumber, ...]
    ran: tuple[RacerRow, ...]
    #: For each trial in its order: what it lost or gained against the rules, and whether it was cut short.
    trials: tuple[tuple[float, bool], ...]
    #: What the search saw of the best so far after each trial, if there is one goal.
    so_far: tuple[float, ...]
    better: bool
    front: bool
    refused: int
    complaint: Text | None
    whole: bool
    nearly: float
    #: Whether fresh games show that the smallest change loses no more than that; None if there is no smaller one.
    nearly_shown: bool | None
    games: int
    deals: int
    elapsed_s: float
    #: Answers of agents that could not be used.
    unused: int
    command: str
    compare: str
    #: Changed numbers that are at an end of their range.
    at_bound: Mapping[str, Any] = field(default_factory=dict)
    #: Whether nothing of the rules was free, but numbers of agents.
    of_agents: bool = False
    #: Those among whom one setting is to do, if there are several.
    whom: tuple[Among, ...] = ()
