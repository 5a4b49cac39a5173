"""SVG primitives and the palette that all games draw with, in light and dark colours.

A picture is written in its light colours, so that every program can show it. Where it lies in the dark its style sheet
turns them into others, by what a colour is on: a shape, words or a line. Whether it is dark the page around it decides
(`color-scheme`); a picture opened by itself asks the system.
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import NamedTuple

from playmill.drawing.lettering import fit, width_of, wrapped

INK, FAINT, LINE, PANEL, GROUND = "#2b2a33", "#64616c", "#ddd6c8", "#fffdf8", "#f1ede4"
#: What is to be noticed: shapes and lines, and the same as words or under white ones.
ACCENT, EMBER = "#c8741a", "#9c5009"
NIGHT, RAISED, WASH = "#2d2748", "#fffefd", "#fdf0df"
#: Good and bad, as words or under white ones.
GREEN, RED = "#2c6e49", "#a1282b"
FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"


class Dark(NamedTuple):
    """What a colour becomes in the dark, on shapes, words and lines; where nothing is said it stays."""

    shape: str = ""
    words: str = ""
    line: str = ""


#: The colours that all games share.
AT_NIGHT: Mapping[str, Dark] = {
    INK: Dark("#ece8df", "#ece8df", "#ece8df"),
    FAINT: Dark("#8d8896", "#aca7b4", "#8d8896"),
    LINE: Dark("#3d3a48", "", "#3d3a48"),
    PANEL: Dark("#22202b", "#22202b"),
    GROUND: Dark("#17161d"),
    ACCENT: Dark("", "#f0a04b", "#f0a04b"),
    EMBER: Dark("", "#f3aa5c", "#f0a04b"),
    NIGHT: Dark("#4a4178", "#cdc4f2", "#6d62a6"),
    RAISED: Dark("#302d3b"),
    WASH: Dark("#3a2e1f"),
    GREEN: Dark("", "#7fd1a4", "#4fb183"),
    RED: Dark("", "#ff9a94", "#e06b66"),
}


def sheet(name: str, own: Mapping[str, Dark], *, extra: str = "", room: int = 0, middle: int = 0) -> str:
    """The style of a game's pictures, whose class is `name`: what can be clicked, narrow pages, and the dark.

    `own` are the game's own colours in the dark. On a narrow page each part of the class `part` goes where its
    properties say, see `layout`; so it does, no wider than is pleasant, in a container (the stage of a table in the
    browser) that is at most `room` pixels wide. In one of at most `middle` pixels it goes to its place between the two.
    """
    this = f".{name}"
    parts = f"{this}>.part{{transform:translate(var(--x,0px),var(--y,0px)) scale(var(--k,1))}}"
    stage = f"@container (min-width:560px) and (max-width:{room}px){{{this}{{aspect-ratio:var(--narrow);"
    stage += f"max-width:560px!important}}{this}>.ground{{display:none}}{parts}}}"
    if middle:
        stage = f"@container (min-width:560px) and (max-width:{middle}px){{{this}{{aspect-ratio:var(--middle)}}"
        stage += f"{this}>.ground{{display:none}}{this}>.part{{transform:translate(var(--mx,0px),var(--my,0px)) "
        stage += "scale(var(--mk,1))}}"
    hover = f"{this} .act:hover .face,{this} .act:focus .face"
    return (
        f"{this}{{display:block;width:100%;height:auto;max-width:1400px;margin:0 auto}}"
        f"{this} text{{user-select:none}}"
        f"{this} .act{{cursor:pointer}}"
        f"{hover}{{stroke:{ACCENT};stroke-width:3}}"
        f"{this} .act:focus{{outline:none}}"
        f"{extra}"
        "@media (max-width:720px){"
        f"{this}{{aspect-ratio:var(--narrow);background:{GROUND};border-radius:12px}}"
        f"{this}>.ground{{display:none}}{parts}}}"
        f"{stage if room or middle else ''}"
        f"@supports (color:light-dark(red,red)){{:root{this}{{color-scheme:light dark}}"
        f"{this}{{{_turned({**AT_NIGHT, **own})}}}"
        f"{hover}{{stroke:light-dark({ACCENT},{AT_NIGHT[ACCENT].line})}}"
        f"@media (max-width:720px){{{this}{{background-color:light-dark({GROUND},{AT_NIGHT[GROUND].shape})}}}}}}"
    )


def _turned(colours: Mapping[str, Dark]) -> str:
    """A rule for each colour that turns into another in the dark."""
    rules = []
    for light, dark in colours.items():
        for on, attribute, to in (
            (":not(text)", "fill", dark.shape),
            ("text", "fill", dark.words),
            ("", "stroke", dark.line),
        ):
            if to:
                rules.append(f'{on}[{attribute}="{light}"]{{{attribute}:light-dark({light},{to})}}')
    return "".join(rules)


def sentence(line: str) -> str:
    """A line with a capital first letter."""
    return line[:1].upper() + line[1:]


def text(x: float, y: float, line: str, size: float, anchor: str = "start", fill: str = INK, weight: int = 400) -> str:
    """One line of words; `y` is its base line."""
    place = f'x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text {place} fill="{fill}" font-weight="{weight}">{escape(line)}</text>' if line else ""


def box(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str = PANEL,
    radius: float = 12,
    extra: str = "",
    stroke: str = LINE,
) -> str:
    """A rectangle with round corners."""
    place = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}"'
    return f'<rect {place} fill="{fill}" stroke="{stroke}" {extra}/>'


def label(
    x: float,
    y: float,
    line: str,
    size: float,
    room: float,
    anchor: str = "start",
    fill: str = INK,
    *,
    bold: bool = True,
    least: float = 10.5,
) -> str:
    """A line in a place of limited width: set smaller if need be, and cut only if that is not enough."""
    size = max(least, min(size, size * room / max(1.0, width_of(line, size, bold))))
    return text(x, y, fit(line, size, room + 1, bold), round(size, 1), anchor, fill, 700 if bold else 400)


def paragraph(x: float, y: float, line: str, size: float, room: float, fill: str = INK) -> tuple[str, float]:
    """Words in as many lines as they need; `y` is the base line of the first, what comes back that of one more."""
    drawn = ""
    for one in wrapped(line, size, room):
        drawn += text(x, y, one, size, fill=fill)
        y += round(size * 1.35)
    return drawn, y


def pill(x: float, y: float, line: str, fill: str, ink: str, size: float = 13) -> tuple[str, float]:
    """A pill with words on it, and its width."""
    width = round(width_of(line, size, bold=True) + size * 1.7)
    face = box(x, y, width, size * 2, fill, size, stroke=LINE if fill == PANEL else "none")
    return face + text(x + width / 2, y + size * 1.38, line, size, "middle", ink, 600), width


def card_back(x: float, y: float, width: float, height: float, extra: str = "") -> str:
    """A card from behind."""
    middle = f'cx="{x + width / 2:g}" cy="{y + height / 2:g}"'
    rings = "".join(f'<circle {middle} r="{width * r:g}" fill="none" stroke="#9d90c9"/>' for r in (0.12, 0.24, 0.36))
    return box(x, y, width, height, NIGHT, width * 0.16, extra, stroke="#ffffff") + rings
