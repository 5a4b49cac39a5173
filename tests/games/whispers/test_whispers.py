"""Whispers: its clauses, and who knows what after each of them."""

from __future__ import annotations

import pytest

from common.found import game_of
from playmill import Game, State, simulate

SCOUT, DUEL, SHIELD, SWAP, CROWN = range(5)


@pytest.fixture(scope="module")
def whispers() -> Game:
    return game_of("whispers")


def put(game: Game, *hands: int, drawn: int, deck: str = "1,2,0,0", known: str = "0,0,0,0,0,0,0,0") -> State:
    """Player 1 of three is to move, holds the first card and has drawn another."""
    state = State(game, players=3, interpreted=True)
    held = f"{hands[0]},{drawn},{hands[1]},-1,{hands[2]},-1,-1,-1"
    state.put_text(
        f"whispers/1 players=3 hand={held} known={known} deck={deck} deck_size={deck.count(',') + 1} out=0,0,0,1"
    )
    return state


def do(state: State, *words: str) -> None:
    """Does some actions, one after the other; a decision with one option is made by the engine."""
    for text in words:
        state.apply_action(state.game.words.parse(state.config, text))


def hand(state: State, player: int | None, seat: int) -> int | None:
    """What somebody knows of the card that a seat keeps."""
    seen = state.game.words.seen(state.config, state.record, player, "en")
    card: int | None = seen["hand"][seat][0]
    return card


def test_a_scout_shows_a_card_to_whoever_plays_it_alone(whispers: Game) -> None:
    state = put(whispers, SHIELD, CROWN, DUEL, drawn=SCOUT)
    do(state, "scout 2")
    assert [hand(state, seat, 1) for seat in (0, 1, 2, None)] == [CROWN, CROWN, None, None]


def test_what_was_seen_is_known_until_it_is_played(whispers: Game) -> None:
    state = put(whispers, SHIELD, SWAP, DUEL, drawn=SCOUT, deck="2,2,2,2")
    do(state, "scout 2", "shield 2")
    assert hand(state, 0, 1) == SWAP  # the shield had been drawn
    state = put(whispers, SHIELD, SHIELD, DUEL, drawn=SCOUT, deck="2,2,2,3")
    do(state, "scout 2", "shield 2")
    assert hand(state, 0, 1) is None and hand(state, 1, 1) == SWAP  # it was played, and the card drawn is kept


def test_a_card_played_of_two_alike_may_be_the_one_that_was_seen(whispers: Game) -> None:
    state = put(whispers, SHIELD, SCOUT, DUEL, drawn=SCOUT, deck="2,2,2,0")
    do(state, "scout 2", "scout 3")
    assert hand(state, 0, 1) is None


def test_whoever_swaps_knows_the_card_given_away_and_so_does_whoever_had_seen_it(whispers: Game) -> None:
    state = put(whispers, CROWN, DUEL, SHIELD, drawn=SWAP, known="4,0,0,0,0,0,0,0")
    do(state, "swap 2")
    assert state.record["hand"][:2, 0].tolist() == [DUEL, CROWN]
    assert [hand(state, seat, 1) for seat in (0, 1, 2, None)] == [CROWN, CROWN, CROWN, None]
    assert [hand(state, seat, 0) for seat in (0, 1, 2, None)] == [DUEL, DUEL, None, None]


def test_the_lower_card_of_a_duel_is_out_and_the_higher_one_is_known_to_be_higher(whispers: Game) -> None:
    state = put(whispers, SHIELD, SCOUT, CROWN, drawn=DUEL, deck="3,1,1,0")
    do(state, "duel 2")
    assert state.record["out"].tolist() == [0, 1, 0, 1] and state.record["least"][0] == DUEL
    assert hand(state, 1, 0) == SHIELD and hand(state, 2, 0) is None
    dealt = set()
    for seed in range(60):
        world = state.clone()
        world.conceal(2, seed)
        dealt.add(int(world.record["hand"][0, 0]))
    assert dealt == {DUEL, SHIELD, SWAP}  # and no scout, though one lies in the deck


def test_two_alike_see_each_other_and_stay(whispers: Game) -> None:
    state = put(whispers, SHIELD, SHIELD, CROWN, drawn=DUEL)
    do(state, "duel 2")
    assert not state.record["out"][:3].any()
    assert [hand(state, seat, 1) for seat in (0, 2)] == [SHIELD, None]


def test_nobody_aims_at_a_shield_and_whoever_plays_the_crown_is_out(whispers: Game) -> None:
    state = put(whispers, SHIELD, CROWN, DUEL, drawn=SHIELD, deck="1,2,0,0")
    do(state, "shield 1")
    offered = [whispers.words.to_text(state.config, action) for action in state.legal_actions()]
    assert offered == ["scout 3", "crown 2"]
    do(state, "crown 2")
    assert state.record["out"].tolist() == [0, 1, 0, 1]


def test_everybody_hears_the_scout_and_one_hears_what_it_saw(whispers: Game) -> None:
    state = put(whispers, SHIELD, CROWN, DUEL, drawn=SCOUT)
    before, action = state.record.copy(), whispers.words.parse(state.config, "scout 2")
    state.apply_action(action)
    assert whispers.words.witnessed is not None
    told = {
        seat: [line.en for line in whispers.words.witnessed(state.config, before, state.record, action, seat)]
        for seat in (0, 1, 2, None)
    }
    assert told[0] == ["plays the scout: player 2", "player 2 holds: crown"]
    assert told[1] == told[2] == told[None] == ["plays the scout: player 2"]


def test_the_highest_card_wins_when_the_deck_is_empty(whispers: Game) -> None:
    state = put(whispers, SWAP, SHIELD, DUEL, drawn=SHIELD, deck="2")
    do(state, "shield 1")
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert sum(state.returns()) == pytest.approx(0)


def test_memory_beats_chance(whispers: Game) -> None:
    run = simulate(whispers, games=2000, players=3, agents=["memory", "random", "random"])
    assert run.results["seats"][0]["returns"]["low"] > 0.5
