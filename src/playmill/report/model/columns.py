"""Tables made of saved records: each column knows where its figure is and whether it is a percentage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from playmill.report.model.histogram import QUANTILES, quantile_estimate, saved_estimate
from playmill.report.model.tables import Cell, Chart, RunInfo, Table, seat_note
from playmill.texts import Text, accept_strings


def figure_cell(record: Mapping[str, Any], key: str = "") -> Cell:
    """Returns a figure of a saved record, or the record itself, as a cell: with its interval if it has one."""
    if key in QUANTILES:
        return quantile_estimate(record, key)
    found: Any = record[key] if key else record
    return saved_estimate(found) if isinstance(found, Mapping) else found


@dataclass(frozen=True)
class Column:
    """A column of figures: its title, and the key of its figure in a saved record, or a function of the record.

    Without a key the record is the figure itself. Columns that are `alike` are compared with each other: in a row, all
    of them have the same number of decimals.
    """

    title: Text
    figure: str | Callable[[Any], Cell] = ""
    percent: bool = False
    alike: bool = False

    def __post_init__(self) -> None:
        accept_strings(self, "title")

    def at(self, figure: str | Callable[[Any], Cell]) -> Column:
        """Returns the same column of another figure."""
        return replace(self, figure=figure)

    def cell(self, record: Any) -> Cell:
        """Returns the cell of a record."""
        return self.figure(record) if callable(self.figure) else figure_cell(record, self.figure)


def table_of(
    key: str,
    title: Text,
    columns: Sequence[Text | Column],
    rows: Iterable[tuple[Any, ...]],
    *,
    note: Text | None = None,
    by_seat: RunInfo | None = None,
    drawn: bool = False,
    reference: tuple[float | None, Text] | None = None,
) -> Table:
    """Makes a table of rows that name a record and end in it: `("Seat 1", "greedy", {"win_rate": …, "wins": 3})`.

    Names fill the first columns, which are titles alone; each `Column` after them reads the record. If `drawn`, or if
    there is a `reference` to compare it with, the first `Column` is drawn. Of a table by seats `by_seat` is the run:
    the note says so if agents take turns in them.
    """
    figures = [column for column in columns if isinstance(column, Column)]
    names = len(columns) - len(figures)
    value, label = reference or (None, None)
    return Table(
        key,
        title,
        tuple(column.title if isinstance(column, Column) else column for column in columns),
        tuple((*words, *(column.cell(record) for column in figures)) for *words, record in rows),
        note=seat_note(by_seat, note) if by_seat else note,
        chart=Chart(names - 1, names, figures[0].percent, value, label) if drawn or reference else None,
        percent_columns=frozenset(place for place, column in enumerate(figures, names) if column.percent),
        alike_columns=frozenset(place for place, column in enumerate(figures, names) if column.alike),
    )
