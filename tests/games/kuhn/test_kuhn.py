"""Kuhn poker against what is known of it exactly: its deals, its equilibria, its value."""

from __future__ import annotations

import pytest
from exploit import Policy, Tree

from common.found import game_of
from playmill import Game, State

J, Q, K = range(3)
CHECK, BET, FOLD, CALL = range(4)


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return game_of("kuhn")


@pytest.fixture(scope="module")
def tree(kuhn: Game) -> Tree:
    return Tree(kuhn)


def equilibrium(tree: Tree, bluff: float) -> Policy:
    """How often the second option is taken: a bet, or a call. Known since 1950, one for each chance to bluff."""
    third = 1 / 3
    chances = {
        (0, CHECK): {J: bluff, Q: 0, K: 3 * bluff},
        (1, CHECK): {J: third, Q: 0, K: 1},
        (0, FOLD): {J: 0, Q: bluff + third, K: 1},
        (1, FOLD): {J: 0, Q: third, K: 1},
    }
    found = {}
    for key, place in tree.places.items():
        second = chances[key[0], place.options[0]][int(place.state.record["card"][key[0]])]
        found[key] = [1 - second, second]
    return found


def test_six_deals_twelve_places(tree: Tree) -> None:
    assert len(tree.starts) == 6
    assert len(tree.places) == 12
    assert sum(node.player < 0 for node in tree.nodes) == 6 * 5


@pytest.mark.parametrize("bluff", [0, 0.2, 1 / 3])
def test_an_equilibrium_is_worth_minus_one_in_eighteen_and_cannot_be_beaten(tree: Tree, bluff: float) -> None:
    policy = equilibrium(tree, bluff)
    assert tree.value(policy, 0) == pytest.approx(-1 / 18)
    assert tree.value(policy, 1) == pytest.approx(1 / 18)
    assert tree.best(policy, 0) == pytest.approx(-1 / 18)
    assert tree.best(policy, 1) == pytest.approx(1 / 18)


def test_whoever_bets_the_queen_can_be_beaten(tree: Tree) -> None:
    policy = dict(equilibrium(tree, 0.2))
    queen = next(key for key, place in tree.places.items() if key[0] == 0 and place.state.record["card"][0] == Q)
    policy[queen] = [0.0, 1.0]
    assert tree.lost(policy) > 0.03


def test_the_agent_plays_the_equilibrium(kuhn: Game, tree: Tree) -> None:
    number, throws = list(kuhn.agents).index("equilibrium"), 300
    for key, chances in equilibrium(tree, 0.2).items():
        state = tree.places[key].state.clone()
        took = sum(state.choice_of(number, (0.2,)) == state.legal_actions()[1] for _ in range(throws))
        assert abs(took - throws * chances[1]) <= 4.5 * (throws * chances[0] * chances[1]) ** 0.5


def test_the_other_card_is_hidden_and_either_of_two(kuhn: Game, tree: Tree) -> None:
    for place in tree.places.values():
        player = place.key[0]
        others = {int(node_card) for node_card in _dealt(place.state, player, 40)}
        assert others == {J, Q, K} - {int(place.state.record["card"][player])}
        assert len(place.nodes) == 2


def _dealt(state: State, player: int, times: int) -> list[int]:
    """What the other player has in so many guesses of one."""
    found = []
    for rng in range(times):
        guess = state.clone()
        guess.conceal(player, rng)
        found.append(guess.record["card"][1 - player])
    return found


def test_a_card_is_shown_at_a_showdown_and_never_after_a_fold(kuhn: Game) -> None:
    for last, known in ((CALL, True), (FOLD, False)):
        state = State(kuhn, seed=4)
        state.apply_action(BET)
        state.apply_action(last)
        assert state.is_terminal()
        for player in range(2):
            seen = kuhn.words.seen(state.config, state.record, player, "en")["cards"]
            assert (seen[1 - player] is not None) == known
            assert (state.observation_tensor(player)[3 - player] >= 0) == known
