"""Games of Influence made by hand, for the tests of its report."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from common import reports
from common.found import game_of
from playmill.engine.lang.record import RecordArray
from playmill.games.influence.config import Config
from playmill.games.influence.outcome import ELIMINATION, LIMIT, LOOKS, Outcome
from playmill.games.influence.rules import CHECKPOINTS
from playmill.report.model.tables import RunInfo

GAME = game_of("influence")
ROUNDS = [int(checkpoint) for checkpoint in CHECKPOINTS]


def config(**changes: Any) -> dict[str, Any]:
    """A config as a run has it."""
    return Config.read({"map": {"name": "line", "rows": ["wwwSww"]}, **changes}).model_dump(mode="json")


RUN = reports.run_of(GAME, ("greedy", "random", "greedy"), 4, config(round_limit=10))
ALONE = replace(RUN, agents=("random",) * 3)
ONE_EACH = replace(RUN, agents=("greedy", "random", "cautious"))
SIX = replace(RUN, players=6, agents=("cautious", "random", "greedy") * 2, config=config())


def counted(rows: RecordArray, run: RunInfo = RUN) -> Any:
    """The tally of some rows of a run."""
    return reports.counted(GAME, rows, reports.numbers_of(run))


def counts_of(run: RunInfo) -> Any:
    """The tally of the games by hand with so many players."""
    return counted(games_of_six() if run.players == 6 else games(), run)


def games() -> RecordArray:
    """Four games of three: one ended by elimination in round 4, three by the limit of 10 rounds, of them one a draw."""
    rows: RecordArray = np.zeros(4, Outcome)
    rows["players"] = 3
    rows["decisions"] = 100, 200, 300, 402
    rows["rounds"] = 4, 10, 10, 10
    rows["winner"] = 0, 2, -1, 1
    rows["ended_by"] = ELIMINATION, LIMIT, LIMIT, LIMIT
    rows["first_blood"] = 0, 1, 0, -1
    rows["autos"] = 5, 9, 8, 6
    # Two or more weaker, one weaker, equal, one stronger, two or more stronger, empty.
    rows["made"] = (1, 4, 2, 4, 9, 5), (0, 3, 2, 4, 8, 6), (2, 1, 0, 4, 7, 7), (0, 0, 0, 0, 0, 9)
    rows["won"] = (0, 1, 1, 3, 9, 5), (0, 1, 2, 2, 8, 6), (0, 0, 0, 4, 7, 7), (0, 0, 0, 0, 0, 9)
    rows["cells"][:, :3] = (20, 0, 0), (3, 7, 9), (6, 0, 6), (5, 6, 7)
    rows["influence"][:, :3] = (90, 0, 0), (10, 30, 60), (40, 0, 40), (20, 50, 30)
    rows["result"][:, :3] = (70, 20, 4), (90, 200, 310), (250, 30, 250), (150, 260, 240)
    seen = {
        1: [(1, 1, 1)] * 4,
        2: [(2, 2, 1), (2, 2, 2), (2, 1, 2), (2, 2, 2)],
        5: [(0, 0, 0), (4, 5, 4), (5, 2, 3), (3, 3, 4)],
        10: [(0, 0, 0), (4, 6, 8), (6, 0, 6), (5, 5, 7)],
    }
    for checkpoint, cells in seen.items():
        look = ROUNDS.index(checkpoint)
        rows["cells_at"][:, :3, look] = cells
        rows["influence_at"][:, :3, look] = 3 * np.array(cells)
    return rows


def games_of_six() -> RecordArray:
    """Two long games of six on a large field."""
    rows: RecordArray = np.zeros(2, Outcome)
    rows["players"] = 6
    rows["decisions"] = 123_456, 98_765
    rows["rounds"] = 100, 77
    rows["winner"] = 0, 5
    rows["ended_by"] = LIMIT, ELIMINATION
    rows["first_blood"] = 0, 4
    rows["autos"] = 599, 400
    rows["made"] = (1234, 1500, 987, 1003, 5432, 250), (1334, 1400, 887, 1103, 4432, 250)
    rows["won"] = (0, 380, 490, 751, 5432, 250), (0, 350, 444, 826, 4432, 250)
    rows["cells"] = (120, 16, 30, 40, 0, 50), (0, 0, 0, 0, 0, 256)
    rows["influence"] = (1120, 116, 230, 340, 0, 450), (0, 0, 0, 0, 0, 2345)
    for look in range(LOOKS):
        rows["cells_at"][0, :, look] = (30, 16, 30, 40, 35, 50)
        rows["cells_at"][1, :, look] = (0, 1, 5, 100, 2, 140)
    rows["influence_at"] = 11 * rows["cells_at"]
    return rows
