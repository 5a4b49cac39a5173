"""Phase 3: the five anomalies, each with every kind of target."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, permutations

import pytest
from dimensions_position import AVAILABLE, LETTERS, count_cards, position

from common.positions import assert_fits, uniform

ANOMALIES = ["entanglement", "wormhole", "black_hole", "big_bang", "time_loop"]
A_TARGET = {
    "entanglement": "entanglement R P",
    "wormhole": "wormhole G 1 2",
    "black_hole": "black_hole G 1",
    "big_bang": "big_bang",
    "time_loop": "time_loop",
}


@pytest.mark.parametrize("anomaly", ANOMALIES)
def test_anomaly_goes_from_the_hand_to_the_black_hole(anomaly: str) -> None:
    game = position("move", active=1, hands=["R", f"P {anomaly}"], table=["", "G", ""])
    game.do(A_TARGET[anomaly])
    assert game.hand(1) == ["P"]
    assert game.s.hand_size[1] == 1
    assert anomaly in game.pile()
    assert count_cards(game) == Counter({"R": 1, "P": 1, "G": 1, anomaly: 1})
    assert game.phase == "attack"


@pytest.mark.parametrize("phase", ["battle", "reinforce", "attack"])
def test_anomalies_are_played_in_phase_3_only(phase: str) -> None:
    game = position(phase, hands=[" ".join(["G", *ANOMALIES])], hand_size=8, table=["G", "G", "G"])
    assert not set(game.legal()) & {*A_TARGET.values(), "wormhole G 0 1", "black_hole G 0"}


def test_anomalies_of_others_cannot_be_played() -> None:
    assert position("move", hands=["", " ".join(ANOMALIES)], hand_size=8).legal() == ["stay"]


def test_who_holds_two_anomalies_may_play_either_and_keeps_the_other() -> None:
    game = position("move", hands=["big_bang time_loop"])
    assert game.legal() == ["stay", "big_bang", "time_loop"]
    assert game.again(0).do("big_bang").hand(0) == ["time_loop"]
    assert game.again(0).do("time_loop").hand(0) == ["big_bang"]


def test_an_anomaly_takes_the_place_of_the_move() -> None:
    game = position("move", hands=["big_bang"], table=["G", "", ""])
    assert game.legal() == ["stay", "move G 0 1", "move G 0 2", "big_bang"]
    assert game.do("big_bang").phase == "attack"


# Quantum Entanglement


def test_entanglement_has_ten_pairs() -> None:
    game = position("move", hands=["entanglement"])
    assert game.legal() == ["stay", *(f"entanglement {one} {other}" for one, other in combinations(LETTERS, 2))]


@pytest.mark.parametrize("pair", list(combinations(LETTERS, 2)))
def test_entanglement_swaps_two_factions_in_the_spiral(pair: tuple[str, str]) -> None:
    one, other = pair
    for rest in list(permutations("GYBP"))[::5]:
        spiral = "R" + "".join(rest)
        swapped = spiral.translate(str.maketrans(one + other, other + one))
        game = position("move", hands=["entanglement"], spiral=spiral).do(f"entanglement {one} {other}")
        start = swapped.index("R")
        assert game.spiral() == swapped[start:] + swapped[:start]
        for place, letter in enumerate(swapped):
            assert LETTERS[game.s.prey[LETTERS.index(letter)]] == swapped[(place + 1) % 5]


def test_entanglement_counts_in_the_attack_of_the_same_turn() -> None:
    game = position("move", hands=["entanglement"], table=["R G", "", ""], spiral="RGYBP")
    assert game.again(0).do("stay").legal() == ["hold", "attack R G"]
    assert game.again(0).do("entanglement R G").legal() == ["hold", "attack G R"]


# Wormhole


def test_wormhole_targets_are_each_squad_to_each_other_dimension() -> None:
    game = position("move", hands=["wormhole"], table=["G G Y", "", "B2 B17"])
    assert [option for option in game.legal() if option.startswith("wormhole")] == [
        "wormhole G 0 1",
        "wormhole G 0 2",
        "wormhole Y 0 1",
        "wormhole Y 0 2",
        "wormhole B 2 0",
        "wormhole B 2 1",
    ]


def test_wormhole_without_a_squad_on_the_table_has_no_target() -> None:
    assert position("move", hands=["wormhole"]).legal() == ["stay"]


def test_wormhole_moves_the_whole_squad() -> None:
    game = position("move", hands=["wormhole"], table=["G G G Y", "G", ""]).do("wormhole G 0 1")
    assert game.table() == [["Y"], ["G", "G", "G", "G"], []]


def test_wormhole_moves_all_blue_values_of_the_squad() -> None:
    game = position("move", hands=["wormhole"], table=["", "B2 B17 B17 R", "B3"]).do("wormhole B 1 2")
    assert game.table() == [[], ["R"], ["B2", "B3", "B17", "B17"]]
    assert list(game.s.blue_sum)[:3] == [0, 0, 39]


def test_wormhole_leaves_the_captain() -> None:
    game = position("move", entities="RGY", captain=0, hands=["wormhole"], table=["R R", "", ""])
    game.do("wormhole R 0 2")
    assert game.table() == [[], [], ["R", "R"]]
    assert game.s.captain_at == 0


def test_wormhole_cannot_name_a_lone_captain() -> None:
    game = position("move", entities="RGY", captain=0, hands=["wormhole"], table=["G", "", ""])
    assert not [option for option in game.legal() if option.startswith("wormhole R")]


def test_wormhole_ignores_auras() -> None:
    game = position("move", hands=["wormhole"], table=["P P", "", ""], auras="R@0 G@0 Y@1")
    assert [option for option in game.legal() if option.startswith("wormhole")] == ["wormhole P 0 1", "wormhole P 0 2"]
    game.do("wormhole P 0 1")
    assert game.auras(0) == ["R", "G"]
    assert game.auras(1) == ["Y"]


# Black Hole


def test_black_hole_targets_are_each_squad_and_each_aura_stack() -> None:
    game = position("move", hands=["black_hole"], table=["G G Y", "", "B2 B17"], auras="R@0 R@1 G@1")
    assert [option for option in game.legal() if option.startswith("black_hole")] == [
        "black_hole G 0",
        "black_hole Y 0",
        "black_hole aura 0",
        "black_hole aura 1",
        "black_hole B 2",
    ]


def test_black_hole_without_squads_and_auras_has_no_target() -> None:
    assert position("move", hands=["black_hole"]).legal() == ["stay"]


def test_black_hole_swallows_the_whole_squad() -> None:
    game = position("move", hands=["black_hole"], table=["B2 B17 B17 Y", "B3", ""], pile="R").do("black_hole B 0")
    assert game.table() == [["Y"], ["B3"], []]
    assert game.pile() == ["R", "B2", "B17", "B17", "black_hole"]


def test_black_hole_on_a_red_squad_leaves_the_captain() -> None:
    game = position("move", entities="GRY", captain=2, hands=["black_hole"], table=["", "", "R R G"])
    game.do("black_hole R 2")
    assert game.table() == [[], [], ["G"]]
    assert game.pile() == ["R", "R", "black_hole"]
    assert game.s.captain_at == 2


def test_black_hole_cannot_name_a_lone_captain() -> None:
    game = position("move", entities="RGY", captain=0, hands=["black_hole"], table=["G", "", ""])
    assert [option for option in game.legal() if option.startswith("black_hole")] == ["black_hole G 0"]


def test_black_hole_on_auras_returns_the_ordinary_cards_to_the_pile() -> None:
    game = position("move", hands=["black_hole"], auras="R@0 B17@1 G@0 B17@0 Y@1").do("black_hole aura 0")
    assert game.auras(0) == []
    assert game.auras(1) == ["B17", "Y"]
    assert game.pile() == ["R", "G", "B17", "black_hole"]
    assert game.s.auras == 2


def test_black_hole_on_purple_cards_makes_no_auras() -> None:
    game = position("move", hands=["black_hole"], table=["P P G", "", ""]).do("black_hole P 0")
    assert game.s.auras == 0
    assert game.pile() == ["P", "P", "black_hole"]


def test_black_hole_played_in_a_dimension_with_purple_makes_no_auras() -> None:
    game = position("move", hands=["black_hole"], table=["P P G", "", ""]).do("black_hole G 0")
    assert game.s.auras == 0
    assert game.pile() == ["G", "black_hole"]


def test_black_hole_on_a_squad_leaves_the_auras_of_that_dimension() -> None:
    game = position("move", hands=["black_hole"], table=["P", "", ""], auras="R@0").do("black_hole P 0")
    assert game.auras(0) == ["R"]


# Big Bang


def test_big_bang_returns_every_card_of_the_pile_to_the_deck() -> None:
    game = position("move", hands=["big_bang"], pile="R R G B17 wormhole time_loop", deck="Y B17 P")
    game.do("big_bang")
    assert sorted(game.deck()) == sorted(["R", "R", "G", "B17", "wormhole", "time_loop", "Y", "B17", "P"])
    assert game.pile() == ["big_bang"]


def test_big_bang_itself_lies_in_the_pile_afterwards() -> None:
    game = position("move", hands=["big_bang"], pile="R", deck="Y").do("big_bang")
    assert game.pile() == ["big_bang"]


def test_empty_pile_is_no_obstacle_to_big_bang() -> None:
    game = position("move", hands=["big_bang"], deck="Y P")
    assert game.legal() == ["stay", "big_bang"]
    game.do("big_bang")
    assert sorted(game.deck()) == ["P", "Y"]
    assert game.pile() == ["big_bang"]


def test_big_bang_takes_nothing_from_hands_table_and_auras() -> None:
    game = position("move", hands=["big_bang R", "G", "wormhole"], table=["Y", "", "P"], auras="R@1", pile="G")
    game.do("big_bang")
    assert game.deck() == ["G"]
    assert [game.hand(player) for player in range(3)] == [["R"], ["G"], ["wormhole"]]
    assert game.table() == [["Y"], [], ["P"]]
    assert game.auras(1) == ["R"]


def test_big_bang_returns_beaten_auras_as_the_ordinary_cards_they_were() -> None:
    game = position("move", hands=["black_hole", "big_bang G G", "R R R R"], auras="B17@0 Y@0", deck="R R R R R P P")
    game.do("black_hole aura 0", "hold").battle("R", "G", "R")
    game.do("put G 1", "big_bang")
    assert sorted(game.deck()) == ["B17", "G", "P", "P", "Y", "black_hole"]


def test_big_bang_shuffles_the_deck() -> None:
    start = position("move", hands=["big_bang"], pile="R", deck="G Y P")
    orders = Counter("".join(start.again(number).do("big_bang").deck()) for number in range(2400))
    assert_fits(orders, uniform(["".join(order) for order in permutations("RGYP")]))


# Time Loop


def test_time_loop_gives_the_active_player_one_more_whole_turn() -> None:
    game = position("move", active=1, hands=["R R R R", "G G G time_loop", "Y Y Y Y"], deck="P P P P P P P P P P")
    game.do("time_loop", "hold")
    assert (game.s.active, game.phase, game.s.turns) == (1, "battle", 2)
    game.battle("R", "G", "Y")
    assert (game.phase, game.s.player) == ("reinforce", 1)
    game.do("put G 1", "stay", "hold")
    assert (game.s.active, game.s.turns) == (2, 3)


def test_loop_turn_ends_with_a_recovery_of_its_own() -> None:
    game = position("move", hands=["time_loop G G", "R R R R", "Y Y Y Y"], deck="P P P P P P P P P P")
    game.do("time_loop", "hold")
    assert game.hand(0) == ["G", "G", "P", "P"]
    game.battle("G", "R", "Y")
    game.do("put G 0", "stay", "hold")
    assert game.hand(0) == ["P", "P", "P", "P"]
    assert game.s.active == 1


def test_time_loop_has_no_effect_in_the_final_turn() -> None:
    game = position("move", hands=["time_loop", "R", "Y"], final=True, last_taker=0, table=["G", "", ""])
    assert "time_loop" in game.legal()
    game.do("time_loop", "hold")
    assert game.phase == "over"
    assert game.winner == "G"
    assert game.pile() == ["time_loop"]


def test_time_loop_of_red_whose_captain_waits() -> None:
    game = position("move", entities="RGY", captain=AVAILABLE, hands=["time_loop", "", ""], deck="R R R").do(
        "time_loop", "hold"
    )
    assert game.s.active == 0
    game.battle("R", "", "")
    assert "put captain 0" in game.legal()
