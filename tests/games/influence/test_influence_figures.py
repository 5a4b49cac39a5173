"""The figures of Influence, from games made by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from annotated_types import Le
from influence_games import ALONE, GAME, ONE_EACH, ROUNDS, RUN, config, counted, games

from common.reports import described, mean_of, rotated
from playmill.games.influence.config import Config
from playmill.games.influence.outcome import MAX_ROUNDS, Tally
from playmill.games.influence.report.figures import results
from playmill.games.influence.rules import CHECKPOINTS
from playmill.lab.runs.game_frames import games_frame, seats_frame
from playmill.report.model.tables import rate


@pytest.fixture
def counts() -> Any:
    """The tally of the games of three."""
    return counted(games())


def means(*seats: tuple[int, ...]) -> list[dict[str, Any]]:
    """The means of what seats had in some games, which is never below 0."""
    return [mean_of(*numbers, least=0) for numbers in seats]


def test_results_have_these_keys(counts: np.void) -> None:
    assert set(results(counts, RUN)) == {
        "games",
        "wins_by_seat",
        "draws",
        "agents",
        "rounds",
        "ended_by",
        "won_at_limit",
        "attacks",
        "first_blood",
        "over_time",
        "at_the_end",
        "autos",
        "decisions",
        "decisions_per_game",
    }


def test_games_and_decisions_are_counted(counts: np.void) -> None:
    made = results(counts, RUN)
    assert (made["games"], made["decisions"]) == (4, 1002)
    assert made["decisions_per_game"] == mean_of(100, 200, 300, 402, least=0)


def test_a_draw_is_nobodys_win(counts: np.void) -> None:
    made = results(counts, RUN)
    assert made["wins_by_seat"] == [
        {"agent": "greedy", "wins": 1, **rate(1, 4).json()},
        {"agent": "random", "wins": 1, **rate(1, 4).json()},
        {"agent": "greedy", "wins": 1, **rate(1, 4).json()},
    ]
    assert made["draws"] == {"games": 1, **rate(1, 4).json()}


def test_an_agent_wins_by_any_of_its_seats_and_shares_it_among_them(counts: np.void) -> None:
    both = rate(2, 4)
    assert results(counts, RUN)["agents"] == {
        "greedy": {
            "seats": 2,
            "wins": 2,
            "win_rate": {"value": 0.25, "low": both.low / 2, "high": both.high / 2, "n": 4},
        },
        "random": {"seats": 1, "wins": 1, "win_rate": rate(1, 4).json()},
    }


def test_an_agent_in_all_seats_loses_to_draws_alone() -> None:
    whole = rate(3, 4)
    found = results(counted(games(), ALONE), ALONE)["agents"]["random"]
    assert (found["seats"], found["wins"]) == (3, 3)
    assert found["win_rate"] == pytest.approx({"value": 0.25, "low": whole.low / 3, "high": whole.high / 3, "n": 4})


def test_agents_that_change_seats_are_told_by_all_their_wins() -> None:
    made = results(rotated(GAME, games(), 3), replace(ONE_EACH, rotations=3))
    assert made["agents"] == {name: {"seats": 1, "wins": 3, "win_rate": rate(3, 12).json()} for name in ONE_EACH.agents}
    assert made["wins_by_seat"] == [{"agent": None, "wins": 3, **rate(3, 12).json()}] * 3


def test_agents_stand_in_the_order_of_seats(counts: np.void) -> None:
    assert list(results(counts, ONE_EACH)["agents"]) == ["greedy", "random", "cautious"]


def test_rounds_are_described(counts: np.void) -> None:
    made = results(counts, RUN)["rounds"]
    assert made == described([4, 10, 10, 10], MAX_ROUNDS)
    assert (made["mean"], made["median"], made["p10"], made["p90"]) == (8.5, 10.0, 4, 10)


def test_games_end_by_elimination_or_by_the_limit(counts: np.void) -> None:
    assert results(counts, RUN)["ended_by"] == {
        "elimination": {"games": 1, **rate(1, 4).json()},
        "limit": {"games": 3, **rate(3, 4).json()},
    }
    assert results(counts, RUN)["won_at_limit"] == {"games": 2, **rate(2, 4).json()}


def test_attacks_are_compared_with_the_chance_by_the_rules(counts: np.void) -> None:
    assert results(counts, RUN)["attacks"] == {
        "le_minus2": {"made": 3, "won": 0, "rate": rate(0, 3).json(), "promised": 0.0},
        "minus1": {"made": 8, "won": 2, "rate": rate(2, 8).json(), "promised": 0.25},
        "zero": {"made": 4, "won": 3, "rate": rate(3, 4).json(), "promised": 0.5},
        "plus1": {"made": 12, "won": 9, "rate": rate(9, 12).json(), "promised": 0.75},
        "ge_plus2": {"made": 24, "won": 24, "rate": rate(24, 24).json(), "promised": 1.0},
        "empty": {"made": 27, "won": 27, "rate": rate(27, 27).json(), "promised": 1.0},
    }


def test_the_chance_promised_is_that_of_the_config(counts: np.void) -> None:
    changed = config(chance_le_minus2=3, chance_minus1=20, chance_zero=45, chance_plus1=80, chance_ge_plus2=99)
    found = results(counts, replace(RUN, config=changed))["attacks"]
    assert [attack["promised"] for attack in found.values()] == [0.03, 0.2, 0.45, 0.8, 0.99, 1.0]


def test_first_blood_is_of_the_games_that_saw_it(counts: np.void) -> None:
    assert results(counts, RUN)["first_blood"] == {
        "games": 3,
        "wins": 1,
        "win_rate": rate(1, 3).json(),
        "fair": 1 / 3,
        "by_seat": [
            {"games": 2, "wins": 1, "win_rate": rate(1, 2).json()},
            {"games": 1, "wins": 0, "win_rate": rate(0, 1).json()},
            {"games": 0, "wins": 0, "win_rate": rate(0, 0).json()},
        ],
    }


def test_over_time_counts_the_games_that_came_so_far(counts: np.void) -> None:
    found = {look["round"]: look for look in results(counts, RUN)["over_time"]}
    # No round beyond the limit.
    assert list(found) == [checkpoint for checkpoint in ROUNDS if checkpoint <= 10]
    assert {checkpoint: look["games"] for checkpoint, look in found.items()} == {1: 4, 2: 4, 5: 3, 10: 3}
    assert found[1]["cells"] == [{"value": 1.0, "low": None, "high": None, "n": 4}] * 3
    assert found[2]["cells"] == means((2, 2, 2, 2), (2, 2, 1, 2), (1, 2, 2, 2))
    assert found[5]["cells"] == means((4, 5, 3), (5, 2, 3), (4, 3, 4))
    # An eliminated player has nothing, and that counts.
    assert found[10]["cells"] == means((4, 6, 5), (6, 0, 5), (8, 6, 7))
    assert found[10]["influence"] == means((12, 18, 15), (18, 0, 15), (24, 18, 21))


def test_the_end_is_that_of_every_game(counts: np.void) -> None:
    assert results(counts, RUN)["at_the_end"] == {
        "games": 4,
        "cells": means((20, 3, 6, 5), (0, 7, 0, 6), (0, 9, 6, 7)),
        "influence": means((90, 10, 40, 20), (0, 30, 0, 50), (0, 60, 40, 30)),
    }


def test_autos_are_per_game(counts: np.void) -> None:
    assert results(counts, RUN)["autos"] == {"times": 28, **mean_of(5, 9, 8, 6, least=0)}


def test_the_longest_game_of_the_config_has_its_place_in_the_histogram() -> None:
    limits = [limit.le for limit in Config.model_fields["round_limit"].metadata if isinstance(limit, Le)]
    assert limits == [MAX_ROUNDS]


def test_looks_are_taken_in_order_of_rounds() -> None:
    assert (np.diff(CHECKPOINTS) > 0).all()
    assert 1 <= CHECKPOINTS[0] <= CHECKPOINTS[-1] <= MAX_ROUNDS


def test_counts_are_whole_numbers_of_64_bits() -> None:
    assert {np.dtype(kind).base for kind, *_ in (Tally.fields or {}).values()} == {np.dtype(np.int64)}


def test_rows_have_columns_by_name_for_files() -> None:
    frame = seats_frame(games(), 0, RUN.agents)
    assert frame["cells"].to_list() == games()["cells"][:, :3].ravel().tolist()
    assert frame["cells_at_5"].to_list() == [0, 0, 0, 4, 5, 4, 5, 2, 3, 3, 3, 4]
    assert frame["influence_at_10"].to_list() == [0, 0, 0, 12, 18, 24, 18, 0, 18, 15, 15, 21]
    assert frame["ended_by"].to_list() == ["elimination"] * 3 + ["limit"] * 9
    assert frame["made_ge_plus2"].to_list() == [9] * 3 + [8] * 3 + [7] * 3 + [0] * 3
    assert games_frame(games(), 0)["cells_at_5_1"].to_list() == [0, 5, 2, 3]
