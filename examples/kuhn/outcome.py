"""What is kept of a finished game of Kuhn poker."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill import rule

from .rules import NOBODY, winner_of

Outcome = np.dtype(
    [("decisions", np.int32), ("winner", np.int32), ("showdown", np.int32), ("chips", np.int32, (2,))],
    align=True,
    metadata={"seats": ("chips",)},
)
Tally = np.dtype(
    [
        ("games", np.int64),
        ("decisions", np.int64),
        ("showdowns", np.int64),
        ("chips", np.int64, (2,)),
        ("squares", np.int64, (2,)),
        ("agent_games", np.int64, (2,)),
        ("agent_chips", np.int64, (2,)),
        ("agent_squares", np.int64, (2,)),
    ],
    align=True,
)


@rule
def outcome(cfg: Any, s: Any, row: Any) -> None:
    """Writes the row of a finished game."""
    row.winner = winner_of(s)
    row.showdown = 1 if s.folded == NOBODY else 0
    won = s.paid[1 - row.winner]
    row.chips[row.winner] = won
    row.chips[1 - row.winner] = -won


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Adds one game to the counts."""
    counts.games += 1
    counts.decisions += row.decisions
    counts.showdowns += row.showdown
    for seat in range(2):
        won = row.chips[seat]
        agent = agents[seat]
        counts.chips[seat] += won
        counts.squares[seat] += won * won
        counts.agent_games[agent] += 1
        counts.agent_chips[agent] += won
        counts.agent_squares[agent] += won * won
