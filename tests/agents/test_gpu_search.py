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
from playmill.agents.search import gpu_search
from playmill.agents.search.tree import TreeEntry
from playmill.engine.cuda import backend
from playmill.engine.lang.record import plain
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
    match: Match, seats: Any, agents: list[str], *, games: int, patience: int = 1, lanes: int = 1
) -> tuple[Any, int]:
    """The rows of games from number 3 on, as a block of four threads plays them, and the first that was invalid."""
    game = match.game
    net = next((seat.network.values for seat in seats if seat.network is not None), np.zeros(1))
    loop = gpu_search.search_loop(game, [name for name in game.agents if name in agents], learned=len(net) > 1)
    searchers = gpu_search.searchers_of(game, seats, strict=False)
    threads = 4
    rows, notes = np.zeros(games, game.outcome), backend.NOTHING_NOTED.copy()
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
        net,
        lanes,
        patience,
    )
    return rows, int(notes[0])


@pytest.mark.parametrize(("patience", "lanes"), [(1, 1), (3, 1), (1, 2)])
@pytest.mark.parametrize(
    ("name", "agents", "settings"),
    [
        ("pig", ["search:iterations=6"], {}),
        ("pig", ["search:iterations=6", "threshold"], {"target": 30}),
        ("pig", ["random", "search:iterations=3"], {"target": 30}),
        ("pig", ["search:iterations=3", "search:iterations=9,trust=0.1"], {"target": 30}),
        ("save_oneself", ["search:iterations=4"], {}),
        ("leduc", [f"search:iterations=9,net={LEARNED}"], {}),
        ("leduc", [f"search:iterations=5,net={LEARNED}", "random"], {}),
    ],
)
def test_a_block_searches_as_the_cpu_does(name, agents, settings, patience, lanes):
    game = game_of(name)
    match, seats = seated(game, agents, settings)
    rows, invalid = played(match, seats, agents, games=6, patience=patience, lanes=lanes)
    assert rows.tobytes() == MixedMatch(match, seats).play(3, 6).rows.tobytes()
    assert invalid == backend.NOTHING_NOTED[0], "none was"


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
