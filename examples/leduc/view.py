"""What lies on the table of Leduc poker."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text
from playmill.author.table import Facts, Hand, Thing

from .words import seen


def table(config: Any, s: Any, player: int | None, lang: Lang) -> list[Thing]:
    """A card before each player and one for both, the pot, and which round it is."""
    known = seen(config, s, player, lang)
    hands = [
        Hand(Text(f"Player {seat + 1}: paid {paid}", f"Игрок {seat + 1}: внесено {paid}"), [known["cards"][seat]])
        for seat, paid in enumerate(known["paid"])
    ]
    facts = [(Text("In the pot", "В банке"), sum(known["paid"])), (Text("Round", "Круг"), known["round"])]
    return [*hands, Hand(Text("On the table", "На столе"), [known["table"]]), Facts(facts)]
