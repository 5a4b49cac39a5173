"""Many games in step, as arrays: for learning agents and for anyone who drives games from NumPy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from playmill.engine.config import RuleConfig
from playmill.engine.game import Game, as_config, as_game
from playmill.engine.loops import LIVE
from playmill.engine.match import Match, check_luck, new_desk
from playmill.engine.stepping import Seen, steps_of
from playmill.engine.steps import DEAL, LOOK, MOVE
from playmill.texts import PlaymillError

Integers = np.ndarray[Any, np.dtype[np.int64]]


class Batch:
    """A batch of games that all wait for a decision at once; finished games wait for `reset`."""

    def __init__(
        self,
        game: Game | str,
        size: int,
        *,
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
    ) -> None:
        if size < 1:
            raise PlaymillError(f"a batch of {size} games is empty", f"в наборе из {size} игр нечего играть")
        self.game = game = as_game(game)
        self.players = players if players is not None else game.players[0]
        game.check_players(self.players)
        self.seed = seed
        chosen = as_config(game, config)
        seats = (-1,) * self.players
        self._ask_all = steps_of(game).ask_all
        self._desks = new_desk(Match(game, chosen, self.players, seed, seats, (0,) * self.players, ()), size)
        self._options: Integers = np.zeros(size, np.int64)
        self._places: Integers = np.arange(size)
        self.rewards: np.ndarray[Any, np.dtype[np.float64]] = np.zeros((size, self.players))
        #: What players see is written only for those who want to know.
        self._seen: Seen = np.zeros((0, game.observation), np.int32)
        self.reset()

    def __repr__(self) -> str:
        over = int(self.terminated.sum())
        return f"<Batch of {self.game.name}: {self._options.size} games of seed {self.seed}, {over} of them over>"

    def reset(self, first: int = 0) -> None:
        """Deals games first, first+1, … of the run with the batch's seed."""
        check_luck(self.seed, first)
        self._ask(DEAL, self._options, first)

    def step(self, actions: Any) -> None:
        """Does one action in each game that is not over; an illegal one raises, and no game has moved."""
        wanted = np.ascontiguousarray(actions, np.int64)
        if wanted.shape != self._options.shape:
            raise PlaymillError(
                f"expected {self._options.size} actions, got an array of shape {wanted.shape}",
                f"нужно действий: {self._options.size}, получен массив формы {wanted.shape}",
            )
        place = self._ask(MOVE, wanted)
        if place >= 0:
            raise PlaymillError(
                f"illegal action {int(wanted[place])} in game {place} of the batch",
                f"недопустимое действие {int(wanted[place])} в игре {place} набора",
            )

    def _ask(self, what: int, actions: Integers, first: int = 0) -> int:
        """All that is done with all games, in one call (see `steps.py`)."""
        place: int = self._ask_all(
            self._desks, what, self.seed, first, actions, self._options, self.rewards, self._seen
        )
        return place

    @property
    def observations(self) -> Seen:
        """What the player to move may see in each game, a row each, as it is filled anew with every step.

        Once asked for, it is written in the same call as the step itself; a game that is over keeps its last row.
        """
        if not self._seen.size:
            self._seen = np.zeros((self._options.size, self.game.observation), np.int32)
            self._ask(LOOK, self._options)
        return self._seen

    @property
    def states(self) -> np.ndarray[Any, np.dtype[np.void]]:
        """The records of all games."""
        records: np.ndarray[Any, np.dtype[np.void]] = self._desks["states"][:, LIVE]
        return records

    @property
    def current_player(self) -> Integers:
        """Whose decision it is in each game; -1 where it is over."""
        return self.states["player"].astype(np.int64)

    @property
    def terminated(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which games are over."""
        return np.equal(self._options, 0)

    @property
    def legal_counts(self) -> Integers:
        """How many options each game offers."""
        return self._options.copy()

    def legal_action(self, which: Any) -> Integers:
        """The option number `which` of each game, counted from 0: a cheap way to pick without a mask."""
        places = np.minimum(np.asarray(which, np.int64), np.maximum(self._options - 1, 0))
        chosen: Integers = self._desks["legal"]["ids"][self._places, places].astype(np.int64)
        return chosen

    @property
    def legal_action_mask(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """One row a game, true at the ids of its legal actions."""
        mask = np.zeros((self._options.size, self.game.actions), np.bool_)
        places, options = np.nonzero(np.arange(self.game.max_legal) < self._options[:, None])
        mask[places, self._desks["legal"]["ids"][places, options]] = True
        return mask
