"""The report of Coin."""

from __future__ import annotations

from typing import Any


def results(counts: Any, run: Any) -> dict[str, int]:
    """How many looked."""
    return {"games": int(counts["games"]), "looked": int(counts["looked"])}


def sections(results: Any, run: Any) -> list[Any]:
    """No tables."""
    return []
