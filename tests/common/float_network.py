"""A network of a file as it was trained, in floats: what the one of whole numbers is compared with."""

from __future__ import annotations

from pathlib import Path

import numpy as np


class FloatNetwork:
    """Predicts, from observations, a score for each action and the value."""

    def __init__(self, arrays):
        self._arrays = arrays
        marks = np.asarray(arrays.get("marks", np.zeros((0, 2))), np.int64)
        self._places, self._least = marks[:, 0], marks[:, 1]

    def evaluate(self, seen):
        seen, arrays = np.asarray(seen), self._arrays
        given = (seen.astype(np.float64) - arrays["shift"]) * arrays["scale"]
        found = np.concatenate([given, seen[..., self._places] >= self._least], axis=-1)
        for layer in range(sum(name.startswith("weight_") for name in arrays)):
            found = np.maximum(found @ arrays[f"weight_{layer}"] + arrays[f"bias_{layer}"], 0)
        policy = found @ arrays["policy_weight"] + arrays["policy_bias"]
        return policy, (found @ arrays["value_weight"] + arrays["value_bias"])[..., 0]


def trained(name):
    """The arrays of a file beside the example that learns."""
    with np.load(Path(__file__).parents[2] / "examples" / "learning" / f"{name}.npz") as file:
        return {key: file[key] for key in file.files}


#: The width of the only layer.
WIDTH = 24


def random_values(game, players, luck):
    """A network of random weights with a value for each seat, and no policy."""
    seen = game.observation + 1
    marks = [(place, threshold) for place in range(0, seen, 3) for threshold in (1, 3)]

    def weights(*shape):
        return (luck.normal(size=shape) / shape[0] ** 0.5).astype(np.float32)

    return {
        "game": game.name,
        "version": game.version,
        "mixes": 0,
        "seats": players,
        "shift": np.zeros(seen, np.float32),
        "scale": np.full(seen, 0.25, np.float32),
        "marks": marks,
        "weight_0": weights(seen + len(marks), WIDTH),
        "bias_0": weights(WIDTH),
        "value_weight": weights(WIDTH, players),
        "value_bias": weights(players),
    }
