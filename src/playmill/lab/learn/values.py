"""Values of positions, learned from what games by fast agents brought: the network that `search:net=FILE` judges by.

Games by the game's own agents cost microseconds: from millions of them a network learns what every seat can expect of a
position. `search` then needs not play on to the end, and hears less noise. PyTorch trains it on a GPU if there is one;
else NumPy does.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from playmill.agents.agent_specs import seats_for
from playmill.engine.config.model import Changes, RuleConfig, change_texts
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.engine.lang.rng import SEATS
from playmill.engine.run.backends import default_workers
from playmill.engine.run.match import check_seed
from playmill.engine.run.rollouts import RolloutAgent
from playmill.interrupts import Stop, interrupt
from playmill.lab.learn.labels import Array, Floats
from playmill.lab.learn.self_play import Job, Positions, SelfPlay
from playmill.lab.learn.training import thresholds
from playmill.report.files.writing import check_writable, write_bytes
from playmill.texts import PlaymillError

#: Positions kept of a game; games played at first; the part of the time that is spent on training.
_EACH, _FIRST, _TRAINS = 4, 256, 0.4
#: Positions by which inputs are chosen.
_SAMPLE = 60_000
#: Rounds; the positions of so many of them are learned from, and at most so many of one.
_ROUNDS, _WINDOW, _MOST = 4, 3, 4_000_000
#: Of the games: how many are played by the heuristic alone, how many without lapses, and how often there is one else.
_ALONE, _STRAIGHT, _LAPSES = 0.5, 0.4, (0.1, 0.4)
#: How often the heuristic sits down beside others, other agents that were named, and `random`.
_HEURISTIC, _OTHER, _RANDOM = 4.0, 2.0, 0.3
_BATCH, _RATE, _SLOWEST = 4096, 1.5e-3, 0.05
_MEANS, _SQUARES, _TINY = 0.9, 0.999, 1e-8
#: Binary digits of what is written of a weight.
_DIGITS = 12


def learn_values(
    game: str | Game,
    *,
    save: str | Path,
    minutes: float = 10,
    players: int | None = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    agents: Sequence[str] = (),
    size: int = 64,
    seed: int = 0,
    workers: int | None = None,
    told: Callable[[str], None] | None = None,
) -> float:
    """Learns values for about so many minutes and writes them to a file that `search:net=FILE` takes.

    Games are played by the agent `search` plays on by, by `agents` and now and then by `random`. Returns the part of
    what games bring that the network does not explain, in games it has not learned from: 1 is as good as none. `told`
    hears of every round. Ctrl-C ends it with the rounds finished so far.
    """
    chosen = as_game(game)
    players = chosen.players[0] if players is None else players
    check_seed(seed)
    settings = as_config(chosen, config)
    settings = settings.changed(change_texts(set)) if set else settings
    check_writable(Path(save))
    seats = [seats_for(chosen, players, [name])[0] for name in (chosen.search.rollout, *agents, "random")]
    slow = next((seat for seat in seats if not seat.compiled), None)
    if slow is not None:
        raise PlaymillError(
            f"values are learned from games of compiled agents; {slow.name} is none",
            f"оценки учатся на партиях скомпилированных агентов; {slow.name} не такой",
        )
    cast = [RolloutAgent(one.number, one.params, one.table) for one in seats]
    games = _Games(SelfPlay(chosen, settings, players, cast, workers or default_workers()), len(agents), seed)
    network: ValueNetwork | None = None
    window: list[Positions] = []
    left = 1.0
    with interrupt() as stop:
        for turn in range(_ROUNDS):
            fresh = games.play(60 * minutes / _ROUNDS * (1 - _TRAINS), stop)
            if stop():
                break
            apart = max(1, len(fresh.seen) // 20)
            network = network or ValueNetwork(chosen, fresh, size, seed)
            window = [*window, Positions(fresh.seen[apart:], fresh.paid[apart:], fresh.decisions)][-_WINDOW:]
            network.learn(window, 60 * minutes / _ROUNDS * _TRAINS, stop)
            left = network.unexplained(fresh.seen[:apart], fresh.paid[:apart])
            write_bytes(Path(save), _packed(network.file_arrays()))
            if told is not None:
                told(f"{turn + 1}/{_ROUNDS}: {games.played} games, {left:.3f} unexplained")
    if network is None:
        raise KeyboardInterrupt
    return left


class _Games:
    """Games of compiled agents, one after the other: the heuristic first, then others, `random` last."""

    def __init__(self, play: SelfPlay, others: int, seed: int) -> None:
        self._play, self._seed = play, seed
        weights = np.array([_HEURISTIC, *[_OTHER] * others, _RANDOM])
        self._weights = weights / weights.sum()
        self._luck = np.random.default_rng(seed % 2**63)
        self._length = 0.0
        self.played = 0

    def play(self, seconds: float, stop: Stop) -> Positions:
        """Plays for so many seconds, not counting the first games, while which rules are compiled."""
        parts = [self._some(_FIRST, stop)]
        end, count = time.monotonic() + seconds, _FIRST
        while time.monotonic() < end and sum(len(part.seen) for part in parts) < _MOST and not stop():
            begun = time.monotonic()
            parts.append(self._some(count, stop))
            count = max(_FIRST, min(2 * count, int(count / max(time.monotonic() - begun, 1e-3))))
        seen, paid = (np.concatenate(columns) for columns in zip(*(part[:2] for part in parts), strict=True))
        return Positions(seen, paid, self._length)

    def _some(self, count: int, stop: Stop) -> Positions:
        luck = self._luck
        jobs = np.zeros(count, Job)
        jobs["seed"], jobs["game"] = self._seed, np.arange(self.played, self.played + count)
        jobs["lapse"] = luck.choice(_LAPSES, count)
        # Where a game may have gone by other choices, too: from there on it is played well.
        jobs["until"] = np.where(luck.random(count) < _STRAIGHT, 0, luck.random(count) * 0.7 * self._length)
        jobs["who"] = luck.choice(len(self._weights), size=(count, SEATS), p=self._weights)
        jobs["who"][luck.random(count) < _ALONE] = 0
        self.played += count
        made = self._play.positions(jobs, _EACH, stop)
        self._length = self._length or made.decisions
        return made


class ValueNetwork:
    """A network of two layers with a value for each seat; gradients by hand, for NumPy and PyTorch alike."""

    def __init__(self, game: Game, sample: Positions, width: int, seed: int) -> None:
        self._game, self._torch, self._luck = game, _torch(), np.random.default_rng(seed % 2**63)
        seen, seats = sample.seen[:_SAMPLE], sample.paid.shape[1]
        spread = seen.std(axis=0)
        marks = [(place, value) for place, column in enumerate(seen.T) for value in thresholds(column)]
        self._marks = np.array(marks, np.int64).reshape(-1, 2)
        self._shift = seen.mean(axis=0).astype(np.float32)
        self._scale = np.where(spread > 0, 1 / np.maximum(spread, 1e-3), 0).astype(np.float32)
        self._usual = sample.paid.mean(axis=0).astype(np.float32)
        self._spread = np.float32(max(float(sample.paid.std()), 1e-3))
        inputs = len(self._shift) + len(marks)
        made = {
            "weight_0": self._luck.normal(size=(inputs, width)) * np.sqrt(2 / max(20, inputs / 8)),
            "bias_0": np.zeros(width),
            "weight_1": self._luck.normal(size=(width, width)) * np.sqrt(2 / width),
            "bias_1": np.zeros(width),
            "value_weight": np.zeros((width, seats)),
            "value_bias": np.zeros(seats),
        }
        self._weights = {name: self._there(array.astype(np.float32)) for name, array in made.items()}
        self._means = {name: 0 * weight for name, weight in self._weights.items()}
        self._squares = {name: 0 * weight for name, weight in self._weights.items()}
        self._steps = 0
        self._numbers = [self._there(one) for one in (self._shift, self._scale, self._marks[:, 0], self._marks[:, 1])]

    def learn(self, window: Sequence[Positions], seconds: float, stop: Stop) -> None:
        """Learns from batches of positions for so many seconds, ever more slowly."""
        parts = [(self._there(part.seen), self._there((part.paid - self._usual) / self._spread)) for part in window]
        sizes = np.array([len(part.seen) for part in window])
        begun, passed = time.monotonic(), 0.0
        while passed < 1 and not stop():
            seen, aims = parts[self._luck.choice(len(parts), p=sizes / sizes.sum())]
            drawn = self._there(self._luck.integers(0, len(seen), _BATCH))
            self._step(seen[drawn], aims[drawn], _RATE * max(_SLOWEST, 1 - passed))
            passed = (time.monotonic() - begun) / max(seconds, 1e-3)

    def _layers(self, seen: Any) -> tuple[Any, Any, Any]:
        shift, scale, places, least = self._numbers
        marked = seen[:, places] >= least
        if self._torch is not None:
            inputs = self._torch.cat([(seen - shift) * scale, marked.float()], 1)
        else:
            inputs = np.concatenate([(seen - shift) * scale, marked], axis=1).astype(np.float32)
        below = inputs @ self._weights["weight_0"] + self._weights["bias_0"]
        below = below * (below > 0)
        above = below @ self._weights["weight_1"] + self._weights["bias_1"]
        return inputs, below, above * (above > 0)

    def _step(self, seen: Any, aims: Any, rate: float) -> None:
        """One step of Adam on the squared error."""
        weights = self._weights
        inputs, below, above = self._layers(seen)
        off = (above @ weights["value_weight"] + weights["value_bias"] - aims) * (2 / (aims.shape[0] * aims.shape[1]))
        by_above = (off @ weights["value_weight"].T) * (above > 0)
        by_below = (by_above @ weights["weight_1"].T) * (below > 0)
        found: dict[str, Any] = {}
        for weight, bias, given, by in (
            ("value_weight", "value_bias", above, off),
            ("weight_1", "bias_1", below, by_above),
            ("weight_0", "bias_0", inputs, by_below),
        ):
            found |= {weight: given.T @ by, bias: by.sum(0)}
        self._steps += 1
        size = float(rate * np.sqrt(1 - _SQUARES**self._steps) / (1 - _MEANS**self._steps))
        for name, gradient in found.items():
            mean, square = self._means[name], self._squares[name]
            mean += (1 - _MEANS) * (gradient - mean)
            square += (1 - _SQUARES) * (gradient * gradient - square)
            weights[name] -= size * mean / (square**0.5 + _TINY)

    def unexplained(self, seen: Array, paid: Array) -> float:
        """The part of the variance of what games brought that is left beside what it says."""
        told = self._layers(self._there(seen))[2] @ self._weights["value_weight"] + self._weights["value_bias"]
        off = self._here(told) * self._spread + self._usual - paid
        return float((off * off).mean() / max(float(paid.var(axis=0).mean()), 1e-12))

    def file_arrays(self) -> dict[str, Any]:
        """What the file of the network holds."""
        made: dict[str, Any] = {name: self._here(weight).copy() for name, weight in self._weights.items()}
        made["value_weight"] *= self._spread
        made["value_bias"] = made["value_bias"] * self._spread + self._usual
        made = {name: np.rint(array * 2**_DIGITS) / np.float32(2**_DIGITS) for name, array in made.items()}
        made |= {"marks": self._marks.astype(np.int32), "shift": self._shift, "scale": self._scale, "mixes": 0}
        return {**made, "seats": len(self._usual), "game": self._game.name, "version": self._game.version}

    def _there(self, array: Any) -> Any:
        return array if self._torch is None else self._torch.from_numpy(np.ascontiguousarray(array)).to("cuda")

    def _here(self, array: Any) -> Floats:
        here: Floats = array if self._torch is None else array.cpu().numpy()
        return here


def _torch() -> Any:
    """PyTorch, if it is installed and there is a GPU for it; else NumPy is as fast."""
    try:
        torch = import_module("torch")
    except ImportError:
        return None
    return torch if torch.cuda.is_available() else None


def _packed(arrays: Mapping[str, Any]) -> bytes:
    made = io.BytesIO()
    np.savez_compressed(made, **arrays)
    return made.getvalue()
