"""The score at the end of Battle of Dimensions, line by line: each faction's cards by Dimension."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
from playmill.author.words import Line, fact, part, total
from playmill.games.dimensions.actions import BLUE, PURPLE, RED
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.constants import NOBODY
from playmill.games.dimensions.words.names import AURAS_WORD, CAPTAIN_WORD

_CARDS = Text("Cards of the faction", "Карт фракции")
_BLUE = Text("Largest sum of blue values", "Наибольшая сумма синих")


def counting(config: Config, s: np.void) -> list[Line]:
    """What counts for each player's faction: its cards in each Dimension, the Captain for red, the Auras for purple."""
    factions = [int(faction) for faction in s["faction"] if faction >= 0][: int((s["owner"] != NOBODY).sum())]
    lines = [
        part(
            Text(f"In Dimension {dimension + 1}", f"В Измерении {dimension + 1}"),
            [s["squad"][dimension, faction] for faction in factions],
        )
        for dimension in range(len(factions))
    ]
    if s["captain_at"] != NOBODY and RED in factions:
        lines.append(part(CAPTAIN_WORD, [1 if faction == RED else None for faction in factions]))
    if s["auras"] and PURPLE in factions:
        lines.append(part(AURAS_WORD, [s["auras"] if faction == PURPLE else None for faction in factions]))
    lines.append(total(_CARDS, [sum(line.values[player] or 0 for line in lines) for player in range(len(factions))]))
    if config.mode == "epic" and BLUE in factions:
        best = int(s["blue_sum"][: len(factions)].max())
        lines.append(fact(_BLUE, [best if faction == BLUE else None for faction in factions]))
    return lines
