"""Counterfactual regrets by sampled games, inside compiled loops: average strategies for games of bluff.

In each game one player learns and chooses at random, so that they come everywhere; the others choose by what they
regret (regret matching). At every decision of the learner each option is played on to the end once, by what everybody
regrets: how much more it brought than the strategy of now is added to its regret. What the others did on the way is
added to their average strategy, which nears an equilibrium in games for two whose sum is always the same. Later games
count more (linear weights).

A place is what the player who acts there sees, found by its hash, as in `search`: what is seen must tell what one has
done before.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from playmill.agents.search.mcts import hash_seen
from playmill.agents.search.search_agent import search_specialiser, searcher_type
from playmill.agents.search.tree import find_node
from playmill.engine.compile.game_kernels import cache_entry_points, entry_points_of
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.kernels.placeholders import apply_action, legal_actions, returns, setup
from playmill.engine.kernels.play import BLANK
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rng import SEATS, below, seed_agent_rng, seed_game_rng
from playmill.engine.lang.rule import rule
from playmill.engine.lint.endless_loops import plays_games
from playmill.engine.run.match import Match, new_workspace
from playmill.lab.learn.labels import Array
from playmill.texts import PlaymillError

#: Chances are drawn in steps of this size.
_STEPS = 1 << 30
#: Entries of a table, a power of two of which half is used, and its bytes, at most.
_MOST_PLACES, _MOST_BYTES = 1 << 19, 1 << 29


@rule
def play_regretting(
    workspaces: Any,
    minds: Any,
    tree: Any,
    regrets: Any,
    sums: Any,
    seen: Any,
    actions: Any,
    chances: Any,
    brought: Any,
    seed: int,
    first: int,
    count: int,
    players: int,
) -> int:
    """Plays games; the regrets and the sums of strategies of places are changed. Returns how many places are open."""
    workspace, mind = workspaces[0], minds[0]
    for number in range(first, first + count):
        learner = number % players
        weight = 1.0 + number // players
        seed_game_rng(mind.rng, seed, number)
        seed_agent_rng(mind.agent_rng, seed, number)
        mind.start[0] = workspace.states[BLANK]
        setup(workspace.cfg, mind.start[0], mind.rng)
        while mind.start[0].player >= 0:
            who = mind.start[0].player
            mind.states[0] = mind.start[0]
            n = legal_actions(workspace.cfg, mind.states[0], mind.legal)
            for i in range(n):
                actions[i] = mind.legal.ids[i]
            chosen = 0
            if n > 1:
                place = _open(workspace.cfg, mind, tree, seen, n)
                _mix(tree, regrets, place, n, chances[0])
                if who == learner:
                    mean = 0.0
                    for i in range(n):
                        mind.states[0] = mind.start[0]
                        apply_action(workspace.cfg, mind.states[0], actions[i], mind.rng)
                        brought[i] = _played_on(workspace.cfg, mind, tree, regrets, chances[1], learner)
                        mean += chances[0, i] * brought[i]
                    if tree[place].hash != 0:
                        for i in range(n):
                            regrets[place, i] += weight * (brought[i] - mean)
                    chosen = below(mind.agent_rng, 0, n)
                else:
                    if tree[place].hash != 0:
                        for i in range(n):
                            sums[place, i] += weight * chances[0, i]
                    chosen = _drawn(mind, chances[0], n)
            apply_action(workspace.cfg, mind.start[0], actions[chosen], mind.rng)
    opened: int = mind.places
    return opened


@rule
def _played_on(cfg: Any, mind: Any, tree: Any, regrets: Any, chances: Any, learner: int) -> float:
    """What a game brings that is played on to the end by what everybody regrets."""
    while mind.states[0].player >= 0:
        n = legal_actions(cfg, mind.states[0], mind.legal)
        chosen = 0
        if n > 1:
            place = find_node(tree, hash_seen(cfg, mind, mind.seen))
            _mix(tree, regrets, place, n, chances)
            chosen = _drawn(mind, chances, n)
        apply_action(cfg, mind.states[0], mind.legal.ids[chosen], mind.rng)
    for seat in range(SEATS):
        mind.returns[seat] = 0.0
    returns(cfg, mind.states[0], mind.returns)
    value: float = mind.returns[learner]
    return value


@rule
def _open(cfg: Any, mind: Any, tree: Any, seen: Any, n: int) -> int:
    """The index of the place of a decision, which is opened if it is new and there is room."""
    hash_ = hash_seen(cfg, mind, mind.seen)
    place = find_node(tree, hash_)
    if tree[place].hash == 0 and 2 * (mind.places + 1) <= tree.shape[0]:
        mind.places += 1
        tree[place].hash = hash_
        tree[place].options = n
        for i in range(seen.shape[1]):
            seen[place, i] = mind.seen[i]
        for i in range(n):
            tree[place].action[i] = mind.legal.ids[i]
    return place


@rule
def _mix(tree: Any, regrets: Any, place: int, n: int, out: Any) -> None:
    """Writes the chance of each option: in proportion to what is regretted of it; where nothing is, all alike."""
    total = 0.0
    for i in range(n):
        out[i] = max(regrets[place, i], 0.0) if tree[place].hash != 0 else 0.0
        total += out[i]
    for i in range(n):
        out[i] = out[i] / total if total > 0.0 else 1.0 / n


@rule
def _drawn(mind: Any, chances: Any, n: int) -> int:
    """An option drawn by its chance."""
    left = below(mind.agent_rng, 0, _STEPS) * (1.0 / _STEPS)
    chosen = 0
    while chosen + 1 < n and left >= chances[chosen]:
        left -= chances[chosen]
        chosen += 1
    return chosen


@cache
def _kernel(game: Game) -> Any:
    made = entry_points_of(search_specialiser(game, learned=False), play_regretting)
    cache_entry_points(game, "regrets", made)
    return made.play_regretting


class Regrets:
    """Regrets and average strategies of the places of a game, after some games."""

    def __init__(self, game: Game, config: RuleConfig, players: int, seed: int) -> None:
        self._game, self._players, self._seed = game, players, seed
        self._workspace = new_workspace(Match(game, config, players, 0, (-1,) * players, (0,) * players, ()))
        most = game.max_legal
        kind = np.dtype([("hash", np.int64), ("options", np.int64), ("action", np.int32, (most,))], align=True)
        size = _MOST_PLACES
        while size * (kind.itemsize + 16 * most + 4 * game.observation) > _MOST_BYTES:
            size //= 2
        self._mind: RecordArray = np.zeros(1, searcher_type(game))
        self._places: RecordArray = np.zeros(size, kind)
        self._regrets, self._sums = np.zeros((size, most)), np.zeros((size, most))
        self._seen = np.zeros((size, game.observation), np.int32)
        self._actions, self._chances, self._brought = np.zeros(most, np.int64), np.zeros((2, most)), np.zeros(most)
        self._games = 0

    @plays_games
    def play(self, count: int) -> None:
        """Plays n more games; raises if there are more places than it can hold."""
        opened = _kernel(self._game)(
            self._workspace, self._mind, self._places, self._regrets, self._sums, self._seen, self._actions,
            self._chances, self._brought, self._seed, self._games, count, self._players,
        )  # fmt: skip
        self._games += count
        if 2 * (opened + 1) > len(self._places):
            raise PlaymillError(
                f"{self._game.name} is too large to learn chances: there is no room for more than {opened} different"
                " positions; --what values or --what moves learn it",
                f"игра {self._game.name} слишком велика, чтобы учить chances: больше чем для {opened} разных позиций"
                " места нет; её выучит --what values или --what moves",
            )

    def average(self) -> tuple[Array, Array, Array, Array]:
        """Returns of all places: what is seen; and in a row the actions, their chances; and how many are of each."""
        open_ = np.flatnonzero(self._places["hash"])
        counts, sums = self._places["options"][open_], self._sums[open_]
        exist = np.arange(sums.shape[1]) < counts[:, None]
        total = sums.sum(axis=1, keepdims=True)
        chances = np.where(total > 0, sums / np.maximum(total, 1e-300), exist / counts[:, None])
        actions = self._places["action"][open_]
        return self._seen[open_], actions[exist], chances[exist].astype(np.float32), counts

    def saved(self) -> dict[str, Any]:
        """Returns all of it as plain arrays."""
        open_ = np.flatnonzero(self._places["hash"])
        made = {"at": open_, "seen": self._seen[open_], "regrets": self._regrets[open_], "sums": self._sums[open_]}
        made |= {name: self._places[name][open_] for name in ("hash", "options", "action")}
        return {f"regrets.{name}": array for name, array in made.items()} | {"regrets.games": self._games}

    def restore(self, arrays: Mapping[str, Any]) -> None:
        """Becomes what was saved."""
        open_ = arrays["regrets.at"]
        self._seen[open_], self._regrets[open_] = arrays["regrets.seen"], arrays["regrets.regrets"]
        self._sums[open_] = arrays["regrets.sums"]
        for name in ("hash", "options", "action"):
            self._places[name][open_] = arrays[f"regrets.{name}"]
        self._mind["places"] = len(open_)
        self._games = int(arrays["regrets.games"])
