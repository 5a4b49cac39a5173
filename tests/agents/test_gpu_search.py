"""Search inside the loop of a GPU, without a GPU: it plays the games that `search` plays on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from common.cuda_block import Block
from common.found import game_of
from playmill import simulate
from playmill.agents.agent_specs import seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.search import gpu_search
from playmill.agents.search.search_agent import TreeEntry
from playmill.engine.cuda import backend
from playmill.engine.lang.record import plain
from playmill.engine.run.match import Match, new_workspace
from playmill.texts import PlaymillError

pytestmark = pytest.mark.skipif(not backend.has_compiler(), reason="the compiler for NVIDIA devices is not installed")

SEARCH = "search:iterations={}"


def seated(game: Any, agents: list[str], settings: dict[str, Any]) -> tuple[Match, Any]:
    players = game.players[0]
    config = type(game.config()).read(settings)
    seats = seats_for(game, players, agents, config)
    numbers = {name: place for place, name in enumerate(dict.fromkeys(seat.name for seat in seats))}
    match = Match(
        game,
        config,
        players,
        5,
        tuple(seat.number for seat in seats),
        tuple(numbers[seat.name] for seat in seats),
        tuple(seat.params if seat.compiled else () for seat in seats),
    )
    return match, seats


@pytest.mark.parametrize(("patience", "lanes"), [(1, 1), (3, 1), (1, 2)])
@pytest.mark.parametrize(
    ("name", "agents", "settings"),
    [
        ("pig", ["search:iterations=6"], {}),
        ("pig", ["search:iterations=6", "threshold"], {"target": 30}),
        ("pig", ["random", "search:iterations=3"], {"target": 30}),
        ("pig", ["search:iterations=3", "search:iterations=9,trust=0.1"], {"target": 30}),
        ("save_oneself", ["search:iterations=4"], {}),
    ],
)
def test_a_block_searches_as_the_cpu_does(name, agents, settings, patience, lanes):
    game = game_of(name)
    match, seats = seated(game, agents, settings)
    loop = gpu_search.search_loop(game, [name for name in game.agents if name in agents], learned=False)
    searchers = gpu_search.searchers_of(game, seats, strict=False)
    games, threads = 6, 4
    rows, notes = np.zeros(games, game.outcome), gpu_search._NOTHING_NOTED.copy()
    players = threads // lanes
    searching, kept = (
        np.full(players * kind.itemsize, 7, "u1").view(kind)
        for kind in (gpu_search.searching_part(game), gpu_search.kept_type(game))
    )
    trees = np.zeros(players * int(searchers["end"][-1]), TreeEntry)
    Block(threads).run(
        loop,
        plain(new_workspace(match)),
        match.lookup_tables.values,
        match.seed,
        3,
        plain(rows),
        notes,
        plain(searchers),
        plain(searching),
        plain(kept),
        plain(trees),
        np.zeros(1),
        lanes,
        patience,
    )
    assert rows.tobytes() == MixedMatch(match, seats).play(3, games).rows.tobytes()
    assert notes.tolist() == [*gpu_search._NOTHING_NOTED[:1], notes[1], *gpu_search._NOTHING_NOTED[2:]]


@pytest.mark.parametrize(
    ("agents", "name", "en", "ru"),
    [
        (["search:ms=5"], "pig", "by iterations alone; leave out ms", "уберите ms"),
        (["search:adapt=1", "search"], "pig", "by iterations alone; leave out adapt", "уберите adapt"),
        (["search:threads=2"], "pig", "one thread searches a decision; leave out threads", "уберите threads"),
        (["search:iterations=200"], "kuhn", "mixes its choices in kuhn from 200 iterations on", "смешивает решения"),
    ],
)
def test_what_a_gpu_would_search_otherwise_is_refused(agents, name, en, ru):
    with pytest.raises(PlaymillError, match=en) as caught:
        gpu_search.check_searchers(game_of(name), seats_for(game_of(name), 2, agents))
    assert ru in caught.value.text.ru and "--on threads" in caught.value.text.ru


def test_a_machine_without_a_gpu_says_so(pig):
    with pytest.raises(PlaymillError, match="no CUDA device was found; play --on threads"):
        simulate(pig, games=1, agents="search", backend="cuda")
