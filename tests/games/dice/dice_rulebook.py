"""The clauses of Dice that its rules in words must tell."""

from __future__ import annotations

from common.rulebooks import Checklist, literal
from playmill.games.dice.content import library

CHECKLIST = Checklist(
    clauses={
        "player 1 begins": ("player 1 begins", "начинает игрок 1"),
        "4000 by passing": ("4000.{0,4} or more after passing wins at once", "спасовал и набрал .{0,2}4000.*сразу"),
        "1000 turns": ("after 1000 turns.*draw", "1000 ходов.*ничья"),
        "throw what is not set aside": ("all dice that are not set aside", "все неотложенные кости"),
        "bust": (r"\*\*bust\*\*: your turn points are lost", r"\*\*провал\*\*: очки хода сгорают"),
        "save": ("they are set aside for the rest of your turn", "до конца хода они отложены"),
        "continue": ("save and continue", "сохранить и продолжить"),
        "pass": ("save and pass", "сохранить и спасовать"),
        "hot dice": ("all six are thrown again, while your turn points stay", "все шесть полетят снова, а очки хода"),
        "hot dice may pass": ("may also pass instead", "а можно спасовать"),
        "1-6": (r"exactly 1–6, all six dice \| 1500", r"ровно 1–6, все шесть костей \| 1500"),
        "1-5": (r"exactly 1–5, five dice \| 500", r"ровно 1–5, пять костей \| 500"),
        "2-6": (r"exactly 2–6, five dice \| 750", r"ровно 2–6, пять костей \| 750"),
        "3x1": (r"three 1s \| 1000", r"три единицы \| 1000"),
        "3xf": (r"three 2s \| 200 .*three 6s \| 600", r"три двойки \| 200 .*три шестёрки \| 600"),
        "doubled": ("twice, four times, eight times", "вдвое, вчетверо, ввосьмеро"),
        "single 1 and 5": (r"a single 1 \| 100 .*a single 5 \| 50", r"одна единица \| 100 .*одна пятёрка \| 50"),
        "all saved dice score": ("every die you save has to score", "очки должна давать каждая"),
        "a straight alone": ("a straight is saved alone", "стрит сохраняют отдельно"),
        "positions matter": ("it matters .which. of two equal ones", "важно, .какую. из двух одинаковых"),
        "weights": ("weight.{0,4} for each of its faces", "у каждой грани кости есть .{0,2}вес"),
        "own dice": ("each player brings six dice, one for each position", "шесть своих костей, по одной на каждую"),
        "modifiers": ("after a .{0,2}throw.{0,4} or when somebody .{0,2}passes", "после .{0,2}броска.{0,4} или когда"),
        "modifiers of the table": ("works for both, or to one player", "действует на обоих"),
        "passive items": ("passive.{0,4} items work by themselves", "пассивные.{0,4} предметы работают сами"),
        "active items": ("after a throw that scores and before you save", "после броска, который даёт очки, и до"),
        "cooldown": ("at the start of every turn, no matter whose", "в начале каждого хода, чей бы он ни был"),
        "shield": ("bust shield.{0,4} a throw in which nothing scores", "щит от провала.{0,4} бросок, который ничего"),
        "double": ("next save ×2.{0,4} the base points", "следующее сохранение ×2.{0,4} основные очки"),
        "flags last": ("wait until they are used", "ждут, пока не пригодятся"),
        "flags that end": ("end with the turn, or after some turns", "в конце хода или через несколько ходов"),
        "order after a throw": ("modifiers of the table, modifiers of the player, passive", "общие модификаторы, мод"),
        "every throw": ("after every throw.{0,4}, whether anything scores", "после каждого броска.{0,4}, дал он"),
        "then the bust": ("only then it is asked whether anything scores", "только потом смотрят, есть ли что"),
        "shield of this very roll": ("has just set counts already", "поставленный только что, уже действует"),
        "order on a save": ("doubled, if the flag is set; then passive", "удвоение, если стоит флаг; потом"),
        "order on a pass": (
            "modifiers, then items, those of the table first",
            "модификаторы, потом предметы, сначала общие",
        ),
        "never shrinks": ("but never shrinks", "никогда не уменьшается"),
        "percent": ("rounded toward zero", "округляются к нулю"),
        "below zero": ("may fall below 0.*totals never do", "ниже 0. итог — никогда"),
        "reroll is a throw": ("a throw like any other", "такой же бросок"),
        "setting a face": ("cannot bust you", "провала не бывает"),
        "changed weights": ("so until the end of the turn", "остаются такими до конца хода"),
        "locked": ("keeps its face and is not thrown again this turn", "сохраняет грань и в этом ходе больше не"),
        **{
            f"{kind} {entry.id}": literal(entry.name.text)
            for kind in ("modifiers", "items", "dice", "kits")
            for entry in getattr(library(), kind)
        },
    },
    typed=frozenset("0123456"),
)
