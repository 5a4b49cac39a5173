"""Components and the deal: the first section of the rules page."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import permutations

import pytest
from dimensions_position import LETTERS, Position, count_cards, deal

from common.positions import assert_fits, uniform
from playmill.games.dimensions.config import ANOMALY_NAMES, Config
from playmill.games.dimensions.constants import CAPTAIN_ABSENT, CAPTAIN_AVAILABLE, NOBODY
from playmill.texts import PlaymillError

SETUPS = 1500


@cache
def many(players: int) -> list[Position]:
    """Epic set-ups, the same for all tests."""
    return [deal(number, players=players) for number in range(SETUPS)]


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("mode", ["baseline", "epic"])
def test_deck_is_eleven_cards_of_each_faction_and_exactly_one_anomaly(players: int, mode: str) -> None:
    for number in range(20):
        game = deal(number, players=players, mode=mode)
        cards = count_cards(game)
        anomalies = [card for card in cards.elements() if card in ANOMALY_NAMES]
        colours = Counter(card[0] for card in cards.elements() if card not in ANOMALY_NAMES)
        assert len(anomalies) == 1
        assert colours == dict.fromkeys(LETTERS, 11)
        assert cards.total() == 56


def test_epic_blue_cards_carry_values_2_3_5_7_11_13_17_17_19_23_29() -> None:
    values = sorted(int(card[1:]) for card in count_cards(deal(mode="epic")).elements() if card[0] == "B")
    assert values == [2, 3, 5, 7, 11, 13, 17, 17, 19, 23, 29]


def test_baseline_blue_cards_are_plain() -> None:
    game = deal(mode="baseline")
    assert count_cards(game)["B"] == 11
    assert not any(game.cfg.value)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_each_player_is_dealt_four_cards(players: int) -> None:
    game = deal(players=players)
    assert [len(game.hand(player)) for player in range(players)] == [4] * players
    assert list(game.s.hand_size) == [4] * players + [0] * (5 - players)
    assert len(game.deck()) == 56 - 4 * players
    assert game.pile() == []
    assert game.table() == [[]] * players


def test_hands_and_deck_come_off_one_shuffled_deck() -> None:
    """The anomaly is any of the 56 cards: in a hand with chance 12/56, and anywhere in the deck."""
    places = Counter()
    for game in many(3):
        deck = game.deck()
        depth = next((place for place, card in enumerate(deck) if card in ANOMALY_NAMES), None)
        places["hand" if depth is None else depth // 11] += 1
    assert_fits(places, {"hand": 12 / 56, **dict.fromkeys(range(4), 11 / 56)})


def test_each_card_of_the_deck_is_as_likely_on_top() -> None:
    tops = Counter(game.deck()[0] for game in many(3))
    colours = Counter()
    for card, count in tops.items():
        colours["anomaly" if card in ANOMALY_NAMES else card[0]] += count
    assert_fits(colours, {"anomaly": 1 / 56, **dict.fromkeys(LETTERS, 11 / 56)})
    blues = {card: count for card, count in tops.items() if card[0] == "B"}
    assert_fits(blues, {f"B{value}": (2 if value == 17 else 1) / 11 for value in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29)})


def test_anomaly_is_drawn_at_random_from_the_five() -> None:
    drawn = Counter(card for game in many(3) for card in count_cards(game) if card in ANOMALY_NAMES)
    assert_fits(drawn, uniform(ANOMALY_NAMES))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_players_get_distinct_random_factions(players: int) -> None:
    seated = Counter()
    for game in many(players):
        factions = [game.s.faction[player] for player in range(players)]
        seated[tuple(factions)] += 1
        owners = [factions.index(faction) if faction in factions else NOBODY for faction in range(5)]
        assert list(game.s.owner) == owners
    assert_fits(seated, uniform(list(permutations(range(5), players))))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_first_player_is_random_and_active(players: int) -> None:
    assert_fits(Counter(game.s.first for game in many(players)), uniform(range(players)))
    for game in many(players)[:50]:
        assert game.s.active == game.s.first
        assert game.s.player == game.s.first
        assert game.phase == "battle"
        assert game.s.turns == 1


def test_spiral_is_a_random_cyclic_order_of_the_five_factions() -> None:
    orders = ["R" + "".join(rest) for rest in permutations("GYBP")]
    assert_fits(Counter(game.spiral() for game in many(3)), uniform(orders))


def test_a_faction_beats_exactly_the_one_right_after_it_in_the_spiral() -> None:
    for game in many(3)[:100]:
        cycle = game.spiral()
        for place, letter in enumerate(cycle):
            assert LETTERS[game.s.prey[LETTERS.index(letter)]] == cycle[(place + 1) % 5]


def test_first_player_faction_and_spiral_do_not_depend_on_each_other() -> None:
    pairs = Counter((game.s.first, LETTERS[game.s.faction[0]], game.s.prey[0]) for game in many(3))
    assert_fits(
        pairs, uniform([(first, letter, prey) for first in range(3) for letter in LETTERS for prey in (1, 2, 3, 4)])
    )


def test_captain_exists_only_in_epic_and_only_when_red_is_a_player() -> None:
    seen = set()
    for number in range(60):
        for mode in ("baseline", "epic"):
            game = deal(number, mode=mode)
            red = game.s.owner[0] != NOBODY
            seen.add((mode, red))
            assert game.s.captain_at == (CAPTAIN_AVAILABLE if mode == "epic" and red else CAPTAIN_ABSENT)
    assert len(seen) == 4


def test_factions_say_who_sits_from_the_first_seat_on_and_the_rest_is_drawn() -> None:
    seated = Counter()
    for number in range(600):
        game = deal(number, factions=["blue", "red"])
        assert [LETTERS[game.s.faction[seat]] for seat in range(2)] == ["B", "R"]
        seated[LETTERS[game.s.faction[2]]] += 1
        assert [game.s.owner[LETTERS.index(letter)] for letter in "BR"] == [1 - 1, 1]
        assert game.s.captain_at == CAPTAIN_AVAILABLE
    assert_fits(seated, uniform("GYP"))
    everybody = deal(3, players=5, factions=["purple", "blue", "yellow", "green", "red"])
    assert list(everybody.s.faction) == [4, 3, 2, 1, 0]


def test_the_spiral_to_start_with_is_a_setting_and_all_else_is_dealt_as_before() -> None:
    game, drawn = deal(7, spiral=["yellow", "red", "blue", "green", "purple"]), deal(7)
    assert game.spiral() == "RBGPY"
    assert (game.deck(), list(game.s.faction), game.s.first) == (drawn.deck(), list(drawn.s.faction), drawn.s.first)
    named = deal(7, factions=["green"])
    assert (named.deck(), named.spiral(), named.s.first) == (drawn.deck(), drawn.spiral(), drawn.s.first)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (['factions=["red","red"]'], "factions: a faction is named twice"),
        (['factions=["pink"]'], "factions.0 is \"pink\"; expected one of 'red', 'green', 'yellow', 'blue' or 'purple'"),
        (['spiral=["red","green"]'], "spiral: expected all five factions, each once, or none"),
        (["tie_break=coin"], "tie_break is \"coin\"; expected one of 'spiral', 'unbeaten' or 'lot'"),
    ],
)
def test_who_sits_and_the_spiral_are_checked(changes: list[str], told: str) -> None:
    with pytest.raises(PlaymillError) as error:
        Config().changed(changes)
    assert told in error.value.text.en


def test_more_factions_than_players_are_refused() -> None:
    with pytest.raises(PlaymillError, match="factions names 4 for 3 players"):
        Config(factions=["red", "green", "blue", "yellow"]).pack(3)


def test_same_seed_and_number_deal_the_same_game() -> None:
    assert deal(7).source.tobytes() == deal(7).source.tobytes()
    assert deal(7).source.tobytes() != deal(8).source.tobytes()


@pytest.mark.parametrize("players", [3, 4, 5])
def test_cards_per_faction_blue_values_and_hand_size_are_config(players: int) -> None:
    game = deal(players=players, cards_per_faction=6, blue_values=[1, 1, 1, 2, 5, 9], hand_size=5, anomalies_in_deck=0)
    cards = count_cards(game)
    assert cards == {"R": 6, "G": 6, "Y": 6, "P": 6, "B1": 3, "B2": 1, "B5": 1, "B9": 1}
    assert [len(game.hand(player)) for player in range(players)] == [5] * players


def test_anomalies_in_deck_are_different_ones_of_the_pool() -> None:
    pairs = Counter()
    pool = ["wormhole", "big_bang", "time_loop"]
    for number in range(600):
        cards = count_cards(deal(number, anomalies_in_deck=2, anomaly_pool=pool))
        assert cards.total() == 57
        pairs[frozenset(card for card in cards if card in ANOMALY_NAMES)] += 1
    assert_fits(pairs, uniform([frozenset(pool) - {name} for name in pool]))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_deck_out_of_which_all_hands_could_be_anomalies_is_refused(players: int) -> None:
    """Such a game could begin with nobody able to do anything, and never end."""
    numbers = {"hand_size": 1, "cards_per_faction": 11}
    for anomalies in range(6):
        if anomalies >= players:
            with pytest.raises(PlaymillError):
                Config(anomalies_in_deck=anomalies, **numbers).pack(players)
        else:
            Config(anomalies_in_deck=anomalies, **numbers).pack(players)


def test_deck_that_the_deal_would_use_up_is_refused() -> None:
    numbers = {"cards_per_faction": 3, "blue_values": [1, 2, 3], "anomalies_in_deck": 1, "hand_size": 4}
    assert len(deal(players=3, **numbers).deck()) == 4
    with pytest.raises(PlaymillError):
        deal(players=4, **numbers)
