"""Phase 5: recover, whose turn is next, and the final turn."""

from __future__ import annotations

import pytest
from dimensions_position import Position, position

from playmill.games.dimensions.constants import NOBODY

FULL = ["R R R R", "G G G G", "Y Y Y Y"]


def end_turn(game: Position) -> Position:
    """Plays the rest of a turn with the first option of every phase, which moves and attacks nothing."""
    turn = game.s.turns
    while game.phase != "over" and game.s.turns == turn:
        game.do(game.legal()[0])
    return game


def test_each_draws_up_to_four_from_the_active_player_clockwise() -> None:
    hands = ["R R", "G", "Y Y Y"]
    game = position("attack", active=1, hands=hands, deck="P B2 B3 B5 B7 B11 B13").do("hold")
    assert game.hand(1) == ["G", "P", "B2", "B3"]
    assert game.hand(2) == ["Y", "Y", "Y", "B5"]
    assert game.hand(0) == ["R", "R", "B7", "B11"]
    assert game.deck() == ["B13"]


def test_anomalies_count_as_cards_in_hand_and_are_drawn_like_others() -> None:
    game = position("attack", hands=["R wormhole", *FULL[1:]], deck="big_bang G P").do("hold")
    assert game.hand(0) == ["R", "G", "wormhole", "big_bang"]


def test_drawing_goes_on_while_the_deck_lasts() -> None:
    game = position("attack", active=2, hands=["", "G", "Y Y"], deck="P P R").do("hold")
    assert game.hand(2) == ["Y", "Y", "P", "P"]
    assert game.hand(0) == ["R"]
    assert game.hand(1) == ["G"]
    assert game.deck() == []


def test_full_hands_draw_nothing() -> None:
    game = position("attack", hands=FULL, deck="P P").do("hold")
    assert [game.hand(player) for player in range(3)] == [hand.split() for hand in FULL]
    assert game.deck() == ["P", "P"]


@pytest.mark.parametrize("hand_size", [1, 2, 6])
def test_hand_size_is_config(hand_size: int) -> None:
    game = position("attack", hands=["", "", ""], deck="R " * 11 + "G " * 8, hand_size=hand_size).do("hold")
    assert [len(game.hand(player)) for player in range(3)] == [hand_size] * 3


@pytest.mark.parametrize(("entities", "active", "following"), [("GYP", 0, 1), ("GYP", 2, 0), ("GYPRB", 4, 0)])
def test_play_goes_round_in_seat_order(entities: str, active: int, following: int) -> None:
    hands = [FULL[seat % 3] for seat in range(len(entities))]
    game = position("attack", entities=entities[: len(hands)], active=active, hands=hands, deck="P P").do("hold")
    assert (game.s.active, game.phase, game.s.turns, game.s.final) == (following, "battle", 2, 0)


@pytest.mark.parametrize(
    ("hands", "taker"),
    [
        (["R R R", "G G G G", "Y Y Y Y"], 0),
        (["R R R R", "G G G", "Y Y Y Y"], 1),
        (["R R R R", "G G G G", "Y Y Y"], 2),
    ],
)
def test_whoever_takes_the_last_card_takes_the_final_turn_next(hands: list[str], taker: int) -> None:
    """Whoever's turn it would have been (player 1's), and also when the taker is the active player."""
    game = position("attack", hands=hands, deck="P").do("hold")
    assert (game.s.active, game.s.final, game.s.last_taker, game.phase) == (taker, 1, taker, "battle")
    assert game.s.turns == 2


def test_last_card_may_be_taken_in_the_middle_of_a_draw() -> None:
    """Player 1 gets one of the three cards she would like; player 2 none."""
    game = position("attack", hands=["R R R", "G", ""], deck="P B2").do("hold")
    assert game.hand(1) == ["G", "B2"]
    assert (game.s.active, game.s.final) == (1, 1)


def test_deck_that_is_not_used_up_brings_no_final_turn() -> None:
    game = position("attack", hands=["R R R", *FULL[1:]], deck="P P").do("hold")
    assert (game.s.active, game.s.final, game.s.last_taker) == (1, 0, NOBODY)


def test_final_turn_has_all_five_phases_and_the_game_is_scored_after_it() -> None:
    game = position("attack", hands=["R R", "G G", "Y P Y"], deck="P P P P P", table=["", "", "Y"]).do("hold")
    assert (game.s.active, game.s.final) == (2, 1)
    seen = []
    while game.phase != "over":
        seen.append((game.phase, game.s.player))
        game.do(game.legal()[0])
    assert seen == [("battle", 2), ("battle", 0), ("battle", 1), ("reinforce", 2), ("move", 2), ("attack", 2)]
    assert game.s.turns == 2
    assert game.winner == "Y"


def test_exactly_one_final_turn() -> None:
    game = position("attack", hands=FULL, active=1, final=True, last_taker=1, table=["G", "", ""]).do("hold")
    assert game.phase == "over"
    assert game.winner == "G"


def test_loop_turn_comes_first_and_the_final_turn_after_it() -> None:
    game = position("move", hands=["time_loop R", "G G G G", "Y Y Y"], deck="P P P P").do("time_loop", "hold")
    assert game.s.last_taker == 2
    assert (game.s.active, game.s.final, game.s.turns) == (0, 0, 2)
    end_turn(game)
    assert (game.s.active, game.s.final, game.s.turns) == (2, 1, 3)
    assert end_turn(game).phase == "over"
    assert game.s.turns == 3


def test_loop_turn_of_the_taker_herself_is_followed_by_her_final_turn() -> None:
    game = position("move", hands=["time_loop R", "G G G G", "Y Y Y Y"], deck="P P").do("time_loop", "hold")
    assert (game.s.active, game.s.final, game.s.turns) == (0, 0, 2)
    end_turn(game)
    assert (game.s.active, game.s.final, game.s.turns) == (0, 1, 3)
    assert end_turn(game).phase == "over"


# Big Bang and the final turn


def final_turn(pile: str, hands: list[str], **more: object) -> Position:
    """Phase 3 of player 1's final turn, who holds the Big Bang."""
    return position("move", active=1, hands=hands, pile=pile, final=True, last_taker=1, turns=9, **more)


def test_big_bang_in_the_final_turn_calls_it_off() -> None:
    """The pile has five cards, three are drawn: play goes on from the seat after the taker."""
    game = final_turn("P P P P P", ["R R R R", "G G big_bang", "Y Y Y"]).do("big_bang", "hold")
    assert game.hand(1) == ["G", "G", "P", "P"]
    assert game.hand(2) == ["Y", "Y", "Y", "P"]
    assert (game.s.active, game.phase, game.s.turns) == (2, "battle", 10)
    assert (game.s.final, game.s.last_taker) == (0, NOBODY)


def test_play_goes_on_by_the_old_rules_until_the_deck_runs_out_again() -> None:
    hands = ["R R R R", "R R Y big_bang", "Y Y Y G"]
    game = final_turn("P P P P P P P P", hands).do("big_bang", "hold")
    assert (game.s.active, game.s.final, len(game.deck())) == (2, 0, 7)
    game.battle("R", "R", "Y").do("put Y 0", "stay", "hold")
    assert (game.s.active, game.s.final, len(game.deck())) == (0, 0, 3)
    game.battle("R", "R", "Y").do("put R 2", "stay", "hold")
    assert game.deck() == []
    assert (game.s.active, game.s.final, game.s.last_taker) == (1, 1, 1)
    assert end_turn(game).phase == "over"


def test_game_is_scored_if_the_recovery_has_emptied_the_deck_again() -> None:
    game = final_turn("P P P", ["R R R R", "G G big_bang", "Y Y"], table=["", "G", ""]).do("big_bang", "hold")
    assert game.deck() == []
    assert game.hand(2) == ["Y", "Y", "P"]
    assert game.phase == "over"
    assert game.winner == "G"
    assert game.s.turns == 9


def test_big_bang_on_an_empty_pile_does_not_call_the_final_turn_off() -> None:
    game = final_turn("", ["R", "big_bang", "Y"], table=["", "G", ""]).do("big_bang", "hold")
    assert game.phase == "over"
    assert game.winner == "G"


def test_big_bang_in_a_loop_turn_calls_the_assigned_final_turn_off() -> None:
    """Player 0 loops, player 1 takes the last card; in the loop turn the Big Bang refills the deck.

    The final turn was player 1's, so play goes on from player 2.
    """
    game = position("move", hands=["big_bang time_loop R R", "G G G", "Y Y Y Y"], deck="P P", pile="P " * 9)
    game.do("time_loop", "hold")
    assert (game.s.active, game.s.last_taker, game.s.final) == (0, 1, 0)
    game.battle("R", "G", "Y").do("put R 0", "big_bang", "hold")
    assert len(game.deck()) > 0
    assert (game.s.active, game.s.last_taker, game.s.final, game.s.turns) == (2, NOBODY, 0, 3)


def test_big_bang_before_the_deck_has_run_out_changes_no_order_of_turns() -> None:
    game = position("move", hands=["big_bang R", *FULL[1:]], deck="P P P P", pile="P P").do("big_bang", "hold")
    assert (game.s.active, game.s.final, game.s.last_taker) == (1, 0, NOBODY)
