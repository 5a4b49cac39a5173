"""The numbers of Pig."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from playmill.engine.config import Packed, RuleConfig

#: The most turns a config may allow: for each number of them there is a place in the counts.
MAX_TURNS = 10_000

Numbers = np.dtype([("target", np.int32), ("faces", np.int32), ("max_turns", np.int32)], align=True)


class Config(RuleConfig):
    """Rules of Pig."""

    target: int = Field(default=100, ge=1, le=1000, description="Points that win.")
    faces: int = Field(default=6, ge=2, le=100, description="Faces of the die; a 1 loses the turn.")
    max_turns: int = Field(default=1000, ge=1, le=MAX_TURNS, description="Turns of both after which it is a draw.")

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        packed = np.zeros(1, Numbers)
        packed["target"] = self.target
        packed["faces"] = self.faces
        packed["max_turns"] = self.max_turns
        return packed
