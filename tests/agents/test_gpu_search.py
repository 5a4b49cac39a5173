"""Search inside the loop of a GPU, without a GPU: it plays the games that `search` plays on the CPU."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from common.cuda_block import Block
from common.found import game_of
from playmill import CompiledAgent, SearchPlan, Text, rule, simulate
from playmill.agents.agent_specs import seats_for
from playmill.agents.mixed_match import MixedMatch
from playmill.agents.search import gpu_search, search_cuda
from playmill.agents.search.tree import TreeEntry
from playmill.engine.cuda import backend
from playmill.engine.lang.record import plain
from playmill.engine.lang.rng import SEATS
from playmill.engine.run.match import Match, new_workspace
from playmill.texts import PlaymillError

FOLD = 2
LEARNED = Path(__file__).parents[2] / "examples" / "learning" / "leduc.npz"

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


def played(
    match: Match, seats: Any, agents: list[str], *, games: int, slots: int = 4, lanes: int = 1
) -> tuple[Any, int]:
    """The rows of games from number 3 on, as a block of threads plays them, and the first that was invalid."""
    game = match.game
    net = next((seat.network.values for seat in seats if seat.network is not None), np.zeros(1))
    names = [name for name in game.agents if name in agents]
    search, roll_out, sort = gpu_search.search_loops(game, names, learned=len(net) > 1)
    searchers = plain(gpu_search.searchers_of(game, seats, strict=False))
    rows, notes = np.zeros(games, game.outcome), backend.NOTHING_NOTED.copy()
    of_slots, kepts = (
        plain(np.full(slots * kind.itemsize, 7, "u1").view(kind))
        for kind in (gpu_search.searching_part(game), gpu_search.kept_type(game))
    )
    trees = plain(np.zeros(slots * int(searchers[SEATS - 1].end), TreeEntry))
    workspaces, jobs, ends = plain(new_workspace(match)), np.full(slots, 99), np.zeros(2, np.int64)
    arguments = match.lookup_tables.values, match.seed, 3, plain(rows), notes, searchers, of_slots, kepts, trees, net
    block, sorting, begins = Block(slots * lanes), Block(slots), 1
    while begins or ends.any():
        counts = np.zeros(search_cuda.KEYS, np.int64)
        block.run(search, workspaces, *arguments, jobs, ends, counts, lanes, begins)
        block.run(roll_out, workspaces, searchers, of_slots, kepts, net, jobs, ends, counts, lanes)
        sorting.run(sort, kepts, counts, jobs, ends)
        begins = 0
    return rows, int(notes[0])


def test_decisions_with_more_options_come_first():
    keys = [search_cuda.key_of.py_func(n, 1) for n in (2, 3, 4, 6, 8, 100, 10**6)]
    assert sorted(set(keys), reverse=True) == keys
    assert all(search_cuda.COUNTED <= key < search_cuda.KEYS for key in keys)
    assert len({search_cuda.key_of.py_func(5, action) for action in (0, 1, 2, 30, 300)}) == 5


@pytest.mark.parametrize(("slots", "lanes"), [(4, 1), (2, 2)])
@pytest.mark.parametrize(
    ("name", "agents", "settings"),
    [
        ("pig", ["search:iterations=4"], {"target": 20}),
        ("pig", ["search:iterations=6", "threshold"], {"target": 20}),
        ("pig", ["random", "search:iterations=3"], {"target": 20}),
        ("pig", ["search:iterations=3", "search:iterations=9,trust=0.1"], {"target": 20}),
        ("save_oneself", ["search:iterations=4"], {}),
        ("leduc", [f"search:iterations=9,net={LEARNED}"], {}),
        ("leduc", [f"search:iterations=5,net={LEARNED}", "random"], {}),
    ],
)
def test_a_block_searches_as_the_cpu_does(name, agents, settings, slots, lanes):
    game = game_of(name)
    match, seats = seated(game, agents, settings)
    rows, invalid = played(match, seats, agents, games=6, slots=slots, lanes=lanes)
    assert rows.tobytes() == MixedMatch(match, seats).play(3, 6).rows.tobytes()
    assert invalid == backend.NOTHING_NOTED[0], "none was"


@pytest.mark.parametrize(("name", "learned"), [("pig", False), ("leduc", True)])
def test_search_compiles_for_the_device(name, learned):
    from numba import types

    from common.device_code import array, code_for_hopper

    game, number = game_of(name), types.int64
    numbers, reals = array(np.int64), array(np.float64)
    workspaces, searchers = array(new_workspace(seated(game, ["search"], {})[0]).dtype), array(gpu_search.Searcher)
    slots, kepts = array(gpu_search.searching_part(game)), array(gpu_search.kept_type(game))
    listed = numbers, numbers, numbers, number
    started = workspaces, reals, number, number, array(game.outcome), numbers
    search, roll_out, _ = gpu_search.search_loops(game, [], learned=learned)
    kernels = gpu_search.gpu_kernels(game, "search", (search, roll_out), [])
    code = code_for_hopper(
        {
            kernels.search_on_device: (*started, searchers, slots, kepts, array(TreeEntry), reals, *listed, number),
            kernels.roll_out_on_device: (workspaces, searchers, slots, kepts, reals, *listed),
        }
    )
    assert code.count(".visible .entry") == 2
    assert "malloc" not in code


def test_without_a_game_to_play_nothing_is_searched():
    match, seats = seated(game_of("pig"), [SEARCH.format(1000)], {})
    rows, invalid = played(match, seats, [], games=0)
    assert len(rows) == 0 and invalid == backend.NOTHING_NOTED[0]


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


@rule
def folds(cfg, s, legal, n, rng, params):
    """An answer that is no option as long as nobody has bet."""
    return FOLD


def test_a_wrong_answer_in_the_head_is_told_as_on_the_cpu():
    kuhn = game_of("kuhn")
    agents = {**kuhn.agents, "liar": CompiledAgent(folds, Text("lies", "врёт"), honest=True)}
    game = replace(kuhn, agents=agents, search=SearchPlan("liar"))
    match, seats = seated(game, ["search:iterations=90"], {})
    _, invalid = played(match, seats, [], games=2)
    assert invalid in (0, 1)
    said = gpu_search.invalid_game(match, seats, 3 + invalid).text
    assert f"search plays kuhn on by its agent liar, which answered {FOLD}, not one of its options" in said.en
    assert gpu_search.invalid_game(*seated(kuhn, ["search:iterations=3"], {}), 3).text.en == (
        "game 3 goes on here and not on the GPU; play --on threads"
    )
