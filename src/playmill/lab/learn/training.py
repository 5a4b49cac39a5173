"""Training of a network: layers with rectifiers and heads on them, by NumPy alone (Adam)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from playmill.engine.contract.game import Game
from playmill.lab.learn.labels import Array, Floats

#: Thresholds of one number of the observation, at most; a value that is rarer than this is none.
_MOST_MARKS, _RARE = 16, 0.0005
#: Of Adam: how slowly means and squares forget, and what keeps from dividing by nothing.
_MEANS, _SQUARES, _TINY = 0.9, 0.999, 1e-8
_LAYERS = 2


class Inputs(NamedTuple):
    """How an observation becomes inputs: shifted and scaled, with a mark at each of some thresholds.

    `usual` and `spread` are what games bring, in which the value is learned.
    """

    shift: Floats
    scale: Floats
    marks: Array
    usual: Floats
    spread: Floats

    def of(self, seen: Array) -> Floats:
        """The inputs for observations."""
        made = np.empty((len(seen), len(self.shift) + len(self.marks)), np.float32)
        made[:, : len(self.shift)] = (seen - self.shift) * self.scale
        made[:, len(self.shift) :] = seen[:, self.marks[:, 0]] >= self.marks[:, 1]
        return made


def inputs_for(seen: Array, values: Floats) -> Inputs:
    """Chooses scales and thresholds by what was seen, and by what it was worth: to one player, or to each."""
    spread = seen.std(axis=0)
    marks = [(place, value) for place, column in enumerate(seen.T) for value in _thresholds(column)]
    return Inputs(
        seen.mean(axis=0).astype(np.float32),
        np.where(spread > 0, 1 / np.maximum(spread, 1e-3), 0).astype(np.float32),
        np.array(marks, np.int64).reshape(-1, 2),
        np.asarray(values.mean(axis=0), np.float32),
        np.asarray(max(float(values.std()), 1e-3), np.float32),
    )


def _thresholds(column: Array) -> Array:
    """Each value above the least that is met now and then, or some of them evenly spread."""
    values, counts = np.unique(column, return_counts=True)
    values = values[counts >= _RARE * len(column)]
    if len(values) < 2:
        return values[:0]
    return values[np.linspace(1, len(values) - 1, min(_MOST_MARKS, len(values) - 1)).round().astype(np.int64)]


class Learner:
    """A network that learns: its weights, what Adam remembers of each, and its stream of random numbers."""

    def __init__(self, game: Game, inputs: Inputs, width: int, seed: int, heads: Mapping[str, int]) -> None:
        self._game, self.inputs = game, inputs
        self._rng = np.random.default_rng(seed % 2**63)
        self._steps = 0
        sizes = [len(inputs.shift) + len(inputs.marks)] + _LAYERS * [width]
        self._weights: dict[str, Floats] = {}
        for layer, (below, above) in enumerate(pairwise(sizes)):
            # Of the inputs most are off at a time.
            scale = np.sqrt(2 / (below if layer else max(20, below / 8)))
            self._weights[f"weight_{layer}"] = (self._rng.normal(size=(below, above)) * scale).astype(np.float32)
            self._weights[f"bias_{layer}"] = np.zeros(above, np.float32)
        for name, size in heads.items():
            self._weights[f"{name}_weight"] = np.zeros((width, size), np.float32)
            self._weights[f"{name}_bias"] = np.zeros(size, np.float32)
        self._means = {name: np.zeros_like(weight) for name, weight in self._weights.items()}
        self._squares = {name: np.zeros_like(weight) for name, weight in self._weights.items()}

    def _layers(self, seen: Array) -> list[Floats]:
        """Returns the inputs for observations, and what each layer makes of them."""
        made = [self.inputs.of(seen)]
        for layer in range(_LAYERS):
            made.append(np.maximum(made[-1] @ self._weights[f"weight_{layer}"] + self._weights[f"bias_{layer}"], 0))
        return made

    def _head(self, name: str, top: Floats) -> Floats:
        """Returns what a head says on the last layer."""
        said: Floats = top @ self._weights[f"{name}_weight"] + self._weights[f"{name}_bias"]
        return said

    def _gradients(self, layers: list[Floats], heads: Mapping[str, Floats]) -> dict[str, Floats]:
        """Returns the gradients of all weights, by those of what the heads say."""
        weights, top = self._weights, layers[-1]
        found: dict[str, Floats] = {}
        above: Any = 0
        for name, by_head in heads.items():
            found |= {f"{name}_weight": top.T @ by_head, f"{name}_bias": by_head.sum(axis=0)}
            above = above + by_head @ weights[f"{name}_weight"].T
        for layer in reversed(range(_LAYERS)):
            above = np.where(layers[layer + 1] > 0, above, 0)
            found |= {f"weight_{layer}": layers[layer].T @ above, f"bias_{layer}": above.sum(axis=0)}
            above = above @ weights[f"weight_{layer}"].T if layer else above
        return found

    def _step(self, gradients: Mapping[str, Floats], rate: float) -> None:
        """One step of Adam."""
        self._steps += 1
        size = np.float32(rate * np.sqrt(1 - _SQUARES**self._steps) / (1 - _MEANS**self._steps))
        for name, gradient in gradients.items():
            mean, square = self._means[name], self._squares[name]
            mean += np.float32(1 - _MEANS) * (gradient - mean)
            square += np.float32(1 - _SQUARES) * (gradient * gradient - square)
            self._weights[name] -= size * mean / (np.sqrt(square) + np.float32(_TINY))

    def file_arrays(self) -> dict[str, Any]:
        """What the file of the network holds; its value is in the units of the game."""
        made: dict[str, Any] = {**self._weights, "marks": self.inputs.marks.astype(np.int32)}
        made["value_weight"] = made["value_weight"] * self.inputs.spread
        made["value_bias"] = made["value_bias"] * self.inputs.spread + self.inputs.usual
        made |= {"shift": self.inputs.shift, "scale": self.inputs.scale, "mixes": int(self._game.search.mixes)}
        return {**made, "game": self._game.name, "version": self._game.version}

    def saved(self) -> dict[str, Any]:
        """All it is, as plain arrays."""
        made: dict[str, Any] = {"steps": self._steps, "luck": json.dumps(self._rng.bit_generator.state)}
        made |= {f"inputs.{name}": value for name, value in self.inputs._asdict().items()}
        for kind, arrays in (("weights", self._weights), ("means", self._means), ("squares", self._squares)):
            made |= {f"{kind}.{name}": array for name, array in arrays.items()}
        return made

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Becomes what was saved."""
        self._steps = int(arrays["steps"])
        self._rng.bit_generator.state = json.loads(str(arrays["luck"]))
        for kind, own in (("weights", self._weights), ("means", self._means), ("squares", self._squares)):
            for name in own:
                own[name] = np.asarray(arrays[f"{kind}.{name}"], np.float32)


def saved_inputs(arrays: Mapping[str, Any]) -> Inputs:
    """The inputs of a learner that was saved."""
    return Inputs(**{name: arrays[f"inputs.{name}"] for name in Inputs._fields})
