"""The score at the end of Influence, line by line: who is left, or the results turn by turn."""

from __future__ import annotations

import numpy as np

from playmill.author import Text
from playmill.author.words import Line, fact, part, total
from playmill.games.influence.config import Config

_CELLS = Text("Cells", "Клеток")
_INFLUENCE = Text("Influence", "Влияние")
_RESULT = Text("Result", "Результат")


def counting(config: Config, s: np.void) -> list[Line]:
    """Cells and influence of all; if the limit of rounds has ended the game, first the results that decided it."""
    players = range(int(s["players"]))
    held = [
        fact(_CELLS, [s["cells"][player] for player in players]),
        fact(_INFLUENCE, [s["total"][player] for player in players]),
    ]
    if not s["ended_by_limit"]:
        return held
    counted = min(config.result_rounds, max(int(s["turns"][player]) for player in players))
    lines = [_turn(config, s, back) for back in range(counted - 1, -1, -1)]
    return [*lines, total(_RESULT, [s["result"][player] if s["cells"][player] else None for player in players]), *held]


def _turn(config: Config, s: np.void, back: int) -> Line:
    """The influence at the start of a turn, counted from the last one; who has left the field or was not there had
    none that counts."""
    values = [
        s["history"][player, (turns - 1 - back) % config.result_rounds] if cells and back < turns else None
        for player, (turns, cells) in enumerate(zip(s["turns"].tolist(), s["cells"].tolist(), strict=True))
    ]
    name = Text(f"Turn −{back}", f"Ход −{back}") if back else Text("Last turn", "Последний ход")
    return part(name, values[: int(s["players"])])
