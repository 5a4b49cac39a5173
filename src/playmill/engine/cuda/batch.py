"""`Batch` on a GPU: stepped by one kernel, and every array stays in GPU memory.

The arrays are those of Numba; other libraries share them without a copy by DLPack (`torch.from_dlpack(…)`,
`jax.dlpack.from_dlpack(…)`) or by `__cuda_array_interface__` (`cupy.asarray(…)`). Actions may be any array on the GPU
that has the latter, or any array in the computer's memory.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from playmill.engine.compile.game_kernels import as_played, played_part, specialiser
from playmill.engine.contract.game import Game
from playmill.engine.cuda.arrays import shared
from playmill.engine.cuda.backend import check_device, gpu_kernels, numba_cuda
from playmill.engine.kernels import step as steps
from playmill.engine.kernels.network_cuda import ON_DEVICE
from playmill.engine.kernels.play import LIVE
from playmill.engine.run.batch import Batch
from playmill.engine.run.match import check_seed, new_workspace
from playmill.texts import PlaymillError

_THREADS = 64


@cache
def batch_kernels(game: Game, agents: tuple[str, ...]) -> SimpleNamespace:
    """The kernels that step batches of a game whose seats may have these agents."""
    numba_cuda()
    step: Any = import_module("playmill.engine.kernels.step_cuda")
    functions = (step.check_on_device, step.ask_on_device, step.pick_on_device, step.widen_on_device)
    made = specialiser(as_played(game, agents), agents, instead=ON_DEVICE)
    return gpu_kernels(game, "cuda-batch", [made.function(one) for one in functions], agents)


class GpuBatch(Batch):
    """A batch on the GPU (see `Batch`)."""

    def _lay(self, size: int, interpreted: bool) -> None:
        if interpreted:
            raise PlaymillError(
                "the interpreter plays batches on the cpu backend only, not on cuda",
                "интерпретатор играет наборы только на cpu, а не на cuda",
            )
        check_device()
        self._cuda: Any = numba_cuda()
        self._kernels: Any = batch_kernels(self.game, self._agents)
        self._shared: Any = self._cuda.to_device(new_workspace(self._match))
        self._lookup: Any = self._cuda.to_device(self._match.lookup_tables.values)
        self._workspaces: Any = self._cuda.to_device(np.zeros(size, played_part(as_played(self.game, self._agents))))
        self._options: Any = self._zeros(size, np.int64)
        self._wanted: Any = self._zeros(size, np.int64)
        self._picked: Any = self._zeros(size, np.int64)
        self._numbers: Any = self._zeros(size, np.int64)
        self._ended: Any = self._zeros(size, np.bool_)
        self._over: Any = self._zeros(size, np.bool_)
        self._players: Any = self._zeros(size, np.int64)
        self._paid: Any = self._zeros((size, self.players), np.float64)
        self._seen: Any = self._zeros((0, self.game.observation), np.int32)
        self._mask: Any = self._zeros((0, self.game.actions), np.bool_)
        #: The arrays as others are given them.
        self._given: dict[str, Any] = {
            "numbers": shared(self._numbers),
            "rewards": shared(self._paid),
            "players": shared(self._players),
            "ended": shared(self._ended if self.auto_reset else self._over),
            "options": shared(self._options),
            "picked": shared(self._picked),
        }
        self._notes: Any = self._zeros(2, np.int64)

    def _zeros(self, shape: Any, kind: Any) -> Any:
        return self._cuda.to_device(np.zeros(shape, kind))

    def __repr__(self) -> str:
        over = int(self.terminated.copy_to_host().sum())
        return f"<Batch of {self.game.name} on the card: {len(self)} games of seed {self.seed}, {over} of them over>"

    def reset(self, first: int = 0) -> None:
        """Deals games first, first+1, … of the run with the batch's seed."""
        check_seed(self.seed, first)
        check_seed(self.seed, first + len(self) - 1)
        self._numbers.copy_to_device(np.arange(first, first + len(self)))
        self._ask(steps.DEAL, self._options)

    def reset_done(self, where: Any = None) -> None:
        """Deals the next game in every place whose game is over, or in these (true for each), and leaves the others."""
        chosen = self.whole_numbers(self._over if where is None else where)
        self._ask(steps.RENEW, chosen)

    def step(self, actions: Any) -> None:
        """Does one action in each game that is not over; an illegal one raises, and no game has moved."""
        wanted = self.whole_numbers(actions)
        place = self._ask(steps.MOVE, wanted)
        if place >= 0:
            self._refuse(int(wanted[place]), place)

    def whole_numbers(self, numbers: Any) -> Any:
        """A whole number for each game, whatever it was given as, on the GPU."""
        if not self._cuda.is_cuda_array(numbers):
            self._wanted.copy_to_device(super().whole_numbers(numbers))
            return self._wanted
        given = self._cuda.as_cuda_array(numbers)
        self._check_whole(given.shape, given.dtype)
        if given.dtype == np.int64 and given.is_c_contiguous():
            return given
        self._kernels.widen_on_device[self._blocks, _THREADS](given, self._wanted)
        return self._wanted

    @property
    def _blocks(self) -> int:
        return -(-len(self) // _THREADS)

    def _ask(self, what: int, actions: Any) -> int:
        kernels, size = self._kernels, len(self)
        self._notes.copy_to_device(np.full(2, size))
        if what == steps.MOVE:
            kernels.check_on_device[self._blocks, _THREADS](self._workspaces, actions, self._options, self._notes)
        kernels.ask_on_device[self._blocks, _THREADS](
            self._shared,
            self._workspaces,
            self._lookup,
            what,
            self.auto_reset,
            self.seed,
            actions,
            self._options,
            self._numbers,
            self._ended,
            self._over,
            self._players,
            self._paid,
            self._seen,
            self._mask,
            self._notes,
        )
        illegal, stuck = self._notes.copy_to_host().tolist()
        if stuck < size:
            raise self._trouble(stuck)
        return illegal if illegal < size else -1

    @property
    def game_ids(self) -> Any:
        """The number of the game that is played in each place."""
        return self._given["numbers"]

    @property
    def rewards(self) -> Any:
        """What the last step brought each player."""
        return self._given["rewards"]

    @property
    def observations(self) -> Any:
        """What the player to move may see in each game, a row each, as it is filled anew with every step."""
        if not self._seen.size:
            self._seen = self._zeros((len(self), self.game.observation), np.int32)
            self._given["seen"] = shared(self._seen)
            self._ask(steps.LOOK, self._options)
        return self._given["seen"]

    @property
    def legal_action_mask(self) -> Any:
        """One row a game, true at the ids of its legal actions; filled anew with every step, as `observations` are."""
        if not self._mask.size:
            self._mask = self._zeros((len(self), self.game.actions), np.bool_)
            self._given["mask"] = shared(self._mask)
            self._ask(steps.LOOK, self._options)
        return self._given["mask"]

    @property
    def states(self) -> Any:
        """The records of all games, as they are now, in the computer's memory."""
        return self._workspaces.copy_to_host()["states"][:, LIVE]

    @property
    def current_player(self) -> Any:
        """Whose decision it is in each game; -1 where it is over."""
        return self._given["players"]

    @property
    def terminated(self) -> Any:
        """Which games are over; with `auto_reset`, which ended in the last step."""
        return self._given["ended"]

    @property
    def legal_counts(self) -> Any:
        """How many options each game offers."""
        return self._given["options"]

    def legal_action(self, which: Any) -> Any:
        """The option number `which` of each game, counted from 0: a cheap way to pick without a mask."""
        places = self.whole_numbers(which)
        self._kernels.pick_on_device[self._blocks, _THREADS](self._workspaces, places, self._options, self._picked)
        return self._given["picked"]
