"""Colours and shapes of the pictures of Influence: hexagons, shades and signs of owners, arrows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from playmill.drawing.svg import FAINT, LINE, Dark, box, text
from playmill.games.influence.maps.model import STRONG, places

#: Most room for a field beside the panels, and across the whole picture where it is so wide that it needs it.
BESIDE, ACROSS, DEEP = 716, 1064, 660
#: The distance between cells at most, at least where a field is deep, and where it is so wide that it lies across.
WIDEST, LEAST, TIGHT = 92, 24, 30
#: Room for the numbers of the columns.
TOP = 18
#: How much of its place a cell fills.
WEAK_SIZE, STRONG_SIZE = 0.76, 0.98
SOCKET, SEAM, BARE, BARE_EDGE = "#eae4d8", "#f7f4ec", "#fbf9f4", "#c9c1b2"
DARK, LIGHT = "#06050a", "#ffffff"
#: The colour of each owner's edges: far apart also for those who cannot tell red from green, or blue from green.
EDGES = ("#1d33b8", "#e6bd00", "#861d0e", "#62c8f5", "#17824e", "#ba66aa")
#: Cells are the same in the dark; what lies around them is not, and the edges of the darkest owners are lighter.
AT_NIGHT = {
    SOCKET: Dark("#282633"),
    SEAM: Dark("", "", "#1d1c25"),
    BARE: Dark("#373442"),
    BARE_EDGE: Dark("", "", "#57535f"),
    EDGES[0]: Dark("", "", "#7f92ff"),
    EDGES[2]: Dark("", "", "#f0775f"),
    EDGES[4]: Dark("", "", "#3fbf80"),
}
#: Of each owner's cells hue and colourfulness (OKLCH), and how much lighter or darker they are than those of others,
#: which is what makes cells of equal influence different to every eye.
_HUES = (
    (272, 0.18, -0.08),
    (92, 0.145, 0.065),
    (30, 0.18, -0.08),
    (222, 0.13, 0.06),
    (155, 0.145, -0.015),
    (331, 0.135, -0.018),
)
#: Lightness of a cell that holds 1, and of one that holds as much as any can.
_PALE, _FULL = 0.89, 0.41
_ROOT3 = math.sqrt(3)
#: A sign for each owner, in strokes: paths around a point, in tenths of a cell, and how thick they are.
_SIGNS = (
    ("h0", 0.15),
    ("m-1 .5l1 -1l1 1", 0.075),
    ("m-1.2 0h2.4", 0.09),
    ("m-.9 0h1.8m-.9 -.9v1.8", 0.075),
    ("m-1 -.5l1 1l1 -1", 0.075),
    ("m-.9 0h0m1.8 0h0", 0.13),
)
_NUMBER = re.compile(r"-?[\d.]+")


class FieldGeometry(NamedTuple):
    """What is the same in all pictures of a map.

    `pitch` is the distance from a cell to the next, `width` and `height` the size of the field with its coordinates;
    by cell there are its middle, its outline and that of its whole place. `across` says that the field is so wide that
    the panels go under it; `ground` is what lies under the cells.
    """

    pitch: float
    width: float
    height: float
    across: bool
    middles: tuple[tuple[float, float], ...]
    outlines: tuple[str, ...]
    sockets: tuple[str, ...]
    ground: str


@lru_cache(maxsize=32)
def field_geometry(rows: tuple[str, ...]) -> FieldGeometry:
    """The picture of an empty map."""
    edge = 10 + 9 * len(str(len(rows) - 1))
    columns, deep = len(rows[0]) + (0.5 if len(rows) > 1 else 0), (1.5 * len(rows) + 0.5) / _ROOT3
    pitch, across = _pitch(columns, deep, edge)
    radius, cells = pitch / _ROOT3, places(rows)
    middles = tuple(
        (round(edge + pitch * (column + 0.5 + row % 2 / 2), 1), round(TOP + radius * (1.5 * row + 1), 1))
        for row, column in cells
    )
    sizes = [STRONG_SIZE if rows[row][column] == STRONG else WEAK_SIZE for row, column in cells]
    outlines = tuple(hexagon(x, y, radius * size) for (x, y), size in zip(middles, sizes, strict=True))
    sockets = tuple(hexagon(x, y, radius) for x, y in middles)
    ground = _ground(rows, pitch, edge) + _coordinates(rows, pitch, edge)
    return FieldGeometry(pitch, edge + columns * pitch, TOP + deep * pitch, across, middles, outlines, sockets, ground)


def _pitch(columns: float, deep: float, edge: float) -> tuple[float, bool]:
    """The distance between cells of a field so many pitches wide and deep, and whether it takes the whole width."""
    low = max(LEAST, (DEEP - TOP) / deep)
    side = min(WIDEST, (BESIDE - edge) / columns, low)
    wide = min(TIGHT, (ACROSS - edge) / columns, low)
    return (round(wide, 1), True) if side < wide else (round(side, 1), False)


def _ground(rows: Sequence[str], pitch: float, edge: float) -> str:
    """All places of cells as one path, in halves of a pitch across and of a radius down, which makes it short."""
    path = "".join(f"M{2 * column + 1 + row % 2} {3 * row}l1 1v2l-1 1-1-1v-2z" for row, column in places(rows))
    scale = f"translate({edge} {TOP}) scale({pitch / 2:.3f} {pitch / _ROOT3 / 2:.3f})"
    return f'<path transform="{scale}" d="{path}" fill="{SOCKET}" stroke="{SEAM}" stroke-width=".06"/>'


def _coordinates(rows: Sequence[str], pitch: float, edge: float) -> str:
    """The numbers of rows and columns around the field, every fifth where they stand close."""
    size = round(min(14.0, max(11.0, pitch * 0.34)), 1)
    across, down = (1 if pitch >= 22 else 5), (1 if pitch >= 15 else 5)
    parts = [text(edge + pitch * (n + 0.5), 12, str(n), size, "middle", FAINT) for n in range(0, len(rows[0]), across)]
    for n in range(0, len(rows), down):
        parts.append(text(edge - 5, TOP + 4 + pitch / _ROOT3 * (1.5 * n + 1), str(n), size, "end", FAINT))
    return "".join(parts)


def hexagon(x: float, y: float, radius: float) -> str:
    """The outline of a hexagon that stands on a corner, as a path."""
    half, high = round(radius * _ROOT3 / 2, 1), round(radius / 2, 1)
    return (
        f"M{x:.1f} {y - 2 * high:.1f}l{half:g} {high:g}v{2 * high:g}l{-half:g} {high:g} {-half:g} {-high:g}"
        f"v{-2 * high:g}z"
    )


@lru_cache(maxsize=4096)
def shade(player: int, influence: int, most: int) -> str:
    """The colour of a player's cell: the darker the more it holds of the most that any cell can."""
    hue, colourful, light = _HUES[player]
    full = min(1.0, (influence - 1) / max(1, most - 1))
    lightness = light + _PALE + (_FULL - _PALE) * full
    colourful *= 0.5 + min(0.5, full)
    while True:
        found = _linear(lightness, colourful, math.radians(hue))
        if all(-0.001 <= part <= 1.001 for part in found):
            return "#" + "".join(f"{_byte(part):02x}" for part in found)
        colourful *= 0.96


def _linear(lightness: float, colourful: float, hue: float) -> tuple[float, float, float]:
    """A colour of OKLCH as linear red, green and blue."""
    a, b = colourful * math.cos(hue), colourful * math.sin(hue)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    mid = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * long - 3.3077115913 * mid + 0.2309699292 * short,
        -1.2684380046 * long + 2.6097574011 * mid - 0.3413193965 * short,
        -0.0041960863 * long - 0.7034186147 * mid + 1.7076147010 * short,
    )


def _byte(part: float) -> int:
    part = min(1.0, max(0.0, part))
    return round(255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055))


def luminance(colour: str) -> float:
    """How bright a colour is to the eye, from 0 to 1."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@lru_cache(maxsize=4096)
def ink_on(colour: str) -> str:
    """Dark or light, whichever is read better on a colour."""
    return DARK if luminance(colour) > 0.182 else LIGHT


def sign(player: int, spots: Iterable[tuple[float, float]], size: float, ink: str) -> str:
    """The sign of a player at some spots, for cells of a size."""
    path, thick = _SIGNS[player]
    drawn = _NUMBER.sub(lambda found: f"{float(found[0]) * size / 10:.2g}", path)
    places = "".join(f"M{x:.1f} {y:.1f}{drawn}" for x, y in spots)
    return f'<path d="{places}" fill="none" stroke="{ink}" stroke-width="{thick * size:.2g}"/>'


def promise(x: float, y: float, size: float, chance: int) -> str:
    """A chance in percent on a pill with its middle at a point: hollow if it is none, the darker the better it is."""
    line = f"{chance}%"
    wide, high = size * (0.66 * len(line) + 0.75), size * 1.34
    grey = 255 if chance == 0 else round(215 - 190 * chance / 100)
    fill = f"#{grey:02x}{grey:02x}{grey:02x}"
    face = box(round(x - wide / 2, 1), round(y - high / 2, 1), round(wide, 1), round(high, 1), fill, round(high / 2, 1))
    ink = ink_on(fill)
    label_text = text(round(x, 1), round(y + size * 0.36, 1), line, round(size, 1), "middle", ink, 700)
    return face.replace(f'stroke="{LINE}"', f'stroke="{ink}" stroke-width="{size * 0.1:.2g}"') + label_text


def badge(x: float, y: float, player: int, size: float = 15) -> str:
    """A player's hexagon with their sign."""
    fill = EDGES[player]
    drawn = f'<path d="{hexagon(x, y, size)}" fill="{fill}" stroke="{DARK}" stroke-width="1"/>'
    return drawn + f'<g stroke-linecap="round">{sign(player, [(x, y)], size * 2.6, ink_on(fill))}</g>'
