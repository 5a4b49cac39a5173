"""Counting whole numbers without ever cutting one in silence."""

from __future__ import annotations

from typing import Any

from playmill.engine.lang.rule import rule


@rule
def count_in(places: Any, value: int) -> None:
    """One more at a value's place, counted from 0; the last place is for values that have none of their own.

    A report that reads such places (`report.histogram.counted`) refuses when there is anything in the last one.
    """
    beyond = places.shape[0] - 1
    places[value if 0 <= value < beyond else beyond] += 1
