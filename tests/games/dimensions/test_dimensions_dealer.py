"""The agent `dealer`, sentence by sentence: its choices in hand-made positions against the page's chances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations

import numpy as np
import pytest
from dimensions_position import LETTERS, SEED, Position, deal, position

from common.positions import assert_fits, uniform
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SEATS, AgentRng, seed_agent_rng
from playmill.engine.lang.rule import interpreted
from playmill.games.dimensions.agents import AGENTS

CHOICES = 3000

_dealer = interpreted(AGENTS["dealer"].choose)
_seed_agent_rng = interpreted(seed_agent_rng)
_PARAMS = np.dtype([("value", np.float64, (SEATS, 8))])
_DEFAULTS = {name: parameter.default for name, parameter in AGENTS["dealer"].parameters.items()}


def choices(game: Position, count: int = CHOICES, **changed: float) -> Counter[str]:
    """What the dealer to move chooses, over and over."""
    params = np.zeros(1, _PARAMS)
    values = list((_DEFAULTS | changed).values())
    params["value"][0, :, : len(values)] = values
    agent_rng = plain(np.zeros(1, AgentRng))[0]
    _seed_agent_rng(agent_rng, SEED, 0)
    view = plain(params)[0]
    legal = game.legal_ids()
    found = Counter(_dealer(game.cfg, game.s, game.options, len(legal), agent_rng, view) for _ in range(count))
    assert set(found) <= set(legal)
    return Counter({game.text(action): times for action, times in found.items()})


def chances(*parts: tuple[float, Mapping[str, float]]) -> dict[str, float]:
    """A mixture: each part with its weight."""
    total: dict[str, float] = {}
    for weight, part in parts:
        for option, chance in part.items():
            total[option] = total.get(option, 0) + weight * chance
    return total


def test_parameters_are_the_numbers_of_the_page() -> None:
    assert _DEFAULTS == {"captain": 0.3, "anomaly": 0.5, "without": 0, "place": 0}
    words = {name: parameter.words[0] for name, parameter in AGENTS["dealer"].parameters.items() if parameter.words}
    assert words == {"without": "nothing", "place": "own"}


# Battle


def test_battle_is_uniform_over_distinct_kinds_not_weighted_by_how_many() -> None:
    game = position("battle", hands=["R R R G B17 B17 B2 wormhole", "R", "R"], hand_size=8)
    assert_fits(choices(game), uniform(["play R", "play G", "play B2", "play B17"]))


def test_baseline_battle_takes_blue_as_one_kind() -> None:
    game = position("battle", mode="baseline", hands=["B B B P", "R", "R"])
    assert_fits(choices(game), uniform(["play B", "play P"]))


# Reinforce


def test_reinforce_is_a_uniform_kind_then_a_uniform_dimension() -> None:
    game = position("reinforce", entities="GYPB", hands=["R R R B17 B17 B2 time_loop"], hand_size=7)
    cells = [f"put {card} {dimension}" for card in ("R", "B2", "B17") for dimension in range(4)]
    assert_fits(choices(game), uniform(cells))


def test_red_places_the_captain_in_his_own_dimension_with_probability_0_3() -> None:
    game = position("reinforce", entities="GRY", active=1, hands=["", "R R G"])
    cards = uniform([f"put {card} {dimension}" for card in ("R", "G") for dimension in range(3)])
    assert_fits(choices(game), chances((0.3, {"put captain 1": 1}), (0.7, cards)))


def test_red_holding_no_faction_card_places_the_captain_with_probability_0_3_else_nothing() -> None:
    game = position("reinforce", entities="GYR", active=2, hands=["", "", "time_loop"])
    assert_fits(choices(game), {"put captain 2": 0.3, "skip": 0.7})


def test_red_whose_captain_is_placed_reinforces_like_others() -> None:
    game = position("reinforce", entities="RGY", captain=2, hands=["R G"])
    assert_fits(choices(game), uniform([f"put {card} {dimension}" for card in ("R", "G") for dimension in range(3)]))


def test_others_never_place_the_captain() -> None:
    game = position("reinforce", entities="RGY", active=1, hands=["", "R G"])
    assert_fits(choices(game), uniform([f"put {card} {dimension}" for card in ("R", "G") for dimension in range(3)]))


def test_chance_to_place_the_captain_is_a_parameter() -> None:
    game = position("reinforce", entities="RGY", hands=["R"])
    assert choices(game, 50, captain=1.0) == {"put captain 0": 50}
    assert not any("captain" in option for option in choices(game, 50, captain=0.0))


@pytest.mark.parametrize(("place", "dimensions"), [("own", "1"), ("any", "012"), ("other", "02")])
def test_where_the_captain_is_placed_is_a_parameter(place: str, dimensions: str) -> None:
    game = position("reinforce", entities="GRY", active=1, hands=["", "R"])
    wanted = AGENTS["dealer"].parameters["place"].read(place)
    assert wanted is not None
    assert_fits(choices(game, captain=1.0, place=wanted), uniform([f"put captain {one}" for one in dimensions]))


# Phase 3: the anomaly


def test_half_of_the_time_an_anomaly_is_tried_and_without_one_nothing_is_done() -> None:
    """The other half moves the only card: to each of three Dimensions, the same one being nothing."""
    game = position("move", hands=["R"], table=["", "G", ""])
    assert_fits(choices(game), {"stay": 1 / 2 + 1 / 6, "move G 1 0": 1 / 6, "move G 1 2": 1 / 6})


def test_moving_a_card_when_no_anomaly_is_held_is_a_parameter() -> None:
    game = position("move", hands=["R"], table=["", "G", ""])
    wanted = AGENTS["dealer"].parameters["without"].read("move")
    assert wanted is not None
    assert_fits(choices(game, without=wanted), MOVES_OF_ONE_CARD)
    tried = position("move", hands=["wormhole time_loop"], anomalies_in_deck=2)
    assert_fits(choices(tried, without=wanted), {"time_loop": 1 / 4, "stay": 3 / 4})


MOVES_OF_ONE_CARD = {"stay": 1 / 3, "move G 1 0": 1 / 3, "move G 1 2": 1 / 3}


@pytest.mark.parametrize(
    ("anomaly", "targets"),
    [
        ("entanglement", [f"entanglement {one} {other}" for one, other in combinations(LETTERS, 2)]),
        ("wormhole", ["wormhole G 1 0", "wormhole G 1 2"]),
        ("black_hole", ["black_hole G 1", "black_hole aura 0"]),
        ("big_bang", ["big_bang"]),
        ("time_loop", ["time_loop"]),
    ],
)
def test_anomaly_tried_has_a_uniform_target(anomaly: str, targets: list[str]) -> None:
    game = position("move", hands=[f"R {anomaly}"], table=["", "G", ""], auras="R@0 R@0")
    assert_fits(choices(game), chances((1 / 2, uniform(targets)), (1 / 2, MOVES_OF_ONE_CARD)))


def test_anomaly_is_uniform_among_those_held_whatever_the_number_of_their_targets() -> None:
    game = position("move", hands=["entanglement black_hole time_loop"], table=["", "G", ""], anomalies_in_deck=3)
    pairs = uniform([f"entanglement {one} {other}" for one, other in combinations(LETTERS, 2)])
    tried = chances((1 / 3, pairs), (1 / 3, {"black_hole G 1": 1}), (1 / 3, {"time_loop": 1}))
    assert_fits(choices(game), chances((1 / 2, tried), (1 / 2, MOVES_OF_ONE_CARD)))


@pytest.mark.parametrize("anomaly", ["wormhole", "black_hole"])
def test_anomaly_without_a_target_is_nothing_and_no_other_is_tried(anomaly: str) -> None:
    """The table is empty, so the other half does nothing either."""
    game = position("move", hands=[f"{anomaly} time_loop"], anomalies_in_deck=2)
    assert_fits(choices(game), {"time_loop": 1 / 4, "stay": 3 / 4})


def test_anomalies_of_others_are_not_tried() -> None:
    game = position("move", hands=["R", "big_bang time_loop"], table=["", "G", ""])
    assert_fits(choices(game), {"stay": 2 / 3, "move G 1 0": 1 / 6, "move G 1 2": 1 / 6})


def test_chance_to_try_an_anomaly_is_a_parameter() -> None:
    game = position("move", hands=["big_bang"], table=["", "G", ""])
    assert choices(game, 50, anomaly=1.0) == {"big_bang": 50}
    assert_fits(choices(game, 900, anomaly=0.0), MOVES_OF_ONE_CARD)


# Phase 3: the move


def test_move_is_a_uniform_dimension_then_a_uniform_colour_then_a_uniform_destination() -> None:
    """Dimension 0: three green and one yellow; Dimension 2: one purple. The number of cards has no weight."""
    game = position("move", table=["G G G Y", "", "P"])
    first = uniform(["move G 0 1", "move G 0 2", "stay", "move Y 0 1", "move Y 0 2", "stay too"])
    first["stay"] += first.pop("stay too")
    third = uniform(["move P 2 0", "move P 2 1", "stay"])
    assert_fits(choices(game, anomaly=0.0), chances((1 / 2, first), (1 / 2, third)))


def test_move_of_blue_is_a_uniform_card() -> None:
    """One of three cards: the 2 once, the 17 twice; and blue is one colour beside red."""
    game = position("move", table=["B2 B17 B17 R", "", ""])
    blue = chances(
        (1 / 3, {"stay": 1}),
        *((1 / 3, {f"move B2 0 {target}": 1 / 3, f"move B17 0 {target}": 2 / 3}) for target in (1, 2)),
    )
    red = uniform(["stay", "move R 0 1", "move R 0 2"])
    assert_fits(choices(game, anomaly=0.0), chances((1 / 2, blue), (1 / 2, red)))


def test_captain_and_auras_do_not_count_as_cards_of_a_dimension() -> None:
    """Dimension 0 has the Captain alone, Dimension 2 Auras alone: only Dimension 1 has a faction card."""
    game = position("move", entities="RGY", captain=0, table=["", "G", ""], auras="R@2 R@2")
    assert_fits(choices(game, anomaly=0.0), MOVES_OF_ONE_CARD)


def test_captain_and_auras_do_not_count_as_colours() -> None:
    game = position("move", entities="RGY", captain=1, table=["", "G", ""], auras="R@1 R@1")
    assert_fits(choices(game, anomaly=0.0), MOVES_OF_ONE_CARD)


def test_captain_is_never_moved() -> None:
    game = position("move", entities="RGY", captain=1, table=["", "R", ""])
    assert_fits(choices(game, anomaly=0.0), uniform(["stay", "move R 1 0", "move R 1 2"]))


def test_destination_is_uniform_among_all_dimensions() -> None:
    game = position("move", entities="RGYBP", captain=1, table=["", "", "", "P", ""])
    assert_fits(choices(game, anomaly=0.0), uniform(["stay", *(f"move P 3 {target}" for target in (0, 1, 2, 4))]))


# Attack


def test_attack_is_a_uniform_colour_then_a_uniform_other_colour_and_nothing_if_it_does_not_win() -> None:
    """Two reds, one green, one blue: red wins against both, green and blue against nobody."""
    game = position("attack", table=["R R G B2", "", ""], spiral="RGYBP")
    red = uniform(["attack R G", "attack R B"])
    assert_fits(choices(game), chances((1 / 3, red), (2 / 3, {"hold": 1})))


def test_attack_that_wins_by_the_spiral_is_made() -> None:
    """Green beats yellow, yellow beats blue, blue does not touch green."""
    game = position("attack", table=["G Y B2", "", ""], spiral="RGYBP")
    assert_fits(choices(game), {"attack G Y": 1 / 6, "attack Y B": 1 / 6, "hold": 4 / 6})


def test_auras_are_one_more_target_unless_the_attacker_is_purple() -> None:
    """Yellow: purple or Auras, both won. Purple: yellow only, lost."""
    game = position("attack", table=["Y Y Y P P", "", ""], auras="R@0 R@0")
    assert_fits(choices(game), {"attack Y P": 1 / 4, "attack Y aura": 1 / 4, "hold": 1 / 2})


def test_purple_attacker_does_not_choose_auras_even_in_vain() -> None:
    """Purple: yellow for certain, won. Yellow: purple or Auras, both lost."""
    game = position("attack", table=["P P P Y", "", ""], auras="R@0")
    assert_fits(choices(game), {"attack P Y": 1 / 2, "hold": 1 / 2})


def test_auras_not_beaten_are_chosen_in_vain() -> None:
    game = position("attack", table=["Y Y Y P P", "", ""], auras="R@0 R@0 R@0")
    assert_fits(choices(game), {"attack Y P": 1 / 4, "hold": 3 / 4})


def test_auras_are_attacked_by_a_colour_that_is_alone() -> None:
    game = position("attack", table=["Y Y", "", ""], auras="R@0")
    assert choices(game, 50) == {"attack Y aura": 50}


def test_auras_of_other_dimensions_are_no_targets() -> None:
    game = position("attack", table=["Y Y P", "", ""], auras="R@1")
    assert_fits(choices(game), {"attack Y P": 1 / 2, "hold": 1 / 2})


def test_captain_counts_as_a_red_attacker() -> None:
    """The Captain alone is red's squad, and red beats green; green's attack on a lone Captain changes nothing."""
    game = position("attack", entities="RGY", captain=0, table=["G G", "", ""], spiral="RGYBP")
    assert_fits(choices(game), {"attack R G": 1 / 2, "hold": 1 / 2})


def test_captain_elsewhere_does_not_count() -> None:
    game = position("attack", entities="RGY", captain=1, table=["G G Y", "", ""], spiral="RGYBP")
    assert_fits(choices(game), {"attack G Y": 1 / 2, "hold": 1 / 2})


def test_captain_counts_as_a_target_colour_though_it_cannot_be_hurt() -> None:
    """Yellow chooses between the Captain (in vain) and blue; blue and the Captain win nothing."""
    game = position("attack", entities="RGY", captain=0, table=["Y Y Y B2", "", ""], spiral="RGYBP")
    assert_fits(choices(game), {"attack Y B": 1 / 6, "hold": 5 / 6})


# Fairness


def test_dealer_looks_at_nothing_its_player_may_not_see() -> None:
    """It is handed the true state (`honest`), so the same luck must give the same choice whatever others hold."""
    assert AGENTS["dealer"].honest
    for number in range(6):
        game = deal(number, anomalies_in_deck=3)
        while game.phase != "over":
            legal = game.legal()
            guess = game.again(number).conceal(game.s.player)
            assert choices(game, 3) == choices(guess, 3)
            game.do(legal[(number * 7 + len(legal) // 2) % len(legal)])
