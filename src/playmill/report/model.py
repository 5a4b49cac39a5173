"""What a report is made of, before it becomes a terminal table, a page or a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from playmill.texts import Text

#: The two-sided 95 % point of the normal distribution.
Z95 = 1.959963984540054

METHOD = Text(
    "95 % intervals: Wilson for rates, normal for means.", "Интервалы 95 %: Уилсона для долей, нормальные для средних."
)


@dataclass(frozen=True)
class Estimate:
    """A measured value with its 95 % interval and the number of observations behind it."""

    value: float
    low: float
    high: float
    n: int

    def json(self) -> dict[str, float | int]:
        """The form in which results are saved."""
        return {"value": self.value, "low": self.low, "high": self.high}


def rate(hits: int, n: int) -> Estimate:
    """The share of hits among n, with Wilson's score interval; of nothing: 0 with the interval [0, 1]."""
    hits, n = int(hits), int(n)
    if n == 0:
        return Estimate(0.0, 0.0, 1.0, 0)
    share = hits / n
    spread = Z95 * Z95 / n
    middle = (share + spread / 2) / (1 + spread)
    half = Z95 * sqrt(share * (1 - share) / n + spread / (4 * n)) / (1 + spread)
    low = 0.0 if hits == 0 else max(0.0, middle - half)
    high = 1.0 if hits == n else min(1.0, middle + half)
    return Estimate(share, low, high, n)


def mean(n: int, total: int, squares: int) -> Estimate:
    """The mean of n whole numbers from their sum and sum of squares, with its normal interval."""
    n, total, squares = int(n), int(total), int(squares)
    if n == 0:
        return Estimate(0.0, 0.0, 0.0, 0)
    value = total / n
    if n == 1:
        return Estimate(value, value, value, 1)
    variance = max(0, n * squares - total * total) / (n * (n - 1))
    half = Z95 * sqrt(variance / n)
    return Estimate(value, value - half, value + half, n)


Cell = str | Text | int | float | Estimate | None


@dataclass(frozen=True)
class Chart:
    """Draws one column of estimates as dots with error bars, and a line at what would be fair."""

    label: int
    estimate: int
    percent: bool = True
    reference: float | None = None
    reference_label: Text | None = None


@dataclass(frozen=True)
class Table:
    """One table of a report; a column of estimates may be percentages."""

    key: str
    title: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: Text | None = None
    chart: Chart | None = None
    percent_columns: frozenset[int] = frozenset()


@dataclass(frozen=True)
class RunInfo:
    """Everything about a run that is not its results."""

    game: str
    title: Text
    playmill: str
    players: int
    games: int
    requested: int
    seed: int
    agents: tuple[str, ...]
    config: dict[str, Any]
    changes: dict[str, Any]
    backend: str
    workers: int
    complete: bool
    elapsed_s: float
    command: str
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def agent_names(self) -> tuple[str, ...]:
        """Each different agent once, in the order of seats."""
        return tuple(dict.fromkeys(self.agents))

    def json(self) -> dict[str, Any]:
        """The `meta` part of a saved run."""
        return {
            "game": self.game,
            "playmill": self.playmill,
            "players": self.players,
            "games": self.games,
            "requested": self.requested,
            "seed": self.seed,
            "agents": list(self.agents),
            "config": self.config,
            "backend": self.backend,
            "workers": self.workers,
            "complete": self.complete,
            "elapsed_s": self.elapsed_s,
            "command": self.command,
            **self.extra,
        }
