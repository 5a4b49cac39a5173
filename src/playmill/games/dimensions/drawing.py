"""What the table of Battle of Dimensions is drawn with: its colours, shapes, cards and clickable things, as SVG."""

from __future__ import annotations

import math
from dataclasses import dataclass
from html import escape

import numpy as np

from playmill.games.dimensions import names, words
from playmill.games.dimensions.actions import RED
from playmill.games.dimensions.config import Config
from playmill.games.svg import NIGHT, Dark, box, sentence, text
from playmill.texts import Lang, Text

COLOURS = ("#c73e4f", "#2a8456", "#f0b429", "#2767c7", "#7a46b5")
TINTS = ("#fbe9e9", "#e6f3ea", "#fdf3d6", "#e6eefb", "#f0e8f8")
_SHADES = ("#472a30", "#233d30", "#453a1c", "#23334f", "#392b4b")
#: Around the Black Hole.
HALO, RIM = "#d9d2e6", "#8d80b3"
AT_NIGHT = {
    **{
        tint: Dark(dark)
        for tint, dark in zip(TINTS, ("#472a30", "#233d30", "#453a1c", "#23334f", "#392b4b"), strict=True)
    },
    HALO: Dark("#2f2942"),
    RIM: Dark("#4d4373"),
}
_ON = ("#ffffff", "#ffffff", "#3a2b00", "#ffffff", "#ffffff")


@dataclass(frozen=True)
class Scene:
    """What is drawn, for whom, and what that player can do."""

    config: Config
    s: np.void
    viewer: int | None
    legal: frozenset[int]
    lang: Lang

    @property
    def players(self) -> int:
        return names.players_of(self.s)

    def say(self, text: Text) -> str:
        return text.of(self.lang)


def clickable(scene: Scene, action: int, body: str, listed: bool = False) -> str:
    """Something drawn, made clickable if it stands for a legal action; rows of the list can be reached by keys."""
    if action not in scene.legal:
        return body
    line = escape(sentence(scene.say(words.describe(scene.config, action))))
    keys = ' role="button" tabindex="0"' if listed else ""
    return f'<g class="act" data-a="{action}"{keys}><title>{line}</title>{body}</g>'


def lines(x: float, y: float, line: str, size: float, fill: str) -> str:
    """Words one under the other, centred."""
    return "".join(text(x, y + i * (size + 2), w, size, "middle", fill, 600) for i, w in enumerate(line.split()))


def disc(x: float, y: float, radius: float, faction: int, lang: Lang) -> str:
    """The chip of a faction, with its letter."""
    letter = text(
        x, y + radius * 0.38, names.FACTION_LETTERS[faction].of(lang), radius * 1.1, "middle", _ON[faction], 700
    )
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{COLOURS[faction]}"/>{letter}'


def star(x: float, y: float, radius: float) -> str:
    """The star of the Captain."""
    points = []
    for i in range(10):
        angle, reach = math.pi * i / 5 - math.pi / 2, radius if i % 2 == 0 else radius * 0.45
        points.append(f"{x + reach * math.cos(angle):.1f},{y + reach * math.sin(angle):.1f}")
    return f'<polygon points="{" ".join(points)}" fill="{COLOURS[RED]}" stroke="#7d1f2c" stroke-linejoin="round"/>'


def card_back(x: float, y: float, width: float, height: float) -> str:
    """A card from behind."""
    middle = f'cx="{x + width / 2:g}" cy="{y + height / 2:g}"'
    sizes = (width * 0.12, width * 0.24, width * 0.36)
    rings = "".join(f'<circle {middle} r="{size:g}" fill="none" stroke="#9d90c9"/>' for size in sizes)
    return box(x, y, width, height, NIGHT, width / 8, stroke="#ffffff") + rings


def faction_card(scene: Scene, x: float, y: float, width: float, height: float, kind: int) -> str:
    """A faction card, face up: its letter or value large, its name below."""
    colour = names.colour_of(kind)
    big = names.kind_key(scene.config, kind, scene.lang)
    name = scene.say(names.kind_name(scene.config, kind)).split()[0]
    ink = _ON[colour]
    face = box(x, y, width, height, COLOURS[colour], 10, 'class="face"', "#ffffff")
    frame = box(x + 4, y + 4, width - 8, height - 8, "none", 7, 'stroke-opacity="0.55"', ink)
    letter = text(x + width / 2, y + height * 0.55, big, width * (0.5 if len(big) < 2 else 0.34), "middle", ink, 700)
    return (
        face
        + frame
        + letter
        + text(x + width / 2, y + height - 12, name, width * min(0.15, 1.2 / len(name)), "middle", ink)
    )


def anomaly_card(scene: Scene, x: float, y: float, anomaly: int) -> str:
    """An anomaly card, face up."""
    face = box(x, y, 110, 104, NIGHT, 10, 'class="face"', "#9d90c9")
    spark = f'<path d="M{x + 55} {y + 14}l6 18 18 6 -18 6 -6 18 -6 -18 -18 -6 18 -6z" fill="#f0b429"/>'
    return face + spark + lines(x + 55, y + 80, scene.say(names.ANOMALY_TITLES[anomaly]), 11, "#ffffff")
