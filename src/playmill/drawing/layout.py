"""Layout of a picture: parts in rows on a wide page, in other rows, each scaled to the width, on a narrow one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from playmill.drawing.svg import FONT, GROUND, box
from playmill.texts import Lang

#: Around everything, and between parts, in units of the wide page; the same on a phone, in units of its parts there.
MARGIN, GAP = 18, 12
_NARROW_GAP = 16


@dataclass(frozen=True)
class Part:
    """A piece of the picture with its size."""

    drawn: str
    width: float
    height: float


def panel(drawn: str, width: float, height: float) -> Part:
    """A part on a sheet of its own."""
    return Part(box(0, 0, width, height) + drawn, width, height)


#: Where a part stands: left, top, and how much larger it is than drawn.
Spot = tuple[float, float, float]
Rows = Sequence[Sequence[Part]]


def in_rows(rows: Rows, width: float) -> tuple[list[Spot], float]:
    """Spots of parts in rows as they are, each row from the left to the right edge, and the height of it all."""
    spots: list[Spot] = []
    y = float(MARGIN)
    for row in rows:
        spare = width - 2 * MARGIN - sum(part.width for part in row)
        gap = spare / (len(row) - 1) if len(row) > 1 else 0
        x = float(MARGIN)
        for part in row:
            spots.append((x, y, 1.0))
            x += part.width + gap
        y += max(part.height for part in row) + GAP
    return spots, y - GAP + MARGIN


def enlarged(rows: Rows, width: float) -> tuple[list[Spot], float]:
    """Spots of parts in rows, each row so large that it takes the whole width, and the height of it all."""
    spots: list[Spot] = []
    y = float(_NARROW_GAP)
    for row in rows:
        scale = (width - _NARROW_GAP * (len(row) + 1)) / sum(part.width for part in row)
        x = float(_NARROW_GAP)
        for part in row:
            spots.append((x, y, scale))
            x += part.width * scale + _NARROW_GAP
        y += max(part.height for part in row) * scale + _NARROW_GAP
    return spots, y


def picture(
    name: str,
    title: str,
    style: str,
    lang: Lang,
    *,
    width: float,
    wide: Rows,
    narrow: Rows,
    at_once: int | None = None,
    defs: str = "",
) -> str:
    """The picture of a game whose class is `name`: the same parts in two orders of rows, after what they all use.

    If so many of the wide rows are to be seen `at_once`, a table shows it no larger than that; they should keep their
    heights, or the picture grows and shrinks.
    """
    spots, height = in_rows(wide, width)
    fold = in_rows(wide[:at_once], width)[1] if at_once is not None else None
    small, deep = enlarged(narrow, width)
    at = {id(part): spot for part, spot in zip((part for row in narrow for part in row), small, strict=True)}
    drawn = []
    for part, (x, y, _) in zip((part for row in wide for part in row), spots, strict=True):
        drawn.append(placed(part, x, y, at[id(part)]))
    body = defs + "".join(drawn)
    return framed(name, title, style, lang, width=width, height=height, deep=deep, fold=fold, body=body)


def one_column(
    board: Part, panels: Sequence[Part], width: float, *, most: float = math.inf, least: float = 0
) -> tuple[list[Spot], float]:
    """Spots of a board and its panels of one width on a narrow page, and the height: a panel, the board, the others.

    The board is made `most` times as large at most, and has a height of at `least` this.
    """
    gap = 8 * width / (panels[0].width + 16)
    grown = min(width / (board.width + 12), most)
    y, spots = gap, []
    for number, panel in enumerate(panels):
        scale = (width - 2 * gap) / panel.width
        spots.append((gap, y, scale))
        y += panel.height * scale + gap
        if number == 0:
            spots.insert(0, ((width - board.width * grown) / 2, y, grown))
            y += max(least, board.height * grown) + gap
    return spots, y


def placed(part: Part, x: float, y: float, narrow: Spot, middle: Spot | None = None, more: str = "") -> str:
    """A part at its place on a wide page, which knows its spot on a narrow one and, if there is one, on one between."""
    left, top, scale = narrow
    style = f"--x:{left:.1f}px;--y:{top:.1f}px;--k:{scale:.3f}"
    if middle is not None:
        left, top, scale = middle
        style += f";--mx:{left:.1f}px;--my:{top:.1f}px;--mk:{scale:.3f}"
    style += more
    return f'<g class="part" transform="translate({x:.1f} {y:.1f})" style="{style}">{part.drawn}</g>'


def framed(
    name: str,
    title: str,
    style: str,
    lang: Lang,
    *,
    width: float,
    height: float,
    deep: float,
    body: str,
    middle: float | None = None,
    fold: float | None = None,
) -> str:
    """The whole picture around its parts; `deep` is its height on a narrow page, `middle` on one between.

    Down to `fold` it is to be seen at once.
    """
    height = round(height)
    room = f"--narrow:{width:g}/{max(deep, height):.0f}"
    room += f";--middle:{width:g}/{max(middle, height):.0f}" if middle is not None else ""
    room += f";--fold:{fold / width:.3f}" if fold is not None else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{name}" viewBox="0 0 {width:g} {height}" '
        f'preserveAspectRatio="xMinYMin meet" style="{room}" lang="{lang}" '
        f'stroke-linejoin="round" stroke-linecap="round" font-family="{FONT}">'
        f"<title>{escape(title)}</title><style>{style}</style>"
        f'<g class="ground">{box(0, 0, width, height, GROUND, 14, stroke="none")}</g>{body}</svg>'
    )
