"""The report of Dice, from matches made by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from dice_matches import ALONE, GAME, RICH_RUN, RUN, counted, matches, rich_matches

from common import reports
from playmill.games.dice.report import results, sections
from playmill.report.model.tables import RunInfo, Table, rate
from playmill.report.number_format import cell_parts
from playmill.stats.estimates import undefined
from playmill.texts import Text


@pytest.fixture
def counts() -> Any:
    """The tally of the plain matches."""
    return counted(matches())


@pytest.fixture
def rich() -> Any:
    """The tally of the matches with content."""
    return counted(rich_matches())


def section(counts: np.void, key: str, run: RunInfo = RUN) -> Table:
    """One table of the report."""
    return reports.section(GAME, counts, key, run)


def test_a_saved_run_needs_no_content_to_be_shown(rich: np.void) -> None:
    made = json.loads(json.dumps(results(rich, RICH_RUN), allow_nan=False))
    assert sections(made, replace(RICH_RUN, config={})) == sections(made, RICH_RUN)


def test_tables_come_in_order_of_weight(counts: np.void, rich: np.void) -> None:
    def keys(counts: np.void, run: RunInfo) -> list[str]:
        return [table.key for table in sections(results(counts, run), run)]

    assert keys(counts, RUN) == ["wins", "draws", "points", "throws", "busts", "length"]
    everything = ["wins", "exact", "draws", "points", "throws", "busts", "effects", "dice", "length"]
    assert keys(rich, RICH_RUN) == everything
    assert keys(counted(matches()[:3]), RUN) == ["wins", "points", "throws", "busts", "length"]


def test_the_table_of_wins_has_a_row_for_each_seat(counts: np.void) -> None:
    table = section(counts, "wins", ALONE)
    assert table.rows == (
        (Text("Seat 1", "Место 1"), "greedy", rate(2, 4), 2),
        (Text("Seat 2", "Место 2"), "greedy", rate(1, 4), 1),
    )
    assert table.chart is not None
    assert table.chart.reference == 0.5


def test_the_exact_chance_stands_beside_the_measured_one(rich: np.void) -> None:
    table = section(rich, "exact", RICH_RUN)
    assert [row[1] for row in table.rows] == [rate(2, 4), Text("54.321\u00a0%", "54,321\u00a0%")]
    assert cell_parts(table, 1, 1, "en") == ("54.321\u00a0%", "")


def test_what_a_turn_has_is_told_by_agent_and_of_all_turns(counts: np.void) -> None:
    assert [row[0] for row in section(counts, "points").rows] == ["greedy", "random", Text("All turns", "Все ходы")]
    assert [row[0] for row in section(counts, "throws", ALONE).rows] == ["greedy"]
    points: Any = section(counts, "points").rows[0][1]
    assert (points.value, points.n) == (14950 / 20, 4)


def test_the_table_of_busts_has_the_chance_if_it_is_known(counts: np.void, rich: np.void) -> None:
    row: Any = section(counts, "busts").rows[2]
    assert row == ("3", rate(6, 16), 16, pytest.approx(100 * 60 / 216))
    assert section(counts, "busts").rows[0][1] == rate(0, 0)
    assert len(section(rich, "busts", RICH_RUN).columns) == 3


def test_the_table_of_content_has_a_row_for_each_owner(rich: np.void) -> None:
    rows: Any = section(rich, "effects", RICH_RUN).rows
    assert [(row[0].en, getattr(row[1], "value", row[1])) for row in rows] == [
        ("Bonus (both)", 2.5),
        ("Bonus (seat 2)", 0.5),
        ("Toll (seat 1)", 4.5),
        ("Charm (both)", 0),
        ("Charm (seat 2)", 0),
        ("Nudge (seat 1)", 1),
    ]
    # Never, in many matches, means 0, not 0 give or take nothing; in four it says little.
    assert cell_parts(section(rich, "effects", RICH_RUN), 3, 1, "en") == ("0.0", "[too\u00a0few] n=4")
    many = section(reports.times(GAME, rich, 10), "effects", RICH_RUN)
    assert cell_parts(many, 3, 1, "en") == ("0", "")
    dice: Any = section(rich, "dice", RICH_RUN).rows
    assert [row[0].ru for row in dice] == ["Единицы (место 1)", "Единицы (место 2)", "Шестёрки (место 1)"]


def test_the_length_of_matches_has_its_interval_and_decisions(counts: np.void) -> None:
    rows: Any = section(counts, "length").rows
    assert (rows[0][1].value, rows[0][1].n) == (9.5, 4)
    assert (rows[7][1].value, rows[7][1].n) == (pytest.approx(14 / 3), 3)
    assert (rows[-1][1].value, rows[-1][1].n) == (101 / 4, 4)


def test_a_run_of_draws_has_no_turns_of_winners() -> None:
    rows: Any = section(counted(matches()[3:]), "length").rows
    assert rows[7][1] == rows[8][1] == undefined()
