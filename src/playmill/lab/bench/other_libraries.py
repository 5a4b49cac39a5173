"""Compares the speed of Pig and Connect Four driven from Python with OpenSpiel and PettingZoo, by turns in one run.

Every runner plays the same rules to the end, choosing uniformly among the legal actions; time is processor time of one
core, so that whatever else the machine does falls on nobody.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

import playmill
from playmill.engine.contract.game import Game, load_game
from playmill.engine.run.backends import Cpu
from playmill.engine.run.batch import Batch
from playmill.engine.run.match import Match
from playmill.engine.run.state import State
from playmill.texts import PlaymillError, Text

#: Plays about this many games, and returns how many.
Runner = Callable[[int], int]
_ROUNDS = 5
_BATCH = 1000
#: The examples of the checkout that this is, or of the one we are in.
_EXAMPLES = Path(playmill.__file__).resolve().parents[2] / "examples", Path("examples")
#: Our game, OpenSpiel's and PettingZoo's.
GAMES = (("pig", "pig", None), ("connect4", "connect_four", "connect_four_v3"))
_MISSING = Text(
    "{} is not installed, so it is not measured: pip install {}",
    "{} не установлен и не измерен: pip install {}",
)


def bench_other_libraries(
    *, seconds: float, progress: Callable[[str], None]
) -> tuple[list[dict[str, Any]], list[Text]]:
    """Returns games per second of every installed library, and messages about missing ones."""
    examples = next((folder for folder in _EXAMPLES if (folder / "pig" / "rules.py").is_file()), None)
    if examples is None:
        raise PlaymillError(
            "--neighbours needs the folder examples/ of a checkout: Pig and Connect Four are there",
            "для --neighbours нужна папка examples/ рабочей копии: там лежат Pig и Connect Four",
        )
    rows: list[dict[str, Any]] = []
    missing: dict[str, Text] = {}
    for ours, spiel, zoo in GAMES:
        progress(ours)
        game = load_game(str(examples / ours))
        runners: dict[str, Runner] = {
            "Playmill, simulate": _loop(game),
            f"Playmill, Batch of {_BATCH}": _batch(game),
            "Playmill, State": _states(game),
        }
        for name, package, make, called in (
            ("OpenSpiel", "open_spiel", _open_spiel, spiel),
            ("PettingZoo", "'pettingzoo[classic]'", _petting_zoo, zoo),
        ):
            if called is None:
                continue
            try:
                runners[f"{name}, from Python"] = make(called)
            except Exception:  # not there, or not whole: each in its own way
                missing[name] = Text(_MISSING.en.format(name, package), _MISSING.ru.format(name, package))
        rows += _by_turns(game, runners, seconds, progress)
    return rows, list(missing.values())


def _by_turns(
    game: Game, runners: dict[str, Runner], seconds: float, progress: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Runs each library in turn, again and again, for about the same time."""
    sizes: dict[str, int] = {}
    for name, run in runners.items():
        progress(f"{game.name}: {name}")
        run(1)
        size = spent = 0.0
        while spent < seconds / _ROUNDS / 8:
            size = max(1.0, size * 4)
            begun = time.process_time()
            run(int(size))
            spent = time.process_time() - begun
        sizes[name] = max(1, int(size * seconds / _ROUNDS / spent))
    played, used = dict.fromkeys(runners, 0), dict.fromkeys(runners, 0.0)
    for _ in range(_ROUNDS):
        for name, run in runners.items():
            begun = time.process_time()
            played[name] += run(sizes[name])
            used[name] += time.process_time() - begun
    return [
        {"game": game.name, "runner": name, "games": count, "games_per_cpu_s": round(count / used[name], 1)}
        for name, count in played.items()
    ]


def _loop(game: Game) -> Runner:
    players = game.players[0]
    match = Match(game, game.config(), players, 1, (0,) * players, (0,) * players, ((),) * players)
    backend = Cpu(match)
    return lambda games: backend.play(0, games).games


def _batch(game: Game) -> Runner:
    batch, rng = Batch(game, _BATCH, seed=1), np.random.default_rng(1)

    def run(games: int) -> int:
        rounds = -(-games // _BATCH)
        for number in range(rounds):
            batch.reset(number * _BATCH)
            while (counts := batch.legal_counts).any():
                batch.step(batch.legal_action((rng.random(_BATCH) * counts).astype(np.int64)))
        return rounds * _BATCH

    return run


def _states(game: Game) -> Runner:
    config, choose = game.config(), random.Random(1).random

    def run(games: int) -> int:
        for number in range(games):
            state = State(game, config=config, seed=1, number=number)
            while not state.is_terminal():
                actions = state.legal_actions()
                state.apply_action(actions[int(choose() * len(actions))])
        return games

    return run


def _open_spiel(name: str) -> Runner:
    spiel: Any = import_module("pyspiel")
    game, choose = spiel.load_game(name), random.Random(1).random

    def run(games: int) -> int:
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes: Sequence[tuple[int, float]] = state.chance_outcomes()
                    state.apply_action(outcomes[int(choose() * len(outcomes))][0])
                    continue
                actions = state.legal_actions()
                state.apply_action(actions[int(choose() * len(actions))])
        return games

    return run


def _petting_zoo(name: str) -> Runner:
    env, choose = import_module(f"pettingzoo.classic.{name}").raw_env(), random.Random(1).random

    def run(games: int) -> int:
        for number in range(games):
            env.reset(seed=number)
            while not env.terminations[env.agent_selection]:
                actions = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
                env.step(int(actions[int(choose() * len(actions))]))
        return games

    return run
