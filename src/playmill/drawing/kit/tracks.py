"""Squares of a track on a wide page and on a phone, the path that joins them, ladders and slides."""

from __future__ import annotations

import math
from dataclasses import dataclass

from playmill.drawing.kit.parts import Colour, Hole, Track
from playmill.drawing.kit.shapes import hue, tint
from playmill.drawing.svg import LINE

Spot = tuple[float, float]
#: From row to row, in sides of a square.
_STEP = 1.12
#: Squares side by side on a phone, so that four pieces in one can be hit; and its rows there at most.
_FEW, _ROWS = 5, 10
#: From the middle of a square to the end of a link, more so beside its name, and how far a link bends out of its row.
_APART, _BESIDE, _BENT = 0.24, 0.13, 0.75


@dataclass(frozen=True)
class Way:
    """The squares of a track, holes too, on both pages: the corner of each, in sides of a square."""

    track: Track
    wide: list[Spot]
    narrow: list[Spot]

    def shift(self, place: int) -> Spot:
        """From the place of a square on the wide page to that on a phone."""
        (x, y), (to_x, to_y) = self.wide[place], self.narrow[place]
        return to_x - x, to_y - y

    def path(self, side: float) -> str:
        """The line that joins all squares, through holes as well."""
        real = [number for number, one in enumerate(self.track.cells) if not isinstance(one, Hole)]
        begin, end = (real[0], real[-1] + 1) if real else (0, 0)
        drawn = []
        for spots in (self.wide, self.narrow):
            points = " ".join(f"{(x + 0.5) * side:.1f},{(y + 0.5) * side:.1f}" for x, y in spots[begin:end])
            thick = f'stroke-width="{max(4.0, side * 0.09):.1f}" stroke-linejoin="round"'
            drawn.append(f'<polyline points="{points}" fill="none" stroke="{LINE}" {thick}/>')
        return _on_pages(*drawn)

    def links(self, side: float) -> str:
        """Ladders and slides, under which a click finds the square."""
        drawn = ["", ""]
        for begin, end, *colour in self.track.links:
            for page, spots in enumerate((self.wide, self.narrow)):
                one, other = ((x + 0.5, y + 0.5) for x, y in (spots[n - self.track.first] for n in (begin, end)))
                body = _ladder(one, other, *colour) if end > begin else _slide(one, other, *colour)
                drawn[page] += f'<g transform="scale({side:.1f})">{body}</g>'
        return f'<g pointer-events="none">{_on_pages(*drawn)}</g>' if self.track.links else ""


def way_of(track: Track) -> Way:
    """A track laid out for both pages: on a phone in shorter rows."""
    many = len(track.cells)
    rows = min(_ROWS, -(-many // _FEW)) or 1
    short = min(track.across, -(-many // rows))
    return Way(track, *(_wound(track, max(1, across)) for across in (track.across, short)))


def _wound(track: Track, across: int) -> list[Spot]:
    """Rows that turn back at their ends; with `up` the first one is the lowest."""
    made, lowest = [], (len(track.cells) - 1) // across
    for number in range(len(track.cells)):
        row, column = divmod(number, across)
        x = across - 1 - column if row % 2 else column
        made.append((float(x), (lowest - row if track.up else row) * _STEP))
    return made


def _on_pages(wide: str, narrow: str) -> str:
    both = f'<g class="wide">{wide}</g><g class="narrow" display="none">{narrow}</g>'
    return wide if wide == narrow else both


def _curve(one: Spot, other: Spot) -> tuple[Spot, Spot, Spot]:
    """Both ends of a link and the point it bends to: along a row or a column it leaves the names in the middle free."""
    (x, y), (to_x, to_y) = one, other
    bend = ((x + to_x) / 2, (y + to_y) / 2)
    if abs(y - to_y) < 0.1:
        bend = (bend[0], bend[1] - _BENT * min(1.0, abs(x - to_x) - 0.5))
    elif abs(x - to_x) < 0.1 and abs(y - to_y) > 1.5:
        bend = (bend[0] + _BENT, bend[1])
    ends = []
    for end in (one, other):
        far = math.dist(end, bend) or 1.0
        apart = _APART + _BESIDE * abs(end[0] - bend[0]) / far
        ends.append(tuple(at + apart * (to - at) / far for at, to in zip(end, bend, strict=True)))
    return ends[0], bend, ends[1]  # type: ignore[return-value]


def _ladder(one: Spot, other: Spot, colour: Colour = "brown") -> str:
    """Two rails with rungs."""
    begin, bend, end = _curve(one, other)
    far = math.dist(begin, end) or 1.0
    dx, dy = (begin[1] - end[1]) / far * 0.085, (end[0] - begin[0]) / far * 0.085
    lines = []
    for sign in (1, -1):
        a, c, b = ((x + sign * dx, y + sign * dy) for x, y in (begin, bend, end))
        lines.append(f"M{a[0]:.3f} {a[1]:.3f}Q{c[0]:.3f} {c[1]:.3f} {b[0]:.3f} {b[1]:.3f}")
    rungs = max(2, round(far / 0.15))
    for rung in range(rungs):
        t = (rung + 0.5) / rungs
        x, y = ((1 - t) ** 2 * p + 2 * t * (1 - t) * q + t**2 * r for p, q, r in zip(begin, bend, end, strict=True))
        lines.append(f"M{x + dx:.3f} {y + dy:.3f}L{x - dx:.3f} {y - dy:.3f}")
    return f'<path d="{"".join(lines)}" fill="none" stroke="{hue(colour)}" stroke-width=".035" stroke-linecap="round"/>'


def _slide(one: Spot, other: Spot, colour: Colour = "blue") -> str:
    """A chute with an arrow at its end."""
    begin, bend, end = _curve(one, other)
    line = f"M{begin[0]:.3f} {begin[1]:.3f}Q{bend[0]:.3f} {bend[1]:.3f} {end[0]:.3f} {end[1]:.3f}"
    far = math.dist(bend, end) or 1.0
    dx, dy = (end[0] - bend[0]) / far * 0.13, (end[1] - bend[1]) / far * 0.13
    head = [(dx, dy), (-dy, dx), (dy, -dx)]
    strokes = "".join(
        f'<path d="{line}" fill="none" stroke="{ink}" stroke-width="{wide}" stroke-linecap="round"/>'
        for ink, wide in ((hue(colour), 0.13), (tint(colour), 0.07))
    )
    corners = " ".join(f"{end[0] + x:.3f},{end[1] + y:.3f}" for x, y in head)
    return f'{strokes}<polygon points="{corners}" fill="{hue(colour)}"/>'
