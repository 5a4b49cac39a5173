"""Batches: many games in step, the same games as one by one."""

from __future__ import annotations

import numpy as np
import pytest

from playmill import Batch, PlaymillError, State


def test_a_batch_plays_the_same_games_as_single_states(dimensions):
    batch = Batch(dimensions, 8, players=4, seed=6)
    states = [State(dimensions, players=4, seed=6, number=number) for number in range(8)]
    rewards = np.zeros((8, 4))
    step = 0
    while not batch.terminated.all():
        which = (batch.legal_counts * (step % 5)) // 5
        actions = batch.legal_action(which)
        for place, state in enumerate(states):
            if not state.is_terminal():
                assert state.current_player() == batch.current_player[place]
                state.apply_action(int(actions[place]))
        batch.step(actions)
        rewards += batch.rewards
        step += 1
    assert [state.returns() for state in states] == rewards.tolist()
    assert (batch.current_player == -1).all()


def test_the_mask_lists_the_legal_actions(dimensions):
    batch = Batch(dimensions, 3, seed=2)
    for place in range(3):
        wanted = State(dimensions, seed=2, number=place).legal_actions()
        assert np.flatnonzero(batch.legal_action_mask[place]).tolist() == wanted


def test_reset_deals_other_games(dimensions):
    batch = Batch(dimensions, 2, seed=2)
    first = batch.states.copy()
    batch.reset(first=2)
    assert batch.states[0] == State(dimensions, seed=2, number=2).record
    batch.reset()
    assert (batch.states == first).all()


def test_an_illegal_action_moves_no_game(dimensions):
    batch = Batch(dimensions, 3, seed=2)
    before = batch.states.copy()
    actions = batch.legal_action(np.zeros(3))
    actions[1] = 859
    with pytest.raises(PlaymillError, match="illegal action 859 in game 1"):
        batch.step(actions)
    with pytest.raises(PlaymillError, match="expected 3 actions"):
        batch.step([0])
    assert (batch.states == before).all()


def test_an_empty_batch_is_refused(dimensions):
    with pytest.raises(PlaymillError, match="a batch of 0 games"):
        Batch(dimensions, 0)
