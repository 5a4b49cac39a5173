"""Phase 4: attack, the Captain in it, and the Auras of Darkness."""

from __future__ import annotations

from collections import Counter

import pytest
from dimensions_position import position

from common.positions import assert_fits


def attacks(*, table: str, **more: object) -> list[str]:
    """The options of an attack in Dimension 0, with a Spiral in which only neighbours of RGYBP beat each other."""
    return position("attack", table=[table, "", ""], **more).legal()


def test_nothing_is_always_an_option() -> None:
    assert attacks(table="") == ["hold"]
    assert attacks(table="R Y") == ["hold"]
    game = position("attack", table=["R R R Y", "", ""], deck="P").do("hold")
    assert game.dimension(0) == ["R", "R", "R", "Y"]


def test_larger_squad_wins() -> None:
    assert attacks(table="R R Y") == ["hold", "attack R Y"]


def test_equal_squads_without_the_spiral_win_nothing() -> None:
    assert attacks(table="R R Y Y") == ["hold"]


def test_colour_that_beats_the_other_wins_whatever_the_sizes() -> None:
    assert attacks(table="R G") == ["hold", "attack R G"]
    assert attacks(table="R G G G G") == ["hold", "attack R G", "attack G R"]


def test_beaten_colour_wins_by_size_only() -> None:
    assert attacks(table="G R") == ["hold", "attack R G"]
    assert attacks(table="G G R") == ["hold", "attack R G", "attack G R"]


def test_squad_does_not_attack_its_own_colour() -> None:
    assert attacks(table="R R R") == ["hold"]
    assert attacks(table="B2 B3 B5") == ["hold"]


def test_attacks_happen_in_the_own_dimension_only() -> None:
    game = position("attack", active=1, table=["R R Y", "G G P", ""])
    assert game.legal() == ["hold", "attack G P"]


def test_any_colour_there_may_attack_not_only_the_own() -> None:
    assert attacks(table="R R B2 Y", entities="GYP") == ["hold", "attack R Y", "attack R B", "attack Y B"]


def test_blue_values_do_not_matter_for_the_size() -> None:
    assert attacks(table="B29 R R") == ["hold", "attack R B"]


def test_won_attack_takes_one_card_to_the_black_hole() -> None:
    game = position("attack", table=["R R R Y Y", "Y", ""], pile="G", deck="P").do("attack R Y")
    assert game.table() == [["R", "R", "R", "Y"], ["Y"], []]
    assert game.pile() == ["G", "Y"]


def test_only_one_attack_in_a_turn() -> None:
    game = position("attack", table=["R R R Y Y", "", ""], hands=["P", "P", "P"]).do("attack R Y")
    assert game.phase == "battle"
    assert game.s.active == 1


# Captain Force


def test_captain_adds_one_to_the_size_of_the_red_squad() -> None:
    assert attacks(table="R Y", entities="RGY", captain=1) == ["hold"]
    assert attacks(table="R Y", entities="RGY", captain=0) == ["hold", "attack R Y"]


def test_captain_adds_to_the_size_in_defence() -> None:
    assert attacks(table="R Y Y", entities="RGY", captain=1) == ["hold", "attack Y R"]
    assert attacks(table="R Y Y", entities="RGY", captain=0) == ["hold"]


def test_captain_available_in_hand_adds_nothing() -> None:
    assert attacks(table="R Y", entities="RGY") == ["hold"]


def test_lone_captain_attacks() -> None:
    assert attacks(table="G", entities="RGY", captain=0) == ["hold", "attack R G"]
    game = position("attack", entities="GRY", captain=0, table=["G G", "", ""], deck="P").do("attack R G")
    assert game.dimension(0) == ["G"]
    assert game.pile() == ["G"]
    assert game.s.captain_at == 0


def test_lone_captain_attacks_by_size_no_better_than_one_card() -> None:
    assert attacks(table="Y", entities="RGY", captain=0) == ["hold"]


def test_lone_captain_is_no_target() -> None:
    assert attacks(table="Y Y Y P P", entities="RGY", captain=0) == ["hold", "attack Y P"]


def test_red_squad_loses_an_ordinary_card_not_the_captain() -> None:
    game = position("attack", entities="RGY", captain=0, table=["R P", "", ""], deck="G").do("attack P R")
    assert game.dimension(0) == ["P"]
    assert game.s.captain_at == 0
    assert game.auras(0) == ["R"]


def test_captain_counts_when_red_attacks_auras() -> None:
    assert attacks(table="R", auras="G@0", entities="RGY", captain=1) == ["hold"]
    assert attacks(table="R", auras="G@0", entities="RGY", captain=0) == ["hold", "attack R aura"]


# Auras of Darkness


@pytest.mark.parametrize("entities", ["GYP", "RGY"])
def test_card_a_purple_squad_takes_becomes_an_aura(entities: str) -> None:
    """Whether or not purple is anybody's Entity."""
    game = position("attack", entities=entities, active=1, table=["", "P P G", ""], auras="Y@0", deck="R")
    game.do("attack P G")
    assert game.auras(1) == ["G"]
    assert game.auras(0) == ["Y"]
    assert game.table() == [[], ["P", "P"], []]
    assert game.pile() == []


def test_purple_that_wins_by_the_spiral_makes_an_aura_too() -> None:
    game = position("attack", table=["P R R R", "", ""], deck="R").do("attack P R")
    assert game.auras(0) == ["R"]
    assert game.pile() == []


def test_other_colours_make_no_auras() -> None:
    game = position("attack", table=["R R P", "", ""], deck="R").do("attack R P")
    assert game.s.auras == 0
    assert game.pile() == ["P"]


def test_baseline_has_no_auras() -> None:
    game = position("attack", mode="baseline", table=["P P G", "", ""], deck="R").do("attack P G")
    assert game.s.auras == 0
    assert game.pile() == ["G"]


def test_auras_are_attacked_by_size_only() -> None:
    assert attacks(table="R", auras="G@0") == ["hold"], "the card's own colour is forgotten while it is an Aura"
    assert attacks(table="B2", auras="G@0") == ["hold"], "blue beats purple, but Auras have no colour"
    assert attacks(table="G G", auras="G@0") == ["hold", "attack G aura"]
    assert attacks(table="G G", auras="G@0 R@0") == ["hold"]


def test_auras_are_not_part_of_the_purple_squad() -> None:
    assert attacks(table="P Y Y", auras="R@0 R@0") == ["hold", "attack Y P"]


def test_purple_never_attacks_auras() -> None:
    assert attacks(table="P P P", auras="G@0") == ["hold"]


def test_auras_alone_attack_nobody() -> None:
    assert attacks(table="Y", auras="G@0 G@0 G@0") == ["hold"]


def test_auras_of_another_dimension_are_no_target() -> None:
    assert attacks(table="G G", auras="R@1") == ["hold"]


def test_beaten_stack_loses_its_top_card_as_the_ordinary_card_it_was() -> None:
    game = position("attack", table=["Y Y Y Y", "", ""], auras="B17@0 R@1 G@0 R@0 Y@1", deck="P").do("attack Y aura")
    assert game.auras(0) == ["B17", "G"]
    assert game.auras(1) == ["R", "Y"]
    assert game.pile() == ["R"]
    assert game.dimension(0) == ["Y", "Y", "Y", "Y"]


def test_stack_remembers_its_cards_in_the_order_they_were_laid() -> None:
    """Purple takes a green and then a yellow card; two attacks on the stack give yellow, then green."""
    hands = ["R R R R", "R R R R", "G G G"]
    game = position("attack", hands=hands, table=["P P P P G Y R R R", "", ""], deck="Y Y Y Y Y Y Y Y Y")
    game.do("attack P G")
    for attack, stack in (("attack P Y", ["G", "Y"]), ("attack R aura", ["G"]), ("attack R aura", [])):
        game.s.active = game.s.player = 0
        game.s.phase = 3
        game.do(attack)
        assert game.auras(0) == stack
    assert game.pile() == ["G", "Y"]


# What a blue squad loses


def test_card_a_blue_squad_loses_is_random_over_its_cards() -> None:
    """Two 17s weigh double."""
    start = position("attack", table=["Y Y Y Y Y B2 B17 B17 B29", "B5", ""], deck="P", entities="GBP")
    lost = Counter(start.again(number).do("attack Y B").pile()[0] for number in range(2000))
    assert_fits(lost, {"B2": 1 / 4, "B17": 1 / 2, "B29": 1 / 4})


def test_blue_card_lost_to_purple_is_random_and_remembered_by_its_value() -> None:
    start = position("attack", table=["P P P P B2 B3 B17", "", ""], deck="R")
    lost = Counter(start.again(number).do("attack P B").auras(0)[0] for number in range(1200))
    assert_fits(lost, {"B2": 1 / 3, "B3": 1 / 3, "B17": 1 / 3})


def test_lost_blue_value_no_longer_counts() -> None:
    game = position("attack", table=["Y B17", "", ""], deck="R").do("attack Y B")
    assert game.pile() == ["B17"]
    assert game.s.blue_sum[0] == 0


def test_baseline_blue_squad_loses_a_plain_card() -> None:
    game = position("attack", mode="baseline", table=["Y B B", "", ""], deck="R").do("attack Y B")
    assert game.dimension(0) == ["Y", "B"]
    assert game.pile() == ["B"]
