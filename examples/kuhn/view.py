"""What lies on the table of Kuhn poker."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text
from playmill.author.table import Facts, Hand, Thing

from .words import seen


def table(config: Any, s: Any, player: int | None, lang: Lang) -> list[Thing]:
    """A card before each player, and the pot."""
    known = seen(config, s, player, lang)
    hands = [
        Hand(Text(f"Player {seat + 1}: paid {paid}", f"Игрок {seat + 1}: внесено {paid}"), [known["cards"][seat]])
        for seat, paid in enumerate(known["paid"])
    ]
    return [*hands, Facts([(Text("In the pot", "В банке"), sum(known["paid"]))])]
