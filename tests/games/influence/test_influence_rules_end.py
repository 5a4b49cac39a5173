"""The start, the order of turns, rounds, the round limit and the result that decides then."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np
import pytest
from influence_position import LETTERS, Position, deal, pass_turn, position

from common.positions import assert_even
from playmill import PlaymillError
from playmill.games.influence.rules import CHECKPOINTS

SQUARE = ["ww", "wS"]


def passed(game: Position, turns: int) -> str:
    """Who takes so many turns one after the other."""
    return "".join(pass_turn(game) for _ in range(turns))


# The start


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_each_player_starts_on_one_cell_of_influence_2_and_all_others_are_empty(players: int) -> None:
    for number in range(20):
        game = deal(["wSw.", "w.ww", ".wSw"], players, number)
        assert [len(game.owned(player)) for player in range(players)] == [1] * players
        assert game.totals() == [2] * players
        assert sum(game.influence(place) for place in game.places) == 2 * players
        assert (game.asked, game.s.rounds, game.s.living) == ("A attacks", 1, players)


def test_map_says_where_everybody_starts_in_the_order_of_play() -> None:
    starts = {"2": [[1, 1], [0, 0]], "3": [[0, 1], [1, 0], [0, 0]]}
    game = deal(SQUARE, 2, starts=starts)
    assert game.field() == "B2 - / - A2!"
    assert deal(SQUARE, 3, starts=starts).field() == "C2 A2 / B2 -!"
    assert {deal(SQUARE, 2, number, starts=starts).field() for number in range(10)} == {game.field()}
    untouched = Position(SQUARE, 2)
    assert game.streams() == untouched.streams(), "no luck is needed"


def test_number_of_players_the_map_does_not_name_starts_at_random() -> None:
    fields = {deal(SQUARE, 4, number, starts={"2": [[1, 1], [0, 0]]}).field() for number in range(60)}
    assert len(fields) > 12


def test_random_starts_are_equally_likely_on_each_ordered_pair_of_cells() -> None:
    seen: dict[Any, int] = {}
    for number in range(1200):
        game = deal(["w.S", ".ww"], 2, number)
        (one,), (other,) = game.owned(0), game.owned(1)
        seen[one, other] = seen.get((one, other), 0) + 1
    assert_even(seen, permutations([(0, 0), (0, 2), (1, 1), (1, 2)], 2))


def test_random_starts_of_three_players_on_three_cells() -> None:
    seen: dict[Any, int] = {}
    for number in range(600):
        field = deal(["www"], 3, number).field()
        seen[field] = seen.get(field, 0) + 1
    assert_even(seen, (" ".join(f"{letter}2" for letter in order) for order in permutations("ABC")))


def test_random_starts_reach_every_one_of_256_cells() -> None:
    """Six players, 500 games: that a cell is never met has a chance of 1 in 500."""
    met = set()
    for number in range(500):
        game = deal(["w" * 16] * 16, 6, number)
        met.update(np.flatnonzero(game.source["owner"][0]))
    assert len(met) == 256


@pytest.mark.parametrize(("influence", "weak", "held"), [(1, 8, 1), (5, 8, 5), (8, 8, 8), (5, 3, 3), (2, 1, 1)])
def test_other_start_influence_as_far_as_the_cell_has_room(influence: int, weak: int, held: int) -> None:
    game = deal(["www"], 2, start_influence=influence, weak_capacity=weak)
    assert game.totals() == [held, held]


def test_more_players_than_cells_cannot_start() -> None:
    with pytest.raises(PlaymillError, match="3 cells, too few for 4 players"):
        deal(["www"], 4)
    assert deal(["www"], 3).totals() == [2, 2, 2]


# Turns and rounds


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_players_take_turns_in_their_order_round_by_round(players: int) -> None:
    game = position(" . ".join(f"{letter}1" for letter in LETTERS[:players]))
    for number in range(1, 4):
        for player in LETTERS[:players]:
            assert (game.s.rounds, game.asked) == (number, f"{player} attacks")
            pass_turn(game)


def test_turn_is_attack_then_defence() -> None:
    game = position("A3 - . B1")
    assert game.asked == "A attacks"
    assert game.do("attack 0,0 0,1").asked == "A attacks"
    assert game.do("end").asked == "A places 2"
    assert game.do("place 0,0").asked == "A places 1"
    assert game.do("place 0,0").asked == "B attacks"


@pytest.mark.parametrize(
    ("field", "to_move", "order", "rounds"),
    [
        ("A1 . C1", "A", "ACACA", 3),
        ("B1 . C1 . E1", "C", "CEBCE", 3),
        ("B1 . D1", "D", "DBDBD", 4),
        ("A1 . B1 . F1", "B", "BFABF", 3),
    ],
)
def test_dead_are_skipped(field: str, to_move: str, order: str, rounds: int) -> None:
    game = position(f"{field} . - - - -", to_move=to_move, players=6)
    assert passed(game, len(order)) == order
    assert game.s.rounds == rounds


def test_player_killed_before_her_turn_has_none_in_that_round() -> None:
    game = position("A5 B1 . C1", round_limit=2).do("attack 0,0 0,1")
    assert passed(game, 4) == "ACAC"
    assert (game.s.player, game.s.rounds) == (-1, 2)
    assert list(game.s.turns)[:3] == [2, 0, 2]


def test_last_players_killed_end_the_round_after_the_last_living_one() -> None:
    game = position("A1 . B5 C1 . D1 E1", to_move="B").do("attack 0,2 0,3")
    assert (passed(game, 1), game.asked, game.s.rounds) == ("B", "D attacks", 1)
    game = position("A1 . B9! C1", to_move="B", players=3).do("attack 0,2 0,3")
    assert (passed(game, 1), game.asked, game.s.rounds) == ("B", "A attacks", 2)


def test_first_player_dead_the_next_begins_the_round() -> None:
    game = position("A1 B5 . C1", to_move="B").do("attack 0,1 0,0")
    assert passed(game, 4) == "BCBC"
    assert game.s.rounds == 3


# The round limit


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
def test_game_ends_when_all_have_had_their_turn_in_the_last_round(limit: int) -> None:
    game = position("A1 . B1! . C1!", round_limit=limit)
    assert passed(game, 3 * limit - 1) == ("ABC" * limit)[:-1]
    assert (game.asked, game.s.rounds) == ("C attacks", limit)
    pass_turn(game)
    assert game.s.player == -1
    assert (game.legal(), game.counted_ids()) == ([], [])
    row = game.outcome()
    assert (row["rounds"], row["ended_by"], row["players"]) == (limit, 1, 3)


def test_limit_of_100_rounds_and_results_of_10_turns_unless_told_otherwise() -> None:
    game = position("A1 . B1")
    assert (game.cfg.round_limit, game.cfg.result_rounds, list(game.cfg.start_influence)) == (100, 10, [2] * 6)


def test_elimination_in_the_last_attack_is_no_result() -> None:
    game = position("A1 B5", to_move="B", rounds=3, round_limit=3, turns=[[9, 9, 1], [1, 1, 5]])
    assert game.do("attack 0,1 0,0").asked == "B wins alone"
    assert game.outcome()["ended_by"] == 0


# The result


def test_result_is_the_influence_at_the_start_of_the_turns() -> None:
    """Both begin a turn with 3; what A places afterwards comes too late."""
    game = position("A1 A1 A1 . B3!", round_limit=1)
    assert passed(game, 2) == "AB"
    assert game.totals() == [6, 4]
    assert (game.results(), game.asked) == ([3, 3], "draw by result")


def test_what_was_lost_before_the_turn_does_not_count() -> None:
    game = position("A5 B1 . B3 . C1").do("attack 0,0 0,1", "end", "auto")
    assert game.results() == [5, 3, 0]


def test_result_adds_up_the_last_turns_only() -> None:
    """Alone on a cell of 100, influence grows by one a turn: 1, 2, 3, …"""
    game = position("A1 . B50", round_limit=6, result_rounds=3, weak_capacity=100)
    expected = [1, 1 + 2, 1 + 2 + 3, 2 + 3 + 4, 3 + 4 + 5, 4 + 5 + 6]
    for number, result in enumerate(expected):
        assert (game.results()[0], game.s.turns[0]) == (result, number + 1)
        passed(game, 2)
    assert game.results() == [4 + 5 + 6, 53 + 54 + 55]
    assert game.asked == "B wins by result"


@pytest.mark.parametrize("result_rounds", [1, 2, 5, 10, 100])
def test_result_of_fewer_turns_is_the_sum_of_those(result_rounds: int) -> None:
    game = position("A1 . B1", round_limit=4, result_rounds=result_rounds)
    passed(game, 8)
    assert game.results() == [sum([1, 2, 3, 4][-result_rounds:])] * 2
    assert game.asked == "draw by result"


def test_players_who_had_turns_of_their_own_have_results_of_their_own() -> None:
    game = position("A4 . B6 . C2", result_rounds=2, turns=[[9, 1, 4], [7, 5], [3]], rounds=3)
    passed(game, 2)
    assert game.results() == [1 + 4, 5 + 6, 3 + 2]


@pytest.mark.parametrize(
    ("held", "asked", "returns"),
    [
        ([7, 3], "A wins by result", [1, 0]),
        ([3, 7], "B wins by result", [0, 1]),
        ([5, 5], "draw by result", [0.5, 0.5]),
        ([7, 5, 5], "A wins by result", [1, 0, 0]),
        ([5, 7, 5], "B wins by result", [0, 1, 0]),
        ([5, 5, 7], "C wins by result", [0, 0, 1]),
        ([7, 7, 5], "draw by result", [1 / 3] * 3),
        ([7, 5, 7], "draw by result", [1 / 3] * 3),
        ([5, 7, 7], "draw by result", [1 / 3] * 3),
        ([1, 1, 1, 1], "draw by result", [0.25] * 4),
        ([6, 6, 5, 7], "D wins by result", [0, 0, 0, 1]),
        ([8, 8, 6, 8, 1, 2], "draw by result", [1 / 6] * 6),
        ([2, 4, 6, 7, 5, 3], "D wins by result", [0, 0, 0, 1, 0, 0]),
        ([6, 1, 6, 1, 3, 7], "F wins by result", [0, 0, 0, 0, 0, 1]),
    ],
)
def test_best_result_wins_and_an_equal_best_is_a_draw_for_all(
    held: list[int], asked: str, returns: list[float]
) -> None:
    game = position(" . ".join(f"{letter}{value}" for letter, value in zip(LETTERS, held, strict=False)), round_limit=1)
    assert sum(game.returns()) == 0, "nobody has won while the game goes on"
    passed(game, len(held))
    assert (game.results(), game.asked) == (held, asked)
    assert game.returns() == pytest.approx(returns)
    assert game.outcome()["winner"] == game.s.winner == (LETTERS.index(asked[0]) if "wins" in asked else -1)


def test_result_counts_not_the_influence_at_the_end() -> None:
    game = position("A8 A8 A8 . B1", round_limit=3, rounds=3, turns=[[1, 1, 24], [50, 50]])
    passed(game, 2)
    assert (game.results(), game.asked) == ([26, 101], "B wins by result")


def test_players_no_longer_on_the_field_do_not_count() -> None:
    game = position("A8 B1 . C9!", round_limit=5, rounds=5, turns=[[4, 8], [90, 90], [3]])
    game.do("attack 0,0 0,1")
    assert passed(game, 2) == "AC"
    assert (game.results(), game.asked) == ([12, 180, 12], "draw by result")
    assert game.returns() == [0.5, 0, 0.5], "a draw of those on the field"
    game = position("A8 B1 . C9!", round_limit=5, rounds=5, turns=[[4, 8], [13, 90], [4]])
    game.do("attack 0,0 0,1")
    passed(game, 2)
    assert (game.results(), game.asked) == ([12, 103, 13], "C wins by result")


def test_player_dead_from_the_start_of_the_count_is_no_equal() -> None:
    """Nobody's result equals that of a living one with as much."""
    game = position("B4 . C2 . -", to_move="B", players=3, round_limit=1, turns=[[4], [4], []])
    passed(game, 2)
    assert (game.results(), game.asked) == ([4, 4, 2], "B wins by result")


# What the statistics are told


def test_field_is_looked_at_as_some_rounds_begin() -> None:
    game = deal(["wwwwwwwwww"], 2, starts={"2": [[0, 0], [0, 9]]}, round_limit=12)
    seen = {1: ([1, 1], [2, 2])}
    for _ in range(12):
        for _ in range(2):
            attacks = game.legal()[:-1]
            if attacks:
                game.do(attacks[0])
            pass_turn(game)
        if game.s.player >= 0:
            seen[game.s.rounds] = [len(game.owned(player)) for player in range(2)], game.totals()
    row = game.outcome()
    assert row["rounds"] == 12
    for look, checkpoint in enumerate(CHECKPOINTS):
        cells, influence = seen.get(int(checkpoint), ([0, 0], [0, 0]))
        assert row["cells_at"][:2, look].tolist() == cells
        assert row["influence_at"][:2, look].tolist() == influence
    assert [int(checkpoint) for checkpoint in CHECKPOINTS if checkpoint <= 12] == [1, 2, 5, 10]


def test_outcome_tells_what_everybody_has_at_the_end() -> None:
    game = position("A8 B1 . C9! C2", round_limit=1).do("attack 0,0 0,1")
    passed(game, 2)
    row = game.outcome()
    assert row["cells"].tolist() == [2, 0, 2, 0, 0, 0]
    assert row["influence"].tolist() == [10, 0, 13, 0, 0, 0]
    assert row["result"].tolist() == [8, 0, 11, 0, 0, 0]
    assert (row["winner"], row["first_blood"], row["players"], row["autos"]) == (2, 0, 3, 2)
    assert row["made"].tolist() == row["won"].tolist() == [0, 0, 0, 0, 1, 0]
