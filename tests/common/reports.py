"""Runs and counts made by hand for reports, and what every table of every report must keep to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from math import ceil, isnan
from typing import Any, NamedTuple

import numpy as np
import pytest
from rich.cells import cell_len
from rich.console import Console

from playmill import Game, __version__
from playmill.engine.lang.record import RecordArray, plain
from playmill.engine.lang.rule import interpreted
from playmill.report.model.tables import Cell, Estimate, RunInfo, Table, mean
from playmill.report.number_format import FEW, cell_parts
from playmill.report.terminal.report_printer import print_report
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


def mean_of(*numbers: int, least: float | None = None, most: float | None = None) -> dict[str, Any]:
    """The mean of numbers between these bounds, as it is saved."""
    return mean(len(numbers), sum(numbers), sum(number**2 for number in numbers), least=least, most=most).json()


def exact_mean(values: Sequence[int], most: int) -> Estimate:
    """The mean of numbers from 0 to `most` that are all known, with the interval of all their moments."""
    sums = [sum(value**power for value in values) for power in range(1, 5)]
    return mean(len(values), sums[0], sums[1], (sums[2], sums[3]), least=0, most=most)


def described(values: Sequence[int], most: int) -> dict[str, Any]:
    """How whole numbers from 0 to `most` are described in saved results, worked out from the numbers themselves."""
    ranked, interval = sorted(values), exact_mean(values, most)
    # Of ten the interval of the median needs 1.96 · √(10 · ¼) + 1 = 4.1 ranks to each side, of which there are 4 below.
    assert len(values) <= 10
    return {
        "mean": pytest.approx(np.mean(values)),
        "low": interval.low,
        "high": interval.high,
        "n": len(values),
        "intervals": dict.fromkeys(("median", "p10", "p90")),
        "median": float(np.median(values)),
        "std": pytest.approx(np.std(values, ddof=1)),
        "p10": ranked[ceil(len(values) / 10) - 1],
        "p90": ranked[ceil(9 * len(values) / 10) - 1],
        "min": ranked[0],
        "max": ranked[-1],
    }


# What holds for every table

_NUMBER = re.compile(r"\d+[.,]\d+\u00a0%")


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
        spoken = any("а" <= letter <= "я" or letter == "ё" for letter in text.ru.lower())
        assert text.ru in same or spoken or _NUMBER.fullmatch(text.ru), text
        assert text.en.isascii() or _NUMBER.fullmatch(text.en), text


def check_shape(table: Table) -> None:
    """Fails unless rows are as long as their heads, percentages are shares, and what is drawn is an estimate."""
    for row in table.rows:
        assert len(row) == len(table.columns), table.key
        for column in table.percent_columns:
            # A chance that is known exactly is a text, with more decimals than any estimate.
            assert row[column] is None or isinstance(row[column], Estimate | float | Text), (table.key, column)
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


# Intervals

#: Numbers of saved results that are no estimates, by name: ends, spreads, chances by the rules, sums.
PLAIN = frozenset({"std", "min", "max", "promised", "exact", "fair", "first_wins", "points"})
#: And those that stand there a second time, with an interval.
AGAIN = frozenset({"avg_turns"})
QUANTILES = ("median", "p10", "p90")
#: What a row or a column of a table says if its numbers have no intervals.
_KNOWN = re.compile(r"standard deviation|SD|Promised|Exactly|shortest|longest|lowest|highest|Min|Max|Margin", re.I)
_QUANTILE = re.compile(r"median|percentile|P90|at most", re.I)


def check_intervals(found: Any, path: str = "") -> None:
    """Fails unless every rate, mean and quantile of saved results has n and an interval, or null in place of it."""
    if isinstance(found, list):
        for place, part in enumerate(found):
            check_intervals(part, f"{path}[{place}]")
    if not isinstance(found, dict):
        return
    allowed = PLAIN | AGAIN
    if {"low", "high"} <= set(found):
        _check_estimate(found, path)
        allowed |= {"value", "mean", "low", "high"}
    if any(name in found for name in QUANTILES):
        _check_quantiles(found, path)
        allowed |= set(QUANTILES)
    for name, part in found.items():
        assert not isinstance(part, float) or name in allowed, f"{path}.{name} has no interval"
        if name != "intervals":
            check_intervals(part, f"{path}.{name}")


def _check_estimate(found: dict[str, Any], path: str) -> None:
    value, low, high, n = found["mean"] if "mean" in found else found["value"], found["low"], found["high"], found["n"]
    assert type(n) is int and n >= 0, path
    assert (value is None) == (n == 0), path
    assert (low is None) == (high is None), path
    if low is not None:
        assert low <= value <= high and low < high, path


def _check_quantiles(found: dict[str, Any], path: str) -> None:
    assert type(found["n"]) is int, path
    for name in set(QUANTILES) & set(found):
        if found[name] is None:
            assert found["intervals"] is None, path
        elif (ends := found["intervals"][name]) is not None:
            assert ends[0] <= found[name] <= ends[1], (path, name)


def unknown_values(found: Any) -> set[float]:
    """The values of saved estimates of many observations that were all alike, so that they have no interval."""
    if isinstance(found, list):
        return set().union(*map(unknown_values, found))
    if not isinstance(found, dict):
        return set()
    made = set().union(*map(unknown_values, found.values()))
    if found.get("low", "") is None and found.get("value") is not None and found["n"] >= FEW:
        made.add(float(found["value"]))
    return made


def check_cells(table: Table, results: dict[str, Any]) -> None:
    """Fails if a number of a table should have an interval and has none, or one of no width."""
    alike = unknown_values(results)
    margins = any(column.en == "Margin" for column in table.columns)
    for row in table.rows:
        head = row[0].en if isinstance(row[0], Text) else str(row[0])
        for column, cell in zip(table.columns, row, strict=True):
            told = f"{head}: {column.en}"
            if isinstance(cell, Estimate):
                assert isnan(cell.value) == (cell.n == 0), (table.key, told)
                if cell.known:
                    assert cell.low <= cell.value <= cell.high, (table.key, told)
                    assert cell.low < cell.high or _QUANTILE.search(told), (table.key, told)
            elif isinstance(cell, float):
                assert _KNOWN.search(told) or margins or cell in alike, (table.key, told, cell)


def same_tables(some: Sequence[Table], others: Sequence[Table]) -> bool:
    """Whether tables are the same; what is not known in both is the same, unlike NaN."""
    return [*map(_with_unknown, some)] == [*map(_with_unknown, others)]


def _with_unknown(table: Table) -> Table:
    def known(cell: Cell) -> Any:
        numbers = (cell.value, cell.low, cell.high) if isinstance(cell, Estimate) else ()
        return (*(None if isnan(number) else number for number in numbers), cell.n) if numbers else cell

    return replace(table, rows=tuple(tuple(map(known, row)) for row in table.rows))
