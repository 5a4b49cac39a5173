"""A few of many, evenly spread."""

from __future__ import annotations


def spread(count: int, most: int) -> list[int]:
    """At most so many of the numbers 0 … count-1, evenly spread, the first and the last among them."""
    if count <= most:
        return list(range(count))
    return sorted({round(place * (count - 1) / (most - 1)) for place in range(most)})
