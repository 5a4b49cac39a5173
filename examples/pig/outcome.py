"""What is kept of a finished game of Pig."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import count_in, rule

from .config import MAX_TURNS
from .rules import NOBODY

Outcome = np.dtype(
    [("decisions", np.int32), ("turns", np.int32), ("winner", np.int32), ("total", np.int32, (2,))],
    align=True,
    metadata={"seats": ("total",)},
)
Tally = np.dtype(
    [
        ("games", np.int64),
        ("decisions", np.int64),
        ("turns", np.int64, (MAX_TURNS + 2,)),  # from 0; the last place is for any other
        ("draws", np.int64),
        ("wins", np.int64, (2,)),
        ("agent_wins", np.int64, (2,)),
    ],
    align=True,
)


@rule
def outcome(cfg: Any, s: Any, row: Any) -> None:
    """Writes the row of a finished game."""
    row.turns = s.turns
    row.winner = s.winner
    for player in range(2):
        row.total[player] = s.total[player]


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Adds one game to the counts."""
    counts.games += 1
    counts.decisions += row.decisions
    count_in(counts.turns, row.turns)
    if row.winner == NOBODY:
        counts.draws += 1
    else:
        counts.wins[row.winner] += 1
        counts.agent_wins[agents[row.winner]] += 1
