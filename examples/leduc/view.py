"""The table of Leduc poker as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playmill import Text
from playmill.games.layout import Part, picture
from playmill.games.svg import ACCENT, EMBER, FAINT, NIGHT, PANEL, RAISED, box, label, sheet, text
from playmill.games.things import whole
from playmill.texts import Lang

from .rules import ALIKE, NOBODY, TABLE
from .words import RANKS, TITLE, describe

_WIDTH, _SEAT, _TALL, _BUTTON = 960, 300, 190, 60
_STYLE = sheet("leduc", {})
_COVERED = Text("face down", "закрыта")


def view(config: Any, s: Any, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """Both seats with their cards and chips, the table between them, and a button for each option of whoever moves."""
    over = s["player"] == NOBODY
    shown = [seat == player or bool(over and s["folded"] == NOBODY) for seat in range(2)]
    seats = [_seat(s, seat, shown[seat], lang) for seat in range(2)]
    options = list(legal) if player is not None and player == s["player"] else []
    buttons = [_button(config, action, lang) for action in options]
    middle = _table(s, lang)
    rows = [[seats[0], middle, seats[1]], *([buttons] if buttons else [])]
    narrow = [[seats[0]], [middle], [seats[1]], *([button] for button in buttons)]
    return picture("leduc", TITLE.of(lang), _STYLE, lang, width=_WIDTH, wide=rows, narrow=narrow)


def _seat(s: Any, seat: int, shown: bool, lang: Lang) -> Part:
    """A player: the card, the chips, and whether it is her turn."""
    name = Text(f"Player {seat + 1}", f"Игрок {seat + 1}").of(lang)
    paid = Text(f"chips in the pot: {int(s['paid'][seat])}", f"фишек в банке: {int(s['paid'][seat])}").of(lang)
    told = paid if s["folded"] != seat else f"{paid}, {Text('folded', 'карта сброшена').of(lang)}"
    drawn = box(0, 0, _SEAT, _TALL, PANEL, stroke=ACCENT if s["player"] == seat else FAINT)
    drawn += label(20, 38, name, 22, _SEAT - 40, fill=EMBER)
    drawn += _card(s, seat, shown, lang)
    return Part(drawn + label(20, 166, told, 20, _SEAT - 40, bold=False), _SEAT, _TALL)


def _table(s: Any, lang: Lang) -> Part:
    """The card that belongs to both, and which round it is."""
    told = Text(f"round {int(s['round']) + 1} of 2", f"круг {int(s['round']) + 1} из 2").of(lang)
    drawn = box(0, 0, _SEAT, _TALL, PANEL) + label(20, 38, Text("Table", "Стол").of(lang), 22, _SEAT - 40)
    drawn += _card(s, TABLE, bool(s["round"]), lang)
    return Part(drawn + label(20, 166, told, 20, _SEAT - 40, bold=False), _SEAT, _TALL)


def _card(s: Any, place: int, shown: bool, lang: Lang) -> str:
    """The card at a place, if it is seen there."""
    line = (RANKS[int(s["card"][place]) // ALIKE] if shown else _COVERED).of(lang)
    face = box(20, 56, _SEAT - 40, 76, RAISED if shown else NIGHT)
    return face + text(_SEAT / 2, 103, line, 26, "middle", *(() if shown else ("#ffffff",)))


def _button(config: Any, action: int, lang: Lang) -> Part:
    words = describe(config, action).of(lang)
    face = box(0, 0, _SEAT, _BUTTON, NIGHT, extra='class="face"')
    line = label(_SEAT / 2, 37, words, 21, _SEAT - 24, "middle", "#ffffff")
    return Part(whole(action, words, face + line), _SEAT, _BUTTON)
