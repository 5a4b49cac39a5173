"""How much is tried: everything by `make test-all`, a quarter of it by `make test`."""

from __future__ import annotations

from hypothesis import settings


def share(full: int) -> int:
    """How many of so many examples, steps or repetitions are tried; Hypothesis' own number of them says which share."""
    return -(-full * settings.default.max_examples // 100)


def is_tried(number: int) -> bool:
    """Whether one of many is tried: each of them, or every fourth."""
    return number % max(1, 100 // settings.default.max_examples) == 0
