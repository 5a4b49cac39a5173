"""How a GPU adds up the layers of a network: the same whole numbers as in `network.py`, some columns at a time.

Neurons lie in a thread's own memory, which is far away: sums of some columns are finished in registers before the next
columns. Rows of the first layer are different ones in each thread. Of a layer behind it all threads read the same rows
at the same time, also those of neurons that hand on nothing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.contract.agent import RuleFunction
from playmill.engine.kernels import network
from playmill.engine.kernels.network import COLUMNS, INPUT, INPUT_SIZE, INPUTS, row_of_input
from playmill.engine.lang.rule import local_array, rule

#: So many rows are listed before they are added.
_LISTED = 64
_columns = local_array(np.dtype(np.float64), COLUMNS)
_rows = local_array(np.dtype(np.int64), _LISTED)


@rule
def add_inputs(net: Any, seen: Any, neurons: Any, width: int) -> None:
    """Adds what each number adds that is seen and not 0 to the sums of the first layer."""
    rows, listed = _rows(), 0
    for i in range(int(net[INPUTS])):
        if seen[i] != 0:
            row = row_of_input(net, INPUT + INPUT_SIZE * i, int(seen[i]), neurons, width)
            if row != 0:
                rows[listed] = row
                listed += 1
                if listed == _LISTED:
                    _add_rows(net, rows, listed, neurons, width)
                    listed = 0
    _add_rows(net, rows, listed, neurons, width)


@rule
def _add_rows(net: Any, rows: Any, listed: int, neurons: Any, width: int) -> None:
    """Adds these rows to the sums of the first layer."""
    sums = _columns()
    for first in range(0, width, COLUMNS):
        for j in range(COLUMNS):
            sums[j] = neurons[first + j]
        for k in range(listed):
            at = rows[k] + first
            for j in range(COLUMNS):
                sums[j] += net[at + j]
        for j in range(COLUMNS):
            neurons[first + j] = sums[j]


@rule
def add_neurons(net: Any, first: int, size: int, neurons: Any, before: int, now: int, width: int) -> None:
    """Adds what each neuron of the layer before hands on, times its row, to the sums of a layer."""
    sums = _columns()
    for column in range(0, width, COLUMNS):
        for j in range(COLUMNS):
            sums[j] = neurons[now + column + j]
        for i in range(size):
            active, at = neurons[before + i], first + i * width + column
            for j in range(COLUMNS):
                sums[j] += active * net[at + j]
        for j in range(COLUMNS):
            neurons[now + column + j] = sums[j]


#: What kernels of a GPU call, by what stands in its place elsewhere.
ON_DEVICE: dict[RuleFunction, RuleFunction] = {network.add_inputs: add_inputs, network.add_neurons: add_neurons}
