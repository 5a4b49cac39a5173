"""Learning what positions are worth (`--what values`): the network that `search:net=FILE` judges by.

Games of a game's own agents cost microseconds: from many of them a network learns what every seat can expect of a
position. `search` then needs not play on to the end, and hears less noise. What a position is worth to those who play
so is not what it is worth to those who search: where the game has no heuristic, or `search` is among those who play,
after the first rounds it plays with the network, in every seat, and the network learns what these games brought (expert
iteration).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.networks import Network, network_table
from playmill.agents.search.search_agent import PARAMETERS
from playmill.engine.contract.game import Game
from playmill.engine.lang.rng import SEATS
from playmill.engine.run.rollouts import RolloutAgent
from playmill.interrupts import Stop
from playmill.lab.learn.kept import SavedRounds
from playmill.lab.learn.labels import Array, Floats
from playmill.lab.learn.method import Method, Round, Task
from playmill.lab.learn.rungs import DEALS, RANDOM, Rungs
from playmill.lab.learn.searched_play import SearchedPlay
from playmill.lab.learn.self_play import Job, Positions, SelfPlay
from playmill.lab.learn.training import Inputs, Learner, inputs_for, saved_inputs
from playmill.report.commands.learning import CurvePoint
from playmill.stats.estimates import Estimate
from playmill.stats.from_observations import average
from playmill.texts import PlaymillError

#: Positions that are learned in a round: by default, and at least.
POSITIONS, LEAST_POSITIONS = 100_000, 1000
#: Positions kept of a game; games that are played at a time; how often a position is learned, on average.
_EACH, _PORTION, _PASSES = 4, 2048, 2
#: Games by which it is seen how many decisions one has; those, with a position each, that are not learned from.
_FIRST, _APART = 256, 10_000
#: Positions by which inputs are chosen.
_SAMPLE = 60_000
#: Of the games: how many are played by the heuristic alone, how many without lapses, how often there is one else, and
#: up to which part of a game, at most.
_ALONE, _STRAIGHT, _LAPSES, _UNTIL = 0.5, 0.4, (0.1, 0.4), 0.7
#: How often the heuristic sits down beside others, other agents that were named, and `random`.
_HEURISTIC, _OTHER, _RANDOM = 4.0, 2.0, 0.3
#: How fast it learns at first, and after how many positions half so; and at the end of a round, beside its beginning.
_BATCH, _RATE, _SLOWER, _SLOWEST = 1024, 1.5e-3, 4_000_000, 0.05
#: Makes of the seed that of games which are not learned from.
_OTHER_GAMES = 0x2545F491
#: Every so many rounds it is measured how strong `search` is with it: that costs as much as a round.
_MEASURED = 4
#: Iterations of `search` by which it is measured, and by which the expert plays.
_FEW, _MANY = 30, 1000
#: `search` plays on for this part of a game before it asks, by the heuristic: a sixth was best in `dimensions`.
_PLAYED_ON = 1 / 6
#: Who plays after the first rounds where the game has no heuristic.
SEARCHER = "search:iterations=50"
#: The place of the horizon among the parameters of `search`.
_HORIZON = list(PARAMETERS).index("horizon")
#: Rounds in which compiled agents play, before `search` does. A round of it has so large a part of the positions, of
#: each game so many, and is learned from in so many rounds; each position so often, in all.
_COMPILED, _PART, _EACH_SEARCHED, _WINDOW, _PASSES_SEARCHED = 2, 4, 16, 8, 10
#: What a position is worth is learned from what its game brought, and so large a part from what search expected.
_BELIEVED = 0.75
#: Games that `search` plays at a time; of how many of its games nothing is learned: by them it is seen what is left.
_PORTION_SEARCHED, _APART_SEARCHED = 64, 0.1
#: Of the games of `search`: how many are without random choices, and up to which part of a game there are some else.
_STRAIGHT_SEARCHED, _UNTIL_SEARCHED = 0.1, 1.0
#: The part of a round that is spent on games, about: of compiled agents, and of `search`.
_GAMES_PART, _SEARCHED_PART = 0.4, 0.8


class Values(Method):
    """A network with a value for each seat, which learns from what games of compiled agents bring."""

    what = "values"
    window = _WINDOW

    def __init__(self, task: Task, rungs: Rungs, positions: int, agents: Sequence[str]) -> None:
        super().__init__(task, rungs)
        if positions < LEAST_POSITIONS:
            raise PlaymillError(
                f"a round has {positions} positions; at least {LEAST_POSITIONS}",
                f"в круге позиций: {positions}; нужно хотя бы {LEAST_POSITIONS}",
            )
        named = [seats_for(task.game, task.players, [name], task.config)[0] for name in agents]
        searchers = [seat for seat in named if _searches(seat)]
        if len(searchers) > 1:
            first, second = searchers[0].name, searchers[1].name
            raise PlaymillError(
                f"--agents names {first} and {second}; one search plays in every seat",
                f"--agents называет {first} и {second}; на всех местах играет один search",
            )
        self._searcher = searchers[0] if searchers else None
        if self._searcher is None and task.game.search.rollout == RANDOM:
            self._searcher = seats_for(task.game, task.players, [SEARCHER])[0]
        self._agents = [seat for seat in named if not _searches(seat)]
        heuristic, anybody = rungs.seats[task.game.search.rollout], rungs.seats[RANDOM]
        self._seats = [heuristic, *self._agents, anybody]
        slow = next((seat for seat in self._seats if not seat.compiled), None)
        if slow is not None:
            raise PlaymillError(
                "values are learned from games of compiled agents, and of search by iterations with the network that"
                f" learns; {slow.name} is neither",
                "оценки учатся на партиях скомпилированных агентов и search по числу партий с той сетью, что учится;"
                f" {slow.name} — ни то ни другое",
            )
        self._positions = positions
        self._learner: ValueLearner | None = None
        #: What was learned from the games of `search`, of the last rounds.
        self._lessons: list[Positions] = []

    def decisive(self) -> dict[str, Any]:
        """Returns who plays, and all numbers of a round."""
        games = [_EACH, _PORTION, _PASSES, _FIRST, _APART, _SAMPLE, _ALONE, _STRAIGHT, *_LAPSES, _UNTIL]
        games += [_COMPILED, _PART, _EACH_SEARCHED, _WINDOW, _PASSES_SEARCHED, _PORTION_SEARCHED]
        games += [_APART_SEARCHED, _STRAIGHT_SEARCHED, _UNTIL_SEARCHED, _BELIEVED]
        learning = [_HEURISTIC, _OTHER, _RANDOM, _BATCH, _RATE, _SLOWER, _SLOWEST, DEALS, _MEASURED, _FEW]
        agents = [[seat.spec, seat.code] for seat in (*self._agents, *self._searchers)]
        return {"what": self.what, "agents": agents, "round": [self._positions, *games, *learning]}

    def words(self) -> list[str]:
        """Returns its options of the command line."""
        words = ["--what", self.what, "--positions", str(self._positions)]
        named = [str(seat.spec) for seat in (*self._agents, *self._searchers)]
        return [*words, "--agents", *named] if named else words

    @property
    def _searchers(self) -> list[Seat]:
        return [self._searcher] if self._searcher is not None else []

    def prepare(self, stop: Stop) -> None:
        """Plays the games that are not learned from: what the network says of them is its error."""
        task = self._task
        agents = [RolloutAgent(one.number, one.params, one.table) for one in self._seats]
        self._play = SelfPlay(task.game, task.config, task.players, agents, task.workers)
        jobs = np.zeros(_FIRST, Job)
        jobs["seed"], jobs["game"] = task.seed, np.arange(_FIRST)
        self._length = self._play.positions(jobs, 1).decisions
        # Random choices bring nothing but noise.
        self._horizon = 0 if task.game.search.rollout == RANDOM else round(self._length * _PLAYED_ON)
        if self._searcher is not None:
            self._prepare_search(self._searcher)
        rng = np.random.default_rng([task.seed % 2**63, 0])
        self._apart = self._play.positions(self._jobs(rng, task.seed ^ _OTHER_GAMES, 0, _APART), 1, stop)

    def _prepare_search(self, searcher: Seat) -> None:
        """Compiles the games of `search`; it plays on before it asks as long as the expert will, or as wished."""
        task = self._task
        numbers = list(searcher.params)
        numbers[_HORIZON] = numbers[_HORIZON] or self._horizon
        self._searched = SearchedPlay(task.game, task.config, task.players, task.workers)
        self._searching = tuple(numbers)
        jobs = self._searched_jobs(np.random.default_rng(0), 0, 1)
        self._searched.positions(jobs, 1, self._network(self.blank()), (1.0, *numbers[1:]))

    def _jobs(self, rng: np.random.Generator, seed: int, first: int, count: int) -> Any:
        """Returns games to play: who sits where, and how often somebody chooses at random up to where."""
        weights = np.array([_HEURISTIC, *[_OTHER] * len(self._agents), _RANDOM])
        jobs = np.zeros(count, Job)
        jobs["seed"], jobs["game"] = seed, np.arange(first, first + count)
        jobs["lapse"] = rng.choice(_LAPSES, count)
        # Where a game may have gone by other choices, too: from there on it is played well.
        jobs["until"] = np.where(rng.random(count) < _STRAIGHT, 0, rng.random(count) * _UNTIL * self._length)
        jobs["who"] = rng.choice(len(weights), size=(count, SEATS), p=weights / weights.sum())
        jobs["who"][rng.random(count) < _ALONE] = 0
        return jobs

    def _searched_jobs(self, rng: np.random.Generator, first: int, count: int) -> Any:
        """Returns games for `search`: how often somebody chooses at random, and up to where options are drawn."""
        jobs = np.zeros(count, Job)
        jobs["seed"], jobs["game"] = self._task.seed, np.arange(first, first + count)
        jobs["lapse"] = rng.choice(_LAPSES, count)
        drawn = rng.random(count) * _UNTIL_SEARCHED * self._length
        jobs["until"] = np.where(rng.random(count) < _STRAIGHT_SEARCHED, 0, drawn)
        return jobs

    def restore(self, saved: SavedRounds) -> None:
        """Becomes what was saved."""
        self._learner = self._new_learner(saved_inputs(saved.arrays))
        self._learner.restore(saved.arrays)
        self._lessons = [Positions(one["seen"], one["paid"], 0.0) for one in saved.lessons if "seen" in one]

    def _new_learner(self, inputs: Inputs) -> ValueLearner:
        return ValueLearner(self._task.game, inputs, self._task.size, self._task.seed, self._task.players)

    def round(
        self, number: int, first: int, past: Callable[[int], Seat], stop: Stop, passed: Callable[[float], None]
    ) -> Round | None:
        """Plays games and learns what they brought."""
        if number > _COMPILED and self._searcher is not None:
            return self._searched_round(number, first, past(number - 1), stop, passed)
        positions, games = self._collect(number, first, stop, lambda part: passed(_GAMES_PART * part))
        if stop():
            return None
        if self._learner is None:
            self._learner = self._new_learner(inputs_for(positions.seen[:_SAMPLE], positions.paid[:_SAMPLE]))
        if not self._learn(positions, _PASSES * len(positions.seen), number, _GAMES_PART, stop, passed):
            return None
        unexplained = self._learner.unexplained(self._apart.seen, self._apart.paid)
        return Round(games, len(positions.seen), unexplained=unexplained)

    def _searched_round(
        self, number: int, first: int, player: Seat, stop: Stop, passed: Callable[[float], None]
    ) -> Round | None:
        """Lets `search` play with the network, and learns what its last games brought."""
        assert self._learner is not None and player.network is not None
        wanted, rng = self._positions // _PART, np.random.default_rng([self._task.seed % 2**63, number])
        apart: list[Positions] = []
        parts: list[Positions] = []
        while (found := _count(parts)) < wanted and not stop():
            # What is left unexplained is of what games bring, not of what search expects.
            held = _count(apart) < _APART_SEARCHED * wanted
            games = (len(apart) + len(parts)) * _PORTION_SEARCHED
            jobs = self._searched_jobs(rng, first + games, _PORTION_SEARCHED)
            believed = 0.0 if held else _BELIEVED
            (apart if held else parts).append(
                self._searched.positions(jobs, _EACH_SEARCHED, player.network, self._searching, stop, believed=believed)
            )
            passed(_SEARCHED_PART * min(found / wanted, 1))
        if stop():
            return None
        seen, paid, _ = _joined(parts)
        lesson = Positions(_small(seen[:wanted]), paid[:wanted], 0.0)
        self._lessons = [*self._lessons, lesson][-_WINDOW:]
        learned = _PASSES_SEARCHED * len(lesson.seen)
        if not self._learn(_joined(self._lessons), learned, number, _SEARCHED_PART, stop, passed):
            return None
        held_out = _joined(apart)
        unexplained = self._learner.unexplained(held_out.seen, held_out.paid)
        kept = {"seen": lesson.seen, "paid": lesson.paid}
        return Round((len(apart) + len(parts)) * _PORTION_SEARCHED, wanted, kept, unexplained)

    def _learn(
        self, positions: Positions, count: int, number: int, part: float, stop: Stop, passed: Callable[[float], None]
    ) -> bool:
        """Learns from n of the positions; of the round a part has passed before. False if it was stopped."""
        assert self._learner is not None
        steps = max(1, round(count / _BATCH))
        rate = _RATE / (1 + (number - 1) * self._positions / _SLOWER)
        for step in range(steps):
            if stop():
                return False
            self._learner.learn(positions, rate * max(_SLOWEST, 1 - step / steps))
            passed(part + (1 - part) * step / steps)
        return True

    def _collect(self, number: int, first: int, stop: Stop, passed: Callable[[float], None]) -> tuple[Positions, int]:
        """Plays until there are enough positions; returns them, and how many games it took."""
        rng = np.random.default_rng([self._task.seed % 2**63, number])
        portion = min(_PORTION, -(-self._positions // _EACH))
        parts: list[Positions] = []
        found = 0
        while found < self._positions and not stop():
            jobs = self._jobs(rng, self._task.seed, first + len(parts) * portion, portion)
            parts.append(self._play.positions(jobs, _EACH, stop))
            found += len(parts[-1].seen)
            passed(min(found / self._positions, 1))
        seen, paid, _ = _joined(parts)
        return Positions(seen[: self._positions], paid[: self._positions], self._length), len(parts) * portion

    def saved(self) -> dict[str, Any]:
        """Returns the learner as plain arrays."""
        assert self._learner is not None
        return self._learner.saved()

    def file_arrays(self, found: Round, games: int) -> dict[str, Any]:
        """Returns the network, how `expert` plays with it, and of what it was made."""
        assert self._learner is not None and found.unexplained is not None
        names = ", ".join(dict.fromkeys(seat.name for seat in (*self._seats, *self._searchers)))
        made = f"values of {games} games of {names}; {found.unexplained.value:.3f} of what games bring unexplained"
        return {**self._learner.file_arrays(), "plays": self._search(_MANY), "made": made}

    def seat(self, arrays: Mapping[str, Any]) -> Seat:
        """Returns `search` with the network."""
        searching = seats_for(self._task.game, self._task.players, [self._search(_FEW)])[0]
        return replace(searching, network=self._network(arrays))

    def _network(self, arrays: Mapping[str, Any]) -> Network:
        return Network(network_table(arrays), seats=self._task.players)

    def _search(self, iterations: int) -> str:
        return f"search:iterations={iterations},horizon={self._horizon}"

    def measured_by(self, number: int) -> Sequence[str]:
        """Returns the judge, now and then."""
        return (self._rungs.judge,) if number % _MEASURED == 1 else ()

    def score(self, point: CurvePoint) -> float:
        """Returns the number of the round: the last has learned most, and what is measured of each is too noisy."""
        return point.round

    def shown(self) -> dict[str, Any]:
        """Returns who plays, and how it is measured and played with."""
        agents = tuple(dict.fromkeys(str(seat.spec) for seat in (*self._seats, *self._searchers)))
        return {"agents": agents, "measured": self._search(_FEW), "plays": self._search(_MANY)}

    def blank(self) -> dict[str, Any]:
        """Returns the arrays of a network of nothing."""
        seen, seats = self._task.game.observation + 1, self._task.players
        shapes = {"shift": seen, "scale": seen, "weight_0": (seen, 1), "bias_0": 1, "mixes": ()}
        shapes |= {"value_weight": (1, seats), "value_bias": seats}
        return {name: np.zeros(shape) for name, shape in shapes.items()}


def _searches(seat: Seat) -> bool:
    """Whether a seat is a `search` by iterations, without a network: it plays with the one that learns."""
    return seat.thinks and seat.network is None and seat.params[1] == 0


def _joined(parts: Sequence[Positions]) -> Positions:
    """Positions one after the other."""
    return Positions(np.concatenate([one.seen for one in parts]), np.concatenate([one.paid for one in parts]), 0.0)


def _count(parts: Sequence[Positions]) -> int:
    return sum(len(one.seen) for one in parts)


def _small(seen: Array) -> Array:
    """The same numbers in less memory, where they are small."""
    return seen.astype(np.int16) if np.abs(seen).max(initial=0) < 1 << 15 else seen


class ValueLearner(Learner):
    """A network with a value for each seat, which learns what games paid by the squared error."""

    def __init__(self, game: Game, inputs: Inputs, width: int, seed: int, seats: int) -> None:
        super().__init__(game, inputs, width, seed, {"value": seats})
        self._seats = seats

    def learn(self, positions: Positions, rate: float) -> None:
        """Learns from a batch drawn from positions."""
        chosen = self._rng.integers(0, len(positions.seen), _BATCH)
        layers = self._layers(positions.seen[chosen])
        aims = (positions.paid[chosen] - self.inputs.usual) / self.inputs.spread
        off = (self._head("value", layers[-1]) - aims) * np.float32(2 / aims.size)
        self._step(self._gradients(layers, {"value": off}), rate)

    def unexplained(self, seen: Array, paid: Floats) -> Estimate:
        """The part of the variance of what games paid that is left beside what it says, of a position of each game."""
        parts = [self._head("value", self._layers(seen[at : at + _BATCH])[-1]) for at in range(0, len(seen), _BATCH)]
        said = np.concatenate(parts) * self.inputs.spread + self.inputs.usual
        left = ((said - paid).astype(np.float64) ** 2).mean(axis=1)
        every = ((paid - paid.mean(axis=0)).astype(np.float64) ** 2).mean(axis=1)
        usual = max(float(every.mean()), 1e-12)
        part = float(left.mean()) / usual
        # Both vary with the games: the interval is that of their ratio (delta method).
        return average(part + (left - part * every) / usual, within=(0.0, inf))

    def file_arrays(self) -> dict[str, Any]:
        """What the file of the network holds: it chooses nothing, and is for as many players."""
        return {**super().file_arrays(), "mixes": 0, "seats": self._seats}
