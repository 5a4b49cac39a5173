"""The score at the end of Grid, line by line: patterns resolved by each player, with their points."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
from playmill.author.words import Line, fact, part, total
from playmill.drawing.svg import sentence
from playmill.games.grid.config import Config
from playmill.games.grid.words.names import pattern_name

_POINTS = Text("Victory points", "Победные очки")
_RESOLVED = Text("Patterns resolved", "Собрано паттернов")


def counting(config: Config, s: np.void) -> list[Line]:
    """The points of each player, pattern by pattern; a pattern that nobody has resolved is left out."""
    players = range(int(s["players"]))
    lines = []
    for number, pattern in enumerate(config.patterns):
        times = [int(s["patterns"][player, number]) for player in players]
        if any(times):
            name = Text(*map(sentence, pattern_name(config, number)))
            lines.append(part(name, [count * pattern.vp if count else None for count in times]))
    lines.append(total(_POINTS, [s["vp"][player] for player in players]))
    lines.append(fact(_RESOLVED, [s["patterns"][player].sum() for player in players]))
    return lines
