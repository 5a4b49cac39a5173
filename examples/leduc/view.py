"""What lies on the table of Leduc poker."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text
from playmill.author.table import Area, Card, Header, Phases, Player, Row, Token

from .words import seen

ROUNDS = (Text("first round", "первый круг"), Text("second round", "второй круг"))


def table(config: Any, s: Any, player: int | None, lang: Lang) -> list[Row]:
    """The card for both with the pot, and a card before each player with what they have paid."""
    known = seen(config, s, player, lang)
    areas = [
        Player(seat, [_card(known["cards"][seat]), Token("yellow", count=paid, title=Text("paid", "внесено"))])
        for seat, paid in enumerate(known["paid"])
    ]
    pot = Token("yellow", count=sum(known["paid"]), title=Text("in the pot", "в банке"))
    return [
        [Header(), Phases(ROUNDS, known["round"] - 1)],
        Area(Text("On the table", "На столе"), [_card(known["table"]), pot], surface="felt"),
        areas,
    ]


def _card(name: str | None) -> Card:
    return Card(name, colour="blue") if name else Card(down=True)
