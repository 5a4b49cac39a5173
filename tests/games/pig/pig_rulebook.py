"""The clauses of Pig that its rules in words must tell."""

from __future__ import annotations

from common.rulebooks import Checklist

CHECKLIST = Checklist(
    clauses={
        "first player begins": ("first player begins", "начинает первый игрок"),
        "a 1 loses what is at stake": (r"\*\*1\*\* ends your turn.*is lost", "единица.*сгорает"),
        "holding banks": ("added to your total", "переходят на ваш счёт"),
        "a turn begins with a roll": ("every turn begins with a roll", "любой ход начинается с броска"),
        "reaching the target wins at once": ("100 points or more.*wins at once", "100 очков или больше.*сразу победил"),
        "a limit of turns": ("1000 turns.*draw", "1000 ходов.*ничья"),
    },
    typed=frozenset({"1"}),
)
