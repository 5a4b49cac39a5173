"""The table of Kuhn poker as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playmill import Text
from playmill.games.layout import Part, picture
from playmill.games.svg import ACCENT, EMBER, FAINT, NIGHT, PANEL, RAISED, box, label, sheet, text
from playmill.games.things import whole
from playmill.texts import Lang

from .rules import NOBODY
from .words import RANKS, TITLE, describe

_WIDTH, _SEAT, _TALL, _BUTTON = 760, 356, 190, 60
_STYLE = sheet("kuhn", {})
_COVERED = Text("face down", "закрыта")


def view(config: Any, s: Any, player: int | None, legal: Sequence[int], lang: Lang) -> str:
    """Both seats with their cards and chips, and a button for each option of whoever moves."""
    over = s["player"] == NOBODY
    shown = [seat == player or bool(over and s["folded"] == NOBODY) for seat in range(2)]
    seats = [_seat(s, seat, shown[seat], lang) for seat in range(2)]
    options = list(legal) if player is not None and player == s["player"] else []
    buttons = [_button(config, action, lang) for action in options]
    rows = [seats, buttons] if buttons else [seats]
    narrow = [[seat] for seat in seats] + ([buttons] if buttons else [])
    return picture("kuhn", TITLE.of(lang), _STYLE, lang, width=_WIDTH, wide=rows, narrow=narrow)


def _seat(s: Any, seat: int, shown: bool, lang: Lang) -> Part:
    """A player: the card, the chips, and whether it is her turn."""
    card = RANKS[int(s["card"][seat])].of(lang) if shown else _COVERED.of(lang)
    name = Text(f"Player {seat + 1}", f"Игрок {seat + 1}").of(lang)
    paid = Text(f"chips in the pot: {int(s['paid'][seat])}", f"фишек в банке: {int(s['paid'][seat])}").of(lang)
    told = paid if s["folded"] != seat else f"{paid}, {Text('folded', 'карта сброшена').of(lang)}"
    drawn = box(0, 0, _SEAT, _TALL, PANEL, stroke=ACCENT if s["player"] == seat else FAINT)
    drawn += label(20, 38, name, 22, _SEAT - 40, fill=EMBER)
    drawn += box(20, 56, _SEAT - 40, 76, RAISED if shown else NIGHT)
    drawn += text(_SEAT / 2, 103, card, 26, "middle", *(() if shown else ("#ffffff",)))
    return Part(drawn + label(20, 166, told, 20, _SEAT - 40, bold=False), _SEAT, _TALL)


def _button(config: Any, action: int, lang: Lang) -> Part:
    words = describe(config, action).of(lang)
    face = box(0, 0, _SEAT, _BUTTON, NIGHT, extra='class="face"')
    line = label(_SEAT / 2, 37, words, 21, _SEAT - 24, "middle", "#ffffff")
    return Part(whole(action, words, face + line), _SEAT, _BUTTON)
