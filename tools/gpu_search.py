"""Would search on a GPU pay? Plays out one decision at a time there, from many dealt worlds, and tells how fast.

For each option of a decision and each of many worlds that the player to move cannot tell apart, one thread does the
option and plays on to the end by the agent that `search` plays on by: flat Monte Carlo, as parallel as it can be.
Beside it stands what `search` does on all cores of this machine. `python tools/gpu_search.py dimensions influence`.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from playmill import simulate
from playmill.agents.agent_specs import seats_for
from playmill.engine.compile.game_kernels import agent_numbers, played_part, specialiser
from playmill.engine.contract.game import Game, as_game
from playmill.engine.cuda.backend import check_device, gpu_kernels, numba_cuda
from playmill.engine.kernels.placeholders import apply_action, conceal, legal_actions, lose_notes, returns
from playmill.engine.kernels.play import LIVE, play_one
from playmill.engine.lang.rng import clear_shuffle_buffer, seed_agent_rng, seed_game_rng
from playmill.engine.run.match import Match, new_workspace
from playmill.engine.run.stepper import Steps

_THREADS = 128
_WORLDS = (16, 128, 1024, 8192)
#: Decisions that are played at random before the one that is thought about.
_LATER = (0, 10, 20, 30)
#: numba.cuda, and the record type of what changes while a game is played; both replaced for each game.
cuda: Any = None
WORKSPACE = np.dtype([])


def play_out(matches: Any, lookup: Any, seed: int, worlds: int, options: int, sums: Any) -> None:
    """One thread does one option in one world and plays on; what it pays the player to move is added up."""
    match = matches[0]
    workspace = cuda.local.array(1, WORKSPACE)[0]
    paid = cuda.local.array(6, np.float64)
    workspace.invalid_actions = 0
    clear_shuffle_buffer(workspace.rng)
    clear_shuffle_buffer(workspace.conceal_rng)
    lose_notes(workspace.legal)
    t = cuda.grid(1)
    if t < worlds * options:
        seed_game_rng(workspace.rng, seed, t // options)
        seed_game_rng(workspace.conceal_rng, seed + 1, t // options)
        seed_agent_rng(workspace.agent_rng, seed, t // options)
        workspace.states[LIVE] = match.states[LIVE]
        s = workspace.states[LIVE]
        player = s.player
        conceal(match.cfg, s, player, workspace.conceal_rng)
        legal_actions(match.cfg, s, workspace.legal)
        apply_action(match.cfg, s, workspace.legal.ids[t % options], workspace.rng)
        play_one(match, workspace, lookup)
        returns(match.cfg, s, paid)
        cuda.atomic.add(sums, t % options, paid[player])


def kernel_of(game: Game, agent: str) -> Any:
    """The kernel that plays out decisions of a game by an agent."""
    constants = {"cuda": numba_cuda(), "WORKSPACE": played_part(game)}
    made = specialiser(game, [agent], template=sys.modules[__name__], constants=constants)
    return gpu_kernels(game, "play-out", made, (play_out,), (agent,)).play_out


def at_decision(match: Match, number: int, later: int) -> tuple[Any, int]:
    """A workspace at a later decision of a game played at random, and the number of options there."""
    steps = Steps(match)
    options = steps.open(match.seed, number)
    for _ in range(later):
        before = steps.memory(), options
        options = steps.act(steps.ids[int(np.random.default_rng(number).integers(options))], options)
        if options < 2:
            steps._memory[:] = before[0]
            options = before[1]
            break
    return steps.workspace.copy(), options


def on_the_card(game: Game, agent: str) -> None:
    """Tells how many decisions and play-outs a second the GPU does, by the number of worlds."""
    check_device()
    cuda, players = numba_cuda(), game.players[0]
    seats = (agent_numbers(game)[agent],) * players
    (*given,) = (seat.params for seat in seats_for(game, players, [agent]))
    match = Match(game, game.config(), players, 1, seats, (0,) * players, tuple(given))
    kernel, lookup = kernel_of(game, agent), cuda.to_device(np.zeros(1))
    workspaces = [at_decision(match, number, later) for number in range(4) for later in _LATER]
    begun = time.perf_counter()
    for worlds in (1, *_WORLDS):
        played, took = 0, 0.0
        for workspace, options in workspaces:
            laid = new_workspace(match)
            laid["states"] = workspace["states"]
            there, sums = cuda.to_device(laid), cuda.to_device(np.zeros(options))
            start = time.perf_counter()
            kernel[-(-worlds * options // _THREADS), _THREADS](there, lookup, 5, worlds, options, sums)
            best = int(sums.copy_to_host().argmax())
            took += time.perf_counter() - start
            assert 0 <= best < options
            played += worlds * options
        if worlds == 1:
            print(f"compiled in {time.perf_counter() - begun:.0f} s")
            continue
        rate, many = len(workspaces) / took, played / took / 1e6
        print(f"{game.name} by {agent}, {worlds} worlds: {rate:.0f} decisions/s, {many:.2f}M play-outs/s on the card")


def on_the_cores(game: Game, iterations: int, games: int) -> None:
    """Tells how many iterations a second `search` does on all cores."""
    cores, decisions = os.cpu_count() or 1, 0

    def count(part: Any) -> None:
        nonlocal decisions
        decisions += int(part.rows["decisions"].sum())

    agents = [f"search:iterations={iterations}"]
    simulate(game, games=1, agents=agents, workers=1, keep=False)
    start = time.perf_counter()
    simulate(game, games=games, agents=agents, workers=cores, keep=False, keep_games=True, on_part=count)
    took = time.perf_counter() - start
    rate, many = decisions / took, decisions * iterations / took / 1e6
    print(f"{game.name} by {agents[0]}: {rate:.0f} decisions/s, {many:.2f}M iterations/s on {cores} cores")


def main() -> None:
    """Measures the games named."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", nargs="+")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--played", type=int, default=32, help="games that search plays on the cores")
    given = parser.parse_args()
    for name in given.games:
        game = as_game(Path(name).name if not Path(name).is_dir() else name)
        on_the_card(game, game.search.rollout or "random")
        on_the_cores(game, given.iterations, given.played)


if __name__ == "__main__":
    main()
