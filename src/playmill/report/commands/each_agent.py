"""Report of `--among`: figures that turn over between agents, and differences side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from playmill.report.commands.compare import REAL, marked
from playmill.report.commands.side_by_side import figure_titles, label_columns, listed, row_labels, rows_of
from playmill.report.model.tables import Cell, Estimate, Table
from playmill.stats.critical_values import LEVEL
from playmill.stats.differences import holm
from playmill.stats.fair_share import Answer, side_of
from playmill.texts import LANGUAGES, Text

Key = TypeVar("Key")
_WHAT = Text("What", "Что")
_HOW = Text("what turns over", "что переворачивается")
_REAL_AMONG = Text("real among", "на самом деле — среди")
#: Behind the title of a table of differences.
_DIFFERENCE = ", B − A"
_NONE = Text("none", "никого")
#: Real differences that are told first; the others are in the tables.
_TOLD = 12
TURNS_OVER = Text("What turns over with the strength of play", "Что переворачивается с силой игры")
_NOTHING = Text(
    "Nothing, as far as these games tell: no figure is sure to go one way among some and the other way among others.",
    "Ничего, насколько видно по этим партиям: ни про один показатель нельзя уверенно сказать, что у одних он ведёт себя"
    " так, а у других — наоборот.",
)
_SURE = Text(
    "Each of these signs stands after Holm's correction for all that was asked among all of these agents.",
    "Каждый из этих знаков выдерживает поправку Холма на всё, о чём спрошено у всех этих агентов.",
)
#: What a figure does among those with the sign 1, and among those with -1.
SIDES = Text("above fair among {}, below it among {}", "выше честного среди {}, ниже — среди {}")
SIGNS = Text(
    "B − A is above 0 among {}; among {} the sign is the other way",
    "B − A больше 0 среди {}; среди {} знак обратный",
)
AGAINST_RULES = Text(
    "higher than with the rules among {}; among {} the sign is the other way",
    "больше, чем по правилам, среди {}; среди {} знак обратный",
)
NEARER = Text("nearer to fair among {}, further from it among {}", "ближе к честному среди {}, дальше — среди {}")


@dataclass(frozen=True)
class ReversedFigure:
    """A figure that turns over: its title, its value among each agent, and in words what turns over."""

    title: Text
    cells: tuple[Estimate | None, ...]
    percent: bool
    text: Text

    def json(self, agents: Sequence[str]) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {
            "figure": {"en": self.title.en, "ru": self.title.ru},
            "among": {who: cell.json() if cell else None for who, cell in zip(agents, self.cells, strict=True)},
            "told": {"en": self.text.en, "ru": self.text.ru},
        }


def sure_signs(answers: Mapping[Key, Answer]) -> dict[Key, int]:
    """Returns the signs that stand after Holm's correction for all of the questions; 0 for the others."""
    adjusted = holm([p for _, p in answers.values()])
    return {key: sign if p < LEVEL else 0 for (key, (sign, _)), p in zip(answers.items(), adjusted, strict=True)}


def turned_text(form: Text, agents: Sequence[str], signs: Sequence[int]) -> Text | None:
    """Returns what turns over, in words; None if the signs of all agents that have one are the same."""
    high, low = ([who for who, one in zip(agents, signs, strict=True) if one == sign] for sign in (1, -1))
    if not high or not low:
        return None
    return Text(*(form.of(lang).format(listed(high, lang), listed(low, lang)) for lang in LANGUAGES))


def turned_sides(agents: Sequence[str], reports: Sequence[Sequence[Table]]) -> list[ReversedFigure]:
    """Returns the figures on one side of fair among some agents, and on the other among others."""
    found = list(_fair_figures(reports))
    answers = {
        (place, who): side_of(cell, fair)
        for place, (_, cells, _, fairs) in enumerate(found)
        for who, (cell, fair) in enumerate(zip(cells, fairs, strict=True))
        if cell is not None
    }
    signs = sure_signs(answers)
    made = []
    for place, (title, cells, percent, _) in enumerate(found):
        message = turned_text(SIDES, agents, [signs.get((place, who), 0) for who in range(len(agents))])
        if message is not None:
            made.append(ReversedFigure(title, cells, percent, message))
    return made


def _fair_figures(
    reports: Sequence[Sequence[Table]],
) -> Iterator[tuple[Text, tuple[Estimate | None, ...], bool, list[float]]]:
    """Yields every figure that all reports draw beside what is fair."""
    for tables in _shared(reports):
        first = tables[0]
        fairs = [table.chart.reference for table in tables if table.chart and table.chart.reference is not None]
        if first.chart is None or len(fairs) < len(tables):
            continue
        title = first.columns[first.chart.estimate]
        if any(title not in table.columns for table in tables):
            continue
        percent = first.chart.estimate in first.percent_columns
        for row in rows_of(tables, title):
            cells = tuple(cell if isinstance(cell, Estimate) else None for cell in row[-len(tables) :])
            yield _row_title(first, row, title), cells, percent, fairs


def _shared(reports: Sequence[Sequence[Table]]) -> Iterator[list[Table]]:
    """Returns the tables that all reports have."""
    kept = [{table.key: table for table in report} for report in reports]
    for key in kept[0]:
        if all(key in tables for tables in kept):
            yield [tables[key] for tables in kept]


def _row_title(first: Table, row: Sequence[Cell], title: Text) -> Text:
    """Returns the title of a figure outside its table."""
    labels = label_columns(first)
    names = Table(first.key, first.title, tuple(first.columns[column] for column in labels), ())
    more = len(figure_titles(first)) > 1
    return Text(
        *(
            f"{first.title.of(lang)}: {', '.join(row_labels(names, row, range(len(labels)), lang))}"
            + (f" — {title.of(lang)}" if more else "")
            for lang in LANGUAGES
        )
    )


# Tables


def turned_table(found: Sequence[ReversedFigure], agents: Sequence[str]) -> Table:
    """Returns the table of what turns over: each figure among each agent, and how."""
    rows = tuple((*_scaled(one.title, one.cells, percent=one.percent), one.text) for one in found)
    alike = frozenset(range(1, len(agents) + 1))
    columns = (_WHAT, *(Text(who, who) for who in agents), _HOW)
    return Table("turned", TURNS_OVER, columns, rows, note=_SURE if rows else _NOTHING, alike_columns=alike)


def difference_tables(
    agents: Sequence[str], differences: Sequence[Sequence[Table]], marks: Sequence[Sequence[Table]]
) -> list[Table]:
    """Returns tables of every figure's difference among each agent side by side, the surest first.

    `marks` are the same tables with marks of what is real; what has none was not compared, and is left out.
    """
    every = [
        table
        for tables in _shared([*differences, *marks])
        for table in _difference_tables(agents, tables[: len(agents)], tables[len(agents) :])
    ]
    return [_real_ones(every, agents), *every]


def _difference_tables(agents: Sequence[str], tables: Sequence[Table], marks: Sequence[Table]) -> Iterator[Table]:
    first, n = tables[0], len(agents)
    labels = label_columns(first)
    titles = [title for title in figure_titles(first) if all(title in table.columns for table in (*tables, *marks))]
    made = 0
    for title in titles:
        rows: list[tuple[Cell, ...]] = []
        for row in rows_of([*tables, *marks], title):
            verdicts = [marked(mark) for mark in row[-n:]]
            if any(verdicts):
                cells = (cell if verdict else None for cell, verdict in zip(row[-2 * n : -n], verdicts, strict=True))
                real = [who for who, verdict in zip(agents, verdicts, strict=True) if verdict is REAL]
                rows.append((*row[: -2 * n], *cells, real_among(real)))
        if not rows:
            continue
        made += 1
        yield Table(
            f"{first.key}-{made}" if made > 1 else first.key,
            Text.join((_titled(first, title) if len(titles) > 1 else first.title, _DIFFERENCE), ""),
            (*(first.columns[column] for column in labels), *(Text(who, who) for who in agents), _REAL_AMONG),
            tuple(rows),
            percent_columns=frozenset(range(len(labels), len(labels) + n))
            if first.columns.index(title) in first.percent_columns
            else frozenset(),
            alike_columns=frozenset(range(len(labels), len(labels) + n)),
        )


def _titled(table: Table, column: Text) -> Text:
    return Text.join((table.title, column), " — ")


def real_among(agents: Sequence[str]) -> Text:
    """Returns among whom a difference is real."""
    return Text(*(listed(agents, lang) for lang in LANGUAGES)) if agents else _NONE


def _real_ones(tables: Iterable[Table], agents: Sequence[str]) -> Table:
    """Returns the differences that are real among any of the agents, the surest first."""
    found: list[tuple[float, tuple[Cell, ...]]] = []
    n = len(agents)
    for table in tables:
        labels = len(table.columns) - n - 1
        for row in table.rows:
            if row[-1] is _NONE:
                continue
            cells = [cell if isinstance(cell, Estimate) else None for cell in row[labels:-1]]
            names = [", ".join(row_labels(table, row, range(labels), lang)) for lang in LANGUAGES]
            whole = Text(*(title_text.removesuffix(_DIFFERENCE) for title_text in table.title))
            title = Text.join((whole, Text(*names)), ": ")
            sure = max(
                abs(one.value) / max(one.high - one.low, 1e-300) for one in cells if one is not None and one.known
            )
            found.append((sure, (*_scaled(title, cells, percent=bool(table.percent_columns)), row[-1])))
    found.sort(key=lambda one: -one[0])
    note = None
    if not found:
        note = Text("Nothing, as far as these deals tell.", "Ничего, насколько видно по этим раздачам.")
    elif len(found) > _TOLD:
        rest = len(found) - _TOLD
        note = Text(f"The surest ones; {rest} more are in the tables below.", f"Самые надёжные; ещё {rest} — ниже.")
    return Table(
        "real",
        Text(f"What is really different{_DIFFERENCE}", f"Что отличается на самом деле{_DIFFERENCE}"),
        (_WHAT, *(Text(who, who) for who in agents), _REAL_AMONG),
        tuple(row for _, row in found[:_TOLD]),
        note=note,
        alike_columns=frozenset(range(1, n + 1)),
    )


def _scaled(title: Text, cells: Sequence[Estimate | None], *, percent: bool) -> tuple[Cell, ...]:
    """Returns a title and its figures; shares become percent, to stand beside figures that are none."""
    if not percent:
        return (title, *cells)
    scaled = (None if one is None else one.times(100) for one in cells)
    return (Text(f"{title.en}, %", f"{title.ru}, %"), *scaled)
