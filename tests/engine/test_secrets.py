"""What follows from `HIDDEN`: what a seat sees, what is dealt anew, and that nothing else is."""

from __future__ import annotations

import random
import sys
from collections import Counter
from itertools import permutations
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from common.found import game_of
from playmill import Game, PlaymillError, State
from playmill.author import SPECTATOR, UNKNOWN, Secret, redeal_rule, rule
from playmill.defaults.secrets import derived_module, derived_secrets
from playmill.engine.contract.secrets import check_declaration
from playmill.engine.lang.record import RecordArray, plain
from playmill.engine.lang.rng import GameRng
from playmill.engine.lang.rule import interpreted, python_function

#: Three hands of two cards, a deck that is drawn from its end, one card aside, secret bids.
STATE = np.dtype(
    [
        ("player", np.int8),
        ("deck", np.int8, (6,)),
        ("deck_size", np.int8),
        ("aside", np.int8),
        ("hand", np.int8, (3, 2)),
        ("known", np.int8, (3, 2)),
        ("bid", np.int8, (3,)),
        ("row", np.int8, (3,)),
    ],
    align=True,
)
CONFIG = np.dtype([("players", np.int32)], align=True)
CFG = plain(np.array([(3,)], CONFIG))[0]


@rule
def all_bid(cfg: Any, s: Any) -> bool:
    """Whether every bid is made."""
    return bool(s.bid[0] >= 0 and s.bid[1] >= 0 and s.bid[2] >= 0)


HIDDEN = {
    "deck": Secret(count="deck_size"),
    "aside": Secret(),
    "hand": Secret("owner", known="known"),
    "bid": Secret("owner", open=all_bid, values=range(1, 4)),
}


DEALS = interpreted(derived_secrets(STATE, HIDDEN).redeal)


def position(**fields: Any) -> RecordArray:
    record: RecordArray = np.zeros(1, STATE)
    usual = {
        "deck": (1, 2, 3, 9, 9, 9),
        "deck_size": 3,
        "aside": 4,
        "hand": ((5, 6), (7, 8), (0, -1)),
        "bid": (-1,) * 3,
    }
    for name, value in (usual | fields).items():
        record[name] = value
    return record


def dealt(record: RecordArray, player: int, seed: int, redeal: Any = None) -> RecordArray:
    """The record with what a seat does not see dealt anew."""
    found, rng = record.copy(), np.zeros(1, GameRng)
    rng["stream"][0, 0] = seed
    (interpreted(redeal) if redeal else DEALS)(CFG, plain(found)[0], player, plain(rng)[0])
    assert not rng["bucket"].any() and rng["sorted"][0, 0] == 0  # as the next shuffle expects them
    return found


def _observe_of(declared: Any, state: Any) -> tuple[Any, tuple[str, ...]]:
    own: Any = SimpleNamespace(HIDDEN=declared, observe=None, conceal=None, possible=None, __name__="own", __doc__="")
    rules: Any = SimpleNamespace(State=state, MIN_PLAYERS=3, MAX_PLAYERS=3)
    made: Any = derived_module("own", own, rules)
    assert len(made.NAMES) == made.OBSERVATION
    return interpreted(made.observe), made.NAMES


SEES = _observe_of(HIDDEN, STATE)


def observed(record: RecordArray, player: int, declared: Any = None, state: Any = STATE) -> dict[str, int]:
    observe, names = SEES if declared is None else _observe_of(declared, state)
    out = np.zeros(len(names), np.int32)
    observe(CFG, plain(record.copy())[0], player, plain(out))
    return dict(zip(names, out.tolist(), strict=True))


def row(seen: dict[str, int], name: str) -> list[int]:
    return [value for key, value in seen.items() if key == name or key.startswith(f"{name}[")]


def test_a_seat_sees_its_own_hand_and_the_cards_it_has_looked_at() -> None:
    record = position(known=((0, 0), (0b001, 0), (0, 0)))
    assert row(observed(record, 0), "hand") == [5, 6, 7, UNKNOWN, UNKNOWN, -1]
    assert row(observed(record, 1), "hand") == [UNKNOWN, UNKNOWN, 7, 8, UNKNOWN, -1]
    assert row(observed(record, 2), "hand") == [UNKNOWN] * 4 + [0, -1]
    assert row(observed(record, SPECTATOR), "hand") == [UNKNOWN] * 5 + [-1]


def test_of_a_deck_everybody_sees_how_much_is_left_and_no_trace_of_what_was() -> None:
    seen = observed(position(), 0)
    assert row(seen, "deck") == [UNKNOWN] * 3 + [-1] * 3 and seen["deck_size"] == 3 and seen["aside"] == UNKNOWN


def test_who_has_seen_a_card_is_told_to_those_who_see_it() -> None:
    record = position(known=((0, 0b100), (0b101, 0b100), (0, 0)))
    assert row(observed(record, 0), "known") == [0, 0b100, 0b101, 0, 0, 0]
    assert row(observed(record, 1), "known") == [0, 0, 0b101, 0b100, 0, 0]
    assert row(observed(record, 2), "known") == [0, 0b100, 0b101, 0b100, 0, 0]
    assert row(observed(record, SPECTATOR), "known") == [0] * 6
    assert dealt(record, 0, 1)["known"].tolist() == [[[0, 0b100], [0b101, 0], [0, 0]]]


def test_a_bid_is_drawn_anew_until_all_are_made() -> None:
    record = position(bid=(2, 3, -1))
    assert row(observed(record, 0), "bid") == [2, UNKNOWN, -1]
    bids = [dealt(record, 0, seed)["bid"][0].tolist() for seed in range(60)]
    assert {tuple(bid) for bid in bids} == {(2, bid, -1) for bid in (1, 2, 3)}
    made = position(bid=(2, 3, 1))
    assert row(observed(made, SPECTATOR), "bid") == [2, 3, 1]
    assert dealt(made, SPECTATOR, 3)["bid"].tolist() == [[2, 3, 1]]


def test_cards_taken_from_the_front_leave_no_trace() -> None:
    state = np.dtype([("player", np.int8), ("deck", np.int8, (5,)), ("drawn", np.int8)], align=True)
    record: RecordArray = np.zeros(1, state)
    record["deck"], record["drawn"] = (4, 3, 2, 1, 0), 2
    declared = {"deck": Secret(taken="drawn")}
    assert row(observed(record, 0, declared, state), "deck") == [-1, -1] + [UNKNOWN] * 3
    redeal = redeal_rule(state, declared)
    decks = {tuple(dealt(record, 0, seed, redeal)["deck"][0].tolist()) for seed in range(100)}
    assert decks == {(-1, -1, *rest) for rest in permutations((0, 1, 2))}


def test_where_each_card_is_may_be_hidden_too() -> None:
    """A field with an entry for each card: 0 in the deck, 1 open, 2 + the seat that holds it."""
    state = np.dtype([("player", np.int8), ("where", np.int8, (6,))], align=True)

    @rule
    def sees(cfg: Any, s: Any, player: int, card: int) -> bool:
        return bool(s.where[card] == 1 or (player >= 0 and s.where[card] == 2 + player))

    record: RecordArray = np.zeros(1, state)
    record["where"] = (2, 1, 3, 3, 0, 2)
    declared = {"where": Secret(sees)}
    assert row(observed(record, 0, declared, state), "where") == [2, 1, UNKNOWN, UNKNOWN, UNKNOWN, 2]
    redeal = redeal_rule(state, declared)
    found = Counter(tuple(dealt(record, 0, seed, redeal)["where"][0].tolist()) for seed in range(300))
    assert set(found) == {(2, 1, *rest, 2) for rest in permutations((3, 3, 0))}
    assert min(found.values()) > 60  # of 100 each


def test_of_a_whole_deck_a_card_that_lies_nowhere_may_be_anywhere() -> None:
    state = np.dtype([("player", np.int8), ("card", np.int8, (2,)), ("open", np.int8)], align=True)
    record: RecordArray = np.zeros(1, state)
    record["card"], record["open"] = (1, 3), 2
    declared = {"card": Secret("owner", deck=(2, 1, 1, 2)), "open": Secret("everybody")}
    redeal = redeal_rule(state, declared)
    cards = Counter(int(dealt(record, 0, seed, redeal)["card"][0, 1]) for seed in range(800))
    assert set(cards) == {0, 3}  # one 1 is her own, the only 2 lies open
    assert chisquare([cards[0], cards[3]]).pvalue > 1e-4
    both = Counter(tuple(dealt(record, SPECTATOR, seed, redeal)["card"][0].tolist()) for seed in range(2000))
    expected = Counter(permutations((0, 0, 1, 3, 3), 2))
    _fits(both, expected)


def _fits(found: Counter[Any], expected: Counter[Any]) -> None:
    """Counts of what was dealt, against the number of ways in which it can come about."""
    assert set(found) == set(expected)
    total, ways = sum(found.values()), sum(expected.values())
    keys = sorted(expected)
    fit = chisquare([found[key] for key in keys], [expected[key] * total / ways for key in keys])
    assert fit.pvalue > 1e-4


@pytest.mark.parametrize("player", [0, 1, SPECTATOR])
def test_every_deal_is_as_likely_as_counting_all_of_them_says(player: int) -> None:
    """Cards alike count once for each of them: 2 of card 1 in five hidden places."""
    record = position(
        deck=(1, 2, 9, 9, 9, 9), deck_size=2, aside=1, hand=((3, -1), (3, -1), (2, -1)), known=((0, 0), (1, 0), (0, 0))
    )
    places = [("deck", 0), ("deck", 1), ("aside", 0), *(("hand", 2 * seat) for seat in range(3))]
    known = {0: {("hand", 0), ("hand", 2)}, 1: {("hand", 2)}, SPECTATOR: set()}[player]
    hidden = [place for place in places if place not in known]
    cards = [record[name][0].reshape(-1)[place] for name, place in hidden]
    expected = Counter(tuple(map(int, deal)) for deal in permutations(cards))
    found: Counter[Any] = Counter()
    for seed in range(3000):
        world = dealt(record, player, seed)
        found[tuple(int(world[name][0].reshape(-1)[place]) for name, place in hidden)] += 1
    _fits(found, expected)


def test_what_cannot_be_is_not_dealt_and_the_rest_is_as_likely() -> None:
    @rule
    def possible(cfg: Any, s: Any, player: int) -> bool:
        return bool(s.hand[1, 0] > s.hand[2, 0])

    record = position(deck=(1, 2, 9, 9, 9, 9), deck_size=2, aside=3, hand=((5, -1), (4, -1), (0, -1)))
    redeal = derived_secrets(STATE, HIDDEN, possible).redeal
    found = Counter(tuple(dealt(record, 0, seed, redeal)["hand"][0, 1:, 0].tolist()) for seed in range(2000))
    expected = Counter((one, other) for one, other in permutations((0, 1, 2, 3, 4), 2) if one > other)
    _fits(found, expected)


cards = st.lists(st.integers(0, 3), min_size=6, max_size=6)
masks = st.lists(st.integers(0, 7), min_size=6, max_size=6)


@settings(max_examples=150, deadline=None)
@given(cards, cards, masks, st.integers(0, 6), st.integers(-1, 2), st.integers(0, 2**64 - 1), st.data())
def test_nothing_known_is_changed_nothing_is_lost_and_the_truth_does_not_matter(
    deck: list[int], hand: list[int], mask: list[int], size: int, player: int, seed: int, data: st.DataObject
) -> None:
    held = data.draw(st.lists(st.booleans(), min_size=6, max_size=6))
    cards_held = [card if there else -1 for card, there in zip(hand, held, strict=True)]
    record = position(
        deck=deck,
        deck_size=size,
        aside=data.draw(st.integers(0, 3)),
        hand=np.reshape(cards_held, (3, 2)),
        known=np.reshape(mask, (3, 2)),
        bid=data.draw(st.lists(st.integers(1, 3) | st.just(-1), min_size=3, max_size=3)),
    )
    world = dealt(record, player, seed)
    assert observed(world, player) == observed(record, player)
    for name in ("player", "deck_size", "row"):
        assert np.array_equal(world[name], record[name])
    for place in range(6):
        card, there = record["hand"][0].reshape(-1)[place], world["hand"][0].reshape(-1)[place]
        known = place // 2 == player or (player >= 0 and mask[place] >> player & 1)
        assert there == card if known or card == -1 else there >= 0
    lying = [Counter([*one["deck"][0, :size].tolist(), *one["hand"].reshape(-1).tolist(), int(one["aside"][0])])
             for one in (record, world)]  # fmt: skip
    assert lying[0] == lying[1]
    assert dealt(dealt(record, player, seed + 1 & 2**64 - 1), player, seed).tobytes() == world.tobytes()


@pytest.fixture(scope="module")
def whispers() -> Game:
    return game_of("whispers")


@pytest.mark.parametrize("players", [2, 4])
def test_compiled_rules_deal_and_show_the_same(whispers: Game, players: int) -> None:
    dice, compared = random.Random(players), 0
    for number in range(12):
        twins = [State(whispers, players=players, seed=5, number=number, interpreted=way) for way in (True, False)]
        while not twins[0].is_terminal():
            for player in (*range(players), SPECTATOR):
                worlds = [state.clone() for state in twins]
                for world in worlds:
                    world.conceal(player, compared)
                assert worlds[0].record == worlds[1].record
                if player != SPECTATOR:
                    tensors = [state.observation_tensor(player) for state in (*twins, *worlds)]
                    assert all(np.array_equal(tensors[0], other) for other in tensors)
                compared += 1
            action = dice.choice(twins[0].legal_actions())
            for state in twins:
                state.apply_action(action)
    assert compared > 100


def _declared(declared: Any, state: Any = STATE) -> None:
    hidden, rules = ModuleType("hidden"), ModuleType("rules")
    hidden.__file__ = __file__
    vars(hidden).update(HIDDEN=declared)
    vars(rules).update(State=state, MAX_PLAYERS=3)
    check_declaration(hidden, rules)


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ({}, "HIDDEN is a dictionary from fields of the state to who sees them"),
        ({"hand": "owner"}, "must be a Secret: 'hand': Secret(\"owner\")"),
        ({"hnad": Secret("owner")}, "the state has no such field"),
        ({"hand": Secret(cast(Any, "its owner"))}, "'hand' is seen by 'its owner'; write"),
        ({"deck_size": Secret("owner")}, "has no room for 3 seats"),
        ({"hand": Secret(lambda cfg, s, player, seat, place: True)}, "must be a rule: put @rule above the function"),
        ({"hand": Secret("owner", known="deck")}, "its shape must be a beginning of (3, 2), and is (6,)"),
        ({"hand": Secret("owner", known="known"), "known": Secret()}, "is a field of masks for 'hand' alone"),
        ({"hand": Secret("owner", count="deck_size")}, "its shape must be (3,), and is ()"),
        ({"hand": Secret("owner", empty=-2)}, "-2 stands for what is unknown"),
        ({"bid": Secret("owner", values=range(-3, 3))}, "-2 stands for what is unknown"),
        ({"hand": Secret("owner", deck=500)}, "has 500 cards; a deck has 1 … 128"),
        ({"hand": Secret("owner", deck=5), "aside": Secret(deck=6)}, "has two different decks"),
    ],
)
def test_a_declaration_that_the_state_does_not_bear_out_is_told_in_one_sentence(declared: Any, said: str) -> None:
    with pytest.raises(PlaymillError) as told:
        _declared(declared)
    assert said in told.value.text.en and "\n" not in told.value.text.en
    assert told.value.text.ru != told.value.text.en


def test_a_sound_declaration_is_accepted() -> None:
    _declared(HIDDEN)


@pytest.mark.parametrize("name", ["pig", "kuhn", "whispers"])
def test_derived_rules_stand_in_modules_that_a_new_process_can_import(name: str) -> None:
    """Code that is kept the compiler's own way names them, and would be called damaged and compiled again each time."""
    rules = game_of(name).rules
    assert all(python_function(rules[one]).__module__ in sys.modules for one in ("observe", "conceal"))
