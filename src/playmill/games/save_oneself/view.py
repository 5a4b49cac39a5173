"""The island of Save Oneself as one SVG picture; what can be clicked carries its action in `data-a`."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from playmill.games.save_oneself import words
from playmill.games.save_oneself.board import board
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.drawing import AT_NIGHT, PANEL, Part, Scene
from playmill.games.save_oneself.panels import deck, reference, ship_and_signals, status
from playmill.games.svg import GROUND, box, sheet
from playmill.texts import Lang

WIDTH = 1100
_MARGIN, _GAP = 18, 12
#: On a narrow page, where everything is one column: its width in units of a panel.
_NARROW = PANEL + 2 * 8

_STYLE = sheet(
    "playmill-save-oneself",
    AT_NIGHT,
    extra=".playmill-save-oneself .pawn{pointer-events:none}"
    ".playmill-save-oneself .hit{fill:#fff;fill-opacity:.12}"
    ".playmill-save-oneself .act:hover .hit,.playmill-save-oneself .act:focus .hit{fill-opacity:.42}"
    ".playmill-save-oneself .act:hover .face,.playmill-save-oneself .act:focus .face{stroke-dasharray:none}",
)


def view(config: Config, s: np.void, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """The island as the player sees it, or a spectator (None): everything but the order of the deck.

    `legal` are the actions of the player to move; they are offered to that player only. On a narrow page everything
    stands in one column.
    """
    mine = player is not None and player == s["player"]
    scene = Scene(config, s, player, sorted(map(int, legal)) if mine else (), lang)
    island, beside = board(scene), [status(scene), ship_and_signals(scene), deck(scene)]
    below = reference(scene)
    places, height = _wide(island, beside, below)
    narrow, deep = _narrow(island, [*beside, *below])
    parts = []
    for part, (x, y), (left, top, scale) in zip((island, *beside, *below), places, narrow, strict=True):
        style = f"--x:{left:.1f}px;--y:{top:.1f}px;--k:{scale:.3f}"
        parts.append(f'<g class="part" transform="translate({x:.1f} {y:.1f})" style="{style}">{part.drawn}</g>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="playmill-save-oneself" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'preserveAspectRatio="xMinYMin meet" style="--narrow:{WIDTH}/{max(deep, height):.0f}" lang="{lang}" '
        'stroke-linejoin="round" stroke-linecap="round" '
        "font-family=\"system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif\">"
        f"<title>{escape(scene.say(words.TITLE))}</title><style>{_STYLE}</style>"
        f'<g class="ground">{box(0, 0, WIDTH, round(height), GROUND, 14, stroke="none")}</g>{"".join(parts)}</svg>'
    )


def _wide(island: Part, beside: Sequence[Part], below: Sequence[Part]) -> tuple[list[tuple[float, float]], float]:
    """Where everything stands on a wide page, and the height of that: panels beside the island and under it."""
    left, y = _MARGIN + island.width + _GAP, float(_MARGIN)
    places = [(float(_MARGIN), y)]
    for part in beside:
        places.append((left, y))
        y += part.height + _GAP
    top = max(y, _MARGIN + island.height + _GAP)
    places += [(_MARGIN + number * (WIDTH - 2 * _MARGIN - PANEL) / 2, top) for number in range(len(below))]
    return places, top + max(part.height for part in below) + _MARGIN


def _narrow(island: Part, panels: Sequence[Part]) -> tuple[list[tuple[float, float, float]], float]:
    """Where everything stands on a narrow page, with its scale, and the height: a panel, the island, the others."""
    scale, grown = WIDTH / _NARROW, WIDTH / (island.width + 12)
    y, places = 8 * scale, []
    for number, panel in enumerate(panels):
        places.append((8 * scale, y, scale))
        y += (panel.height + 8) * scale
        if number == 0:
            at = (6 * grown, y, grown)
            y += island.height * grown + 8 * scale
    return [at, *places], y
