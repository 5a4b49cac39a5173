"""How much luck and skill weigh in Contest."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from playmill.engine.config.model import Packed, RuleConfig


class Config(RuleConfig):
    """Rules of Contest."""

    skill: int = Field(default=1, ge=0, le=1000, description="What a named point counts.")
    luck: int = Field(default=1, ge=0, le=1000, description="What a thrown point counts.")
    head_start: int = Field(default=0, ge=0, le=100_000, description="Points the first player has before.")

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        names = ("skill", "luck", "head_start")
        packed = np.zeros(1, np.dtype([(name, np.int64) for name in names], align=True))
        for name in names:
            packed[name] = getattr(self, name)
        return packed
