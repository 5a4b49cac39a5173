"""Games by fast agents, inside compiled loops: positions with what they brought, from which values are learned.

Of every game a few positions are kept, each as one of its players sees it, with what the game brought to all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from playmill.engine.compile.game_kernels import (
    cache_entry_points,
    compiled_agents,
    entry_points_of,
    specialiser,
)
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.kernels.placeholders import (
    apply_action,
    choose,
    count_actions,
    nth_action,
    observe,
    returns,
    setup,
)
from playmill.engine.kernels.play import BLANK, LIVE
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import SEATS, below, happens, seed_agent_rng, seed_game_rng
from playmill.engine.lang.rule import rule
from playmill.engine.lint.endless_loops import plays_games
from playmill.engine.run.invalid_actions import no_action
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import Match, new_workspace
from playmill.engine.run.preflight import preflight
from playmill.engine.run.rollouts import RolloutAgent, agents_with_tables
from playmill.interrupts import WORKERS, Stop

Array = np.ndarray[Any, np.dtype[Any]]
#: A game: its number, who sits where (indices of agents), and how often anybody chooses at random up to which decision.
#: Positions are kept from there on: so they are varied, and what they bring is what good play brings.
Job = np.dtype(
    [
        ("seed", np.int64),
        ("game", np.int64),
        ("lapse", np.float64),
        ("until", np.int64),
        ("who", np.int64, (SEATS,)),
    ],
    align=True,
)
#: Games a thread plays at a time.
_PORTION = 64


class Positions(NamedTuple):
    """Positions: what one of the players saw, with their seat as the last number; and what the game brought to all."""

    seen: Array
    paid: Array
    #: Decisions of a game, on average.
    decisions: float


@rule
def begin(workspace: Any, job: Any, agents: Any) -> None:
    """Seats the agents of a job, and deals its game."""
    for seat in range(workspace.seats.shape[0]):
        who = job.who[seat]
        workspace.seats[seat] = agents[who].number
        workspace.starts[seat] = agents[who].start
        for k in range(workspace.params.value.shape[1]):
            workspace.params.value[seat, k] = agents[who].params[k]
    seed_game_rng(workspace.rng, job.seed, job.game)
    seed_agent_rng(workspace.agent_rng, job.seed, job.game)
    # What learning itself draws: streams of their own, apart from those of the game and its agents.
    seed_game_rng(workspace.conceal_rng, job.seed ^ LEARNING, job.game)
    workspace.states[LIVE] = workspace.states[BLANK]
    setup(workspace.cfg, workspace.states[LIVE], workspace.rng)


#: Makes of the seed of a game that of the streams of learning.
LEARNING = 0x5EED
#: Streams of `conceal_rng`: agents that conceal use the first one only.
_PLACE, _SEAT, _LAPSE, _OPTION = range(1, 5)


@rule
def next_move(workspace: Any, lookup: Any, job: Any, n: int, decisions: int) -> int:
    """What is done next: the only option, one at random, or what the agent whose turn it is chooses."""
    s = workspace.states[LIVE]
    if n == 1:
        return nth_action(workspace.cfg, s, workspace.legal, 0)
    if decisions < job.until and happens(workspace.conceal_rng, _LAPSE, job.lapse):
        n = count_actions(workspace.cfg, s, workspace.legal)
        return nth_action(workspace.cfg, s, workspace.legal, below(workspace.conceal_rng, _OPTION, n))
    return choose(workspace.seats[s.player], workspace, workspace, lookup, n)


@rule
def play_positions(
    workspaces: Any,
    lookup: Any,
    jobs: Any,
    agents: Any,
    players: int,
    each: int,
    seen: Any,
    seats: Any,
    paid: Any,
    made: Any,
) -> int:
    """Plays jobs; of each game up to `each` positions are written, all of them as likely, with a seat or -1."""
    workspace = workspaces[0]
    s = workspace.states[LIVE]
    size = seen.shape[1] - 1
    for i in range(jobs.shape[0]):
        job = jobs[i]
        begin(workspace, job, agents)
        decisions, met = 0, 0
        while s.player >= 0:
            n = count_actions(workspace.cfg, s, workspace.legal)
            if decisions >= job.until:
                place = met if met < each else below(workspace.conceal_rng, _PLACE, met + 1)
                met += 1
                if place < each:
                    seat = below(workspace.conceal_rng, _SEAT, players)
                    at = i * each + place
                    for j in range(size):
                        seen[at, j] = 0
                    observe(workspace.cfg, s, seat, seen[at])
                    seen[at, size] = seat
                    seats[at] = seat
            action = next_move(workspace, lookup, job, n, decisions)
            if action < 0:
                return -1
            decisions += n > 1
            apply_action(workspace.cfg, s, action, workspace.rng)
        returns(workspace.cfg, s, paid[i])
        made[i] = decisions
        for k in range(met, each):
            seats[i * each + k] = -1
    return 0


@cache
def _positions_kernel(game: Game, agents: tuple[str, ...]) -> Any:
    made = entry_points_of(specialiser(game, agents), play_positions)
    cache_entry_points(game, "positions", made)
    return made.play_positions


class SelfPlay:
    """Plays jobs with agents that jobs name by index; what comes of it depends on the jobs alone."""

    def __init__(
        self, game: Game, config: RuleConfig, players: int, agents: Sequence[RolloutAgent], workers: int = 1
    ) -> None:
        self._game, self._players, self._workers = game, players, workers
        numbers = [one.number for one in agents]
        self._names = tuple(name for number, name in enumerate(compiled_agents(game)) if number in numbers)
        self._agents, self._lookup = agents_with_tables(game, config, agents)
        self._match = Match(game, config, players, 0, (-1,) * players, (0,) * players, ())
        for one in agents:
            numbers, nobody = [one.number] * players, (0,) * players
            known = load_lookup_tables(game, config, numbers, [one.table] * players)
            preflight(Match(game, config, players, 0, tuple(numbers), nobody, (one.params,) * players, known))

    def positions(self, jobs: RecordArray, each: int, stop: Stop | None = None) -> Positions:
        """Plays jobs and keeps up to `each` positions of each; fewer jobs if somebody asks to stop."""

        @plays_games
        def work(part: RecordArray) -> tuple[Array, Array, Array]:
            part = part[: 0 if stop is not None and stop() else None]
            count = len(part) * each
            seen, seats = np.zeros((count, self._game.observation + 1), np.int32), np.zeros(count, np.int64)
            paid, made = np.zeros((len(part), SEATS)), np.zeros(len(part), np.int64)
            workspace = new_workspace(self._match)
            kernel = _positions_kernel(self._game, self._names)
            if kernel(workspace, self._lookup, part, self._agents, self._players, each, seen, seats, paid, made) < 0:
                raise no_action(self._game, int(workspace["invalid_action"][0]))
            kept = seats >= 0
            brought = np.repeat(paid[:, : self._players], each, axis=0)[kept]
            return seen[kept], brought.astype(np.float32), made

        parts = np.array_split(jobs, max(1, len(jobs) // _PORTION))
        with ThreadPoolExecutor(self._workers, thread_name_prefix=WORKERS) as pool:
            seen, paid, made = (np.concatenate(columns) for columns in zip(*pool.map(work, parts), strict=True))
        return Positions(seen, paid, float(made.mean()) if len(made) else 0.0)
