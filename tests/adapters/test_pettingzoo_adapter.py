"""Every game in PettingZoo: its own tests, and the same games as everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test

from common.found import EXAMPLES, SHIPPED, game_of
from playmill import PlaymillError, State
from playmill.adapters.pettingzoo import GameEnv, parallel_env

#: PettingZoo knows by name the environments whose observations have masks, and warns of all others.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("name", [*SHIPPED, *EXAMPLES])
def test_pettingzoo_finds_nothing_wrong(name):
    game = game_of(name)
    api_test(GameEnv(game, interpreted=True, render_mode="ansi"), num_cycles=12)
    seed_test(lambda: GameEnv(game, players=game.players[1], interpreted=True), num_cycles=8)
    parallel_api_test(parallel_env(game, interpreted=True), num_cycles=12)


def test_agents_see_what_their_seats_see_and_are_paid_at_the_end():
    leduc = game_of("leduc")
    env = GameEnv(leduc, interpreted=True)
    env.reset(seed=3)
    env.reset()
    state = State(leduc, seed=3, number=1, interpreted=True)
    for agent in env.agent_iter():
        seen, reward, over, _, _ = env.last()
        seat = int(agent.removeprefix("player_"))
        assert np.array_equal(seen["observation"], state.observation_tensor(seat))
        if over:
            assert reward == state.returns()[seat]
            env.step(None)
            continue
        assert (seat, reward) == (state.current_player(), 0)
        assert np.flatnonzero(seen["action_mask"]).tolist() == state.legal_actions()
        assert not env.observe(f"player_{1 - seat}")["action_mask"].any()
        env.step(state.legal_actions()[-1])
        state.apply_action(state.legal_actions()[-1])
    assert env.agents == []


def test_illegal_actions_and_unknown_render_modes_are_refused(pig):
    env = GameEnv(pig, interpreted=True, render_mode="svg")
    with pytest.raises(PlaymillError, match="no game is dealt yet: call reset first"):
        env.observe("player_0")
    env.reset(seed=1)
    with pytest.raises(PlaymillError, match="there is no agent 'bob'; agents are player_0, player_1"):
        env.observe("bob")
    with pytest.raises(PlaymillError, match="illegal action 9"):
        env.step(9)
    assert "<svg" in env.render()
    with pytest.raises(PlaymillError, match="there is no render mode 'human'"):
        GameEnv(pig, render_mode="human")


def test_the_whole_state_has_hidden_cards_too():
    leduc = game_of("leduc")
    env = GameEnv(leduc, interpreted=True)
    env.reset(seed=3)
    told = dict(zip(env.state_names, env.state().tolist(), strict=True))
    record = State(leduc, seed=3, interpreted=True).record
    assert [told[f"card[{place}]"] for place in range(3)] == record["card"].tolist()
    assert told["said[1, 0]"] == record["said"][1, 0]
    assert env.state() in env.state_space
    assert parallel_env(leduc, interpreted=True).unwrapped.state_space == env.state_space
