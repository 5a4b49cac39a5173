"""The report of Influence, from games made by hand."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import numpy as np
import pytest
from influence_games import ALONE, ONE_EACH, RUN, SIX, counted, games, games_of_six
from rich.console import Console

from playmill.games.influence.outcome import Tally
from playmill.games.influence.report import results, sections
from playmill.report.html import html_page
from playmill.report.model import Estimate, RunInfo, Table, rate
from playmill.report.terminal import cell_parts, print_report
from playmill.texts import LANGUAGES, Lang, Text

RUNS = [RUN, ALONE, ONE_EACH, SIX]


def counts_of(run: RunInfo) -> Any:
    """The tally of the games by hand with so many players."""
    return counted(games_of_six() if run.players == 6 else games())


def tables_of(run: RunInfo, times: int = 1) -> list[Table]:
    """The tables of these games, each of them played so many times."""
    once, many = counts_of(run), np.zeros(1, Tally)[0]
    for field in Tally.names or ():
        many[field] = once[field] * times
    return sections(results(many, run), run)


def section(key: str, run: RunInfo = RUN) -> Table:
    """One table of the report."""
    return next(table for table in tables_of(run) if table.key == key)


@pytest.mark.parametrize("run", RUNS)
def test_a_saved_run_shows_the_same_tables(run: RunInfo) -> None:
    made = results(counts_of(run), run)
    assert sections(json.loads(json.dumps(made, allow_nan=False)), run) == sections(made, run)


def test_tables_come_in_order_of_weight() -> None:
    rest = ["ends", "length", "attacks", "first_blood", "cells_over_time", "influence_over_time"]
    assert [table.key for table in tables_of(RUN)] == ["wins", "agents", *rest]
    # One agent against itself has nothing to compare.
    assert [table.key for table in tables_of(ALONE)] == ["wins", *rest]


def test_the_table_of_wins_has_a_row_for_each_seat() -> None:
    table = section("wins")
    assert table.rows[1] == (Text("Seat 2", "Место 2"), "random", rate(1, 4), 1)
    assert [row[1] for row in table.rows] == ["greedy", "random", "greedy"]
    assert table.chart is not None
    assert table.chart.reference == 1 / 3


def test_an_agent_of_two_seats_is_compared_by_seat() -> None:
    table, whole = section("agents"), rate(2, 4)
    assert table.rows == (
        ("greedy", Estimate(0.25, whole.low / 2, whole.high / 2, 4), 2, 2),
        ("random", rate(1, 4), 1, 1),
    )
    assert table.chart is not None
    assert table.chart.reference == 1 / 3


def test_agents_of_one_seat_each_need_no_rate_per_seat() -> None:
    table = section("agents", ONE_EACH)
    assert [column.en for column in table.columns] == ["Agent", "Win rate", "Wins"]
    assert table.rows[2] == ("cautious", rate(1, 4), 1)


def test_endings_share_all_games_among_them() -> None:
    rows: Any = section("ends").rows
    assert [row[1:] for row in rows] == [(rate(n, 4), n) for n in (1, 2, 1)]
    assert sum(row[1].value for row in rows) == 1


def test_the_length_of_games_has_its_interval_autos_and_decisions() -> None:
    rows: Any = section("length").rows
    assert (rows[0][1].value, rows[0][1].n) == (8.5, 4)
    assert (rows[-2][1].value, rows[-2][1].n) == (7, 4)
    assert rows[-1][1] == 1002 / 4


def test_attacks_stand_beside_their_promise() -> None:
    table = section("attacks")
    assert table.rows[1] == (Text("weaker by 1", "слабее на 1"), rate(2, 8), 0.25, 8)
    assert cell_parts(table, 1, 2, "ru") == ("25,0\u00a0%", "")
    assert [row[2] for row in table.rows] == [0.0, 0.25, 0.5, 0.75, 1.0, 1.0]


def test_first_blood_is_compared_with_all_games_of_the_seat() -> None:
    table = section("first_blood")
    assert [row[1:] for row in table.rows] == [
        (rate(1, 3), 3, None),
        (rate(1, 2), 2, 0.25),
        (rate(0, 1), 1, 0.25),
        (rate(0, 0), 0, 0.25),
    ]
    assert table.chart is not None
    assert table.chart.reference == 1 / 3


def test_time_has_a_row_for_each_look_that_a_game_came_to() -> None:
    table = section("cells_over_time")
    assert [row[:2] for row in table.rows] == [(1, 4), (2, 4), (5, 3), (10, 3), (Text("End", "Конец"), 4)]
    assert [cell_parts(table, 3, column, "en") for column in range(2, 5)] == [("5.0", ""), ("3.7", ""), ("7.0", "")]
    # In round 10 seat 2 had 6, 0 and 5 cells.
    half = 1.959964 * np.std([6, 0, 5], ddof=1) / np.sqrt(3)
    assert table.rows[3][-1] == pytest.approx(half, abs=0.01)
    assert table.rows[0][-1] == 0
    influence: Any = section("influence_over_time").rows
    assert [cell.value for cell in influence[-1][2:5]] == [40, 20, 32.5]


def test_a_margin_is_never_shown_smaller_than_it_is() -> None:
    made = results(counts_of(RUN), RUN)
    for table in sections(made, RUN)[-2:]:
        what = table.key.removesuffix("_over_time")
        for look, row in zip([*made["over_time"], made["at_the_end"]], table.rows, strict=True):
            margin = max((seat["high"] - seat["low"]) / 2 for seat in look[what])
            assert isinstance(row[-1], float)
            assert margin <= row[-1] < margin + 0.01


def test_one_game_has_no_margin() -> None:
    tables = sections(results(counted(games()[:1]), RUN), RUN)
    assert {row[-1] for table in tables[-2:] for row in table.rows} == {None}
    # It ended in round 4, so that no later one is told of.
    assert [row[0] for row in tables[-1].rows] == [1, 2, Text("End", "Конец")]


@pytest.mark.parametrize("run", RUNS)
def test_a_run_stopped_before_its_first_game_still_has_a_report(run: RunInfo) -> None:
    tables = sections(results(np.zeros(1, Tally)[0], run), run)
    assert {cell.n for table in tables for row in table.rows for cell in row if isinstance(cell, Estimate)} == {0}
    for lang in LANGUAGES:
        print_report(Console(file=StringIO(), width=80), run, tables, lang)
        html_page(run, tables, lang)


@pytest.mark.parametrize("run", RUNS)
def test_every_text_is_in_both_languages(run: RunInfo) -> None:
    for table in tables_of(run):
        cells = [cell for row in table.rows for cell in row if isinstance(cell, Text)]
        label = table.chart.reference_label if table.chart else None
        for text in (table.title, *table.columns, *cells, *filter(None, (table.note, label))):
            assert all(text.of(lang).strip() for lang in LANGUAGES), text
            assert any("а" <= letter <= "я" or letter == "ё" for letter in text.ru.lower()), text
            assert text.en.isascii(), text


@pytest.mark.parametrize("run", RUNS)
def test_rows_are_as_long_as_their_heads_and_estimates_are_drawn(run: RunInfo) -> None:
    for table in tables_of(run):
        for row in table.rows:
            assert len(row) == len(table.columns), table.key
            for column in table.percent_columns:
                assert row[column] is None or isinstance(row[column], Estimate | float), (table.key, column)
            if table.chart:
                assert isinstance(row[table.chart.estimate], Estimate), table.key
        if table.chart:
            assert table.chart.percent == (table.chart.estimate in table.percent_columns), table.key


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("times", [1, 10, 1000, 100_000, 10_000_000])
def test_tables_fit_80_columns_whole(run: RunInfo, lang: Lang, times: int) -> None:
    for table in tables_of(run, times):
        out = StringIO()
        print_report(Console(file=out, width=80), run, [table], lang)
        # A table that does not fit is told in paragraphs and has no line under its heads.
        head, line, body = out.getvalue().partition("──")
        assert line, table.key
        for title in table.columns:
            assert set(title.of(lang).split()) <= set(head.split()), (table.key, title)
        for row in range(len(table.rows)):
            for column in range(len(table.columns)):
                for part in cell_parts(table, row, column, lang):
                    assert set(part.split()) <= set(body.split()), (table.key, part)
