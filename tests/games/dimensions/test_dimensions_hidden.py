"""What is hidden: `observe` shows no more than a player may see, `conceal` deals the rest anew, fairly."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import cycle, permutations
from typing import Any

import numpy as np
import pytest
from dimensions_position import Position, count_cards, deal, position

import hidden_promises
from common.positions import assert_fits, uniform
from playmill import Game
from playmill.engine.lang.rule import SPECTATOR
from playmill.games.dimensions.config import ANOMALY_NAMES
from playmill.games.dimensions.view import view

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
    "how many cards were laid": ({}, {"laid": {1: 2}}),
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


def test_player_does_not_see_who_has_laid_a_battle_card_before_the_reveal() -> None:
    """Battle cards are laid at once: seat 2 must not learn that seat 1, asked before her, could lay none."""
    laid = position("battle", hands=["R R", "Y Y", "G"]).do("play R", "play Y")
    none = position("battle", hands=["R R", "time_loop wormhole", "G"], anomalies_in_deck=2).do("play R")
    assert laid.s.player == none.s.player == 2
    assert laid.observation(2) == none.observation(2)
    assert view(laid.config, laid.source[0], 2, [], "en") == view(none.config, none.source[0], 2, [], "en")
    laid.do("play G")
    none.do("play G")
    assert laid.observation(2) != none.observation(2)


def test_player_sees_what_came_back_by_big_bang() -> None:
    one, other = (position("move", hands=["big_bang", "G"], pile=pile, deck="Y").do("big_bang") for pile in "RP")
    assert one.observation(2) != other.observation(2)


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
            others = [seat for seat in range(players) if seat != looker]
            record["hand_size"][others] += record["committed"][others] != 0
            for name in ("hand", "hand_kinds", "hand_anomalies", "committed", "own_older"):
                record[name][others] = 0
        assert before == after
        assert guess.observation(looker) == game.observation(looker)
        if looker == game.s.player:
            assert guess.legal_ids() == game.legal_ids()


def held(game: Position, seat: int) -> int:
    """The cards a player holds, her battle card as well."""
    return game.s.hand_size[seat] + (game.s.committed[seat] != 0)


def asked_before(game: Position) -> list[int]:
    """Who was asked for a battle card before the player to move."""
    steps = (game.s.player - game.s.active) % game.players if game.phase == "battle" else 0
    return [(game.s.active + step) % game.players for step in range(steps)]


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
            assert len(guess.hand(seat)) == guess.s.hand_size[seat]
            assert held(guess, seat) == held(game, seat)
            if guess.s.committed[seat]:
                assert seat in asked_before(game)
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


@pytest.mark.parametrize("truth", [("R", "G", "Y", "P"), ("P", "Y", "R", "G")])
def test_to_a_spectator_every_arrangement_of_all_hands_is_equally_likely_whatever_the_truth(
    truth: Sequence[str],
) -> None:
    """Nor does what is dealt depend on it: with the same luck it is the same."""
    start = position("move", hands=list(truth[:3]), deck=truth[3], **TINY)
    cells = [" ".join(cards) for cards in permutations(["R", "G", "Y", "P"])]
    found = guesses(start, SPECTATOR, 1800, lambda game: " ".join([*game.hand(0), unseen_by_0(game)]))
    assert_fits(found, uniform(cells))
    other = position("move", hands=["Y", "P", "G"], deck="R", **TINY)
    assert arrangement(other.again(5).conceal(SPECTATOR)) == arrangement(start.again(5).conceal(SPECTATOR))


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
    """Both others held two of the five unseen cards, any two, and laid one of those that is no anomaly.

    So the Time Loop is in the deck in one deal of five and in a hand in two. With it in a hand of two there is one card
    to lay, without it there are two.
    """
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

    chances: Counter[str] = Counter()
    for one, two, three, four, deck in permutations(["R", "Y", "P", "B2", "time_loop"]):
        hands = ((one, two), (three, four))
        ways = [
            f"{mine[i]} {his[j]} {mine[1 - i]} {his[1 - j]} {deck}"
            for mine, his in [hands]
            for i in range(2)
            for j in range(2)
            if "time_loop" not in (mine[i], his[j])
        ]
        for way in ways:
            chances[way] += Fraction(1, 120 * len(ways))
    assert len(chances) == 72
    assert_fits(guesses(start, 2, 3600, order), chances)


def test_player_asked_before_may_have_had_no_battle_card() -> None:
    """Seat 1 holds one unseen card of three: once in three it is the anomaly, and then she has laid nothing."""
    numbers = {**TINY, "anomaly_pool": ["time_loop"]}
    start = position("battle", active=1, hands=["", "G", "P"], deck="Y time_loop", **numbers).do("play G")
    assert start.s.player == 2

    def hand_of_1(game: Position) -> str:
        return f"laid {game.card(game.s.committed[1] - 1)}" if game.s.committed[1] else " ".join(game.hand(1))

    assert_fits(guesses(start, 2, 900, hand_of_1), uniform(["laid G", "laid Y", "time_loop"]))


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


def test_active_player_who_does_not_battle_shows_it_too_when_the_others_reveal() -> None:
    game = position("attack", hands=["R R R R", "wormhole", "G G G G"], last_taker=1).do("hold")
    assert (game.s.active, game.s.player) == (1, 2)
    assert game.s.known_anomalies[1] == 0
    game.battle("R", "", "G")
    assert game.s.known_anomalies[1] == 1


def test_in_a_battle_of_nobody_all_show_that_they_hold_only_anomalies() -> None:
    game = position("attack", hands=["time_loop", "wormhole", ""], last_taker=1, anomalies_in_deck=2).do("hold")
    assert (game.phase, game.s.player) == ("move", 1)
    assert list(game.s.known_anomalies)[:3] == [1, 1, 0]


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


# An anomaly stays in the hand it was drawn into


@pytest.mark.parametrize("laid", [0, 1, 3])
def test_anomaly_is_in_a_hand_as_likely_as_among_all_the_cards_drawn_into_it(laid: int) -> None:
    """Whoever laid faction cards could lay no anomaly: it is one of the cards she has drawn, laid ones counted."""
    start = position("move", hands=["R", "G time_loop", "Y"], deck="P B2", laid={1: laid}, **TINY)

    def place(game: Position) -> str:
        places = {"hand 1": game.hand(1), "hand 2": game.hand(2), "deck": game.deck()}
        return next(name for name, cards in places.items() if set(cards) & set(ANOMALY_NAMES))

    cards = 5 + laid
    assert_fits(guesses(start, 0, 1200, place), {"hand 1": (2 + laid) / cards, "hand 2": 1 / cards, "deck": 2 / cards})


def test_cards_laid_are_counted_while_one_that_was_held_then_may_still_be_held() -> None:
    game = position("battle", hands=["R R R", "G G", "Y"], deck="R R R P P P P P P P").battle("R", "G", "Y")
    assert list(game.s.laid)[:3] == [1, 1, 0]
    game.do("put R 0")
    assert list(game.s.laid)[:3] == [2, 1, 0]
    game.do("stay", "hold").battle("R", "P", "P")
    assert list(game.s.laid)[:3] == [3, 2, 1]


def test_cards_laid_count_no_more_once_all_cards_are_known_to_be_anomalies() -> None:
    game = position("reinforce", entities="RGY", hands=["wormhole", "G", "Y"], laid={0: 2}).do("skip")
    assert game.s.laid[0] == 0


def blind_choices(game: Position) -> list[tuple[int, int]]:
    """What a player does who plays her faction cards without looking, and never an anomaly: action and weight."""
    player = game.s.player
    cards = Counter(card for card in game.hand(player) if card not in ANOMALY_NAMES)
    if game.phase == "battle":
        return [(game.id(f"play {card}"), count) for card, count in cards.items()]
    if game.phase == "reinforce":
        return [(game.id(f"put {card} {player}"), count) for card, count in cards.items()]
    return [(game.id("stay" if game.phase == "move" else "hold"), 1)]


def blind_games(start: Position, turn: int, player: int) -> Iterator[tuple[Position, Fraction]]:
    """All games of such players up to a player's battle card of a turn, with their chances."""
    if game_at(start, turn, player):
        yield start, Fraction(1)
    elif start.phase != "over":
        choices = blind_choices(start)
        for action, weight in choices:
            game = start.again(0)
            game.do_id(action)
            for end, chance in blind_games(game, turn, player):
                yield end, chance * weight / sum(weight for _, weight in choices)


def game_at(game: Position, turn: int, player: int) -> bool:
    return (game.s.turns, game.phase, game.s.player) == (turn, "battle", player)


def test_guesses_are_as_likely_as_the_deals_that_lead_to_what_is_seen() -> None:
    """Every deal of six cards, every way to play them blindly for a turn: what then is true, given what seat 0 sees."""
    truths: dict[tuple[int, ...], Counter[object]] = {}
    examples: dict[tuple[int, ...], Position] = {}
    for cards in permutations(["G", "Y", "P", "B2", "B3", "time_loop"]):
        if cards[0] < cards[1]:  # a hand has no order
            hands, deck = ["R R", " ".join(cards[:2]), ""], " ".join(cards[2:])
            start = position("battle", active=2, hands=hands, deck=deck, anomaly_pool=["time_loop"], **TINY)
            for game, chance in blind_games(start, 2, 0):
                seen = tuple(game.observation(0))
                truths.setdefault(seen, Counter())[arrangement(game)] += chance
                examples.setdefault(seen, game)
    unequal = [seen for seen, ways in truths.items() if len(set(ways.values())) > 1]
    assert len(unequal) > 10
    for seen in sorted(unequal, key=lambda seen: len(truths[seen]))[-2:]:
        total = sum(truths[seen].values())
        assert_fits(guesses(examples[seen], 0, 2000), {way: chance / total for way, chance in truths[seen].items()})


# Big Bang


def after_big_bang(number: int = 0) -> Position:
    """Seat 0 plays Big Bang: G and R come back; the others hold G and Y, a P is in the deck."""
    hands = ["big_bang B2", "G", "Y"]
    game = position("move", hands=hands, pile="G R", deck="P", number=number, anomaly_pool=["big_bang"], **TINY)
    return game.do("big_bang")


def ways_to_deal(returned: Sequence[str], older: Sequence[str], drawn: Sequence[str]) -> Counter[tuple[object, ...]]:
    """How seat 1's and seat 2's hands and the deck can be: all orders of the cards, told apart.

    Each of the two held one card before Big Bang. After it the `drawn` ones went to seat 0, the next to seat 1 and seat
    2, the rest is the deck; by default nobody has drawn.
    """
    ways: Counter[tuple[object, ...]] = Counter()
    cards = [(card, False) for card in older] + [(card, True) for card in returned]
    for order in permutations(cards):
        names = [card for card, _ in order]
        if any(back for _, back in order[:2]) or names[2 : 2 + len(drawn)] != list(drawn):
            continue
        rest = names[2 + len(drawn) :]
        hands = [[names[0]], [names[1]]]
        if drawn:
            hands = [sorted([names[0], *rest[:1]]), sorted([names[1], *rest[1:2]])]
            rest = rest[2:]
        ways[tuple(hands[0]), tuple(hands[1]), tuple(rest)] += 1
    return ways


def hands_and_deck(game: Position) -> tuple[object, ...]:
    return tuple(sorted(game.hand(1))), tuple(sorted(game.hand(2))), tuple(game.deck())


def shares(ways: Counter[Any]) -> dict[Any, Fraction]:
    return {way: Fraction(count, ways.total()) for way, count in ways.items()}


def test_cards_that_came_back_are_in_no_hand_that_was_held_before() -> None:
    game = after_big_bang()
    ways = ways_to_deal(["G", "R"], ["G", "Y", "P"], [])
    assert all("R" not in (*one, *two) for one, two, _ in ways)
    assert_fits(guesses(game, 0, 3000, hands_and_deck), shares(ways))


@pytest.mark.parametrize("drawn", ["G", "R", "P"])
def test_cards_drawn_after_big_bang_may_be_any_that_came_back(drawn: str) -> None:
    """Seat 0 has drawn a card, then seat 1 and seat 2: of their two cards one at least is from before.

    If it is a G, nobody knows whether it came back: the other G may or may not have been in a hand before.
    """
    game = next(game for number in range(20) if drawn in (game := after_big_bang(number).do("hold")).hand(0))
    assert list(game.s.kept)[:3] == [1, 1, 1]
    ways = ways_to_deal(["G", "R"], ["G", "Y", "P"], [drawn])
    assert_fits(guesses(game, 0, 2400, hands_and_deck), shares(ways))


def test_who_plays_after_big_bang_is_taken_to_play_the_oldest_card_first() -> None:
    """Both others hold three cards, two of them from before, and lay the oldest; two came back besides."""
    settings = {**TINY, "anomaly_pool": ["big_bang"], "hand_size": 3, "cards_per_faction": 3, "blue_values": [2, 3, 4]}
    hands = ["big_bang B2 B3 B4", "G Y", "G P"]
    game = position("move", hands=hands, pile="G R R", deck="P P", number=2, **settings).do("big_bang", "hold")
    assert game.s.deck_size == 3
    assert [len(game.hand(seat)) for seat in range(3)] == [3, 3, 3]
    one, two = (next(card for card in hands[seat].split()) for seat in (1, 2))
    game.battle("B2", one, two)
    assert list(game.s.kept)[:3] == [2, 1, 1]

    cards = [(card, False) for card in ("G", "Y", "G", "P", "P", "P")] + [(card, True) for card in ("G", "R", "R")]
    ways: Counter[tuple[object, ...]] = Counter()
    for order in permutations(cards):
        names = [card for card, _ in order]
        if names[0] == one and names[1] == two and not any(back for _, back in order[:4]):
            ways[tuple(sorted([names[2], names[4]])), tuple(sorted([names[3], names[5]]))] += 1
    assert_fits(guesses(game, 0, 3000, lambda game: hands_and_deck(game)[:2]), shares(ways))


def test_no_more_cards_are_kept_than_must_be_whatever_was_played() -> None:
    """One R came back, one did not. Whichever of the two is played first, each may have been held before."""
    game = position(
        "battle", hands=["B2 B3 P", "G Y R", "R P G"], anomaly_pool=["big_bang"], **{**TINY, "hand_size": 3}
    )
    game.s.returned[0] = game.s.older[0] = 1
    for seat, kept in enumerate((3, 2, 2)):
        game.s.kept[seat] = kept
    game.battle("B2", "R", "R")
    assert list(game.s.kept)[:3] == [2, 1, 1]
    assert game.s.older[0] == 0


# What conceal deals does not depend on the truth


def spoil(record: np.void, dice: random.Random) -> None:
    """Cards that lay in the deck before leave no trace there that anybody reads."""
    record["deck"][record["deck_size"] :] = [
        dice.randrange(16) for _ in range(len(record["deck"]) - record["deck_size"])
    ]


FEW: dict[str, Any] = {"cards_per_faction": 4, "blue_values": [1, 3, 24, 30], "hand_size": 3}
CONFIGS: dict[str, dict[str, Any]] = {
    "epic": {},
    "baseline": {"mode": "baseline"},
    "all anomalies": {"anomalies_in_deck": 5},
    "small hands": {"anomalies_in_deck": 3, "hand_size": 2},
    "big bang": {"anomaly_pool": ["big_bang"], "cards_per_faction": 6, "blue_values": [2, 3, 5, 7, 11, 13]},
    "two anomalies come back": {"anomaly_pool": ["big_bang", "time_loop", "wormhole"], "anomalies_in_deck": 3},
    "few cards": {"anomaly_pool": ["wormhole", "black_hole", "big_bang"], "anomalies_in_deck": 3, **FEW},
    "one card in hand": {"hand_size": 1, "anomalies_in_deck": 2, "cards_per_faction": 4, "mode": "baseline"},
}


@pytest.mark.parametrize(("config", "players"), [*zip(CONFIGS, cycle((3, 4, 5)), strict=False)])
def test_promises_in_random_games(dimensions: Game, config: str, players: int) -> None:
    found = hidden_promises.play(dimensions, 4, players=players, config=CONFIGS[config], spoil=spoil, every=5)
    assert found.changed > 0.9 * found.guesses


def test_same_observation_means_the_same_options(dimensions: Game) -> None:
    config = {"cards_per_faction": 1, "hand_size": 1, "mode": "baseline"}
    found = hidden_promises.play(dimensions, 150, config=config, deals=3)
    assert found.repeats > 200
