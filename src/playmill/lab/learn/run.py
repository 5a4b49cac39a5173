"""Learning of a game: rounds of games and training, with a curve of strength; kept after each round, and resumed."""

from __future__ import annotations

import json
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.experts import takes_file
from playmill.engine.compile.fingerprint import rules_fingerprint
from playmill.engine.config.model import Changes, RuleConfig, change_texts, differences, set_texts
from playmill.engine.contract.game import Game, as_config, as_game, folder_of, reference_of
from playmill.engine.kernels.network import MOST_WIDTH
from playmill.engine.run.backends import default_workers
from playmill.engine.run.match import check_seed
from playmill.interrupts import Stop, interrupt
from playmill.lab.learn.chances import Chances
from playmill.lab.learn.kept import KeptLearning, rounded
from playmill.lab.learn.method import Method, Task
from playmill.lab.learn.moves import DECISIONS, TEACHER, Moves
from playmill.lab.learn.result import Learned
from playmill.lab.learn.rungs import DEALS, Rungs
from playmill.lab.learn.setting_range import SettingRange
from playmill.lab.learn.values import POSITIONS, Values
from playmill.lab.runs.executors import where_of
from playmill.report.commands.learning import CurvePoint, LearningReport, Strength
from playmill.report.files.writing import check_writable, write_bytes
from playmill.texts import PlaymillError

#: Neurons of a layer: by default, and at least.
SIZE, LEAST_SIZE = 64, 8
#: A round is not begun if less than this part of the last one's time is left.
_WORTH = 0.5
#: Deals, each from every seat, by which the file is measured at the end; where somebody thinks, deals are fewer.
_LAST_DEALS, _THINKING = 2000, 10
#: Makes of the seed that of deals which chose nothing.
_FRESH = 0x5DEECE66D
#: Networks of the last rounds that are at hand.
_SELVES = 10


def learn(
    game: str | Game,
    *,
    save: str | Path,
    what: Literal["moves", "values", "chances"] | None = None,
    minutes: float = 10,
    rounds: int | None = None,
    players: int | None = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    set: Changes = (),
    over: str | Sequence[str] = (),
    size: int = SIZE,
    decisions: int | None = None,
    teacher: str | None = None,
    positions: int | None = None,
    agents: str | Sequence[str] = (),
    seed: int = 0,
    workers: int | None = None,
    on: str | None = None,
    on_round: Callable[[LearningReport], None] | None = None,
    progress: Callable[[float], None] | None = None,
) -> Learned:
    """Teaches a network for so many minutes or rounds in all, and writes it to a file.

    Of `values` it learns what games bring, at first those of the game's heuristic, of `agents` and of `random`, then
    those of `search` with the network, from so many `positions` in a round: `search:net=FILE` judges by it, and as
    `expert.npz` in the game's folder it is the game's expert. Of `moves` it learns what `search`, the `teacher`, does
    at so many `decisions` in a round: `net:FILE` plays it. Of `chances` it learns an average strategy nobody can see
    through: `net:FILE` draws from it. If `what` is None it is what the other options are for; else `chances` where
    the game declares that players mix, and `values` everywhere else.

    What was learned is kept: the same again goes on where it ended, whenever it was stopped. `on_round` gets the
    report after every round, `progress` the part of the time or rounds that has passed. Ctrl-C ends it with the rounds
    finished so far; before the first is finished it is a KeyboardInterrupt. With `over`, words such as
    `target=50..150`, games are dealt with settings of a range, and the network sees these numbers: one for all of them.
    """
    chosen = as_game(game)
    _check_place(on, workers)
    if not (minutes > 0 if rounds is None else rounds > 0):
        raise PlaymillError(
            "cannot learn for so short a time; more than 0 minutes, or at least 1 round",
            "так мало учиться нельзя; нужно больше 0 минут или хотя бы 1 круг",
        )
    over, agents = ([one] if isinstance(one, str) else one for one in (over, agents))
    players = chosen.players[0] if players is None else players
    chosen.check_players(players)
    check_seed(seed)
    if not isinstance(size, int) or not LEAST_SIZE <= size <= MOST_WIDTH:
        raise PlaymillError(
            f"a layer has {size} neurons; expected {LEAST_SIZE} … {MOST_WIDTH}",
            f"нейронов в слое {size}; нужно {LEAST_SIZE} … {MOST_WIDTH}",
        )
    kind = _chosen_what(chosen, what, moves=(decisions, teacher, over), values=(positions, agents))
    settings = as_config(chosen, config)
    settings = settings.changed(change_texts(set)) if set else settings
    settings.pack(players)
    check_writable(Path(save))
    task = Task(chosen, settings, players, size, seed, workers or default_workers())
    ranges = SettingRange(over, settings, players, seed)
    rungs = Rungs(chosen, ranges.measured, players, task.workers)
    method: Method
    if kind == "values":
        method = Values(task, rungs, POSITIONS if positions is None else positions, agents)
    elif kind == "chances":
        method = Chances(task, rungs)
    else:
        seat = seats_for(chosen, players, [TEACHER if teacher is None else teacher], settings)[0]
        method = Moves(task, rungs, ranges, DECISIONS if decisions is None else decisions, seat)
    return _Course(task, method, rungs, Path(save)).run(minutes, rounds, on_round, progress)


#: Options that are for one way to learn alone.
_OPTIONS = {"moves": ("--decisions", "--teacher", "--over"), "values": ("--positions", "--agents")}


def _chosen_what(game: Game, what: str | None, **given: Sequence[Any]) -> str:
    """Returns what is to be learned; raises if that is unknown, or an option was given that has no meaning there."""
    if what not in (None, "moves", "values", "chances"):
        raise PlaymillError(
            f"what is learned is {what!r}; expected moves, values or chances",
            f"учить {what!r} нельзя; можно moves, values или chances",
        )
    named = [
        (option, kind)
        for kind, values in given.items()
        for option, value in zip(_OPTIONS[kind], values, strict=True)
        if value not in (None, (), [])
    ]
    usual = "chances" if game.search.mixes else "values"
    chosen = what or (named[0][1] if named else usual)
    for option, kind in named:
        if kind != chosen:
            raise PlaymillError(
                f"{option} is for --what {kind}, not for --what {chosen}",
                f"{option} — для --what {kind}, а не для --what {chosen}",
            )
    return chosen


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

    def __init__(self, task: Task, method: Method, rungs: Rungs, save: Path) -> None:
        self._task, self._method, self._rungs, self._save = task, method, rungs, save
        self._game = task.game
        #: The networks of the last rounds, by round.
        self._selves: dict[int, Seat] = {}
        self._points: list[CurvePoint] = []
        self._best = 0
        self._seconds = 0.0

    def run(
        self,
        minutes: float,
        rounds: int | None,
        on_round: Callable[[LearningReport], None] | None,
        progress: Callable[[float], None] | None,
    ) -> Learned:
        """Learns for some seconds or rounds; then judges the best."""
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
                    if on_round is not None:
                        on_round(self._report())
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
        self._method.prepare(stop)
        seat = self._method.seat(self._method.blank())
        for name in self._rungs.seats:
            self._rungs.strength(seat, name, 2, 0, stop)

    def _what(self) -> dict[str, Any]:
        """Returns all that decides what is learned."""
        return {
            "rules": rules_fingerprint(self._game),
            "config": self._task.config.model_dump(mode="json"),
            "players": self._task.players,
            "size": self._task.size,
            "seed": self._task.seed,
            **self._method.decisive(),
        }

    def _words(self, game: str) -> list[str]:
        """Returns the command line, without for how long and where to."""
        words = ["playmill", "learn", game, "--players", str(self._task.players), "--seed", str(self._task.seed)]
        words += ["--size", str(self._task.size), *self._method.words()]
        changes = set_texts(differences(self._task.config))
        return [*words, "--set", *changes] if changes else words

    def _report(self, final: Mapping[str, Strength] | None = None) -> LearningReport:
        return LearningReport(
            title=self._game.title,
            game=reference_of(self._game),
            players=self._task.players,
            seed=self._task.seed,
            size=self._task.size,
            rungs=tuple(self._rungs.seats),
            judge=self._rungs.judge,
            points=tuple(self._points),
            best=self._best,
            file=str(self._save),
            command=self._command,
            final=final or {},
            bytes=self._kept.network(self._best).stat().st_size,
            changes=differences(self._task.config),
            what=self._method.what,
            folder=str(folder_of(self._game)) if takes_file(self._game, self._task.config) else "",
            **self._method.shown(),
        )

    def _read(self) -> None:
        """Takes up what was learned before."""
        saved = self._kept.read(self._method.window)
        if saved is not None:
            self._method.restore(saved)
            self._points, self._seconds = saved.points, saved.points[-1].seconds

    def _self(self, number: int) -> Seat:
        """Returns the learner as it was after a round."""
        if number not in self._selves:
            self._selves[number] = self._method.seat(self._kept.network_arrays(number))
        return self._selves[number]

    def _round(self, stop: Stop, tell: Callable[[float, float], None]) -> bool:
        """Plays a round: games, training, a look at how strong it is; kept when it ends. False if it was stopped."""
        begun, number = time.monotonic(), len(self._points) + 1
        before = self._points[-1] if self._points else CurvePoint(0, 0.0, 0, 0, {})
        found = self._method.round(
            number, before.games, self._self, stop, lambda part: tell(part, time.monotonic() - begun)
        )
        if found is None:
            return False
        games = before.games + found.games
        how = shlex.join([*self._words(self._game.name), "--rounds", str(number)])
        settings = json.dumps(differences(self._task.config), sort_keys=True)
        arrays = {**rounded(self._method.file_arrays(found, games)), "how": how, "settings": settings}
        seat = self._method.seat(arrays)
        strengths: dict[str, Strength] = {}
        for name in self._method.measured_by(number):
            measured = self._strength(seat, name, DEALS, ~self._task.seed, stop)
            if measured is None:
                return False
            strengths[name] = measured
        self._seconds += time.monotonic() - begun
        decisions = before.decisions + found.learned
        self._points.append(CurvePoint(number, round(self._seconds, 2), games, decisions, strengths, found.unexplained))
        self._selves = {number: seat, **{one: self._selves[one] for one in self._selves if one > number - _SELVES}}
        self._kept.write(self._points, self._method.saved(), found.lesson, arrays, self._method.window)
        tell(0, 0)
        return True

    def _strength(self, seat: Seat, name: str, deals: int, seed: int, stop: Stop) -> Strength | None:
        """Plays against a rung: fewer deals if somebody thinks."""
        thinks = seat.thinks or self._rungs.seats[name].thinks
        return self._rungs.strength(seat, name, deals // _THINKING if thinks else deals, seed, stop)

    def _write_best(self) -> None:
        """Writes the network of the best round so far, unless it is there."""
        best = max(self._points, key=self._method.score).round
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
            measured = self._strength(seat, name, _LAST_DEALS, self._task.seed ^ _FRESH, stop)
            if measured is None:
                return {}
            found[name] = measured
        self._kept.write_final(self._best, rounds, found)
        return found
