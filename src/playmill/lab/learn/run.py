"""Learning of a game: rounds of labels and training, with a curve of strength; kept after each round, and resumed."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from playmill.agents.agent_specs import Seat, network_seat, seats_for
from playmill.agents.networks import Network, table_of
from playmill.agents.search.search_agent import Thinker
from playmill.engine.compile.fingerprint import rules_fingerprint
from playmill.engine.config.model import Changes, RuleConfig, change_texts, differences
from playmill.engine.contract.game import Game, as_config, as_game, reference_of
from playmill.engine.kernels.network import MOST_WIDTH
from playmill.engine.run.backends import default_workers
from playmill.engine.run.match import check_seed
from playmill.engine.run.state import State
from playmill.interrupts import WORKERS, Stop, interrupt
from playmill.lab.learn.kept import KeptLearning, rounded
from playmill.lab.learn.labels import Labels, Lesson, joined
from playmill.lab.learn.result import Learned
from playmill.lab.learn.rungs import Rungs
from playmill.lab.learn.setting_range import SettingRange, label_setting
from playmill.lab.learn.training import Learner, inputs_for, saved_inputs
from playmill.lab.runs.executors import where_of
from playmill.report.commands.learning import CurvePoint, LearningReport, Strength
from playmill.report.files.writing import check_writable, write_bytes
from playmill.texts import PlaymillError

TEACHER = "search:iterations=200"
#: Neurons of a layer: by default, and at least.
SIZE, LEAST_SIZE = 64, 8
#: Decisions that are searched in a round: by default, and at least.
DECISIONS, LEAST_DECISIONS = 1024, 64
#: The part of all decisions that is searched; games in a portion for a thread.
_SEARCHED, _PORTION = 0.25, 4
#: Batches learned for so many searched decisions; from how many of the last decisions, how fast at first, and after
#: how many decisions half so.
_STEPS, _PER, _WINDOW, _RATE, _SLOWER = 250, 4096, 40 * 4096, 1e-3, 25 * 4096
#: A round is not begun if less than this part of the last one's time is left.
_WORTH = 0.5
#: Deals, each from every seat, by which a round is measured, and the file at the end; where a rung thinks, fewer.
_DEALS, _LAST_DEALS, _THINKING = 500, 2000, 10
#: Every so many rounds all rungs are asked; in all others the one by which the best is chosen.
_ALL_RUNGS = 4
#: How often the learner sits down beside others, its past selves, the game's heuristic, and `random`.
_LEARNER, _PAST, _HEURISTIC, _RANDOM = 4.0, 0.7, 2.0, 0.5
_PAST_SELVES = (1, 3, 9)
#: Makes of the seed that of deals which chose nothing.
_FRESH = 0x5DEECE66D
#: The part of a round that is spent on labels, about.
_LABELS_PART = 0.8


def learn(
    game: str | Game,
    *,
    save: str | Path,
    minutes: float = 10,
    rounds: int | None = None,
    players: int | None = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    over: Sequence[str] = (),
    size: int = SIZE,
    decisions: int = DECISIONS,
    teacher: str = TEACHER,
    seed: int = 0,
    workers: int | None = None,
    on: str | None = None,
    told: Callable[[LearningReport], None] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Learned:
    """Teaches a network to play, for so many minutes or rounds in all, and writes it to a file that `net:FILE` plays.

    What was learned is kept: the same again goes on where it ended, whenever it was stopped. `told` hears of every
    round, `progress` the part of the time or rounds that has passed. Ctrl-C ends it with the rounds finished so far;
    before the first is finished it is a KeyboardInterrupt. With `over`, words such as `target=50..150`, games are dealt
    with settings of a range, and the network sees these numbers: one for all of them.
    """
    chosen = as_game(game)
    _check_place(on, workers)
    players = chosen.players[0] if players is None else players
    chosen.check_players(players)
    check_seed(seed)
    if not LEAST_SIZE <= size <= MOST_WIDTH:
        raise PlaymillError(
            f"a layer has {size} neurons; expected {LEAST_SIZE} … {MOST_WIDTH}",
            f"нейронов в слое {size}; нужно {LEAST_SIZE} … {MOST_WIDTH}",
        )
    if decisions < LEAST_DECISIONS:
        raise PlaymillError(
            f"a round has {decisions} searched decisions; at least {LEAST_DECISIONS}",
            f"в круге обдумано решений: {decisions}; нужно хотя бы {LEAST_DECISIONS}",
        )
    settings = as_config(chosen, config)
    settings = settings.changed(change_texts(set)) if set else settings
    settings.pack(players)
    seat = seats_for(chosen, players, [teacher])[0]
    if not seat.thinks or seat.params[1] > 0:
        raise PlaymillError(
            f"a teacher is `search` by iterations, such as {TEACHER}, not {teacher}",
            f"учитель — это `search` по числу партий, например {TEACHER}, а не {teacher}",
        )
    check_writable(Path(save))
    ranges = SettingRange(over, settings, players, seed)
    course = _Course(
        chosen, settings, players, size, decisions, seat, seed, workers or default_workers(), Path(save), ranges
    )
    return course.run(minutes, rounds, told, progress)


def _check_place(on: str | None, workers: int | None) -> None:
    """Raises unless it is this machine's threads that are to learn."""
    where = where_of(on, workers)
    if where.cluster is not None or where.backend != "cpu":
        asked = where.cluster or where.backend
        raise PlaymillError(
            f"learn uses the cores of this machine and cannot run on {asked}; leave out --on, or say --on threads",
            f"learn работает на ядрах этой машины, а не на {asked}; уберите --on или напишите --on threads",
        )


class _Course:
    """One learning: what is asked for, and how far it is."""

    def __init__(
        self,
        game: Game,
        config: RuleConfig,
        players: int,
        size: int,
        decisions: int,
        teacher: Seat,
        seed: int,
        workers: int,
        save: Path,
        settings: SettingRange,
    ) -> None:
        self._game, self._config, self._players, self._size, self._seed = game, config, players, size, seed
        self._decisions, self._teacher, self._workers, self._save = decisions, teacher, workers, save
        self._settings = settings
        self._rungs = Rungs(game, settings.measured, players, workers)
        named = game.search.rollout
        self._hints = named != "random" and not game.agents[named].knows
        #: Rounds whose labels are learned from.
        self._window = max(1, _WINDOW // decisions)
        self._learner: Learner | None = None
        self._labels: list[Labels] = []
        #: The networks of the last rounds, by round.
        self._selves: dict[int, Seat] = {}
        self._points: list[CurvePoint] = []
        self._best = 0
        self._seconds = 0.0

    def run(
        self,
        minutes: float,
        rounds: int | None,
        told: Callable[[LearningReport], None] | None,
        progress: Callable[[float], None] | None,
    ) -> Learned:
        """Learns for so long, or so many rounds; then judges the best."""
        if not self._rungs.decides():
            raise PlaymillError(
                f"there is nothing to learn in {self._game.name}: nobody ever has more than one option",
                f"в {self._game.name} нечему учиться: ни у кого никогда нет выбора",
            )
        until = ["--rounds", str(rounds)] if rounds is not None else ["--minutes", f"{minutes:g}"]
        self._command = shlex.join(
            [*self._words(reference_of(self._game)), *until, "--save", str(self._save.absolute())]
        )

        def passed(part: float = 0.0, seconds: float = 0.0) -> float:
            """Returns how far it is, with a part of a round that has taken so long."""
            if rounds is not None:
                return (len(self._points) + part) / rounds
            return (self._seconds + seconds) / (60 * minutes)

        def tell(part: float, seconds: float) -> None:
            if progress is not None:
                progress(min(1.0, passed(part, seconds)))

        with interrupt() as stop, KeptLearning(self._game.name, self._what(), self._command) as kept:
            self._kept = kept
            self._read()
            if self._points:
                stop.keep()
            self._prepare(stop)
            while not stop() and passed() < 1 and (rounds is not None or self._is_worth(60 * minutes - self._seconds)):
                if self._round(stop, tell):
                    stop.keep()
                    kept.note(passed())
                    self._write_best()
                    if told is not None:
                        told(self._report())
            if not self._points:
                raise KeyboardInterrupt
            if rounds is not None:
                self._points = self._points[:rounds]  # more may have been learned before
            self._write_best()
            final = self._judge(stop)
            kept.note(passed(), complete=bool(final))
        return Learned(self._report(final), self._save)

    def _is_worth(self, left: float) -> bool:
        """Whether another round is worth to be begun in the seconds that are left."""
        last = [point.seconds for point in self._points[-2:]]
        return not last or left >= _WORTH * (last[-1] - (last[0] if len(last) > 1 else 0.0))

    def _prepare(self, stop: Stop) -> None:
        """Compiles all that rounds need, by a network of nothing: that is no part of the time of learning."""
        seen, actions = self._game.observation, self._game.actions
        shapes = {"shift": seen, "scale": seen, "weight_0": (seen, 1), "bias_0": 1, "mixes": ()}
        shapes |= {"policy_weight": (1, actions), "policy_bias": actions, "value_weight": (1, 1), "value_bias": 1}
        seat = self._seat({name: np.zeros(shape) for name, shape in shapes.items()})
        for name in self._rungs.seats:
            self._rungs.strength(seat, name, 2, 0, stop)
        state = State(self._game, players=self._players, config=self._config)
        if not state.is_terminal():
            Thinker(self._game, self._teacher.params, judge=self._teacher.network).prepare(state.workspace)
            for one in (seat, *self._rungs.seats.values()):
                if one.compiled:
                    state.clone().choice_of(one.number, one.params, one.table)

    def _what(self) -> dict[str, Any]:
        """Returns all that decides what is learned."""
        return {
            "rules": rules_fingerprint(self._game),
            "config": self._config.model_dump(mode="json"),
            "players": self._players,
            "size": self._size,
            "teacher": self._teacher.spec,
            "seed": self._seed,
            "over": self._settings.words,
            "round": [self._decisions, _SEARCHED, _PORTION, _STEPS, _PER, _WINDOW, _RATE, _SLOWER, _DEALS, _ALL_RUNGS],
        }

    def _words(self, game: str) -> list[str]:
        """Returns the command line, without for how long and where to."""
        words = ["playmill", "learn", game, "--players", str(self._players), "--seed", str(self._seed)]
        words += ["--size", str(self._size), "--decisions", str(self._decisions)]
        words += ["--teacher", str(self._teacher.spec)]
        changes = [
            f"{path}={value if isinstance(value, str) else json.dumps(value, separators=(',', ':'))}"
            for path, value in differences(self._config).items()
        ]
        words += ["--set", *changes] if changes else []
        return [*words, "--over", *self._settings.words] if self._settings.words else words

    def _report(self, final: Mapping[str, Strength] | None = None) -> LearningReport:
        return LearningReport(
            title=self._game.title,
            game=reference_of(self._game),
            players=self._players,
            seed=self._seed,
            size=self._size,
            teacher=str(self._teacher.spec),
            rungs=tuple(self._rungs.seats),
            judge=self._rungs.judge,
            points=tuple(self._points),
            best=self._best,
            file=str(self._save),
            command=self._command,
            final=final or {},
            bytes=self._kept.network(self._best).stat().st_size,
            changes=differences(self._config),
            over=tuple(self._settings.words),
        )

    def _read(self) -> None:
        """Takes up what was learned before."""
        saved = self._kept.read(self._window)
        if saved is None:
            return
        learner = self._new_learner(saved_inputs(saved.arrays))
        learner.restore(saved.arrays)
        self._learner, self._labels, self._points = learner, saved.labels, saved.points
        self._seconds = self._points[-1].seconds

    def _seat(self, arrays: Mapping[str, Any]) -> Seat:
        return network_seat(self._game, Network(table_of(arrays)), "net")

    def _self(self, number: int) -> Seat:
        """Returns the learner as it was after a round."""
        if number not in self._selves:
            self._selves[number] = self._seat(self._kept.network_arrays(number))
        return self._selves[number]

    def _new_learner(self, inputs: Any) -> Learner:
        return Learner(self._game, inputs, self._size, self._seed, hinted=self._hints)

    def _round(self, stop: Stop, tell: Callable[[float, float], None]) -> bool:
        """Plays a round: labels, training, a look at how strong it is; kept when it ends. False if it was stopped."""
        begun, number = time.monotonic(), len(self._points) + 1
        labels, games = self._collect(stop, lambda part: tell(_LABELS_PART * part, time.monotonic() - begun))
        if labels is None:
            return False
        self._labels = [*self._labels, labels][-self._window :]
        if self._learner is None:
            self._learner = self._new_learner(inputs_for(labels))
        steps = max(1, round(_STEPS * self._decisions / _PER))
        self._learner.learn(joined(self._labels), steps, _RATE / (1 + (number - 1) * self._decisions / _SLOWER))
        how = shlex.join([*self._words(self._game.name), "--rounds", str(number)])
        arrays = {**rounded(self._learner.file_arrays()), **self._settings.arrays, "how": how}
        seat = self._seat(arrays)
        strengths: dict[str, Strength] = {}
        for name in self._rungs.seats if number % _ALL_RUNGS == 1 else (self._rungs.judge,):
            measured = self._strength(seat, name, _DEALS, ~self._seed, stop)
            if measured is None:
                return False
            strengths[name] = measured
        self._seconds += time.monotonic() - begun
        before = self._points[-1] if self._points else CurvePoint(0, 0.0, 0, 0, {})
        self._points.append(
            CurvePoint(number, round(self._seconds, 2), before.games + games, before.decisions + len(labels), strengths)
        )
        self._selves = {number: seat, **{one: self._selves[one] for one in self._selves if one > number - 10}}
        self._kept.write(self._points, self._learner.saved(), labels, arrays, self._window)
        tell(0, 0)
        return True

    def _strength(self, seat: Seat, name: str, deals: int, seed: int, stop: Stop) -> Strength | None:
        """Plays against a rung: fewer deals if that thinks."""
        return self._rungs.strength(
            seat, name, deals // _THINKING if self._rungs.seats[name].thinks else deals, seed, stop
        )

    def _collect(self, stop: Stop, passed: Callable[[float], None]) -> tuple[Labels | None, int]:
        """Labels of a round, in the order of their games however many threads play them; and how many games it took."""
        heuristic = self._rungs.seats[self._game.search.rollout]
        hints = heuristic if self._hints else None
        cast = self._cast()
        made: list[Labels] = []
        count, first = 0, self._points[-1].games if self._points else 0
        pool = ThreadPoolExecutor(self._workers, thread_name_prefix=WORKERS)
        try:
            running: list[Future[Labels | None]] = []
            while count < self._decisions:
                while len(running) <= self._workers:
                    config, numbers = self._settings.dealt(first)
                    lesson = Lesson(
                        self._game, config, self._players, self._seed, cast, self._teacher, _SEARCHED, hints
                    )
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

    def _cast(self) -> tuple[tuple[Seat, float], ...]:
        """Who sits down in a round: the learner first, in the first round the heuristic in its place."""
        heuristic = self._rungs.seats[self._game.search.rollout]
        rest = ((heuristic, _HEURISTIC), (self._rungs.seats["random"], _RANDOM))
        last = len(self._points)
        if not last:
            return rest
        past = [self._self(last - back) for back in _PAST_SELVES if back < last]
        return ((self._self(last), _LEARNER), *rest, *((one, _PAST) for one in past))

    def _write_best(self) -> None:
        """Writes the network of the best round so far, unless it is there."""
        judge = self._rungs.judge
        best = max(self._points, key=lambda point: point.strengths[judge].edge.value).round
        if best != self._best or not self._save.is_file():
            self._best = best
            write_bytes(self._save, self._kept.network(best).read_bytes(), ours=True)

    def _judge(self, stop: Stop) -> dict[str, Strength]:
        """Measures the best round anew on fresh deals: the best of many was lucky, too. Nothing if it was stopped."""
        if stop():
            return {}
        rounds = len(self._points)
        if saved := self._kept.read_final(self._best, rounds):
            return saved
        seat, found = self._self(self._best), dict[str, Strength]()
        for name in self._rungs.seats:
            measured = self._strength(seat, name, _LAST_DEALS, self._seed ^ _FRESH, stop)
            if measured is None:
                return {}
            found[name] = measured
        self._kept.write_final(self._best, rounds, found)
        return found
