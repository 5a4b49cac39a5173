"""Many games in a VecEnv of Stable-Baselines3: its own checks, the same games as everywhere, MaskablePPO learns."""

from __future__ import annotations

from importlib import import_module

import numpy as np
import pytest

from common.found import game_of
from playmill import PlaymillError, State

#: Large (PyTorch): `make test-neighbours` brings it.
pytest.importorskip("stable_baselines3")
sb3 = import_module("stable_baselines3")
adapter = import_module("playmill.adapters.stable_baselines3")
export = import_module("playmill.adapters.network_export")


def played(game, num_envs, steps, **options):
    """An environment after some random legal steps, with all infos of ends."""
    env = adapter.GameVecEnv(game, num_envs, **options)
    env.seed(3)
    seen, luck, ends = env.reset(), np.random.default_rng(2), []
    for _ in range(steps):
        assert seen.dtype == np.float32
        assert all(row in env.observation_space for row in seen)
        mask = np.stack(env.env_method("action_masks"))
        seen, rewards, over, infos = env.step(np.where(mask, luck.random(mask.shape), -1).argmax(axis=1))
        assert (rewards[~over] == 0).all()
        for place in np.flatnonzero(over):
            assert infos[place]["terminal_observation"] in env.observation_space
            assert infos[place]["episode"]["r"] == pytest.approx(float(rewards[place]))
            ends.append((int(place), infos[place]))
    return env, ends


def test_games_are_dealt_anew_in_the_step_that_ends_one():
    env, ends = played(game_of("leduc"), 6, 60, interpreted=True)
    assert len(ends) > 30
    assert set(env.games.numbers % 6) == {*range(6)}
    assert not any("illegal_action" in info for _, info in ends)


def test_with_rotate_every_seat_has_its_places_and_every_deal_comes_up_in_each():
    pig = game_of("pig")
    env = adapter.GameVecEnv(pig, 6, seat="rotate", agents="threshold", interpreted=True)
    assert env.games.seats.tolist() == [0, 1, 0, 1, 0, 1]
    env.seed(9)
    env.reset()
    assert env.games.numbers.tolist() == [0, 0, 1, 1, 2, 2]
    threshold = list(pig.agents).index("threshold")
    for place, seat in enumerate(env.games.seats):
        state = State(pig, seed=9, number=int(env.games.numbers[place]), interpreted=True)
        while state.current_player() != seat:
            state.apply_action(state.choice_of(threshold, [20]))
        assert np.array_equal(state.observation_tensor(int(seat)), env.games.seen[place])


def test_an_illegal_action_loses_or_raises():
    leduc = game_of("leduc")
    env = adapter.GameVecEnv(leduc, 2, interpreted=True)
    env.reset()
    _, rewards, over, infos = env.step(np.array([4, 0]))
    assert (rewards[0], over[0], infos[0]["illegal_action"]) == (-13.0, True, 4)
    strict = adapter.GameVecEnv(leduc, 2, interpreted=True, illegal="raise")
    strict.reset()
    with pytest.raises(PlaymillError, match="illegal action 4 in game 1"):
        strict.step(np.array([0, 4]))


def test_what_places_do_not_have_is_told():
    env = adapter.GameVecEnv(game_of("pig"), 2, interpreted=True)
    assert env.has_attr("action_masks") and not env.has_attr("nothing")
    with pytest.raises(PlaymillError, match="nothing of their own but action_masks"):
        env.env_method("render")
    with pytest.raises(PlaymillError, match="1 games for 2 seats in turn"):
        adapter.GameVecEnv(game_of("pig"), 1, seat="rotate")


@pytest.mark.parametrize("normal", [False, True])
@pytest.mark.parametrize("activation", ["ReLU", "Tanh"])
def test_an_exported_policy_plays_as_it_was_trained(tmp_path, activation, normal):
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    maskable = pytest.importorskip("sb3_contrib").MaskablePPO
    leduc = game_of("leduc")
    env = adapter.GameVecEnv(leduc, 16, agents="plain", seat="rotate", interpreted=True)
    if normal:
        env = import_module("stable_baselines3.common.vec_env").VecNormalize(env, clip_obs=1e6)
    kinds = {"activation_fn": getattr(torch.nn, activation), "net_arch": [32, 32]}
    model = maskable("MlpPolicy", env, n_steps=32, batch_size=128, learning_rate=3e-3, seed=1, policy_kwargs=kinds)
    model.learn(4 * 16 * 32)
    path = tmp_path / "mine.npz"
    export.export_policy(model, path)
    network = import_module("playmill.agents.agent_specs").seats_for(leduc, 2, [f"net:{path}"])[0]
    scale, alike, asked = export._innermost(env).scale, 0, 0
    for number in range(150):
        state = State(leduc, seed=7, number=number, interpreted=True)
        while not state.is_terminal():
            seen = (state.observation_tensor() / scale).astype(np.float32)
            seen = env.normalize_obs(seen) if normal else seen
            mask = np.zeros(leduc.actions, bool)
            mask[state.legal_actions()] = True
            wanted = int(model.predict(seen, action_masks=mask, deterministic=True)[0])
            alike += state.choice_of(network.number, network.params, network.table) == wanted
            asked += 1
            state.apply_action(wanted)
    assert asked > 300
    assert alike >= (0.999 if activation == "ReLU" else 0.97) * asked


def test_modules_that_a_file_cannot_have_are_told(tmp_path):
    nn = pytest.importorskip("torch").nn
    pig = game_of("pig")
    with pytest.raises(PlaymillError, match="a file of a network has no Sigmoid"):
        export.export_modules(tmp_path / "a.npz", pig, policy=nn.Sequential(nn.Linear(5, 4), nn.Sigmoid()))
    with pytest.raises(PlaymillError, match="4 → 4 → 2 numbers does not fit; expected 5 → … → 2"):
        wrong = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 2))
        export.export_modules(tmp_path / "a.npz", pig, policy=wrong)
    with pytest.raises(PlaymillError, match="a layer of 300 neurons is too wide for a file; at most 128 with tanh"):
        wide = nn.Sequential(nn.Linear(5, 300), nn.Tanh(), nn.Linear(300, 2))
        export.export_modules(tmp_path / "a.npz", pig, policy=wide)
    assert not [*tmp_path.iterdir()]
