"""Base class of plots: SVG frame, colours, text helpers and rulers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10

from playmill.report.model.tables import Estimate
from playmill.report.number_format import decimal, estimate_digits, estimate_parts, percentage
from playmill.report.plots.axis import Axis, axis_over
from playmill.texts import Lang, Text, user_language

#: Words keep their size, so that a plot is drawn twice: for a page, and for a telephone.
WIDE, NARROW = 760, 340
#: Colours that repeat after this many; whoever cannot tell them apart has the shapes of the marks.
COLOURS = 8
#: The usual width of a letter, in shares of its height.
_LETTER = 0.56
SIZE = 12.5

_LIGHT = (
    "--pm-ink:#1c2430;--pm-soft:#5b6675;--pm-grid:#e3e7ec;--pm-back:#fff;--pm-on:#fff;--pm-fair:#b04a10;"
    "--pm-stripe:#f3e3d6;--pm-1:#2456b3;--pm-2:#c2571a;--pm-3:#1d7f5f;--pm-4:#8a3f9e;--pm-5:#8a6a00;--pm-6:#c02f5b;"
    "--pm-7:#0f7c93;--pm-8:#5b6675"
)
_DARK = (
    "--pm-ink:#e6e9ee;--pm-soft:#a3adba;--pm-grid:#2d3540;--pm-back:#171c24;--pm-on:#10141a;--pm-fair:#ff9d5c;"
    "--pm-stripe:#3a2b20;--pm-1:#7fb0ff;--pm-2:#ff9d5c;--pm-3:#4fd1a5;--pm-4:#d294e6;--pm-5:#e3c44d;--pm-6:#ff86a8;"
    "--pm-7:#5fd0e6;--pm-8:#a9b4c2"
)
_MARKS = "".join(f".pm-c{number} {{ color: var(--pm-{number}); }} " for number in range(1, COLOURS + 1))
#: What plots look like, for the head of a page; a plot in a file or a notebook brings it along.
STYLE = f"""
.pm-plot {{ {_LIGHT}; display: block; width: 100%; height: auto; background: var(--pm-back);
  font-family: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", Arial, sans-serif;
  font-variant-numeric: tabular-nums; }}
@media screen and (prefers-color-scheme: dark) {{
  :root:not([data-theme="light"]) .pm-plot, .pm-plot:root {{ {_DARK}; }}
}}
@media screen {{ :root[data-theme="dark"] .pm-plot {{ {_DARK}; }} }}
.pm-plot text {{ font-size: {SIZE}px; fill: var(--pm-soft); }} .pm-plot .pm-name {{ fill: var(--pm-ink); }}
.pm-plot .pm-over {{ paint-order: stroke; stroke: var(--pm-back); stroke-width: 4px; }}
.pm-plot .pm-title {{ font-weight: 500; }} .pm-plot .pm-on {{ fill: var(--pm-on); }}
.pm-plot .pm-fair-name {{ fill: var(--pm-fair); font-weight: 500; }}
.pm-grid {{ stroke: var(--pm-grid); }}
.pm-fair {{ stroke: var(--pm-fair); stroke-width: 1.5; stroke-dasharray: 5 4; }}
.pm-stripe {{ fill: var(--pm-stripe); }} .pm-hit {{ fill: transparent; }}
.pm-edge {{ fill: none; stroke: var(--pm-ink); stroke-width: 2; }}
{_MARKS}
.pm-line {{ fill: none; stroke: currentColor; stroke-width: 2; stroke-linejoin: round; }}
.pm-dashed {{ stroke-dasharray: 6 4; }} .pm-band {{ fill: currentColor; opacity: .16; }}
.pm-whisker {{ stroke: currentColor; stroke-width: 2; }}
.pm-mark {{ fill: currentColor; stroke: var(--pm-back); stroke-width: 1; }}
.pm-bar {{ fill: currentColor; opacity: .3; }} .pm-cell {{ fill: currentColor; }}
.pm-figure {{ margin: 0; container-type: inline-size; }} .pm-figure figcaption {{ font-weight: 600; margin: 0 0 6px; }}
.pm-figure .pm-wide {{ max-width: {WIDE * 5 // 4}px; margin: 0 auto; }} .pm-figure .pm-narrow {{ display: none; }}
@container (max-width: {(WIDE + NARROW) // 2}px) {{
  .pm-figure .pm-wide {{ display: none; }} .pm-figure .pm-narrow {{ display: block; }}
}}
"""


@dataclass(frozen=True)
class Scale:
    """What is measured along one side of a plot."""

    title: Text
    percent: bool = False
    #: Whether equal steps are equal factors, as of numbers of games.
    log: bool = False
    #: The values that are written; round ones if there are none.
    ticks: tuple[float, ...] = ()


class Plot(ABC):
    """A plot: pure data that knows how to draw itself."""

    title: Text

    @abstractmethod
    def drawn(self, lang: Lang, width: int) -> tuple[float, str]:
        """Returns its height, and all that is drawn."""

    def svg(self, lang: Lang = "en", *, width: int = WIDE) -> str:
        """It as a file of its own."""
        return self._svg(lang, width, f'xmlns="http://www.w3.org/2000/svg" width="{width}"', f"<style>{STYLE}</style>")

    def figure(self, lang: Lang) -> str:
        """It as part of a page whose head has `STYLE`: as wide as there is room, its words always of one size."""
        wide, narrow = (
            self._svg(lang, width, "", "", kind) for width, kind in ((WIDE, " pm-wide"), (NARROW, " pm-narrow"))
        )
        return f'<figure class="pm-figure">{wide}{narrow}</figure>'

    def html(self, lang: Lang) -> str:
        """It with its title and all it needs, to stand anywhere."""
        caption = f"<figcaption>{escape(self.title.of(lang))}</figcaption>"
        return f"<style>{STYLE}</style>" + self.figure(lang).replace("<svg", f"{caption}<svg", 1)

    def _repr_html_(self) -> str:
        return self.html(user_language())

    def _svg(self, lang: Lang, width: int, more: str, style: str, kind: str = "") -> str:
        height, shapes = self.drawn(lang, width)
        title = escape(self.title.of(lang))
        return (
            f'<svg class="pm-plot{kind}" viewBox="0 0 {width} {height:g}" role="img" aria-label="{title}" {more}>'
            f"{style}{shapes}</svg>"
        )


def words_width(words: str) -> float:
    """Returns the approximate width of drawn words."""
    return _LETTER * SIZE * len(words)


def words(x: float, y: float, line: str, anchor: str = "start", kind: str = "") -> str:
    """Returns one line of words; `y` is its base line."""
    named = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{named}>{escape(line)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    """Returns a straight line."""
    return f'<line class="{kind}" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>'


def shortened(words: str, room: float) -> str:
    """Returns words cut to fit into the room."""
    most = max(2, int(room / (_LETTER * SIZE)))
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def estimate_text(value: Estimate, scale: Scale, lang: Lang) -> str:
    """Formats a value with its interval; one of no width is none."""
    digits = estimate_digits(value, percent=scale.percent)
    number, interval = estimate_parts(value, digits, percent=scale.percent, lang=lang)
    return number if value.low == value.high else f"{number} {interval}"


class Ruler:
    """An axis of a plot: maps values to positions, and chooses the labelled ones."""

    def __init__(self, scale: Scale, values: Sequence[float], begin: float, end: float, *, room: float = 0.0) -> None:
        self._scale, self._begin, self._end = scale, begin, end
        steps = max(2, min(6, int(abs(end - begin) / max(room, 44.0))))
        low, high = min(values), max(values)
        if scale.log:
            self._axis = Axis(log10(low), max(log10(high), log10(low) + 0.3), (), 0, scale.percent)
            self.ticks = _powers(low, high, steps)
        elif scale.ticks:
            self._axis = Axis(min(low, *scale.ticks), max(high, *scale.ticks), scale.ticks, 0, scale.percent)
            if self._axis.low == self._axis.high:
                self._axis = self._axis._replace(low=low - 1, high=high + 1)
            self.ticks = scale.ticks[:: ceil(len(scale.ticks) / max(2, int(abs(end - begin) / max(room, 30.0))))]
        else:
            # Near 0 it is the honest beginning; far from it an empty stretch would hide the differences.
            low = 0.0 if 0 <= low < high / 2 else low
            self._axis = axis_over(low, high, percent=scale.percent, steps=steps)
            self.ticks = self._axis.ticks

    def at(self, value: float) -> float:
        """Returns where a value stands."""
        share = self._axis.share(log10(value) if self._scale.log else value)
        return self._begin + share * (self._end - self._begin)

    def label(self, tick: float, lang: Lang) -> str:
        """Returns a tick in words."""
        if not self._scale.log and not self._scale.ticks:
            return self._axis.label(tick, lang)
        return self.exactly(tick, lang)

    def exactly(self, value: float, lang: Lang) -> str:
        """Returns a value in words, with as many decimals as it has."""
        shown = 100 * value if self._scale.percent else value
        digits = next((digits for digits in range(4) if abs(round(shown, digits) - shown) < 1e-9), 4)
        return percentage(value, digits, lang) if self._scale.percent else decimal(value, digits, lang)


def _powers(low: float, high: float, most: int) -> tuple[float, ...]:
    """Returns round numbers at about equal factors."""
    for factors in ((1, 2, 5), (1, 3), (1,)):
        found = tuple(
            factor * 10.0**power
            for power in range(floor(log10(low)), ceil(log10(high)) + 1)
            for factor in factors
            if low * (1 - 1e-9) <= factor * 10.0**power <= high * (1 + 1e-9)
        )
        if len(found) <= most + 1:
            return found or (low, high)
    return found[:: ceil(len(found) / most)]
