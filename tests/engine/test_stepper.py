"""Games driven from Python: one call for each thing asked, and whatever runs it, the answers are the same."""

from __future__ import annotations

import numpy as np
import pytest

from playmill import Batch, PlaymillError, State
from playmill.engine.run.stepper import Steps, new_stepper


def tables(game) -> list[Steps]:
    return [new_stepper(game, game.config(), 2, interpreted=interpreted) for interpreted in (False, True)]


def test_compiled_and_interpreted_everything_that_is_asked_is_answered_the_same(pig):
    fast, slow = tables(pig)
    for number in range(3):
        assert fast.begin(5, number) == slow.begin(5, number)
        decisions = 0
        options = fast.open(5, number)
        assert options == slow.open(5, number)
        while options:
            assert fast.ids[:options].tolist() == slow.ids[:options].tolist()
            assert fast.mover[0] == slow.mover[0] >= 0
            assert fast.count() == slow.count() == options
            assert [fast.pick(k) for k in range(options)] == [slow.pick(k) for k in range(options)]
            for player in range(2):
                assert np.array_equal(fast.see(player), slow.see(player))
            action = fast.chance(options)
            assert action == slow.chance(options)
            options, decisions = fast.act(action, options), decisions + 1
            assert options == slow.act(action, 2)
        assert fast.mover[0] == slow.mover[0] == -1
        assert fast.pay().tolist() == slow.pay().tolist()
        assert fast.finish(decisions).tobytes() == slow.finish(decisions).tobytes()


@pytest.mark.parametrize("interpreted", [False, True])
def test_what_is_no_option_is_refused_and_nothing_has_happened(pig, interpreted):
    steps = new_stepper(pig, pig.config(), 2, interpreted=interpreted)
    options = steps.open(1, 0)
    before = steps.workspace.tobytes()
    assert steps.act(2, options) == steps.act(-1, options) == steps.act(0, 0) == -1
    assert steps.workspace.tobytes() == before


def test_workspaces_made_alike_are_not_the_same_workspace(pig):
    config = pig.config()
    first, second = new_stepper(pig, config, 2), new_stepper(pig, config, 2)
    first.open(1, 0)
    assert first.workspace.tobytes() != second.workspace.tobytes() == new_stepper(pig, config, 2).workspace.tobytes()
    twin = first.copy()
    twin.act(0, 2)
    assert twin.workspace.tobytes() != first.workspace.tobytes()
    assert first.copy(interpreted=True).see(0).tolist() == first.see(0).tolist()


@pytest.mark.parametrize("action", [7, -1, 2**70, "0", None, 0.5])
def test_no_action_of_whatever_kind_gets_in(pig, action):
    state = State(pig, seed=1)
    before = state.to_text()
    with pytest.raises(PlaymillError, match="illegal action"):
        state.apply_action(action)
    assert (state.to_text(), state.history()) == (before, [])


def test_numbers_of_numpy_are_actions(pig):
    states = [State(pig, seed=1), State(pig, seed=1)]
    states[0].apply_action(0)
    states[1].apply_action(np.int32(0))
    assert states[0].to_text() == states[1].to_text()
    assert states[1].history() == [0]


def test_who_watches_changes_nothing(pig):
    seen = []
    watched = State(pig, seed=4, observer=lambda before, action, after: seen.append(action))
    alone = State(pig, seed=4)
    while not alone.is_terminal():
        action = alone.legal_actions()[len(seen) % 2]
        alone.apply_action(action)
        watched.apply_action(action)
        assert alone.to_text() == watched.to_text()
    assert len(seen) >= len(alone.history()) == len(watched.history())


def test_a_batch_shows_what_each_player_to_move_sees(pig):
    batch = Batch(pig, 6, seed=3)
    states = [State(pig, seed=3, number=number) for number in range(6)]
    batch.step(batch.legal_action(0))
    for state in states:
        state.apply_action(state.legal_actions()[0])
    for _ in range(30):
        expected = [state.observation_tensor() for state in states if not state.is_terminal()]
        assert np.array_equal(batch.observations[~batch.terminated], expected)
        chosen = batch.legal_action(1)
        batch.step(chosen)
        for state, action in zip(states, chosen.tolist(), strict=True):
            if not state.is_terminal():
                state.apply_action(action)
    batch.reset(100)
    assert np.array_equal(batch.observations[2], State(pig, seed=3, number=102).observation_tensor())


def test_no_game_of_a_batch_moves_when_one_action_is_illegal(pig):
    batch = Batch(pig, 3, seed=3)
    before = batch.states.copy()  # what lies between fields may be anything
    with pytest.raises(PlaymillError, match="illegal action 9 in game 1"):
        batch.step([0, 9, 0])
    assert (batch.states == before).all()
