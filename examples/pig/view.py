"""What lies on the table of Pig."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text
from playmill.author.table import Area, Button, Die, Header, Row, Scores

from .rules import HOLD, ROLL


def table(config: Any, s: Any, player: int | None, lang: Lang) -> list[Row]:
    """The points of both, and the die with what is at stake."""
    pot, turn = int(s["pot"]), int(s["turns"]) + 1
    goal = Text("turn {} · first to {}", "ход {} · игра до {}").format(turn, config.target)
    die = Die(None, sides=config.faces, action=ROLL, title=Text("the die", "кость"))
    hold = Button(Text("hold", "остановиться"), action=HOLD)
    more = [pot if seat == s["player"] else 0 for seat in range(2)]
    return [
        Header(goal),
        [
            Scores(s["total"].tolist(), config.target, more),
            Area(Text("at stake", "на кону"), [die, hold], surface="wood", note=str(pot)),
        ],
    ]
