"""Every game in OpenSpiel: its own random simulations, and its algorithms find what is known."""

from __future__ import annotations

import pickle
from dataclasses import replace
from importlib import import_module

import numpy as np
import pytest

from common.found import EXAMPLES, SHIPPED, game_of
from playmill import PlaymillError

#: Large (64 MB installed): `make test-neighbours` brings it.
pyspiel = pytest.importorskip("pyspiel")
cfr, expected_game_score, exploitability, mcts = (
    import_module(f"open_spiel.python.algorithms.{name}")
    for name in ("cfr", "expected_game_score", "exploitability", "mcts")
)
openspiel = import_module("playmill.adapters.openspiel")

KINDS = pyspiel.GameType


@pytest.mark.parametrize("name", [*SHIPPED, *EXAMPLES])
def test_openspiel_finds_nothing_wrong(name):
    pyspiel.random_sim_test(openspiel.load(game_of(name)), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["kuhn", "leduc", "connect4"])
def test_openspiel_can_write_a_playthrough(name):
    game = openspiel.load(game_of(name))
    playthrough = import_module("open_spiel.python.algorithms.generate_playthrough").playthrough
    text = playthrough(str(game), action_sequence=None, alsologtostdout=False)
    assert f"MaxGameLength() = {game.max_game_length()}" in text
    assert "InformationStateTensor(0).moments" in text


def test_regret_finds_the_value_of_kuhn():
    game = openspiel.load(game_of("kuhn"))
    solver = cfr.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert value[0] == pytest.approx(-1 / 18, abs=0.002)
    assert exploitability.exploitability(game, policy) < 0.005


def test_search_wins_connect_four_where_it_can():
    game = openspiel.load(game_of("connect4"))
    state = game.new_initial_state()
    for column in (3, 0, 3, 0, 3, 0):
        state.apply_action(column)
    bot = mcts.MCTSBot(game, 2, 60, mcts.RandomRolloutEvaluator(1, np.random.RandomState(1)))
    assert bot.step(state) == 3


def test_games_are_of_their_kind():
    kinds = {name: openspiel.load(game_of(name)).get_type() for name in [*SHIPPED, *EXAMPLES]}
    assert kinds["connect4"].chance_mode == KINDS.ChanceMode.DETERMINISTIC
    assert kinds["kuhn"].chance_mode == KINDS.ChanceMode.EXPLICIT_STOCHASTIC
    assert kinds["kuhn"].utility == kinds["connect4"].utility == KINDS.Utility.ZERO_SUM
    assert kinds["dimensions"].utility == KINDS.Utility.CONSTANT_SUM
    assert kinds["save_oneself"].utility == KINDS.Utility.GENERAL_SUM
    perfect = {name for name, kind in kinds.items() if kind.information == KINDS.Information.PERFECT_INFORMATION}
    assert perfect == {"connect4", "dice", "influence", "pig"}


def test_config_and_players_come_along_whatever_way_a_game_is_named():
    game = openspiel.load(game_of("leduc"), config={"ante": 3})
    assert game.max_utility() == 15
    again = pyspiel.load_game(str(game))
    assert again.max_utility() == pickle.loads(pickle.dumps(game)).max_utility() == 15
    assert openspiel.load("dimensions", players=4).num_players() == 4


def test_what_is_seen_are_the_numbers_of_the_game():
    game = openspiel.load(game_of("kuhn"))
    state = game.new_initial_state()
    assert state.is_chance_node() and not any(state.observation_tensor(0))
    state.apply_action(2)
    state.apply_action(1)
    assert state.observation_tensor(0) == [0, -1, 2, -2, 1, 1]
    assert state.observation_tensor(1) == [0, -1, -2, 1, 1, 1]
    assert state.action_to_string(0, 1) == "bet"
    assert state.information_state_string(0) != state.information_state_string(1)


def walk(state, depth=0):
    """Every position of a tree, with how many decisions led to it."""
    yield state, depth
    if not state.is_terminal():
        for action in state.legal_actions():
            yield from walk(state.child(action), depth + (not state.is_chance_node()))


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_length_outcomes_and_information_states_are_exact_over_a_whole_tree(name):
    game = openspiel.load(game_of(name))
    assert game.get_type().provides_information_state_tensor
    longest, outcomes, by_text, by_tensor = 0, 0, {}, {}
    for state, depth in walk(game.new_initial_state()):
        longest = max(longest, depth)
        if state.is_chance_node():
            outcomes = max(outcomes, len(state.chance_outcomes()))
        elif not state.is_terminal():
            player = state.current_player()
            text = state.information_state_string(player)
            tensor = (player, tuple(state.information_state_tensor(player)))
            assert by_text.setdefault(text, tensor) == tensor
            assert by_tensor.setdefault(tensor, text) == text
    assert (longest, outcomes) == (game.max_game_length(), game.max_chance_outcomes())
    assert len(by_text) == {"kuhn": 12, "leduc": 288}[name]


def test_a_long_game_recalls_as_much_as_it_is_asked_to():
    assert not openspiel.load(game_of("pig")).get_type().provides_information_state_tensor
    game = openspiel.load(game_of("pig"), recall=4)
    state, luck = game.new_initial_state(), np.random.default_rng(1)
    assert game.information_state_tensor_size() == 4 * (5 + 2)
    for _ in range(40):
        state.apply_action(int(luck.choice(state.legal_actions())))
        if state.is_terminal():
            break
    rows = np.reshape(state.information_state_tensor(0), (4, 7))
    assert rows[:, 6].all()
    if not state.is_chance_node():
        assert rows[-1, :5].tolist() == state.observation_tensor(0)


def test_a_length_that_is_declared_too_short_is_told():
    game = replace(game_of("leduc"), longest=3)
    tree = import_module("playmill.adapters.game_tree").Tree(game)
    node = tree.root
    with pytest.raises(PlaymillError, match=r"LONGEST of invariants\.py is 3, and there are 4"):
        while True:
            node = node.child(node.actions[0])


def test_two_games_of_one_name_are_not_mixed_up():
    openspiel.register(game_of("kuhn"))
    with pytest.raises(PlaymillError, match="OpenSpiel knows another game as playmill_kuhn"):
        openspiel.register(replace(game_of("kuhn")))
