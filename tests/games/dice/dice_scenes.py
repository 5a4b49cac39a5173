"""Matches of Dice for tests: played by the interpreter, or set up by hand."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from dice_position import ways_of

from common import interpreter
from common.found import game_of
from common.interpreter import Pick, Played, Step, any_option
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.games.dice import constants, rules
from playmill.games.dice.actions import USE
from playmill.games.dice.config import Config
from playmill.games.dice.rules.effects import note
from playmill.games.dice.rules.throws import lay
from playmill.games.dice.words import names

GAME = game_of("dice")
PLAIN = Config()
RICH = Config.read(
    {
        "target_score": 3000,
        "global_modifiers": ["five_groats", "town_tax"],
        "global_items": ["spilled_ale"],
        "players": [
            {
                "dice": ["loaded_ones", "fair", "fair", "evil", "fair", "coin"],
                "items": ["bust_shield", "sleight_of_hand", "lucky_charm", "lead_weight"],
            },
            {
                "items": ["nimble_fingers", "double_next_save", "jesters_cap", "saints_relic"],
                "modifiers": ["three_bells"],
            },
        ],
    }
)
#: Dice that bust often.
EVIL = Config.read({"max_turns": 100, "players": [{"dice": ["evil"] * 6}, {"dice": ["evil"] * 6}]})


def _always(face: int) -> dict[str, Any]:
    said = {"en": "always", "ru": "всегда"}
    weights = [int(face == other) for other in range(1, 7)]
    return {"id": f"only_{face}", "name": said, "desc": said, "code": "!", "weights": weights, "rarity": "rare"}


_TWO_OF_EACH = [f"only_{face}" for face in (2, 2, 3, 3, 4, 6)]
#: Dice that never score.
HOPELESS = Config.read(
    {
        "max_turns": 100,
        "content": {"dice": [_always(face) for face in (2, 3, 4, 6)]},
        "players": [{"dice": _TWO_OF_EACH}, {"dice": _TWO_OF_EACH}],
    }
)


def eager(s: Any, options: list[int], choice: random.Random) -> int:
    """Uses every item, else saves anything."""
    return choice.choice([option for option in options if option >= USE] or options)


def daring(s: Any, options: list[int], choice: random.Random) -> int:
    """Saves little and throws on."""
    return options[0]


def opening(config: Config, seed: int) -> np.void:
    """A match at its first decision."""
    return interpreter.closed(interpreter.begun(GAME, config, 2, seed)[2])


def match(config: Config, seed: int, pick: Pick = any_option) -> list[Step]:
    """A match run by the interpreter: each decision, its options, the choice, what came of it."""
    return interpreter.play(GAME, config, 2, seed, pick, 150).steps


@cache
def played() -> list[Played]:
    """Some matches, plain and with content."""
    runs = ((PLAIN, any_option), (PLAIN, daring), (RICH, any_option), (RICH, eager), (RICH, daring), (EVIL, daring))
    return [Played(config, 2, match(config, seed, pick)) for seed, (config, pick) in enumerate(runs)]


def matches() -> Iterator[tuple[Config, Step]]:
    """All steps of these matches."""
    for config, _, steps in played():
        for step in steps:
            yield config, step


def roll_of(faces: Sequence[int]) -> int:
    """The roll in which the die at each position shows a face, 0 for a die set aside."""
    return sum(1 << (6 * (face - 1) + place) for place, face in enumerate(faces) if face)


def table(faces: Sequence[int], **changes: Any) -> np.void:
    """A match in which player 1 has thrown these dice (0: set aside)."""
    made = np.zeros(1, rules.State)
    s: np.void = made[0]
    s["winner"], s["turns"], s["rolls"] = constants.NOBODY, 5, 2
    s["table"] = sum(1 << place for place, face in enumerate(faces) if face)
    s["thrown"] = s["table"]
    record = plain(made)[0]
    interpreted(lay)(record, *ways_of("".join(str(face) if face else "." for face in faces)))
    assert s["roll"] == roll_of(faces)
    for name, value in changes.items():
        s[name] = value
    return s


def logged(s: np.void, *lines: tuple[int, int, int]) -> np.void:
    """A match with these lines in its log: kind, which, value."""
    made = np.zeros(1, rules.State)
    made[0] = s
    made["noted"] = 0
    record = plain(made)[0]
    for line in lines:
        interpreted(note)(record, *line)
    assert record.noted == len(lines)
    return made[0].copy()


def options(config: Config, s: np.void) -> list[int]:
    """The legal actions of a position."""
    return interpreter.options(GAME, config, 2, s)


def entry(config: Config, name: str) -> int:
    """The number of a modifier or item by its id."""
    return next(number for number, placed in enumerate(names.match_names(config).entries) if placed.content.id == name)


def content(**texts: Any) -> Config:
    """A match with one modifier, one item and one die whose names and texts are given."""
    said = {"en": "words", "ru": "слова"} | texts
    return Config.read(
        {
            "content": {
                "modifiers": [
                    {"id": "m", "name": said, "desc": said, "trigger": "on_roll", "effect": {"add": 5}, "note": said}
                ],
                "items": [
                    {
                        "id": "i",
                        "name": said,
                        "desc": said,
                        "type": "active",
                        "cooldown_turns": 2,
                        "effect": {"reroll": {"dice": "chosen", "count": 6}},
                        "notification": said,
                    }
                ],
                "dice": [
                    {
                        "id": "d",
                        "name": said,
                        "desc": said,
                        "code": '<&">',
                        "weights": [2, 1, 1, 1, 1, 1],
                        "rarity": "rare",
                    }
                ],
            },
            "global_modifiers": ["m"],
            "players": [{"dice": ["d"] * 6, "items": ["i"]}, {"items": ["i"]}],
        }
    )
