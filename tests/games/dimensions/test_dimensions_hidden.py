"""What is hidden: `observe` shows no more than a player may see, `conceal` deals the rest anew, fairly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Any

import pytest
from dimensions_position import Position, assert_fits, count_cards, deal, position, uniform

from playmill.games.dimensions.config import ANOMALY_NAMES

TINY: dict[str, Any] = {"cards_per_faction": 2, "blue_values": [2, 3], "hand_size": 2, "mode": "epic"}


def under_way(games: int, **numbers: Any) -> Iterator[Position]:
    """Every decision of some random games."""
    for number in range(games):
        choose = random.Random(number)
        game = deal(number, **numbers)
        while game.phase != "over":
            yield game
            game.do_id(choose.choice(game.legal_ids()))


def arrangement(game: Position) -> tuple[object, ...]:
    """Where every hidden card is."""
    hands = tuple(tuple(game.hand(player)) for player in range(game.players))
    return hands, tuple(game.s.committed), tuple(game.deck())


# What a player sees


SEEN = {
    "own hand": ({"hands": ["R", "G", "Y"]}, {"hands": ["P", "G", "Y"]}),
    "own anomaly": ({"hands": ["wormhole", "G", "Y"]}, {"hands": ["big_bang", "G", "Y"]}),
    "others' hand sizes": ({"hands": ["R", "G", "Y"]}, {"hands": ["R", "G G", "Y"]}),
    "size of the deck": ({"deck": "R"}, {"deck": "R R"}),
    "table": ({"table": ["G", "", ""]}, {"table": ["", "G", ""]}),
    "blue values on the table": ({"table": ["B2", "", ""]}, {"table": ["B3", "", ""]}),
    "pile": ({"pile": "R"}, {"pile": "G"}),
    "anomalies in the pile": ({"pile": "wormhole"}, {"pile": "big_bang"}),
    "faces of the Auras": ({"auras": "R@0"}, {"auras": "G@0"}),
    "order of the Auras": ({"auras": "R@0 G@0"}, {"auras": "G@0 R@0"}),
    "place of the Auras": ({"auras": "R@0"}, {"auras": "R@1"}),
    "Spiral": ({"spiral": "RGYBP"}, {"spiral": "RGYPB"}),
    "Entities": ({"entities": "GYP"}, {"entities": "GPY"}),
    "Captain": ({"entities": "RGY", "captain": 0}, {"entities": "RGY", "captain": 1}),
    "whose turn": ({"active": 0}, {"active": 1}),
    "final turn": ({"last_taker": 0}, {"last_taker": 0, "final": True}),
    "loop": ({}, {"loop": True}),
    "who took the last card": ({"last_taker": 1}, {"last_taker": 2}),
    "hands known to be anomalies": ({"hands": ["", "wormhole"]}, {"hands": ["", "wormhole"], "known": {1: 1}}),
}


@pytest.mark.parametrize("thing", SEEN)
def test_player_sees(thing: str) -> None:
    one, other = SEEN[thing]
    assert position("move", **one).observation(0) != position("move", **other).observation(0)


def test_player_sees_neither_others_hands_nor_the_order_of_the_deck() -> None:
    one = position("move", hands=["R", "G wormhole", "Y B2"], deck="P B3")
    other = position("move", hands=["R", "Y B3", "P G"], deck="wormhole B2")
    assert one.observation(0) == other.observation(0)
    assert one.observation(1) != other.observation(1)


def test_player_does_not_see_others_battle_cards_before_the_reveal() -> None:
    one = position("battle", hands=["", "", "G"], committed={0: "R", 1: "Y"})
    other = position("battle", hands=["", "", "G"], committed={0: "P", 1: "B2"})
    assert one.observation(2) == other.observation(2)
    assert one.observation(0) != other.observation(0)


# What conceal keeps


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("mode", ["baseline", "epic"])
def test_conceal_changes_only_others_hands_battle_cards_and_the_deck(players: int, mode: str) -> None:
    for step, game in enumerate(under_way(3, players=players, mode=mode, anomalies_in_deck=3)):
        looker = step % players
        guess = game.again(step).conceal(looker)
        before, after = game.source[0].copy(), guess.source[0].copy()
        for record in (before, after):
            record["deck"] = 0
            for name in ("hand", "hand_kinds", "hand_anomalies", "committed"):
                record[name][[seat for seat in range(players) if seat != looker]] = 0
        assert before == after
        assert guess.observation(looker) == game.observation(looker)
        if looker == game.s.player:
            assert guess.legal_ids() == game.legal_ids()


@pytest.mark.parametrize("players", [3, 5])
def test_conceal_deals_out_the_very_cards_that_are_unseen(players: int) -> None:
    for step, game in enumerate(under_way(4, players=players, anomalies_in_deck=2)):
        guess = game.again(step).conceal(step % players)
        before, after = count_cards(game), count_cards(guess)
        for name in ANOMALY_NAMES:
            del before[name], after[name]
        assert before == after
        assert len(guess.deck()) == len(game.deck())
        for seat in range(players):
            assert len(guess.hand(seat)) == guess.s.hand_size[seat] == game.s.hand_size[seat]
            assert bool(guess.s.committed[seat]) == bool(game.s.committed[seat])
            kinds = sum(1 << kind for kind in range(guess.cfg.kinds) if guess.s.hand[seat, kind])
            assert guess.s.hand_kinds[seat] == kinds


def test_conceal_keeps_the_number_of_anomalies_and_those_that_were_shown() -> None:
    for step, game in enumerate(under_way(12, anomalies_in_deck=3)):
        guess = game.again(step).conceal(step % 3)
        before = {card for card in count_cards(game) if card in ANOMALY_NAMES}
        after = {card for card in count_cards(guess) if card in ANOMALY_NAMES}
        shown = {name for number, name in enumerate(ANOMALY_NAMES) if game.s.shown_anomalies >> number & 1}
        assert len(before) == len(after) == 3
        assert shown <= after


def test_conceal_depends_on_its_luck_alone() -> None:
    start = position("move", hands=["R R", "G Y", "P Y"], deck="B2 B3 G", **TINY)
    assert arrangement(start.again(1).conceal(0)) == arrangement(start.again(1).conceal(0))
    assert len({arrangement(start.again(number).conceal(0)) for number in range(30)}) > 15


# What conceal deals, as often as it should


def guesses(start: Position, player: int, games: int, part: Callable[[Position], object] = arrangement) -> Counter[Any]:
    """How often conceal deals each arrangement."""
    return Counter(part(start.again(number).conceal(player)) for number in range(games))


def unseen_by_0(game: Position) -> str:
    """The cards player 0 does not see, in the order of their places."""
    return " ".join([*game.hand(1), *game.hand(2), *game.deck()])


@pytest.mark.parametrize("truth", [("G", "Y", "P B2"), ("B2", "P", "Y G")])
def test_every_arrangement_of_unseen_cards_is_equally_likely_whatever_the_truth(truth: tuple[str, str, str]) -> None:
    start = position("move", hands=["R", *truth[:2]], deck=truth[2], **TINY)
    cells = [" ".join(cards) for cards in permutations(["G", "Y", "P", "B2"])]
    assert_fits(guesses(start, 0, 1800, unseen_by_0), uniform(cells))


def test_arrangements_of_equal_cards_are_weighed_by_cards() -> None:
    """Player 1's two cards are any two of G G Y P: one hand in six is G G, none of the others is rarer."""
    start = position("move", hands=["R", "G Y"], deck="G P", **TINY)
    hands = guesses(start, 0, 1800, lambda game: " ".join(game.hand(1)))
    assert_fits(hands, {"G G": 1 / 6, "G Y": 2 / 6, "G P": 2 / 6, "Y P": 1 / 6})


def test_unseen_anomaly_lies_in_any_unseen_place_and_is_any_of_the_pool() -> None:
    start = position("move", hands=["R", "G", "wormhole"], deck="Y", anomaly_pool=["wormhole", "big_bang"], **TINY)

    cells = [" ".join(cards) for name in ("wormhole", "big_bang") for cards in permutations(["G", "Y", name])]
    assert_fits(guesses(start, 0, 1200, unseen_by_0), uniform(cells))


def test_unseen_anomaly_is_none_that_the_player_holds_or_has_seen() -> None:
    start = position("move", hands=["wormhole", "time_loop G"], deck="Y", pile="big_bang", anomalies_in_deck=3, **TINY)

    def kind(game: Position) -> str:
        found = set(game.hand(1) + game.deck()) & set(ANOMALY_NAMES)
        assert len(found) == 1
        return found.pop()

    assert_fits(guesses(start, 0, 900, kind), uniform(["entanglement", "black_hole", "time_loop"]))


def test_anomaly_that_was_shown_and_came_back_stays_itself() -> None:
    start = position("move", hands=["R", "G", "Y"], deck="wormhole P", shown="wormhole", **TINY)

    def place(game: Position) -> str:
        places = {"hand 1": game.hand(1), "hand 2": game.hand(2), "top": game.deck()[:1], "bottom": game.deck()[1:]}
        return next(name for name, cards in places.items() if "wormhole" in cards)

    assert_fits(guesses(start, 0, 1000, place), uniform(["hand 1", "hand 2", "top", "bottom"]))


def test_battle_cards_are_guessed_and_are_never_anomalies() -> None:
    """The Time Loop is in one of the two hands or the deck, the four faction cards in any order: 3 · 4! ways."""
    start = position(
        "battle",
        active=0,
        hands=["time_loop", "P", "G"],
        committed={0: "R", 1: "Y"},
        deck="B2",
        anomaly_pool=["time_loop"],
        **TINY,
    )
    assert start.s.player == 2

    def order(game: Position) -> str:
        battle = [game.card(game.s.committed[seat] - 1) for seat in (0, 1)]
        return " ".join([*battle, *game.hand(0), *game.hand(1), *game.deck()])

    unseen = ["R", "Y", "P", "B2", "time_loop"]
    cells = [" ".join(cards) for cards in permutations(unseen) if "time_loop" not in cards[:2]]
    assert len(cells) == 72
    assert_fits(guesses(start, 2, 3600, order), uniform(cells))


def test_own_hand_and_own_battle_card_are_kept() -> None:
    start = position("battle", hands=["R wormhole", "P", "G"], committed={0: "Y"}, deck="B2 G P", **TINY)
    for number in range(100):
        guess = start.again(number).conceal(0)
        assert guess.hand(0) == ["R", "wormhole"]
        assert guess.card(guess.s.committed[0] - 1) == "Y"


def test_player_who_showed_to_hold_only_anomalies_keeps_them() -> None:
    """Player 1 holds one card that is known to be an anomaly; the other anomaly may be anywhere else."""
    start = position(
        "move",
        hands=["R", "wormhole", "G"],
        deck="big_bang Y",
        known={1: 1},
        anomalies_in_deck=2,
        anomaly_pool=["wormhole", "big_bang"],
        **TINY,
    )

    unseen = ["wormhole", "G", "big_bang", "Y"]
    cells = [" ".join(cards) for cards in permutations(unseen) if cards[0] in ("wormhole", "big_bang")]
    assert_fits(guesses(start, 0, 1200, unseen_by_0), uniform(cells))


def test_card_drawn_later_may_be_anything() -> None:
    """Player 1 holds a known anomaly and a card drawn since: the second anomaly is any of the three other cards."""
    start = position(
        "move",
        hands=["R", "wormhole G", "Y"],
        deck="big_bang",
        known={1: 1},
        anomalies_in_deck=2,
        anomaly_pool=["wormhole", "big_bang"],
        **TINY,
    )

    def second(game: Position) -> str:
        mine = [card for card in game.hand(1) if card in ANOMALY_NAMES]
        assert mine
        if len(mine) == 2:
            return "hand 1"
        return "hand 2" if game.hand(2)[0] in ANOMALY_NAMES else "deck"

    assert_fits(guesses(start, 0, 900, second), uniform(["hand 1", "hand 2", "deck"]))


# How a hand becomes known to be anomalies


def test_who_does_not_battle_shows_that_she_holds_only_anomalies() -> None:
    game = position("battle", hands=["R R", "wormhole big_bang", "G"], anomalies_in_deck=2).battle("R", "", "G")
    assert list(game.s.known_anomalies)[:3] == [0, 2, 0]


def test_last_player_who_does_not_battle_shows_it_too() -> None:
    game = position("battle", hands=["R R", "G", "wormhole"]).battle("R", "G", "")
    assert list(game.s.known_anomalies)[:3] == [0, 0, 1]


def test_active_player_who_does_not_battle_shows_it_too() -> None:
    game = position("attack", hands=["R R R R", "wormhole", "G G G G"], last_taker=1).do("hold")
    assert (game.s.active, game.s.player) == (1, 2)
    assert game.s.known_anomalies[1] == 1


def test_who_does_not_reinforce_shows_that_she_holds_only_anomalies() -> None:
    game = position("battle", hands=["R wormhole", "G G", "Y Y"]).battle("R", "G", "Y")
    assert game.phase == "move"
    assert list(game.s.known_anomalies)[:3] == [1, 0, 0]


def test_red_who_skips_shows_that_he_holds_only_anomalies() -> None:
    game = position("reinforce", entities="RGY", hands=["wormhole", "G", "Y"])
    assert game.again(0).do("skip").s.known_anomalies[0] == 1
    assert game.again(0).do("put captain 0").s.known_anomalies[0] == 0


def test_anomaly_played_is_no_longer_known_in_hand() -> None:
    game = position("move", hands=["wormhole big_bang", "G", "Y"], known={0: 2}, anomalies_in_deck=2).do("big_bang")
    assert game.s.known_anomalies[0] == 1


def test_cards_drawn_later_are_not_known() -> None:
    game = position("attack", hands=["wormhole", "G", "Y"], known={0: 1}, deck="R R R P P P P P P P").do("hold")
    assert game.s.known_anomalies[0] == 1
    assert len(game.hand(0)) == 4


def test_player_with_an_empty_hand_shows_nothing() -> None:
    game = position("battle", hands=["R R", "", "G"]).battle("R", "", "G")
    assert game.s.known_anomalies[1] == 0


# What others' decisions tell


@pytest.mark.parametrize("phase", ["battle", "reinforce"])
def test_conceal_leaves_the_player_to_move_a_card_to_choose(phase: str) -> None:
    """Everybody sees who is asked for a battle card or a reinforcement: she holds a faction card."""
    start = position(phase, active=1, hands=["R", "G", "Y"], deck="time_loop P", **TINY)
    for number in range(100):
        assert start.again(number).conceal(0).legal_ids()
