"""The report of Contest."""

from __future__ import annotations

from typing import Any


def results(counts: Any, run: Any) -> dict[str, int]:
    """How many games."""
    return {"games": int(counts["games"])}


def sections(results: Any, run: Any) -> list[Any]:
    """No tables."""
    return []
