"""How good a position is for each side: played on to the end many times, by an agent of the game or at random."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from playmill.agents.seats import seats_for
from playmill.engine.books import open_book
from playmill.engine.config import RuleConfig
from playmill.engine.game import Game, as_config, as_game
from playmill.engine.kernels import by_interpreter, functions_of, keep_roots, load_generated, specialised, with_roots
from playmill.engine.loops import BLANK
from playmill.engine.match import Match, check_luck, new_desk
from playmill.engine.play import default_workers
from playmill.engine.record import RecordArray
from playmill.engine.rng import SEATS, below
from playmill.engine.rule import numba_config
from playmill.lab import playing_on
from playmill.lab.playing_on import EVERYBODY, OPEN
from playmill.stats.estimates import Z95, Estimate, wilson
from playmill.stopping import WORKERS
from playmill.texts import PlaymillError

__all__ = ["EVERYBODY", "OPEN", "PlayOuts", "chances_of", "estimated", "shares_of"]

Floats = np.ndarray[Any, np.dtype[np.float64]]
#: What one side gets of a win in each play-out: a row a play-out, a column a side.
Shares = Floats
_ROOTS = ("play_on",)
#: What a game for one pays at least if it is won.
SUCCESS = 1.0
#: So many play-outs are played at a time: between two lots somebody may ask to stop.
_LOT = 256


@cache
def _loops(game: Game, agent: str, interpreted: bool) -> Any:
    """The loop that plays on, with one agent in it: the others need not be compiled for it."""
    text = with_roots(specialised(game, (agent,), playing_on), _ROOTS)
    module = load_generated(game, f"playouts-{agent}", text, {**functions_of(game, (agent,)), "below": below})
    if interpreted or numba_config.DISABLE_JIT:
        return by_interpreter(module, _ROOTS)
    keep_roots(game, f"playouts-{agent}", module, _ROOTS)
    return module


class PlayOuts:
    """Plays positions of one game on. Of the same position it always makes the same play-outs.

    `agent` plays all seats: by default the one by which the game's `search` plays on in its head. It never sees more
    than its player may. `eyes` say what is known of the position: EVERYBODY deals anew in each play-out whatever some
    player cannot see, a seat what that player cannot see, OPEN nothing, not even the order of a deck.
    """

    def __init__(
        self,
        game: Game | str,
        *,
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        agent: str | None = None,
        eyes: int = EVERYBODY,
        seed: int = 0,
        interpreted: bool = False,
    ) -> None:
        self.game = game = as_game(game)
        self.players = players if players is not None else game.players[0]
        self.agent = agent if agent is not None else game.search.rollout
        self.eyes = eyes
        game.check_players(self.players)
        check_luck(seed)
        if not OPEN <= eyes < self.players:
            raise PlaymillError(f"there is no player {eyes}", f"игрока {eyes} нет")
        settings = as_config(game, config)
        seat = seats_for(game, self.players, [self.agent])[0]
        if not seat.compiled:
            known = ", ".join(game.agents)
            raise PlaymillError(
                f"games are played on by a compiled agent, not by {self.agent!r}; there are {known}",
                f"доигрывает компилируемый агент, а не {self.agent!r}; есть {known}",
            )
        number = (seat.number,) * self.players
        book = open_book(game, settings, number)
        self._match = Match(
            game, settings, self.players, seed, number, (0,) * self.players, (seat.params,) * self.players, book
        )
        self._loops = _loops(game, seat.name.partition(":")[0], interpreted)
        self._own = threading.local()

    def prepare(self) -> None:
        """Compiles what has to be compiled, so that play-outs in several threads do not wait for each other."""
        self._play(self._desk(), range(0))

    def _desk(self) -> RecordArray:
        """The desk of this thread."""
        if not hasattr(self._own, "desk"):
            self._own.desk = new_desk(self._match)
        desk: RecordArray = self._own.desk
        return desk

    def _play(self, desk: RecordArray, games: range) -> Floats:
        paid = np.zeros((len(games), SEATS))
        self._loops.play_on(desk, self._match.book.pages, self._match.seed, games.start, self.players, self.eyes, paid)
        return paid

    def shares(self, position: np.void, games: range) -> Shares:
        """What each side got of a win in these play-outs of a position."""
        desk = self._desk()
        desk["states"][0, BLANK] = position
        # Of a game that is over there is nothing to play: one payment is all of them.
        over = int(position["player"]) < 0
        paid = self._play(desk, range(games.start, games.start + 1) if over else games)
        found = shares_of(paid[:, : self.players])
        return np.repeat(found, len(games), axis=0) if over else found


def shares_of(returns: Floats) -> Shares:
    """What each side has of a win: those whom the game brought most share it; alone, one has won or not."""
    if returns.shape[1] == 1:
        return (returns >= SUCCESS).astype(np.float64)
    best = returns == returns.max(axis=1, keepdims=True)
    shares: Shares = best / best.sum(axis=1, keepdims=True)
    return shares


def estimated(shares: Shares, *, over: bool = False) -> tuple[Estimate, ...]:
    """The chance of each side with its 95 % interval; of a game that is over it is known.

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
    eyes: int = EVERYBODY,
    seed: int = 0,
    workers: int | None = None,
    stopped: Callable[[], int] = lambda: 0,
    told: Callable[[int, int], None] | None = None,
) -> list[tuple[Estimate, ...]]:
    """The chance to win of each side in each of these positions (records of states), by so many play-outs of each.

    The same whatever the number of workers. Told to stop, it ends with the positions that are done.
    """
    playing = PlayOuts(game, players=players, config=config, agent=agent, eyes=eyes, seed=seed)
    found = []
    for place, shares in enumerate(all_shares(playing, positions, range(playouts), workers=workers, stopped=stopped)):
        found.append(estimated(shares, over=int(positions[place]["player"]) < 0))
        if told is not None:
            told(place + 1, len(positions))
    return found


def all_shares(
    playing: PlayOuts,
    positions: Sequence[np.void],
    games: range,
    *,
    workers: int | None = None,
    stopped: Callable[[], int] = lambda: 0,
) -> Iterator[Shares]:
    """The same play-outs of many positions, handed on in their order; told to stop, it ends."""
    playing.prepare()

    def play(position: np.void) -> Shares | None:
        lots = range(games.start, games.stop, _LOT)
        parts = []
        for first in lots:
            if stopped():
                return None
            parts.append(playing.shares(position, range(first, min(first + _LOT, games.stop))))
        return np.concatenate(parts) if parts else np.zeros((0, playing.players))

    with ThreadPoolExecutor(workers or default_workers(), thread_name_prefix=WORKERS) as pool:
        for shares in pool.map(play, positions):
            if shares is None:
                return
            yield shares
