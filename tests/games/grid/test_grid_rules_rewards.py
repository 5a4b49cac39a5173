"""The ten rewards: what they ask, what they do, when they are impossible, and whom the protected zone keeps out."""

from __future__ import annotations

from typing import Any

import pytest
from grid_position import Position, position, reward_of

OUTSIDE = [f"{x},{y}" for y in range(5) for x in range(5) if x in (0, 4) or y in (0, 4)]
ZONE = [f"{x},{y}" for y in range(1, 4) for x in range(1, 4)]
ROW = "1a 2a 3a . ."
#: The board is full as soon as the pattern is complete.
FULL_WITH_ROW = "1a 2a 3a . x / x x x x x / x x x x x / x x x x x / x x x x x"
FULL = "x x x x x / x x x x x / x x x x x / x x x x x / x x x x x"
IN_ZONE = ". / . x x x / . x x x / . x x x"


def offered(number: int, boards: list[str] | None = None, **more: Any) -> Position:
    """Player 0 has completed a row of four that is rewarded with RWDn, and is asked whether to take it."""
    changes = (*reward_of(H=number), *more.pop("changes", ()))
    game = position(boards or [ROW], place="4a", changes=changes, **more).do("place 3,0", "resolve H row 0,0")
    assert game.legal() == ["refuse", "accept"]
    return game


def accepted(number: int, boards: list[str] | None = None, **more: Any) -> Position:
    return offered(number, boards, **more).do("accept")


def assert_impossible(game: Position, number: int) -> None:
    """An accepted reward that is not possible does nothing and costs nothing."""
    assert game.counts(number) == (0, 0, 1)
    assert game.vp()[0] == 7
    assert game.pile()[-4:] == ["1a", "2a", "3a", "4a"], "the pattern is cleared all the same"
    assert game.asked == "pick"


@pytest.mark.parametrize("number", range(1, 11))
def test_reward_may_be_refused_and_then_does_nothing(number: int) -> None:
    boards = [ROW + " / 6e", "5b . . . 2c"]
    game = offered(number, boards, pile="5d 6d").do("refuse")
    assert game.counts(number) == (0, 1, 0)
    assert game.board(1) == boards[1]
    assert game.board(0) == ". . . . . / 6e . . . ."
    assert game.pile() == ["5d", "6d", "1a", "2a", "3a", "4a"]
    assert (game.s.extra, list(game.s.skip)) == (0, [0, 0, 0, 0])
    assert game.asked == "pick"


@pytest.mark.parametrize("number", range(1, 11))
def test_applied_reward_is_counted_once_and_the_pattern_is_gone(number: int) -> None:
    game = accepted(number, [ROW + " / 6e", "5b . . . 2c"], pile="5d 6d")
    while game.asked not in ("pick", "placement"):
        game.do(game.legal()[-1])
    assert game.counts(number) == (1, 0, 0)
    assert sum(map(sum, (game.counts(other) for other in range(1, 11)))) == 1
    assert game.vp() == [7, 0]
    assert {"1a", "2a", "3a", "4a"} <= set(game.pile())
    assert not {"1a", "2a", "3a", "4a"} & set(game.board(0).split())


# RWD1: remove an own card


def test_rwd1_offers_every_own_card_also_in_the_own_zone() -> None:
    game = accepted(1, [ROW + " / . 6e / . . 5d", "1b"])
    assert game.legal() == ["card 0,0", "card 1,0", "card 2,0", "card 3,0", "card 1,1", "card 2,2"]


def test_rwd1_puts_the_card_on_the_discard_pile_under_the_pattern() -> None:
    game = accepted(1, [ROW + " / . 6e"], pile="5d").do("card 1,1")
    assert game.pile() == ["5d", "6e", "1a", "2a", "3a", "4a"]
    assert game.board(0) == ""


def test_rwd1_card_of_the_pattern_is_not_discarded_twice() -> None:
    game = accepted(1, pile="5d").do("card 2,0")
    assert game.pile() == ["5d", "3a", "1a", "2a", "4a"]
    assert (game.board(0), game.asked) == ("", "pick")


# RWD2: the top of the discard pile


def test_rwd2_takes_the_card_laid_last_to_a_free_own_cell() -> None:
    game = accepted(2, [ROW + " / 6e"], pile="5d 2b 6c")
    assert game.legal()[:3] == ["cell 4,0", "cell 1,1", "cell 2,1"]
    assert len(game.legal()) == 20
    game.do("cell 2,2")
    assert game.cell(0, "2,2") == "6c"
    assert game.pile() == ["5d", "2b", "1a", "2a", "3a", "4a"]


def test_rwd2_is_impossible_without_a_discard_pile() -> None:
    assert_impossible(accepted(2), 2)


def test_rwd2_brings_a_joker_back() -> None:
    game = accepted(2, pile="5d J").do("cell 4,4")
    assert game.cell(0, "4,4") == "J"
    assert "J" not in game.pile()


# RWD3: move an own card


def test_rwd3_asks_for_an_own_card_and_then_a_free_own_cell() -> None:
    game = accepted(3, [ROW + " / . 6e", "1b"])
    assert game.legal() == ["card 0,0", "card 1,0", "card 2,0", "card 3,0", "card 1,1"]
    game.do("card 1,1")
    assert len(game.legal()) == 20
    assert "cell 1,1" not in game.legal(), "a card does not move to where it lies"
    game.do("cell 4,4")
    assert game.board(0) == "/ ".join([". . . . . "] * 4) + "/ . . . . 6e"


@pytest.mark.parametrize(("source", "target"), [("1,1", "4,4"), ("0,4", "2,2"), ("1,1", "3,3"), ("0,4", "4,0")])
def test_rwd3_moves_into_and_out_of_and_within_the_own_zone(source: str, target: str) -> None:
    game = accepted(3, [ROW + " / . 6e / . / . / 5d"])
    card = game.cell(0, source)
    game.do(f"card {source}", f"cell {target}")
    assert (game.cell(0, source), game.cell(0, target)) == (".", card)


@pytest.mark.parametrize("source", ["0,0", "1,0", "2,0", "3,0"])
def test_rwd3_card_of_the_pattern_leaves_from_its_new_cell(source: str) -> None:
    game = accepted(3, [ROW + " / 6e"], pile="5d").do(f"card {source}", "cell 2,2")
    assert game.board(0) == ". . . . . / 6e . . . ."
    assert game.pile()[0] == "5d"
    assert sorted(game.pile()[1:]) == ["1a", "2a", "3a", "4a"]


def test_rwd3_moved_card_of_the_pattern_is_read_where_it_lies_now() -> None:
    assert accepted(3).do("card 0,0", "cell 2,2").pile() == ["2a", "3a", "4a", "1a"]


def test_rwd3_is_impossible_on_a_full_board() -> None:
    assert_impossible(accepted(3, [FULL_WITH_ROW]), 3)


# RWD4: an extra turn


def test_rwd4_the_same_player_has_the_next_turn() -> None:
    game = accepted(4, players=3, hands=["", "6e"], phase="draft")
    assert (game.s.active, game.asked, game.s.turns) == (0, "pick", 2)
    assert game.hand(1) == ["6e"]


def test_rwd4_the_turn_in_which_it_was_earned_is_played_to_its_end_first() -> None:
    game = accepted(4, hands=["6e"], deck="6b 6c 6d 5b 5c 5d 2b")
    assert (game.asked, game.placing, game.s.turns) == ("placement", "6e", 1)
    game.do("place 4,4", "pick 6b", "pass 6c", "place 0,4")
    assert (game.s.active, game.asked, game.s.turns) == (0, "pick", 2)
    game.do("pick 5b", "pass 5c", "place 1,4")
    assert (game.s.active, game.s.turns) == (1, 3), "it was one turn, no more"


def test_rwd4_at_most_one_extra_turn_follows_a_turn() -> None:
    game = position(["1a 2a 3a . . / 1b 2b 3b"], place="4a", hands=["4b"])
    game.do("place 3,0", "resolve H row 0,0", "accept", "place 3,1", "resolve H row 0,1", "accept")
    assert game.counts(4) == (2, 0, 0)
    for turn in (1, 2):
        assert (game.s.active, game.s.turns) == (0, turn)
        for _ in range(3):
            game.do(game.legal()[-1])
    assert (game.s.active, game.s.turns) == (1, 3)


def test_rwd4_extra_turns_may_follow_each_other() -> None:
    game = position(["1a 2a 3a . . / 1b 2b 3b"], place="4a", phase="draft", deck="4b 6e 6e 5d 5d 5d")
    game.do(
        "place 3,0", "resolve H row 0,0", "accept", "pick 4b", "pass 6e", "place 3,1", "resolve H row 0,1", "accept"
    )
    assert (game.s.active, game.s.turns, game.revealed()) == (0, 3, ["5d", "5d", "5d"])
    game.do("pick 5d", "pass 5d", "place 0,0")
    assert (game.s.active, game.s.turns) == (1, 4)
    assert game.placing == "6e"


@pytest.mark.parametrize("left", [3, 4])
def test_rwd4_granted_is_dropped_if_the_deck_is_empty_when_it_would_begin(left: int) -> None:
    """Earned in phase 1 with cards in the deck; the draft of that turn draws three of them."""
    game = accepted(4, hands=["", "6e"], deck="6b 6c 6d 5d 5d 5d"[: 3 * left])
    assert (game.counts(4), game.s.extra) == ((1, 0, 0), 1)
    game.do("pick 6b", "pass 6c", "place 0,4")
    if left == 4:
        assert (game.s.active, game.asked, game.s.turns) == (0, "END1", 2), "it begins with the last card"
        return
    assert (game.s.active, game.s.turns, game.s.extra) == (1, 2, 0)
    assert (game.asked, game.placing, game.hand(1)) == ("placement", "6e", ["6c"]), "the next player's phase 1"
    game.do("place 0,0", "place 4,4")
    assert (game.asked, game.s.turns) == ("END1", 2)


def test_rwd4_dropped_leaves_the_turn_to_whoever_need_not_skip() -> None:
    game = accepted(4, hands=["", "6e", "6a"], deck="6b 6c 6d", skips=[1], players=3)
    game.do("pick 6b", "pass 6c", "place 0,4")
    assert (game.s.active, game.s.turns, list(game.s.skip)) == (2, 3, [0, 0, 0, 0])
    assert (game.placing, game.hand(1)) == ("6a", ["6e", "6c"])


def test_rwd4_is_impossible_without_a_card_in_the_deck() -> None:
    game = accepted(4, phase="draft", deck=0)
    assert game.counts(4) == (0, 0, 1)
    assert (game.s.active, game.asked, game.s.turns) == (1, "END1", 2)


@pytest.mark.parametrize("cards", [1, 2])
def test_rwd4_with_a_card_left_is_granted_and_ends_with_end1(cards: int) -> None:
    game = accepted(4, phase="draft", deck=cards)
    assert game.counts(4) == (1, 0, 0)
    assert (game.s.active, game.asked, game.s.turns) == (0, "END1", 2)


def test_rwd4_deck_is_looked_at_when_the_reward_is_resolved() -> None:
    """The last three cards lie open in the draft: the deck is empty already."""
    game = position([ROW], draft="4a 6e 6e", deck="")
    game.do("pick 4a", "pass 6e", "place 3,0", "resolve H row 0,0", "accept")
    assert game.counts(4) == (0, 0, 1)
    assert (game.s.active, game.placing) == (1, "6e")


# RWD5: the left neighbour skips a turn


def test_rwd5_left_neighbour_skips_the_whole_turn_and_keeps_the_hand() -> None:
    game = accepted(5, players=3, hands=["", "6e 5d", "2b"], phase="draft")
    assert game.counts(5) == (1, 0, 0)
    assert (game.s.active, game.placing, game.s.turns) == (2, "2b", 3)
    assert (game.hand(1), game.board(1)) == (["6e", "5d"], "")
    assert list(game.s.skip) == [0, 0, 0, 0]


def test_rwd5_kept_hand_is_placed_in_the_next_turn_before_what_came_later() -> None:
    game = accepted(5, hands=["", "6e 5d"], phase="draft", deck="2b 2c 2d 3b 3c 3d")
    assert (game.s.active, game.s.turns) == (0, 3)
    game.do("pick 2b", "pass 2c", "place 0,0")
    assert (game.s.active, game.placing, game.hand(1)) == (1, "6e", ["5d", "2c"])


def test_rwd5_flag_is_set_on_the_left_neighbour_whoever_plays() -> None:
    for active in range(4):
        boards = ["", "", "", ""]
        boards[active] = ROW
        game = position(boards, place="4a", active=active, changes=reward_of(H=5))
        game.do("place 3,0", "resolve H row 0,0", "accept")
        assert [seat for seat in range(4) if game.s.skip[seat]] == [(active + 1) % 4]


def test_rwd5_set_again_is_applied_and_skips_one_turn_only() -> None:
    game = position(["1a 2a 3a . . / 1b 2b 3b"], place="4a", hands=["4b"], phase="hand", changes=reward_of(H=5))
    game.do("place 3,0", "resolve H row 0,0", "accept", "place 3,1", "resolve H row 0,1", "accept")
    assert game.counts(5) == (2, 0, 0)
    assert list(game.s.skip) == [0, 1, 0, 0]
    for turn in (1, 3):
        assert (game.s.active, game.s.turns) == (0, turn)
        for _ in range(3):
            game.do(game.legal()[-1])
    assert (game.s.active, game.s.turns) == (1, 4)


def test_rwd5_waits_while_extra_turns_come_first() -> None:
    game = position(
        ["1a 2a 3a . . / 1b 2c 3d"], place="4a", hands=["4e"], changes=reward_of(H=5, I=4), players=3, deck=12
    )
    game.do("place 3,0", "resolve H row 0,0", "accept", "place 3,1", "resolve I row 0,1", "accept")
    for turn in (1, 2):
        assert (game.s.active, game.s.turns, game.s.skip[1]) == (0, turn, 1)
        for _ in range(3):
            game.do(game.legal()[-1])
    assert (game.s.active, game.s.turns, game.s.skip[1]) == (2, 4, 0)


def test_rwd5_is_possible_without_a_deck() -> None:
    game = accepted(5, phase="draft", hands=["", "6e"], deck=0)
    assert game.counts(5) == (1, 0, 0)
    assert (game.asked, game.s.active, game.s.turns, game.hand(1)) == ("END1", 0, 3, ["6e"])


# RWD6: remove an opponent's card


def test_rwd6_asks_for_an_opponent_and_a_card_outside_the_zone() -> None:
    game = accepted(6, [ROW, "", FULL], deck=0)
    assert game.legal() == ["opponent 2"], "an opponent without a card is no option"
    game.do("opponent 2")
    assert game.legal() == [f"their card {cell}" for cell in OUTSIDE]


def test_rwd6_puts_the_card_on_the_discard_pile() -> None:
    game = accepted(6, [ROW, "6e . . . 5d", "2b"], pile="3c").do("opponent 1", "their card 4,0")
    assert game.pile() == ["3c", "5d", "1a", "2a", "3a", "4a"]
    assert (game.board(1), game.board(2)) == ("6e . . . .", "2b . . . .")


def test_rwd6_offers_any_opponent_not_only_the_next() -> None:
    boards = ["6e", "6d", ROW, "6c"]
    game = position(boards, place="4a", active=2, changes=reward_of(H=6))
    assert game.do("place 3,0", "resolve H row 0,0", "accept").legal() == ["opponent 0", "opponent 1", "opponent 3"]


def test_rwd6_is_impossible_if_opponents_have_cards_in_their_zones_only() -> None:
    assert_impossible(accepted(6, [ROW, IN_ZONE, ""]), 6)


def test_rwd6_may_remove_a_joker() -> None:
    assert accepted(6, [ROW, "J"]).do("opponent 1", "their card 0,0").pile() == ["J", "1a", "2a", "3a", "4a"]


def test_rwd6_needs_no_free_own_cell() -> None:
    assert accepted(6, [FULL_WITH_ROW, "6e"]).legal() == ["opponent 1"]


# RWD7: move an opponent's card


def test_rwd7_asks_for_opponent_card_and_free_cell_all_outside_the_zone() -> None:
    game = accepted(7, [ROW, "", "6e . . . 5d / . 2b"])
    assert game.legal() == ["opponent 2"]
    game.do("opponent 2")
    assert game.legal() == ["their card 0,0", "their card 4,0"]
    game.do("their card 4,0")
    assert game.legal() == [f"their cell {cell}" for cell in OUTSIDE if cell not in ("0,0", "4,0")]
    game.do("their cell 0,4")
    assert game.board(2) == "6e . . . . / . 2b . . . / . . . . . / . . . . . / 5d . . . ."
    assert game.pile() == ["1a", "2a", "3a", "4a"]


def test_rwd7_is_impossible_if_opponents_have_cards_in_their_zones_only() -> None:
    assert_impossible(accepted(7, [ROW, IN_ZONE]), 7)


RIM = "x x x x x / x . . . x / x . . . x / x . . . x / x x x x x"


def test_rwd7_is_impossible_if_only_the_zone_is_free() -> None:
    assert_impossible(accepted(7, [ROW, RIM]), 7)


def test_rwd7_opponent_without_a_movable_card_is_no_option() -> None:
    assert accepted(7, [ROW, RIM, IN_ZONE, "6e"], deck=0).legal() == ["opponent 3"]


def test_rwd7_needs_no_free_own_cell() -> None:
    assert accepted(7, [FULL_WITH_ROW, "6e"]).legal() == ["opponent 1"]


# RWD8: any card of the discard pile


def test_rwd8_asks_for_any_card_of_the_pile_and_a_free_own_cell() -> None:
    game = accepted(8, pile="5d 2b 6c J")
    assert game.legal() == ["ref 0", "ref 1", "ref 2", "ref 3"]
    game.do("ref 1")
    assert len(game.legal()) == 21
    game.do("cell 2,2")
    assert game.cell(0, "2,2") == "2b"
    assert game.pile() == ["5d", "6c", "J", "1a", "2a", "3a", "4a"], "the others keep their order"


@pytest.mark.parametrize(("ref", "card"), [(0, "5d"), (3, "J"), (2, "6c")])
def test_rwd8_takes_the_very_card(ref: int, card: str) -> None:
    assert accepted(8, pile="5d 2b 6c J").do(f"ref {ref}", "cell 4,4").cell(0, "4,4") == card


def test_rwd8_is_impossible_without_a_discard_pile() -> None:
    """The cards of the pattern are not there yet."""
    assert_impossible(accepted(8), 8)


# RWD9: a joker


def test_rwd9_puts_a_new_joker_into_a_free_own_cell() -> None:
    game = accepted(9, [ROW + " / 6e"])
    assert len(game.legal()) == 20
    game.do("cell 4,0")
    assert game.board(0) == ". . . . J / 6e . . . ."


def test_rwd9_there_is_always_another_joker() -> None:
    game = accepted(9, [ROW + " / J J J / . . J"], pile="J J").do("cell 4,4")
    assert game.cell(0, "4,4") == "J"


# RWD10: steal


def test_rwd10_asks_for_opponent_card_outside_the_zone_and_own_free_cell() -> None:
    game = accepted(10, [ROW, IN_ZONE, "6e . . . 5d / . 2b"])
    assert game.legal() == ["opponent 2"]
    game.do("opponent 2")
    assert game.legal() == ["their card 0,0", "their card 4,0"]
    game.do("their card 4,0")
    assert game.legal() == [f"cell {x},{y}" for y in range(5) for x in range(5) if (y, x) > (0, 3)]
    game.do("cell 2,2")
    assert game.board(2) == "6e . . . . / . 2b . . ."
    assert game.cell(0, "2,2") == "5d"
    assert game.pile() == ["1a", "2a", "3a", "4a"]


def test_rwd10_may_put_the_card_into_the_own_zone_and_steal_a_joker() -> None:
    game = accepted(10, [ROW, "J"]).do("opponent 1", "their card 0,0", "cell 1,1")
    assert (game.cell(0, "1,1"), game.board(1)) == ("J", "")


def test_rwd10_is_impossible_if_opponents_have_cards_in_their_zones_only() -> None:
    assert_impossible(accepted(10, [ROW, IN_ZONE]), 10)


def test_stolen_card_may_complete_the_next_pattern() -> None:
    game = accepted(10, [ROW + " / . / 1b 2b 3b", "4b"]).do("opponent 1", "their card 0,0", "cell 3,2")
    assert game.legal() == ["resolve H row 0,2"]


# No free cell


@pytest.mark.parametrize("number", [2, 8, 9, 10])
def test_placing_reward_without_a_free_cell_is_impossible_and_the_game_goes_on(number: int) -> None:
    """The pattern still lies there: its own cells do not count as free."""
    game = accepted(number, [FULL_WITH_ROW, "6e"], pile="5d 5e")
    assert_impossible(game, number)
    assert game.pile() == ["5d", "5e", "1a", "2a", "3a", "4a"]
    assert game.board(1) == "6e . . . ."


@pytest.mark.parametrize("number", [1, 4, 5, 6, 7])
def test_other_rewards_do_not_need_a_free_cell(number: int) -> None:
    game = accepted(number, [FULL_WITH_ROW, "6e . . . 5d"])
    while game.asked not in ("pick", "placement"):
        game.do(game.legal()[0])
    assert game.counts(number) == (1, 0, 0)


@pytest.mark.parametrize("number", [2, 8, 9, 10])
def test_only_free_cell_is_the_only_option(number: int) -> None:
    board = FULL_WITH_ROW[:-1] + "."
    game = accepted(number, [board, "6e"], pile="5d")
    while game.asked != "cell":
        game.do(game.legal()[0])
    assert game.legal() == ["cell 4,4"]


# Zones of other sizes


@pytest.mark.parametrize(("size", "reach"), [(1, 24), (3, 16), (5, 0)])
def test_zone_of_another_size_lies_in_the_centre(size: int, reach: int) -> None:
    changes = (f"game.grid.protected_zone.size={size}",)
    game = accepted(6, [ROW, FULL], changes=changes)
    if reach == 0:
        assert_impossible(game, 6)
        return
    game.do("opponent 1")
    assert len(game.legal()) == reach
    assert "their card 2,2" not in game.legal()


def test_zone_of_a_board_that_is_no_square() -> None:
    changes = ("game.grid.width=7", "game.grid.height=5")
    full = " / ".join(["x x x x x x x"] * 5)
    game = accepted(6, [ROW, full], changes=changes, deck=0).do("opponent 1")
    zone = {f"their card {x},{y}" for x in (2, 3, 4) for y in (1, 2, 3)}
    assert set(game.legal()) == {f"their card {x},{y}" for x in range(7) for y in range(5)} - zone
