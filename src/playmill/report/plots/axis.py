"""Axes with round ticks for the plots of reports."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor, log10
from typing import NamedTuple

from playmill.report.model.tables import Chart, Estimate
from playmill.report.number_format import decimal, percentage
from playmill.texts import Lang

#: No figure is smaller; what is, has been rounded to it, and no steps of it can be reckoned.
_NOTHING = 1e-300


class Axis(NamedTuple):
    """A range of numbers with round ticks; for percentages the numbers are shares."""

    low: float
    high: float
    ticks: tuple[float, ...]
    digits: int
    percent: bool

    def place(self, value: float) -> str:
        """Returns where a value stands, as a length of SVG."""
        return f"{100 * self.share(value):.3f}%"

    def share(self, value: float) -> float:
        """Returns how far along the axis a value stands: 0 at its beginning, 1 at its end."""
        return (value - self.low) / (self.high - self.low)

    def label(self, tick: float, lang: Lang) -> str:
        """Returns a tick in words."""
        return percentage(tick, self.digits, lang) if self.percent else decimal(tick, self.digits, lang)


def axis_for(estimates: Sequence[Estimate], chart: Chart) -> Axis:
    """Returns an axis on which all the intervals and the reference fit."""
    scale = 100 if chart.percent else 1
    ends = [scale * end for estimate in estimates for end in (estimate.low, estimate.high)]
    if chart.reference is not None:
        ends.append(scale * chart.reference)
    low, high = min(ends), max(ends)
    # Far from 0 a long empty stretch would hide the differences; near it 0 is the honest beginning.
    if chart.from_zero and 0 <= low < high / 2:
        low = 0.0
    # A tenth of the value at least: intervals all alike would else fill the axis and look like a great difference.
    missing = max(abs(high) / 10 if abs(high) > _NOTHING else 1.0, high - low) - (high - low)
    low, high = low - missing / 2, high + missing / 2
    step = _round_step((high - low) / 4)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    if chart.percent and min(ends) >= 0:  # differences of shares are below 0, too
        first, last = max(first, 0), min(last, ceil(100 / step))
    digits = max(0, -floor(log10(step) + 1e-9))
    ticks = tuple(tick * step / scale for tick in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks, digits, chart.percent)


def axis_over(low: float, high: float, *, percent: bool = False, steps: int = 4) -> Axis:
    """Returns an axis with about n steps on which both ends fit; shares may be negative."""
    scale = 100 if percent else 1
    low, high = scale * low, scale * high
    if not high - low > max(_NOTHING, 1e-12 * max(abs(low), abs(high))):
        middle, half = (low + high) / 2, abs(high) / 20 if abs(high) > _NOTHING else 0.5
        low, high = middle - half, middle + half
    step = _round_step((high - low) / steps)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    digits = max(0, -floor(log10(step) + 1e-9))
    ticks = tuple(tick * step / scale for tick in range(first, last + 1))
    return Axis(ticks[0], ticks[-1], ticks, digits, percent)


def _round_step(rough: float) -> float:
    """Returns the smallest of 1, 2, 5, 10, … that is not less."""
    power = 10.0 ** floor(log10(rough))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
