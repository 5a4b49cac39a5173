"""Strength of a network: games against fixed agents (rungs), every deal from every seat."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import Match
from playmill.engine.run.rollouts import RolloutAgent, Rollouts, jobs_of
from playmill.interrupts import WORKERS, Stop
from playmill.lab.audit.playouts import Shares, shares_of
from playmill.report.commands.learning import Strength
from playmill.stats.estimates import Estimate
from playmill.stats.from_observations import average

#: The rung that thinks: it costs little, and is stronger than most heuristics.
SEARCH = "search:iterations=30"
RANDOM = "random"
#: Deals, each from every seat, by which a round is measured.
DEALS = 500


def rung_names(game: Game) -> tuple[str, ...]:
    """Returns the agents that a learner of a game is measured against, from the weakest to the strongest."""
    return tuple(dict.fromkeys((RANDOM, game.search.rollout, SEARCH)))


class _Observed(NamedTuple):
    """What deals brought: the share of wins; alone, how much more that is than the rung's; and what they paid more."""

    won: Shares
    more: Shares | None = None
    paid: Shares | None = None


class Rungs:
    """Plays a network against the rungs of one game: one number of players, one config or several of a range.

    Strength is the share of wins against a rung, and how much that is more than an equal would get. Alone, it is the
    share of games won, and how much that is more than the rung wins of the same deals.
    """

    def __init__(self, game: Game, configs: Sequence[RuleConfig], players: int, workers: int) -> None:
        self._game, self._configs, self._players, self._workers = game, configs, players, workers
        self.seats: dict[str, Seat] = {name: seats_for(game, players, [name])[0] for name in rung_names(game)}
        #: What a rung got of some deals by itself, in a game for one: the deals of all rounds are the same.
        self._alone: dict[tuple[str, int, int, int], Shares] = {}

    @property
    def judge(self) -> str:
        """The rung by which the best round is chosen: the game's heuristic, or `search` where there is none."""
        named = self._game.search.rollout
        return named if named != RANDOM else SEARCH

    def decides(self) -> bool:
        """Whether there is ever a choice: in some random games, has anybody more than one option?"""
        agent = self.seats[RANDOM]
        notes = self._rollouts([agent], self._configs[0]).play(jobs_of(_FEW, self._players, seed=0)).notes
        return bool((notes["decisions"] > 0).any())

    def strength(self, seat: Seat, name: str, deals: int, seed: int, stop: Stop) -> Strength | None:
        """Returns how a network does against a rung, over all settings; None if it was stopped."""
        found = []
        for number in range(len(self._configs)):
            # Deals of their own: those of one setting say something of the same deals of another.
            one = self._observe(seat, name, max(2, deals // len(self._configs)), seed ^ number, number, stop)
            if one is None:
                return None
            found.append(one)
        share = average(np.concatenate([one.won for one in found]), most=1)
        more = [one.more for one in found if one.more is not None]
        paid = [one.paid for one in found if one.paid is not None]
        gain = average(np.concatenate(more), reach=1.0) if more else _beyond(share, 1 / self._players)
        return Strength(share, gain, average(np.concatenate(paid)) if paid else None)

    def _observe(self, seat: Seat, name: str, deals: int, seed: int, number: int, stop: Stop) -> _Observed | None:
        """Plays one of the settings; alone, the rung plays the same deals for itself."""
        rung, config = self.seats[name], self._configs[number]
        paid = self._paid([seat, rung], deals, seed, config, stop)
        if paid is None:
            return None
        won = self._own(shares_of(paid))
        if self._players > 1:
            return _Observed(won, paid=self._gained(paid, config))
        key = (name, deals, seed, number)
        if key not in self._alone:
            alone = self._paid([rung, rung], deals, seed, config, stop)
            if alone is None:
                return None
            self._alone[key] = self._own(shares_of(alone))
        return _Observed(won, won - self._alone[key])

    def _gained(self, paid: Shares, config: RuleConfig) -> Shares | None:
        """Returns what deals bring above an equal's, where that is more than a win: all get the same together."""
        stakes = self._game.stakes(config, self._players)
        if stakes.together is None or stakes.most - stakes.least <= _WIN_OR_NOT:
            return None
        return self._own(paid) - stakes.together / self._players

    def _own(self, values: Shares) -> Shares:
        """Returns what the network has of each deal, on the average of its seats: of values by game and seat."""
        place = np.arange(len(values))
        own: Shares = values[place, place % self._players].reshape(-1, self._players).mean(axis=1)
        return own

    def _paid(self, pair: Sequence[Seat], deals: int, seed: int, config: RuleConfig, stop: Stop) -> Any:
        """Returns what games pay, by seat: each deal with the first of two in every seat, the second in all others."""
        play = self._compiled if all(seat.compiled for seat in pair) else self._asked
        return play(pair, deals, seed, config, stop)

    def _rollouts(self, seats: Sequence[Seat], config: RuleConfig) -> Rollouts:
        agents = [RolloutAgent(one.number, one.params, one.table) for one in seats]
        return Rollouts(self._game, config, self._players, agents, workers=self._workers)

    def _compiled(self, pair: Sequence[Seat], deals: int, seed: int, config: RuleConfig, stop: Stop) -> Any:
        jobs = jobs_of(deals * self._players, self._players, seed=seed)
        place = np.arange(len(jobs))
        jobs["rng_game"] = jobs["agent_rng_game"] = place // self._players
        jobs["who"] = 1
        jobs["who"][place, place % self._players] = 0
        paid = self._rollouts(pair, config).play(jobs, stop=stop).paid
        return None if stop() else paid

    def _asked(self, pair: Sequence[Seat], deals: int, seed: int, config: RuleConfig, stop: Stop) -> Any:
        """Plays decision by decision, on all cores; a game depends on its deal and seat alone."""
        count = min(self._workers, deals)
        paid = np.zeros((deals, self._players, self._players))
        # Made and tried in this thread: what two threads load at once is there twice.
        tables = [[self._table(pair, own, seed, config, stop) for own in range(self._players)] for _ in range(count)]

        def play(mine: Sequence[MixedMatch], numbers: range) -> bool:
            for deal in numbers:
                for own, table in enumerate(mine):
                    chunk = table.play(deal, 1)
                    if stop() or not chunk.games or chunk.paid is None:
                        return False
                    paid[deal, own] = chunk.paid[0]
            return True

        done = play(tables[0], range(1))
        with ThreadPoolExecutor(count, thread_name_prefix=WORKERS) as pool:
            done = done and all(
                list(pool.map(play, tables, [range(1 + first, deals, count) for first in range(count)]))
            )
        return paid.reshape(-1, self._players) if done else None

    def _table(self, pair: Sequence[Seat], own: int, seed: int, config: RuleConfig, stop: Stop) -> MixedMatch:
        seated = [pair[0] if place == own else pair[1] for place in range(self._players)]
        numbers = tuple(seat.number for seat in seated)
        match = Match(
            game=self._game,
            config=config,
            players=self._players,
            seed=seed,
            seats=numbers,
            agents=tuple(range(self._players)),
            params=tuple(seat.params for seat in seated),
            lookup_tables=load_lookup_tables(self._game, config, numbers, [seat.table for seat in seated]),
        )
        return MixedMatch(match, seated, stop=stop)


def _beyond(share: Estimate, equal: float) -> Estimate:
    """Returns how much more a share is than an equal's, with the same interval."""
    return Estimate(share.value - equal, share.low - equal, share.high - equal, share.n)


#: From a loss to a win.
_WIN_OR_NOT = 2
#: Random games by which it is seen whether anybody ever decides anything.
_FEW = 64
