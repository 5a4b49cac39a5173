"""Games of Grid played by the interpreter, and states made by hand, to be told and drawn."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from common import interpreter
from common.found import game_of
from common.interpreter import Played, Step
from playmill.games.grid import constants, rules
from playmill.games.grid.actions import REFUSE
from playmill.games.grid.config import Config
from playmill.games.grid.constants import PLACEMENT

SHIPPED = Config()
LARGE = SHIPPED.changed(["game.grid.width=7", "game.grid.height=7", "game.patterns.auto_trigger=false"])
SMALL = SHIPPED.changed(["game.grid.width=3", "game.grid.height=5", "game.players.max_players=3"])


def lively(reward: int, **switches: bool) -> Config:
    """One rank and many shapes, so that patterns come often; all of them give one reward."""
    data = SHIPPED.model_dump(mode="json")
    data["game"]["deck"] |= {"ranks": [1], "colors": [1, 2, 3, 4, 5, 6, 7], "shapes": list(range(1, 9))}
    data["game"]["deck"]["total_cards"] = 56
    for pattern in data["patterns"]:
        pattern["reward"]["id"] = f"RWD{reward}"
    data["termination"] |= switches
    return Config.read(data)


def row_by_row(s: Any, options: list[int], choice: random.Random) -> int:
    """Lays cards row by row, and refuses no reward."""
    wanted = [option for option in options if option != REFUSE]
    return options[0] if s.kind == PLACEMENT else choice.choice(wanted)


@cache
def _played(config_text: str, players: int, seed: int) -> Played:
    config = Config.read(json.loads(config_text))
    return interpreter.play(game_of("grid"), config, players, seed, row_by_row)


def played(config: Config, players: int, seed: int) -> Played:
    """A game run by the interpreter."""
    return _played(config.model_dump_json(), players, seed)


def all_played() -> list[Played]:
    """A game of the shipped rules and a lively one for each reward."""
    return [played(lively(reward) if reward else SHIPPED, 2 + reward % 3, reward) for reward in range(11)]


def games() -> Iterator[tuple[Config, Step]]:
    """All steps of these games."""
    for config, _, steps in all_played():
        for step in steps:
            yield config, step


def quiet(**changes: Any) -> np.void:
    """A state of three players in the draft of the first one's turn."""
    s: np.void = np.zeros(1, rules.State)[0]
    s["players"], s["turns"], s["deck_size"], s["winner"] = 3, 4, 60, constants.NOBODY
    s["phase"], s["kind"] = constants.FROM_DRAFT, PLACEMENT
    for name, value in changes.items():
        s[name] = value
    return s
