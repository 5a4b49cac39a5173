"""Tables made of saved records, and those that most games have: seats, agents, endings, length."""

from __future__ import annotations

from dataclasses import replace
from math import isnan
from typing import Any

import pytest

from common.found import game_of
from common.reports import check_shape, check_texts, run_of
from playmill.author.report import (
    IN_TURN,
    Chart,
    Column,
    Estimate,
    common,
    counted,
    figure_cell,
    figure_titles,
    rate,
    share_of,
    shares_of,
    table_of,
    wins_of,
)
from playmill.texts import Text

ALONE = run_of(game_of("save_oneself"), ("random",), 4, {})
MIXED = run_of(game_of("dimensions"), ("greedy", "random", "greedy"), 4, {})
TITLE, NAME = Text("Title", "Заголовок"), Text("Name", "Имя")
FOUND = {"win_rate": rate(1, 4).json(), "wins": 1}
TURNS = counted([0, 0, 3, 1, 0], "turns").json()


def test_columns_read_estimates_quantiles_and_plain_numbers_of_a_record() -> None:
    assert figure_cell(FOUND, "win_rate") == rate(1, 4)
    assert figure_cell(FOUND, "wins") == 1
    assert figure_cell(rate(2, 4).json()) == rate(2, 4)
    mean, median = figure_cell(TURNS), figure_cell(TURNS, "median")
    assert isinstance(mean, Estimate) and (mean.value, mean.n) == (2.25, 4)
    assert isinstance(median, Estimate) and median.value == 2 and isnan(median.low)
    assert Column(TITLE, lambda record: 10 * record["wins"]).cell(FOUND) == 10


def test_a_figure_that_is_not_known_is_an_empty_cell_and_a_misspelt_one_an_error() -> None:
    assert figure_cell({"win_rate": None}, "win_rate") is None
    with pytest.raises(KeyError):
        figure_cell(FOUND, "win_rat")


def test_names_come_first_and_columns_know_how_they_are_shown() -> None:
    alike = [Column(Text(word, word), "wins", alike=True) for word in "ab"]
    rows = [("one", "two", FOUND), ("three", "four", FOUND)]
    table = table_of("t", TITLE, (NAME, NAME, common.WIN_RATE, *alike), rows, drawn=True)
    assert table.rows == (("one", "two", rate(1, 4), 1, 1), ("three", "four", rate(1, 4), 1, 1))
    assert (table.percent_columns, table.alike_columns) == ({2}, {3, 4})
    assert table.chart == Chart(1, 2)


def test_a_reference_is_drawn_and_without_one_nothing_is() -> None:
    columns, rows = (NAME, common.WINS), [("one", FOUND)]
    assert table_of("t", TITLE, columns, rows).chart is None
    assert table_of("t", TITLE, columns, rows, reference=(2.0, NAME)).chart == Chart(0, 1, False, 2.0, NAME)


def test_a_column_of_another_figure_keeps_its_title() -> None:
    column = common.SHARE.at("share")
    assert (column.title, column.percent) == (common.SHARE.title, True)
    assert column.cell({"share": rate(1, 2).json()}) == rate(1, 2)


def test_a_table_by_seats_says_if_agents_take_turns() -> None:
    rotated = replace(MIXED, rotations=3)
    for note in (None, TITLE):
        made = [table_of("t", TITLE, (NAME, common.WINS), [], note=note, by_seat=run).note for run in (MIXED, rotated)]
        assert made[0] == note
        assert made[1] is not None and "take turns" in made[1].en


def test_seats_have_their_agents_or_all_in_turn() -> None:
    nobody = (Text("Nobody", "Никто"), None, FOUND)
    for run, agents in ((MIXED, MIXED.agents), (replace(MIXED, rotations=3), (IN_TURN,) * 3)):
        table = common.seats_table([FOUND] * 3, run, common.WINS, others=[nobody])
        assert [row[:2] for row in table.rows[:3]] == [
            (Text(f"Seat {seat}", f"Место {seat}"), agent) for seat, agent in enumerate(agents, 1)
        ]
        assert table.rows[3] == (Text("Nobody", "Никто"), None, rate(1, 4), 1)
        assert table.chart == Chart(1, 2, reference=1 / 3, reference_label=common.FAIR_SHARE)


def test_an_agent_of_two_seats_is_compared_by_seat() -> None:
    half = rate(2, 4).over(2)
    agents: dict[str, Any] = {"greedy": {"win_rate": half.json(), "wins": 2}, "random": FOUND}
    given = {name: {**found, "in_all": rate(3, 4)} for name, found in agents.items()}
    table = common.agents_table(agents, MIXED, common.WINS, note=TITLE)
    assert [column.en for column in table.columns] == ["Agent", "Per seat", "Wins", "Seats", "In all"]
    assert table.rows == (("greedy", half, 2, 2, rate(2, 4)), ("random", rate(1, 4), 1, 1, rate(1, 4)))
    assert table.note is not None and table.note.en.endswith("the number of its seats. Title")
    assert table.chart is not None and table.chart.reference == 1 / 3
    assert [row[-1] for row in common.agents_table(given, MIXED).rows] == [rate(3, 4)] * 2


def test_agents_of_one_seat_each_need_no_rate_per_seat() -> None:
    run = replace(MIXED, agents=("greedy", "random", "cautious"))
    table = common.agents_table(dict.fromkeys(run.agents, FOUND), run, common.WINS)
    assert [column.en for column in table.columns] == ["Agent", "Win rate", "Wins"]
    assert table.rows[2] == ("cautious", rate(1, 4), 1)
    assert table.note is None


def test_a_game_for_one_has_no_fair_share() -> None:
    assert common.fair_share(ALONE) is None
    chart = common.seats_table([FOUND], ALONE).chart
    assert chart is not None and chart.reference is None


def test_endings_are_shares_of_games_with_their_numbers() -> None:
    table = common.endings_table([(NAME, share_of(1, 4)), (TITLE, share_of(3, 4))], drawn=True)
    assert table.rows == ((NAME, rate(1, 4), 1), (TITLE, rate(3, 4), 3))


def test_the_length_has_a_spread_rows_of_the_game_and_decisions() -> None:
    decisions = rate(1, 2).json()
    table = common.length_table(TURNS, common.TURNS, (NAME, 7), decisions=decisions, note=TITLE, game="match")
    labels = [row[0].en for row in table.rows if isinstance(row[0], Text)]
    spread = ["mean", "standard deviation", "median", "10th percentile", "90th percentile"]
    ends = ["Turns: shortest match", "Turns: longest match"]
    assert labels == [*(f"Turns: {name}" for name in spread), *ends, "Name", "Decisions: mean per match"]
    assert [row[1] for row in table.rows[5:]] == [2, 3, 7, rate(1, 2)]
    assert table.title.en == "Length of a match"
    assert table.note is not None and table.note.en == "Title; a choice of one option is no decision."


def test_of_a_mean_alone_the_length_has_one_row() -> None:
    table = common.length_table(rate(1, 2).json(), common.ROUNDS, note=TITLE)
    assert [row[0] for row in table.rows] == [Text("Rounds: mean", "Раундов: в среднем")]


def test_every_shared_table_is_in_both_languages() -> None:
    for table in (
        common.seats_table([FOUND] * 3, replace(MIXED, rotations=3), common.WINS),
        common.agents_table({"greedy": FOUND}, MIXED, common.WINS),
        common.endings_table([(TITLE, share_of(1, 4))], drawn=True),
        common.length_table(TURNS, common.TURNS, decisions=rate(1, 2).json(), note=TITLE),
    ):
        check_texts(table, frozenset())
        check_shape(table)


def test_wins_and_shares_are_saved_with_their_numbers() -> None:
    assert wins_of(1, 4) == FOUND
    assert share_of(1, 4) == {"games": 1, **rate(1, 4).json()}
    assert shares_of({"a": 1, "b": 3}, 4) == {"a": rate(1, 4).json(), "b": rate(3, 4).json()}


def test_titles_of_a_set_of_figures_take_the_names_of_its_tables() -> None:
    sides, ends = {"red": Text("Red", "Красные")}, {0: Text("first", "первый"), 1: Text("last", "последний")}
    made = figure_titles("agents.*.{}.{}", Text("{} of {{}}: {}", "{} агента {{}}: {}"), sides, ends)
    assert made == {
        "agents.*.red.0": Text("Red of {}: first", "Красные агента {}: первый"),
        "agents.*.red.1": Text("Red of {}: last", "Красные агента {}: последний"),
    }
