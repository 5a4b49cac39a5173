"""The GPU game loop without a GPU: a block of Python threads runs it, and plays the games that the CPU plays."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from playmill.engine.compile.game_kernels import agent_numbers, as_played, played_part, specialiser
from playmill.engine.cuda import backend
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.engine.run.backends import Interpreted
from playmill.engine.run.match import Match, new_workspace

pytestmark = pytest.mark.skipif(not backend.has_compiler(), reason="the compiler for NVIDIA devices is not installed")


class Block:
    """What a kernel asks of CUDA, for one block of Python threads."""

    def __init__(self, threads: int) -> None:
        self.blockDim = SimpleNamespace(x=threads)
        self.local = SimpleNamespace(
            array=lambda size, dtype: plain(np.full(size * dtype.itemsize, 7, "u1").view(dtype))
        )
        self.atomic = SimpleNamespace(add=self._add, min=self._min)
        self._barrier = threading.Barrier(threads, timeout=60)
        self._lock = threading.Lock()
        self._raised = 0

    def syncthreads(self) -> None:
        self._barrier.wait()

    def syncthreads_count(self, raised: Any) -> int:
        with self._lock:
            self._raised += int(raised)
        self._barrier.wait()
        found = self._raised
        if self._barrier.wait() == 0:
            self._raised = 0
        self._barrier.wait()
        return found

    def _add(self, numbers: Any, place: int, amount: int) -> int:
        with self._lock:
            numbers[place] += amount
            return int(numbers[place]) - amount

    def _min(self, numbers: Any, place: int, number: int) -> None:
        with self._lock:
            numbers[place] = min(int(numbers[place]), number)

    def run(self, kernel: Any, *arguments: Any) -> None:
        ran = [threading.Thread(target=kernel, args=arguments, daemon=True) for _ in range(self.blockDim.x)]
        for thread in ran:
            thread.start()
        for thread in ran:
            thread.join(120)
        assert not any(thread.is_alive() for thread in ran)


@pytest.mark.parametrize("patience", [1, 3, 4])
@pytest.mark.parametrize(
    ("name", "settings"), [("pig", {}), ("dimensions", {}), ("influence", {"map": "small", "round_limit": 3})]
)
def test_a_block_plays_the_games_of_the_cpu(request, name, settings, patience):
    game = request.getfixturevalue(name)
    players = game.players[0]
    seats = (agent_numbers(game)["random"],) * players
    match = Match(game, type(game.config()).read(settings), players, 5, seats, (0,) * players, ((),) * players)
    loops: Any = backend._loops()
    played = as_played(game, ["random"])
    made = specialiser(played, ["random"], template=loops, constants={"WORKSPACE": played_part(played)})
    kernel = interpreted(made.function(loops.play_on_device))
    block, games = Block(4), 6
    kernel.__globals__["cuda"] = block
    rows, notes = np.zeros(games, game.outcome), backend._NOTHING_NOTED.copy()
    workspaces, lookup = plain(new_workspace(match)), match.lookup_tables.values
    block.run(kernel, workspaces, lookup, match.seed, 3, plain(rows), notes, patience)
    assert rows.tobytes() == Interpreted(match).play(3, games).rows.tobytes()
    assert notes[loops.INVALID_ACTION] == np.iinfo(np.int64).max
