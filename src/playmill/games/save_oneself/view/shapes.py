"""Colours and shapes of the pictures of Save Oneself: cards, badges, the castaway, the ship, arrows."""

from __future__ import annotations

from playmill.author import Text
from playmill.drawing.svg import ACCENT, EMBER, Dark, box, label, text
from playmill.drawing.things import lying, refused
from playmill.games.save_oneself import lookups
from playmill.games.save_oneself.constants import FRONT, MESSAGE
from playmill.games.save_oneself.view.scene import CARD, LIFE, SHIP, TURN_OVER, IslandScene
from playmill.games.save_oneself.view.symbols import OUTLINE, symbol
from playmill.games.save_oneself.words import names
from playmill.games.save_oneself.words.voices import VOICES

LIT = {LIFE: 300, TURN_OVER: 300, SHIP: 500}
#: Width of a panel, and of what stands in it.
PANEL, PAD = 326, 14
ROOM = PANEL - 2 * PAD
SEA, SHALLOWS, FOAM = "#24749b", "#3f93b5", "#e9f6f8"
SAND, DUNE = "#eed9a2", "#d9bf80"
BACK, BACK_EDGE, FACE, FACE_EDGE = "#f8ecd2", "#b08c5a", "#fffef8", "#d99e1b"
CASTAWAY = "#e4502b"
RED, BLOOD, PALE_RED, GOLD, LOST = "#c22f28", "#b3261e", "#fff1ee", "#f6c945", "#8c2f39"
#: A tile with a number; a life that is lost, and its edge; the room of a bar.
TILE, SPENT, SPENT_EDGE, TROUGH = "#f7f1e4", "#f3e8e2", "#d9c4ba", "#efe3dc"
#: The island by night; cards keep their paper, and what is written on them its ink.
AT_NIGHT = {
    SEA: Dark("#163f55"),
    SHALLOWS: Dark("#1f566f"),
    FOAM: Dark("#6f98a8", "", "#86aebd"),
    SAND: Dark("#85744d"),
    DUNE: Dark("", "", "#a4925f"),
    BACK: Dark("#e3d5b4"),
    FACE: Dark("#f1ead5"),
    RED: Dark("", "#ff9088"),
    LOST: Dark("", "#ff9a94"),
    TILE: Dark("#2b2935"),
    SPENT: Dark("#322d36"),
    SPENT_EDGE: Dark("", "", "#54494f"),
    TROUGH: Dark("#3a3339"),
}

#: Around (0, 0), about twenty wide.
_HEART = "M0 8.5C-12 0-10-8.5-5-8.5-2-8.5 0-6 0-4.5 0-6 2-8.5 5-8.5 10-8.5 12 0 0 8.5z"
_STAR = "M0-10 2.9-3.8 9.7-3 4.7 1.7 6 8.4 0 5 -6 8.4 -4.7 1.7 -9.7-3 -2.9-3.8z"
_WAVE = "q5.5-7 11 0t11 0"
_PAWN = "M-13 22C-13 6-8 1-4.5-1A9.5 9.5 0 1 1 4.5-1C8 1 13 6 13 22z"
#: A bare foot that walks north: the sole, then the toes from the large one.
_SOLE = (
    "M.5-4.5C4-5 5.6-2 5 1.5 4.4 4.6 3.2 5.4 3.2 8.4 3.2 12-3 12.2-3.4 8.6-3.8 5.4-4.8 3.4-4.6-.4-4.5-3-2.4-4.2.5-4.5z"
)
_TOES = ((3.7, -7.6, 2), (0.4, -8.4, 1.5), (-2, -7.6, 1.3), (-4, -6, 1.2), (-5.4, -3.9, 1.1))
_ARROW = "M-8-4.5H0V-10L10 0 0 10V4.5H-8z"
#: A name of one word that is too long for a card.
_BROKEN = {"Возвышенность": ("Возвышен-", "ность")}
#: What stands on a card under its name.
_RULES = {MESSAGE: Text("not at a corner", "не в углу")}
#: On a sheet of 64 by 64, bow to the right.
_SHIP = (
    ("#7a4b25", "M30 4H34V46H30z"),
    ("#fbf5e6", "M35 8C50 14 56 26 54 38H35z"),
    ("#fbf5e6", "M29 12C18 18 12 28 12 38H29z"),
    ("#c8322b", "M30 4H16L20 8 16 12H30z"),
    ("#a96f3a", "M4 43H61C58 54 53 59 46 60H19C11 59 6 53 4 43z"),
    ("#7a4b25", "M4 43H61L60 48H5.5z"),
)


def shape(path: str, x: float, y: float, fill: str, extra: str = "", scale: float = 1, turn: float = 0) -> str:
    """A path moved to a point, turned and made larger."""
    moved = f"translate({x:.1f} {y:.1f})"
    moved += f" rotate({turn:g})" if turn else ""
    moved += f" scale({scale:.3g})" if scale != 1 else ""
    return f'<path d="{path}" transform="{moved}" fill="{fill}" {extra}/>'


def heart(x: float, y: float, scale: float = 1, fill: str = RED, edge: str = OUTLINE) -> str:
    """A heart; without a colour, only its outline."""
    return shape(_HEART, x, y, fill, f'stroke="{edge}" stroke-width="1.2"', scale)


def star(x: float, y: float, scale: float = 1) -> str:
    """A star for points."""
    return shape(_STAR, x, y, GOLD, f'stroke="{OUTLINE}" stroke-width="1.2"', scale)


def lives_badge(x: float, y: float, lives: int, spent: bool = False) -> str:
    """A heart with what a card gives or takes; pale if it does so no more."""
    line = f"+{lives}" if lives > 0 else f"−{-lives}"
    fill, ink = (PALE_RED, BLOOD) if spent else (RED, "#ffffff")
    size = 14 if abs(lives) < 10 else 13
    return heart(x, y, 1.7, fill, RED if spent else OUTLINE) + text(x, y + 3.5, line, size, "middle", ink, 700)


def points_badge(x: float, y: float, points: int) -> str:
    """A star with the points of a card."""
    return star(x, y, 1.75) + text(x, y + 5.5, str(points), 14 if points < 10 else 13.5, "middle", OUTLINE, 700)


def card(scene: IslandScene, side: int, x: float, y: float, why: Text | None = None) -> str:
    """A card, its middle at a point: its symbol, its name, and what it gives, takes and scores.

    It is one thing whichever side is up; what is drawn of a side is another, so that a card that turns over is seen to.
    """
    front, left, top = side >= FRONT, x - CARD / 2, y - CARD / 2
    fill, edge = (FACE, FACE_EDGE) if front else (BACK, BACK_EDGE)
    parts = [box(left + 1.5, top + 3, CARD, CARD, "#00000033", 14, stroke="none")]
    parts.append(box(left, top, CARD, CARD, fill, 14, f'stroke-width="{3 if front else 1.6}"', edge))
    name = name_lines(scene.say(names.SIDE_NAMES[side]))
    rule = _RULES.get(side)
    up, first = (28, 22) if rule else (24, 29) if len(name) > 1 else (15, 46)
    parts.append(symbol(side, x, y - up, 60))
    for row, line in enumerate(name):
        parts.append(label(x, y + first + 19 * row, line, 18, CARD - 6, "middle", OUTLINE))
    if rule is not None:
        parts.append(
            label(x, y + first + 17 * len(name), scene.say(rule), 13.5, CARD - 6, "middle", OUTLINE, bold=False)
        )
    lives, points = lookups.lives_of(scene.config, side), lookups.points_of(scene.config, side)
    spot = y - 41
    if lives:
        parts.append(lives_badge(x + 43, spot, lives, lives > 0 or lookups.is_guarded(scene.s, side)))
        spot += 34
    if points:
        parts.append(points_badge(x + 43, spot, points))
    drawn, title = f'<g class="flip" data-thing="side-{side}">{"".join(parts)}</g>', card_text(scene, side)
    if why is None:
        return lying(f"card-{side % FRONT}", drawn, title=title)
    return refused(f"card-{side % FRONT}", scene.say(why), drawn, title=title)


def card_text(scene: IslandScene, side: int) -> str:
    """What a side is, does, needs and is needed for, and what the castaway says of it."""
    return f"{scene.say(names.side_text(scene.config, side))} · {scene.say(VOICES[side])}"


def name_lines(name: str) -> list[str]:
    """A name as it stands on a card, in one line or two."""
    if name in _BROKEN:
        return list(_BROKEN[name])
    first, _, rest = name.partition(" ")
    return [first, rest] if rest and len(name) > 8 else [name]


def pawn(x: float, y: float) -> str:
    """The castaway."""
    body = shape(_PAWN, x, y, CASTAWAY, 'stroke="#ffffff" stroke-width="6"', 1.05)
    return body + shape(_PAWN, x, y, CASTAWAY, f'stroke="{OUTLINE}" stroke-width="2"', 1.05)


def ship(x: float, y: float, size: float, west: bool) -> str:
    """A ship, its bow to the east or to the west."""
    scale = size / 64
    flip = f"translate({x + (size / 2 if west else -size / 2):.1f} {y - size / 2:.1f}) "
    flip += f"scale({-scale if west else scale:.3f} {scale:.3f})"
    shapes = "".join(f'<path d="{path}" fill="{fill}"/>' for fill, path in _SHIP)
    return f'<g transform="{flip}" stroke="{OUTLINE}" stroke-width="2">{shapes}</g>'


def arrow(x: float, y: float, turn: float, fill: str = ACCENT) -> str:
    """An arrow in a white disc that points to the east, turned by so many degrees."""
    disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="14" fill="#ffffff" stroke="{fill}" stroke-width="2.5"/>'
    return disc + shape(_ARROW, x, y, fill, 'stroke="none"', 0.82, turn)


def feet(x: float, y: float, scale: float, turn: float, fill: str = OUTLINE) -> str:
    """Two footprints that walk to the east, turned by so many degrees."""
    toes = "".join(f"M{x:g} {y - r:g}a{r} {r} 0 1 0 .01 0z" for x, y, r in _TOES)
    one = f'<path d="{_SOLE}{toes}" fill="{fill}" stroke="none"/>'
    prints = f'<g transform="translate(-7 4)">{one}</g><g transform="translate(7-4) scale(-1 1)">{one}</g>'
    return f'<g transform="translate({x:.1f} {y:.1f}) rotate({turn + 90:g}) scale({scale:g})">{prints}</g>'


def walk(x: float, y: float, turn: float) -> str:
    """A white disc with footprints."""
    disc = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="17" fill="#ffffff" stroke="{ACCENT}" stroke-width="2.5"/>'
    return disc + feet(x, y, 0.72, turn, EMBER)


def arrow_head(x: float, y: float, turn: float, fill: str) -> str:
    """The head of an arrow that points to the east, turned by so many degrees."""
    return shape("M-9-10 10 0-9 10-4 0z", x, y, fill, 'stroke="none"', turn=turn)


def waves() -> str:
    """Waves all over the sea."""
    spots = ((32 + 68 * (n % 9) + 34 * (n // 9 % 2), 44 + 46 * (n // 9)) for n in range(9 * 14))
    path = "".join(f"M{x} {y}{_WAVE}" for x, y in spots)
    return f'<path d="{path}" fill="none" stroke="#ffffff" stroke-opacity=".2" stroke-width="2.5"/>'
