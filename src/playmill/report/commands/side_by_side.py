"""Report of runs that differ in one thing (player count or agent): shared figures with a column for each run.

That thing is the number of players, or the agent in all seats.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import isclose

from rich.console import Console

from playmill.engine.contract.levels import Level
from playmill.report.model.among import Among, among_names, named
from playmill.report.model.tables import Cell, Estimate, RunInfo, Table
from playmill.report.number_format import counted, decimal, duration, is_numeric
from playmill.report.terminal.report_printer import (
    SEATS_ROTATE,
    agents_text,
    method_of,
    print_head,
    print_report,
    print_tables,
)
from playmill.report.terminal.row_layout import SPACE, print_words
from playmill.texts import LANGUAGES, Lang, Text

_PLAYERS = Text("player|players", "игрок|игрока|игроков")
_GAMES_EACH = Text("game each|games each", "партии|партии|партий")

_EVERYBODY = Text("everybody", "все")
_LEVELS = Text("Who plays", "Кто играет")
_LEVEL, _AGENT = Text("Level", "Уровень"), Text("Agent", "Агент")
_PLAYED, _TIME = Text("Games", "Партий"), Text("Time", "Время")
_DEALS = Text("deal|deals", "раздача|раздачи|раздач")
_GAMES = Text("games", "партий")

Label = tuple[Cell, ...]
#: What a run of a series has that no other has: a number of players, or the agent in all its seats.
Which = int | str


@dataclass(frozen=True)
class Series:
    """Runs that differ in the number of players or in the agent: those asked for, those begun, the command."""

    each: tuple[Which, ...]
    runs: tuple[RunInfo, ...]
    command: str
    #: The levels of play that the agents stand for, if they do.
    levels: tuple[Level, ...] = ()

    @property
    def by_agents(self) -> bool:
        """Whether the runs differ in the agent."""
        return isinstance(self.each[0], str)

    def which(self, run: RunInfo) -> Which:
        """Returns what one of the runs has that no other has."""
        return run.agents[0] if self.by_agents else run.players

    @property
    def among(self) -> tuple[Among, ...]:
        """Among whom each run is played, if they differ in the agent."""
        return named([str(agent) for agent in self.each], self.levels)

    @property
    def heads(self) -> tuple[Text, ...]:
        """What stands over the columns of the runs."""
        if self.levels:
            return tuple(one.head for one in self.among[: len(self.runs)])
        return tuple(Text(*(which_text(self.which(run), lang) for lang in LANGUAGES)) for run in self.runs)

    @property
    def complete(self) -> bool:
        """Whether all games of all runs were played."""
        return len(self.runs) == len(self.each) and all(run.complete for run in self.runs)

    @property
    def elapsed_s(self) -> float:
        """The seconds of play of all runs."""
        return round(sum(run.elapsed_s for run in self.runs), 3)


def players_text(players: int, lang: Lang) -> str:
    """Returns a number of players in words."""
    return counted(players, _PLAYERS, lang)


def listed_players(players: Sequence[int], lang: Lang) -> str:
    """Returns some numbers of players in words: "3, 4 and 5 players"."""
    *others, last = players
    last_text = players_text(last, lang)
    return f"{', '.join(map(str, others))}{Text(' and ', ' и ').of(lang)}{last_text}" if others else last_text


def which_text(which: Which, lang: Lang) -> str:
    """Returns what distinguishes one run, in words."""
    return which if isinstance(which, str) else players_text(which, lang)


def listed(each: Sequence[Which], lang: Lang) -> str:
    """Returns some numbers of players or agents in words: "3, 4 and 5 players", "dealer and tactical"."""
    if isinstance(each[0], int):
        return listed_players([one for one in each if isinstance(one, int)], lang)
    *others, last = map(str, each)
    return f"{', '.join(others)}{Text(' and ', ' и ').of(lang)}{last}" if others else last


# The tables


def compared(heads: Sequence[Text], reports: Sequence[Sequence[Table]]) -> list[Table]:
    """Returns every table that all the reports have, for each of its figures, with a column for each run.

    Rows are matched by their words, so that a row only some of the runs have (such as the fifth seat) is empty in the
    others. Of a table with estimates only these are compared: counts follow from them and the number of games.
    """
    kept = [{table.key: table for table in report} for report in reports]
    made: list[Table] = []
    for key in kept[0]:
        if all(key in tables for tables in kept):
            made += _compared([tables[key] for tables in kept], tuple(heads))
    return made


def _compared(tables: Sequence[Table], heads: tuple[Text, ...]) -> list[Table]:
    first = tables[0]
    figures = [title for title in figure_titles(first) if all(title in table.columns for table in tables)]
    made: list[Table] = []
    for title in figures:
        named = _titled(first.title, title) if len(figures) > 1 else first.title
        percent = first.columns.index(title) in first.percent_columns
        rows, measure = rows_of(tables, title), _measure(tables, title)
        if _are_given(rows, len(tables)):
            continue
        if measure is None:
            made.append(_table(first, named, heads, rows, percent=percent))
            continue
        label, parts = measure
        empty = [None] * (len(label_columns(first)) - 1)
        made.append(_table(first, named, heads, [*rows, (_as_label(label), *empty, *parts)], percent=percent))
        if len(set(parts)) > 1:
            # A third of the games is much of five players and little of two: only this can be compared.
            times = _titled(first.title, Text.join((title, _bare(label)), " ÷ "))
            made.append(_table(first, times, heads, _divided(rows, parts), percent=False))
    if made and first.note:
        made[-1] = replace(made[-1], note=first.note)
    keys = [first.key, *(f"{first.key}-{number}" for number in range(2, len(made) + 1))]
    return [replace(table, key=key) for table, key in zip(made, keys, strict=False)]  # none, if all is words


def _table(first: Table, title: Text, heads: tuple[Text, ...], rows: Iterable[Label], *, percent: bool) -> Table:
    labels = tuple(first.columns[column] for column in label_columns(first))
    shares = range(len(labels), len(labels) + len(heads)) if percent else ()
    return Table(first.key, title, (*labels, *heads), tuple(rows), percent_columns=frozenset(shares))


def _titled(title: Text, column: Text) -> Text:
    return Text.join((title, column), " — ")


def label_columns(table: Table) -> list[int]:
    """Returns the columns that say what a row is about: the first, and every other one without numbers."""
    return [column for column in range(len(table.columns)) if column == 0 or not is_numeric(table, column)]


def is_named(table: Table, row: Sequence[Cell]) -> bool:
    """Returns whether a row has all of its labels; that of draws has no agent, and so no fair share."""
    return all(row[column] is not None for column in label_columns(table))


def equals(table: Table, column: int, line: float) -> list[Estimate]:
    """Returns the figures of those who share all wins if each has the line's part; none if it is no such part."""
    cells = [cell for row in table.rows if is_named(table, row) and isinstance(cell := row[column], Estimate)]
    return cells if isclose(line * len(cells), 1) else []


def row_labels(table: Table, row: Sequence[Cell], columns: Iterable[int], lang: Lang) -> list[str]:
    """Returns what some columns say a row is about; numbers get the title of their column: "round 3"."""
    labels = []
    for column in columns:
        cell, title = row[column], table.columns[column].of(lang)
        if cell is None or cell == "":
            continue
        word = cell.of(lang) if isinstance(cell, Text) else str(cell)
        labels.append(f"{title[:1].lower()}{title[1:]} {word}" if word.isdecimal() else word)
    return labels


def figure_title(table: Table, row: Sequence[Cell], column: int) -> Text:
    """Returns the title of a figure outside its table: table, row, and column if there are others."""
    labels = figure_labels(table, row, column)
    parts = [Text.join(labels)] if labels else []
    if not labels or sum(isinstance(cell, Estimate) for cell in row) > 1:
        parts.append(table.columns[column])
    return Text.join((table.title, Text.join(parts, " — ")), ": ")


def figure_labels(table: Table, row: Sequence[Cell], column: int) -> tuple[Text, ...]:
    """Returns what the row of a figure is about: "Seat 1", and who sits there."""
    before = [label for label in label_columns(table) if label < column]
    return tuple(map(Text, *(row_labels(table, row, before, lang) for lang in LANGUAGES)))


def figure_titles(table: Table) -> list[Text]:
    """Returns the titles of the columns to compare: those with estimates or, if none, all with numbers."""
    numbers = [column for column in range(len(table.columns)) if column not in label_columns(table)]
    estimates = [column for column in numbers if any(isinstance(row[column], Estimate) for row in table.rows)]
    return [table.columns[column] for column in estimates or numbers]


def rows_of(tables: Sequence[Table], title: Text) -> list[tuple[Cell, ...]]:
    """Returns the rows of one column of figures: labels, and the cell of each table."""
    found: list[dict[Label, Cell]] = []
    for table in tables:
        labels, at = label_columns(table), table.columns.index(title)
        found.append({tuple(row[column] for column in labels): row[at] for row in table.rows})
    merged = _merged([list(cells) for cells in found])
    return [(*label, *(cells.get(label) for cells in found)) for label in merged]


def _are_given(rows: Iterable[Sequence[Cell]], runs: int) -> bool:
    """Returns whether a column holds no findings but numbers of the rules, the same in all runs."""
    cells = [row[-runs:] for row in rows]
    return all(len(set(row)) == 1 and not isinstance(row[0], Estimate) for row in cells)


def _measure(tables: Sequence[Table], title: Text) -> tuple[Text, list[float]] | None:
    """Returns what a column of figures is measured by, such as a fair share, if every table draws that."""
    label, found = None, []
    for table in tables:
        chart = table.chart
        if chart is None or chart.reference is None or table.columns[chart.estimate] != title:
            return None
        label = chart.reference_label
        found.append(chart.reference)
    return (label, found) if label is not None else None


def _divided(rows: Iterable[Sequence[Cell]], parts: Sequence[float]) -> Iterable[tuple[Cell, ...]]:
    """Returns rows whose last cells are estimates, each divided by its part."""
    for row in rows:
        labels, cells = row[: -len(parts)], row[-len(parts) :]
        yield (
            *labels,
            *(
                cell.times(1 / part) if isinstance(cell, Estimate) else None
                for cell, part in zip(cells, parts, strict=True)
            ),
        )


def _bare(text: Text) -> Text:
    """Returns the label of a chart's line, inside a sentence."""
    return Text(*(part.rstrip(":") for part in text))


def _as_label(text: Text) -> Text:
    """Returns the label of a chart's line, as the label of a row."""
    return Text(*(part[:1].upper() + part[1:] for part in _bare(text)))


def _merged(lists: Sequence[Sequence[Label]]) -> list[Label]:
    """Merges lists of labels; one that only later lists have comes after the one it follows there."""
    merged: list[Label] = []
    for labels in lists:
        place = 0
        for label in labels:
            if label in merged:
                place = merged.index(label) + 1
            else:
                merged.insert(place, label)
                place += 1
    return merged


def without_agent(table: Table, agent: str) -> Table:
    """Returns a table side by side without the columns that say of every row that this agent plays.

    Where the agent is what a row is about, the row is about everybody.
    """
    said = [
        column
        for column in range(1, len(table.columns))
        if {row[column] for row in table.rows} <= {agent, None, ""} and any(row[column] == agent for row in table.rows)
    ]
    kept = [column for column in range(len(table.columns)) if column not in said]
    return replace(
        table,
        columns=tuple(table.columns[column] for column in kept),
        rows=tuple(tuple(_EVERYBODY if row[column] == agent else row[column] for column in kept) for row in table.rows),
        percent_columns=frozenset(kept.index(column) for column in table.percent_columns),
    )


def levels_table(series: Series) -> Table:
    """Returns who stands for each level of play, and how much was played among them."""
    rows = tuple(
        (who.level.name, who.agent, run.games, Text(*(duration(run.elapsed_s, lang) for lang in LANGUAGES)))
        for who, run in zip(series.among, series.runs, strict=False)
        if who.level is not None
    )
    return Table("levels", _LEVELS, (_LEVEL, _AGENT, _PLAYED, _TIME), rows)


# In words


def series_parts(series: Series, lang: Lang) -> list[str]:
    """Returns the parts of the header."""
    run = series.runs[0]
    return [
        run.title.of(lang),
        players_text(run.players, lang) if series.by_agents else listed(series.each, lang),
        among_text(series.among, lang) if series.by_agents else series_agents(series),
        _games_text(series, lang),
        *([SEATS_ROTATE.of(lang)] if any(run.rotations > 1 for run in series.runs) else []),
        f"{Text('seed', 'сид').of(lang)}{SPACE}{run.seed}",
        duration(series.elapsed_s, lang),
    ]


def _games_text(series: Series, lang: Lang) -> str:
    """Returns how many games each run has."""
    if len({run.requested for run in series.runs}) > 1:
        return f"{' + '.join(decimal(run.requested, 0, lang) for run in series.runs)}{SPACE}{_GAMES.of(lang)}"
    games = counted(series.runs[0].requested, _GAMES_EACH, lang)
    return games if lang == "en" else f"по{SPACE}{games}"


def deals_text(deals: Sequence[int], lang: Lang) -> str:
    """Returns how many deals were played among each: one number if it is the same."""
    if len({*deals}) == 1:
        return counted(deals[0], _DEALS, lang)
    return f"{' + '.join(decimal(one, 0, lang) for one in deals)}{SPACE}{Text('deals', 'раздач').of(lang)}"


def among_text(agents: Sequence[Among], lang: Lang) -> str:
    """Returns among whom something was played."""
    return f"{Text('among', 'среди').of(lang)} {among_names(agents, lang)}"


def series_agents(series: Series) -> str:
    """Returns the agents: the one that all seats have, or those of the largest table that was played."""
    largest = max(series.runs, key=lambda run: run.players)
    return largest.agents[0] if len(set(largest.agents)) == 1 else agents_text(largest)


def missing_text(series: Series, lang: Lang) -> str:
    """Returns the warning about runs which were stopped before their end, or did not begin."""
    begun = {series.which(run): run for run in series.runs}
    lines = []
    for which in series.each:
        run, who = begun.get(which), which_text(which, lang)
        if run is None or run.games == 0:
            lines.append(Text(f"{who}: none", f"{who} — ни одной").of(lang))
        elif not run.complete:
            played, wanted = decimal(run.games, 0, lang), decimal(run.requested, 0, lang)
            lines.append(Text(f"{who}: {played} of {wanted}", f"{who} — {played} из {wanted}").of(lang))
    whose = "among" if series.by_agents else "with"
    head = Text(f"Incomplete; games played {whose}", "Прогон не завершён; сыграно партий:").of(lang)
    return f"{head} {'; '.join(lines)}."


def series_warnings(series: Series, lang: Lang) -> list[str]:
    """Returns what to know before believing the runs, each warning once."""
    lines = [] if series.complete else [missing_text(series, lang)]
    return lines + [text.of(lang) for text in dict.fromkeys(text for run in series.runs for text in run.warnings)]


def print_side_by_side(
    console: Console,
    series: Series,
    tables: Sequence[Table],
    reports: Sequence[Sequence[Table]],
    lang: Lang,
    *,
    verdicts: Sequence[Text] = (),
) -> None:
    """Prints what was run, the tables side by side, and the whole report of each run after them."""
    print_head(console, series_parts(series, lang), series_warnings(series, lang), series.runs[0].changes, lang)
    for text in verdicts:
        print_words(console, text.of(lang))
    print_tables(console, tables, lang, method=method_of(series.runs))
    for run, report, head in zip(series.runs, reports, series.heads, strict=True):
        console.print()
        console.rule(head.of(lang), style="dim")
        print_report(console, run, report, lang, known=True)
