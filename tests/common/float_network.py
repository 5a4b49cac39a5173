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
