"""What a player of Grid sees and does not: only the order of the deck is hidden."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, permutations

import numpy as np
import pytest
from grid_position import Position, deal, deck_of, off, position, reward_of, rules_of
from scipy.stats import chi2, chisquare

import hidden_promises
from playmill import load_game

EASY = (*deck_of([1], 5, 18), *reward_of(J=9, G=8))


def under_way(number: int, players: int, changes: tuple[str, ...] = ()) -> Iterator[Position]:
    """A random game, before each decision and at the end."""
    game = deal(number, players=players, changes=changes)
    dice = random.Random(number)
    while game.s.player >= 0:
        yield game
        game.do_id(dice.choice(game.legal_ids()))
    yield game


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("changes", [(), EASY])
def test_conceal_changes_the_order_of_the_deck_and_nothing_else(players: int, changes: tuple[str, ...]) -> None:
    for step, game in enumerate(under_way(players, players, changes)):
        guess = game.again(step).conceal(step % players)
        before, after = game.source[0].copy(), guess.source[0].copy()
        size = game.s.deck_size
        assert sorted(before["deck"][:size]) == sorted(after["deck"][:size])
        before["deck"] = after["deck"] = 0
        assert before == after
        assert guess.legal_ids() == game.legal_ids()
        for seat in range(players):
            assert guess.observation(seat) == game.observation(seat)


@pytest.mark.parametrize("truth", ["1a 2b 3c 4d", "4d 2b 1a 3c"])
def test_conceal_makes_every_order_of_the_deck_equally_likely_whatever_the_true_one(truth: str) -> None:
    game = position(place="6e", deck=truth)
    seen = Counter(" ".join(game.again(number).conceal(number % 2).deck()) for number in range(3600))
    orders = [" ".join(cards) for cards in permutations(truth.split())]
    assert set(seen) == set(orders)
    assert chisquare([seen[order] for order in orders]).pvalue > 1e-3


def test_every_card_is_equally_likely_in_every_place_of_a_large_deck() -> None:
    game = position(place="6e", deck=60)
    counts = np.zeros((60, 60), int)
    cards = sorted(game.s.deck[:60])
    for number in range(3000):
        guess = game.again(number).conceal(0)
        for place, card in enumerate(guess.s.deck[:60]):
            counts[place, cards.index(card)] += 1
    # A table of permutations has fewer degrees of freedom than cells: rows and columns have fixed sums.
    value = ((counts - 50) ** 2 / 50).sum() * 59 / 60
    assert chi2.sf(value, 59 * 59) > 1e-3


def test_conceal_depends_on_the_cards_of_the_deck_not_on_their_order() -> None:
    one, other = position(place="6e", deck="1a 2b 3c 4d"), position(place="6e", deck="4d 3c 1a 2b")
    for number in range(20):
        assert one.again(number).conceal(0).source[0] == other.again(number).conceal(0).source[0]


def test_conceal_depends_on_its_luck_alone() -> None:
    game = position(place="6e", deck=30)
    assert game.again(3).conceal(0).deck() == game.again(3).conceal(1).deck()
    assert game.again(3).conceal(0).deck() != game.again(4).conceal(0).deck()


def test_nobody_sees_the_order_of_the_deck() -> None:
    one = position(place="6e", deck="1a 2b 3c 4d")
    other = position(place="6e", deck="4d 3c 2b 1a")
    for seat in (0, 1):
        assert one.observation(seat) == other.observation(seat)


SEEN = {
    "own board": {"boards": ["1a"]},
    "opponent's board": {"boards": ["", "1a"]},
    "own hand": {"hands": ["1a"]},
    "opponent's hand, whose cards lay open": {"hands": ["", "1a"]},
    "order of a hand": {"hands": ["", "1a 2a"]},
    "discard pile": {"pile": "1a"},
    "order of the discard pile": {"pile": "2a 1a"},
    "points": {"vp": [0, 7]},
    "skipped turn": {"skips": [1]},
    "cards in the deck": {"deck": 11},
    "phase": {"phase": "draft"},
}
OTHER = {
    "order of a hand": {"hands": ["", "2a 1a"]},
    "order of the discard pile": {"pile": "1a 2a"},
}


@pytest.mark.parametrize("what", SEEN)
def test_everybody_sees_the_rest(what: str) -> None:
    one = position(place="6e", **{"deck": 12, **SEEN[what]})
    other = position(place="6e", deck=12, **OTHER.get(what, {}))
    for seat in (0, 1):
        assert one.observation(seat) != other.observation(seat)


def test_everybody_sees_the_open_cards_and_the_card_to_be_placed() -> None:
    one, other = position(draft="1a 2b 3c"), position(draft="1a 2b 3d")
    assert one.observation(1) != other.observation(1)
    assert one.do("pick 1a").observation(1) != other.do("pick 1a").observation(1)
    assert position(place="1a").observation(1) != position(place="1b").observation(1)


@pytest.mark.parametrize(
    ("number", "choices"),
    [
        (3, ["card 0,1", "card 1,1"]),
        (8, ["ref 0", "ref 1"]),
        (10, ["opponent 1", "opponent 2"]),
    ],
)
def test_everybody_sees_what_was_chosen_inside_a_reward(number: int, choices: list[str]) -> None:
    boards = ["1a 2a 3a . . / 6e 6d", "5b", "5c"]
    game = position(boards, place="4a", pile="5d 5e", changes=reward_of(H=number))
    game.do("place 3,0", "resolve H row 0,0", "accept")
    one, other = (game.again().do(choice) for choice in choices)
    assert one.observation(2) != other.observation(2)


def test_everybody_sees_which_pattern_is_being_resolved() -> None:
    game = position(["1a 2a 3a 4a"], place="5a").do("place 4,0")
    seen = [tuple(game.again().do(option).observation(0)) for option in game.legal()]
    assert len(set(seen)) == 3


# What conceal and observe promise, in random games


def spoil(record: np.void, dice: random.Random) -> None:
    """Cards that lay in the deck before leave no trace there that anybody reads."""
    record["deck"][record["deck_size"] :] = [
        dice.randrange(100) for _ in range(len(record["deck"]) - record["deck_size"])
    ]


CHANGES = {
    "the shipped rules": (),
    "many patterns": EASY,
    "patterns may be left": (*EASY, *off("game.patterns.auto_trigger")),
    "other rewards": (*deck_of([1], 5, 18), *reward_of(J=6, G=7)),
    "rewards of one's own": (*deck_of([1], 5, 18), *reward_of(J=3, G=10)),
    "counterclockwise": ("game.players.turn_direction=counterclockwise", "game.players.next_player_definition=right"),
}


@pytest.mark.parametrize(("changes", "players"), [*zip(CHANGES, cycle((2, 3, 4)), strict=False)])
def test_promises_in_random_games(changes: str, players: int) -> None:
    config = rules_of(*CHANGES[changes])
    found = hidden_promises.play(load_game("grid"), 3, players=players, config=config, spoil=spoil, every=8)
    assert found.changed > 0.5 * found.guesses


def test_same_observation_means_the_same_options() -> None:
    found = hidden_promises.play(load_game("grid"), 40, config=rules_of(*deck_of([1, 2], 1, 4)), deals=1)
    assert found.repeats > 50
