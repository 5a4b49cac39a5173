"""What the player of Save Oneself sees and does not: only the order of the deck is hidden."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from save_oneself_naive import Page, Ship, seen
from save_oneself_position import CARDS, CORNERS, SIDES, Position, cell_of, deal, new_rng, place_of, position, scanned
from save_oneself_random import configs, scenes

from common.effort import share
from common.positions import assert_even
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import STREAM_DECK
from playmill.games.save_oneself.hidden import OBSERVATION

SETTINGS: dict[str, Any] = {"deadline": None, "derandomize": True, "database": None}
#: All cards but three, on an island of four rows and columns.
THREE_LEFT = (
    "vines hook water flint / palm-trees sticks bottle higher-ground / telescope* rocks pig storm / sea-serpent - - -"
)


def under_way(game: Position, seed: int) -> Iterator[Position]:
    """A game played at random, before each decision and at the end."""
    dice = random.Random(seed)
    while game.s.player >= 0:
        yield game
        game.do_id(dice.choice(game.legal_ids()))
    yield game


def shuffled(game: Position, seed: int) -> Position:
    """The same position with the rest of the deck in another order."""
    twin, rest = game.again(), game.deck()
    random.Random(seed).shuffle(rest)
    for place, card in enumerate(rest, twin.s.placed):
        twin.s.deck[place] = CARDS.index(card)
    return twin


# Dealing anew


def test_conceal_shuffles_the_rest_of_the_deck_and_changes_nothing_else() -> None:
    changed = 0
    for number in range(30):
        for step, game in enumerate(under_way(deal(number), number)):
            guess = game.again(step).conceal()
            before, after = game.source[0].copy(), guess.source[0].copy()
            placed = game.s.placed
            assert before["deck"][:placed].tolist() == after["deck"][:placed].tolist()
            assert sorted(before["deck"]) == sorted(after["deck"])
            changed += before != after
            before["deck"] = after["deck"] = 0
            assert before == after
            assert (guess.legal_ids(), guess.observation()) == (game.legal_ids(), game.observation())
    assert changed > 300


def test_conceal_makes_every_order_equally_likely() -> None:
    game = position(THREE_LEFT)
    assert_even(
        Counter(tuple(game.again(number).conceal().deck()) for number in range(1800)),
        permutations(["pirates", "map-r", "map-c"]),
    )


def test_conceal_brings_every_card_to_every_place() -> None:
    game = position("flint* rocks")
    decks = [game.again(number).conceal().deck() for number in range(1400)]
    for place in (0, 6, 13):
        assert_even(Counter(deck[place] for deck in decks), [card for card in CARDS if card not in ("flint", "rocks")])


@pytest.mark.parametrize("number", range(5))
def test_conceal_depends_on_what_is_seen_and_on_its_luck_alone(number: int) -> None:
    """However the deck lies, the same luck makes the same of it."""
    game = position("flint* rocks")
    made = {tuple(shuffled(game, seed).again(number).conceal().deck()) for seed in range(10)}
    assert len(made) == 1
    assert made != {tuple(game.again(number + 1).conceal().deck())}


def test_conceal_draws_from_one_stream() -> None:
    game = position("flint* rocks").again(4).conceal()
    before = [new_rng(4).stream[stream] for stream in range(16)]
    assert [stream for stream in range(16) if before[stream] != game.streams()[stream]] == [STREAM_DECK] == [0]


@pytest.mark.parametrize(("end", "left"), [("map-c map-r -", ["pirates"]), ("map-c map-r compass", [])])
def test_conceal_of_a_single_card_or_none(end: str, left: list[str]) -> None:
    game = position(THREE_LEFT.replace("- - -", end))
    assert game.conceal().deck() == left


@settings(max_examples=share(40), **SETTINGS)
@given(configs().flatmap(scenes), st.integers(0, 1000))
def test_conceal_keeps_the_cards_of_any_position(game: Position, number: int) -> None:
    before, observed = game.deck(), game.observation()
    guess = game.again(number).conceal()
    assert sorted(guess.deck()) == sorted(before)
    assert guess.observation() == observed
    for name, value in scanned(guess).items():
        assert np.array_equal(guess.source[0][name], value)


# What is seen


def read_back(observation: list[int], config: Config) -> Page:
    """The page as far as it is known from an observation."""
    player, ending, phase, lives, moves, moved, revealed, here, ship, *rest = observation[:15]
    waiting, turned, ship_row, ship_column, north, west = rest
    page = Page(config, [])
    page.lives, page.moves, page.moved, page.placed_now, page.here = (
        lives,
        moves,
        moved == 1,
        revealed == 1,
        place_of(here),
    )
    page.asked = ("move", "turn")[phase] if player == 0 else str(ending)
    cells = dict(enumerate(observation[15:]))
    page.up = {SIDES[side - 1]: place_of(cell) for cell, side in cells.items() if side}
    if ship >= 0:
        (row, column), (top, left) = (ship_row - 3, ship_column - 3), (north - 3, west - 3)
        rows, columns = range(top, top + 4), range(left, left + 4)
        page.ship = Ship(CORNERS[ship], (row, column), rows, columns, waiting == 1, turned == 1)
    else:
        assert not any(rest), "nothing is left of a ship that is gone"
    return page


KNOWN = ("up", "here", "lives", "moves", "moved", "placed now", "ship", "island", "score", "legal")


def check_observation(game: Position) -> None:
    """From what is observed everything follows that can be seen, the options too; the deck does not matter."""
    observation = game.observation()
    assert len(observation) == OBSERVATION
    known, true = read_back(observation, game.config).seen(), seen(game)
    assert {name: known[name] for name in KNOWN} == {name: true[name] for name in KNOWN}
    assert (observation[0] < 0, observation[1]) == (game.s.player < 0, game.s.ending)
    if game.s.player >= 0:
        assert known["asked"] == true["asked"]
    assert shuffled(game, 1).observation() == observation


def test_observation_tells_everything_but_the_order_of_the_deck() -> None:
    for number in range(60):
        for game in under_way(deal(number), number):
            check_observation(game)


@settings(max_examples=share(60), **SETTINGS)
@given(configs().flatmap(scenes), st.integers(0, 1000))
def test_observation_of_any_position(game: Position, seed: int) -> None:
    for now in under_way(game, seed):
        check_observation(now)


def test_same_observation_has_the_same_options() -> None:
    options: dict[tuple[int, ...], list[int]] = {}
    met = 0
    for number in range(300):
        for game, _ in zip(under_way(deal(number), number), range(4), strict=False):
            key = tuple(game.observation())
            met += key in options
            assert options.setdefault(key, game.legal_ids()) == game.legal_ids()
    assert met > 200


SEEN = {
    "lives": {"lives": 9},
    "moves left": {"moves": 2},
    "a move made": {"moved": True},
    "a card placed": {"revealed": True},
    "a side": {"field": "torch* rocks"},
    "a card": {"field": "flint* pig"},
    "a place": {"field": "flint* / rocks"},
    "the player's place": {"field": "flint rocks*"},
    "a ship": {"ship": "NE -1,2"},
}
SHIPS = {
    "whether it waits": ("NE -1,2 waiting", "0,-2"),
    "its course": ("NW -1,2", "0,-2"),
    "its row": ("NE 0,2", "0,-2"),
    "its column": ("NE -1,1", "0,-2"),
    "whether it has turned": ("NE -1,2 turned", "0,-2"),
    "the rows of its island": ("NE -1,2", "-1,-2"),
    "the columns of its island": ("NE -1,2", "0,-1"),
}


@pytest.mark.parametrize("what", SEEN)
def test_player_sees(what: str) -> None:
    changes: Any = {"field": "flint* rocks", **SEEN[what]}
    assert position(**changes).observation() != position("flint* rocks").observation()


@pytest.mark.parametrize("what", SHIPS)
def test_player_sees_of_the_ship(what: str) -> None:
    ship, island = SHIPS[what]
    usual = position("flint* rocks", ship="NE -1,2", island="0,-2")
    assert position("flint* rocks", ship=ship, island=island).observation() != usual.observation()


def test_player_sees_the_phase_and_the_end() -> None:
    game = position("sticks* flint", turning=True)
    move = position("sticks* flint")
    assert game.observation() != move.observation()
    lost = position("sticks* pig", lives=2).do("east").observation()
    assert (lost[0], lost[1], lost[3]) == (-1, 4, 0)


def test_observation_holds_each_side_on_its_cell() -> None:
    observation = position("flint* spear / sos -", ship="SW 2,-1 waiting").observation()
    assert observation[:9] == [0, 0, 0, 10, 1, 0, 0, cell_of((0, 0)), 2]
    assert observation[9:15] == [1, 0, 3 + 2, 3 - 1, 3 - 2, 3]
    field = observation[15:]
    assert field[cell_of((0, 0))] == 1 + SIDES.index("flint")
    assert field[cell_of((0, 1))] == 1 + SIDES.index("spear")
    assert field[cell_of((1, 0))] == 1 + SIDES.index("sos")
    assert sum(side > 0 for side in field) == 3
