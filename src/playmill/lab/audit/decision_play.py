"""Plays games decision by decision where an agent thinks, slower than the compiled probe; kinds can be banned."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Protocol

import numpy as np

from playmill.agents.agent_specs import seats_for
from playmill.agents.search.search_agent import Thinker
from playmill.engine.compile.play_kernels import interpreted_kernels, kernels_of
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import SEATS, seed_agent_rng, seed_game_rng
from playmill.engine.lang.rule import interpreted
from playmill.engine.run.invalid_actions import no_action
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import Match
from playmill.engine.run.rollouts import AS_IT_IS, NO_TAGS, NONE, Count, Note, RolloutResult, Tags, jobs_of
from playmill.engine.run.stepper import Steps
from playmill.lab.audit.budget import AuditBudget

Flags = np.ndarray[Any, np.dtype[np.bool_]]
Numbers = np.ndarray[Any, np.dtype[np.float64]]
#: What is dealt anew in a position has chance of its own, apart from that of the game that follows.
_HIDDEN = 0x4EA1


class PlayContext(Protocol):
    """The part of an audit's context that playing needs: game, config, players, seed, budget."""

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
    def budget(self) -> AuditBudget:
        """How much may be played."""

    @property
    def interpreted(self) -> bool:
        """Whether rules are not compiled."""

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents at hand."""

    def payoffs(self, paid: Numbers) -> Numbers:
        """Returns what was paid, as shares of a win."""


class DecisionPlayer:
    """Plays games decision by decision with compiled or thinking agents; one seat may be banned from a kind.

    Of options that are equal in the eyes of somebody who thinks each is as likely. Who is forbidden something and
    thinks takes the best of the rest. If there is nothing else, it is allowed.
    """

    def __init__(self, context: PlayContext, who: Sequence[str]) -> None:
        game = context.game
        self._context = context
        self._seats = seats_for(game, context.players, tuple(who), context.config)
        self._kernels = interpreted_kernels(game) if context.interpreted else kernels_of(game)
        numbers = tuple(seat.number for seat in self._seats)
        self._lookup_tables = load_lookup_tables(game, context.config, numbers, [seat.table for seat in self._seats])
        params = tuple(seat.params if seat.compiled else () for seat in self._seats)
        match = Match(
            game, context.config, context.players, context.seed, numbers, numbers, params, self._lookup_tables
        )
        self._steps = Steps(match, interpreted=context.interpreted)
        self._workspace = self._steps.workspace
        self._thinkers = {
            place: Thinker(
                game, seat.params, judge=seat.network, interpreted=context.interpreted, stop=context.budget.stop
            )
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
        job = jobs_of(1, self._context.players, seed=self._context.seed, first=number)[0]
        return self._context.payoffs(self.play_job(job, seat=seat, forbidden=forbidden))

    def play_job(
        self,
        job: Any,
        *,
        positions: RecordArray | None = None,
        tags: Tags = NO_TAGS,
        seat: int = -1,
        forbidden: Flags | None = None,
    ) -> Numbers:
        """Plays a job (see `engine/kernels/rollout.py`); returns what it paid each seat."""
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
                self._context.budget.check()
            else:
                self.note["forced"] += 1
            if tags.count:
                self._count(tags, ids, action)
            options = steps.step(action)
        paid: Numbers = steps.pay()[: self._context.players]
        return paid

    def row(self) -> RecordArray:
        """Returns the outcome of the game that was played."""
        return self._steps.finish(int(self.note["decisions"][0]))

    def _begin(self, job: Any, positions: RecordArray | None) -> int:
        """Deals the game of a job, or sets up its position; returns the number of options."""
        steps, workspace = self._steps, self._workspace
        options = steps.begin(int(job["rng_seed"]), int(job["rng_game"]))
        if job["agent_rng_seed"] != job["rng_seed"] or job["agent_rng_game"] != job["rng_game"]:
            streams = SimpleNamespace(stream=workspace["agent_rng"]["stream"][0])
            interpreted(seed_agent_rng)(streams, int(job["agent_rng_seed"]), int(job["agent_rng_game"]))
        if job["position"] != NONE:
            assert positions is not None
            workspace["states"][0, LIVE] = positions[job["position"]]
            if job["known"] != AS_IT_IS:
                streams = SimpleNamespace(stream=workspace["conceal_rng"]["stream"][0])
                interpreted(seed_game_rng)(streams, int(job["rng_seed"]) ^ _HIDDEN, int(job["rng_game"]))
                steps.hide(int(job["known"]))
            options = steps.options()
            if job["action"] != NONE and options > 0:
                options = steps.step(int(job["action"]))
        for thinker in self._thinkers.values():
            thinker.new_game(workspace if job["position"] == NONE else None)
        return options

    def _choice(self, mover: int, options: int, forbidden: Flags | None) -> int:
        if mover not in self._thinkers:
            chosen = int(
                self._kernels.agent_choice(
                    self._workspace, self._lookup_tables.values, self._seats[mover].number, options
                )
            )
            if chosen < 0:
                raise no_action(self._context.game, int(self._workspace["invalid_action"][0]))
            return chosen
        thinker = self._thinkers[mover]
        favourite = thinker.choose_evenly(self._workspace)
        if forbidden is None or not forbidden[favourite]:
            return favourite
        left = [option for option in thinker.weighed(self._workspace) if not forbidden[option.action]]
        if not left:
            return favourite
        return max(left, key=lambda option: (option.tries, option.mean, -option.action)).action

    def _count(self, tags: Tags, ids: list[int], action: int) -> None:
        """Counts a turn by tag, as the compiled loop does (see `engine/kernels/rollout.py`)."""
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


class DecisionProbe:
    """Plays jobs like a `Rollouts`, where some of the agents may think."""

    def __init__(self, context: PlayContext) -> None:
        self._context = context
        #: Tables nobody plays at, by who sits there.
        self._free: dict[tuple[int, ...], deque[DecisionPlayer]] = defaultdict(deque)

    def play(self, jobs: RecordArray, *, positions: RecordArray | None = None, tags: Tags = NO_TAGS) -> RolloutResult:
        """Plays these jobs; what comes of one depends on it alone."""
        context = self._context
        rows: RecordArray = np.zeros(len(jobs), context.game.outcome)
        paid, notes = np.zeros((len(jobs), SEATS)), np.zeros(len(jobs), Note)
        counts = np.zeros(tags.count, Count)

        for place in range(len(jobs)):
            context.budget.check()
            who = tuple(jobs["who"][place, : context.players].tolist())
            free = self._free[who]
            try:
                game_player = free.pop()
            except IndexError:
                game_player = DecisionPlayer(context, [context.agents[one] for one in who])
            paid[place, : context.players] = game_player.play_job(jobs[place], positions=positions, tags=tags)
            rows[place : place + 1], notes[place : place + 1] = game_player.row(), game_player.note
            for tag, numbers in game_player.counts.items():
                for name, number in zip(("met", "used", "offered", "chosen"), numbers, strict=True):
                    counts[name][tag] += number
            free.append(game_player)
        return RolloutResult(rows, paid[:, : context.players], notes, counts)
