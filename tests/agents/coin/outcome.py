"""What is kept of a game of Coin."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill import rule

Outcome = np.dtype([("decisions", np.int32), ("looked", np.int32)], align=True)
Tally = np.dtype([("games", np.int64), ("looked", np.int64)], align=True)


@rule
def outcome(cfg: Any, s: Any, row: Any) -> None:
    """Whether the player looked."""
    row.looked = s.looked


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Counts games."""
    counts.games += 1
    counts.looked += row.looked
