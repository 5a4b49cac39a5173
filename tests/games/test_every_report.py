"""The report of every game: plain numbers with intervals, tables in both languages that fit their room."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
import pytest

from common.markup import Markup
from common.reports import (
    check_cells,
    check_fit,
    check_intervals,
    check_shape,
    check_table,
    check_texts,
    is_plain,
    printed,
    same_tables,
    tables_of,
    times,
)
from common.stock import Stock
from playmill.lab.runs.figures import described
from playmill.report.html.page import html_page
from playmill.report.model.histogram import saved_estimate
from playmill.report.model.tables import Estimate, RunInfo, Table
from playmill.stats.block_jackknife import figures, over_blocks
from playmill.texts import LANGUAGES, Text

MARK = 0.001953125
SEAT = re.compile(r"Seat \d")


def test_results_are_plain_numbers_with_intervals(stock: Stock) -> None:
    for run, counts in stock.counted:
        made = stock.game.report.results(counts, run)
        assert is_plain(made)
        check_intervals(made)


def runs_of_any_length(stock: Stock) -> Iterator[tuple[RunInfo, Any]]:
    """Results of no games, one, few and many; and of as many deals played from every seat."""
    run, singles = stock.one_by_one
    results = stock.game.report.results
    few = singles.view(np.int64).reshape(len(singles), -1).sum(axis=0).view(stock.game.tally)[0]
    tallies = [np.zeros(1, stock.game.tally)[0], singles[0], few, times(stock.game, few, 100_000)]
    for counts in tallies:
        yield run, results(counts, run)
    rotated = replace(run, rotations=run.players)
    for groups in (singles[:1], singles[:2], singles, np.tile(singles, 4)):
        for blocks in (1, 1000):
            counts = np.array([times(stock.game, one, blocks) for one in groups], stock.game.tally)
            if len(groups) * blocks > 1:
                yield rotated, over_blocks(lambda one: results(one, rotated), counts, [blocks] * len(groups))
    for other, counts in stock.counted:
        yield other, results(counts, other)


def test_every_rate_mean_and_quantile_has_its_interval_and_its_observations(stock: Stock) -> None:
    for run, made in runs_of_any_length(stock):
        check_intervals(made)
        for table in stock.game.report.sections(made, run):
            check_cells(table, made)


def test_numbers_without_intervals_are_found() -> None:
    """The walk above would say so."""
    whole = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 9}
    check_intervals({"a": [whole]})
    without = {key: part for key, part in whole.items() if key != "n"}
    for broken in (
        {"share": 0.5},
        without,
        {**whole, "low": 0.5, "high": 0.5},
        {**whole, "n": 0},
        {**whole, "low": None},
        {**whole, "value": 0.7},
        {"median": 3.0, "n": 7, "intervals": {"median": [4, 5]}},
    ):
        with pytest.raises((AssertionError, KeyError)):
            check_intervals({"a": [broken]})
    for cell in (0.5, Estimate(0.5, 0.5, 0.5, 9), Estimate(0.0, nan, nan, 0)):
        with pytest.raises(AssertionError):
            check_cells(Table("a", "a", ("Agent", "Win rate"), (("random", cell),)), {})


def test_a_saved_run_shows_the_same_tables(stock: Stock) -> None:
    report = stock.game.report
    for run, counts in stock.counted:
        made = report.results(counts, run)
        saved = json.loads(json.dumps(made, allow_nan=False))
        assert same_tables(report.sections(saved, run), report.sections(made, run))


def test_a_run_stopped_before_its_first_game_still_has_a_report(stock: Stock) -> None:
    for run, _ in stock.counted:
        tables = tables_of(stock.game, run, np.zeros(1, stock.game.tally)[0])
        counted = [table for table in tables if table.key not in stock.known_tables]
        cells = [cell for table in counted for row in table.rows for cell in row]
        assert {cell.n for cell in cells if isinstance(cell, Estimate)} <= {0}
        for lang in LANGUAGES:
            for table in tables:
                printed(run, table, lang, 80)
            Markup(html_page(run, tables, lang))


def test_the_length_of_a_game_has_its_interval_and_decisions(shipped: Stock) -> None:
    for run, counts in shipped.counted:
        made = shipped.game.report.results(counts, run)
        rows = next(table.rows for table in shipped.game.report.sections(made, run) if table.key == "length")
        assert rows[0][1] == saved_estimate(made["turns"] if "turns" in made else made["rounds"])
        assert rows[-1][1] == saved_estimate(made["decisions_per_game"])


def marked(value: Any) -> Any:
    """Results with intervals that no count would lead to."""
    if isinstance(value, list):
        return [marked(part) for part in value]
    if not isinstance(value, dict):
        return value
    made = {key: marked(part) for key, part in value.items()}
    if {"low", "high"} <= set(made) and (middle := made.get("value", made.get("mean"))) is not None:
        made |= {"low": middle - MARK, "high": middle + MARK}
    if made.get("intervals"):
        made["intervals"] = {name: [made[name] - MARK, made[name] + MARK] for name in made["intervals"]}
    return made


def test_intervals_come_from_the_results_alone(stock: Stock) -> None:
    for run, counts in stock.counted:
        made = marked(stock.game.report.results(counts, run))
        for table in stock.game.report.sections(made, run):
            cells = [cell for row in table.rows for cell in row if isinstance(cell, Estimate) and cell.n]
            widths = {round((cell.high - cell.low) / (2 * MARK), 9) for cell in cells}
            # A part of one where seats share a figure, several for all of them, many where it is told of 1000 games.
            seats = range(1, run.players + 1)
            assert widths <= {1000.0, *map(float, seats), *(round(1 / n, 9) for n in seats)}, table.key


def test_rotated_seats_belong_to_nobody(stock: Stock) -> None:
    for run, counts in stock.counted:
        for table in tables_of(stock.game, run, counts):
            seats = [row for row in table.rows if isinstance(row[0], Text) and SEAT.fullmatch(row[0].en)]
            if run.rotations > 1 and seats:
                assert not {cell for row in seats for cell in row if isinstance(cell, str)} & set(run.agent_names)
                assert table.note is not None and "take turns in each seat" in table.note.en, table.key
            elif run.rotations == 1 and table.note is not None:
                assert "take turns" not in table.note.en


def test_every_text_is_in_both_languages(stock: Stock) -> None:
    for run, counts in stock.counted:
        for table in tables_of(stock.game, run, counts):
            check_texts(table, stock.same)


def test_every_figure_is_called_in_words(stock: Stock) -> None:
    """Also where its table or row is left out, as nothing was counted there: comparisons and sweeps name them all."""
    game, run = stock.game, stock.counted[0].run
    found = game.report.results(np.zeros(1, game.tally)[0], run)
    for path in figures(found):
        figure = described(game, found, run, path)
        assert figure.name not in figure.title and figure.title.en != figure.title.ru


def test_rows_are_as_long_as_their_heads_and_estimates_are_drawn(stock: Stock) -> None:
    for run, counts in stock.counted:
        tables = tables_of(stock.game, run, counts)
        assert len({table.key for table in tables}) == len(tables)
        for table in tables:
            check_shape(table)


BETWEEN = [pytest.param(factor, marks=pytest.mark.long) for factor in (10, 1000, 100_000)]


@pytest.mark.parametrize("factor", [1, *BETWEEN, 10_000_000])
def test_tables_fit_the_terminal_whole(stock: Stock, factor: int) -> None:
    for run, counts in stock.counted:
        for table in tables_of(stock.game, run, times(stock.game, counts, factor)):
            for width in (44, 80, 120) if factor in (1, 10_000_000) else (80,):
                check = check_table if width in stock.table_widths else check_fit
                for lang in LANGUAGES:
                    check(run, table, lang, width)


def test_the_page_is_well_formed_and_holds_every_table(stock: Stock) -> None:
    for run, counts in stock.counted:
        tables = tables_of(stock.game, run, counts)
        for lang in LANGUAGES:
            page = Markup(html_page(run, tables, lang))
            assert {table.key for table in tables} <= {attributes.get("id") for _, attributes in page.tags}
