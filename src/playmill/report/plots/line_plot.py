"""Line plot with bands: how figures change along a number, or estimates as games went on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import NamedTuple

from playmill.report.model.tables import Estimate
from playmill.report.plots.base import (
    COLOURS,
    SIZE,
    Plot,
    Ruler,
    Scale,
    estimate_text,
    line,
    shortened,
    words,
    words_width,
)
from playmill.texts import Lang, Text

#: Marks stand at the points of a line that has no more than these.
_MARKED = 40
_LINE = 20.0


class LinePoint(NamedTuple):
    """A value at a position, with the ends of its interval."""

    x: float
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Curve:
    """One line: its name, and its points from left to right."""

    name: Text
    points: tuple[LinePoint, ...]


@dataclass(frozen=True)
class LinePlot(Plot):
    """Lines with bands for their intervals; a target may be a line across, or a stripe."""

    title: Text
    x: Scale
    y: Scale
    curves: tuple[Curve, ...]
    reference: float | None = None
    reference_label: Text | None = None
    #: Values between which nothing is the matter, as "the same within ±d".
    stripe: tuple[float, float] | None = None
    stripe_label: Text | None = None
    height: int = 300

    def drawn(self, lang: Lang, width: int) -> tuple[float, str]:
        """Returns its height, and all that is drawn."""
        legend, top = self._legend(lang, width)
        top += 28 if self.y.title.of(lang) else 14
        bottom = top + self.height * (1.0 if width > 500 else 0.75)
        ends = [end for curve in self.curves for point in curve.points for end in (point.value, point.low, point.high)]
        ends += [self.reference] if self.reference is not None else []
        ends += self.stripe or ()
        upright = Ruler(self.y, ends or [0.0, 1.0], bottom, top)
        labels = [upright.label(tick, lang) for tick in upright.ticks]
        left = max(map(words_width, labels)) + 14
        places = [point.x for curve in self.curves for point in curve.points] or [0.0, 1.0]
        widest = max(words_width(Ruler(self.x, places, left, width).label(place, lang)) for place in places)
        right = width - max(18.0, widest / 2 + 4)
        along = Ruler(self.x, places, left + 8, right, room=widest + 16)
        shapes = [legend, words(2, top - 15, self.y.title.of(lang), kind="pm-title")]
        if self.stripe is not None:
            low, high = (upright.at(end) for end in self.stripe)
            shapes.append(
                f'<rect class="pm-stripe" x="{left:.1f}" y="{high:.1f}" width="{right - left:.1f}"'
                f' height="{low - high:.1f}"/>'
            )
        for tick, label in zip(upright.ticks, labels, strict=True):
            shapes.append(line(left, upright.at(tick), right, upright.at(tick), "pm-grid"))
            shapes.append(words(left - 8, upright.at(tick) + SIZE / 3, label, "end"))
        for tick in along.ticks:
            shapes.append(line(along.at(tick), bottom, along.at(tick), bottom + 5, "pm-grid"))
            shapes.append(words(along.at(tick), bottom + 20, along.label(tick, lang), "middle"))
        shapes.append(words((left + right) / 2, bottom + 42, self.x.title.of(lang), "middle", "pm-title"))
        if self.reference is not None:
            shapes.append(line(left, upright.at(self.reference), right, upright.at(self.reference), "pm-fair"))
        shapes += [_band(curve, number, along, upright) for number, curve in enumerate(self.curves)]
        for number, curve in enumerate(self.curves):
            shapes += self._curve(curve, number, along, upright, lang)
        return bottom + 52, "".join(shapes)

    def _legend(self, lang: Lang, width: int) -> tuple[str, float]:
        """What the lines and the stripe are called, and how high that is; one line alone has the name of the plot."""
        entries = [(name.of(lang), shape) for name, shape in self._named()]
        shapes, x, y = [], 2.0, 18.0
        for name, shape in entries:
            label = shortened(name, width - 40)
            room = 28 + words_width(label) + 18
            if x > 2 and x + room > width:
                x, y = 2.0, y + _LINE
            shapes.append(shape(x, y - 4) + words(x + 28, y, label, kind="pm-name"))
            x += room
        return "".join(shapes), y + 12 if entries else 0.0

    def _named(self) -> Iterator[tuple[Text, Callable[[float, float], str]]]:
        """Yields names, and how to draw what they stand for."""
        for number, curve in enumerate(self.curves if len(self.curves) > 1 else ()):
            yield curve.name, partial(_sample, number)
        if self.reference is not None and self.reference_label is not None:
            yield self.reference_label, lambda x, y: line(x, y, x + 22, y, "pm-fair")
        if self.stripe is not None and self.stripe_label is not None:
            yield (
                self.stripe_label,
                lambda x, y: f'<rect class="pm-stripe" x="{x}" y="{y - 6}" width="22" height="12"/>',
            )

    def _curve(self, curve: Curve, number: int, along: Ruler, upright: Ruler, lang: Lang) -> Iterator[str]:
        path = " ".join(f"{along.at(point.x):.1f},{upright.at(point.value):.1f}" for point in curve.points)
        yield f'<g class="pm-c{number % COLOURS + 1}"><polyline class="{_line_kind(number)}" points="{path}"/>'
        for point in curve.points if len(curve.points) <= _MARKED else ():
            x, y = along.at(point.x), upright.at(point.value)
            value = estimate_text(Estimate(point.value, point.low, point.high, 1), self.y, lang)
            tip = f"{curve.name.of(lang)}, {self.x.title.of(lang)} {along.exactly(point.x, lang)}: {value}"
            yield (
                f'<g><title>{escape(tip)}</title><circle class="pm-hit" cx="{x:.1f}" cy="{y:.1f}" r="10"/>'
                f"{mark(number, x, y)}</g>"
            )
        yield "</g>"


def mark(number: int, x: float, y: float) -> str:
    """Returns the marker of a line: another shape for each of the first five."""
    if number % 5 == 0:
        return f'<circle class="pm-mark" cx="{x:.1f}" cy="{y:.1f}" r="4.5"/>'
    shapes = (
        ((-4, -4), (4, -4), (4, 4), (-4, 4)),
        ((0, -5.5), (5.2, 4), (-5.2, 4)),
        ((0, -5.8), (5.8, 0), (0, 5.8), (-5.8, 0)),
        ((-5.2, -4), (5.2, -4), (0, 5.5)),
    )
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in shapes[number % 5 - 1])
    return f'<polygon class="pm-mark" points="{corners}"/>'


def _sample(number: int, x: float, y: float) -> str:
    """Returns a piece of a line for the legend."""
    stroke = line(x, y, x + 22, y, _line_kind(number))
    return f'<g class="pm-c{number % COLOURS + 1}">{stroke}{mark(number, x + 11, y)}</g>'


def _line_kind(number: int) -> str:
    return "pm-line" if number < COLOURS else "pm-line pm-dashed"


def _band(curve: Curve, number: int, along: Ruler, upright: Ruler) -> str:
    if all(point.low == point.value == point.high for point in curve.points):
        return ""
    there = [f"{along.at(point.x):.1f},{upright.at(point.high):.1f}" for point in curve.points]
    back = [f"{along.at(point.x):.1f},{upright.at(point.low):.1f}" for point in reversed(curve.points)]
    return f'<polygon class="pm-band pm-c{number % COLOURS + 1}" points="{" ".join(there + back)}"/>'
