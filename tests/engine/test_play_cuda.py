"""The GPU game loop without a GPU: a block of Python threads runs it, and plays the games that the CPU plays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from common.cuda_block import Block
from playmill.engine.compile.game_kernels import agent_numbers, as_played, played_part, specialiser
from playmill.engine.cuda import backend
from playmill.engine.lang.record import plain
from playmill.engine.run.backends import Interpreted
from playmill.engine.run.match import Match, new_workspace

pytestmark = pytest.mark.skipif(not backend.has_compiler(), reason="the compiler for NVIDIA devices is not installed")


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
    games = 6
    rows, notes = np.zeros(games, game.outcome), backend.NOTHING_NOTED.copy()
    workspaces, lookup = plain(new_workspace(match)), match.lookup_tables.values
    kernel = made.function(loops.play_on_device)
    Block(4).run(kernel, workspaces, lookup, match.seed, 3, plain(rows), notes, patience)
    assert rows.tobytes() == Interpreted(match).play(3, games).rows.tobytes()
    assert notes[loops.INVALID_ACTION] == np.iinfo(np.int64).max
