"""Epic: the instant wins of green, yellow and blue."""

from __future__ import annotations

import pytest
from dimensions_position import LETTERS, Position, position

BIG_DECK = "P P P P P P"


def winner(game: Position) -> str | None:
    """Who has won at once, or nobody yet."""
    if game.phase != "over":
        return None
    assert LETTERS[game.s.end] == game.winner
    assert game.s.tie == 0
    return game.winner


def test_green_wins_with_five_cards_in_one_dimension() -> None:
    game = position("reinforce", hands=["G"], table=["", "G G G G", ""], deck=BIG_DECK)
    assert winner(game.again(0).do("put G 1")) == "G"
    assert winner(game.again(0).do("put G 0")) is None


def test_green_wins_with_more_than_five_too() -> None:
    game = position("move", hands=["wormhole"], table=["G G G", "G G G", ""])
    assert winner(game.do("wormhole G 0 1")) == "G"


def test_green_cards_of_several_dimensions_do_not_add_up() -> None:
    game = position("reinforce", hands=["G"], table=["G G G", "G G", "G G G"], deck=BIG_DECK)
    assert winner(game.do("put G 1")) is None


def test_green_faces_of_auras_do_not_count() -> None:
    game = position("reinforce", hands=["G"], table=["G G G", "", ""], auras="G@0", deck=BIG_DECK)
    assert winner(game.do("put G 0")) is None


def test_yellow_wins_with_one_in_every_dimension_and_five_in_all() -> None:
    game = position("reinforce", hands=["Y"], table=["Y Y", "Y", "Y"], deck=BIG_DECK)
    assert winner(game.do("put Y 2")) == "Y"


def test_yellow_everywhere_but_four_in_all_does_not_win() -> None:
    game = position("reinforce", hands=["Y"], table=["Y Y", "Y", ""], deck=BIG_DECK)
    assert winner(game.do("put Y 2")) is None


def test_yellow_with_five_but_not_everywhere_does_not_win() -> None:
    game = position("reinforce", hands=["Y"], table=["Y Y Y Y", "Y", ""], deck=BIG_DECK)
    assert winner(game.do("put Y 1")) is None


def test_yellow_wins_with_more_than_five_once_it_is_everywhere() -> None:
    game = position("move", table=["Y Y Y Y", "Y Y", ""], deck=BIG_DECK)
    assert winner(game.do("move Y 0 2")) == "Y"


@pytest.mark.parametrize("entities", ["YGPB", "YGPBR"])
def test_yellow_needs_every_dimension_of_all_players(entities: str) -> None:
    players = len(entities)
    table = ["Y Y Y"] + ["Y"] * (players - 3) + ["", ""]
    game = position("move", entities=entities, table=table, hands=["Y"], deck=BIG_DECK)
    game.do(f"move Y 0 {players - 2}", "hold")
    assert winner(game) is None
    game = position("move", entities=entities, table=["Y Y Y"] + ["Y"] * (players - 2) + [""], deck=BIG_DECK)
    assert winner(game.do(f"move Y 0 {players - 1}")) == "Y"


@pytest.mark.parametrize(
    ("table", "card", "wins"), [("B29", "B13", True), ("B29", "B17", False), ("B29", "B11", False)]
)
def test_blue_wins_with_a_sum_of_exactly_42_in_one_dimension(table: str, card: str, wins: bool) -> None:
    game = position("reinforce", entities="GYB", hands=[card], table=["", table, ""], deck=BIG_DECK)
    assert winner(game.do(f"put {card} 1")) == ("B" if wins else None)


def test_blue_values_of_several_dimensions_do_not_add_up() -> None:
    game = position("reinforce", entities="GYB", hands=["B13"], table=["", "B29", ""], deck=BIG_DECK)
    assert winner(game.do("put B13 0")) is None


def test_blue_wins_by_the_removal_of_a_card_too() -> None:
    """29 + 13 + 2 loses its 2 by a move; 29 + 13 is left."""
    game = position("move", entities="GYB", table=["", "B29 B13 B2", ""], deck=BIG_DECK)
    assert winner(game.do("move B2 1 0")) == "B"


def test_blue_wins_by_losing_a_card_in_an_attack() -> None:
    """17 + 17 + 25: when a 17 is lost, 42 is left; when the 25 is, only 34."""
    values = [17, 17, 25]
    start = position("attack", entities="GYB", blue_values=values, table=["Y B17 B17 B25", "", ""], deck="P P P")
    ends = {(winner(game), tuple(game.pile())) for game in (start.again(n).do("attack Y B") for n in range(40))}
    assert ends == {("B", ("B17",)), (None, ("B25",))}


def test_blue_wins_when_the_lost_card_becomes_an_aura() -> None:
    start = position("attack", entities="GYB", blue_values=[42, 42, 1], table=["P P P B42 B42", "", ""], deck="R")
    assert winner(start.do("attack P B")) == "B"


def test_blue_wins_by_a_wormhole() -> None:
    game = position("move", entities="GYB", hands=["wormhole"], table=["B2 B11", "B29", ""], deck=BIG_DECK)
    assert winner(game.do("wormhole B 0 1")) == "B"


@pytest.mark.parametrize("entities", ["RYBP", "RGBP", "RGYP"])
def test_only_a_faction_that_is_somebodys_entity_can_win(entities: str) -> None:
    """The fifth colour meets its condition; nobody plays it."""
    done = {
        "RYBP": position("reinforce", entities="RYBP", hands=["G"], table=["G G G G", "", "", ""], deck=BIG_DECK),
        "RGBP": position("reinforce", entities="RGBP", hands=["Y"], table=["Y", "Y Y", "Y", "Y"], deck=BIG_DECK),
        "RGYP": position("reinforce", entities="RGYP", hands=["B13"], table=["B29", "", "", ""], deck=BIG_DECK),
    }[entities]
    assert winner(done.do(done.legal()[0])) is None


@pytest.mark.parametrize("card", ["R", "P"])
def test_red_and_purple_have_no_instant_win(card: str) -> None:
    table = [" ".join([card] * 9), card, ""]
    game = position("reinforce", entities="RPG", captain=0, hands=[card], table=table, deck="Y Y Y")
    assert winner(game.do(f"put {card} 2")) is None


def test_instant_win_may_be_brought_about_by_another_player() -> None:
    game = position("reinforce", active=2, entities="GYP", hands=["", "", "G"], table=["", "", "G G G G"])
    game.do("put G 2")
    assert winner(game) == "G"
    assert game.returns() == [1.0, 0.0, 0.0]


def test_win_is_checked_after_the_battle() -> None:
    game = position("battle", hands=["G R", "G", "G"], table=["", "G G G G", ""], deck=BIG_DECK).battle("G", "G", "G")
    assert winner(game) == "G"
    assert game.hand(0) == ["R"]


def test_win_is_checked_after_the_reinforcement() -> None:
    game = position("reinforce", hands=["G wormhole"], table=["G G G G", "", ""], deck=BIG_DECK).do("put G 0")
    assert winner(game) == "G"


def test_win_is_checked_after_phase_3_before_the_attack() -> None:
    game = position("move", table=["Y Y Y G G G", "Y Y", ""], deck=BIG_DECK)
    assert winner(game.do("move Y 0 2")) == "Y"


def test_win_is_checked_after_the_attack_before_the_recovery() -> None:
    game = position(
        "attack", entities="GYB", blue_values=[42, 42, 1], table=["Y B42 B42", "", ""], deck="R", hands=["P"]
    )
    assert winner(game.do("attack Y B")) == "B"
    assert game.deck() == ["R"]


def test_game_goes_on_when_no_condition_is_met() -> None:
    game = position("battle", hands=["G R", "G R", "G"], table=["", "G G G", ""], deck=BIG_DECK).battle("G", "G", "G")
    assert winner(game) is None
    assert game.phase == "reinforce"


@pytest.mark.parametrize(
    ("entities", "expected"), [("RGYBP", "G"), ("RYBP", "Y"), ("RGBP", "G"), ("RBP", "B"), ("BYG", "G"), ("BYP", "Y")]
)
def test_wins_are_checked_in_the_order_r_g_y_b_p(entities: str, expected: str) -> None:
    """No phase of real play moves two colours at once, so the position says itself that all of them have moved."""
    players = len(entities)
    table = ["G G G G G Y B29 B13", "Y Y", "Y Y", "Y", "Y"][:players]
    game = position("move", entities=entities, table=table, deck=BIG_DECK)
    game.s.stirred = 31
    assert winner(game.do("stay")) == expected


@pytest.mark.parametrize(
    ("card", "table"), [("G", ["G G G G", "", ""]), ("Y", ["Y", "Y Y", "Y"]), ("B", ["B B B B B", "", ""])]
)
def test_baseline_has_no_instant_wins(card: str, table: list[str]) -> None:
    game = position("reinforce", mode="baseline", entities="GYB", hands=[card], table=table, deck=BIG_DECK)
    assert winner(game.do(f"put {card} 0")) is None


def test_green_goal_is_config() -> None:
    game = position("reinforce", hands=["G"], table=["", "G", ""], green_goal=2, deck=BIG_DECK)
    assert winner(game.do("put G 1")) == "G"
    game = position("reinforce", hands=["G"], table=["", "G G G G", ""], green_goal=6, deck=BIG_DECK)
    assert winner(game.do("put G 1")) is None


def test_yellow_goal_is_config() -> None:
    game = position("reinforce", hands=["Y"], table=["Y", "Y", ""], yellow_goal=3, deck=BIG_DECK)
    assert winner(game.do("put Y 2")) == "Y"
    game = position("reinforce", hands=["Y"], table=["Y Y", "Y", "Y"], yellow_goal=6, deck=BIG_DECK)
    assert winner(game.do("put Y 2")) is None


def test_blue_goal_and_values_are_config() -> None:
    game = position(
        "reinforce", entities="GYB", hands=["B3"], table=["", "B4", ""], blue_goal=7, blue_values=[3, 4, 9], deck="P"
    )
    assert winner(game.do("put B3 1")) == "B"
    game = position("reinforce", entities="GYB", hands=["B13"], table=["", "B29", ""], blue_goal=43, deck=BIG_DECK)
    assert winner(game.do("put B13 1")) is None


def test_instant_win_in_the_final_turn_comes_before_the_count() -> None:
    table = ["P P P P P P P", "G G G G", ""]
    game = position("reinforce", hands=["G", "", ""], table=table, final=True, last_taker=0)
    assert winner(game.do("put G 1")) == "G"
