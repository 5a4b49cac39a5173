"""What a table remembers: moments, one for every action."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

#: In place of a seat: nobody acts.
NOBODY = -1


@dataclass(frozen=True)
class Moment:
    """One action, chosen or forced, with the positions before and after it; or a decision taken back; or the start.

    A forced action is a moment like any other: how much choice somebody had is her own business.
    """

    version: int
    seat: int
    action: int
    before: np.void
    after: np.void
