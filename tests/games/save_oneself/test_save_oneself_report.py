"""The figures and the report of Save Oneself, from games made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from save_oneself_games import GAME, RUN, counted, games

from common import reports
from common.reports import described, exact_mean, mean_of
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import FRONT_IDS
from playmill.games.save_oneself.outcome import MAX_SCORE
from playmill.games.save_oneself.report import results, sections
from playmill.report.model.tables import Table, mean, rate
from playmill.texts import LANGUAGES, Text


def found() -> dict[str, Any]:
    return results(counted(games()), RUN)


def tables_of() -> list[Table]:
    """The tables of the games by hand."""
    return reports.tables_of(GAME, RUN, counted(games()))


def section(key: str) -> Table:
    """One of them."""
    return reports.section(GAME, counted(games()), key, RUN)


# Figures


def test_results_have_these_keys() -> None:
    made = found()
    assert list(made) == [
        "games",
        "agents",
        "win_rate",
        "wins_by",
        "losses_by",
        "score",
        "rounds",
        "cards_placed",
        "turned",
        "win_rate_given",
        "ships_per_game",
        "lives_over_time",
        "decisions",
        "decisions_per_game",
    ]
    assert list(made["wins_by"]) == ["sos", "beacon", "message"]
    assert list(made["losses_by"]) == ["lives", "ship", "deck"]
    assert list(made["turned"]) == list(made["win_rate_given"]) == list(FRONT_IDS)
    described = {"mean", "low", "high", "n", "median", "std", "p10", "p90", "min", "max", "intervals"}
    assert set(made["score"]) == set(made["rounds"]) == set(made["cards_placed"]) == described


def test_wins_and_losses_are_split_by_their_cause() -> None:
    made = found()
    assert (made["games"], made["decisions"]) == (4, 27)
    assert made["decisions_per_game"] == mean_of(10, 6, 9, 2, least=0)
    assert made["win_rate"] == rate(2, 4).json()
    assert made["win_rate"]["value"] == 0.5
    assert made["agents"] == {"survivor": {"seats": 1, "wins": 2, "win_rate": rate(2, 4).json()}}
    assert made["wins_by"] == {
        "sos": {"games": 1, **rate(1, 4).json(), "of_wins": rate(1, 2).json()},
        "beacon": {"games": 0, **rate(0, 4).json(), "of_wins": rate(0, 2).json()},
        "message": {"games": 1, **rate(1, 4).json(), "of_wins": rate(1, 2).json()},
    }
    assert made["losses_by"] == {
        "lives": {"games": 1, **rate(1, 4).json()},
        "ship": {"games": 1, **rate(1, 4).json()},
        "deck": {"games": 0, **rate(0, 4).json()},
    }


def test_score_rounds_and_cards_are_described() -> None:
    made = found()
    # Scores 2, 8, 13, 20: the middles are 8 and 13; a tenth of four games is the first, nine tenths the fourth.
    assert made["score"] == described([2, 8, 13, 20], MAX_SCORE)
    score = [made["score"][key] for key in ("mean", "median", "p10", "p90", "std")]
    assert score == [10.75, 10.5, 2, 20, pytest.approx(7.632169, abs=1e-6)]
    assert (made["rounds"]["mean"], made["rounds"]["median"], made["rounds"]["max"]) == (2.5, 2.5, 4)
    assert (made["cards_placed"]["mean"], made["cards_placed"]["median"]) == (7.0, 7.0)
    assert made["ships_per_game"] == exact_mean([0, 1, 1, 2], 2).json()


def test_a_card_turned_over_has_its_share_of_games_and_its_win_rate() -> None:
    made = found()
    assert made["turned"]["torch"] == {"games": 2, **rate(2, 4).json()}
    assert made["win_rate_given"]["torch"] == {"wins": 1, **rate(1, 2).json()}
    assert made["turned"]["sos"] == {"games": 1, **rate(1, 4).json()}
    assert made["win_rate_given"]["sos"] == {"wins": 1, **rate(1, 1).json()}
    assert made["turned"]["fish"] == {"games": 0, **rate(0, 4).json()}
    assert made["win_rate_given"]["fish"] == {"wins": 0, "value": None, "low": None, "high": None, "n": 0}


def test_lives_over_time_are_of_the_games_that_came_so_far() -> None:
    looks = found()["lives_over_time"]
    assert looks[:4] == [
        {"round": 1, "games": 4, "reached": rate(4, 4).json(), **mean_of(16, 16, 14, 16, least=0)},
        {"round": 2, "games": 3, "reached": rate(3, 4).json(), **mean_of(15, 15, 9, least=0)},
        {"round": 3, "games": 2, "reached": rate(2, 4).json(), **mean_of(14, 4, least=0)},
        {"round": 4, "games": 1, "reached": rate(1, 4).json(), "value": 1.0, "low": None, "high": None, "n": 1},
    ]
    # That nobody came so far is said, too: a share that is told only where it is not 0 would be too high.
    assert looks[4] == {"round": 5, "games": 0, "reached": rate(0, 4).json(), **mean(0, 0, 0).json()}


# Tables


def test_tables_come_in_order_of_weight() -> None:
    assert [table.key for table in tables_of()] == ["wins", "ends", "score", "length", "cards", "lives_over_time"]


def test_the_table_of_wins_splits_them_by_signal() -> None:
    rows: Any = section("wins").rows
    assert [row[1:] for row in rows] == [
        (rate(2, 4), 2, None),
        (rate(1, 4), 1, rate(1, 2)),
        (rate(0, 4), 0, rate(0, 2)),
        (rate(1, 4), 1, rate(1, 2)),
    ]


def test_endings_share_all_games_among_them() -> None:
    rows: Any = section("ends").rows
    assert [row[1:] for row in rows] == [(rate(2, 4), 2), (rate(1, 4), 1), (rate(1, 4), 1)]
    assert sum(row[1].value for row in rows) == 1


def test_an_empty_deck_is_told_of_only_if_it_ended_a_game_or_loses_by_the_config() -> None:
    rows = games()
    rows["ended_by"][3] = 5
    ends: Any = sections(results(counted(rows), RUN), RUN)[1].rows
    assert ends[-1] == (Text("Lost: the deck has run out", "Поражение: кончилась колода"), rate(1, 4), 1)
    assert len(ends) == len(section("ends").rows) + 1
    losing = replace(RUN, config=Config(lose_on_empty_deck=True).model_dump(mode="json"))
    none: Any = sections(results(counted(games()), losing), losing)[1].rows
    assert none[-1] == (Text("Lost: the deck has run out", "Поражение: кончилась колода"), rate(0, 4), 0)


def test_score_and_length_have_an_interval_for_the_mean() -> None:
    score: Any = section("score").rows
    assert (score[0][1].value, score[0][1].n) == (10.75, 4)
    assert [(row[1].value, row[1].n, row[1].known) for row in score[2:5]] == [(q, 4, False) for q in (10.5, 2, 20)]
    assert [row[1] for row in score[5:]] == [2, 20]
    length: Any = section("length").rows
    assert (length[0][1].value, length[0][1].n) == (2.5, 4)
    assert [(row[1].value, row[1].n) for row in length[-4:]] == [(7.0, 4), (7.0, 4), (1.0, 4), (6.75, 4)]


def test_cards_are_compared_with_all_games() -> None:
    table = section("cards")
    rows: Any = table.rows
    assert rows[0][1:] == (rate(2, 4), None)
    assert len(rows) == 1 + len(FRONT_IDS)
    assert rows[1 + FRONT_IDS.index("torch")][1:] == (rate(1, 2), rate(2, 4))
    assert rows[1 + FRONT_IDS.index("fish")][1:] == (rate(0, 0), rate(0, 4))
    assert table.chart is not None
    assert table.chart.reference == 0.5


def test_lives_have_a_row_for_each_round() -> None:
    rows: Any = section("lives_over_time").rows
    assert [(row[0], row[1].value, row[1].n, row[2], row[3]) for row in rows] == [
        (1, 15.5, 4, 4, rate(4, 4)),
        (2, 13.0, 3, 3, rate(3, 4)),
        (3, 9.0, 2, 2, rate(2, 4)),
        (4, 1.0, 1, 1, rate(1, 4)),
    ]


def test_rounds_that_next_to_no_game_came_to_are_not_shown() -> None:
    rows = np.concatenate([games()[3:].repeat(200), games()[2:3]])
    made = results(counted(rows), RUN)
    assert [look["round"] for look in made["lives_over_time"] if look["games"]] == [1, 2, 3, 4]
    assert [row[0] for row in sections(made, RUN)[-1].rows] == [1]


@pytest.mark.parametrize("played", [0, 1, 2])
def test_a_run_of_next_to_no_games_still_has_a_report(played: int) -> None:
    made = results(counted(games()[:played]), RUN)
    assert bool(made["lives_over_time"][0]["games"]) == (played > 0)
    for lang in LANGUAGES:
        for table in sections(made, RUN):
            check = reports.check_table if table.rows else reports.check_fit
            check(RUN, table, lang, 80)
