"""Named goals for tuning Grid, and figures for them that its report has no place for."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import NamedGoal, Text
from playmill.author.report import Estimate, RunInfo
from playmill.games.grid.config.identifiers import PATTERN_IDS

GOALS = {
    "patterns": NamedGoal(
        "equal:pattern_pay.*", Text("patterns pay for their difficulty", "паттерны платят за свою сложность")
    ),
    "seats": NamedGoal("equal:by_seat.*.win_rate", Text("seats win equally often", "места побеждают одинаково часто")),
    "length": NamedGoal("turns", Text("turns in a game", "ходов в партии")),
}


def figures(counts: np.void, run: RunInfo) -> dict[str, Any]:
    """The share of all VP that comes from each pattern: equal if VP make up for how rarely a pattern is made."""
    points = {pattern["id"]: int(pattern["vp"]) for pattern in run.config["patterns"]}
    times = dict(zip(PATTERN_IDS, counts["patterns"].sum(axis=0).tolist(), strict=True))
    paid = {name: times[name] * points[name] for name in PATTERN_IDS if name in points}
    total = sum(paid.values())
    return {
        "pattern_pay": {
            name: Estimate(vp / total if total else 0.0, 0.0, 1.0, total, 1.0).json() for name, vp in paid.items()
        }
    }
