"""Rollouts from Python: plays many jobs, such as play-outs of positions, on all cores (see `kernels/rollout.py`)."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from threading import Lock
from time import monotonic, perf_counter
from types import SimpleNamespace
from typing import Any

import numpy as np

from playmill.engine.compile.game_kernels import (
    PARAMETERS,
    by_interpreter,
    cache_entry_points,
    compiled_agents,
    entry_points_of,
    specialiser,
)
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import LookupValues, NetworkTable
from playmill.engine.contract.game import Game, is_shipped
from playmill.engine.kernels import rollout as rollout_loop
from playmill.engine.kernels.rollout import AS_IT_IS, NONE, PUBLIC
from playmill.engine.lang import compiler
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import SEATS
from playmill.engine.lint.endless_loops import plays_games
from playmill.engine.run.backends import default_workers
from playmill.engine.run.invalid_actions import no_action
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import Match, Whole, new_workspace
from playmill.engine.run.preflight import preflight
from playmill.interrupts import WORKERS, Stop

__all__ = [
    "AS_IT_IS",
    "NONE",
    "PUBLIC",
    "Count",
    "Note",
    "RolloutAgent",
    "RolloutResult",
    "Rollouts",
    "Tags",
    "jobs_of",
]

#: Jobs a thread takes at first, and how many seconds a portion should take then.
_FIRST, _MOMENT = 16, 0.05
#: Most tags of one action.
TAGS = 4

Job = np.dtype(
    [
        ("rng_seed", np.int64),
        ("rng_game", np.int64),
        ("agent_rng_seed", np.int64),
        ("agent_rng_game", np.int64),
        ("position", np.int64),  # NONE: the deal
        ("known", np.int64),  # what is not dealt anew there
        ("action", np.int64),  # done first; NONE: none
        ("players", np.int64),
        ("lapse", np.float64),  # how often anybody chooses at random instead
        ("who", np.int64, (SEATS,)),  # indices of agents, by seat
    ],
    align=True,
)
_Agent = np.dtype([("number", np.int64), ("start", np.int64), ("params", np.float64, (PARAMETERS,))], align=True)
Note = np.dtype([("decisions", np.int64), ("options", np.int64), ("forced", np.int64)], align=True)
_COUNTED = ("met", "used", "offered", "chosen")
#: Beside what is counted: the last decisions that had a tag, and had others, too; and how many options have it now.
Count = np.dtype([(name, np.int64) for name in (*_COUNTED, "last", "free", "now")], align=True)

Numbers = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class RolloutAgent:
    """A compiled agent by its number, with its parameters, or with its table if it is a network."""

    number: int
    params: tuple[float, ...] = ()
    table: NetworkTable | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Tags:
    """Categories of actions to count decisions by: for each action its tags, the rest NONE, and the number of tags."""

    of: Whole
    count: int


NO_TAGS = Tags(np.full((1, TAGS), NONE), 0)


@dataclass(frozen=True)
class RolloutResult:
    """Results of jobs, in their order: rows, returns of each seat, notes on decisions; and counts by tag.

    Of a tag: turns that met and used it, and of those with options beside it, that offered and chose it.
    """

    rows: RecordArray
    paid: Numbers
    notes: RecordArray
    counts: RecordArray


def jobs_of(count: int, players: int, *, seed: int, first: int = 0) -> RecordArray:
    """n games from their deals, numbered as those of a run, with agent 0 in every seat."""
    jobs: RecordArray = np.zeros(count, Job)
    jobs["rng_seed"] = jobs["agent_rng_seed"] = seed
    jobs["rng_game"] = jobs["agent_rng_game"] = np.arange(first, first + count)
    jobs["position"] = jobs["action"] = NONE
    jobs["known"] = AS_IT_IS
    jobs["players"] = players
    return jobs


def agents_with_tables(
    game: Game, config: RuleConfig, agents: Sequence[RolloutAgent]
) -> tuple[RecordArray, LookupValues]:
    """Agents as records that compiled loops read, and the values of their lookup tables."""
    numbers = [one.number for one in agents]
    tables = load_lookup_tables(game, config, numbers, [one.table for one in agents])
    found: RecordArray = np.zeros(len(agents), _Agent)
    found["number"] = numbers
    found["start"][: len(tables.starts)] = tables.starts
    for place, one in enumerate(agents):
        found["params"][place, : len(one.params)] = one.params
    return found, tables.values


class Rollouts:
    """Plays jobs of a game with one config and number of players, on all cores; a result depends on its job alone.

    `agents` are those that jobs name by index.
    """

    def __init__(
        self,
        game: Game,
        config: RuleConfig,
        players: int,
        agents: Sequence[RolloutAgent],
        *,
        interpreted: bool = False,
        workers: int | None = None,
    ) -> None:
        self.game, self.config, self.players = game, config, players
        self._agents, self._lookup = agents_with_tables(game, config, agents)
        if not interpreted:
            self._preflight_all(agents)
        names = compiled_agents(game) if any(one.table is not None for one in agents) else game.agents
        self._kernels = (interpreted_rollout_kernels if interpreted else rollout_kernels)(game, tuple(names))
        self.interpreted, self.begun = interpreted, math.inf
        self._workers = 1 if interpreted else workers or default_workers()
        self._match = Match(game, config, players, 0, (NONE,) * players, (0,) * players, ())
        #: Workspaces not in use at the moment; several threads may ask for games at once.
        self._free: deque[RecordArray] = deque()

    def _preflight_all(self, agents: Sequence[RolloutAgent]) -> None:
        """Runs the preflight for all agents, as many at a time as there are seats."""
        for first in range(0, len(agents), self.players):
            seated = [agents[min(first + seat, len(agents) - 1)] for seat in range(self.players)]
            numbers, params = tuple(one.number for one in seated), tuple(one.params for one in seated)
            lookup_tables = load_lookup_tables(self.game, self.config, numbers, [one.table for one in seated])
            preflight(
                Match(self.game, self.config, self.players, 0, numbers, (0,) * self.players, params, lookup_tables)
            )

    def play(
        self, jobs: RecordArray, *, positions: RecordArray | None = None, tags: Tags = NO_TAGS, stop: Stop | None = None
    ) -> RolloutResult:
        """Plays jobs; positions are states that jobs name by index. On a stop it leaves the rest."""
        states: RecordArray = np.zeros(1, self.game.state) if positions is None else positions
        rows: RecordArray = np.zeros(len(jobs), self.game.outcome)
        paid, notes = np.zeros((len(jobs), SEATS)), np.zeros(len(jobs), Note)
        counts = np.zeros(tags.count, Count)
        hands = _Portions(len(jobs))
        self.begun = monotonic()

        @plays_games
        def work(_: int) -> None:
            workspace = self._workspace()
            own = np.zeros(tags.count, Count)
            for part in hands:
                if stop is not None and stop():
                    break
                own["last"] = own["free"] = 0  # decisions are numbered anew
                self._kernels.play_rollouts(
                    workspace,
                    self._lookup,
                    jobs[part],
                    self._agents,
                    states,
                    tags.of,
                    own,
                    rows[part],
                    paid[part],
                    notes[part],
                )
            if workspace["invalid_actions"][0]:
                raise no_action(self.game, int(workspace["invalid_action"][0]))
            self._free.append(workspace)
            with hands.lock:
                for name in _COUNTED:
                    counts[name] += own[name]

        workers = self._workers if len(jobs) > _FIRST else 1
        if workers == 1 and (self.interpreted or is_shipped(self.game)):
            work(0)
        else:
            # While compiled code runs in the main thread Ctrl-C is not heard, and an author's game may have no end.
            pool = ThreadPoolExecutor(workers, thread_name_prefix=WORKERS)
            waits = False  # whoever breaks off does not wait for a game without an end
            try:
                list(pool.map(work, range(workers)))
                waits = True
            finally:
                pool.shutdown(wait=waits, cancel_futures=True)
        return RolloutResult(rows, paid[:, : self.players], notes, counts)

    def _workspace(self) -> RecordArray:
        try:
            return self._free.pop()
        except IndexError:
            return new_workspace(self._match)


class _Portions:
    """Hands out jobs to several threads, in portions that take a moment each; it can stop between two."""

    def __init__(self, jobs: int) -> None:
        self.lock = Lock()
        self._jobs, self._next, self._size = jobs, 0, _FIRST

    def __iter__(self) -> Iterator[slice]:
        while True:
            with self.lock:
                first, size = self._next, self._size
                self._next += size
            if first >= self._jobs:
                return
            begun = perf_counter()
            yield slice(first, min(first + size, self._jobs))
            took = max(perf_counter() - begun, 1e-6)
            with self.lock:
                self._size = max(1, min(2 * size, int(size * _MOMENT / took)))


@cache
def rollout_kernels(game: Game, agents: tuple[str, ...]) -> Any:
    """The compiled loop of a game with these agents, read from the cache if it was compiled before."""
    if compiler.is_off():
        return interpreted_rollout_kernels(game, agents)
    entry_points = _entry_points(game, agents)
    cache_entry_points(game, "probe", entry_points)
    return entry_points


@cache
def interpreted_rollout_kernels(game: Game, agents: tuple[str, ...]) -> Any:
    """The same loop run by the Python interpreter."""
    return by_interpreter(game, _entry_points(game, agents))


@cache
def _entry_points(game: Game, agents: tuple[str, ...]) -> SimpleNamespace:
    return entry_points_of(specialiser(game, agents), rollout_loop.play_rollouts)
