"""The report of Battle of Dimensions, from a tally made by hand."""

from __future__ import annotations

import dimensions_games
import numpy as np
import pytest
from dimensions_games import ALONE, BASELINE, RUN

from common import reports
from common.reports import described, mean_of
from playmill.games.dimensions.actions import BLUE, PURPLE, RED
from playmill.games.dimensions.outcome import MAX_TURNS
from playmill.games.dimensions.report import results, sections
from playmill.lab.runs.figures import described as figure_of
from playmill.report.model.tables import Estimate, RunInfo, Table, mean, rate
from playmill.texts import Text


@pytest.fixture
def counts() -> np.void:
    """The tally of ten games."""
    return dimensions_games.counts()


def section(counts: np.void, key: str, run: RunInfo = RUN) -> Table:
    """One table of the report."""
    return reports.section(dimensions_games.GAME, counts, key, run)


def test_results_have_these_keys(counts: np.void) -> None:
    made = results(counts, RUN)
    assert set(made) == {
        "games",
        "factions",
        "ends",
        "end_rates",
        "tie_rates",
        "turns",
        "ties",
        "tied",
        "epic",
        "anomalies",
        "seats",
        "first_player",
        "agents",
        "decisions",
        "decisions_per_game",
    }
    assert list(made["factions"]) == ["red", "green", "yellow", "blue", "purple"]
    assert list(made["anomalies"]) == ["entanglement", "wormhole", "black_hole", "big_bang", "time_loop"]
    assert (made["games"], made["decisions"]) == (10, 625)
    assert made["decisions_per_game"] == mean_of(*[60] * 5, *[65] * 5, least=0)


def test_factions_add_up_over_agents(counts: np.void) -> None:
    factions = results(counts, RUN)["factions"]
    assert factions["red"] == {
        "participates": 8,
        "wins": 2,
        "win_rate": rate(2, 8).json(),
        "cards": mean(8, 40, 220, least=0).json(),
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
    made = results(counts, RUN)["turns"]
    assert made == described([12] * 4 + [15] * 5 + [20], MAX_TURNS)
    assert (made["mean"], made["median"], made["p10"], made["p90"]) == (14.3, 15.0, 12, 15)


def test_anomalies_count_plays_games_and_wins_of_who_played(counts: np.void) -> None:
    anomalies = results(counts, RUN)["anomalies"]
    assert anomalies["big_bang"] == {
        "played": 5,
        "games": 4,
        "share": rate(4, 10).json(),
        "wins": 1,
        "win_rate": rate(1, 4).json(),
    }
    assert anomalies["time_loop"] == {
        "played": 0,
        "games": 0,
        "share": rate(0, 10).json(),
        "wins": 0,
        "win_rate": rate(0, 0).json(),
    }


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
    assert dealer["win_rate_per_seat"] == {"value": 0.25, "low": whole.low / 2, "high": whole.high / 2, "n": 10}
    assert dealer["factions"]["purple"] == {"participates": 4, "wins": 1, "win_rate": rate(1, 4).json()}
    assert agents["tactical"]["win_rate_per_seat"] == agents["tactical"]["win_rate"] == rate(5, 10).json()


def test_tables_come_in_order_of_weight(counts: np.void) -> None:
    keys = [table.key for table in sections(results(counts, RUN), RUN)]
    assert keys == [
        *("factions", "ends", "agents", "agents_by_faction", "seats", "anomalies"),
        *("instant_wins", "with_and_without", "captain_where", "captain_when", "auras", "length", "ties", "who_tied"),
    ]
    keys = [table.key for table in sections(results(counts, BASELINE), BASELINE)]
    assert keys[-4:] == ["anomalies", "length", "ties", "who_tied"]
    assert "epic" not in results(counts, BASELINE)


def test_one_kind_of_agent_needs_no_table_of_agents(counts: np.void) -> None:
    tables = sections(results(counts, ALONE), ALONE)
    assert not {"agents", "agents_by_faction"} & {table.key for table in tables}


def test_the_baseline_has_no_rows_for_instant_wins(counts: np.void) -> None:
    assert len(section(counts, "ends").rows) == 4
    assert len(section(counts, "ends", BASELINE).rows) == 1


def test_a_deck_without_anomalies_has_no_table_of_them(counts: np.void) -> None:
    counts["anomaly_games"] = 0
    assert "anomalies" not in [table.key for table in sections(results(counts, RUN), RUN)]


def test_figures_of_tables_that_are_left_out_are_called_as_there(counts: np.void) -> None:
    counts["anomaly_games"] = 0
    for found in (counts, np.zeros(1, dimensions_games.GAME.tally)[0]):
        figure = figure_of(dimensions_games.GAME, results(found, RUN), RUN, ("anomalies", "wormhole", "win_rate"))
        assert figure.title == Text("Anomalies: Wormhole — Win rate", "Аномалии: Кротовая Нора — Доля побед")
        assert (figure.percent, figure.fair, figure.in_table) == (True, 1 / 3, False)


def test_the_table_of_factions(counts: np.void) -> None:
    table = section(counts, "factions")
    assert table.rows[RED] == (Text("Red", "Красные"), rate(2, 8), 2, 8, mean(8, 40, 220, least=0))
    assert table.rows[BLUE][1] == rate(0, 0)
    assert table.chart is not None
    assert table.chart.reference == pytest.approx(1 / 3)


def test_the_table_of_ends_has_shares_of_all_games(counts: np.void) -> None:
    assert [row[1:] for row in section(counts, "ends").rows] == [(rate(n, 10), n) for n in (2, 1, 0, 7)]


def test_ends_have_the_names_of_the_rules(counts: np.void) -> None:
    titles = [row[0] for row in section(counts, "ends").rows]
    assert titles[:3] == [
        Text("Armour of God (Green)", "Доспехи Бога (зелёные)"),
        Text("Spore Planets (Yellow)", "Планеты-Споры (жёлтые)"),
        Text("Overmind (Blue)", "Сверхразум (синие)"),
    ]


def test_instant_wins_by_phase(counts: np.void) -> None:
    table = section(counts, "instant_wins")
    assert [row[0].ru for row in table.rows if isinstance(row[0], Text)] == [
        "Битва",
        "Усиление",
        "Перемещение или аномалия",
        "Атака",
        "Восстановление",
    ]
    assert [row[1:] for row in table.rows] == [
        (rate(1, 10), rate(0, 10), rate(0, 10)),
        (rate(1, 10), rate(0, 10), rate(0, 10)),
        (rate(0, 10), rate(1, 10), rate(0, 10)),
        *[(rate(0, 10),) * 3] * 2,
    ]


def test_counts_with_and_without_captain_and_auras(counts: np.void) -> None:
    red, purple = section(counts, "with_and_without").rows
    assert red[1:] == (mean(8, 40, 220, least=0), mean(8, 35, 180, least=0), rate(1, 2), 2)
    assert (purple[0], purple[3:]) == (Text("Purple: Auras of Darkness", "Фиолетовые: Ауры Тьмы"), (rate(0, 1), 1))


def test_auras_made_and_lost(counts: np.void) -> None:
    made, lost, swallowed = section(counts, "auras").rows
    assert made[1:] == (mean(10, 6, 20, least=0), rate(2, 10), 6)
    assert lost[1:] == (mean(10, 1, 1, least=0), rate(1, 10), 1)
    assert swallowed[2:] == (rate(0, 10), 0)


def test_where_and_when_the_captain_was_placed_and_moved(counts: np.void) -> None:
    where = section(counts, "captain_where").rows
    assert where[0][1:] == (rate(6, 8), 6, mean(6, 2, 4, least=0, most=MAX_TURNS))
    assert where[1 + RED][1:] == (rate(4, 6), 4, mean(6, 1, 1, least=0, most=MAX_TURNS))
    assert where[2][1:3] == (rate(2, 5), 2)
    placed, moved = section(counts, "captain_when").rows
    assert isinstance(placed[1], Estimate) and isinstance(moved[1], Estimate)
    assert (placed[1].value, placed[1].n, placed[-1]) == (2.0, 6, 6)
    assert (moved[1].value, moved[-1]) == (7.0, 1)


def test_who_tied_with_whom(counts: np.void) -> None:
    assert [row[:3] for row in section(counts, "who_tied").rows] == [
        (Text("Red, Green", "Красные, Зелёные"), rate(2, 10), 2),
        (Text("Red, Purple", "Красные, Фиолетовые"), rate(1, 10), 1),
    ]
    tied = results(counts, RUN)["tied"]
    assert tied["red+purple"] == {"games": 1, "share": rate(1, 10).json(), "wins": {"red": 0, "purple": 1}}
    assert (len(tied), tied["three_or_more"]) == (11, {"games": 0, "share": rate(0, 10).json()})
    counts["tied"][1 << RED | 1 << PURPLE | 1 << BLUE] = 3
    tied = results(counts, RUN)["tied"]
    assert [tied[name]["games"] for name in ("red+purple", "red+blue", "blue+purple", "three_or_more")] == [4, 3, 3, 3]
    counts["tied"] = 0
    assert "who_tied" not in [table.key for table in sections(results(counts, RUN), RUN)]


def test_agents_are_compared_within_each_faction(counts: np.void) -> None:
    rows = section(counts, "agents_by_faction").rows
    assert len(rows) == 10
    assert rows[2][1:] == ("dealer", rate(2, 5), 2, 5)
    assert rows[3][1:] == ("tactical", rate(3, 4), 3, 4)
