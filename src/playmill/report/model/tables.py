"""Tables, charts and run facts of a report, which terminal, page and files render."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from playmill.stats.estimates import Estimate, mean, rate, ratio
from playmill.texts import Text, accept_strings, as_text

__all__ = [
    "IN_TURN",
    "METHOD",
    "Cell",
    "Chart",
    "Estimate",
    "RunInfo",
    "Table",
    "mean",
    "rate",
    "ratio",
    "seat_note",
]

METHOD = Text(
    "95 % intervals: Wilson's for rates, Student's for means, both let out where observations are few or lopsided.",
    "Интервалы 95 %: Уилсона для долей, Стьюдента для средних; шире, где наблюдений мало или они перекошены.",
)
#: Said of a run whose agents differ and keep their seats.
SEATS_MIXED = Text(
    "Agents and seats are mixed here; --rotate plays every deal from every seat.",
    "Агенты и места здесь смешаны; --rotate играет каждую раздачу со всех мест.",
)
#: Who sits in a seat, if every agent does so in turn.
IN_TURN = Text("all in turn", "все по очереди")
_BY_TURNS = Text("All agents take turns in each seat.", "На каждом месте по очереди сидят все агенты.")


Cell = str | Text | int | float | Estimate | None


@dataclass(frozen=True)
class Chart:
    """Draws one column of estimates as dots with error bars, and a line at what would be fair."""

    label: int
    estimate: int
    percent: bool = True
    reference: float | None = None
    reference_label: Text | None = None
    from_zero: bool = True  # the axis begins at 0 if that is near; a rating of 0 means nothing

    def __post_init__(self) -> None:
        accept_strings(self, "reference_label")


@dataclass(frozen=True, repr=False)
class Table:
    """One table of a report; a column of estimates may be percentages."""

    key: str
    title: Text
    columns: tuple[Text, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: Text | None = None
    chart: Chart | None = None
    percent_columns: frozenset[int] = frozenset()
    #: Columns whose texts are numbers, and stand where numbers do.
    number_columns: frozenset[int] = frozenset()
    #: Columns to be compared with each other: in a row, all of them have the same number of decimals.
    alike_columns: frozenset[int] = frozenset()
    #: Columns of a, b and b - a: of the same decimals in a row, enough for the interval and for b - a to follow.
    difference_columns: tuple[int, int, int] | None = None

    def __post_init__(self) -> None:
        accept_strings(self, "title", "note")
        object.__setattr__(self, "columns", tuple(map(as_text, self.columns)))

    def __repr__(self) -> str:
        return f"<Table {self.key}: {self.title.en}, {len(self.rows)} rows>"

    def _repr_html_(self) -> str:
        # By name: what draws pages draws tables, and is loaded by who draws one.
        return str(import_module("playmill.report.html.page").table_in_notebook(self))


@dataclass(frozen=True)
class RunInfo:
    """Everything about a run that is not its results."""

    game: str
    title: Text
    playmill: str
    players: int
    games: int
    requested: int
    #: None as long as it is a secret.
    seed: int | None
    agents: tuple[str, ...]
    config: dict[str, Any]
    changes: dict[str, Any]
    backend: str
    workers: int
    complete: bool
    elapsed_s: float
    command: str
    extra: dict[str, Any] = field(default_factory=dict)
    #: In how many seatings every deal was played, so that each agent had each seat; else 1.
    rotations: int = 1
    #: Whether it was stopped by looking at a figure, so that its intervals are such as hold then.
    looked: bool = False

    @property
    def blocks(self) -> int:
        """How many deals were played: each from every seat in a rotated run."""
        return self.games // self.rotations

    @property
    def agent_names(self) -> tuple[str, ...]:
        """Each different agent once, in the order of seats."""
        return tuple(dict.fromkeys(self.agents))

    @property
    def seat_agents(self) -> tuple[str | None, ...]:
        """The agent of each seat; None if everybody sits there in turn."""
        return self.agents if self.rotations == 1 else (None,) * self.players

    @property
    def warnings(self) -> tuple[Text, ...]:
        """What a reader has to know before believing the figures."""
        return (SEATS_MIXED,) if self.rotations == 1 and len(self.agent_names) > 1 else ()

    def json(self) -> dict[str, Any]:
        """Returns the `meta` part of a saved run."""
        warnings = [{"en": text.en, "ru": text.ru} for text in self.warnings]
        return {
            "game": self.game,
            "playmill": self.playmill,
            "players": self.players,
            "games": self.games,
            "requested": self.requested,
            "seed": self.seed,
            "agents": list(self.agents),
            "rotations": self.rotations,
            "blocks": self.blocks,
            "config": self.config,
            "backend": self.backend,
            "workers": self.workers,
            "complete": self.complete,
            "elapsed_s": self.elapsed_s,
            "command": self.command,
            **({"looked": True} if self.looked else {}),
            **({"warnings": warnings} if warnings else {}),
            **self.extra,
        }


def seat_note(run: RunInfo, note: Text | None = None) -> Text | None:
    """Returns the note of a table of seats; if agents rotate, it says so."""
    if run.rotations == 1:
        return note
    return Text.join([note, _BY_TURNS], " ") if note else _BY_TURNS
