"""Agents that are a network in a file: `net:FILE.npz`. What it takes to play one is NumPy; nothing in a file is run.

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

from playmill.agents.judging import MOST_LAYERS, Judge, judge_of
from playmill.agents.python import Decision
from playmill.engine.contract.game import Game
from playmill.texts import PlaymillError, Text

PREFIX = "net:"
Floats = np.ndarray[Any, np.dtype[np.float32]]
_ALWAYS = ("game", "version", "mixes", "shift", "scale", "policy_weight", "policy_bias", "value_weight", "value_bias")


class Net:
    """A network that tells, from what the player to move sees, what to do and what to expect."""

    def __init__(self, arrays: Mapping[str, Any]) -> None:
        self._arrays = arrays
        marks = np.asarray(arrays.get("marks", np.zeros((0, 2))), np.int64)
        self._places, self._least = marks[:, 0], marks[:, 1]
        count = sum(name.startswith("weight_") for name in arrays)
        self._layers = [(arrays[f"weight_{layer}"], arrays[f"bias_{layer}"]) for layer in range(count)]

    def evaluate(self, seen: Any) -> tuple[Floats, Floats]:
        """For each row of observations a number for each action, the larger the better, and what is expected."""
        seen = np.asarray(seen)
        given = (seen.astype(np.float32) - self._arrays["shift"]) * self._arrays["scale"]
        found = np.concatenate([given, seen[..., self._places] >= self._least], axis=-1, dtype=np.float32)
        for weight, bias in self._layers:
            found = np.maximum(found @ weight + bias, 0)
        policy: Floats = found @ self._arrays["policy_weight"] + self._arrays["policy_bias"]
        value: Floats = (found @ self._arrays["value_weight"] + self._arrays["value_bias"])[..., 0]
        return policy, value


class NetAgent:
    """Plays as a network advises: by its chances, or its favourite."""

    def __init__(self, net: Net, *, mixes: bool) -> None:
        self._net, self._mixes = net, mixes

    def choose(self, decision: Decision) -> int:
        """One of the options."""
        actions = [option.action for option in decision.options]
        policy = self._net.evaluate(decision.observation)[0][actions].astype(np.float64)
        if not self._mixes:
            return actions[int(policy.argmax())]
        return decision.random.choices(actions, np.exp(policy - policy.max()))[0]


def read_net(game: Game, place: Path, told: str) -> NetAgent:
    """The agent of a file, if it was trained for this game as it is."""
    arrays = _fitting(game, place, told)
    return NetAgent(Net(arrays), mixes=bool(arrays["mixes"]))


def read_judge(game: Game, players: int, place: Path, told: str) -> Judge:
    """The network of a file as `search` reads it: what one player expects must say what all can expect."""
    arrays = _fitting(game, place, told)
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
        raise _refused(told, why)
    return judge_of(arrays, float(together))


def _fitting(game: Game, place: Path, told: str) -> dict[str, Any]:
    """The arrays of a file, if they fit the game."""
    arrays = _arrays(place, told)
    missing = [name for name in (*_ALWAYS, "weight_0", "bias_0") if name not in arrays]
    if missing:
        raise _refused(told, Text(f"it lacks {missing[0]}", f"в нём нет {missing[0]}"))
    trained = f"{arrays['game']}/{arrays['version']}"
    if trained != f"{game.name}/{game.version}":
        raise _refused(
            told,
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
        raise _refused(told, Text("its arrays do not fit the game", "её массивы не подходят к игре"))
    return arrays


def _arrays(place: Path, told: str) -> dict[str, Any]:
    if not place.is_file():
        raise PlaymillError(f"there is no file {told} of a network", f"файла сети {told} нет")
    try:
        with np.load(place, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, EOFError, AttributeError, zipfile.BadZipFile):
        raise _refused(told, Text("it is no .npz file of plain arrays", "это не файл .npz с массивами")) from None


def _refused(told: str, why: Text) -> PlaymillError:
    return PlaymillError(f"the network {told} cannot play: {why.en}", f"сеть {told} играть не может: {why.ru}")
