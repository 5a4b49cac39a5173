"""Four finished games of Save Oneself made by hand, and a run they could be from."""

from __future__ import annotations

from typing import Any

import numpy as np

from common import reports
from common.found import game_of
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import FRONT_IDS
from playmill.games.save_oneself.outcome import ENDINGS, Outcome

GAME = game_of("save_oneself")
RUN = reports.run_of(GAME, ("survivor",), 4, Config().model_dump(mode="json"))


def game(
    ended_by: str, *, score: int, cards: int, ships: int, lives: list[int], turned: tuple[str, ...], decisions: int
) -> Any:
    """A finished game; `lives` as each round began."""
    row = np.zeros(1, Outcome)[0]
    row["ended_by"] = ENDINGS.index(ended_by)
    row["won"] = ended_by in ("sos", "beacon", "message")
    row["score"], row["cards_placed"], row["ships"], row["decisions"] = score, cards, ships, decisions
    row["rounds"] = len(lives)
    row["lives_at"][: len(lives)] = lives
    for name in turned:
        row["turned"][FRONT_IDS.index(name)] = 1
    return row


def games() -> Any:
    """Two wins, one loss by lives, one by the ship."""
    made = [
        game("sos", score=20, cards=9, ships=1, lives=[16, 15, 14], turned=("sos", "torch"), decisions=10),
        game("message", score=13, cards=5, ships=2, lives=[16, 15], turned=("message", "compass"), decisions=6),
        game("lives", score=2, cards=8, ships=0, lives=[14, 9, 4, 1], turned=("torch",), decisions=9),
        game("ship", score=8, cards=6, ships=1, lives=[16], turned=(), decisions=2),
    ]
    return np.array(made, Outcome)


def counted(rows: Any) -> Any:
    """The tally of games."""
    return reports.counted(GAME, rows)
