"""Draws the island of Save Oneself as one SVG; what can be clicked carries its action in `data-a`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Lang
from playmill.drawing.layout import GAP, MARGIN, Part, Spot, framed, one_column, placed
from playmill.drawing.svg import EMBER, sheet
from playmill.games.save_oneself import words
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.view.board import board
from playmill.games.save_oneself.view.panels import deck, reference, ship_and_signals, status
from playmill.games.save_oneself.view.scene import BOARD, IslandScene
from playmill.games.save_oneself.view.shapes import AT_NIGHT, PANEL

WIDTH = 2 * MARGIN + BOARD + GAP + PANEL
#: Beside a list of moves, where there is little room: the island's share of the width.
_ISLAND = 0.58

_THIS = ".playmill-save-oneself"
_STYLE = sheet(
    "playmill-save-oneself",
    AT_NIGHT,
    middle=860,
    extra=f"{_THIS} .pawn{{pointer-events:none}}"
    f"{_THIS} .hit{{fill:#fff;fill-opacity:.12}}{_THIS} .not .hit{{fill-opacity:0}}"
    f"{_THIS} .act:hover .hit,{_THIS} .act:focus .hit{{fill-opacity:.42}}"
    f"{_THIS} .act:hover .face,{_THIS} .act:focus .face{{stroke-dasharray:none}}"
    # What has changed is another thing than before, and comes with a leap: lives, and the side of a card.
    "@media (prefers-reduced-motion:no-preference){"
    f"{_THIS} .jump{{transform-box:fill-box;transform-origin:center;animation:playmill-jump .5s ease-out}}"
    f"{_THIS} .flip{{transform-box:fill-box;transform-origin:center;animation:playmill-flip .35s ease-out}}"
    # The phases of a round that pass by themselves are lit in turn; the present one comes after them.
    + "".join(
        f"{_THIS} .passed.in-{round} rect{{animation:playmill-lit-{round} var(--for) linear var(--at)}}"
        f"{_THIS} .passed.in-{round} text{{animation:playmill-lit-words-{round} var(--for) linear var(--at)}}"
        f"{_THIS} .reached.in-{round} rect{{animation:playmill-unlit-{round} var(--for) step-end}}"
        f"{_THIS} .reached.in-{round} text{{animation:playmill-unlit-words-{round} var(--for) step-end}}"
        for round in range(2)
    )
    + "}"
    + "".join(
        f"@keyframes playmill-lit-{round}{{from,to{{fill:{EMBER}}}}}"
        f"@keyframes playmill-lit-words-{round}{{from,to{{fill:#fff}}}}"
        f"@keyframes playmill-unlit-{round}{{from{{fill-opacity:0}}}}"
        f"@keyframes playmill-unlit-words-{round}{{from{{fill:#8d8794}}}}"
        for round in range(2)
    )
    + "@keyframes playmill-jump{from{transform:scale(1)}35%{transform:scale(1.7)}}"
    "@keyframes playmill-flip{from{transform:scaleX(.05)}}",
)


def view(config: Config, s: np.void, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """The island as the player sees it, or a spectator (None): everything but the order of the deck.

    `legal` are the actions of the player to move; they are offered to that player only. On a narrow page everything
    stands in one column.
    """
    scene = IslandScene.seen(config, s, player, legal, lang)
    island, beside = board(scene), [status(scene), ship_and_signals(scene), deck(scene)]
    below = reference(scene)
    places, height = _wide(island, beside, below)
    narrow, deep = one_column(island, [*beside, *below], WIDTH)
    middle, between = _middle(island, beside, below)
    spots = zip((island, *beside, *below), places, narrow, middle, strict=True)
    return framed(
        "playmill-save-oneself",
        scene.say(words.TITLE),
        _STYLE,
        lang,
        width=WIDTH,
        height=height,
        deep=deep,
        body="".join(placed(part, x, y, thin, less) for part, (x, y), thin, less in spots),
        middle=between,
    )


def _wide(island: Part, beside: Sequence[Part], below: Sequence[Part]) -> tuple[list[tuple[float, float]], float]:
    """Where everything stands on a wide page, and the height of that: panels beside the island and under it."""
    left, y = MARGIN + island.width + GAP, float(MARGIN)
    places = [(float(MARGIN), y)]
    for part in beside:
        places.append((left, y))
        y += part.height + GAP
    under = MARGIN + island.height + GAP
    bottom = 0.0
    for number, part in enumerate(below):  # the last column stands under the panels, the others under the island
        x, top = MARGIN + number * (PANEL + GAP), y if number + 1 == len(below) else under
        places.append((x, top))
        bottom = max(bottom, top + part.height)
    return places, bottom + MARGIN


def _middle(island: Part, beside: Sequence[Part], below: Sequence[Part]) -> tuple[list[Spot], float]:
    """Where everything stands beside a list of moves, with its scale, and the height: the words larger than the island.

    The deck stands under the island, the other panels beside it, and the cards in two columns under all that.
    """
    room = WIDTH - 2 * MARGIN - GAP
    grown, scale, half = _ISLAND * room / island.width, (1 - _ISLAND) * room / PANEL, room / 2 / PANEL
    left = right = float(MARGIN)
    places = [(left, left, grown)]
    left += island.height * grown + GAP
    for part in beside[:-1]:
        places.append((MARGIN + island.width * grown + GAP, right, scale))
        right += part.height * scale + GAP
    wide = _ISLAND * room / PANEL
    places.append((float(MARGIN), left, wide))
    columns = [max(left + beside[-1].height * wide + GAP, right)] * 2
    for part in below:
        column = columns.index(min(columns))
        places.append((MARGIN + column * (PANEL * half + GAP), columns[column], half))
        columns[column] += part.height * half + GAP
    return places, max(columns) - GAP + MARGIN
