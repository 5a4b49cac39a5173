"""The Python face of a game."""

from __future__ import annotations

import numpy as np
import pytest

from playmill import PlaymillError, State, simulate
from playmill.engine.compile.game_kernels import agent_numbers


def play_out(state, agent):
    while not state.is_terminal():
        state.apply_action(state.choice_of(agent))
    return state


def test_a_state_speaks_openspiel(dimensions):
    state = State(dimensions, players=4, seed=2)
    assert state.current_player() in range(4)
    action = state.legal_actions()[0]
    assert state.action_to_string(action, "en") != state.action_to_string(action, "ru")
    assert state.observation_tensor().shape == (dimensions.observation,)
    play_out(state, 0)
    assert state.current_player() == -1
    assert state.legal_actions() == []
    assert sorted(state.returns()) == [0.0, 0.0, 0.0, 1.0]


def test_step_by_step_is_the_game_that_simulate_plays(dimensions):
    agent = agent_numbers(dimensions)["random"]
    run = simulate(dimensions, players=3, games=6, seed=31)
    for number in range(6):
        state = play_out(State(dimensions, players=3, seed=31, number=number), agent)
        row = state.outcome()
        assert (int(row["winner"]), int(row["decisions"])) == run.games.select("winner", "decisions").row(number)


def test_an_illegal_action_is_quoted_and_changes_nothing(dimensions):
    state = State(dimensions, seed=1)
    before = state.to_text()
    with pytest.raises(PlaymillError, match=r"illegal action 859; legal ones are \d+"):
        state.apply_action(859)
    assert state.to_text() == before


def test_a_clone_goes_on_alone_with_the_same_luck(dimensions):
    state = State(dimensions, seed=4)
    twin = state.clone()
    before = state.to_text()
    assert play_out(twin, 0).is_terminal()
    assert state.to_text() == before
    assert play_out(state, 0).to_text() == twin.to_text()
    assert state.history() == twin.history()


def test_a_position_can_be_set_up_from_its_text(dimensions):
    state = State(dimensions, seed=4)
    for _ in range(12):
        state.apply_action(state.legal_actions()[-1])
    other = State(dimensions, seed=9)
    other.put_text(state.to_text())
    assert other.legal_actions() == state.legal_actions()
    assert np.array_equal(other.record, state.record)
    with pytest.raises(PlaymillError, match="dimensions/1 was expected, not 'chess/1'"):
        other.put_text("chess/1 player=1")


@pytest.mark.parametrize("player", [-1, 3, 7])
def test_there_is_no_such_player(dimensions, player):
    with pytest.raises(PlaymillError, match=f"there is no player {player}; players are 0 … 2"):
        State(dimensions, players=3).observation_tensor(player)


def test_a_state_shows_itself(dimensions):
    state = State(dimensions, seed=1)
    assert "Spiral of Forces" in str(state)
    assert state._repr_svg_().startswith("<svg")
