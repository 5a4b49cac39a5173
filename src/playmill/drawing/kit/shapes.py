"""Shapes of pieces as SVG: dice, suits, tokens, and the colours they have by day and by night."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from playmill.drawing.kit.parts import Colour
from playmill.drawing.lettering import width_of
from playmill.drawing.svg import GREEN, INK, Dark, box, label

#: The colour of each seat, by day and by night; each has a sign of its own, too, for those who do not tell colours.
SEATS = (
    ("#c43d3d", "#d65a55"),
    ("#e0a526", "#e3b041"),
    ("#2f6fb0", "#5594d2"),
    ("#3f8f5b", "#58ab75"),
    ("#7a4fa3", "#a07cc6"),
    ("#5d5a66", "#9a96a5"),
)
_NAMES = {"red": 0, "yellow": 1, "blue": 2, "green": 3, "purple": 4, "grey": 5}
_MORE = {"orange": ("#b8560f", "#c9681f"), "teal": ("#1f7480", "#338b97"), "pink": ("#b83a78", "#c5548b")}
_MORE |= {"brown": ("#7d5230", "#96683f")}
#: The same colours under letters, by day and by night.
_DEEP = {
    "#c43d3d": "#c23b3b",
    "#e0a526": "#dfa425",
    "#2f6fb0": "#2d6dae",
    "#3f8f5b": "#2a7d4c",
    "#7a4fa3": "#784da1",
    "#5d5a66": "#5b5864",
    "#b8560f": "#b1520e",
    "#1f7480": "#1d727e",
    "#b83a78": "#b63876",
    "#7d5230": "#7b502e",
}
#: What a colour looks like behind words, by day and by night.
_TINTS = {
    "#c43d3d": ("#fae6e4", "#472a30"),
    "#e0a526": ("#fcf0d2", "#453a1c"),
    "#2f6fb0": ("#e3edf8", "#23334f"),
    "#3f8f5b": ("#e4f2e8", "#233d30"),
    "#7a4fa3": ("#efe6f7", "#392b4b"),
    "#5d5a66": ("#ebe9ee", "#34313d"),
    "#b8560f": ("#fbe8d8", "#472f1c"),
    "#1f7480": ("#dff0f1", "#1e3a3f"),
    "#b83a78": ("#fae4ee", "#46283a"),
    "#7d5230": ("#f2e8dd", "#3d2f22"),
}
#: An empty cell, every other one of a checkered board; bars that are not filled; felt and wood, and words on them.
CELL, CHECK, TROUGH = "#e6e0d2", "#d5cbb6", "#e6dfd0"
FELT, FELT_EDGE, WOOD, WOOD_EDGE, CREAM = "#2d5d4b", "#1f4335", "#6a4226", "#54331c", "#f7ead2"
IVORY, BONE, PIP, RED_PIP = "#fbf5e6", "#d9c9a5", "#33261c", "#a8261c"
GOLD = "#f5c542"
#: Hearts and diamonds.
_RED = "#a82a2c"

#: The colours of the kit in the dark.
AT_NIGHT = {
    **{colour: Dark(shape, "", shape) for colour, shape in (*SEATS, *_MORE.values())},
    **{tint: Dark(shade, "", shade) for tint, shade in _TINTS.values()},
    CELL: Dark("#2f2c3a"),
    CHECK: Dark("#3c3849"),
    TROUGH: Dark("#3a3745"),
    FELT: Dark("#1f3f34"),
    WOOD: Dark("#4b2f1c"),
    _RED: Dark("#f0807a", "#ff9a94"),
}

#: Where the pips of each face lie, in quarters of the die from its middle.
_PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
#: Outlines of suits around the origin, two units high.
_SUITS = {
    "♥": "M0 .95C-1.7 -.15 -.95 -1.25 0 -.5C.95 -1.25 1.7 -.15 0 .95z",
    "♦": "M0 -1L.76 0L0 1L-.76 0z",
    "♠": "M0 -1C.35 -.5 1.1 -.1 .95 .4C.8 .8 .25 .75 .12 .45L.32 1H-.32L-.12 .45C-.25 .75 -.8 .8 -.95 .4"
    "C-1.1 -.1 -.35 -.5 0 -1z",
    "♣": "M0 -1A.44 .44 0 0 1 .36 -.3A.44 .44 0 1 1 .14 .38L.32 1H-.32L-.14 .38A.44 .44 0 1 1 -.36 -.3"
    "A.44 .44 0 0 1 0 -1z",
}
SUITS = tuple(_SUITS)
_RED_SUITS = "♥♦"


def hue(colour: Colour) -> str:
    """The colour of a seat, or of a name."""
    if isinstance(colour, str):
        return _MORE[colour][0] if colour in _MORE else SEATS[_NAMES[colour]][0]
    return SEATS[(colour or 0) % len(SEATS)][0]


def tint(colour: Colour) -> str:
    """The same colour behind words."""
    return _TINTS[hue(colour)][0]


def deep(colour: Colour) -> str:
    """The same colour under letters."""
    return _DEEP[hue(colour)]


def ink_on(colour: Colour) -> str:
    """The ink of letters on a colour."""
    return "#2b1d00" if hue(colour) == SEATS[1][0] else "#ffffff"


def suit_ink(suit: str) -> str:
    """Red or black."""
    return _RED if suit and suit in _RED_SUITS else INK


def suit_sign(x: float, y: float, size: float, suit: str, fill: str) -> str:
    """The sign of a suit around a point; of one of your own its letters."""
    if suit not in _SUITS:
        return label(x, y + size * 0.36, suit, size, size * 2, "middle", fill)
    return f'<path d="{_SUITS[suit]}" transform="translate({x:g} {y:g}) scale({size / 2:g})" fill="{fill}"/>'


def die(
    x: float,
    y: float,
    size: float,
    face: int | None,
    ring: str = "",
    tilt: float = 0,
    *,
    pips: bool = True,
    colour: Colour = None,
) -> str:
    """A die from above with its top left corner at a point; a face of 0 is a tick: saved, whatever it showed."""
    edge = size * 0.2
    parts = []
    if ring:
        parts.append(box(x - 4, y - 4, size + 8, size + 8, "none", edge + 3, 'stroke-width="3.5" class="ring"', ring))
    parts.append(box(x + size * 0.03, y + size * 0.06, size, size, "#00000055", edge, stroke="none"))
    fill, ink, light = (BONE, "", IVORY) if colour is None else (deep(colour), ink_on(colour), deep(colour))
    parts.append(box(x, y, size, size, fill, edge, 'class="face"', "#8d7a54"))
    parts.append(box(x + size * 0.06, y + size * 0.04, size * 0.88, size * 0.88, light, edge, stroke="none"))
    if face is None or (pips and face in {0, *_PIPS}):
        parts += die_pips(x + size / 2, y + size * 0.48, size, -1 if face is None else face, ink)
    else:
        parts.append(label(x + size / 2, y + size * 0.66, str(face), size * 0.5, size * 0.8, "middle", ink or PIP))
    drawn = "".join(parts)
    return f'<g transform="rotate({tilt:g} {x + size / 2:g} {y + size / 2:g})">{drawn}</g>' if tilt else drawn


def die_pips(x: float, y: float, size: float, face: int, ink: str = "") -> Iterator[str]:
    """The pips of a face around the middle of a die, or its tick."""
    if face == 0:
        yield (
            f'<path d="M-.22 .02 -.06 .18 .24 -.16" transform="translate({x:.1f} {y:.1f}) scale({size:g})" fill="none" '
            f'stroke="{GREEN}" stroke-width=".1" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    fill, radius = (ink or RED_PIP, size * 0.115) if face == 1 else (ink or PIP, size * 0.085)
    for dx, dy in _PIPS.get(face, ()):
        at = f'cx="{x + dx * size * 0.25:.1f}" cy="{y + dy * size * 0.25:.1f}"'
        yield f'<circle {at} r="{radius:.1f}" fill="{fill}"/>'


def small_dice(x: float, y: float, size: float, faces: Sequence[int]) -> str:
    """Faces as a row of small dice."""
    parts = []
    for place, face in enumerate(faces):
        left = x + place * size * 1.14
        parts.append(box(left, y, size, size, IVORY, size * 0.22, stroke="#8d7a54"))
        parts += die_pips(left + size / 2, y + size / 2, size * 1.06, face)
    return "".join(parts)


def progress(x: float, y: float, width: float, done: float, more: float, fill: str) -> str:
    """A bar filled so far, as parts of 1, and in a lighter shade as far as the present turn would take it."""
    parts = [box(x, y, width, 12, TROUGH, 6, stroke="none")]
    far = min(1.0, max(0.0, done + more))
    if far > done:
        parts.append(box(x, y, max(12.0, width * far), 12, GOLD, 6, stroke="none"))
    if done > 0:
        parts.append(box(x, y, max(12.0, width * min(1.0, done)), 12, fill, 6, stroke="none"))
    return "".join(parts)


def polygon(x: float, y: float, points: Sequence[tuple[float, float]], fill: str, more: str = "") -> str:
    """A filled polygon around a point."""
    corners = " ".join(f"{x + dx:.1f},{y + dy:.1f}" for dx, dy in points)
    return f'<polygon points="{corners}" fill="{fill}" stroke-linejoin="round" {more}/>'


def hexagon(radius: float) -> list[tuple[float, float]]:
    """The corners of a hexagon that stands on one of them."""
    return [(radius * math.sin(math.pi * n / 3), -radius * math.cos(math.pi * n / 3)) for n in range(6)]


def star(x: float, y: float, radius: float, fill: str, more: str = "") -> str:
    """A star of five points."""
    reach = (radius if i % 2 == 0 else radius * 0.45 for i in range(10))
    angles = (math.pi * i / 5 - math.pi / 2 for i in range(10))
    return polygon(x, y, [(r * math.cos(a), r * math.sin(a)) for r, a in zip(reach, angles, strict=True)], fill, more)


def token(x: float, y: float, radius: float, colour: Colour, shape: str = "disc", words: str = "") -> str:
    """A token around a point: of a seat with its sign, or of a colour, with a few letters on it."""
    fill, ink = deep(colour) if words else hue(colour), ink_on(colour)
    face = 'class="face" stroke="#00000066"'
    if shape == "cube":
        drawn = box(
            x - radius * 0.85, y - radius * 0.85, radius * 1.7, radius * 1.7, fill, radius * 0.24, 'class="face"'
        )
    elif shape == "pawn":
        drawn = _pawn(x, y, radius, fill, face)
        y += radius * 0.38
    elif shape == "hex":
        drawn = polygon(x, y, hexagon(radius), fill, face)
    elif shape == "star":
        drawn = star(x, y, radius * 1.08, fill, face)
        y += radius * 0.06
    elif shape == "diamond":
        drawn = polygon(x, y, [(0, -radius), (radius * 0.86, 0), (0, radius), (-radius * 0.86, 0)], fill, face)
    else:
        drawn = f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.1f}" fill="{fill}" {face}/>'
    if isinstance(colour, int) and not words:
        drawn += _seat_sign(x, y, radius, colour) if shape == "disc" else _seat_dots(x, y, radius, colour)
    room = radius * (1.6 if shape in {"disc", "cube", "hex"} else 1.0)
    size = radius * (1.1 if shape in {"disc", "cube", "hex"} else 0.8)
    if words:
        size = min(size, size * room / max(1.0, width_of(words, size, bold=True)))
    return drawn + label(x, y + size * 0.36, words, round(size, 1), room, "middle", ink, least=0)


def _pawn(x: float, y: float, radius: float, fill: str, face: str) -> str:
    """A head on a body."""
    points = [(-0.2, -0.25), (-0.28, 0.15), (-0.45, 0.42), (-0.78, 0.62), (-0.88, 0.94), (-0.6, 0.96)]
    at = [f"{x + side * dx * radius:.1f} {y + dy * radius:.1f}" for side in (1, -1) for dx, dy in points]
    left, right = at[:6], at[6:]
    body = f"M{left[0]}C{left[1]} {left[2]} {left[3]}Q{left[4]} {left[5]}L{right[5]}Q{right[4]} {right[3]}"
    body += f"C{right[2]} {right[1]} {right[0]}z"
    head = f'cx="{x:g}" cy="{y - 0.53 * radius:.1f}" r="{radius * 0.42:.1f}"'
    return f'<path d="{body}" fill="{fill}" {face}/><circle {head} fill="{fill}" {face}/>'


def _seat_dots(x: float, y: float, radius: float, seat: int) -> str:
    """As many dots as the number of the seat, in two rows beyond three."""
    dots = ""
    for dot in range(seat + 1):
        row, column = divmod(dot, 3)
        many = min(3, seat + 1 - 3 * row)
        across, down = (column - (many - 1) / 2) * 0.3, 0.3 * row - 0.15 * (seat > 2)
        at = f'cx="{x + across * radius:.1f}" cy="{y + down * radius:.1f}"'
        dots += f'<circle {at} r="{radius * 0.1:.1f}" fill="#ffffff" fill-opacity="0.8"/>'
    return dots


def _seat_sign(x: float, y: float, radius: float, seat: int) -> str:
    """Rings, and a dot beyond the third seat: a piece is known from others without its colour."""
    inner = f'cx="{x:g}" cy="{y:g}" fill="none" stroke="#ffffff" stroke-opacity="0.65"'
    line = f'stroke-width="{max(1.5, radius / 9):.1f}"'
    rings = "".join(f'<circle {inner} {line} r="{radius * (0.72 - 0.22 * ring):.1f}"/>' for ring in range(1 + seat % 3))
    if seat > 2:
        rings += f'<circle cx="{x:g}" cy="{y:g}" r="{radius * 0.14:.1f}" fill="#ffffff" fill-opacity="0.65"/>'
    return rings
