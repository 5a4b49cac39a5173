"""Steps of Battle of Dimensions to put into words: random games run by the interpreter, and hand-made states."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from playmill.engine.record import plain
from playmill.engine.rng import Luck, seed_luck
from playmill.engine.rule import interpreted
from playmill.games.dimensions import rules
from playmill.games.dimensions.actions import BLUE, GREEN, RED, Action, put_together
from playmill.games.dimensions.config import Config
from playmill.texts import Text

EPIC = Config.read({})
BASELINE = Config.read({"mode": "baseline"})
WILD = Config.read({"anomalies_in_deck": 5})
#: The kind of the blue card of that value in Epic.
SEVENTEEN = 11
LEGAL = np.dtype([("ids", np.int32, (rules.MAX_LEGAL,))])

Step = tuple[np.void, list[int], int, np.void]


def a(act: str, **parts: int) -> int:
    """The action of an act with its fields."""
    return put_together(Action(act, **parts))


@cache
def game(config_text: str, players: int, seed: int) -> list[Step]:
    """A random game, run by the interpreter: each decision with its options, the choice and what came of it."""
    config = Config.model_validate_json(config_text)
    cfg, luck, state = plain(config.pack(players))[0], plain(np.zeros(1, Luck))[0], np.zeros(1, rules.State)
    s, legal, choice = plain(state)[0], plain(np.zeros(1, LEGAL))[0], random.Random(seed)
    interpreted(seed_luck)(luck, seed, 0)
    interpreted(rules.setup)(cfg, s, luck)
    steps = []
    while s.player >= 0:
        options = [legal.ids[i] for i in range(interpreted(rules.legal_actions)(cfg, s, legal))]
        before, action = state[0].copy(), choice.choice(options)
        interpreted(rules.apply_action)(cfg, s, action, luck)
        steps.append((before, options, action, state[0].copy()))
    return steps


def games() -> Iterator[tuple[Config, Step]]:
    """All steps of a few games of different kinds."""
    for config, players, seed in ((EPIC, 3, 1), (WILD, 4, 2), (WILD, 5, 3), (BASELINE, 3, 4)):
        for step in game(config.model_dump_json(), players, seed):
            yield config, step


def quiet(**changes: Any) -> np.void:
    """A state of three players, red, green and blue, at the move of the first one's turn."""
    s: np.void = np.zeros(1, rules.State)[0]
    s["faction"][:3] = (RED, GREEN, BLUE)
    s["owner"] = (0, 1, -1, 2, -1)
    s["spiral"] = range(5)
    s["prey"] = (1, 2, 3, 4, 0)
    s["phase"], s["turns"], s["deck_size"] = rules.MOVEMENT, 4, 9
    s["captain_at"], s["winner"], s["last_taker"] = rules.CAPTAIN_AVAILABLE, rules.NOBODY, rules.NOBODY
    for name, value in changes.items():
        s[name] = value
    return s


def both(text: Text) -> None:
    """Fails unless a text speaks both languages."""
    assert re.search("[A-Za-z]", text.en) and not re.search("[А-Яа-яЁё]", text.en), text
    assert re.search("[А-Яа-яЁё]", text.ru), text
