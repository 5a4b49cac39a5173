"""One seat of every game in Gymnasium: its own checks, the same games as everywhere, the price of an illegal action."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from common.found import EXAMPLES, SHIPPED, game_of
from playmill import PlaymillError, State
from playmill.adapters.episodes import telling
from playmill.adapters.gymnasium import GameEnv, GameVectorEnv
from playmill.stdio import doing
from playmill.texts import Text

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.mark.parametrize("name", [*SHIPPED, *EXAMPLES])
def test_gymnasium_finds_nothing_wrong(name):
    check_env(GameEnv(game_of(name), seat=game_of(name).players[0] - 1, interpreted=True, render_mode="ansi"))


def test_a_seat_plays_the_games_of_a_run_against_its_agent(pig):
    env = GameEnv(pig, seat=1, agents="threshold", interpreted=True)
    threshold = list(pig.agents).index("threshold")
    env.reset(seed=7)
    for number in range(3):
        state = State(pig, seed=7, number=number, interpreted=True)
        over = False
        while not over:
            while state.current_player() == 0:
                state.apply_action(state.choice_of(threshold, [20]))
            assert (env.state.record == state.record, env.action_masks().tolist()) == (True, [True, True])
            action = state.decisions % 2
            state.apply_action(action)
            seen, reward, over, _, info = env.step(action)
            while state.current_player() == 0:
                state.apply_action(state.choice_of(threshold, [20]))
        assert info["number"] == number
        assert reward == state.returns()[1]
        assert np.array_equal(seen, state.observation_tensor(1))
        with pytest.raises(PlaymillError, match="the game is over"):
            env.step(0)
        env.reset()


def test_an_illegal_action_loses_or_raises():
    leduc = game_of("leduc")
    env = GameEnv(leduc, interpreted=True)
    env.reset(seed=1)
    _, reward, over, _, info = env.step(4)
    assert (reward, over, info["illegal_action"]) == (-13.0, True, 4)
    strict = GameEnv(leduc, interpreted=True, illegal="raise")
    strict.reset(seed=1)
    with pytest.raises(PlaymillError, match="illegal action 4"):
        strict.step(4)


def test_many_games_are_the_same_as_one_by_one(pig):
    many = GameVectorEnv(pig, 3, agents="threshold:n=9", interpreted=True)
    threshold = list(pig.agents).index("threshold")
    seen, info = many.reset(seed=4)
    for place in range(3):
        one = GameEnv(pig, agents="threshold:n=9", interpreted=True)
        one.reset(seed=4)
        for _ in range(place):
            one.reset()
        assert np.array_equal(one._seen(), seen[place])
    over = np.zeros(3, bool)
    assert info["number"].tolist() == [0, 1, 2]
    ended = 0
    for step in range(200):
        if over.any():
            before = info["number"].copy()
        seen, rewards, now, truncated, info = many.step(np.full(3, step % 3 == 2))
        assert not truncated.any() and not now[over].any() and not rewards[over].any()
        if over.any():
            assert (info["number"] - before).tolist() == (3 * over).tolist()
            for place in np.flatnonzero(over):
                state = State(pig, seed=4, number=int(info["number"][place]), interpreted=True)
                while state.current_player() == 1:
                    state.apply_action(state.choice_of(threshold, [9]))
                assert np.array_equal(seen[place], state.observation_tensor(0))
        assert ((rewards == 0) | now).all()
        ended += now.sum()
        over = now
    assert ended > 3


def test_in_many_games_an_illegal_action_loses_one():
    connect4 = game_of("connect4")
    many = gymnasium.wrappers.vector.RecordEpisodeStatistics(GameVectorEnv(connect4, 2, interpreted=True))
    many.reset(seed=1)
    seen, rewards, over, _, _ = many.step([9, 3])
    assert (rewards.tolist(), over.tolist()) == ([-1.0, 0.0], [True, False])
    _, rewards, over, _, info = many.step([9, 3])
    assert (rewards.tolist(), over.tolist(), info["number"].tolist()) == ([0.0, 0.0], [False, False], [2, 1])
    assert seen in many.observation_space
    strict = GameVectorEnv(connect4, 2, interpreted=True, illegal="raise")
    with pytest.raises(PlaymillError, match="illegal action 9 in game 0"):
        strict.step([9, 3])


def test_what_cannot_be_is_said(pig):
    with pytest.raises(PlaymillError, match="search is no compiled agent"):
        GameVectorEnv(pig, 2, agents="search")
    with pytest.raises(PlaymillError, match="there is no seat 2; seats are 0 … 1"):
        GameEnv(pig, seat=2)
    with pytest.raises(PlaymillError, match="2 agents for 1 other seats"):
        GameEnv(pig, agents=["random", "random"])
    with pytest.raises(PlaymillError, match="illegal is 'win'"):
        GameEnv(pig, illegal="win")
    with pytest.raises(PlaymillError, match="there is no render mode 'human'"):
        GameEnv(pig, render_mode="human")
    with pytest.raises(PlaymillError, match="no game is dealt yet: call reset first"):
        GameEnv(pig, interpreted=True).step(0)
    env = GameEnv(pig, interpreted=True)
    env.reset()
    with pytest.raises(PlaymillError, match="an action is a whole number, not None"):
        env.step(None)
    with pytest.raises(PlaymillError, match="one seed is enough"):
        GameVectorEnv(pig, 2, interpreted=True).reset(seed=[1, 2])


def test_installed_games_have_names_and_folders_are_given():
    assert "playmill/dice-v0" in gymnasium.registry
    assert {f"playmill/{name}-v0" for name in SHIPPED} <= {*gymnasium.registry}
    env = gymnasium.make("playmill/game-v0", game="examples/pig", agents="threshold", interpreted=True)
    seen, info = env.reset(seed=1)
    assert seen in env.observation_space
    assert info["seat"] == 0
    assert env.get_wrapper_attr("action_masks")().tolist() == [True, True]
    many = gymnasium.make_vec("playmill/game-v0", num_envs=3, game="examples/pig", interpreted=True)
    assert isinstance(many.unwrapped, GameVectorEnv)
    assert gymnasium.make("playmill/dice-v0", interpreted=True).unwrapped.game.name == "dice"


def test_seats_rotate_from_game_to_game(pig):
    env = GameEnv(pig, seat="rotate", agents="threshold", interpreted=True)
    for number in range(4):
        _, info = env.reset(seed=7 if number == 0 else None)
        assert (info["number"], info["seat"]) == (number, number % 2)
        assert env.state.current_player() == number % 2
    many = GameVectorEnv(pig, 4, seat="rotate", agents="threshold", interpreted=True)
    _, info = many.reset(seed=7)
    assert info["seat"].tolist() == [0, 1, 0, 1]
    assert info["number"].tolist() == [0, 0, 1, 1]
    over = np.zeros(4, bool)
    for _ in range(300):
        _, rewards, now, _, info = many.step(info["action_mask"].argmax(axis=1))
        assert not rewards[over].any()
        over = now
    assert (info["number"] > 3).all()


def test_a_picture_of_pixels(pig):
    env = GameEnv(pig, render_mode="rgb_array", interpreted=True)
    env.reset(seed=1)
    pixels = env.render()
    assert (pixels.shape[1:], pixels.dtype) == ((640, 3), np.uint8)
    assert pixels.shape[0] > 50 and len(np.unique(pixels)) > 5


def test_whoever_waits_is_told_that_rules_are_compiled(capsys):
    game = game_of("kuhn")
    with telling(game):
        doing(Text("compiling the rules (once)", "компилирую правила (один раз)"))
        doing(Text("compiling the rules (once)", "компилирую правила (один раз)"))
    assert capsys.readouterr().err == "playmill: kuhn: compiling the rules (once)\n"
