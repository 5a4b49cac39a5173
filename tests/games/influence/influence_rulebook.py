"""The clauses of Influence that its rules in words must tell."""

from __future__ import annotations

from common.rulebooks import Checklist

CHECKLIST = Checklist(
    clauses={
        "up to six neighbours": ("up to six neighbours", "до шести соседей"),
        "holes": ("holes where a cell is missing", "могут быть дыры"),
        "weak capacity": ("weak.{0,20}holds up to 8", "слабая.{0,20}вмещает до 8"),
        "strong capacity": ("strong.{0,40}holds up to 12", "сильная.{0,40}вмещает до 12"),
        "start influence": ("one cell with 2 influence; all other cells are empty", "клетке с влиянием 2; остальные"),
        "random starts": ("start cells are drawn at random", "начальные клетки выбирает жребий"),
        "fixed order": ("order that is fixed from the beginning", "порядок определён с самого начала"),
        "attack then defence": ("first .*attack.*then .*defence", "сначала .*атака.*потом .*оборона"),
        "any number of moves": ("as many moves as you like", "сколько угодно ходов"),
        "2 needed": ("needs at least 2 influence", "хотя бы 2 влияния"),
        "only end attack with ones": ("nothing left but to end the attack", "остаётся только закончить атаку"),
        "empty always taken": ("empty cell.{0,6} is always taken", "пустую клетку.{0,6} можно захватить всегда"),
        "12 into weak": ("12 going into an empty weak cell put 8 there and leave 4", "перейдёт 8.*останется 4"),
        "0 %": (r"weaker by 2 or more \| 2 attacks 4 \| 0 %", r"слабее на 2 и больше \| 2 атакует 4 \| 0 %"),
        "25 %": (r"\| 25 %", r"\| 25 %"),
        "50 %": (r"\| 50 %", r"\| 50 %"),
        "75 %": (r"\| 75 %", r"\| 75 %"),
        "100 %": (r"\| 100 %", r"\| 100 %"),
        "success moves the difference": (
            "difference .*moves .*at least 1 and at most",
            "переходит разница.*не меньше 1",
        ),
        "source keeps 1 and the rest": ("keeps 1, and whatever did not fit", "остаётся 1 и всё, что не поместилось"),
        "3 beats 1, 2 beats 2": ("3 attacks 1.*1 and 2.*2 beats 2", "3 атакует 1.*1 и 2.*2 побеждает 2"),
        "failure": ("drops to 1.*keeps at least 1", "остаётся 1. защитник теряет"),
        "points by cells": ("count your cells", "посчитайте свои клетки"),
        "no more than room": ("never get more than your cells can still hold", "не больше, чем ваши клетки ещё могут"),
        "auto": ("automatically.*every cell with room gets one.*different cells", "автоматически.*разным, по одному"),
        "all points placed": ("all of them are placed", "распределяются все"),
        "last one wins at once": ("at once.*middle of your attack", "сразу.*посреди своей атаки"),
        "round limit": ("after 100 rounds.*best.{0,4}result", "после 100 раундов.*лучший.{0,4}результат"),
        "a round": ("one turn of every player who is still on the field", "по одному ходу каждого, кто ещё на поле"),
        "result": ("at the start of your turn, added up over your last 10 turns", "в начале вашего хода.*берётся 10"),
        "fewer turns": ("over fewer, if you had fewer", "или меньше, если столько"),
        "only the living count": ("only those still on the field count", "считаются только те"),
        "draw": ("the game is a draw", "вся партия — ничья"),
        "nothing is hidden": ("nothing is hidden", "ничего не скрыто"),
        "chance": ("chance decides where players start", "случай решает, где кто начинает"),
        "rounds begun": ("count of rounds begun", "раунд считается, как только он начался"),
        "the darker, the more": ("the darker it is, the more influence", "чем клетка темнее"),
        "strong cells are larger": ("strong.{0,4} cell, drawn larger", "сильная.{0,4} нарисована крупнее"),
        "other maps": ("playmill map influence", "playmill map influence"),
    },
    typed=frozenset("123"),
    latin=frozenset({"middle"}),
)
