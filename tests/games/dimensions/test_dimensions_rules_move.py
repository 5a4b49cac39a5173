"""Phase 3: the move, and the Captain."""

from __future__ import annotations

from dimensions_position import AVAILABLE, position


def test_nothing_is_always_an_option() -> None:
    assert position("move").legal() == ["stay"]
    game = position("move", table=["G", "Y", ""], hands=["R"], pile="P").do("stay")
    assert game.table() == [["G"], ["Y"], []]
    assert game.pile() == ["P"]
    assert game.phase == "attack"


def test_options_are_each_kind_from_each_dimension_to_each_other() -> None:
    game = position("move", table=["G G Y", "", "P"])
    assert game.legal() == [
        "stay",
        "move G 0 1",
        "move G 0 2",
        "move Y 0 1",
        "move Y 0 2",
        "move P 2 0",
        "move P 2 1",
    ]


def test_each_blue_value_is_its_own_kind_and_the_two_17s_are_one() -> None:
    game = position("move", table=["B2 B17 B17", "", ""])
    assert game.legal() == ["stay", "move B2 0 1", "move B2 0 2", "move B17 0 1", "move B17 0 2"]


def test_baseline_blue_cards_are_one_kind() -> None:
    game = position("move", mode="baseline", table=["B B B", "", ""])
    assert game.legal() == ["stay", "move B 0 1", "move B 0 2"]


def test_one_card_moves_from_any_dimension_to_any_other() -> None:
    game = position("move", entities="GYPR", active=0, table=["", "B17 B17 G", "", "B3"]).do("move B17 1 3")
    assert game.table() == [[], ["G", "B17"], [], ["B3", "B17"]]
    assert list(game.s.blue_sum)[:4] == [0, 17, 0, 20]
    assert (game.phase, game.s.player) == ("attack", 0)


def test_cards_of_all_colours_may_be_moved_also_others() -> None:
    game = position("move", entities="GYP", active=1, table=["R G", "", ""])
    assert {"move R 0 1", "move G 0 2"} <= set(game.legal())


def test_only_its_owner_may_move_the_captain() -> None:
    mine = position("move", entities="RGY", captain=1)
    assert mine.legal() == ["stay", "move captain 0", "move captain 2"]
    assert position("move", entities="RGY", captain=1, active=1).legal() == ["stay"]
    assert mine.do("move captain 2").s.captain_at == 2
    assert mine.phase == "attack"


def test_captain_not_yet_placed_cannot_be_moved() -> None:
    assert position("move", entities="RGY", captain=AVAILABLE).legal() == ["stay"]


def test_moving_an_ordinary_red_card_leaves_the_captain() -> None:
    game = position("move", entities="RGY", captain=0, table=["R", "", ""], active=1)
    assert game.legal() == ["stay", "move R 0 1", "move R 0 2"]
    game.do("move R 0 2")
    assert game.s.captain_at == 0
    assert game.table() == [[], [], ["R"]]


def test_moving_the_captain_leaves_the_ordinary_red_cards() -> None:
    game = position("move", entities="RGY", captain=0, table=["R R", "", ""]).do("move captain 1")
    assert game.table() == [["R", "R"], [], []]
    assert game.s.captain_at == 1


def test_auras_cannot_be_moved() -> None:
    game = position("move", auras="R@0 G@0 B17@1")
    assert game.legal() == ["stay"]


def test_one_card_only_is_moved_in_a_turn() -> None:
    game = position("move", table=["G G", "", ""]).do("move G 0 1")
    assert game.phase != "move"
