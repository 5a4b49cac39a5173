"""What is kept of a game of Contest."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill import rule

Outcome = np.dtype([("decisions", np.int32), ("first", np.int32)], align=True)
Tally = np.dtype([("games", np.int64)], align=True)


@rule
def outcome(cfg: Any, s: Any, row: Any) -> None:
    """What the first named."""
    row.first = s.named[0]


@rule
def tally(row: Any, agents: Any, counts: Any) -> None:
    """Counts games."""
    counts.games += 1
