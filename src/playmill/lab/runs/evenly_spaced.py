"""Picks a few indices of many, evenly spaced."""

from __future__ import annotations


def evenly_spaced(count: int, most: int) -> list[int]:
    """Returns at most `most` of the indices 0 … count-1, evenly spaced, first and last included."""
    if count <= most:
        return list(range(count))
    return sorted({round(place * (count - 1) / (most - 1)) for place in range(most)})
