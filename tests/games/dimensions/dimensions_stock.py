"""What Battle of Dimensions lends to the tests of every game."""

from __future__ import annotations

from common.stock import Stock

STOCK = Stock(
    "dimensions",
    twice=True,
    words_over=lambda name, width: 7 if width == 1100 else 2.5,
)
