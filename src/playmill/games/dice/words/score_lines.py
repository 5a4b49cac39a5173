"""The score at the end of a match of Dice, line by line."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
from playmill.author.words import Line, fact, total
from playmill.games.dice.config import Config
from playmill.games.dice.constants import PLAYERS


def counting(config: Config, s: np.void) -> list[Line]:
    """The points both have banked, how far each is from the goal, and in how many turns and throws it was done."""
    missing = [max(0, config.target_score - int(points)) for points in s["total"]]
    lines = [
        total(Text("Points banked", "Очков записано"), s["total"].tolist()),
        fact(Text("Short of the goal", "Не хватило до цели"), [short or None for short in missing]),
        fact(Text("Turns", "Ходов"), s["seat_turns"].tolist()),
        fact(Text("Throws", "Бросков"), s["seat_rolls"].tolist()),
        fact(Text("Hot dice", "Горячих костей"), s["seat_hot"].tolist()),
    ]
    assert all(len(line.values) == PLAYERS for line in lines)
    return lines
