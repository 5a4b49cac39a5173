"""What Coin pays."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from playmill.engine.config.model import Packed, RuleConfig


class Config(RuleConfig):
    """Rules of Coin."""

    safe: float = Field(default=0.6, ge=0, le=1, description="What playing safe brings.")
    price: float = Field(default=0.1, ge=0, le=1, description="What a look costs.")

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        packed = np.zeros(1, np.dtype([("safe", np.float64), ("price", np.float64)], align=True))
        packed["safe"], packed["price"] = self.safe, self.price
        return packed
