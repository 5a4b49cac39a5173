"""Resolving patterns: points, reward, clearing, several at once, and the search that follows."""

from __future__ import annotations

import pytest
from grid_position import Position, off, position, reward_of

#: One board for each pattern, the card that completes it and the cell for it; points and reward by the page.
COMPLETE = {
    "A": ("1a 1a 1a / 2b 2b 2b / 3c 3c .", "3c", "2,2", "square 0,0", 20, 9),
    "B": (". 1a 1b 1c / . 2b 2c 2a / . 3c 3a .", "3b", "3,2", "square 1,0", 15, 6),
    "C": (". / . . 1a 2a 3a / . . 2b . 4b / . . 3c 4c 5c", "3b", "3,2", "square 2,1", 16, 8),
    "D": (". / . / 1a 2b 3c / 2b 3c 4a / 3c 4a .", "5b", "2,4", "square 0,2", 13, 3),
    "E": ("1a . 3a 4a 5a", "2a", "1,0", "row 0,0", 8, 5),
    "F": ("6a 5b . 3d 2e", "4c", "2,0", "row 0,0", 6, 2),
    "G": (". . 3a / . . 3b / . . . / . . 3d / . . 3e", "3c", "2,2", "column 2,0", 14, 10),
    "H": (". . . . . / . . . . . / . . . . . / . . . . . / . 4c . 2c 1c", "3c", "2,4", "row 1,4", 7, 4),
    "I": (". / . . . . 1a / . . . . 2b / . . . . 3c", "4d", "4,4", "column 4,1", 6, 1),
    "J": ("6a 6b . 6d", "6c", "2,0", "row 0,0", 9, 7),
}
LETTERS = sorted(COMPLETE)
H_ROW = ("place 3,0", "resolve H row 0,0")


def completed(letter: str) -> Position:
    board, card, cell, _, _, _ = COMPLETE[letter]
    return position([board], place=card, pile="6e 6d").do(f"place {cell}")


# Points, reward, clearing


@pytest.mark.parametrize("letter", LETTERS)
def test_completed_pattern_must_be_resolved(letter: str) -> None:
    game = completed(letter)
    options = [f"resolve {letter} {COMPLETE[letter][3]}"]
    if letter == "E":
        options += ["resolve H row 0,0", "resolve H row 1,0"]
    if letter == "F":
        options += ["resolve I row 0,0", "resolve I row 1,0"]
    if letter == "G":
        options += ["resolve J column 2,0", "resolve J column 2,1"]
    assert game.legal() == options
    assert game.vp() == [0, 0]


@pytest.mark.parametrize("letter", LETTERS)
def test_points_come_first_then_the_reward_is_offered_with_the_pattern_still_there(letter: str) -> None:
    game = completed(letter)
    before = game.board(0)
    game.do(game.legal()[0])
    assert game.vp() == [COMPLETE[letter][4], 0]
    assert game.s.patterns[0, LETTERS.index(letter)] == 1
    assert game.board(0) == before
    assert game.legal() == ["refuse", "accept"]
    assert game.s.reward == COMPLETE[letter][5] - 1


@pytest.mark.parametrize("letter", LETTERS)
def test_refused_reward_is_counted_and_the_pattern_is_cleared_in_reading_order(letter: str) -> None:
    game = completed(letter)
    cards = [card for card in game.board(0).replace("/", " ").split() if card != "."]
    game.do(game.legal()[0], "refuse")
    assert game.counts(COMPLETE[letter][5]) == (0, 1, 0)
    assert game.pile() == ["6e", "6d", *cards]
    assert game.board(0) == ""
    assert (game.asked, game.s.active, game.vp()) == ("pick", 0, [COMPLETE[letter][4], 0])


def test_only_the_cards_of_the_pattern_are_cleared() -> None:
    game = position(["1a 2a 3a . 6e / 1b / . . . . 2d"], place="4a").do(*H_ROW, "refuse")
    assert game.board(0) == ". . . . 6e / 1b . . . . / . . . . 2d"


def test_column_is_cleared_from_the_top() -> None:
    game = position(["4a / 3a / . / 1a"], place="2a").do("place 0,2", "resolve H column 0,0", "refuse")
    assert game.pile() == ["4a", "3a", "2a", "1a"]


def test_jokers_go_to_the_discard_pile_like_cards() -> None:
    game = position(["1a J J"], place="4a").do("place 3,0")
    assert game.legal() == ["resolve H row 0,0"]
    game.do("resolve H row 0,0", "refuse")
    assert game.pile() == ["1a", "J", "J", "4a"]


def test_patterns_are_searched_after_each_card_of_the_hand() -> None:
    game = position(["1a 2a 3a"], place="4a", hands=["6e 6d"])
    game.do(*H_ROW, "refuse")
    assert (game.asked, game.placing, game.hand(0)) == ("placement", "6e", ["6d"])


def test_completing_with_a_card_in_the_middle_counts_like_any() -> None:
    game = position(["5a . 3a 2a"], place="4a").do("place 1,0")
    assert game.legal() == ["resolve H row 0,0"]


def test_patterns_are_counted_and_points_add_up() -> None:
    game = position(["1a 2a 3a"], place="4a", hands=["1b 2b 3b 4b"], vp=[5, 0]).do(*H_ROW, "refuse")
    game.do("place 0,0", "place 1,0", "place 2,0", *H_ROW, "refuse")
    assert game.vp() == [19, 0]
    assert game.s.patterns[0, LETTERS.index("H")] == 2
    assert game.counts(4) == (0, 2, 0)


# Several at once


def test_line_of_five_holds_lines_of_four_and_the_agent_picks() -> None:
    game = position(["1a 2a 3a 4a"], place="5a").do("place 4,0")
    assert game.legal() == ["resolve E row 0,0", "resolve H row 0,0", "resolve H row 1,0"]
    game.do("resolve H row 1,0", "refuse")
    assert game.board(0) == "1a . . . ."
    assert (game.vp(), game.asked) == ([7, 0], "pick")


CROSS = "1a 2a 3a . . / . . . 3b / . . . 2c / . . . 1d"
CROSSING = ["resolve H row 0,0", "resolve I column 3,0"]


@pytest.mark.parametrize(
    ("first", "left"), [(0, ". . . . . / . . . 3b . / . . . 2c . / . . . 1d ."), (1, "1a 2a 3a . .")]
)
def test_card_may_take_part_in_several_found_patterns_but_only_one_is_resolved(first: int, left: str) -> None:
    game = position([CROSS], place="4a").do("place 3,0")
    assert game.legal() == CROSSING
    game.do(CROSSING[first], "refuse")
    assert (game.asked, game.board(0)) == ("pick", left)


def test_patterns_without_a_common_card_are_resolved_one_after_another() -> None:
    game = position(["1a 2a 3a 4a . / . . . . 1b / . . . . 2b / . . . . 3b"], place="4b", hands=["6e"]).do("place 4,4")
    assert game.legal() == ["resolve H row 0,0", "resolve H column 4,1"]
    game.do("resolve H column 4,1", "refuse")
    assert game.legal() == ["resolve H row 0,0"], "the search runs anew"
    game.do("resolve H row 0,0", "refuse")
    assert (game.asked, game.placing, game.vp(), game.board(0)) == ("placement", "6e", [14, 0], "")


def test_found_pattern_that_a_reward_breaks_is_found_no_more() -> None:
    game = position(
        ["1a 2a 3a . . / . . . . 1b / . . . . 2b / . . . . 3b / . . . . 4b"], place="4a", changes=reward_of(H=1)
    )
    game.do("place 3,0")
    assert game.legal() == ["resolve H row 0,0", "resolve H column 4,1"]
    game.do("resolve H row 0,0", "accept", "card 4,1")
    assert (game.asked, game.vp()) == ("pick", [7, 0])


def test_two_patterns_in_one_window_are_two_options() -> None:
    game = position(["1a J J"], place="J").do("place 3,0")
    assert game.legal() == ["resolve H row 0,0", "resolve I row 0,0", "resolve J row 0,0"]
    game.do("resolve J row 0,0", "refuse")
    assert (game.vp(), game.asked, game.board(0)) == ([9, 0], "pick", "")


def test_reward_that_completes_another_pattern_leads_to_it() -> None:
    game = position(["1a 2a 3a . . / . . . . . / 2b 3b 4b . ."], place="4a", changes=reward_of(H=9))
    game.do(*H_ROW, "accept", "cell 3,2")
    assert game.cell(0, "3,2") == "J"
    assert game.legal() == ["resolve H row 0,2"]
    assert game.do("resolve H row 0,2", "refuse").pile() == ["1a", "2a", "3a", "4a", "2b", "3b", "4b", "J"]


def test_card_moved_out_of_the_pattern_into_another_one_is_cleared_before_the_search() -> None:
    game = position(["1a 2a 3a . . / . . . . . / . 5a 6a 3a"], place="4a", changes=reward_of(H=3))
    game.do(*H_ROW, "accept", "card 3,0", "cell 0,2")
    assert (game.asked, game.board(0)) == ("pick", ". . . . . / . . . . . / . 5a 6a 3a .")


# Whose board


def moved_into_place() -> Position:
    """Seat 0 has moved seat 1's card so that a row of four is complete."""
    game = position(["1a 2a 3a", "1b 2b 3b . 4b"], place="4a", hands=["", "6e 6d"], changes=reward_of(H=7))
    return game.do(*H_ROW, "accept", "opponent 1", "their card 4,0", "their cell 3,0")


def test_pattern_completed_on_an_opponents_board_waits_for_her_own_next_placement() -> None:
    game = moved_into_place()
    assert (game.asked, game.s.player, game.vp()) == ("pick", 0, [7, 0])
    for _ in range(3):
        game.do(game.legal()[-1])
    assert (game.s.active, game.asked, game.placing) == (1, "placement", "6e")
    assert game.board(1) == "1b 2b 3b 4b ."
    game.do("place 4,4")
    assert game.legal() == ["resolve H row 0,0"]
    assert game.do("resolve H row 0,0", "refuse").vp() == [7, 7]


def test_own_placements_do_not_search_other_boards() -> None:
    game = position(["", "1b 2b 3b 4b"], place="4a").do("place 3,0")
    assert game.asked == "pick"


def test_waiting_pattern_that_is_broken_again_never_comes() -> None:
    game = position(["1a 2a 3a . . / 1c 2c 3c", "1b 2b 3b 4b"], place="4a", hands=["4c"], changes=reward_of(H=6))
    game.do(*H_ROW, "accept", "opponent 1", "their card 0,0", "place 3,1", "resolve H row 0,1", "refuse")
    while game.s.active == 0:
        game.do(game.legal()[-1])
    while game.asked == "placement":
        game.do(game.legal()[-1])
    assert game.asked == "pick"
    assert game.board(1).startswith(". 2b 3b 4b")


def test_pattern_of_a_skipped_player_waits_too() -> None:
    game = position(["", "1b 2b 3b 4b"], place="4a", phase="draft", hands=["", "6e"], skips=[1]).do("place 0,0")
    assert (game.s.active, game.vp()) == (0, [0, 0])
    while game.s.active == 0:
        game.do(game.legal()[-1])
    assert game.do("place 4,4").legal() == ["resolve H row 0,0"]


# Off: patterns the agent may leave


LEAVE = off("game.patterns.auto_trigger")


def test_without_auto_trigger_none_of_the_found_patterns_is_an_option_too() -> None:
    game = position(["1a 2a 3a"], place="4a", changes=LEAVE).do("place 3,0")
    assert game.legal() == ["resolve H row 0,0", "resolve none"]
    game.do("resolve none")
    assert (game.asked, game.board(0), game.vp()) == ("pick", "1a 2a 3a 4a .", [0, 0])
    assert game.counts(4) == (0, 0, 0)


def test_pattern_that_was_left_is_found_again_after_the_next_placement() -> None:
    game = position(["1a 2a 3a"], place="4a", hands=["5a"], changes=LEAVE)
    game.do("place 3,0", "resolve none", "place 4,0")
    assert game.legal() == ["resolve E row 0,0", "resolve H row 0,0", "resolve H row 1,0", "resolve none"]


def test_pattern_that_was_left_is_found_again_in_a_later_turn() -> None:
    game = position(["1a 2a 3a"], place="4a", changes=LEAVE, hands=["", "6e"]).do("place 3,0", "resolve none")
    while game.s.active == 0:
        game.do(game.legal()[-1])
    while game.s.active == 1:
        game.do(game.legal()[-1])
    assert game.placing
    game.do("place 0,3")
    assert game.legal() == ["resolve H row 0,0", "resolve none"]


def test_without_patterns_there_is_no_question() -> None:
    assert position(["1a 2a"], place="4a", changes=LEAVE).do("place 3,0").asked == "pick"


def test_player_may_resolve_one_and_leave_the_other() -> None:
    game = position(["1a 2a 3a 4a . / . . . . 1b / . . . . 2b / . . . . 3b"], place="4b", changes=LEAVE).do("place 4,4")
    game.do("resolve H column 4,1", "refuse")
    assert game.legal() == ["resolve H row 0,0", "resolve none"]
    assert game.do("resolve none").vp() == [7, 0]


def test_a_pattern_without_a_reward_scores_and_leaves_and_nothing_is_asked() -> None:
    game = position(["1a 2a 3a . ."], place="4a", changes=("patterns.H.reward=null",)).do(*H_ROW)
    assert game.asked != "reward"
    assert (int(game.s.vp[0]), sum(game.s.patterns[0])) == (7, 1)
    assert not any(game.s.board[0])
    assert not any(row[field].any() for row in [game.outcome()] for field in ("applied", "refused", "impossible"))
