"""Leduc poker: its deals and places as counted by others, its clauses one by one."""

from __future__ import annotations

import pytest
from exploit import Tree

from common.found import game_of
from playmill import Game, State

CHECK, BET, FOLD, CALL, RAISE = range(5)
JACK, QUEEN, KING = 0, 2, 4


@pytest.fixture(scope="module")
def leduc() -> Game:
    return game_of("leduc")


def played(game: Game, cards: tuple[int, int, int], *actions: int) -> State:
    """A game with these cards, first seat, second seat and table, after some words."""
    state = State(game)
    record = state.record.reshape(1).copy()
    record["card"] = cards
    state.put_record(record)
    for action in actions:
        state.apply_action(action)
    return state


def test_deals_and_places_are_as_many_as_others_count(leduc: Game) -> None:
    tree = Tree(leduc)
    assert (len(tree.starts), len(tree.places)) == (120, 288)
    # What random play loses to a best response is known: 2.3736 chips a game.
    alike = {key: [1 / len(place.options)] * len(place.options) for key, place in tree.places.items()}
    assert tree.lost(alike) == pytest.approx(2.3736, abs=5e-5)


@pytest.mark.parametrize(
    ("cards", "actions", "won"),
    [
        ((JACK, KING, JACK + 1), (CHECK, CHECK, CHECK, CHECK), 1),  # a pair beats a king
        ((JACK, KING, QUEEN), (CHECK, CHECK, CHECK, CHECK), -1),
        ((KING, KING + 1, QUEEN), (BET, CALL, CHECK, CHECK), 0),  # alike
        ((QUEEN, JACK, JACK + 1), (BET, RAISE, CALL, BET, RAISE, CALL), -13),
        ((QUEEN, JACK, KING), (CHECK, BET, FOLD), -1),
        ((QUEEN, JACK, KING), (BET, RAISE, FOLD), -3),
        ((QUEEN, JACK, KING), (BET, RAISE, CALL, BET, FOLD), 5),
    ],
)
def test_who_wins_and_how_much(leduc: Game, cards: tuple[int, int, int], actions: tuple[int, ...], won: int) -> None:
    state = played(leduc, cards, *actions)
    assert state.is_terminal()
    assert state.returns() == [won, -won]


def test_a_round_sees_two_bets_and_no_more(leduc: Game) -> None:
    assert played(leduc, (0, 2, 4), BET).legal_actions() == [FOLD, CALL, RAISE]
    assert played(leduc, (0, 2, 4), BET, RAISE).legal_actions() == [FOLD, CALL]
    assert played(leduc, (0, 2, 4), CHECK, BET, RAISE).legal_actions() == [FOLD, CALL]


def test_the_first_seat_begins_both_rounds(leduc: Game) -> None:
    assert played(leduc, (0, 2, 4)).current_player() == 0
    assert played(leduc, (0, 2, 4), CHECK, BET, CALL).current_player() == 0


def test_the_card_on_the_table_is_hidden_in_the_first_round(leduc: Game) -> None:
    for actions, table in (((), None), ((CHECK, CHECK), "king")):
        state = played(leduc, (JACK, QUEEN, KING), *actions)
        for player in range(2):
            seen = leduc.words.seen(state.config, state.record, player, "en")
            assert seen["table"] == table
            assert seen["cards"][1 - player] is None


@pytest.mark.parametrize(("actions", "unknown"), [((), 5), ((CHECK, CHECK), 4)])
def test_every_card_that_is_not_seen_is_as_likely(leduc: Game, actions: tuple[int, ...], unknown: int) -> None:
    state, draws = played(leduc, (JACK, QUEEN, KING), *actions), 500
    counts = [0] * 6
    for rng in range(draws):
        guess = state.clone()
        guess.conceal(0, rng)
        assert len(set(guess.record["card"].tolist())) == 3
        counts[int(guess.record["card"][1])] += 1
    expected = draws / unknown
    assert sum(count > 0 for count in counts) == unknown and counts[JACK] == 0
    assert sum((count - expected) ** 2 / expected for count in counts if count) < 20
