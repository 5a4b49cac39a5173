"""Levels of play of Dice: experts play the plain game as it is solved."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.games.dice.config import Config


def levels(config: Config) -> Mapping[str, str]:
    """Returns `optimal` for experts where it can play: without content, with equal dice on each side."""
    setup = config.resolved()
    plain = not any(entry.enabled for entry in setup.entries)
    equal = all(len({tuple(die.weights) for die in dice}) == 1 for dice in setup.dice)
    return {"experts": "optimal"} if plain and equal else {}
