"""Histogram counts in rules: values outside the range go to an overflow bin, never lost in silence."""

from __future__ import annotations

from typing import Any

from playmill.engine.lang.rule import rule


@rule
def count_in(places: Any, value: int) -> None:
    """Adds one to the bin of a value, counted from 0; the last bin is for values beyond the others.

    A report that reads such bins (`report.histogram.counted`) refuses when there is anything in the last one.
    """
    beyond = places.shape[0] - 1
    places[value if 0 <= value < beyond else beyond] += 1
