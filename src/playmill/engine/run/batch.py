"""Vectorised games: many games in step, as NumPy arrays, for learning agents (`Batch`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol, Self

import numpy as np

from playmill.engine.compile.entry_points import EntryPoint
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import NetworkTable
from playmill.engine.contract.game import Game, as_config, as_game
from playmill.engine.kernels.play import LIVE
from playmill.engine.kernels.step import DEAL, LOOK, MOST_SILENT, MOVE, RENEW
from playmill.engine.run.invalid_actions import invalid_action, stuck
from playmill.engine.run.lookup_tables import load_lookup_tables
from playmill.engine.run.match import Match, check_seed, new_workspace
from playmill.engine.run.preflight import preflight
from playmill.engine.run.stepper import Seen, steps_of
from playmill.texts import PlaymillError

Integers = np.ndarray[Any, np.dtype[np.int64]]
Rewards = np.ndarray[Any, np.dtype[np.float64]]
Flags = np.ndarray[Any, np.dtype[np.bool_]]


class Seated(Protocol):
    """A compiled agent in a seat: its number among the agents of the game, and its own numbers."""

    @property
    def number(self) -> int:
        """Its number; below 0 it is not compiled."""

    @property
    def params(self) -> tuple[float, ...]:
        """Its own numbers."""

    @property
    def table(self) -> NetworkTable | None:
        """Its table, if it is a network."""


class Batch:
    """A batch of games that all wait for a decision at once.

    Finished games wait for `reset` or `reset_done`; with `auto_reset` the next game is dealt in the step that ends one,
    and every game waits for a decision always. Place i of n plays games i, i+n, i+2n, … of the run with the batch's
    seed. With the backend "cuda" games are played on a GPU, and all arrays stay there (see `cuda/batch.py`).
    """

    def __new__(cls, *args: Any, backend: str = "cpu", **more: Any) -> Self:
        """A batch on the CPU, or on the GPU."""
        if backend == "cuda":
            on_card: type[Self] = import_module("playmill.engine.cuda.batch").GpuBatch
            if cls is not Batch and not issubclass(cls, on_card):
                raise PlaymillError(
                    f"{cls.__name__} is a batch of its own kind and plays on cpu; one on cuda is made of GpuBatch",
                    f"{cls.__name__} — особый набор и играет на cpu; для cuda его делают из GpuBatch",
                )
            return object.__new__(on_card if cls is Batch else cls)
        if backend not in ("cpu", "cuda"):
            raise PlaymillError(
                f"a batch is played on cpu or cuda, not on {backend}",
                f"набор партий играют на cpu или cuda, а не на {backend}",
            )
        return object.__new__(cls)

    def __init__(
        self,
        game: Game | str,
        size: int,
        *,
        players: int | None = None,
        config: RuleConfig | Mapping[str, Any] | None = None,
        seed: int = 0,
        auto_reset: bool = False,
        seats: Sequence[Seated | None] | None = None,
        interpreted: bool = False,
        backend: str = "cpu",
    ) -> None:
        """Deals the first games. `seats` may have a compiled agent for each player, None for whom `step` decides."""
        if size < 1:
            raise PlaymillError(f"a batch of {size} games is empty", f"в наборе из {size} игр нечего играть")
        self.game = game = as_game(game)
        self.players = players if players is not None else game.players[0]
        game.check_players(self.players)
        self.config = as_config(game, config)
        self.seed = seed
        self.auto_reset = auto_reset
        self._check_seats(seats)
        numbers = tuple(-1 if seat is None else seat.number for seat in seats or (None,) * self.players)
        params = tuple(() if seat is None else seat.params for seat in seats or ())
        networks = [None if seat is None else seat.table for seat in seats or ()]
        lookup_tables = load_lookup_tables(game, self.config, numbers, networks)
        self._match = Match(game, self.config, self.players, seed, numbers, (0,) * self.players, params, lookup_tables)
        self._agents = tuple(name for name, number in agent_numbers(game).items() if number in numbers)
        if not interpreted:
            preflight(self._match)
        self._lay(size, interpreted)
        self.reset()

    def _lay(self, size: int, interpreted: bool) -> None:
        """Allocates the workspaces and all arrays."""
        self._ask_all = steps_of(self.game, self._agents, interpreted=interpreted).ask_all
        self._workspaces = new_workspace(self._match, size)
        self._options: Integers = np.zeros(size, np.int64)
        self._places: Integers = np.arange(size)
        self._numbers: Integers = np.arange(size)
        self._ended: Flags = np.zeros(size, np.bool_)
        self._paid: Rewards = np.zeros((size, self.players))
        #: What players see, and may do, is written only for those who want to know.
        self._seen: Seen = np.zeros((0, self.game.observation), np.int32)
        self._mask: Flags = np.zeros((0, self.game.actions), np.bool_)

    def _check_seats(self, seats: Sequence[Seated | None] | None) -> None:
        if seats is not None and len(seats) != self.players:
            raise PlaymillError(
                f"{len(seats)} seats for {self.players} players", f"мест {len(seats)}, а игроков {self.players}"
            )
        if any(seat is not None and seat.number < 0 for seat in seats or ()):
            raise PlaymillError(
                "only compiled agents play many games in one call",
                "много партий одним вызовом играют только скомпилированные агенты",
            )

    def __repr__(self) -> str:
        over = int(self.terminated.sum())
        return f"<Batch of {self.game.name}: {len(self)} games of seed {self.seed}, {over} of them over>"

    def __len__(self) -> int:
        return self._options.size

    @property
    def observation_names(self) -> tuple[str, ...]:
        """What each number of an observation is."""
        return self.game.names

    @property
    def game_ids(self) -> Integers:
        """The number of the game that is played in each place."""
        return self._numbers

    @property
    def rewards(self) -> Rewards:
        """What the last step brought each player: something in the step that ends a game alone."""
        return self._paid

    def reset(self, first: int = 0) -> None:
        """Deals games first, first+1, … of the run with the batch's seed."""
        check_seed(self.seed, first)
        check_seed(self.seed, first + len(self) - 1)
        self._numbers[:] = first + self._places
        self._ask(DEAL, self._options)

    def reset_done(self, where: Any = None) -> None:
        """Deals the next game in every place whose game is over, or in these (true for each), and leaves the others."""
        chosen = np.equal(self._options, 0) if where is None else where
        self._ask(RENEW, self.whole_numbers(chosen).astype(np.bool_).astype(np.int64))

    def step(self, actions: Any) -> None:
        """Does one action in each game that is not over; an illegal one raises, and no game has moved."""
        wanted = self.whole_numbers(actions)
        place = self._ask(MOVE, wanted)
        if place >= 0:
            self._refuse(int(wanted[place]), place)

    def _refuse(self, action: int, place: int) -> None:
        raise PlaymillError(
            f"illegal action {action} in game {place} of the batch",
            f"недопустимое действие {action} в партии {place} набора",
        )

    def whole_numbers(self, numbers: Any) -> Integers:
        """A whole number for each game, whatever it was given as."""
        given = np.asarray(numbers)
        self._check_whole(given.shape, given.dtype)
        return np.ascontiguousarray(given, np.int64)

    def _check_whole(self, shape: tuple[int, ...], kind: np.dtype[Any]) -> None:
        if shape != self._options.shape:
            raise PlaymillError(
                f"expected {len(self)} actions, got an array of shape {shape}",
                f"нужно действий: {len(self)}, получен массив формы {shape}",
            )
        if kind.kind not in "biu":
            raise PlaymillError(f"actions are whole numbers, not {kind}", f"действия — целые числа, а не {kind}")

    def _ask(self, what: int, actions: Integers) -> int:
        """All that is done with all games, in one call (see `step.py`)."""
        given = (
            self._workspaces,
            self._match.lookup_tables.values,
            what,
            self.auto_reset,
            self.seed,
            actions,
            self._options,
            self._numbers,
            self._ended,
            self._paid,
            self._seen,
            self._mask,
        )
        if isinstance(self._ask_all, EntryPoint):
            self._ask_all = self._ask_all.direct(*given)  # things of these kinds are handed over in every step
        place: int = self._ask_all(*given)
        if place < -1:
            raise self._trouble(-2 - place)
        return place

    def _trouble(self, place: int) -> PlaymillError:
        """Why the game of a place cannot go on."""
        state, number = self.states[place], int(self.game_ids[place])
        if state["player"] < 0:
            return PlaymillError(
                f"{self.game.name}: nobody was asked anything in {MOST_SILENT} games in a row",
                f"{self.game.name}: партий подряд, в которых никого ни о чём не спросили: {MOST_SILENT}",
            )
        if self._match.seats[state["player"]] < 0:
            return stuck(self._match, state, number, 0)
        return invalid_action(self._match, number)

    @property
    def observations(self) -> Seen:
        """What the player to move may see in each game, a row each, as it is filled anew with every step.

        Once asked for, it is written in the same call as the step itself; a game that is over shows what the last
        player to decide sees of its end.
        """
        if not self._seen.size:
            self._seen = np.zeros((len(self), self.game.observation), np.int32)
            self._ask(LOOK, self._options)
        return self._seen

    @property
    def states(self) -> np.ndarray[Any, np.dtype[np.void]]:
        """The records of all games."""
        records: np.ndarray[Any, np.dtype[np.void]] = self._workspaces["states"][:, LIVE]
        return records

    @property
    def current_player(self) -> Integers:
        """Whose decision it is in each game; -1 where it is over."""
        return self.states["player"].astype(np.int64)

    @property
    def terminated(self) -> Flags:
        """Which games are over; with `auto_reset`, which ended in the last step."""
        return self._ended.copy() if self.auto_reset else np.equal(self._options, 0)

    @property
    def legal_counts(self) -> Integers:
        """How many options each game offers."""
        return self._options.copy()

    def legal_action(self, which: Any) -> Integers:
        """The option number `which` of each game, counted from 0: a cheap way to pick without a mask."""
        places = np.minimum(np.asarray(which, np.int64), np.maximum(self._options - 1, 0))
        chosen: Integers = self._workspaces["legal"]["ids"][self._places, places].astype(np.int64)
        return chosen

    @property
    def legal_action_mask(self) -> Flags:
        """One row a game, true at the ids of its legal actions; filled anew with every step, as `observations` are."""
        if not self._mask.size:
            self._mask = np.zeros((len(self), self.game.actions), np.bool_)
            self._ask(LOOK, self._options)
        return self._mask
