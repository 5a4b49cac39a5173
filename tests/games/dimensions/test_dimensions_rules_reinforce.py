"""Phase 2: reinforce."""

from __future__ import annotations

import pytest
from dimensions_position import position


def test_options_are_each_kind_held_into_each_dimension() -> None:
    game = position("reinforce", hands=["G G B17 B17 B2 time_loop"], hand_size=6)
    assert game.legal() == [f"put {card} {dimension}" for card in ("G", "B2", "B17") for dimension in range(3)]


@pytest.mark.parametrize("entities", ["GYP", "GYPB", "GYPBR"])
def test_any_of_the_dimensions_of_all_players_may_be_reinforced(entities: str) -> None:
    game = position("reinforce", entities=entities, hands=["P"])
    assert game.legal() == [f"put P {dimension}" for dimension in range(len(entities))]


def test_reinforcing_is_a_must_for_who_holds_a_faction_card() -> None:
    assert "skip" not in position("reinforce", hands=["G"]).legal()
    assert "skip" not in position("reinforce", entities="RGY", hands=["G"]).legal()


def test_card_goes_from_the_hand_into_the_dimension() -> None:
    game = position("reinforce", active=1, hands=["", "G B17 B17"], table=["G", "", "B2"]).do("put B17 2")
    assert game.hand(1) == ["G", "B17"]
    assert game.table() == [["G"], [], ["B2", "B17"]]
    assert (game.phase, game.s.player) == ("move", 1)


def test_red_may_place_the_captain_instead_into_any_dimension() -> None:
    game = position("reinforce", entities="GRY", active=1, hands=["", "P"])
    assert game.legal() == ["put P 0", "put P 1", "put P 2", "put captain 0", "put captain 1", "put captain 2"]
    game.do("put captain 2")
    assert game.s.captain_at == 2
    assert game.hand(1) == ["P"]
    assert game.table() == [[], [], []]


def test_red_with_no_faction_card_may_place_the_captain_or_skip() -> None:
    game = position("reinforce", entities="RGY", hands=["time_loop"])
    assert game.legal() == ["put captain 0", "put captain 1", "put captain 2", "skip"]
    assert game.again(0).do("put captain 1").s.captain_at == 1
    skipped = game.again(0).do("skip")
    assert skipped.phase == "move"
    assert skipped.hand(0) == ["time_loop"]


def test_skipping_leaves_the_captain_for_a_later_turn() -> None:
    game = position("reinforce", entities="RGY", hands=["", "", ""], deck="R R R R G G G G Y Y Y Y" + " P" * 11)
    game.do("skip", "stay", "hold")
    for turn in (1, 2, 0):
        assert (game.phase, game.s.active) == ("battle", turn)
        game.battle("R", "G", "Y")
        if turn != 0:
            game.do(game.legal()[0], "stay", "hold")
    assert game.legal()[-3:] == ["put captain 0", "put captain 1", "put captain 2"]


def test_placed_captain_is_not_available_again() -> None:
    game = position("reinforce", entities="RGY", hands=["P"], captain=1)
    assert game.legal() == ["put P 0", "put P 1", "put P 2"]


def test_only_the_red_player_may_place_the_captain() -> None:
    game = position("reinforce", entities="RGY", active=1, hands=["", "P"])
    assert game.legal() == ["put P 0", "put P 1", "put P 2"]


def test_baseline_has_no_captain() -> None:
    game = position("reinforce", entities="RGY", hands=["P"], mode="baseline")
    assert game.legal() == ["put P 0", "put P 1", "put P 2"]


def test_phase_is_skipped_with_no_faction_card_in_hand() -> None:
    """The active player's only faction card goes into the battle."""
    game = position("battle", hands=["R wormhole", "G G", "Y Y"]).battle("R", "G", "Y")
    assert (game.phase, game.s.player) == ("move", 0)


def test_phase_is_skipped_for_red_whose_captain_is_placed() -> None:
    game = position("battle", entities="RGY", captain=2, hands=["R", "G G", "Y Y"]).battle("R", "G", "Y")
    assert (game.phase, game.s.player) == ("move", 0)


def test_red_with_an_empty_hand_and_the_captain_is_asked() -> None:
    game = position("battle", entities="RGY", hands=["R", "G G", "Y Y"]).battle("R", "G", "Y")
    assert (game.phase, game.s.player) == ("reinforce", 0)
    assert game.legal()[-1] == "skip"
