"""The report of Grid, from a tally made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import grid_games
import numpy as np
import pytest
from grid_games import GAME, ONE_EACH, PATTERN_B, PATTERN_I, PATTERN_J, POINTS, RUN, RWD1, RWD4, RWD7, RWD10

from common import reports
from common.reports import described, exact_mean, mean_of, rotated
from playmill.games.grid.constants import END1, RESOLVED, TURNS
from playmill.games.grid.outcome import MAX_VP, Outcome, Tally
from playmill.games.grid.report import results, sections
from playmill.report.model.tables import Estimate, RunInfo, Table, mean, rate
from playmill.stats.mean_intervals import Moments, mean_interval
from playmill.texts import PlaymillError, Text


@pytest.fixture
def counts() -> np.void:
    """The tally of ten games."""
    tally: np.void = grid_games.counts()
    return tally


def section(counts: np.void, key: str, run: RunInfo = RUN) -> Table:
    """One table of the report."""
    return reports.section(grid_games.GAME, counts, key, run)


def test_results_have_these_keys(counts: np.void) -> None:
    made = results(counts, RUN)
    assert set(made) == {
        "games",
        "winrate",
        "tie_rate",
        "unique_winner_rate",
        "vp_stats",
        "by_seat",
        "pattern_counts",
        "pattern_rates",
        "patterns_per_game",
        "total_vp_by_pattern",
        "winner_triggers_by_pattern",
        "winner_vp_by_pattern",
        "rewards",
        "reward_rates",
        "end_rates",
        "winner_rewards",
        "end_reasons",
        "avg_turns",
        "turns",
        "by_agent",
        "decisions",
        "decisions_per_game",
    }
    for key in ("pattern_counts", "total_vp_by_pattern", "winner_triggers_by_pattern", "winner_vp_by_pattern"):
        assert list(made[key]) == list("ABCDEFGHIJ"), key
    for counted in (*made["rewards"].values(), *made["winner_rewards"].values()):
        assert list(counted) == [f"RWD{number}" for number in range(1, 11)]
    assert (made["games"], made["decisions"]) == (10, 625)
    assert made["decisions_per_game"] == mean_of(*[60] * 5, *[65] * 5, least=0)


def test_vp_of_an_agent_are_pooled_over_its_seats(counts: np.void) -> None:
    scores = [0, 0, 0, 6, 6, 6, 9, 9, 9, 15] + [0] * 8 + [6, 20]
    greedy, random = exact_mean(scores, MAX_VP), exact_mean([0] * 9 + [7], MAX_VP)
    assert results(counts, RUN)["vp_stats"] == {
        "greedy": {
            "n": 20,
            "mean": 4.3,
            "low": greedy.low,
            "high": greedy.high,
            "median": 0.0,
            "std": pytest.approx(np.std(scores, ddof=1)),
            "p10": 0,
            "p90": 9,
            "min": 0,
            "max": 20,
            # Two scores of a game may depend on each other, so the error is that of ten: 20 · (1.96 · √(¼ / 10) + 0.1),
            # 8.2 ranks to each side of the tenth, which leaves the first and the last.
            "intervals": {"median": [0, 20], "p10": None, "p90": None},
        },
        "random": {
            "n": 10,
            "mean": 0.7,
            "low": random.low,
            "high": random.high,
            "median": 0.0,
            "std": pytest.approx(np.std([0] * 9 + [7], ddof=1)),
            "p10": 0,
            "p90": 0,
            "min": 0,
            "max": 7,
            "intervals": {"median": None, "p10": None, "p90": None},
        },
    }


def test_the_highest_score_that_a_config_allows_has_a_place_of_its_own() -> None:
    assert MAX_VP == 40 * 1000, "a deck of 120 cards is enough for 40 patterns"
    tally = np.zeros(1, Tally)[0]
    tally["games"] = 2
    tally["vp"][0, [5000, MAX_VP]] = 1
    vp = results(tally, replace(RUN, players=1, agents=("greedy",)))["vp_stats"]["greedy"]
    assert (vp["mean"], vp["p90"], vp["max"]) == (22500, 40000, 40000)
    tally["vp"][0, MAX_VP + 1] = 1
    with pytest.raises(PlaymillError, match="VP: 1 of 3 values are not among 0 … 40000, all that the counts have room"):
        results(tally, replace(RUN, players=1, agents=("greedy",)))


def test_an_agent_wins_by_any_of_its_seats(counts: np.void) -> None:
    made = results(counts, RUN)
    assert made["winrate"] == {"greedy": rate(6, 10).json(), "random": rate(1, 10).json()}
    assert [(made["by_agent"][name]["seats"], made["by_agent"][name]["wins"]) for name in made["by_agent"]] == [
        (2, 6),
        (1, 1),
    ]


def test_a_tie_is_nobodys_win(counts: np.void) -> None:
    made = results(counts, RUN)
    assert made["tie_rate"] == rate(3, 10).json()
    assert made["unique_winner_rate"] == rate(7, 10).json()


def test_patterns_are_counted_and_weighed_by_the_vp_of_the_config(counts: np.void) -> None:
    made = results(counts, RUN)
    nothing = dict.fromkeys("ABCDEFGHIJ", 0)
    assert made["pattern_counts"] == nothing | {"A": 1, "H": 1, "I": 5, "J": 4}
    assert made["patterns_per_game"] == exact_mean([0] * 3 + [1] * 4 + [2] * 2 + [3], RESOLVED).json()
    assert made["total_vp_by_pattern"] == nothing | {"A": 20, "H": 7, "I": 30, "J": 36}
    # All VP come from patterns.
    assert sum(made["total_vp_by_pattern"].values()) == 60 + 7 + 26
    assert made["winner_triggers_by_pattern"] == nothing | {"A": 1, "H": 1, "I": 2, "J": 3}
    assert made["winner_vp_by_pattern"] == nothing | {"A": 20, "H": 7, "I": 12, "J": 27}


def test_rates_of_patterns_have_intervals(counts: np.void) -> None:
    made = results(counts, RUN)["pattern_rates"]
    assert made["I"]["per_game"] == mean_of(0, 0, 0, 1, 1, 1, 0, 0, 1, 1, least=0)
    # Seven winners: what I and J brought each, and all their VP.
    all_vp = np.array([6, 6, 7, 9, 9, 9, 20])
    for name, vp in (("I", [6, 6, 0, 0, 0, 0, 0]), ("J", [0, 0, 0, 9, 9, 9, 0]), ("B", [0] * 7)):
        share = made[name]["of_winners_vp"]
        assert (share["value"], share["n"]) == (pytest.approx(sum(vp) / 66), 7)
        assert (share["low"], share["high"]) == pytest.approx(share_by_hand(np.array(vp), all_vp))


def share_by_hand(some: Any, whole: Any) -> tuple[float, float]:
    """The interval of a share of VP from the moments of the delta method, in floats."""
    n, value = len(some), some.sum() / whole.sum()
    variance = np.var(some - value * whole, ddof=1) / n / whole.mean() ** 2
    # As many had any as here, each as much: the chance of having it is their share.
    having = np.count_nonzero(some) / n
    third = some.max() ** 3 * having * (1 - having) * (1 - 2 * having) / n**2 / whole.mean() ** 3
    return mean_interval(Moments(value, variance, max(0.0, third), n), n - 1, least=0.0, most=1.0)


def test_a_pattern_that_the_config_leaves_out_has_no_row(counts: np.void) -> None:
    run = replace(RUN, config={"patterns": [{"id": name, "vp": POINTS[name]} for name in "JIHA"]})
    assert results(counts, run)["total_vp_by_pattern"]["B"] == 0
    assert [row[0] for row in section(counts, "patterns", run).rows] == ["A", "H", "I", "J", Text("All", "Все")]


def test_rewards_are_applied_refused_or_impossible(counts: np.void) -> None:
    made = results(counts, RUN)
    assert {fate: {name: n for name, n in counted.items() if n} for fate, counted in made["rewards"].items()} == {
        "applied": {"RWD1": 3, "RWD7": 2, "RWD9": 1},
        "refused": {"RWD1": 2, "RWD7": 1},
        "impossible": {"RWD4": 1, "RWD7": 1},
    }
    assert {fate: {name: n for name, n in told.items() if n} for fate, told in made["winner_rewards"].items()} == {
        "applied": {"RWD1": 2, "RWD9": 1},
        "refused": {"RWD7": 1},
        "impossible": {"RWD4": 1},
    }


def test_patterns_and_rewards_are_told_apart_by_agent(counts: np.void) -> None:
    agents = results(counts, RUN)["by_agent"]
    assert agents["random"]["patterns"] == dict.fromkeys("ABCDEFGHIJ", 0) | {"H": 1}
    assert agents["greedy"]["patterns"]["I"] == 5
    assert agents["random"]["rewards"]["impossible"]["RWD4"] == 1
    assert agents["greedy"]["rewards"]["impossible"]["RWD4"] == 0
    assert agents["greedy"]["rewards"]["applied"]["RWD1"] == 3
    assert agents["greedy"]["rewards"]["refused"]["RWD7"] == 1


def test_ends_are_numbers_of_games(counts: np.void) -> None:
    assert results(counts, RUN)["end_reasons"] == {"END1": 9, "END2": 1}


def test_turns_are_described(counts: np.void) -> None:
    made = results(counts, RUN)
    assert made["avg_turns"] == 32.0
    assert made["turns"] == described([31] * 8 + [32, 40], TURNS)
    assert [made["turns"][key] for key in ("mean", "median", "p10", "p90")] == [32.0, 31.0, 31, 32]


def test_seats_are_those_of_the_players(counts: np.void) -> None:
    assert results(counts, RUN)["by_seat"] == [
        {"agent": "greedy", "vp": mean(10, 60, 576, least=0).json(), "wins": 5, "win_rate": rate(5, 10).json()},
        {"agent": "random", "vp": mean(10, 7, 49, least=0).json(), "wins": 1, "win_rate": rate(1, 10).json()},
        {"agent": "greedy", "vp": mean(10, 26, 436, least=0).json(), "wins": 1, "win_rate": rate(1, 10).json()},
    ]


def test_agents_that_change_seats_are_told_by_all_their_scores() -> None:
    rows = np.zeros(2, Outcome)
    rows["players"], rows["ended_by"], rows["winner"] = 3, END1, 0
    rows["vp"][:, :3] = (9, 2, 1), (7, 0, 3)
    made = results(rotated(GAME, rows, 3), replace(ONE_EACH, rotations=3))
    for name in ONE_EACH.agents:
        assert made["winrate"][name] == rate(2, 6).json()
        assert (made["vp_stats"][name]["n"], made["vp_stats"][name]["mean"]) == (6, 22 / 6)
    assert [seat["vp"]["value"] for seat in made["by_seat"]] == [8, 1, 2]
    assert [(seat["agent"], seat["wins"]) for seat in made["by_seat"]] == [(None, 6), (None, 0), (None, 0)]


def test_tables_come_in_order_of_weight(counts: np.void) -> None:
    keys = [table.key for table in sections(results(counts, RUN), RUN)]
    winners = ["winner_patterns", "rewards", "winner_rewards"]
    assert keys == ["agents", "vp", "seats", "patterns", *winners, "ends", "ties", "length"]


def test_an_agent_of_two_seats_is_compared_by_seat(counts: np.void) -> None:
    table, whole = section(counts, "agents"), rate(6, 10)
    assert table.rows[0] == ("greedy", Estimate(0.3, whole.low / 2, whole.high / 2, 10), 6, 2, whole)
    assert table.rows[1] == ("random", rate(1, 10), 1, 1, rate(1, 10))
    assert table.chart is not None
    assert table.chart.reference == pytest.approx(1 / 3)


def test_the_table_of_victory_points(counts: np.void) -> None:
    row: Any = section(counts, "vp").rows[0]
    scores = [0, 0, 0, 6, 6, 6, 9, 9, 9, 15] + [0] * 8 + [6, 20]
    assert row[:2] == ("greedy", exact_mean(scores, MAX_VP))
    assert row[2] == Estimate(0, 0, 20, 20) and (row[4].value, row[4].n, row[4].known) == (9, 20, False)
    assert (row[3], *row[5:]) == (pytest.approx(5.8138, abs=1e-4), 0, 20)


def test_the_table_of_patterns_sums_them_up(counts: np.void) -> None:
    rows: Any = section(counts, "patterns").rows
    assert (*rows[PATTERN_I][:3], rows[PATTERN_I][4]) == ("I", 6, 5, 30)
    one, thousand = mean(10, 5, 5, least=0), rows[PATTERN_I][3]
    assert (thousand.value, thousand.low, thousand.high) == (500, 1000 * one.low, 1000 * one.high)
    assert (rows[PATTERN_B][2], rows[PATTERN_B][3].value, rows[PATTERN_B][4]) == (0, 0, 0)
    assert (rows[-1][2], rows[-1][3].value, rows[-1][4]) == (11, pytest.approx(1100), 93)


def test_the_patterns_of_the_winners_have_their_share_of_the_vp(counts: np.void) -> None:
    rows: Any = section(counts, "winner_patterns").rows
    assert (rows[PATTERN_J][0], rows[PATTERN_J][1].value, *rows[PATTERN_J][2:]) == ("J", pytest.approx(27 / 66), 3, 27)
    assert (rows[PATTERN_B][1].value, *rows[PATTERN_B][2:]) == (0, 0, 0)
    assert rows[-1] == (Text("All", "Все"), None, 7, 66)


def test_the_table_of_rewards_has_shares_of_the_offers(counts: np.void) -> None:
    rows = section(counts, "rewards").rows
    assert rows[RWD1][1:] == (rate(3, 5), 3, 2, 0)
    assert rows[RWD7][1:] == (rate(2, 4), 2, 1, 1)
    assert rows[RWD10][1:] == (rate(0, 0), 0, 0, 0)


def test_the_rewards_of_the_winners_are_applied_refused_or_impossible(counts: np.void) -> None:
    rows = section(counts, "winner_rewards").rows
    assert rows[RWD1][1:] == (rate(2, 3), 2, 0, 0)
    assert rows[RWD7][1:] == (rate(0, 2), 0, 1, 0)
    assert rows[RWD4][1:] == (rate(0, 0), 0, 0, 1)


def test_the_tables_of_ends_and_ties_have_shares_of_all_games(counts: np.void) -> None:
    assert [row[1:] for row in section(counts, "ends").rows] == [(rate(n, 10), n) for n in (9, 1)]
    assert [row[1:] for row in section(counts, "ties").rows] == [(rate(n, 10), n) for n in (7, 3)]
