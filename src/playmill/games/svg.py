"""Shapes that every game's picture is drawn with, as SVG, and the colours of the table around the cards."""

from __future__ import annotations

from html import escape

INK, FAINT, LINE, PANEL, GROUND = "#2b2a33", "#6d6a75", "#ddd6c8", "#fffdf8", "#f1ede4"
ACCENT, NIGHT = "#c8741a", "#2d2748"


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


def pill(x: float, y: float, line: str, fill: str, ink: str) -> tuple[str, float]:
    """A pill with words on it, and its width."""
    width = len(line) * 8.5 + 28
    return box(x, y, width, 26, fill, 13) + text(x + width / 2, y + 18, line, 13, "middle", ink, 600), width
