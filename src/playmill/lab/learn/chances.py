"""Learning chances (`--what chances`): a network that mixes as an equilibrium does, for small games of bluff.

Rounds of games find an average strategy by counterfactual regrets (`regrets.py`); the network learns the chances that
it gives to the options of every place there is. It draws what it plays, so that nobody can see through it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from playmill.agents.agent_specs import Seat, network_seat
from playmill.agents.networks import Network, network_table
from playmill.interrupts import Stop
from playmill.lab.learn.kept import SavedRounds
from playmill.lab.learn.labels import Labels
from playmill.lab.learn.method import Method, Round, Task
from playmill.lab.learn.moves import MoveLearner
from playmill.lab.learn.regrets import Regrets
from playmill.lab.learn.rungs import DEALS, Rungs
from playmill.lab.learn.training import Inputs, inputs_for, saved_inputs
from playmill.report.commands.learning import CurvePoint
from playmill.texts import PlaymillError

#: Games of a round, and how many are played between two looks at whether to stop.
_GAMES, _PORTION = 200_000, 10_000
#: Batches that are learned in a round, how fast at first, after how many rounds half so, and at the end of a round.
_STEPS, _RATE, _SLOWER, _SLOWEST = 400, 3e-3, 20, 0.02
#: Every so many rounds all rungs are asked; in all others the judge.
_ALL_RUNGS = 4
#: The part of a round that is spent on games, about.
_GAMES_PART = 0.3


class Chances(Method):
    """A network that mixes, taught by an average strategy."""

    what = "chances"

    def __init__(self, task: Task, rungs: Rungs) -> None:
        super().__init__(task, rungs)
        if task.players < 2:
            raise PlaymillError(
                "chances are learned where somebody else plays, too; alone there is nobody to bluff",
                "chances учат там, где играет и кто-то ещё; одному обманывать некого",
            )
        self._regrets = Regrets(task.game, task.config, task.players, task.seed)
        self._learner: MoveLearner | None = None
        #: Places that earlier rounds have met.
        self._met = 0

    def decisive(self) -> dict[str, Any]:
        """Returns all numbers of a round."""
        return {"what": self.what, "round": [_GAMES, _STEPS, _RATE, _SLOWER, _SLOWEST, DEALS, _ALL_RUNGS]}

    def words(self) -> list[str]:
        """Returns its options of the command line."""
        return ["--what", self.what]

    def prepare(self, stop: Stop) -> None:
        """Compiles the games of rounds."""
        self._regrets.play(0)

    def restore(self, saved: SavedRounds) -> None:
        """Becomes what was saved."""
        self._regrets.restore(saved.arrays)
        self._met = len(self._labels())
        self._learner = self._new_learner(saved_inputs(saved.arrays))
        self._learner.restore(saved.arrays)

    def _new_learner(self, inputs: Inputs) -> MoveLearner:
        return MoveLearner(self._task.game, inputs, self._task.size, self._task.seed, hinted=False)

    def round(
        self, number: int, first: int, past: Callable[[int], Seat], stop: Stop, passed: Callable[[float], None]
    ) -> Round | None:
        """Plays games, and learns the average strategy of all so far."""
        for portion in range(_GAMES // _PORTION):
            if stop():
                return None
            self._regrets.play(_PORTION)
            passed(_GAMES_PART * portion * _PORTION / _GAMES)
        labels = self._labels()
        if self._learner is None:
            self._learner = self._new_learner(inputs_for(labels.seen, labels.values))
        rate = _RATE / (1 + (number - 1) / _SLOWER)
        for step in range(_STEPS):
            if stop():
                return None
            self._learner.learn(labels, 1, rate * max(_SLOWEST, 1 - step / _STEPS))
            passed(_GAMES_PART + (1 - _GAMES_PART) * step / _STEPS)
        met, self._met = self._met, len(labels)
        return Round(_GAMES, len(labels) - met)

    def _labels(self) -> Labels:
        """The chances of the options of all places."""
        seen, actions, chances, counts = self._regrets.average()
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        nothing = np.zeros(len(seen), np.float32)
        return Labels(seen, starts, actions, chances, nothing, np.full(len(seen), -1, np.int32))

    def saved(self) -> dict[str, Any]:
        """Returns the learner and the regrets as plain arrays."""
        assert self._learner is not None
        return {**self._learner.saved(), **self._regrets.saved()}

    def file_arrays(self, found: Round, games: int) -> dict[str, Any]:
        """Returns the network, which draws what it plays."""
        assert self._learner is not None
        made = f"the average strategy of {games} games by counterfactual regrets, at {self._met} places"
        return {**self._learner.file_arrays(), "mixes": 1, "made": made}

    def seat(self, arrays: Mapping[str, Any]) -> Seat:
        """Returns the network as an agent."""
        return network_seat(self._task.game, Network(network_table(arrays)), "net")

    def measured_by(self, number: int) -> Sequence[str]:
        """Returns the judge; now and then all rungs."""
        return tuple(self._rungs.seats) if number % _ALL_RUNGS == 1 else (self._rungs.judge,)

    def score(self, point: CurvePoint) -> float:
        """Returns the number of the round: the longer it learns the less can be won of it, by anybody."""
        return point.round

    def shown(self) -> dict[str, Any]:
        """Returns nothing more."""
        return {}
