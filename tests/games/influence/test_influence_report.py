"""The report of Influence, from games made by hand."""

from __future__ import annotations

from typing import Any

import pytest
from influence_games import ALONE, GAME, RUN, counted, counts_of, games

from common import reports
from common.reports import mean_of
from playmill.games.influence.report import results, sections
from playmill.report.model.tables import Estimate, RunInfo, Table, rate
from playmill.report.number_format import TOO_FEW, cell_parts
from playmill.stats.estimates import undefined
from playmill.texts import Text


def tables_of(run: RunInfo) -> list[Table]:
    """The tables of the games by hand."""
    return reports.tables_of(GAME, run, counts_of(run))


def section(key: str, run: RunInfo = RUN) -> Table:
    """One table of the report."""
    return reports.section(GAME, counts_of(run), key, run)


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
        ("greedy", Estimate(0.25, whole.low / 2, whole.high / 2, 4), 2, 2, whole),
        ("random", rate(1, 4), 1, 1, rate(1, 4)),
    )
    assert table.chart is not None
    assert table.chart.reference == 1 / 3


def test_endings_share_all_games_among_them() -> None:
    rows: Any = section("ends").rows
    assert [row[1:] for row in rows] == [(rate(n, 4), n) for n in (1, 2, 1)]
    assert sum(row[1].value for row in rows) == 1


def test_the_length_of_games_has_its_interval_autos_and_decisions() -> None:
    rows: Any = section("length").rows
    assert (rows[0][1].value, rows[0][1].n) == (8.5, 4)
    assert (rows[-2][1].value, rows[-2][1].n) == (7, 4)
    assert (rows[-1][1].value, rows[-1][1].n) == (1002 / 4, 4)


def test_attacks_stand_beside_their_promise() -> None:
    table = section("attacks")
    assert table.rows[1] == (Text("weaker by 1", "слабее на 1"), rate(2, 8), 0.25, 8)
    assert cell_parts(table, 1, 2, "ru") == ("25,0\u00a0%", "")
    assert [row[2] for row in table.rows] == [0.0, 0.25, 0.5, 0.75, 1.0, 1.0]


def test_first_blood_is_compared_with_all_games_of_the_seat() -> None:
    table = section("first_blood")
    assert [row[1:] for row in table.rows] == [
        (rate(1, 3), 3, None),
        (rate(1, 2), 2, rate(1, 4)),
        (rate(0, 1), 1, rate(1, 4)),
        (undefined(), 0, rate(1, 4)),
    ]
    assert table.chart is not None
    assert table.chart.reference == 1 / 3


def test_time_has_a_row_for_each_look_that_a_game_came_to() -> None:
    table = section("cells_over_time")
    assert [row[:2] for row in table.rows] == [(1, 4), (2, 4), (5, 3), (10, 3), (Text("End", "Конец"), 4)]
    assert [cell_parts(table, 3, column, "en")[0] for column in range(2, 5)] == ["5", "3.67", "7"]
    # In round 10 seat 2 had 6, 0 and 5 cells: their interval goes furthest.
    seats = [mean_of(*cells, least=0) for cells in ((4, 6, 5), (6, 0, 5), (8, 6, 7))]
    ways = [max(seat["high"] - seat["value"], seat["value"] - seat["low"]) for seat in seats]
    assert ways[1] == max(ways) and table.rows[3][-1] == pytest.approx(ways[1], abs=0.01)
    influence: Any = section("influence_over_time").rows
    assert list(influence[-1][2:5]) == [40, 20, 32.5]


def test_what_is_the_same_in_all_of_many_games_has_no_margin() -> None:
    assert section("cells_over_time").rows[0][2:] == (1, 1, 1, TOO_FEW), "four games are few"
    many = reports.times(GAME, counts_of(RUN), 10)
    table = reports.section(GAME, many, "cells_over_time", RUN)
    assert table.rows[0][1:] == (40, 1, 1, 1, None)
    # In round 2 seat 1 had 2 cells in all games, and the others not.
    assert isinstance(table.rows[1][-1], float)


def test_a_margin_is_never_shown_smaller_than_it_is() -> None:
    made, checked = results(counts_of(RUN), RUN), 0
    for table in sections(made, RUN)[-2:]:
        what = table.key.removesuffix("_over_time")
        for look, row in zip([*made["over_time"], made["at_the_end"]], table.rows, strict=True):
            known = [seat for seat in look[what] if seat["low"] is not None]
            if len(known) < len(look[what]):
                assert row[-1] == TOO_FEW
                continue
            margin = max(abs(seat[end] - seat["value"]) for seat in known for end in ("low", "high"))
            assert isinstance(row[-1], float)
            assert margin <= row[-1] < margin + 0.01
            checked += 1
    assert checked == 6


def test_one_game_has_no_margin() -> None:
    tables = sections(results(counted(games()[:1]), RUN), RUN)
    assert {row[-1] for table in tables[-2:] for row in table.rows} == {TOO_FEW}
    # It ended in round 4, so that no later one is told of.
    assert [row[0] for row in tables[-1].rows] == [1, 2, Text("End", "Конец")]
