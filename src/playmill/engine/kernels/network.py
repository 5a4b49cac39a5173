"""Evaluates networks inside compiled loops: layers of whole numbers, so that every machine comes to the same choice.

A network is one array of numbers, its *table*, made by `playmill.agents.network_table` from the file of a network. All
of them are whole but for powers of two, and no sum of them reaches 2^53: so float64 holds each exactly, in whatever
order it is added up and whether or not a machine multiplies and adds in one step.

The table begins with sizes and places (`INPUTS` …), then three numbers for each layer and five for each number of an
observation; all else is found by these. A row is as wide as the widest layer. What a number adds has a row for each of
its usual values or, where these are far apart, for each stretch between two thresholds, and a row for what it exceeds
that by. Most numbers are 0: what they add then is in the biases, and they cost nothing.

A network may be *hinted*: then it also knows what the game's own heuristic would do, and its last output is added to
that of the hinted action.

It may have a value for each seat. Then it also sees, behind the observation, in which seat it sits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import CompiledAgent, Known, Preparing, RuleFunction
from playmill.engine.contract.game import Game
from playmill.engine.contract.random_agent import RANDOM
from playmill.engine.kernels.placeholders import legal_actions, observe
from playmill.engine.lang.rng import below
from playmill.engine.lang.rule import local_array, rule
from playmill.texts import Text

#: The name of the agent, which no agent of a game can have, and what it does.
NAME = "net:"
ABOUT = Text("plays by a network from a file", "играет по сети из файла")
#: A network has at most so many layers, each of at most so many neurons.
MOST_LAYERS, MOST_WIDTH = 8, 512
#: A row is padded to a multiple of so many numbers.
COLUMNS = 8
#: A number that is seen, and the output of a neuron, counts as at most this.
MOST_SEEN, MOST_ACTIVE = 1 << 20, 1 << 24
#: What a table begins with: how many numbers are seen, how many layers, how wide a row is, whether actions are drawn by
#: chance, where the rows of the outputs begin, by what an output is multiplied to be in steps of the chances, and in
#: units, the number of the output for the hint, or 0; how many values it has, one or one for each seat; whether it has
#: a policy.
INPUTS, LAYERS, WIDTH, MIXES, OUTPUTS, TO_STEPS, TO_UNITS, HINT, VALUES, POLICY = range(10)
#: Where the three numbers of each layer are: its rows (the last are the biases), how many inputs it has, and by what a
#: sum is multiplied to be what the next layer takes.
LAYER, ROWS, SIZE, FACTOR = 10, 0, 1, 2
#: Where the five numbers of each number seen are: where its rows are, or 0 if it adds nothing; how many there are;
#: where its thresholds are, one less, or 0 if it has a row for each value; the least of these values; and the row for
#: what it exceeds them by, or 0.
INPUT, ROW, COUNT, THRESHOLDS, LEAST, MORE = LAYER + 3 * MOST_LAYERS, 0, 1, 2, 3, 4
INPUT_SIZE = 5
#: Chances are computed in steps of a factor of exp(1/256), and below exp(-16) they are 0.
STEPS_PER_UNIT, _STEPS = 256, 4096
_ONE = 1 << 17


def _chances() -> Any:
    """The chance, relative to the best, of what is worth so many steps less; by whole numbers, alike everywhere."""
    factor, exact, made = 1148426689630428643, 1 << 60, []  # 2^60 / exp(1/256)
    for _ in range(_STEPS):
        made.append(exact * _ONE >> 60)
        exact = exact * factor >> 60
    return np.array(made, np.int64)


CHANCES = _chances()
_neurons = local_array(np.dtype(np.float64), 2 * MOST_WIDTH)


@rule
def run_layers(net: Any, seen: Any, neurons: Any) -> int:
    """Runs an observation through the layers; returns where in `neurons` the last one begins."""
    width = int(net[WIDTH])
    now = 0
    _begin(net, int(net[LAYER + ROWS] + net[LAYER + SIZE] * width), neurons, now, width)
    add_inputs(net, seen, neurons, width)
    _activate(neurons, now, width, net[LAYER + FACTOR])
    for layer in range(1, int(net[LAYERS])):
        at = LAYER + 3 * layer
        first, size = int(net[at + ROWS]), int(net[at + SIZE])
        before = now
        now = MOST_WIDTH - now
        _begin(net, first + size * width, neurons, now, width)
        add_neurons(net, first, size, neurons, before, now, width)
        _activate(neurons, now, width, net[at + FACTOR])
    return now


@rule
def _begin(net: Any, biases: int, neurons: Any, now: int, width: int) -> None:
    """Begins the sums of a layer with its biases."""
    for j in range(width):
        neurons[now + j] = net[biases + j]


@rule
def add_inputs(net: Any, seen: Any, neurons: Any, width: int) -> None:
    """Adds what each number adds that is seen and not 0 to the sums of the first layer (see `network_cuda.py`)."""
    for i in range(int(net[INPUTS])):
        if seen[i] != 0:
            at = INPUT + INPUT_SIZE * i
            row = row_of_input(net, at, int(seen[i]), neurons, width)
            if row != 0:
                _add(net, row, 1.0, neurons, 0, width)


@rule
def add_neurons(net: Any, first: int, size: int, neurons: Any, before: int, now: int, width: int) -> None:
    """Adds what each neuron of the layer before hands on, times its row, to the sums of a layer."""
    for i in range(size):
        if neurons[before + i] != 0.0:
            _add(net, first + i * width, neurons[before + i], neurons, now, width)


@rule
def row_of_input(net: Any, at: int, seen: int, neurons: Any, width: int) -> int:
    """The row of what a number adds that is not 0, or 0; what it adds by exceeding its rows is added here."""
    row = int(net[at + ROW])
    if row == 0:
        return 0
    value = min(max(seen, -MOST_SEEN), MOST_SEEN)
    rows, thresholds, rest = int(net[at + COUNT]), int(net[at + THRESHOLDS]), value
    place = 0
    if thresholds == 0:
        place = min(max(value - int(net[at + LEAST]), 0), rows - 1)
        rest = value - int(net[at + LEAST]) - place
    else:
        while place + 1 < rows and value >= net[thresholds + place]:
            place += 1
    more = int(net[at + MORE])
    if rest != 0 and more != 0:
        _add(net, more, float(rest), neurons, 0, width)
    return row + place * width


@rule
def _add(net: Any, row: int, factor: float, neurons: Any, now: int, width: int) -> None:
    """Adds a row times a factor to the sums of a layer."""
    for j in range(width):
        neurons[now + j] += factor * net[row + j]


@rule
def _activate(neurons: Any, now: int, width: int, factor: float) -> None:
    """Rectifies sums, and rounds them to what the next layer takes."""
    for j in range(width):
        neurons[now + j] = float(int(min(max(neurons[now + j] * factor, 0.0), float(MOST_ACTIVE)) + 0.5))


@rule
def output(net: Any, number: int, neurons: Any, now: int) -> float:
    """The first outputs are values; behind them come those of the actions, and of the hint. In units of the table."""
    width = int(net[WIDTH])
    row = int(net[OUTPUTS]) + number * (width + 1)
    total: float = net[row + width]
    # Sums beside each other need not wait for one another.
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for j in range(0, width, 4):
        a += neurons[now + j] * net[row + j]
        b += neurons[now + j + 1] * net[row + j + 1]
        c += neurons[now + j + 2] * net[row + j + 2]
        d += neurons[now + j + 3] * net[row + j + 3]
    return total + ((a + b) + (c + d))


@rule
def expected(net: Any, seen: Any) -> float:
    """What the player whose observation it is can expect."""
    neurons = _neurons()
    now = run_layers(net, seen, neurons)
    value: float = output(net, 0, neurons, now) * net[TO_UNITS]
    return value


@rule
def expected_of_all(net: Any, seen: Any, out: Any) -> None:
    """Writes what every player can expect."""
    neurons = _neurons()
    now = run_layers(net, seen, neurons)
    for seat in range(int(net[VALUES])):
        out[seat] = output(net, seat, neurons, now) * net[TO_UNITS]


@rule
def favourite(net: Any, seen: Any, ids: Any, n: int, hint: int) -> int:
    """The one of n options with the best output; of equals the first."""
    neurons = _neurons()
    now = run_layers(net, seen, neurons)
    trust = _trust(net, neurons, now)
    best, most = 0, 0.0
    for i in range(n):
        likes = output(net, int(net[VALUES]) + ids[i], neurons, now) + (trust if ids[i] == hint else 0.0)
        if i == 0 or likes > most:
            best, most = i, likes
    action: int = ids[best]
    return action


@rule
def _trust(net: Any, neurons: Any, now: int) -> float:
    """What is added to the output of the hinted action."""
    return output(net, int(net[HINT]), neurons, now) if net[HINT] != 0.0 else 0.0


@rule
def drawn(net: Any, seen: Any, ids: Any, n: int, hint: int, likes: Any, rng: Any, player: int) -> int:
    """One of n options, drawn by their chances."""
    neurons = _neurons()
    now = run_layers(net, seen, neurons)
    trust = _trust(net, neurons, now)
    most = 0.0
    for i in range(n):
        likes[i] = output(net, int(net[VALUES]) + ids[i], neurons, now) + (trust if ids[i] == hint else 0.0)
        if i == 0 or likes[i] > most:
            most = likes[i]
    total = 0
    for i in range(n):
        total += _chance(most - likes[i], net[TO_STEPS])
    left = below(rng, player, total)
    chosen = 0
    while left >= _chance(most - likes[chosen], net[TO_STEPS]):
        left -= _chance(most - likes[chosen], net[TO_STEPS])
        chosen += 1
    action: int = ids[chosen]
    return action


@rule
def _chance(less: float, to_steps: float) -> int:
    steps = less * to_steps
    return CHANCES[int(steps)] if steps < float(_STEPS) else 0


def network_agent(game: Game) -> CompiledAgent:
    """The compiled agent that plays a game by a network; its lookup table is the network's."""
    observation, size = local_array(np.dtype(np.int32), game.observation + 1), game.observation
    options = local_array(np.dtype(np.float64), game.max_legal)
    heuristic = hinting(game)
    suggest = _no_hint if heuristic is None else heuristic.choose

    @rule
    def choose(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any, net: Any) -> int:
        seen = observation()
        for i in range(size):
            seen[i] = 0
        observe(cfg, s, s.player, seen)
        seen[size] = s.player
        hint = -1
        if net[HINT] != 0.0:
            hint = suggest(cfg, s, legal, n, rng, params)
            legal_actions(cfg, s, legal)  # the heuristic may have listed others
        if net[MIXES] != 0.0:
            return drawn(net, seen, legal.ids, n, hint, options(), rng, s.player)
        return favourite(net, seen, legal.ids, n, hint)

    made: RuleFunction = choose
    if heuristic is None:
        return CompiledAgent(made, ABOUT, honest=True, knows=_comes_with_its_seat)
    numbers = heuristic.parameters
    return CompiledAgent(made, ABOUT, numbers, honest=heuristic.honest, knows=_comes_with_its_seat)


def hinting(game: Game) -> CompiledAgent | None:
    """The heuristic that hints to networks of a game, if there is one: the agent by which `search` plays on."""
    heuristic = game.agents.get(game.search.rollout, RANDOM)
    return None if heuristic is RANDOM or heuristic.knows else heuristic


@rule
def _no_hint(cfg: Any, s: Any, legal: Any, n: int, rng: Any, params: Any) -> int:
    return -1


def _comes_with_its_seat(config: RuleConfig, preparing: Preparing | None) -> Known:
    raise AssertionError("the table of a network comes with its seat")
