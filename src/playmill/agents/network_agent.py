"""Neural network agents from files: `net:FILE.npz`, evaluated with NumPy; nothing in a file is run.

A file holds plain arrays: `game` and `version` of the rules it was trained on, `shift` and `scale` of what is seen,
`weight_0`, `bias_0`, … of layers with a rectifier behind each, and on them `policy_weight`, `policy_bias` (a number for
each action of the game) and `value_weight`, `value_bias` (what the player to move can expect). `mixes` is 1 if actions
are to be drawn by their chances, 0 if the likeliest one is to be taken. There may be `marks`, pairs of a place and a
number: behind what is seen, each is an input that is 1 where what is seen in that place is at least that number.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from playmill.agents.python.decision import Decision
from playmill.agents.search.network_eval import MOST_LAYERS, NetworkTable, network_table
from playmill.engine.contract.game import Game
from playmill.texts import PlaymillError, Text

PREFIX = "net:"
Floats = np.ndarray[Any, np.dtype[np.float32]]
_ALWAYS = ("game", "version", "mixes", "shift", "scale", "policy_weight", "policy_bias", "value_weight", "value_bias")


class Net:
    """A network that predicts, from the observation of the player to move, a policy and a value."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._arrays = arrays
        marks = np.asarray(arrays.get("marks", np.zeros((0, 2))), np.int64)
        self._places, self._least = marks[:, 0], marks[:, 1]
        count = sum(name.startswith("weight_") for name in arrays)
        self._layers = [(arrays[f"weight_{layer}"], arrays[f"bias_{layer}"]) for layer in range(count)]

    def evaluate(self, seen: Any) -> tuple[Floats, Floats]:
        """For each row of observations a score for each action, the larger the better, and the value."""
        seen = np.asarray(seen)
        given = (seen.astype(np.float32) - self._arrays["shift"]) * self._arrays["scale"]
        found = np.concatenate([given, seen[..., self._places] >= self._least], axis=-1, dtype=np.float32)
        for weight, bias in self._layers:
            found = np.maximum(found @ weight + bias, 0)
        policy: Floats = found @ self._arrays["policy_weight"] + self._arrays["policy_bias"]
        value: Floats = (found @ self._arrays["value_weight"] + self._arrays["value_bias"])[..., 0]
        return policy, value


class NetAgent:
    """Plays by a network's policy: sampled, or the best action."""

    def __init__(self, net: Net, *, mixes: bool) -> None:
        self._net, self._mixes = net, mixes

    def choose(self, decision: Decision) -> int:
        """One of the options."""
        actions = [option.action for option in decision.options]
        policy = self._net.evaluate(decision.observation)[0][actions].astype(np.float64)
        if not self._mixes:
            return actions[int(policy.argmax())]
        return decision.random.choices(actions, np.exp(policy - policy.max()))[0]


def read_net(game: Game, place: Path, shown: str) -> NetAgent:
    """Loads the agent of a file; raises unless it was trained for this game."""
    arrays = _fitting(game, place, shown)
    return NetAgent(Net(arrays), mixes=bool(arrays["mixes"]))


def read_judge(game: Game, players: int, place: Path, shown: str) -> NetworkTable:
    """Loads the network of a file for `search`; one player's value must determine that of all."""
    arrays = _fitting(game, place, shown)
    together = game.stakes(game.config(), players).together if players == 2 else 0
    if players > 2 or together is None:
        raise PlaymillError(
            f"search takes a network in games for one, or for two who always get the same together: {game.name} for"
            f" {players} is none",
            "search берёт сеть в играх для одного или для двоих, чья сумма всегда одна и та же:"
            f" {game.name} на {players} не такова",
        )
    if f"weight_{MOST_LAYERS}" in arrays:
        why = Text(f"it has more than {MOST_LAYERS} layers", f"в ней больше {MOST_LAYERS} слоёв")
        raise _refused(shown, why)
    return network_table(arrays, float(together))


def _fitting(game: Game, place: Path, shown: str) -> dict[str, Any]:
    """The arrays of a file, if they fit the game."""
    arrays = _arrays(place, shown)
    missing = [name for name in (*_ALWAYS, "weight_0", "bias_0") if name not in arrays]
    if missing:
        raise _refused(shown, Text(f"it lacks {missing[0]}", f"в нём нет {missing[0]}"))
    trained = f"{arrays['game']}/{arrays['version']}"
    if trained != f"{game.name}/{game.version}":
        raise _refused(
            shown,
            Text(
                f"it was trained for {trained}, not for {game.name}/{game.version}",
                f"она обучена игре {trained}, а не {game.name}/{game.version}",
            ),
        )
    try:
        policy, value = Net(arrays).evaluate(np.zeros((1, game.observation), np.int32))
        fits = policy.shape == (1, game.actions) and value.shape == (1,)
        fits = fits and bool(np.isfinite(policy).all() and np.isfinite(value).all())
        places = np.asarray(arrays.get("marks", np.zeros((0, 2))))[:, 0]
        fits = fits and bool(((places >= 0) & (places < game.observation)).all())
        fits = fits and arrays["shift"].shape == arrays["scale"].shape == (game.observation,)
    except (KeyError, TypeError, ValueError, IndexError):
        fits = False
    if not fits:
        raise _refused(shown, Text("its arrays do not fit the game", "её массивы не подходят к игре"))
    return arrays


def _arrays(place: Path, shown: str) -> dict[str, Any]:
    if not place.is_file():
        raise PlaymillError(f"there is no file {shown} of a network", f"файла сети {shown} нет")
    try:
        with np.load(place, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, AttributeError, zipfile.BadZipFile):
        raise _refused(shown, Text("it is no .npz file of plain arrays", "это не файл .npz с массивами")) from None


def _refused(shown: str, why: Text) -> PlaymillError:
    return PlaymillError(f"the network {shown} cannot play: {why.en}", f"сеть {shown} играть не может: {why.ru}")
