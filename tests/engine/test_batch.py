"""Batches: many games in step, the same games as one by one."""

from __future__ import annotations

import numpy as np
import pytest

from common.found import game_of
from playmill import Batch, PlaymillError, State
from playmill.agents.agent_specs import seats_for
from playmill.author import UNKNOWN


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


# Learners


def test_with_auto_reset_every_place_plays_the_games_of_its_numbers_and_no_others(pig):
    batch = Batch(pig, 3, seed=8, auto_reset=True)
    states = [State(pig, seed=8, number=place) for place in range(3)]
    ended = 0
    for step in range(300):
        actions = batch.legal_action(np.full(3, step % 3 == 0))
        before = batch.game_ids.copy()
        batch.step(actions)
        for place, state in enumerate(states):
            state.apply_action(int(actions[place]))
            assert bool(batch.terminated[place]) == state.is_terminal()
            assert batch.rewards[place].tolist() == state.returns()
            if state.is_terminal():
                ended += 1
                assert batch.game_ids[place] == before[place] + 3
                states[place] = State(pig, seed=8, number=int(batch.game_ids[place]))
            assert batch.states[place] == states[place].record
            assert np.array_equal(batch.observations[place], states[place].observation_tensor())
            assert np.flatnonzero(batch.legal_action_mask[place]).tolist() == states[place].legal_actions()
        assert (batch.current_player >= 0).all()
    assert ended > 3


def test_games_that_are_over_are_renewed_and_the_others_stay():
    leduc = game_of("leduc")
    batch = Batch(leduc, 4, seed=1, interpreted=True)
    actions = [1, 0, 0, 0]  # one bets, the others check
    batch.step(actions)
    batch.step([2, 0, 0, 0])  # the bet makes one fold
    assert batch.terminated.tolist() == [True, False, False, False]
    assert batch.legal_action_mask[0].sum() == 0
    kept = batch.states[1:].copy()
    batch.reset_done()
    assert batch.game_ids.tolist() == [4, 1, 2, 3]
    assert batch.states[0] == State(leduc, seed=1, number=4, interpreted=True).record
    assert (batch.states[1:] == kept).all()
    assert not batch.terminated.any() and not batch.rewards.any()
    batch.reset_done([False, True, False, False])  # given up in the middle
    assert batch.game_ids.tolist() == [4, 5, 2, 3]


def test_the_end_of_a_game_is_seen_by_the_last_to_decide():
    kuhn = game_of("kuhn")
    batch = Batch(kuhn, 2, seed=2, interpreted=True)
    assert batch.observations[0, kuhn.names.index("card[1]")] == UNKNOWN
    batch.step([0, 0])
    batch.step([0, 0])  # both check: the cards are shown
    assert batch.terminated.all()
    end = State(kuhn, seed=2, interpreted=True)
    end.apply_action(0)
    end.apply_action(0)
    assert np.array_equal(batch.observations[0], end.observation_tensor(1))
    assert batch.observations[0, kuhn.names.index("card[0]")] >= 0


def test_seats_with_agents_play_by_themselves_as_they_do_elsewhere(pig):
    hold = seats_for(pig, 2, ["threshold"])[1]
    batch = Batch(pig, 4, seed=5, seats=(None, hold), interpreted=True)
    states = [State(pig, seed=5, number=place, interpreted=True) for place in range(4)]
    for step in range(400):
        if batch.terminated.all():
            break
        actions = batch.legal_action(np.full(4, step % 4 == 3))
        batch.step(actions)
        for place, state in enumerate(states):
            if not state.is_terminal():
                state.apply_action(int(actions[place]))
            while state.current_player() == 1:
                state.apply_action(state.choice_of(hold.number, hold.params))
            assert batch.states[place] == state.record
            assert batch.current_player[place] in (0, -1)
    assert batch.terminated.all()


def test_what_is_no_seat_no_action_and_no_place_is_refused(pig):
    batch = Batch(pig, 2, seed=1, interpreted=True)
    before = batch.states.copy()
    for wrong, sentence in (
        ([0.5, 1], "actions are whole numbers, not float64"),
        (["a", "b"], "actions are whole numbers, not <U1"),
        (None, r"expected 2 actions, got an array of shape \(\)"),
    ):
        with pytest.raises(PlaymillError, match=sentence):
            batch.step(wrong)
    with pytest.raises(PlaymillError, match="expected 2 actions"):
        batch.reset_done([True])
    with pytest.raises(PlaymillError, match="there is no game number"):
        batch.reset(2**63 - 1)
    assert (batch.states == before).all()
    with pytest.raises(PlaymillError, match="1 seats for 2 players"):
        Batch(pig, 2, seats=(None,))
    with pytest.raises(PlaymillError, match="only compiled agents"):
        Batch(pig, 2, seats=seats_for(pig, 2, ["search"]))


def test_arrays_go_to_other_libraries_without_a_copy(pig):
    batch = Batch(pig, 3, seed=1, interpreted=True)
    there = np.from_dlpack(batch.observations)
    batch.step(batch.legal_action(0))
    assert np.shares_memory(there, batch.observations)
    assert np.array_equal(there, batch.observations)
