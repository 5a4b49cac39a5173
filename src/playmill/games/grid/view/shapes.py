"""Colours and shapes of the pictures of Grid: glyphs, cards, cells, clickable things."""

from __future__ import annotations

import math
from collections.abc import Callable

from playmill.author import Text
from playmill.drawing.kit.shapes import polygon, star
from playmill.drawing.svg import ACCENT, NIGHT, Dark, box, sentence, text
from playmill.drawing.things import lying, refused, whole
from playmill.games.grid import words
from playmill.games.grid.config import Config, card_fields
from playmill.games.grid.constants import JOKER
from playmill.games.grid.view.scene import GridScene
from playmill.games.grid.words import names
from playmill.games.grid.words.consequences import brings_of

GOLD, ZONE, ZONE_EDGE, FREE, FREE_EDGE, UNUSED = "#e0a100", "#e7e2f3", "#8f7fc0", "#faf8f2", "#bdb6c9", "#e9e5da"
AT_NIGHT = {
    ZONE: Dark("#2f2a45"),
    ZONE_EDGE: Dark("", "", "#8577c2"),
    FREE: Dark("#272531"),
    FREE_EDGE: Dark("", "", "#4d4859"),
    UNUSED: Dark("#393643"),
}
#: Faces of cards; the first five have names, and every face carries its letter or number too.
COLOURS = ("#c73e4f", "#2767c7", "#2a8456", "#f0b429", "#7a46b5", "#b35316", "#217785", "#6f6a63")
_DARK_ON = "#f0b429"


def clickable(scene: GridScene, action: int, body: str) -> str:
    """Something drawn, made clickable, by keys too, if it stands for a legal action."""
    if action not in scene.legal:
        return body
    line, more = scene.say(words.describe(scene.config, action)), brings_of(scene.config, scene.s, action)
    return whole(action, f"{line}: {scene.say(more)}" if more is not None else line, body)


def _circle(x: float, y: float, r: float, fill: str) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{fill}"/>'


def _square(x: float, y: float, r: float, fill: str) -> str:
    return polygon(x, y, [(-r, -r), (r, -r), (r, r), (-r, r)], fill)


def _triangle(x: float, y: float, r: float, fill: str) -> str:
    return polygon(x, y, [(0, -1.15 * r), (1.15 * r, r), (-1.15 * r, r)], fill)


def _diamond(x: float, y: float, r: float, fill: str) -> str:
    return polygon(x, y, [(0, -1.3 * r), (1.1 * r, 0), (0, 1.3 * r), (-1.1 * r, 0)], fill)


def _cross(x: float, y: float, r: float, fill: str) -> str:
    a, b = 0.4 * r, 1.15 * r
    arms = [(-a, -b), (a, -b), (a, -a), (b, -a), (b, a), (a, a), (a, b), (-a, b), (-a, a), (-b, a), (-b, -a), (-a, -a)]
    return polygon(x, y, arms, fill)


def _hexagon(x: float, y: float, r: float, fill: str) -> str:
    angles = [math.pi * i / 3 for i in range(6)]
    return polygon(x, y, [(1.15 * r * math.cos(a), 1.15 * r * math.sin(a)) for a in angles], fill)


_GLYPHS: dict[int, Callable[[float, float, float, str], str]] = {
    1: _circle,
    2: _square,
    3: _triangle,
    4: _diamond,
    5: _cross,
    6: _hexagon,
}


def glyph(x: float, y: float, radius: float, shape: int, fill: str) -> str:
    """The sign of a card's shape; a shape without a name has its number."""
    if shape in _GLYPHS:
        return _GLYPHS[shape](x, y, radius, fill)
    return text(x, y + radius, f"◦{shape}", radius * 2.4, "middle", fill, 700)


def hue(config: Config, colour: int) -> str:
    """The face of a colour: its own for the first eight, else the first that no other colour of the deck has."""
    colours = config.game.deck.colors
    if colour <= len(COLOURS):
        return COLOURS[colour - 1]
    free = [face for number, face in enumerate(COLOURS, 1) if number not in colours]
    return free[[other for other in colours if other > len(COLOURS)].index(colour)]


def tile(scene: GridScene, x: float, y: float, size: float, card: int) -> str:
    """A card, face up: its rank large, its colour as face and letter, its shape as a sign."""
    if card == JOKER:
        face = box(x, y, size, size, NIGHT, size * 0.16, 'class="face"', "#ffffff")
        return face + star(x + size / 2, y + size * 0.53, size * 0.34, "#f6c945")
    rank, colour, shape = card_fields(scene.config, card).values()
    fill = hue(scene.config, colour)
    ink = "#3a2b00" if fill == _DARK_ON else "#ffffff"
    letter = names.colour_letter(colour, scene.lang)
    return (
        box(x, y, size, size, fill, size * 0.16, 'class="face"', "#ffffff")
        + text(x + size * 0.36, y + size * 0.68, str(rank), size * (0.56 if rank < 10 else 0.42), "middle", ink, 700)
        + glyph(x + size * 0.78, y + size * 0.26, size * 0.11, shape, ink)
        + text(x + size * 0.78, y + size * 0.86, letter, size * (0.26 if len(letter) == 1 else 0.2), "middle", ink, 700)
    )


def card(
    scene: GridScene,
    x: float,
    y: float,
    size: float,
    number: int,
    place: str,
    action: int = -1,
    why: Text | None = None,
) -> str:
    """A card that can be clicked if its action is legal; else it tells what it is, or why it cannot be had.

    It is called by its number wherever it lies, so that it slides from place to place. Jokers, which are alike, and
    what only shows a card that lies elsewhere (`place` begins with a dash) are called by their places.
    """
    drawn = f'<g class="tile">{tile(scene, x, y, size, number)}</g>'
    name = f"at{place}" if place.startswith("-") else f"joker-{place}" if number == JOKER else f"card-{number}"
    if action in scene.legal:
        ring = box(x - 2, y - 2, size + 4, size + 4, "none", size * 0.18, 'stroke-width="3" class="face"', ACCENT)
        return whole(action, scene.say(words.describe(scene.config, action)), drawn + ring, thing=name)
    title = sentence(scene.say(names.card_name(scene.config, number)))
    return refused(name, scene.say(why), drawn, title=title) if why else lying(name, drawn, title=title)


def slot(x: float, y: float, size: float, fill: str = FREE) -> str:
    """A free cell or an empty place for a card."""
    return box(x, y, size, size, fill, size * 0.16, 'stroke-dasharray="3 3"', FREE_EDGE)
