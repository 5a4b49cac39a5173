"""What Dice lends to the tests of every game."""

from __future__ import annotations

from common.stock import Stock

STOCK = Stock("dice", files=frozenset({"content"}), same=frozenset({"", "×2", "…"}))
