"""Report of `--among`: figures that turn over between agents, and differences side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from playmill.report.commands.compare import REAL, marked
from playmill.report.commands.side_by_side import equals, figure_titles, label_columns, row_labels, rows_of
from playmill.report.model.among import Among, among_both, among_names
from playmill.report.model.common_tables import FAIR, FAIR_SHARE, WITHOUT_DRAWS
from playmill.report.model.tables import Cell, Estimate, Table
from playmill.report.number_format import decimal_text
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
#: What is 0.1 at least when it is rounded.
_TENTH = 0.05
#: Real differences that are told first; the others are in the tables.
_SHOWN = 12
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
#: The same of figures that are measured by something else.
_BESIDE = Text("above “{}” among {}, below it among {}", "выше «{}» среди {}, ниже — среди {}")
#: The same of what wins, by its name, among players of different levels.
_STRENGTH = Text(
    "{} is too strong among {} and too weak among {}",
    "{}: слишком много побед среди {} и слишком мало — среди {}",
)
_ALWAYS = {
    1: Text(
        "{} is too strong at every level: measured {} percentage points above fair.",
        "{}: слишком много побед на всех уровнях, измерено на {} п. п. больше честного.",
    ),
    -1: Text(
        "{} is too weak at every level: measured {} percentage points below fair.",
        "{}: слишком мало побед на всех уровнях, измерено на {} п. п. меньше честного.",
    ),
}
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
    #: Whether it says by itself what wins too often, and among whom.
    verdict: bool = False

    def json(self, agents: Sequence[Among]) -> dict[str, Any]:
        """Returns the JSON form, as it is saved."""
        return {
            "figure": {"en": self.title.en, "ru": self.title.ru},
            "among": {who.agent: cell.json() if cell else None for who, cell in zip(agents, self.cells, strict=True)},
            "told": {"en": self.text.en, "ru": self.text.ru},
        }


def sure_signs(answers: Mapping[Key, Answer]) -> dict[Key, int]:
    """Returns the signs that stand after Holm's correction for all of the questions; 0 for the others."""
    adjusted = holm([p for _, p in answers.values()])
    return {key: sign if p < LEVEL else 0 for (key, (sign, _)), p in zip(answers.items(), adjusted, strict=True)}


def turned_text(form: Text, agents: Sequence[Among], signs: Sequence[int]) -> Text | None:
    """Returns what turns over, in words; None if the signs of all agents that have one are the same."""
    high, low = ([who for who, one in zip(agents, signs, strict=True) if one == sign] for sign in (1, -1))
    if not high or not low:
        return None
    return Text(*(form.of(lang).format(among_names(high, lang), among_names(low, lang)) for lang in LANGUAGES))


@dataclass(frozen=True)
class _FairFigure:
    """A figure that all reports draw beside what is fair: among each agent, with the side of fair it is surely on."""

    title: Text
    cells: tuple[Estimate | None, ...]
    percent: bool
    fairs: Sequence[float]
    #: What wins as often as it tells; None where it counts something else.
    winner: Text | None
    #: What the reports measure it by, unless that is fair.
    line: Text | None
    signs: tuple[int, ...] = ()

    @property
    def off(self) -> Text:
        """How far a share of wins is from fair in percentage points, from the nearest agent to the furthest."""
        far = [100 * abs(cell.value - fair) for cell, fair in zip(self.cells, self.fairs, strict=True) if cell]
        digits = 1 if min(far) >= _TENTH else 2
        low, high = decimal_text(min(far), digits), decimal_text(max(far), digits)
        return low if low == high else Text(f"{low.en} to {high.en}", f"{low.ru}–{high.ru}")


def turned_sides(agents: Sequence[Among], reports: Sequence[Sequence[Table]]) -> list[ReversedFigure]:
    """Returns the figures on one side of fair among some agents, and on the other among others."""
    made = []
    for one in _signed(reports):
        form = SIDES if one.line is None else _named(_BESIDE, one.line)
        if one.winner is not None and agents[0].level is not None:
            form = _named(_STRENGTH, one.winner)
        if (message := turned_text(form, agents, one.signs)) is not None:
            made.append(ReversedFigure(one.title, one.cells, one.percent, message, verdict=one.winner is not None))
    return made


def _named(form: Text, name: Text) -> Text:
    """Returns a form whose first gap is filled; among whom it holds is said later."""
    return Text(*(words.format(word, "{}", "{}") for words, word in zip(form, name, strict=True)))


def level_verdicts(agents: Sequence[Among], reports: Sequence[Sequence[Table]]) -> list[Text]:
    """Returns what turns over between levels of play, and what is too strong or too weak at all of them, in words."""
    same = [
        Text(*(words.format(*named) for words, *named in zip(_ALWAYS[one.signs[0]], one.winner, one.off, strict=True)))
        for one in _signed(reports)
        if one.winner is not None and one.signs[0] and len({*one.signs}) == 1 < len(agents)
    ]
    turned = [Text(*(f"{text}." for text in one.text)) for one in turned_sides(agents, reports) if one.verdict]
    return [*dict.fromkeys([*turned, *same])]


def _signed(reports: Sequence[Sequence[Table]]) -> list[_FairFigure]:
    """Returns the figures beside what is fair, with the signs that are sure among all of them."""
    found = list(_fair_figures(reports))
    answers = {
        (place, who): side_of(cell, fair)
        for place, one in enumerate(found)
        for who, (cell, fair) in enumerate(zip(one.cells, one.fairs, strict=True))
        if cell is not None
    }
    signs = sure_signs(answers)
    return [
        replace(one, signs=tuple(signs.get((place, who), 0) for who in range(len(one.cells))))
        for place, one in enumerate(found)
    ]


def _fair_figures(reports: Sequence[Sequence[Table]]) -> Iterator[_FairFigure]:
    """Yields every figure that all reports draw beside what is fair."""
    for tables in _shared(reports):
        first = tables[0]
        if first.chart is None or any(table.chart is None or table.chart.reference is None for table in tables):
            continue
        title = first.columns[first.chart.estimate]
        if any(title not in table.columns for table in tables):
            continue
        percent = first.chart.estimate in first.percent_columns
        fairs = [_fair(table, title) for table in tables]
        label = first.chart.reference_label
        wins = label in (FAIR, FAIR_SHARE, WITHOUT_DRAWS) or bool(_equals(first, title))
        line = Text(*(text.rstrip(":") for text in label)) if label is not None else None
        for row in rows_of(tables, title):
            if wins and None in row[: -len(tables)]:
                continue  # what nobody has won
            cells = tuple(cell if isinstance(cell, Estimate) else None for cell in row[-len(tables) :])
            winner = row[0] if wins and isinstance(row[0], Text) else None
            yield _FairFigure(_row_title(first, row, title), cells, percent, fairs, winner, None if wins else line)


def _fair(table: Table, title: Text) -> float:
    """Returns what is fair in a table: its line or, where draws leave less to be shared, an equal part of the wins."""
    assert table.chart is not None and table.chart.reference is not None
    parts = [cell.value for cell in _equals(table, title)]
    return min(table.chart.reference, sum(parts) / len(parts)) if parts else table.chart.reference


def _equals(table: Table, title: Text) -> list[Estimate]:
    """Returns what each has won, if its line is an equal part of all wins."""
    line = table.chart.reference if table.chart is not None else None
    return equals(table, table.columns.index(title), line or 0.0)


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


def turned_table(found: Sequence[ReversedFigure], agents: Sequence[Among]) -> Table:
    """Returns the table of what turns over: each figure among each agent, and how."""
    rows = tuple((*_scaled(one.title, one.cells, percent=one.percent), one.text) for one in found)
    alike = frozenset(range(1, len(agents) + 1))
    columns = (_WHAT, *(who.head for who in agents), _HOW)
    return Table("turned", TURNS_OVER, columns, rows, note=_SURE if rows else _NOTHING, alike_columns=alike)


def difference_tables(
    agents: Sequence[Among], differences: Sequence[Sequence[Table]], marks: Sequence[Sequence[Table]]
) -> list[Table]:
    """Returns tables of every figure's difference among each agent side by side.

    `marks` are the same tables with marks of what is real; what has none was not compared, and is left out.
    """
    return [
        table
        for tables in _shared([*differences, *marks])
        for table in _difference_tables(agents, tables[: len(agents)], tables[len(agents) :])
    ]


def _difference_tables(agents: Sequence[Among], tables: Sequence[Table], marks: Sequence[Table]) -> Iterator[Table]:
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
            (*(first.columns[column] for column in labels), *(who.head for who in agents), _REAL_AMONG),
            tuple(rows),
            percent_columns=frozenset(range(len(labels), len(labels) + n))
            if first.columns.index(title) in first.percent_columns
            else frozenset(),
            alike_columns=frozenset(range(len(labels), len(labels) + n)),
        )


def _titled(table: Table, column: Text) -> Text:
    return Text.join((table.title, column), " — ")


def real_among(agents: Sequence[Among]) -> Text:
    """Returns among whom a difference is real."""
    return among_both(agents) if agents else _NONE


class RealDifference(NamedTuple):
    """A figure whose difference is real among some: its title, the difference among each agent, and among whom."""

    title: Text
    cells: Sequence[Estimate | None]
    percent: bool
    among: Sequence[Among]


def real_table(agents: Sequence[Among], differences: Iterable[RealDifference]) -> Table:
    """Returns the table of differences that are real among any of the agents, the surest first."""
    found: list[tuple[float, tuple[Cell, ...]]] = []
    n = len(agents)
    for one in differences:
        known = [cell for cell in one.cells if cell is not None and cell.known]
        sure = max(abs(cell.value) / max(cell.high - cell.low, 1e-300) for cell in known)
        found.append((sure, (*_scaled(one.title, one.cells, percent=one.percent), real_among(one.among))))
    found.sort(key=lambda one: -one[0])
    note = None
    if not found:
        note = Text("Nothing, as far as these deals tell.", "Ничего, насколько видно по этим раздачам.")
    elif len(found) > _SHOWN:
        rest = len(found) - _SHOWN
        note = Text(f"The surest ones; {rest} more are in the tables below.", f"Самые надёжные; ещё {rest} — ниже.")
    return Table(
        "real",
        Text(f"What is really different{_DIFFERENCE}", f"Что отличается на самом деле{_DIFFERENCE}"),
        (_WHAT, *(who.head for who in agents), _REAL_AMONG),
        tuple(row for _, row in found[:_SHOWN]),
        note=note,
        alike_columns=frozenset(range(1, n + 1)),
    )


def _scaled(title: Text, cells: Sequence[Estimate | None], *, percent: bool) -> tuple[Cell, ...]:
    """Returns a title and its figures; shares become percent, to stand beside figures that are none."""
    if not percent:
        return (title, *cells)
    scaled = (None if one is None else one.times(100) for one in cells)
    return (Text(f"{title.en}, %", f"{title.ru}, %"), *scaled)
