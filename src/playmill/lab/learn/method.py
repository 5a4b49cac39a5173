"""Interface of a way to learn (`--what`): what a round plays and learns, and how its network plays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from playmill.agents.agent_specs import Seat
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.interrupts import Stop
from playmill.lab.learn.kept import SavedRounds
from playmill.lab.learn.rungs import Rungs
from playmill.report.commands.learning import CurvePoint
from playmill.stats.estimates import Estimate


@dataclass(frozen=True)
class Task:
    """What is to be learned, in whichever way: the rules and the size of the network; and by how many threads."""

    game: Game
    config: RuleConfig
    players: int
    size: int
    seed: int
    workers: int


class Round(NamedTuple):
    """What a round brought: games, and the decisions or positions of them that were learned."""

    games: int
    learned: int
    #: Arrays from which later rounds learn, too.
    lesson: Mapping[str, Any] = {}
    #: The part of what games bring that the network does not explain.
    unexplained: Estimate | None = None


class Method(ABC):
    """A way to learn, with the network that learns; what comes of it depends on no clock and no number of threads."""

    #: What `--what` calls it.
    what: str
    #: Rounds whose lessons are learned from, and so kept.
    window = 0

    def __init__(self, task: Task, rungs: Rungs) -> None:
        self._task, self._rungs = task, rungs

    @abstractmethod
    def decisive(self) -> dict[str, Any]:
        """Returns all that decides what is learned, beside the rules, the players, the size and the seed."""

    @abstractmethod
    def words(self) -> list[str]:
        """Returns its options of the command line."""

    @abstractmethod
    def prepare(self, stop: Stop) -> None:
        """Compiles and makes all that rounds need: that is no part of the time of learning."""

    @abstractmethod
    def restore(self, saved: SavedRounds) -> None:
        """Becomes what was saved."""

    @abstractmethod
    def round(
        self, number: int, first: int, past: Callable[[int], Seat], stop: Stop, passed: Callable[[float], None]
    ) -> Round | None:
        """Plays games from number `first` on, and learns; `past` is a network of an earlier round. None if stopped."""

    @abstractmethod
    def saved(self) -> dict[str, Any]:
        """Returns the learner as plain arrays."""

    @abstractmethod
    def file_arrays(self, found: Round, games: int) -> dict[str, Any]:
        """Returns what the file of the network holds, after a round and n games in all."""

    @abstractmethod
    def seat(self, arrays: Mapping[str, Any]) -> Seat:
        """Returns the agent that is measured."""

    @abstractmethod
    def measured_by(self, number: int) -> Sequence[str]:
        """Returns the rungs a round is measured against."""

    @abstractmethod
    def score(self, point: CurvePoint) -> float:
        """Returns by what the best round is chosen: the larger, the better."""

    @abstractmethod
    def shown(self) -> dict[str, Any]:
        """Returns what a report says of it alone."""

    def blank(self) -> dict[str, Any]:
        """Returns the arrays of a network of nothing, with a policy."""
        seen, actions = self._task.game.observation, self._task.game.actions
        shapes = {"shift": seen, "scale": seen, "weight_0": (seen, 1), "bias_0": 1, "mixes": ()}
        shapes |= {"policy_weight": (1, actions), "policy_bias": actions, "value_weight": (1, 1), "value_bias": 1}
        return {name: np.zeros(shape) for name, shape in shapes.items()}
