"""Colours and shapes of the pictures of Battle of Dimensions: cards, stars, discs, clickable things."""

from __future__ import annotations

from playmill.author import Lang, Text
from playmill.drawing.kit.shapes import star as plain_star
from playmill.drawing.scene import SMALL
from playmill.drawing.svg import NIGHT, Dark, box, label, text
from playmill.drawing.things import lying, part, refused
from playmill.games.dimensions.actions import RED
from playmill.games.dimensions.view.scene import DimensionsScene
from playmill.games.dimensions.words import names

CARD, TALL = 78, 106

COLOURS = ("#c73e4f", "#2a8456", "#f0b429", "#2767c7", "#7a46b5")
TINTS = ("#fbe9e9", "#e6f3ea", "#fdf3d6", "#e6eefb", "#f0e8f8")
_SHADES = ("#472a30", "#233d30", "#453a1c", "#23334f", "#392b4b")
#: Around the Black Hole.
HALO, RIM = "#d9d2e6", "#8d80b3"
AT_NIGHT = {
    **{tint: Dark(shade) for tint, shade in zip(TINTS, _SHADES, strict=True)},
    HALO: Dark("#2f2942"),
    RIM: Dark("#4d4373"),
}
ON = ("#ffffff", "#ffffff", "#3a2b00", "#ffffff", "#ffffff")


def thing(scene: DimensionsScene, name: str, options: list[int], title: str, body: str, why: Text | None = None) -> str:
    """Something that is part of options; else it says why it is of none, to whoever can do something else."""
    if options:
        return part(name, options, title, body)
    return refused(name, scene.say(why), body, title=title) if why and scene.legal else lying(name, body, title=title)


def lines(x: float, y: float, line: str, size: float, room: float, fill: str) -> str:
    """Words one under the other, centred."""
    rows = enumerate(line.split())
    return "".join(label(x, y + i * (size + 2), one, size, room, "middle", fill, bold=False) for i, one in rows)


def disc(x: float, y: float, radius: float, faction: int, lang: Lang) -> str:
    """The chip of a faction, with its letter."""
    letter = names.FACTION_LETTERS[faction].of(lang)
    face = f'<circle class="face" cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{COLOURS[faction]}"/>'
    return face + text(x, y + radius * 0.38, letter, round(radius * 1.12, 1), "middle", ON[faction], 700)


def star(x: float, y: float, radius: float) -> str:
    """The star of the Captain."""
    return plain_star(x, y, radius, COLOURS[RED], 'stroke="#7d1f2c"')


def faction_card(scene: DimensionsScene, x: float, y: float, width: float, height: float, kind: int) -> str:
    """A faction card, face up: its colour, with its letter and value."""
    colour = names.colour_of(kind)
    big = names.kind_key(scene.config, kind, scene.lang)
    ink, middle = ON[colour], x + width / 2
    face = box(x, y, width, height, COLOURS[colour], 10, 'class="face"', "#ffffff")
    frame = box(x + 4, y + 4, width - 8, height - 8, "none", 7, 'stroke-opacity="0.55"', ink)
    ring = f'<circle cx="{middle:g}" cy="{y + height / 2:g}" r="{width * 0.42:.1f}" fill="none" stroke="{ink}" '
    ring += 'stroke-opacity="0.3" stroke-width="2"/>'
    size = width * 0.52
    return face + frame + ring + label(middle, y + height / 2 + size * 0.3, big, size, width - 16, "middle", ink)


def anomaly_card(scene: DimensionsScene, x: float, y: float, anomaly: int) -> str:
    """An anomaly card, face up."""
    face = box(x, y, 128, TALL, NIGHT, 10, 'class="face"', "#9d90c9")
    spark = f'<path d="M{x + 64} {y + 10}l6 18 18 6 -18 6 -6 18 -6 -18 -18 -6 18 -6z" fill="#f0b429"/>'
    return face + spark + lines(x + 64, y + 78, scene.say(names.ANOMALY_TITLES[anomaly]), SMALL, 124, "#ffffff")


def swords(x: float, y: float, ink: str) -> str:
    """Two swords, crossed."""
    blades = f"M{x - 8:g} {y - 8:g}l14 14m0 -14l-14 14M{x + 2:g} {y + 7:g}l5 -5M{x - 4:g} {y + 7:g}l-5 -5"
    return f'<path d="{blades}" fill="none" stroke="{ink}" stroke-width="2.5"/>'
