"""What lies on the table of Kuhn poker."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text
from playmill.author.table import Area, Card, Player, Row, Token

from .words import seen


def table(config: Any, s: Any, player: int | None, lang: Lang) -> list[Row]:
    """A card before each player with what they have paid, and the pot."""
    known = seen(config, s, player, lang)
    areas = []
    for seat, paid in enumerate(known["paid"]):
        name = known["cards"][seat]
        card = Card(name, colour="blue") if name else Card(down=True)
        areas.append(Player(seat, [card, Token("yellow", count=paid, title=Text("paid", "внесено"))]))
    pot = Token("yellow", count=sum(known["paid"]), title=Text("in the pot", "в банке"))
    return [Area(Text("The pot", "Банк"), [pot], surface="felt"), areas]
