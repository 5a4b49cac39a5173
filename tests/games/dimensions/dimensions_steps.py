"""Steps of Battle of Dimensions to put into words: random games run by the interpreter, and hand-made states."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from common import interpreter
from common.found import game_of
from common.interpreter import Played, Step
from playmill.games.dimensions import constants, rules
from playmill.games.dimensions.actions import BLUE, GREEN, RED
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.words.acts import ACTS, PAIRED

EPIC = Config.read({})
BASELINE = Config.read({"mode": "baseline"})
WILD = Config.read({"anomalies_in_deck": 5})
#: The kind of the blue card of that value in Epic.
SEVENTEEN = 11


def a(act: str, **parts: int) -> int:
    """The action of an act with its fields."""
    if act == "entanglement":
        parts = {"pair": PAIRED.index((parts["faction"], parts["target"]))}
    return ACTS.encode(act, **parts)


@cache
def played() -> list[Played]:
    """A few random games of different kinds, run by the interpreter."""
    kinds = ((EPIC, 3, 1), (WILD, 4, 2), (WILD, 5, 3), (BASELINE, 3, 4))
    return [interpreter.play(game_of("dimensions"), config, players, seed) for config, players, seed in kinds]


def games() -> Iterator[tuple[Config, Step]]:
    """All steps of these games."""
    for config, _, steps in played():
        for step in steps:
            yield config, step


def quiet(**changes: Any) -> np.void:
    """A state of three players, red, green and blue, at the move of the first one's turn."""
    s: np.void = np.zeros(1, rules.State)[0]
    s["faction"][:3] = (RED, GREEN, BLUE)
    s["owner"] = (0, 1, -1, 2, -1)
    s["spiral"] = range(5)
    s["prey"] = (1, 2, 3, 4, 0)
    s["phase"], s["turns"], s["deck_size"] = constants.MOVEMENT, 4, 9
    s["captain_at"], s["winner"], s["last_taker"] = constants.CAPTAIN_AVAILABLE, constants.NOBODY, constants.NOBODY
    for name, value in changes.items():
        s[name] = value
    return s
