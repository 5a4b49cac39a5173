"""Text view: an SVG of a position in words with a button for each option, for games that draw nothing."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from functools import partial
from html import escape
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np

from playmill.texts import Lang

if TYPE_CHECKING:
    from playmill.engine.config.model import RuleConfig
    from playmill.engine.contract.game import Game

#: Letters of one width, so that what a game has set in columns stays so: their size, their width, lines.
_SIZE, _LETTER, _LINE = 16, 9.7, 24
_MARGIN, _PAD, _BUTTON = 12, 20, 46
#: Pictures are this many letters wide, the narrowest that will do; only a line with columns may be longer.
_WIDTHS = (26, 32, 38, 44)
_ACROSS = _WIDTHS[-1]
#: A picture is drawn no larger than this.
_LARGEST = 1.4
_FONT = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"
_INK, _PANEL, _EDGE, _NIGHT = "#2b2a33", "#fffdf8", "#ddd6c8", "#2d2748"
_DARK = (
    (_INK, "fill", "#ece8df"),
    (_PANEL, "fill", "#22202b"),
    (_EDGE, "stroke", "#3d3a48"),
    (_NIGHT, "fill", "#4a4178"),
)
_STYLE = (
    ".playmill-plain{display:block;width:100%;height:auto;margin:0 auto}"
    ".playmill-plain text{white-space:pre}.playmill-plain .act{cursor:pointer}"
    ".playmill-plain .act:hover .face,.playmill-plain .act:focus .face{stroke:#c8741a;stroke-width:3}"
    "@supports (color:light-dark(red,red)){:root.playmill-plain{color-scheme:light dark}.playmill-plain{"
    + "".join(f'[{on}="{light}"]{{{on}:light-dark({light},{dark})}}' for light, on, dark in _DARK)
    + "}}"
)


def draws_text(game: Game) -> bool:
    """Returns whether the pictures of a game are nothing but words."""
    return isinstance(game.view, partial) and game.view.func is plain_view


def plain_view(
    words: ModuleType, config: RuleConfig, s: np.void, player: int | None, legal: Sequence[int], lang: Lang
) -> str:
    """The whole position in words, and to whoever moves every option as a button."""
    shown = legal if player is not None and player == s["player"] else ()
    options = [(action, words.describe(config, action).of(lang)) for action in shown]
    return plain_picture(words.position(config, s, lang), options, words.TITLE.of(lang), lang)


def plain_picture(text: str, options: Sequence[tuple[int, str]], title: str, lang: Lang) -> str:
    """Words as a picture, with a button for each of some options."""
    lines = [part for line in text.splitlines() for part in _broken(line)]
    buttons = [(action, _broken(line[:1].upper() + line[1:])) for action, line in options]
    longest = max([0, *map(len, lines), *(len(part) + 1 for _, words in buttons for part in words)])
    across = next((width for width in _WIDTHS if width >= longest), longest)
    width = _wide(across)
    y = _MARGIN + _PAD + _SIZE
    parts = [*_rows(lines, _MARGIN + _PAD, y, _INK)]
    y += _LINE * len(lines)
    for action, words in buttons:
        tall = _BUTTON + _LINE * (len(words) - 1)
        face = f'<rect class="face" x="{_MARGIN + 10}" y="{y}" width="{width - 2 * _MARGIN - 20}" height="{tall}" '
        face += f'rx="10" fill="{_NIGHT}"/>'
        face += "".join(_rows(words, _MARGIN + _PAD, y + 28, "#ffffff"))
        mark = f'class="act" data-a="{action}" role="button" tabindex="0"'
        parts.append(f"<g {mark}><title>{escape(' '.join(words))}</title>{face}</g>")
        y += tall + 8
    height = y + _MARGIN
    panel = f'x="{_MARGIN}" y="{_MARGIN}" width="{width - 2 * _MARGIN}" height="{height - 2 * _MARGIN}" rx="14"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="playmill-plain across-{across}" '
        f'viewBox="0 0 {width} {height}" lang="{lang}" xml:space="preserve" '
        f'font-family="{_FONT}" font-size="{_SIZE}">'
        f"<title>{escape(title)}</title>"
        f"<style>{_STYLE}</style>"
        f'<g class="part"><rect {panel} fill="{_PANEL}" stroke="{_EDGE}"/>{"".join(parts)}</g></svg>'
    )


def _wide(letters: int) -> int:
    return round(letters * _LETTER) + 2 * (_MARGIN + _PAD)


#: One style for all pictures of a page, however wide each of them is.
_STYLE += "".join(
    f".playmill-plain.across-{letters}{{max-width:{_wide(letters) * _LARGEST:.0f}px!important}}" for letters in _WIDTHS
)


def _broken(line: str) -> list[str]:
    """A line of words in as many as it needs; columns are left alone."""
    return [line] if "  " in line.strip() else textwrap.wrap(line, _ACROSS, subsequent_indent="  ") or [""]


def _rows(lines: Iterable[str], x: float, y: float, fill: str) -> Iterable[str]:
    for row, line in enumerate(lines):
        yield f'<text x="{x}" y="{y + _LINE * row}" fill="{fill}">{escape(line)}</text>' if line else ""
