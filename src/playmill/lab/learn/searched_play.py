"""Games by `search` with a network, inside compiled loops: positions with what they brought, for the next network.

Every seat searches for itself. Up to some decision of a game options are drawn by how often search tried them, and now
and then at random; later search does what it likes best. Positions are kept from the last random choice on, as the
player whose turn it is sees them: that is how search asks a network.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from playmill.agents.networks import Network
from playmill.agents.search.mcts import begin, think, weigh
from playmill.agents.search.search_agent import Thinker, search_specialiser
from playmill.agents.search.tree import clear
from playmill.engine.compile.game_kernels import cache_entry_points, entry_points_of
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.kernels.placeholders import apply_action, legal_actions, observe, returns, setup
from playmill.engine.kernels.play import BLANK, LIVE
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import SEATS, below, happens, seed_agent_rng, seed_game_rng
from playmill.engine.lang.rule import rule
from playmill.engine.lint.endless_loops import plays_games
from playmill.engine.run.invalid_actions import invalid_rollout_action
from playmill.engine.run.match import Match, new_workspace
from playmill.interrupts import WORKERS, Stop
from playmill.lab.learn.self_play import LEARNING, Array, Positions

#: Streams of `conceal_rng`: agents that conceal use the first one only.
_PLACE, _LAPSE, _OPTION = range(1, 4)
#: Games a thread plays at a time.
_PORTION = 8
_TWO = 2


@rule
def play_searched(
    workspaces: Any,
    minds: Any,
    trees: Any,
    net: Any,
    jobs: Any,
    players: int,
    iterations: int,
    each: int,
    actions: Any,
    tries: Any,
    means: Any,
    seen: Any,
    seats: Any,
    worth: Any,
    paid: Any,
    made: Any,
) -> int:
    """Plays jobs; of each game up to `each` positions are written, all of them as likely, with a seat or -1.

    Beside each is what search found it to be worth to that seat.
    """
    workspace = workspaces[0]
    s = workspace.states[LIVE]
    size = seen.shape[1] - 1
    for i in range(jobs.shape[0]):
        job = jobs[i]
        seed_game_rng(workspace.rng, job.seed, job.game)
        seed_agent_rng(workspace.agent_rng, job.seed, job.game)
        seed_game_rng(workspace.conceal_rng, job.seed ^ LEARNING, job.game)
        workspace.states[LIVE] = workspace.states[BLANK]
        setup(workspace.cfg, s, workspace.rng)
        for seat in range(players):
            clear(minds[seat][0], trees[seat])
        decisions, met = 0, 0
        while s.player >= 0:
            n = legal_actions(workspace.cfg, s, workspace.legal)
            action = workspace.legal.ids[0]
            if n > 1 and decisions < job.until and happens(workspace.conceal_rng, _LAPSE, job.lapse):
                action = workspace.legal.ids[below(workspace.conceal_rng, _OPTION, n)]
                met = 0
            elif n > 1:
                place = met if met < each else below(workspace.conceal_rng, _PLACE, met + 1)
                met += 1
                at = i * each + place
                if place < each:
                    for j in range(size):
                        seen[at, j] = 0
                    observe(workspace.cfg, s, s.player, seen[at])
                    seen[at, size] = s.player
                    seats[at] = s.player
                mind, tree = minds[s.player], trees[s.player]
                begin(workspaces, mind, tree, iterations)
                think(workspaces, mind, tree, net, iterations)
                if mind[0].rollout_failed:
                    return -1
                weigh(workspaces, mind, tree, actions, tries, means)
                action = actions[_chosen(workspace, tries, means, n, decisions < job.until)]
                if place < each:
                    worth[at] = means[_chosen(workspace, tries, means, n, False)]
            decisions += n > 1
            apply_action(workspace.cfg, s, action, workspace.rng)
        returns(workspace.cfg, s, paid[i])
        made[i] = decisions
        for k in range(met, each):
            seats[i * each + k] = -1
    return 0


@rule
def _chosen(workspace: Any, tries: Any, means: Any, n: int, drawn: bool) -> int:
    """The place of the option tried most often, of equals the one that brought most; or one drawn by its tries."""
    if drawn:
        total = 0
        for k in range(n):
            total += tries[k]
        left = below(workspace.conceal_rng, _OPTION, total)
        k = 0
        while left >= tries[k]:
            left -= tries[k]
            k += 1
        return k
    best = 0
    for k in range(1, n):
        if tries[k] > tries[best] or (tries[k] == tries[best] and means[k] > means[best]):
            best = k
    return best


@cache
def _kernel(game: Game) -> Any:
    made = entry_points_of(search_specialiser(game, learned=True), play_searched)
    cache_entry_points(game, "searched", made)
    return made.play_searched


class SearchedPlay:
    """Plays jobs by `search`; what comes of it depends on the jobs and the network alone."""

    def __init__(self, game: Game, config: RuleConfig, players: int, workers: int = 1) -> None:
        self._game, self._players, self._workers = game, players, workers
        self._match = Match(game, config, players, 0, (-1,) * players, (0,) * players, ())
        #: What both players get together, if that is always the same.
        self._together = game.stakes(config, players).together if players == _TWO else None

    def positions(
        self,
        jobs: RecordArray,
        each: int,
        network: Network,
        params: tuple[float, ...],
        stop: Stop | None = None,
        *,
        believed: float = 0.0,
    ) -> Positions:
        """Plays jobs and keeps up to `each` positions of each; fewer jobs if somebody asks to stop.

        Of what a position brings, the part `believed` is what search expected there, not what its game brought.
        """

        @plays_games
        def work(part: RecordArray) -> tuple[Array, Array, Array]:
            part = part[: 0 if stop is not None and stop() else None]
            count, most = len(part) * each, self._game.max_legal
            seen, seats = np.zeros((count, self._game.observation + 1), np.int32), np.zeros(count, np.int64)
            worth, paid, made = np.zeros(count), np.zeros((len(part), SEATS)), np.zeros(len(part), np.int64)
            searchers = [Thinker(self._game, params, judge=network).searcher for _ in range(self._players)]
            minds, trees = (np.stack(parts) for parts in zip(*searchers, strict=True))
            options = np.zeros(most, np.int64), np.zeros(most, np.int64), np.zeros(most)
            failed = _kernel(self._game)(
                new_workspace(self._match), minds, trees, network.values, part, self._players, int(params[0]), each,
                *options, seen, seats, worth, paid, made,
            )  # fmt: skip
            if failed < 0:
                raise invalid_rollout_action(self._game, int(minds["invalid_action"].max()))
            kept = seats >= 0
            brought = np.repeat(paid[:, : self._players], each, axis=0)[kept]
            place, seat = np.arange(len(brought)), seats[kept]
            brought[place, seat] += believed * (worth[kept] - brought[place, seat])
            if self._together is not None:
                brought[place, 1 - seat] = self._together - brought[place, seat]
            return seen[kept], brought.astype(np.float32), made

        parts = np.array_split(jobs, max(1, len(jobs) // _PORTION))
        with ThreadPoolExecutor(self._workers, thread_name_prefix=WORKERS) as pool:
            seen, paid, made = (np.concatenate(columns) for columns in zip(*pool.map(work, parts), strict=True))
        return Positions(seen, paid, float(made.mean()) if len(made) else 0.0)
