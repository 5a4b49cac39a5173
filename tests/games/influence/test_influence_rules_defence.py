"""The defence phase: how many points, where they may go, and what `auto` does with them."""

from __future__ import annotations

from itertools import combinations

import pytest
from influence_position import Position, position

from common.positions import assert_even, tried

SCATTER_A, SCATTER_B = 7, 8


def held(game: Position) -> tuple[int, ...]:
    """What the cells of the first row hold."""
    return tuple(game.influence(place) for place in game.places if place[0] == 0)


# How many points


@pytest.mark.parametrize(
    ("field", "points"),
    [
        ("A1", 1),
        ("A1 A1 A1 A1", 4),
        ("A2 A5 A8 A1! A12!", 5),
        ("A8 A7", 1),
        ("A8 A8 A7", 1),
        ("A8 A8 A8 A6", 2),
        ("A12! A11! A8", 1),
        ("A12! A8! A8", 3),
        ("A8! A8 A8 A8 A8", 4),
        ("A7 A7 A7", 3),
    ],
)
def test_points_are_the_number_of_own_cells_but_no_more_than_their_free_capacity(field: str, points: int) -> None:
    game = position(f"{field} . B3 - B2").do("end")
    assert game.asked == f"A places {points}"


def test_cells_taken_in_this_turn_count() -> None:
    game = position("A5 - B1 . B1").do("attack 0,0 0,1", "attack 0,1 0,2", "end")
    assert (game.field(), game.asked) == ("A1 A1 A3 . B1", "A places 3")
    game = position("A4 - - . B1").do("attack 0,0 0,1", "attack 0,1 0,2", "end")
    assert (game.field(), game.asked) == ("A1 A1 A2 . B1", "A places 3")


def test_cells_lost_before_do_not_count() -> None:
    game = position("B1 A4 B1 A1", to_move="A").do("attack 0,1 0,0", "end")
    game.do("auto")
    assert (game.s.player, game.do("end").asked) == (1, "B places 1")


def test_own_capacities_count_not_those_of_others() -> None:
    game = position("A8 A8 . B1! B1! B1!", to_move="A")
    assert game.do("end").asked == "B attacks", "nothing to place"


@pytest.mark.parametrize("field", ["A8", "A12!", "A8 A8 A12!"])
def test_player_with_full_cells_skips_the_defence(field: str) -> None:
    game = position(f"{field} . B1 . C1").do("end")
    assert (game.asked, game.s.rounds) == ("B attacks", 1)
    assert game.field() == f"{field} . B1 . C1"
    assert game.streams() == position(field + " B1").streams()


def test_last_player_with_full_cells_ends_the_round_or_the_game() -> None:
    game = position("A1 . B8", to_move="B").do("end")
    assert (game.asked, game.s.rounds) == ("A attacks", 2)
    game = position("A1 . B8", to_move="B", round_limit=1).do("end")
    assert game.asked == "B wins by result"


# Placing


def test_points_go_to_own_cells_below_capacity_or_auto() -> None:
    game = position("A1 A8 B1 / A12! A8! A7").do("end")
    assert game.legal() == ["place 0,0", "place 1,1", "place 1,2", "auto"]


def test_points_are_placed_one_by_one_and_all_of_them() -> None:
    game = position("A1 A1 A1 . B1").do("end", "place 0,1")
    assert (game.field(), game.asked) == ("A1 A2 A1 . B1", "A places 2")
    game.do("place 0,1")
    assert (game.field(), game.asked) == ("A1 A3 A1 . B1", "A places 1")
    assert "end" not in game.legal()
    game.do("place 0,2")
    assert (game.field(), game.asked) == ("A1 A3 A2 . B1", "B attacks")


def test_strong_cell_takes_a_point_like_any_other() -> None:
    game = position("A1! A1 A1 . B1").do("end", "place 0,0")
    assert (game.field(), game.asked) == ("A2! A1 A1 . B1", "A places 2")
    assert game.do("place 0,0", "place 0,0").field() == "A4! A1 A1 . B1"


def test_full_cell_takes_no_more() -> None:
    game = position("A7 A1 A8 A11! . B1").do("end", "place 0,0")
    assert game.legal() == ["place 0,1", "place 0,3", "auto"]
    game.do("place 0,3")
    assert game.legal() == ["place 0,1", "auto"]
    assert game.do("place 0,1", "place 0,1").field() == "A8 A3 A8 A12! . B1"


def test_no_attack_in_the_defence() -> None:
    game = position("A5 - B1").do("end")
    assert game.legal() == ["place 0,0", "auto"]


def test_placing_needs_no_luck() -> None:
    game = position("A1 A1 . B1")
    before = game.streams()
    assert game.do("end", "place 0,0", "place 0,0").streams() == before


def test_cells_of_others_are_left_alone() -> None:
    game = position("A1 B3 - / C5 A1 B8!").do("end", "place 0,0", "auto")
    assert game.asked == "B attacks"
    assert [game.totals()[player] for player in (1, 2)] == [11, 5]
    assert (game.owner((0, 2)), game.influence((0, 2))) == (-1, 0)


# Auto without a remainder


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("A1", "A2"),
        ("A1 A4 A7 A11!", "A2 A5 A8 A12!"),
        ("A8 A1", "A8 A3"),
        ("A8 A8 A8 A8 A1 A1", "A8 A8 A8 A8 A4 A4"),
        ("A8 A7 A1", "A8 A8 A3"),
        ("A7 A1 A8", "A8 A3 A8"),
        ("A1 A7 A8", "A3 A8 A8"),
        ("A8 A8 A8 A7 A6 A1", "A8 A8 A8 A8 A8 A4"),
        ("A8 A8 A8 A1 A6 A7", "A8 A8 A8 A4 A8 A8"),
        ("A8 A8 A8 A6", "A8 A8 A8 A8"),
        ("A7 A8 A7 A8 A7", "A8 A8 A8 A8 A8"),
        ("A12! A12! A7 A12!", "A12! A12! A8 A12!"),
        ("A12! A12! A9! A12!", "A12! A12! A12! A12!"),
    ],
)
def test_auto_gives_every_cell_with_room_one_again_and_again(before: str, after: str) -> None:
    game = position(f"{before} . B1").do("end")
    streams = game.streams()
    assert game.do("auto").field() == f"{after} . B1"
    assert game.asked == "B attacks"
    assert game.streams() == streams, "nothing is left to luck"


def test_auto_places_what_is_left_at_any_moment() -> None:
    game = position("A1 A1 A8 A8 . B1").do("end", "place 0,0", "place 0,0")
    assert (game.field(), game.asked) == ("A3 A1 A8 A8 . B1", "A places 2")
    assert game.do("auto").field() == "A4 A2 A8 A8 . B1"


def test_auto_gives_no_more_to_a_cell_that_fills_up_on_the_way() -> None:
    """Six points: all five with room get one, then the one that still has room the last."""
    game = position("A7 A7 A7 A7 A1 A8 . B1").do("end", "auto")
    assert game.field() == "A8 A8 A8 A8 A3 A8 . B1"


def test_auto_is_counted() -> None:
    game = position("A1 A1 . B1").do("end", "place 0,0", "auto")
    assert (game.s.autos, game.outcome()["autos"]) == (1, 1)


# The remainder of auto


def spread(base: tuple[int, ...], among: tuple[int, ...], count: int) -> list[tuple[int, ...]]:
    """What the cells hold when `count` different ones of `among` get one more."""
    return [
        tuple(value + (place in chosen) for place, value in enumerate(base)) for chosen in combinations(among, count)
    ]


def test_remainder_of_one_is_equally_likely_on_each_cell_with_room() -> None:
    """Three points, two cells with room: one each, and one for either."""
    game = position("A8 A1 A1 . B1").do("end")
    assert_even(tried(game, 400, held, "auto"), [(8, 3, 2, 1), (8, 2, 3, 1)])


@pytest.mark.parametrize(
    ("field", "points"),
    [("A1 A1 A1 A1", 1), ("A1 A1 A1 A1", 2), ("A1 A1 A1 A1", 3), ("A3 A1! A5 A2 A1", 2), ("A2 A3", 1)],
)
def test_remainder_falls_on_different_cells_each_choice_of_them_equally_likely(field: str, points: int) -> None:
    game = position(field + " . B1", points=points)
    before = held(game)
    among = tuple(range(len(before) - 1))
    assert_even(tried(game, 500, held, "auto"), spread(before, among, points))


def test_remainder_after_points_placed_by_hand() -> None:
    game = position("A1 A1 A1 A1 . B1").do("end", "place 0,2", "place 0,2")
    assert_even(tried(game, 500, held, "auto"), spread((1, 1, 3, 1, 1), (0, 1, 2, 3), 2))


def test_remainder_skips_cells_that_filled_up_on_the_way() -> None:
    """Five points: four cells with room get one, and the last goes to one of the three that still have room."""
    game = position("A1 A7 A8 A1 A1 . B1").do("end")
    assert_even(tried(game, 400, held, "auto"), spread((2, 8, 8, 2, 2, 1), (0, 3, 4), 1))


@pytest.mark.parametrize(
    ("field", "points"), [("A7 A7 A7", 2), ("A7 A5 A7 A6 A7", 3), ("A5 A7 A11! A7", 2), ("A7 A1 A7 A1", 2)]
)
def test_remainder_that_fills_cells_is_as_even(field: str, points: int) -> None:
    game = position(field + " . B1", points=points)
    before = held(game)
    among = tuple(range(len(before) - 1))
    assert_even(tried(game, 500, held, "auto"), spread(before, among, points))


def test_remainder_when_some_filled_by_hand() -> None:
    """Seven points, four of them by hand, which fills three cells; the others go to three of the four with room."""
    game = position("A7 A2 A7 A2 A7 A2 A6! . B1").do("end", "place 0,0", "place 0,2", "place 0,4", "place 0,1")
    assert game.asked == "A places 3"
    assert_even(tried(game, 500, held, "auto"), spread((8, 3, 8, 2, 8, 2, 6, 1), (1, 3, 5, 6), 3))


@pytest.mark.parametrize(("to_move", "stream"), [("A", SCATTER_A), ("B", SCATTER_B)])
def test_remainder_is_drawn_from_the_players_own_luck(to_move: str, stream: int) -> None:
    game = position("A1 A1 A1 . B1 B1 B1", to_move=to_move, points=2)
    before = game.streams()
    after = game.do("auto").streams()
    assert [number for number in range(len(before)) if before[number] != after[number]] == [stream]


def test_remainders_of_different_turns_have_luck_of_their_own() -> None:
    game = position("A1 A8 A1 . B8", points=1)
    seen: dict[tuple[bool, bool], int] = {}
    for number in range(400):
        twin = game.again(number).do("auto")
        first = twin.influence((0, 0)) == 2
        twin.do("end", "end", "auto")
        second = twin.influence((0, 0)) > 2 + first
        seen[first, second] = seen.get((first, second), 0) + 1
    assert_even(seen, [(True, True), (True, False), (False, True), (False, False)])
