"""Runs and counts made by hand for reports, and what every table of every report must keep to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO
from math import ceil
from typing import Any, NamedTuple

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from playmill import Game, __version__
from playmill.engine.record import RecordArray, plain
from playmill.engine.rule import interpreted
from playmill.report.model import Estimate, RunInfo, Table, mean
from playmill.report.terminal import cell_parts, print_report
from playmill.stats.estimates import Measured
from playmill.texts import LANGUAGES, Lang, Text


class Counted(NamedTuple):
    """A run and what was counted in it."""

    run: RunInfo
    counts: Any


def run_of(game: Game, agents: tuple[str, ...], games: int, config: dict[str, Any], **more: Any) -> RunInfo:
    """A run as it is saved, of a second on one core, unless more is said of it."""
    told: dict[str, Any] = {
        "game": game.name,
        "title": game.title,
        "playmill": __version__,
        "players": len(agents),
        "games": games,
        "requested": games,
        "seed": 1,
        "agents": agents,
        "config": config,
        "changes": {},
        "backend": "cpu",
        "workers": 1,
        "complete": True,
        "elapsed_s": 1.0,
        "command": f"playmill simulate {game.name}",
    }
    return RunInfo(**{**told, **more})


def numbers_of(run: RunInfo) -> np.ndarray[Any, np.dtype[np.int64]]:
    """For each seat of a run the number of its agent."""
    return np.array([run.agent_names.index(name) for name in run.agents])


def counted(game: Game, rows: RecordArray, agents: Any = None) -> Any:
    """The tally of some rows; `agents` says for each seat which of the run's agents sits there."""
    counts: RecordArray = np.zeros(1, game.tally)
    add = interpreted(game.rules["tally"])
    for place in range(len(rows)):
        add(plain(rows)[place], agents, plain(counts)[0])
    return counts[0]


def times(game: Game, counts: Any, factor: int) -> Any:
    """The counts of every game played so many times."""
    many = np.zeros(1, game.tally)[0]
    for field in game.tally.names or ():
        many[field] = counts[field] * factor
    return many


def tables_of(game: Game, run: RunInfo, counts: Any) -> list[Table]:
    """The tables of a report."""
    tables: list[Table] = game.report.sections(game.report.results(counts, run), run)
    return tables


def section(game: Game, counts: Any, key: str, run: RunInfo) -> Table:
    """One table of a report."""
    return next(table for table in tables_of(game, run, counts) if table.key == key)


def mean_of(*numbers: int) -> dict[str, float | int]:
    """The mean of numbers, as it is saved."""
    return mean(len(numbers), sum(numbers), sum(number**2 for number in numbers)).json()


def described(values: Sequence[int]) -> dict[str, Any]:
    """How whole numbers are described in saved results, worked out from the numbers themselves."""
    ranked, interval = sorted(values), mean_of(*values)
    return {
        "mean": pytest.approx(np.mean(values)),
        "low": interval["low"],
        "high": interval["high"],
        "median": float(np.median(values)),
        "std": pytest.approx(np.std(values, ddof=1)),
        "p10": ranked[ceil(len(values) / 10) - 1],
        "p90": ranked[ceil(9 * len(values) / 10) - 1],
        "min": ranked[0],
        "max": ranked[-1],
    }


# What holds for every table


def texts_of(table: Table) -> Iterator[Text]:
    """All texts of a table."""
    yield table.title
    yield from table.columns
    yield from (cell for row in table.rows for cell in row if isinstance(cell, Text))
    yield from filter(None, (table.note, table.chart.reference_label if table.chart else None))


def check_texts(table: Table, same: frozenset[str]) -> None:
    """Fails unless all texts of a table speak both languages; `same` are those that are the same in both."""
    for text in texts_of(table):
        assert all(text.of(lang).strip() for lang in LANGUAGES), text
        assert text.ru in same or any("а" <= letter <= "я" or letter == "ё" for letter in text.ru.lower()), text
        assert text.en.isascii(), text


def check_shape(table: Table) -> None:
    """Fails unless rows are as long as their heads, percentages are shares, and what is drawn is an estimate."""
    for row in table.rows:
        assert len(row) == len(table.columns), table.key
        for column in table.percent_columns:
            assert row[column] is None or isinstance(row[column], Estimate | float), (table.key, column)
        if table.chart:
            assert isinstance(row[table.chart.estimate], Estimate), table.key
    if table.chart:
        assert table.chart.percent == (table.chart.estimate in table.percent_columns), table.key
        assert table.chart.label not in table.percent_columns, table.key


def printed(run: RunInfo, table: Table, lang: Lang, width: int) -> str:
    """A table as a terminal of that width shows it."""
    out = StringIO()
    print_report(Console(file=out, width=width), run, [table], lang)
    return out.getvalue()


def check_fit(run: RunInfo, table: Table, lang: Lang, width: int) -> None:
    """Fails unless every cell of a table is shown whole, and nothing is wider than the terminal."""
    shown = printed(run, table, lang, width)
    assert all(cell_len(line) <= width for line in shown.splitlines()), table.key
    words = set(shown.replace(",", " ").split())
    for row, column in np.ndindex(len(table.rows), len(table.columns)):
        for part in cell_parts(table, row, column, lang):
            assert set(part.replace(",", " ").split()) <= words, (table.key, part)


def check_table(run: RunInfo, table: Table, lang: Lang, width: int) -> None:
    """Fails unless a table fits a width as such, its heads above and its cells below a line.

    A table that does not fit is told in paragraphs and has no line under its heads.
    """
    shown = printed(run, table, lang, width)
    assert all(cell_len(line) <= width for line in shown.splitlines()), table.key
    head, line, body = shown.partition("──")
    assert line, table.key
    for title in table.columns:
        assert set(title.of(lang).split()) <= set(head.split()), (table.key, title)
    words = set(body.split())
    for row, column in np.ndindex(len(table.rows), len(table.columns)):
        for part in cell_parts(table, row, column, lang):
            assert set(part.split()) <= words, (table.key, part)


def rotated(game: Game, rows: RecordArray, players: int) -> Any:
    """The tally of rows that came out alike wherever each of so many agents sat."""
    whole: RecordArray = np.zeros(1, game.tally)
    for rotation in range(players):
        seating = np.atleast_1d(counted(game, rows, np.roll(np.arange(players), -rotation)))
        whole.view(np.int64)[:] += seating.view(np.int64)
    return whole[0]


def is_plain(value: Any) -> bool:
    """Whether a value is made of Python's own dicts, lists, names and numbers only, `Measured` ones among them."""
    if type(value) is dict:
        return all(type(key) is str and is_plain(part) for key, part in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return value is None or type(value) in (int, float, str, Measured)


def check_intervals(value: Any, path: str = "") -> None:
    """Fails unless every rate and every mean of saved results has its interval around it."""
    if isinstance(value, list):
        for place, part in enumerate(value):
            check_intervals(part, f"{path}[{place}]")
    if isinstance(value, dict):
        middle = value.get("value", value.get("mean"))
        if "low" in value or "high" in value or "mean" in value:
            assert value["low"] <= middle <= value["high"], path
        for key, part in value.items():
            if key.endswith("rate") and isinstance(part, int | float):
                raise AssertionError(f"{path}.{key} has no interval")
            check_intervals(part, f"{path}.{key}")
