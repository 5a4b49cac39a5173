"""Phase 1: battle."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from dimensions_position import LETTERS, Position, position

from playmill.engine.lang.rule import interpreted
from playmill.games.dimensions import constants
from playmill.games.dimensions.rules import spiral

battle_winner = interpreted(spiral.battle_winner)


def page_winners(colours: set[str], spiral: str) -> set[str]:
    """The colours that win by the words of the page."""
    if len(colours) == 1:
        return colours
    prey = {letter: spiral[(place + 1) % 5] for place, letter in enumerate(spiral)}
    return {
        colour
        for colour in colours
        if any(prey[colour] == other for other in colours) and not any(prey[other] == colour for other in colours)
    }


def test_every_set_of_colours_in_every_spiral_has_the_winner_of_the_page() -> None:
    sets = [set(chosen) for size in range(1, 6) for chosen in combinations(LETTERS, size)]
    for rest in permutations("GYBP"):
        spiral = "R" + "".join(rest)
        s = position("battle", spiral=spiral, hands=["G"]).s
        for colours in sets:
            winners = page_winners(colours, spiral)
            found = battle_winner(s, sum(1 << LETTERS.index(colour) for colour in colours))
            assert len(winners) <= 1
            assert ({LETTERS[found]} if found != constants.NOBODY else set()) == winners


def test_one_colour_wins_and_each_card_goes_to_its_players_own_dimension() -> None:
    game = position("battle", hands=["G G", "G R", "G"], active=1).battle("G", "G", "G")
    assert game.table() == [["G"], ["G"], ["G"]]
    assert game.pile() == []


def test_colour_that_beats_one_and_is_unbeaten_wins_the_others_go_to_the_black_hole() -> None:
    game = position("battle", hands=["G", "R G", "P"], spiral="RGYBP", entities="GYB").battle("G", "R", "P")
    assert game.table() == [[], [], ["P"]]
    assert game.pile() == ["R", "G"]


def test_colour_that_beats_one_but_is_beaten_does_not_win() -> None:
    """Red beats green, green beats yellow: red is the only one that beats and is unbeaten."""
    game = position("battle", hands=["G", "R R", "Y"], active=1).battle("G", "R", "Y")
    assert game.table() == [[], ["R"], []]
    assert game.pile() == ["G", "Y"]


def test_colour_that_beats_nobody_does_not_win_though_unbeaten() -> None:
    """Red and yellow do not touch in the Spiral: nobody wins."""
    game = position("battle", hands=["R G", "Y", "R"]).battle("R", "Y", "R")
    assert game.table() == [[], [], []]
    assert game.pile() == ["R", "R", "Y"]


def test_nobody_wins_when_every_colour_is_beaten() -> None:
    game = position("battle", entities="GYPBR", hands=["R", "G R", "Y", "B2", "P"], active=1)
    game.battle("R", "G", "Y", "B2", "P")
    assert game.table() == [[], [], [], [], []]
    assert game.pile() == ["R", "G", "Y", "P", "B2"]


def test_each_card_of_the_winning_colour_wins_not_only_one() -> None:
    game = position("battle", entities="GYPB", hands=["R G", "R", "G", "R"]).battle("R", "R", "G", "R")
    assert game.table() == [["R"], ["R"], [], ["R"]]
    assert game.pile() == ["G"]


def test_blue_cards_of_different_values_are_one_colour() -> None:
    game = position("battle", hands=["B2 G", "B29", "P"]).battle("B2", "B29", "P")
    assert game.table() == [["B2"], ["B29"], []]
    assert game.pile() == ["P"]
    assert list(game.s.blue_sum)[:3] == [2, 29, 0]


def test_swapping_the_spiral_swaps_the_winner() -> None:
    game = position("battle", hands=["R G", "G", "G"], spiral="GRYBP").battle("R", "G", "G")
    assert game.table() == [[], ["G"], ["G"]]
    assert game.pile() == ["R"]


def test_options_are_each_kind_of_faction_card_held_once() -> None:
    game = position("battle", hands=["R R G B17 B17 B2 wormhole", "G", "G"], hand_size=8)
    assert game.legal() == ["play R", "play G", "play B2", "play B17"]


def test_baseline_blue_is_one_kind() -> None:
    game = position("battle", mode="baseline", hands=["B B P", "G", "G"])
    assert game.legal() == ["play B", "play P"]


def test_anomalies_never_battle_and_stay_in_hand() -> None:
    game = position("battle", hands=["R big_bang G", "wormhole P P", "G G"])
    assert game.legal() == ["play R", "play G"]
    game.battle("R", "P", "G")
    assert [game.hand(player) for player in range(3)] == [["G", "big_bang"], ["P", "wormhole"], ["G"]]


def test_every_player_who_holds_a_faction_card_plays_from_the_active_one_on() -> None:
    game = position("battle", hands=["R R", "G", "Y"], active=2)
    asked = []
    while game.phase == "battle":
        asked.append(game.s.player)
        game.do(game.legal()[0])
    assert asked == [2, 0, 1]


@pytest.mark.parametrize(
    ("hands", "active", "asked"),
    [
        (["R", "wormhole", "G"], 0, [0, 2]),
        (["wormhole", "R", "G"], 0, [1, 2]),
        (["R", "G", "wormhole"], 0, [0, 1]),
        (["R", "", "wormhole"], 2, [0]),
    ],
)
def test_who_holds_no_faction_card_does_not_battle(hands: list[str], active: int, asked: list[int]) -> None:
    game = position("battle", hands=hands, active=active)
    found = []
    while game.phase == "battle":
        found.append(game.s.player)
        game.do(game.legal()[0])
    assert found == asked


def test_single_card_wins_alone() -> None:
    game = position("battle", hands=["time_loop", "R", ""]).battle("", "R", "")
    assert game.table() == [[], ["R"], []]
    assert game.pile() == []


def test_battle_of_nobody_is_skipped() -> None:
    """The turn before ends; the next player and all others hold no faction card and the deck is empty."""
    game = position("attack", hands=["", "wormhole", ""], last_taker=1).do("hold")
    assert game.s.active == 1
    assert game.phase == "move"
    assert game.table() == [[], [], []]


def test_battle_cards_lie_hidden_until_the_last_is_played() -> None:
    game = position("battle", hands=["R R", "G", "Y"]).do("play R", "play G")
    assert game.phase == "battle"
    assert game.table() == [[], [], []]
    assert game.pile() == []
    assert game.hand(0) == ["R"]
    game.do("play Y")
    assert game.phase == "reinforce"
    assert game.pile() == ["G", "Y"]


def test_nobody_sees_what_the_others_have_played_before_the_reveal() -> None:
    def before_the_last(cards: str) -> Position:
        game = position("battle", hands=["R Y P", "G R Y", "Y B2"])
        return game.do(*(f"play {card}" for card in cards.split()))

    seen = [before_the_last(cards).observation(2) for cards in ("R G", "Y G", "P R", "P Y")]
    assert all(other == seen[0] for other in seen)


def test_own_battle_card_is_seen_by_its_player() -> None:
    game = position("battle", hands=["R Y", "G", "Y"])
    assert game.again(0).do("play R").observation(0) != game.again(0).do("play Y").observation(0)


def test_after_the_battle_the_active_player_reinforces() -> None:
    game = position("battle", hands=["R R", "G G", "Y Y"], active=1).battle("R", "G", "Y")
    assert (game.phase, game.s.player, game.s.active) == ("reinforce", 1, 1)
