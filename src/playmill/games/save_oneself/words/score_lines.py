"""The score at the end of Save Oneself, line by line: fronts that are up, lives left, cards placed."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
from playmill.author.words import Line, fact, part, total
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import CARD_IDS, FRONT
from playmill.games.save_oneself.words.names import side_name

_LIVES = Text("Lives left", "Оставшиеся жизни")
_CARDS = Text("Cards on the island: 1 for every {}", "Карты на острове: 1 за каждые {}")
_SCORE = Text("Score", "Счёт")
_ROUNDS = Text("Rounds", "Раундов")


def counting(config: Config, s: np.void) -> list[Line]:
    """The score line by line; a front without points is left out."""
    lines = []
    for number, name in enumerate(CARD_IDS):
        points = config.cards[name].front.score
        if points and int(s["sides"]) >> (FRONT + number) & 1:
            lines.append(part(side_name(FRONT + number), [points]))
    lines.append(part(_LIVES, [s["lives"]]))
    every = config.cards_per_point
    lines.append(part(_CARDS.format(every), [int(s["placed"]) // every]))
    lines.append(total(_SCORE, [sum(line.values[0] or 0 for line in lines)]))
    lines.append(fact(_ROUNDS, [s["rounds"]]))
    return lines
