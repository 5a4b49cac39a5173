"""Win chances of a position by play-outs: played to the end many times, by an agent of the game or at random."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from playmill.agents.agent_specs import seats_for
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.match import check_seed
from playmill.engine.run.rollouts import AS_IT_IS, PUBLIC, RolloutAgent, Rollouts, jobs_of
from playmill.interrupts import Stop
from playmill.stats.critical_values import Z95
from playmill.stats.estimates import Estimate, wilson
from playmill.texts import PlaymillError

__all__ = ["AS_IT_IS", "LAPSE", "PUBLIC", "PlayOuts", "Shares", "chances_of", "estimated", "shares_of"]

#: What a side gets of a win: play-outs by sides, or positions by play-outs by sides.
Shares = np.ndarray[Any, np.dtype[np.float64]]
#: What a game for one pays at least if it is won.
SUCCESS = 1.0
#: Returns that differ by less are the same, rounded differently.
_EQUAL = 1e-9
#: How often anybody chooses at random instead: an agent that always answers the same would make one game of all
#: play-outs where there is little chance, and the chance of it nothing but 0 or 1.
LAPSE = 0.1
#: This many positions are played on at a time: between two lots somebody may ask to stop.
_LOT = 8


class PlayOuts:
    """Plays positions of one game to the end; the same position always gets the same play-outs.

    What happens in play-out number k depends on the position, the seed and k alone; play-out k of two positions has the
    same rng, so that their difference is less noisy than each of them. `agent` plays all seats: by default the one by
    which the game's `search` plays on in its head. It never sees more than its player may; with the chance `lapse` a
    decision is made at random instead. `known` says by whom the position is known: PUBLIC deals anew in each play-out
    whatever some player cannot see, a seat what that player cannot see, AS_IT_IS nothing, not even the order of a deck.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        agent: str | None = None,
        known: int = PUBLIC,
        lapse: float = LAPSE,
        seed: int = 0,
        workers: int | None = None,
        interpreted: bool = False,
    ) -> None:
        self.game = game = as_game(game)
        self.players = players if players is not None else game.players[0]
        self.agent = agent if agent is not None else game.search.rollout
        game.check_players(self.players)
        check_seed(seed)
        if not AS_IT_IS <= known < self.players:
            raise PlaymillError(f"there is no player {known}", f"игрока {known} нет")
        self.config = as_config(game, config)
        seat = seats_for(game, self.players, [self.agent], self.config)[0]
        if not seat.compiled:
            listed = ", ".join(game.agents)
            raise PlaymillError(
                f"games are played on by a compiled agent, not by {self.agent!r}; there are {listed}",
                f"доигрывает компилируемый агент, а не {self.agent!r}; есть {listed}",
            )
        self._known = known
        self._lapse = lapse
        self._seed = seed
        members = [RolloutAgent(seat.number, tuple(seat.params), seat.table)]
        self._probe = Rollouts(game, self.config, self.players, members, workers=workers, interpreted=interpreted)

    def shares(self, positions: Sequence[np.void], games: range, *, stop: Stop | None = None) -> Shares:
        """Returns what each side got of a win in these play-outs of each position; told to stop, it leaves the rest."""
        states: RecordArray = np.zeros(len(positions), self.game.state)
        for place, position in enumerate(positions):
            states[place] = position
        jobs = jobs_of(len(positions) * len(games), self.players, seed=self._seed)
        jobs["position"] = np.repeat(np.arange(len(positions)), len(games))
        jobs["rng_game"] = jobs["agent_rng_game"] = np.tile(np.arange(games.start, games.stop), len(positions))
        jobs["lapse"] = self._lapse
        # Of a game that is over nothing is dealt anew: its end might read what would be.
        jobs["known"] = np.where(states["player"][jobs["position"]] < 0, AS_IT_IS, self._known)
        paid = self._probe.play(jobs, positions=states, stop=stop).paid
        return shares_of(paid).reshape(len(positions), len(games), self.players)

    def after(self, position: np.void, actions: Sequence[int], games: range, *, known: int) -> Shares:
        """Returns what these play-outs pay every side, after each of some actions at a position as a seat knows it.

        Play-out k has the same rng after each of them, so that their difference is less noisy than each.
        """
        states: RecordArray = np.zeros(1, self.game.state)
        states[0] = position
        jobs = jobs_of(len(actions) * len(games), self.players, seed=self._seed)
        jobs["position"], jobs["known"], jobs["lapse"] = 0, known, self._lapse
        jobs["action"] = np.repeat(actions, len(games))
        jobs["rng_game"] = jobs["agent_rng_game"] = np.tile(np.arange(games.start, games.stop), len(actions))
        paid = self._probe.play(jobs, positions=states).paid
        return paid.reshape(len(actions), len(games), self.players)


def shares_of(returns: Any) -> Shares:
    """Returns each side's share of the win: the highest payoffs share it; alone, one has won or not.

    Sides are the last axis.
    """
    brought: Shares = np.asarray(returns, np.float64)
    if brought.shape[-1] == 1:
        return (brought >= SUCCESS).astype(np.float64)
    best = brought >= brought.max(axis=-1, keepdims=True) - _EQUAL
    shares: Shares = best / best.sum(axis=-1, keepdims=True)
    return shares


def estimated(shares: Shares, *, over: bool = False) -> tuple[Estimate, ...]:
    """Returns the chance of each side with its 95 % interval; of a finished game it is known.

    The interval is Wilson's: where wins are shared it is a little too wide, never too narrow.
    """
    n = len(shares)
    if n == 0:
        return tuple(Estimate(0.0, 0.0, 1.0, 0, 1.0) for _ in range(shares.shape[1]))
    values = [float(value) for value in shares.mean(axis=0)]
    return tuple(Estimate(value, *((value, value) if over else wilson(value, n, Z95)), n, 1.0) for value in values)


def chances_of(
    positions: Sequence[np.void],
    game: Game | str,
    *,
    players: int | None = None,
    config: RuleConfig | Mapping[str, Any] | None = None,
    playouts: int = 400,
    agent: str | None = None,
    known: int = PUBLIC,
    lapse: float = LAPSE,
    seed: int = 0,
    workers: int | None = None,
    stopped: Callable[[], int] = lambda: 0,
    progress: Callable[[int, int], None] | None = None,
) -> list[tuple[Estimate, ...]]:
    """Returns the win chance of each side in each of these positions (records of states), by n play-outs each.

    The same whatever the number of workers. Told to stop, it ends with the positions that are done.
    """
    playing = PlayOuts(
        game, players=players, config=config, agent=agent, known=known, lapse=lapse, seed=seed, workers=workers
    )
    found: list[tuple[Estimate, ...]] = []
    for first in range(0, len(positions), _LOT):
        if stopped():
            break
        lot = positions[first : first + _LOT]
        for position, shares in zip(lot, playing.shares(lot, range(playouts)), strict=True):
            found.append(estimated(shares, over=int(position["player"]) < 0))
        if progress is not None:
            progress(len(found), len(positions))
    return found
