"""The report of Battle of Dimensions, from a tally made by hand."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from playmill.games.dimensions.actions import BIG_BANG, BLUE, GREEN, PURPLE, RED, WORMHOLE, YELLOW
from playmill.games.dimensions.outcome import Tally
from playmill.games.dimensions.report import results, sections
from playmill.games.dimensions.rules import BY_COUNT, TIE_BY_LOT, TIE_BY_SPIRAL
from playmill.report.model import Estimate, RunInfo, Table, mean, rate
from playmill.texts import LANGUAGES, Text

RUN = RunInfo(
    game="dimensions",
    title=Text("Battle of Dimensions", "Битва Измерений"),
    playmill="0.1.0",
    players=3,
    games=10,
    requested=10,
    seed=1,
    agents=("dealer", "tactical", "dealer"),
    config={"mode": "epic"},
    changes={},
    backend="cpu",
    workers=1,
    complete=True,
    elapsed_s=1.0,
    command="playmill simulate dimensions",
)


@pytest.fixture
def counts() -> np.void:
    """Ten games of dealer (two seats) against tactical; blue never took part."""
    tally = np.zeros(1, Tally)[0]
    tally["games"] = 10
    tally["decisions"] = 625
    tally["turns"][12] = 4
    tally["turns"][15] = 5
    tally["turns"][20] = 1
    tally["ends"][[GREEN, YELLOW, BY_COUNT]] = 2, 1, 7
    tally["ties"][[0, TIE_BY_SPIRAL, TIE_BY_LOT]] = 7, 2, 1
    tally["first_wins"] = 4
    tally["seat_wins"][:3] = 2, 5, 3
    tally["participates"][0, [RED, GREEN, YELLOW, PURPLE]] = 6, 5, 5, 4
    tally["participates"][1, [RED, GREEN, YELLOW]] = 2, 4, 4
    tally["wins"][0, [RED, GREEN, PURPLE]] = 2, 2, 1
    tally["wins"][1, [GREEN, YELLOW]] = 3, 2
    tally["cards"][RED], tally["cards_squared"][RED] = 40, 220
    tally["anomaly_plays"][[WORMHOLE, BIG_BANG]] = 3, 5
    tally["anomaly_games"][[WORMHOLE, BIG_BANG]] = 3, 4
    tally["anomaly_wins"][[WORMHOLE, BIG_BANG]] = 2, 1
    return tally


def section(counts: np.void, key: str, run: RunInfo = RUN) -> Table:
    """One table of the report."""
    return next(table for table in sections(results(counts, run), run) if table.key == key)


def test_results_have_these_keys(counts: np.void) -> None:
    made = results(counts, RUN)
    assert set(made) == {
        "games",
        "factions",
        "ends",
        "turns",
        "ties",
        "anomalies",
        "seats",
        "first_player",
        "agents",
        "decisions",
    }
    assert list(made["factions"]) == ["red", "green", "yellow", "blue", "purple"]
    assert list(made["anomalies"]) == ["entanglement", "wormhole", "black_hole", "big_bang", "time_loop"]
    assert (made["games"], made["decisions"]) == (10, 625)


def test_factions_add_up_over_agents(counts: np.void) -> None:
    factions = results(counts, RUN)["factions"]
    assert factions["red"] == {
        "participates": 8,
        "wins": 2,
        "win_rate": rate(2, 8).json(),
        "cards": mean(8, 40, 220).json(),
    }
    assert (factions["green"]["participates"], factions["green"]["wins"]) == (9, 5)
    assert factions["green"]["win_rate"] == rate(5, 9).json()


def test_a_faction_that_never_took_part_has_the_rate_of_nothing(counts: np.void) -> None:
    blue = results(counts, RUN)["factions"]["blue"]
    assert blue["participates"] == 0
    assert blue["win_rate"] == rate(0, 0).json()


def test_ends_and_ties_are_numbers_of_games(counts: np.void) -> None:
    made = results(counts, RUN)
    assert made["ends"] == {"green": 2, "yellow": 1, "blue": 0, "count": 7}
    assert made["ties"] == {"spiral": 2, "lot": 1}


def test_turns_are_described(counts: np.void) -> None:
    turns = [12] * 4 + [15] * 5 + [20]
    interval = mean(10, sum(turns), sum(turn**2 for turn in turns))
    assert results(counts, RUN)["turns"] == {
        "mean": 14.3,
        "low": interval.low,
        "high": interval.high,
        "median": 15.0,
        "std": pytest.approx(np.std(turns, ddof=1)),
        "p10": 12,
        "p90": 15,
        "min": 12,
        "max": 20,
    }


def test_anomalies_count_plays_games_and_wins_of_who_played(counts: np.void) -> None:
    anomalies = results(counts, RUN)["anomalies"]
    assert anomalies["big_bang"] == {"played": 5, "games": 4, "wins": 1, "win_rate": rate(1, 4).json()}
    assert anomalies["time_loop"] == {"played": 0, "games": 0, "wins": 0, "win_rate": rate(0, 0).json()}


def test_seats_are_those_of_the_players(counts: np.void) -> None:
    made = results(counts, RUN)
    assert made["seats"] == [{"wins": wins, "win_rate": rate(wins, 10).json()} for wins in (2, 5, 3)]
    assert made["first_player"] == {"wins": 4, "win_rate": rate(4, 10).json()}


def test_an_agent_of_two_seats_wins_by_either(counts: np.void) -> None:
    agents = results(counts, RUN)["agents"]
    assert list(agents) == ["dealer", "tactical"]
    dealer, whole = agents["dealer"], rate(5, 10)
    assert (dealer["games"], dealer["seats"], dealer["wins"]) == (10, 2, 5)
    assert dealer["win_rate"] == whole.json()
    assert dealer["win_rate_per_seat"] == {"value": 0.25, "low": whole.low / 2, "high": whole.high / 2}
    assert dealer["factions"]["purple"] == {"participates": 4, "wins": 1, "win_rate": rate(1, 4).json()}
    assert agents["tactical"]["win_rate_per_seat"] == agents["tactical"]["win_rate"] == rate(5, 10).json()


def plain(value: Any) -> bool:
    """Whether a value is made of Python's own dicts, lists and numbers only."""
    if type(value) is dict:
        return all(type(key) is str and plain(part) for key, part in value.items())
    return all(map(plain, value)) if type(value) is list else type(value) in (int, float)


def test_results_are_plain_numbers(counts: np.void) -> None:
    assert plain(results(counts, RUN))


def test_a_saved_run_shows_the_same_tables(counts: np.void) -> None:
    made = results(counts, RUN)
    assert sections(json.loads(json.dumps(made)), RUN) == sections(made, RUN)


def test_tables_come_in_order_of_weight(counts: np.void) -> None:
    keys = [table.key for table in sections(results(counts, RUN), RUN)]
    assert keys == ["factions", "ends", "agents", "agents_by_faction", "seats", "anomalies", "length", "ties"]


def test_one_kind_of_agent_needs_no_table_of_agents(counts: np.void) -> None:
    run = replace(RUN, agents=("dealer",) * 3)
    assert not {"agents", "agents_by_faction"} & {table.key for table in sections(results(counts, run), run)}


def test_the_baseline_has_no_rows_for_instant_wins(counts: np.void) -> None:
    assert len(section(counts, "ends").rows) == 4
    assert len(section(counts, "ends", replace(RUN, config={"mode": "baseline"})).rows) == 1


def test_a_deck_without_anomalies_has_no_table_of_them(counts: np.void) -> None:
    counts["anomaly_games"] = 0
    assert "anomalies" not in [table.key for table in sections(results(counts, RUN), RUN)]


def test_the_table_of_factions(counts: np.void) -> None:
    table = section(counts, "factions")
    assert table.rows[RED] == (Text("Red", "Красные"), rate(2, 8), 2, 8, mean(8, 40, 220))
    assert table.rows[BLUE][1] == rate(0, 0)
    assert table.chart is not None
    assert table.chart.reference == pytest.approx(1 / 3)


def test_the_table_of_ends_has_shares_of_all_games(counts: np.void) -> None:
    assert [row[1:] for row in section(counts, "ends").rows] == [(rate(n, 10), n) for n in (2, 1, 0, 7)]


def test_agents_are_compared_within_each_faction(counts: np.void) -> None:
    rows = section(counts, "agents_by_faction").rows
    assert len(rows) == 10
    assert rows[2][1:] == ("dealer", rate(2, 5), 2, 5)
    assert rows[3][1:] == ("tactical", rate(3, 4), 3, 4)


def test_the_length_of_games_has_its_interval_and_decisions(counts: np.void) -> None:
    rows = section(counts, "length").rows
    assert isinstance(rows[0][1], Estimate)
    assert (rows[0][1].value, rows[0][1].n) == (14.3, 10)
    assert rows[-1][1] == 62.5


def test_a_run_stopped_before_its_first_game_still_has_a_report() -> None:
    nothing = np.zeros(1, Tally)[0]
    tables = sections(results(nothing, RUN), RUN)
    assert {cell.n for table in tables for row in table.rows for cell in row if isinstance(cell, Estimate)} == {0}


def test_every_text_is_in_both_languages(counts: np.void) -> None:
    for table in sections(results(counts, RUN), RUN):
        cells = [cell for row in table.rows for cell in row if isinstance(cell, Text)]
        label = table.chart.reference_label if table.chart else None
        for text in (table.title, *table.columns, *cells, *filter(None, (table.note, label))):
            assert all(text.of(lang).strip() for lang in LANGUAGES), text
            assert any("а" <= letter <= "я" or letter == "ё" for letter in text.ru.lower()), text
            assert text.en.isascii(), text


def test_rows_are_as_long_as_their_heads_and_percentages_are_shares(counts: np.void) -> None:
    for table in sections(results(counts, RUN), RUN):
        for row in table.rows:
            assert len(row) == len(table.columns), table.key
            for column in table.percent_columns:
                assert isinstance(row[column], Estimate), (table.key, column)
        if table.chart:
            assert table.chart.estimate in table.percent_columns, table.key
            assert not {table.chart.label} & table.percent_columns, table.key
