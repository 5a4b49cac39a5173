"""Games played decision by decision, where somebody at the table thinks: slower than the compiled loop of a probe."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import Any, Protocol, TypeVar

import numpy as np

from playmill.agents.search import Thinker
from playmill.agents.seats import seats_for
from playmill.engine.compile.play_kernels import interpreted_kernels, kernels_of
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import SEATS, seed_luck, seed_whims
from playmill.engine.lang.rule import interpreted
from playmill.engine.run.invalid_actions import no_action
from playmill.engine.run.lookup_tables import open_book
from playmill.engine.run.match import Match
from playmill.engine.run.probes import AS_IT_IS, NO_TAGS, NONE, Answer, Count, Note, Tags, jobs_of
from playmill.engine.run.stepper import Steps
from playmill.lab.audit.budget import Budget

Flags = np.ndarray[Any, np.dtype[np.bool_]]
Numbers = np.ndarray[Any, np.dtype[np.float64]]
One = TypeVar("One")
Other = TypeVar("Other")
#: What is dealt anew in a position has chance of its own, apart from that of the game that follows.
_HIDDEN = 0x4EA1


class Stage(Protocol):
    """What is played here: a game with one config and number of players, and how much may be played."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def config(self) -> RuleConfig:
        """Its config."""

    @property
    def players(self) -> int:
        """How many sit at the table."""

    @property
    def seed(self) -> int:
        """The seed of all games."""

    @property
    def budget(self) -> Budget:
        """How much may be played."""

    @property
    def interpreted(self) -> bool:
        """Whether rules are not compiled."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents of the cast."""

    def payoffs(self, paid: Numbers) -> Numbers:
        """What was paid, as shares of a win."""

    def each(self, work: Callable[[One], Other], things: Iterable[One]) -> list[Other]:
        """What comes of a work on each of some things, on all cores."""


class Sitting:
    """Plays games decision by decision with those who sit here, compiled or thinking; one seat may be forbidden a kind.

    Of options that are equal in the eyes of somebody who thinks each is as likely. Who is forbidden something and
    thinks takes the best of the rest. If there is nothing else, it is allowed.
    """

    def __init__(self, stage: Stage, who: Sequence[str]) -> None:
        game = stage.game
        self._stage = stage
        self._seats = seats_for(game, stage.players, tuple(who))
        self._kernels = interpreted_kernels(game) if stage.interpreted else kernels_of(game)
        numbers = tuple(seat.number for seat in self._seats)
        self._book = open_book(game, stage.config, numbers)
        params = tuple(seat.params if seat.compiled else () for seat in self._seats)
        match = Match(game, stage.config, stage.players, stage.seed, numbers, numbers, params, self._book)
        self._steps = Steps(match, interpreted=stage.interpreted)
        self._desk = self._steps.desk
        self._thinkers = {
            place: Thinker(game, seat.params, judge=seat.judge, interpreted=stage.interpreted, stop=stage.budget.stop)
            for place, seat in enumerate(self._seats)
            if seat.thinks
        }
        #: What the seat that was looked at has chosen in the last game.
        self.chosen: set[int] = set()
        #: Of the last game: decisions, options of all of them, and turns with one option only.
        self.note = np.zeros(1, Note)
        #: Of the last game, by tag: how often it was met, used, offered and chosen.
        self.counts: dict[int, list[int]] = {}

    def play(self, number: int, *, seat: int = -1, forbidden: Flags | None = None) -> Numbers:
        """Plays the game dealt under a number; returns what it was worth to each seat."""
        job = jobs_of(1, self._stage.players, seed=self._stage.seed, first=number)[0]
        return self._stage.payoffs(self.play_job(job, seat=seat, forbidden=forbidden))

    def play_job(
        self,
        job: Any,
        *,
        positions: RecordArray | None = None,
        tags: Tags = NO_TAGS,
        seat: int = -1,
        forbidden: Flags | None = None,
    ) -> Numbers:
        """Plays a job (see `engine.probe`); returns what it paid each seat."""
        steps = self._steps
        self.chosen, self.counts = set(), defaultdict(lambda: [0] * 4)
        self.note[:] = 0
        options = self._begin(job, positions)
        while options > 0:
            action = steps.ids[0]
            ids = steps.ids[:options].tolist() if tags.count else []
            if options > 1:
                self.note["decisions"] += 1
                self.note["options"] += options
                mover = steps.mover[0]
                action = self._choice(mover, options, forbidden if mover == seat else None)
                if mover == seat:
                    self.chosen.add(action)
                self._stage.budget.check()
            else:
                self.note["forced"] += 1
            if tags.count:
                self._count(tags, ids, action)
            options = steps.step(action)
        paid: Numbers = steps.pay()[: self._stage.players]
        return paid

    def row(self) -> RecordArray:
        """The outcome of the game that was played."""
        return self._steps.finish(int(self.note["decisions"][0]))

    def _begin(self, job: Any, positions: RecordArray | None) -> int:
        """Deals the game of a job, or sets up its position; returns the number of options."""
        steps, desk = self._steps, self._desk
        options = steps.begin(int(job["luck_seed"]), int(job["luck"]))
        if job["whim_seed"] != job["luck_seed"] or job["whim"] != job["luck"]:
            streams = SimpleNamespace(stream=desk["whims"]["stream"][0])
            interpreted(seed_whims)(streams, int(job["whim_seed"]), int(job["whim"]))
        if job["position"] != NONE:
            assert positions is not None
            desk["states"][0, LIVE] = positions[job["position"]]
            if job["known"] != AS_IT_IS:
                streams = SimpleNamespace(stream=desk["guess"]["stream"][0])
                interpreted(seed_luck)(streams, int(job["luck_seed"]) ^ _HIDDEN, int(job["luck"]))
                steps.hide(int(job["known"]))
            options = steps.options()
            if job["action"] != NONE and options > 0:
                options = steps.step(int(job["action"]))
        for thinker in self._thinkers.values():
            thinker.new_game(desk if job["position"] == NONE else None)
        return options

    def _choice(self, mover: int, options: int, forbidden: Flags | None) -> int:
        if mover not in self._thinkers:
            chosen = int(self._kernels.agent_choice(self._desk, self._book.pages, self._seats[mover].number, options))
            if chosen < 0:
                raise no_action(self._stage.game, int(self._desk["slip"][0]))
            return chosen
        thinker = self._thinkers[mover]
        favourite = thinker.choose_evenly(self._desk)
        if forbidden is None or not forbidden[favourite]:
            return favourite
        left = [option for option in thinker.weighed(self._desk) if not forbidden[option.action]]
        if not left:
            return favourite
        return max(left, key=lambda option: (option.tries, option.mean, -option.action)).action

    def _count(self, tags: Tags, ids: list[int], action: int) -> None:
        """Counts a turn by tag, as the compiled loop does (see `engine.probing`)."""
        having: dict[int, int] = defaultdict(int)
        for one in ids:
            for tag in tags.of[one].tolist():
                having[tag] += tag != NONE
        used = {tag for tag in tags.of[action].tolist() if tag != NONE}
        for tag, count in having.items():
            if tag != NONE:
                free = count < len(ids)
                for place, more in enumerate((True, tag in used, free, free and tag in used)):
                    self.counts[tag][place] += more


class Sittings:
    """Plays jobs of a stage's cast like a `Probe`, of whom somebody may think."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        #: Tables nobody plays at, by who sits there.
        self._free: dict[tuple[int, ...], deque[Sitting]] = defaultdict(deque)

    def play(self, jobs: RecordArray, *, positions: RecordArray | None = None, tags: Tags = NO_TAGS) -> Answer:
        """Plays these jobs, on all cores; what comes of one depends on it alone."""
        stage = self._stage
        rows: RecordArray = np.zeros(len(jobs), stage.game.outcome)
        paid, notes = np.zeros((len(jobs), SEATS)), np.zeros(len(jobs), Note)
        counts = np.zeros(tags.count, Count)

        def play(place: int) -> dict[int, list[int]]:
            who = tuple(jobs["who"][place, : stage.players].tolist())
            free = self._free[who]
            try:
                sitting = free.pop()
            except IndexError:
                sitting = Sitting(stage, [stage.agents[one] for one in who])
            paid[place, : stage.players] = sitting.play_job(jobs[place], positions=positions, tags=tags)
            rows[place : place + 1], notes[place : place + 1] = sitting.row(), sitting.note
            free.append(sitting)
            return sitting.counts

        for counted in stage.each(play, range(len(jobs))):
            for tag, numbers in counted.items():
                for name, number in zip(("met", "used", "offered", "chosen"), numbers, strict=True):
                    counts[name][tag] += number
        return Answer(rows, paid[:, : stage.players], notes, counts)
