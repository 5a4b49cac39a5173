"""Training of a network on labels: layers with rectifiers, a policy and a value, by NumPy alone (Adam)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from playmill.engine.contract.game import Game
from playmill.lab.learn.labels import Array, Floats, Labels

#: Thresholds of one number of the observation, at most; a value that is rarer than this is none.
_MOST_MARKS, _RARE = 16, 0.0005
_BATCH = 1024
#: Of Adam: how slowly means and squares forget, and what keeps from dividing by nothing.
_MEANS, _SQUARES, _TINY = 0.9, 0.999, 1e-8
#: How much an error of the value counts beside one of the policy.
_VALUE = 0.5
#: How much more a network likes what the heuristic does, before it has learned anything.
_TRUST = 2.0
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


def inputs_for(labels: Labels) -> Inputs:
    """Chooses scales and thresholds by what was seen."""
    spread = labels.seen.std(axis=0)
    marks = [(place, value) for place, column in enumerate(labels.seen.T) for value in thresholds(column)]
    return Inputs(
        labels.seen.mean(axis=0).astype(np.float32),
        np.where(spread > 0, 1 / np.maximum(spread, 1e-3), 0).astype(np.float32),
        np.array(marks, np.int64).reshape(-1, 2),
        np.asarray(labels.values.mean(), np.float32),
        np.asarray(max(float(labels.values.std()), 1e-3), np.float32),
    )


def thresholds(column: Array) -> Array:
    """Each value above the least that is met now and then, or some of them evenly spread."""
    values, counts = np.unique(column, return_counts=True)
    values = values[counts >= _RARE * len(column)]
    if len(values) < 2:
        return values[:0]
    return values[np.linspace(1, len(values) - 1, min(_MOST_MARKS, len(values) - 1)).round().astype(np.int64)]


class Learner:
    """A network that learns: its weights, what Adam remembers of each, and its stream of random numbers."""

    def __init__(self, game: Game, inputs: Inputs, width: int, seed: int, *, hinted: bool) -> None:
        self._game, self.inputs, self._hinted = game, inputs, hinted
        self._luck = np.random.default_rng(seed % 2**63)
        self._steps = 0
        sizes = [len(inputs.shift) + len(inputs.marks)] + _LAYERS * [width]
        self._weights: dict[str, Floats] = {}
        for layer, (below, above) in enumerate(pairwise(sizes)):
            # Of the inputs most are off at a time.
            scale = np.sqrt(2 / (below if layer else max(20, below / 8)))
            self._weights[f"weight_{layer}"] = (self._luck.normal(size=(below, above)) * scale).astype(np.float32)
            self._weights[f"bias_{layer}"] = np.zeros(above, np.float32)
        for name, size in (("policy", game.actions), ("value", 1), *([("hint", 1)] if hinted else [])):
            self._weights[f"{name}_weight"] = np.zeros((width, size), np.float32)
            self._weights[f"{name}_bias"] = np.full(size, _TRUST if name == "hint" else 0, np.float32)
        self._means = {name: np.zeros_like(weight) for name, weight in self._weights.items()}
        self._squares = {name: np.zeros_like(weight) for name, weight in self._weights.items()}

    def learn(self, labels: Labels, steps: int, rate: float) -> tuple[float, float]:
        """Learns from batches drawn from labels; returns the mean errors of policy and value."""
        errors = np.zeros(2)
        for _ in range(steps):
            gradients, error = self._gradients(labels, self._luck.integers(0, len(labels), _BATCH))
            errors += error
            self._steps += 1
            size = np.float32(rate * np.sqrt(1 - _SQUARES**self._steps) / (1 - _MEANS**self._steps))
            for name, gradient in gradients.items():
                mean, square = self._means[name], self._squares[name]
                mean += np.float32(1 - _MEANS) * (gradient - mean)
                square += np.float32(1 - _SQUARES) * (gradient * gradient - square)
                self._weights[name] -= size * mean / (np.sqrt(square) + np.float32(_TINY))
        policy, value = errors / max(steps, 1)
        return float(policy), float(value)

    def _gradients(self, labels: Labels, chosen: Array) -> tuple[dict[str, Floats], Array]:
        weights, every = self._weights, np.arange(len(chosen))
        layers = [self.inputs.of(labels.seen[chosen])]
        for layer in range(_LAYERS):
            layers.append(np.maximum(layers[-1] @ weights[f"weight_{layer}"] + weights[f"bias_{layer}"], 0))
        top, hints = layers[-1], labels.hints[chosen]
        likes = top @ weights["policy_weight"] + weights["policy_bias"]
        if self._hinted:
            likes[every, hints] += (top @ weights["hint_weight"] + weights["hint_bias"])[:, 0]
        rows, actions, aims = _options(labels, chosen)
        masked = np.full(likes.shape, -np.inf, np.float32)
        masked[rows, actions] = likes[rows, actions]
        chances = np.exp(masked - masked.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        error = -float((aims * np.log(np.maximum(chances[rows, actions], 1e-9))).sum()) / len(chosen)
        chances[rows, actions] -= aims
        by_policy = chances / np.float32(len(chosen))
        value = (top @ weights["value_weight"] + weights["value_bias"])[:, 0]
        off = value - (labels.values[chosen] - self.inputs.usual) / self.inputs.spread
        by_value = (np.float32(2 * _VALUE / len(chosen)) * off)[:, None]
        heads = {"policy": by_policy, "value": by_value}
        if self._hinted:
            heads["hint"] = by_policy[every, hints][:, None]
        found: dict[str, Floats] = {}
        above: Any = 0
        for name, by_head in heads.items():
            found |= {f"{name}_weight": top.T @ by_head, f"{name}_bias": by_head.sum(axis=0)}
            above = above + by_head @ weights[f"{name}_weight"].T
        for layer in reversed(range(_LAYERS)):
            above = np.where(layers[layer + 1] > 0, above, 0)
            found |= {f"weight_{layer}": layers[layer].T @ above, f"bias_{layer}": above.sum(axis=0)}
            above = above @ weights[f"weight_{layer}"].T if layer else above
        return found, np.array([error, float((off * off).mean())])

    def file_arrays(self) -> dict[str, Any]:
        """What the file of the network holds; its value is in the units of the game."""
        made: dict[str, Any] = {**self._weights, "marks": self.inputs.marks.astype(np.int32)}
        made["value_weight"] = made["value_weight"] * self.inputs.spread
        made["value_bias"] = made["value_bias"] * self.inputs.spread + self.inputs.usual
        made |= {"shift": self.inputs.shift, "scale": self.inputs.scale, "mixes": int(self._game.search.mixes)}
        return {**made, "game": self._game.name, "version": self._game.version}

    def saved(self) -> dict[str, Any]:
        """All it is, as plain arrays."""
        luck = self._luck.bit_generator.state["state"]
        made: dict[str, Any] = {"steps": self._steps, "luck": [str(luck["state"]), str(luck["inc"])]}
        made |= {f"inputs.{name}": value for name, value in self.inputs._asdict().items()}
        for kind, arrays in (("weights", self._weights), ("means", self._means), ("squares", self._squares)):
            made |= {f"{kind}.{name}": array for name, array in arrays.items()}
        return made

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Becomes what was saved."""
        self._steps = int(arrays["steps"])
        state = dict(self._luck.bit_generator.state)
        state["state"] = dict(zip(("state", "inc"), map(int, arrays["luck"]), strict=True))
        self._luck.bit_generator.state = state
        for kind, own in (("weights", self._weights), ("means", self._means), ("squares", self._squares)):
            for name in own:
                own[name] = np.asarray(arrays[f"{kind}.{name}"], np.float32)


def saved_inputs(arrays: Mapping[str, Any]) -> Inputs:
    """The inputs of a learner that was saved."""
    return Inputs(**{name: arrays[f"inputs.{name}"] for name in Inputs._fields})


def _options(labels: Labels, chosen: Array) -> tuple[Array, Array, Floats]:
    """Of some decisions: the row, the action and the chance of each option."""
    counts = labels.starts[chosen + 1] - labels.starts[chosen]
    rows = np.repeat(np.arange(len(chosen)), counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    places = np.repeat(labels.starts[chosen], counts) + within
    return rows, labels.actions[places], labels.chances[places]
