"""The boards of Grid as text: a whole position, and the boards as an action changes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from playmill.author import Lang, Text
from playmill.games.grid.actions import EMPTY, take_apart
from playmill.games.grid.config import Config
from playmill.games.grid.names import (
    DECK_WORD,
    DISCARD_WORD,
    HAND_WORD,
    OPEN_WORD,
    SKIPS_WORD,
    TO_PLACE_WORD,
    card_key,
    cells_of,
    discard_of,
    hand_of,
    player_name,
    players_of,
    points,
    window_kind,
    zone_of,
)
from playmill.games.grid.story import headline

#: How a cell is marked that an action changed, and one of the pattern being resolved.
CHANGED, OF_PATTERN = "[]", "()"
_LEGEND = Text("[ ] changed now, ( ) the pattern", "[ ] изменилось сейчас, ( ) паттерн")
Marks = Mapping[int, str] | None


def position(config: Config, s: np.void, lang: Lang) -> str:
    """The table as a few lines: boards side by side; the player whose turn it is has a star.

    A card is its rank and colour. A free cell is a dot, in the protected zone a plus.
    """

    def keys(cards: Iterable[int]) -> str:
        return " ".join(card_key(config, card, lang) for card in cards if card != EMPTY) or "–"

    def said(word: Text, cards: Iterable[int]) -> str:
        return f"{word.of(lang)}: {keys(cards)}"

    lines = [headline(config, s).of(lang)]
    lines.append(f"{DECK_WORD.of(lang)}: {s['deck_size']} · {said(DISCARD_WORD, discard_of(s))}")
    open_cards = [int(card) for card in s["revealed"]]
    waiting = [int(s["card"]), *(int(card) for card in s["picked"])]
    if any(open_cards) or any(waiting):
        lines.append(f"{said(OPEN_WORD, open_cards)} · {said(TO_PLACE_WORD, waiting)}")
    hands = [said(HAND_WORD, hand_of(s, seat)) for seat in range(players_of(s))]
    return "\n".join(lines + _side_by_side(config, s, lang, [None] * len(hands), hands))


def boards(config: Config, before: np.void, after: np.void, action: int, lang: Lang) -> str:
    """The boards after an action, with the cells it changed and those of its pattern marked; nothing if there are none.

    A pattern is marked where it lay, also when its cards have left.
    """
    act, number, _ = take_apart(action)
    pattern = window_kind(config, number)[1] if act == "resolve" else cells_of(before["pattern_cells"])
    marks: list[dict[int, str]] = []
    for seat in range(players_of(after)):
        cells = np.flatnonzero(before["board"][seat] != after["board"][seat])
        marks.append({int(cell): CHANGED for cell in cells})
    if not any(marks) and act != "resolve":
        return ""
    marks[int(before["active"])] |= dict.fromkeys(pattern, OF_PATTERN)
    return "\n".join([*_side_by_side(config, after, lang, marks), _LEGEND.of(lang)])


def _side_by_side(
    config: Config, s: np.void, lang: Lang, marks: Sequence[Marks], under: Sequence[str] = ()
) -> list[str]:
    """All boards in a row, under their players' names and scores, and a line under each."""
    blocks = []
    for seat, marked in enumerate(marks):
        who, score = player_name(seat).of(lang), points(s["vp"][seat]).of(lang)
        title = f"{'*' if s['active'] == seat else ' '} {who}: {score}"
        title += f", {SKIPS_WORD.of(lang)}" if s["skip"][seat] else ""
        last = [f"  {line}" for line in under[seat : seat + 1]]
        blocks.append([title, *_board(config, s, seat, lang, marked), *last])
    widths = [max(map(len, block)) for block in blocks]
    rows = ("   ".join(map(str.ljust, row, widths)) for row in zip(*blocks, strict=True))
    return [row.rstrip() for row in rows]


def _board(config: Config, s: np.void, player: int, lang: Lang, marks: Marks) -> list[str]:
    """A board as rows of text with its coordinates; a marked cell stands between its two signs."""
    width, height = config.game.grid.width, config.game.grid.height
    zone = zone_of(config)
    faces = [
        card_key(config, int(card), lang) if card else "+" if cell in zone else "·"
        for cell, card in enumerate(s["board"][player, : width * height])
    ]
    wide = max(2, *map(len, faces))
    signs = [marks.get(cell, "  ") if marks is not None else " " for cell in range(len(faces))]
    pitch = wide + max(map(len, signs))
    cells = [f"{sign[:1]}{face}{sign[1:]}".ljust(pitch) for sign, face in zip(signs, faces, strict=True)]
    rows = ["    " + "".join(str(x).ljust(pitch) for x in range(width)).rstrip()]
    for y in range(height):
        rows.append(f"  {y}" + "".join(cells[y * width : (y + 1) * width]).rstrip())
    return rows
