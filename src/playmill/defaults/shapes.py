"""SVG shapes of the default view: pieces of players, cards, and clickable groups."""

from __future__ import annotations

from collections.abc import Sequence

from playmill.drawing.svg import INK, LINE, NIGHT, RAISED, RED, box, label
from playmill.drawing.things import lying, part
from playmill.drawing.things import whole as option

#: The colour of each seat, by day and by night; each has a sign of its own, too, for those who do not tell colours.
COLOURS = (
    ("#c43d3d", "#d65a55"),
    ("#e0a526", "#e3b041"),
    ("#2f6fb0", "#5594d2"),
    ("#3f8f5b", "#58ab75"),
    ("#7a4fa3", "#a07cc6"),
    ("#5d5a66", "#9a96a5"),
)
#: An empty cell.
CELL = "#e6e0d2"


def disc(x: float, y: float, radius: float, seat: int) -> str:
    """A piece of a player."""
    colour = COLOURS[seat][0]
    inner = f'cx="{x:g}" cy="{y:g}" fill="none" stroke="#ffffff" stroke-opacity="0.65"'
    line = f'stroke-width="{max(1.5, radius / 9):.1f}"'
    rings = "".join(f'<circle {inner} {line} r="{radius * (0.72 - 0.22 * ring):.1f}"/>' for ring in range(1 + seat % 3))
    if seat > 2:
        rings += f'<circle cx="{x:g}" cy="{y:g}" r="{radius * 0.14:.1f}" fill="#ffffff" fill-opacity="0.65"/>'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.1f}" fill="{colour}"/>{rings}'


def card(x: float, y: float, width: float, height: float, face: str | None) -> str:
    """A card with its face, or its back."""
    if face is None:
        inner = box(x + 6, y + 6, width - 12, height - 12, "none", 6, 'stroke-opacity="0.5"', stroke="#ffffff")
        return box(x, y, width, height, NIGHT, 9, 'class="face"', stroke="none") + inner
    colour = RED if set(face) & set("♥♦") else INK
    words = label(x + width / 2, y + height / 2 + 10, face, 28, width - 10, "middle", colour)
    return box(x, y, width, height, RAISED, 9, 'class="face"', stroke=LINE) + words


def thing(name: str, body: str, title: str, *, whole: bool, actions: Sequence[int]) -> str:
    """Something on the table: an option by itself, a part of some, or nothing to click."""
    if not actions:
        return lying(name, body, title=title)
    return option(actions[0], title, body, thing=name) if whole else part(name, actions, title, body)
