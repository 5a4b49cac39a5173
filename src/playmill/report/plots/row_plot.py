"""Row plot: figures under one another as points or bars with intervals, one or several series."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

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
from playmill.report.plots.line_plot import mark
from playmill.texts import Lang, Text

_ROW, _MORE = 30.0, 16.0


@dataclass(frozen=True)
class PlotRow:
    """A name, and one estimate for each series; None where there is none."""

    name: Text
    values: tuple[Estimate | None, ...]


@dataclass(frozen=True)
class RowPlot(Plot):
    """Estimates as points with error bars, or as bars from 0; a line stands at what would be fair."""

    title: Text
    x: Scale
    rows: tuple[PlotRow, ...]
    #: The names of what stands in each row, if it is more than one thing.
    series: tuple[Text, ...] = ()
    reference: float | None = None
    reference_label: Text | None = None
    bars: bool = False

    def drawn(self, lang: Lang, width: int) -> tuple[float, str]:
        """Returns its height, and all that is drawn."""
        names = [row.name.of(lang) for row in self.rows]
        # On a telephone names stand over their rows.
        above = width < 500 and max(map(words_width, names), default=0) > width * 0.3
        left = 8.0 if above else min(width * 0.4, max(map(words_width, names), default=0) + 16)
        legend, top = self._legend(lang, width)
        top += 18 if self.reference_label is not None else 4
        height = _ROW + _MORE * (max(1, len(self.series)) - 1) + (20 if above else 0)
        bottom = top + height * len(self.rows)
        found = [value for row in self.rows for value in row.values if value is not None and value.known]
        ends = [end for value in found for end in (value.value, value.low, value.high)]
        ends += [self.reference] if self.reference is not None else []
        ends += [0.0] if self.bars else []
        labels = [Ruler(self.x, ends or [0.0, 1.0], left, width).label(end, lang) for end in ends or [0.0]]
        # The words at both ends of the axis stay in the picture.
        along = Ruler(self.x, ends or [0.0, 1.0], left + 14, width - 26.0, room=max(map(words_width, labels)) + 18)
        shapes = [legend]
        for tick in along.ticks:
            shapes.append(line(along.at(tick), top, along.at(tick), bottom, "pm-grid"))
            shapes.append(words(along.at(tick), bottom + 18, along.label(tick, lang), "middle"))
        if self.x.title.of(lang):
            shapes.append(words((left + width) / 2, bottom + 40, self.x.title.of(lang), "middle", "pm-title"))
        shapes += self._reference(lang, along, top, bottom, width)
        for number, (row, name) in enumerate(zip(self.rows, names, strict=True)):
            y = top + number * height
            at = (2.0, y + 16) if above else (2.0, y + height / 2 + SIZE / 3)
            shapes.append(words(*at, shortened(name, width - 4 if above else left - 10), kind="pm-name pm-over"))
            first = y + (20 if above else 0) + _ROW / 2
            for series, value in enumerate(row.values):
                if value is not None and value.known:
                    shapes.append(self._estimate(row, series, value, along, first + series * _MORE, lang))
        return bottom + (50 if self.x.title.of(lang) else 28), "".join(shapes)

    def _legend(self, lang: Lang, width: int) -> tuple[str, float]:
        if len(self.series) < 2:
            return "", 4.0
        shapes, x, y = [], 2.0, 16.0
        for number, name in enumerate(self.series):
            label = shortened(name.of(lang), width - 30)
            room = 18 + words_width(label) + 16
            if x > 2 and x + room > width:
                x, y = 2.0, y + 20
            shapes.append(f'<g class="pm-c{number % COLOURS + 1}">{mark(number, x + 6, y - 4)}</g>')
            shapes.append(words(x + 16, y, label, kind="pm-name"))
            x += room
        return "".join(shapes), y + 12

    def _estimate(self, row: PlotRow, series: int, value: Estimate, along: Ruler, y: float, lang: Lang) -> str:
        named = [row.name.of(lang), *([self.series[series].of(lang)] if self.series else [])]
        tip = f"{', '.join(named)}: {estimate_text(value, self.x, lang)}"
        low, at, high = (along.at(end) for end in (value.low, value.value, value.high))
        zero = along.at(0.0) if self.bars else at
        bar = f'<rect class="pm-bar" x="{min(zero, at):.1f}" y="{y - 7:.1f}" width="{abs(at - zero):.1f}" height="14"/>'
        caps = "".join(line(end, y - 5, end, y + 5, "pm-whisker") for end in (low, high))
        return (
            f'<g class="pm-c{series % COLOURS + 1}"><title>{escape(tip)}</title>'
            f'<rect class="pm-hit" x="{min(low, zero) - 6:.1f}" y="{y - 8:.1f}"'
            f' width="{max(high, zero) - min(low, zero) + 12:.1f}" height="16"/>'
            f"{bar if self.bars else ''}{line(low, y, high, y, 'pm-whisker')}{caps}{mark(series, at, y)}</g>"
        )

    def _reference(self, lang: Lang, along: Ruler, top: float, bottom: float, width: int) -> Iterator[str]:
        if self.reference is None:
            return
        place = along.at(self.reference)
        yield line(place, top, place, bottom, "pm-fair")
        if self.reference_label is not None:
            label = self.reference_label.of(lang)
            half = words_width(label) / 2
            middle = min(max(place, half + 2), width - half - 2)
            yield words(middle, top - 6, label, "middle", "pm-fair-name")
