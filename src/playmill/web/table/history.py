"""History of a table: one moment for every action, with the positions before and after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: In place of a seat: nobody acts.
NOBODY = -1


@dataclass(frozen=True)
class Moment:
    """One action, chosen or forced, with the positions before and after it; or an undo; or the start.

    A forced action is a moment like any other: how much choice a player had must not show.
    """

    version: int
    seat: int
    action: int
    before: np.void
    after: np.void
