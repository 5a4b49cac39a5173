"""Every sentence of Pig, in both languages."""

from __future__ import annotations

from typing import Any

from playmill.author import Text
from playmill.author.words import Act, Acts, Line, fact, total

from .rules import HOLD, NOBODY, ROLL

TITLE = Text("Pig", "Свинья")
ABOUT = Text("roll again or hold: a 1 loses the turn", "бросить ещё или остановиться: единица сжигает ход")
DECISION_NAMES = {"roll or hold": Text("roll or hold", "бросить или остановиться")}
ACTS = Acts(
    Act(ROLL, "roll", Text("rolls the die", "бросает кость")),
    Act(HOLD, "hold", Text("holds", "останавливается")),
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields


def decision_kind(s: Any) -> str:
    """There is one kind of decision."""
    return "roll or hold"


def seen(config: Any, s: Any, player: int, lang: str) -> dict[str, Any]:
    """What a player sees: everything."""
    return {"pot": int(s["pot"]), "totals": s["total"].tolist(), "target": config.target, "turn": int(s["turns"])}


def events(config: Any, before: Any, after: Any, action: int) -> list[Text]:
    """What an action led to."""
    told = []
    if after["player"] != before["player"]:
        if action == ROLL:
            told.append(Text("a 1: the turn's points are lost", "единица: очки хода сгорели"))
        who = int(before["player"])
        told.append(Text(f"total {int(after['total'][who])}", f"всего {int(after['total'][who])}"))
        if after["player"] == after["winner"] == NOBODY:
            told.append(Text("no turns are left: a draw", "ходов больше нет: ничья"))
    else:
        told.append(Text(f"{int(after['pot'])} points at stake", f"на кону очков: {int(after['pot'])}"))
    return told


def counting(config: Any, s: Any) -> list[Line]:
    """The count at the end: what both have banked, and how far each is from the goal."""
    missing = [max(0, config.target - points) for points in s["total"].tolist()]
    return [
        total(Text("Points", "Очков"), s["total"].tolist()),
        fact(Text("Short of the goal", "Не хватило до цели"), [short or None for short in missing]),
    ]


def position(config: Any, s: Any, lang: str) -> str:
    """The position in a line."""
    totals = " : ".join(map(str, s["total"].tolist()))
    return Text(f"totals {totals}, at stake {int(s['pot'])}", f"счёт {totals}, на кону {int(s['pot'])}").of(
        "ru" if lang == "ru" else "en"
    )
