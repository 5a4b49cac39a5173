"""Network evaluation inside compiled search: policy and value from weights in one table, read by rules.

A row of the table is a row of weights, padded with zeros to the widest layer; behind them come two more columns. First
the inputs of the first layer, `raws` of them numbers that are seen and `marks` of them on or off: the first of the two
columns says where it is seen, the second the threshold of a mark. Then the biases of the layer; then every further
layer, a row for each neuron below it and one of biases. Then a row for the value, and one for each action: what is
added to it is in the first column. The last two rows are for the layers as they are computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from playmill.engine.lang.rule import rule

#: Layers that a network may have here.
MOST_LAYERS = 8
MixedMatch = np.ndarray[Any, np.dtype[np.float64]]


class NetworkTable(NamedTuple):
    """A network as rules read it: its table, the sizes of its parts, and the sum of all players' returns."""

    table: MixedMatch
    raws: int
    marks: int
    sizes: tuple[int, ...]
    together: float


#: In the place of a network, for whoever has none.
NOBODY = np.zeros((0, 0))


def network_table(arrays: Mapping[str, Any], together: float) -> NetworkTable:
    """Packs a network of a file into a table; shift and scale of the inputs go into its weights."""
    layers = [
        (_floats(arrays[f"weight_{k}"]), _floats(arrays[f"bias_{k}"]))
        for k in range(sum(name.startswith("weight_") for name in arrays))
    ]
    scale, shift = _floats(arrays["scale"]), _floats(arrays["shift"])
    marks = np.asarray(arrays.get("marks", np.zeros((0, 2))), np.int64)
    weight, bias = layers[0]
    scaled = weight[: len(scale)] * scale[:, None]
    raws = np.flatnonzero(scaled.any(axis=1))
    layers[0] = np.concatenate([scaled[raws], weight[len(scale) :]]), bias - shift @ scaled
    sizes = tuple(weight.shape[1] for weight, _ in layers)
    heads = [
        (_floats(arrays["value_weight"]).T, _floats(arrays["value_bias"])),
        (_floats(arrays["policy_weight"]).T, _floats(arrays["policy_bias"])),
    ]
    width = max(sizes)
    inputs = len(raws) + len(marks)
    rows = sum(len(weight) + 1 for weight, _ in layers) + sum(len(weight) for weight, _ in heads) + 2
    table, row = np.zeros((rows, width + 2)), 0
    for weight, bias in layers:
        table[row : row + len(weight), : weight.shape[1]] = weight
        table[row + len(weight), : weight.shape[1]] = bias
        row += len(weight) + 1
    for weight, bias in heads:
        table[row : row + len(weight), : weight.shape[1]] = weight
        table[row : row + len(weight), width] = bias
        row += len(weight)
    table[: len(raws), width] = raws
    table[len(raws) : inputs, width:] = marks
    return NetworkTable(table, len(raws), len(marks), sizes, together)


def _floats(array: Any) -> MixedMatch:
    return np.asarray(array, np.float64)


@rule
def run_layers(mind: Any, table: Any) -> int:
    """Runs an observation through the layers; returns the row that holds the last one."""
    width = table.shape[1] - 2
    now, below = table.shape[0] - 2, table.shape[0] - 1
    row = mind.raws + mind.marks
    for j in range(width):
        table[now, j] = table[row, j]
    for i in range(mind.raws):
        seen = mind.seen[int(table[i, width])]
        if seen != 0:
            for j in range(width):
                table[now, j] += seen * table[i, j]
    for i in range(mind.raws, row):
        if mind.seen[int(table[i, width])] >= table[i, width + 1]:
            for j in range(width):
                table[now, j] += table[i, j]
    for layer in range(1, mind.layers):
        first = row + 1
        row = first + mind.sizes[layer - 1]
        now, below = below, now
        for j in range(width):
            table[now, j] = table[row, j]
        for i in range(mind.sizes[layer - 1]):
            woken = table[below, i]
            if woken > 0.0:
                for j in range(width):
                    table[now, j] += woken * table[first + i, j]
    for j in range(width):
        table[now, j] = max(table[now, j], 0.0)
    mind.heads = row + 1
    return int(now)


@rule
def read_head(table: Any, row: int, neurons: int) -> float:
    """One output of the last layer."""
    width = table.shape[1] - 2
    total: float = table[row, width]
    for j in range(width):
        total += table[neurons, j] * table[row, j]
    return total


@rule
def expect(mind: Any, table: Any) -> float:
    """The value for the player whose observation was read."""
    neurons = run_layers(mind, table)
    return read_head(table, mind.heads, neurons)


@rule
def advise(mind: Any, table: Any, n: int) -> int:
    """The one of n options with the best policy score."""
    neurons = run_layers(mind, table)
    best, most = 0, 0.0
    for i in range(n):
        likes = read_head(table, mind.heads + 1 + mind.legal.ids[i], neurons)
        if i == 0 or likes > most:
            best, most = i, likes
    action: int = mind.legal.ids[best]
    return action
