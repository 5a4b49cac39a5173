"""Many games: the same on any number of threads, in any chunks, interpreted and compiled."""

from __future__ import annotations

import time

import numpy as np
import pytest

from playmill import simulate
from playmill.engine.compile.game_kernels import agent_numbers
from playmill.engine.run.backends import Cpu, Interpreted, add_counts, next_size, play_in_order
from playmill.engine.run.match import Chunk, Match, Sizes
from playmill.report.files.writing import results_text


def match_of(game, agents, *, players, seed=5, **numbers):
    chosen = [game.agents[name] for name in agents]
    params = tuple(tuple(p.default for p in agent.parameters.values()) for agent in chosen)
    seats = tuple(agent_numbers(game)[name] for name in agents)
    return Match(game, game.config(**numbers), players, seed, seats, tuple(range(players)), params)


@pytest.mark.parametrize(("mode", "players"), [("epic", 3), ("epic", 5), ("baseline", 4)])
def test_a_thousand_games_interpreted_and_compiled_byte_for_byte(dimensions, mode, players):
    games = {("epic", 3): 600, ("epic", 5): 200, ("baseline", 4): 200}[mode, players]
    agents = (list(dimensions.agents) * 3)[:players]
    match = match_of(dimensions, agents, players=players, mode=mode)
    fast, slow = Cpu(match).play(0, games), Interpreted(match).play(0, games)
    assert fast.rows.tobytes() == slow.rows.tobytes()
    assert fast.counts.tobytes() == slow.counts.tobytes()


def test_a_game_depends_on_its_seed_and_number_alone(dimensions):
    match = match_of(dimensions, ["dealer"] * 3, players=3)
    whole = Cpu(match).play(0, 300).rows
    backend = Cpu(match)
    backend.play(1000, 5)
    assert backend.play(100, 50).rows.tobytes() == whole[100:150].tobytes()


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_results_do_not_depend_on_the_workers(dimensions, workers):
    wanted = simulate(dimensions, players=3, games=3001, seed=8, agents=["dealer", "random", "dealer"], workers=3)
    found = simulate(dimensions, players=3, games=3001, seed=8, agents=["dealer", "random", "dealer"], workers=workers)
    assert results_text(found.results) == results_text(wanted.results)


def test_chunks_come_in_order_and_add_up(pig):
    match = match_of(pig, ["threshold", "random"], players=2)
    chunks = list(play_in_order(lambda: Cpu(match), range(50_000), 4, lambda: False))
    firsts = [chunk.first for chunk in chunks]
    assert firsts == list(np.cumsum([0, *(len(chunk.rows) for chunk in chunks[:-1])]))
    total = np.zeros(1, pig.tally)
    for chunk in chunks:
        add_counts(total, chunk.counts)
    assert total.tobytes() == Cpu(match).play(0, 50_000).counts.tobytes()


@pytest.mark.parametrize("made", [Cpu, Interpreted])
@pytest.mark.parametrize("games", [1, 2, 3, 40])
def test_games_nobody_wants_the_rows_of_are_counted_all_the_same(pig, made, games):
    match = match_of(pig, ["threshold", "random"], players=2)
    kept, counted = made(match).play(7, games), made(match, rows=False).play(7, games)
    assert (len(kept.rows), len(counted.rows), counted.games) == (games, 0, games)
    assert counted.counts.tobytes() == kept.counts.tobytes()


@pytest.mark.parametrize("made", [Cpu, Interpreted])
def test_games_nobody_wants_the_rows_of_are_counted_apart_between_two_edges(pig, made):
    """From 6 to 29, cut at 8, 16 and 24: the first stretch has as many games as there are spare rows."""
    match = match_of(pig, ["threshold", "random"], players=2)
    found = made(match, rows=False, edge=8).play(6, 23)
    assert (found.edge, len(found.rows), len(found.counts)) == (8, 0, 4)
    for place, (first, end) in enumerate([(6, 8), (8, 16), (16, 24), (24, 29)]):
        assert found.counts[place : place + 1].tobytes() == made(match).play(first, end - first).counts.tobytes()
    whole = made(match, rows=False, edge=8).play(8, 8)
    assert whole.counts.tobytes() == made(match).play(8, 8).counts.tobytes()


def sizes_of(sizes, seconds, rounds=60):
    """The sizes of chunks, one after the other, where a chunk of n games takes `seconds(n)`."""
    found = [sizes.first]
    for _ in range(rounds):
        found.append(next_size(found[-1], sizes, found[-1], seconds(found[-1])))
    return found


@pytest.mark.parametrize("longest", [0.01, 0.3, 5.0])
def test_chunks_never_fall_below_what_fills_the_card(longest):
    """As on a card: all games of a chunk at once, and the longest of them is waited for."""
    gpu = Sizes(1 << 17, 1 << 21, least=1 << 17)
    found = sizes_of(gpu, lambda games: longest + games / 20e6)
    assert min(found) == gpu.least and max(found) <= gpu.most
    assert (found[-1] == gpu.least) == (longest > 0.1)


def test_chunks_find_the_duration_that_is_wanted():
    one_core = Sizes(64, 1 << 16)
    assert sizes_of(one_core, lambda games: games / 20_000)[-1] == 2000
    assert sizes_of(one_core, lambda games: games / 20.0)[-1] == 2
    assert sizes_of(one_core, lambda games: games * 10.0)[-1] == 1
    assert sizes_of(one_core, lambda games: games / 1e9)[-1] == one_core.most


def test_a_slow_backend_that_wants_many_games_gets_them():
    class Gpu:
        sizes = Sizes(100, 1000, least=100)

        def play(self, first, count):
            time.sleep(0.3)
            return Chunk(first, count, np.zeros(count, "u1"), np.zeros(1, "i8"))

    counts = [chunk.games for chunk in play_in_order(Gpu, range(750), 2, lambda: False)]
    assert counts == [100] * 7 + [50]


def test_a_stopped_run_is_a_shorter_run(pig):
    match = match_of(pig, ["random", "random"], players=2)
    rows = []
    for chunk in play_in_order(lambda: Cpu(match), range(10**9), 2, lambda: len(rows) > 3):
        rows.append(chunk.rows)
    played = np.concatenate(rows)
    assert 0 < len(played) < 10**9
    assert played.tobytes() == Cpu(match).play(0, len(played)).rows.tobytes()


def test_different_seeds_play_different_games(dimensions):
    one, other = (simulate(dimensions, games=50, seed=seed).results for seed in (1, 2))
    assert one != other
