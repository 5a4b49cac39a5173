"""What Save Oneself lends to the tests of every game."""

from __future__ import annotations

from common.stock import Stock

STOCK = Stock("save_oneself", same=frozenset({"", "SOS"}), latin="SOS", secret=True, drawn=".board")
