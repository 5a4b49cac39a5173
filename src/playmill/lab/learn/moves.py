"""Learning what to play (`--what moves`): a network imitates what `search` finds in positions it comes to itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from playmill.agents.agent_specs import Seat, network_seat
from playmill.agents.networks import Network, table_of
from playmill.agents.search.search_agent import Thinker
from playmill.engine.config.model import differences
from playmill.engine.contract.game import Game
from playmill.engine.run.state import State
from playmill.interrupts import WORKERS, Stop
from playmill.lab.learn.kept import SavedRounds
from playmill.lab.learn.labels import Array, Floats, Labels, Lesson, joined
from playmill.lab.learn.method import Method, Round, Task
from playmill.lab.learn.rungs import DEALS, Rungs
from playmill.lab.learn.setting_range import SettingRange, label_setting
from playmill.lab.learn.training import Inputs, Learner, inputs_for, saved_inputs
from playmill.report.commands.learning import CurvePoint
from playmill.texts import PlaymillError

TEACHER = "search:iterations=200"
#: Decisions that are searched in a round: by default, and at least.
DECISIONS, LEAST_DECISIONS = 1024, 64
#: The part of all decisions that is searched; games in a portion for a thread.
_SEARCHED, _PORTION = 0.25, 4
#: Batches learned for so many searched decisions; from how many of the last decisions, how fast at first, and after
#: how many decisions half so.
_STEPS, _PER, _WINDOW, _RATE, _SLOWER = 250, 4096, 40 * 4096, 1e-3, 25 * 4096
_BATCH = 1024
#: How much an error of the value counts beside one of the policy.
_VALUE = 0.5
#: How much more a network likes what the heuristic does, before it has learned anything.
_TRUST = 2.0
#: Every so many rounds all rungs are asked; in all others the one by which the best is chosen.
_ALL_RUNGS = 4
#: How often the learner sits down beside others, its past selves, the game's heuristic, and `random`.
_LEARNER, _PAST, _HEURISTIC, _RANDOM = 4.0, 0.7, 2.0, 0.5
_PAST_SELVES = (1, 3, 9)
#: The part of a round that is spent on labels, about.
_LABELS_PART = 0.8


class Moves(Method):
    """A network that chooses, taught by `search`."""

    what = "moves"

    def __init__(self, task: Task, rungs: Rungs, settings: SettingRange, decisions: int, teacher: Seat) -> None:
        super().__init__(task, rungs)
        if decisions < LEAST_DECISIONS:
            raise PlaymillError(
                f"a round has {decisions} searched decisions; at least {LEAST_DECISIONS}",
                f"в круге обдумано решений: {decisions}; нужно хотя бы {LEAST_DECISIONS}",
            )
        if not teacher.thinks or teacher.params[1] > 0:
            raise PlaymillError(
                f"a teacher is `search` by iterations, such as {TEACHER}, not {teacher.name}",
                f"учитель — это `search` по числу партий, например {TEACHER}, а не {teacher.name}",
            )
        self._settings, self._decisions, self._teacher = settings, decisions, teacher
        named = task.game.search.rollout
        self._hints = named != "random" and not task.game.agents[named].knows
        self.window = max(1, _WINDOW // decisions)
        self._learner: MoveLearner | None = None
        self._labels: list[Labels] = []

    def decisive(self) -> dict[str, Any]:
        """Returns the teacher, the ranges of rules, and all numbers of a round."""
        numbers = [self._decisions, _SEARCHED, _PORTION, _STEPS, _PER, _WINDOW, _RATE, _SLOWER, DEALS, _ALL_RUNGS]
        teacher = self._teacher
        return {"teacher": [teacher.spec, teacher.code], "over": self._settings.words, "round": numbers}

    def words(self) -> list[str]:
        """Returns its options of the command line."""
        words = ["--decisions", str(self._decisions), "--teacher", str(self._teacher.spec)]
        return [*words, "--over", *self._settings.words] if self._settings.words else words

    def prepare(self, stop: Stop) -> None:
        """Compiles what single decisions need."""
        task = self._task
        state = State(task.game, players=task.players, config=task.config)
        if not state.is_terminal():
            Thinker(task.game, self._teacher.params, judge=self._teacher.network).prepare(state.workspace)
            for one in (self.seat(self.blank()), *self._rungs.seats.values()):
                if one.compiled:
                    state.clone().choice_of(one.number, one.params, one.table)

    def restore(self, saved: SavedRounds) -> None:
        """Becomes what was saved."""
        learner = self._new_learner(saved_inputs(saved.arrays))
        learner.restore(saved.arrays)
        self._learner, self._labels = learner, [Labels(**one) for one in saved.lessons]

    def _new_learner(self, inputs: Inputs) -> MoveLearner:
        return MoveLearner(self._task.game, inputs, self._task.size, self._task.seed, hinted=self._hints)

    def round(
        self, number: int, first: int, past: Callable[[int], Seat], stop: Stop, passed: Callable[[float], None]
    ) -> Round | None:
        """Collects labels and learns from them and from those of the last rounds."""
        labels, games = self._collect(self._seats(number, past), first, stop, lambda part: passed(_LABELS_PART * part))
        if labels is None:
            return None
        self._labels = [*self._labels, labels][-self.window :]
        if self._learner is None:
            self._learner = self._new_learner(inputs_for(labels.seen, labels.values))
        steps = max(1, round(_STEPS * self._decisions / _PER))
        self._learner.learn(joined(self._labels), steps, _RATE / (1 + (number - 1) * self._decisions / _SLOWER))
        return Round(games, len(labels), labels._asdict())

    def _collect(
        self, seats: tuple[tuple[Seat, float], ...], first: int, stop: Stop, passed: Callable[[float], None]
    ) -> tuple[Labels | None, int]:
        """Labels of a round, in the order of their games however many threads play them; and how many games it took."""
        task = self._task
        hints = self._rungs.seats[task.game.search.rollout] if self._hints else None
        made: list[Labels] = []
        count = 0
        pool = ThreadPoolExecutor(task.workers, thread_name_prefix=WORKERS)
        try:
            running: list[Future[Labels | None]] = []
            while count < self._decisions:
                while len(running) <= task.workers:
                    config, numbers = self._settings.dealt(first)
                    lesson = Lesson(task.game, config, task.players, task.seed, seats, self._teacher, _SEARCHED, hints)
                    running.append(pool.submit(label_setting, lesson, numbers, range(first, first + _PORTION), stop))
                    first += _PORTION
                found = running.pop(0).result()
                if found is None:
                    return None, 0
                made.append(found)
                count += len(found)
                passed(min(count / self._decisions, 1))
        finally:
            pool.shutdown(cancel_futures=True)
        return joined(made), len(made) * _PORTION

    def _seats(self, number: int, past: Callable[[int], Seat]) -> tuple[tuple[Seat, float], ...]:
        """Who sits down in a round: the learner first, in the first round the heuristic in its place."""
        heuristic = self._rungs.seats[self._task.game.search.rollout]
        rest = ((heuristic, _HEURISTIC), (self._rungs.seats["random"], _RANDOM))
        last = number - 1
        if not last:
            return rest
        selves = [past(last - back) for back in _PAST_SELVES if back < last]
        return ((past(last), _LEARNER), *rest, *((one, _PAST) for one in selves))

    def saved(self) -> dict[str, Any]:
        """Returns the learner as plain arrays."""
        assert self._learner is not None
        return self._learner.saved()

    def file_arrays(self, found: Round, games: int) -> dict[str, Any]:
        """Returns the network, and the ranges of rules it is for."""
        assert self._learner is not None
        return {**self._learner.file_arrays(), **self._settings.arrays}

    def seat(self, arrays: Mapping[str, Any]) -> Seat:
        """Returns the network as an agent."""
        return network_seat(self._task.game, Network(table_of(arrays)), "net")

    def measured_by(self, number: int) -> Sequence[str]:
        """Returns the judge; now and then all rungs."""
        return tuple(self._rungs.seats) if number % _ALL_RUNGS == 1 else (self._rungs.judge,)

    def score(self, point: CurvePoint) -> float:
        """Returns what it has more than the judge."""
        return point.strengths[self._rungs.judge].edge.value

    def shown(self) -> dict[str, Any]:
        """Returns the teacher, the ranges of rules, and a setting in the middle of them."""
        measured = self._settings.measured
        tried = differences(measured[len(measured) // 2])
        return {"teacher": str(self._teacher.spec), "over": tuple(self._settings.words), "tried": tried}


class MoveLearner(Learner):
    """A network with a policy and a value, which learns from labels; a hint counts as much as it learns to trust it."""

    def __init__(self, game: Game, inputs: Inputs, width: int, seed: int, *, hinted: bool) -> None:
        hint = {"hint": 1} if hinted else {}
        super().__init__(game, inputs, width, seed, {"policy": game.actions, "value": 1, **hint})
        self._hinted = hinted
        if hinted:
            self._weights["hint_bias"][:] = _TRUST

    def learn(self, labels: Labels, steps: int, rate: float) -> None:
        """Learns from batches drawn from labels."""
        for _ in range(steps):
            chosen = self._rng.integers(0, len(labels), _BATCH)
            layers = self._layers(labels.seen[chosen])
            self._step(self._gradients(layers, self._heads(labels, chosen, layers[-1])), rate)

    def _heads(self, labels: Labels, chosen: Array, top: Floats) -> dict[str, Floats]:
        """Returns the gradients of what the heads say."""
        every, hints = np.arange(len(chosen)), labels.hints[chosen]
        likes = self._head("policy", top)
        if self._hinted:
            likes[every, hints] += self._head("hint", top)[:, 0]
        rows, actions, aims = _options(labels, chosen)
        masked = np.full(likes.shape, -np.inf, np.float32)
        masked[rows, actions] = likes[rows, actions]
        chances = np.exp(masked - masked.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        chances[rows, actions] -= aims
        by_policy = chances / np.float32(len(chosen))
        off = self._head("value", top)[:, 0] - (labels.values[chosen] - self.inputs.usual) / self.inputs.spread
        by_value = (np.float32(2 * _VALUE / len(chosen)) * off)[:, None]
        hint = {"hint": by_policy[every, hints][:, None]} if self._hinted else {}
        return {"policy": by_policy, "value": by_value, **hint}


def _options(labels: Labels, chosen: Array) -> tuple[Array, Array, Floats]:
    """Of some decisions: the row, the action and the chance of each option."""
    counts = labels.starts[chosen + 1] - labels.starts[chosen]
    rows = np.repeat(np.arange(len(chosen)), counts)
    within = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    places = np.repeat(labels.starts[chosen], counts) + within
    return rows, labels.actions[places], labels.chances[places]
