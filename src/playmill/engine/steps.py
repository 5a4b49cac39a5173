"""Games driven from Python, one or many at a time; `stepping.py` puts this behind a copy of `loops.py`.

What can be asked of one game is one compiled function that is handed an address and whole numbers: taking a record
apart for each call costs ten times what a decision does. In it, and in the one for many games, every rule is called in
one place only, so that the compiler meets it once.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.loops import LIVE, deal
from playmill.engine.rng import below
from playmill.engine.rule import rule
from playmill.engine.slots import (
    apply_action,
    conceal,
    count_actions,
    legal_actions,
    nth_action,
    observe,
    outcome,
    returns,
)


@rule
def table_at(address: int) -> Any:
    """The record at an address; generated for each game."""


#: What can be asked of a game: in bits whether to deal, to move, and to go on to a decision with a choice;
DEALS, MOVES, SETTLES = 1, 2, 4
OPTIONS, BEGIN, OPEN, STEP, ACT = 0, DEALS, DEALS | SETTLES, MOVES, MOVES | SETTLES
#: or something else.
COUNT, PICK, CHANCE, SEE, HIDE, PAY, FINISH = range(8, 15)
#: What can be done with many games.
DEAL, MOVE, LOOK = range(3)


@rule
def ask(address: int, what: int, first: int, second: int) -> int:
    """Asks one thing of the game at an address, and returns a number; what else comes of it lies there (`stepping.py`).

    The number is that of the options of the next decision, unless something else was asked for. An action that is none
    of the `second` options is answered with -1, and nothing has happened.
    """
    table = table_at(address)
    desk = table.desk
    s = desk.states[LIVE]
    if what == SEE:
        observe(desk.cfg, s, first, table.seen)
        return 0
    if what == PAY:
        returns(desk.cfg, s, table.paid)
        return 0
    if what == FINISH:
        outcome(desk.cfg, s, table.row)
        table.row.decisions = first
        return 0
    if what == HIDE:
        conceal(desk.cfg, s, first, desk.guess)
        return 0
    if COUNT <= what <= PICK:
        n = count_actions(desk.cfg, s, desk.legal)
        if what == COUNT:
            return n
    if PICK <= what <= CHANCE:
        k = first
        if what == CHANCE:
            k = below(desk.whims, s.player, first)
        return nth_action(desk.cfg, s, desk.legal, k)
    if what & DEALS:
        deal(desk, desk, first, second)
    moves = what & MOVES != 0
    if what == ACT:
        place = 0
        while place < second and desk.legal.ids[place] != first:
            place += 1
        if place == second:
            return -1
    action = first
    while True:
        if moves:
            apply_action(desk.cfg, s, action, desk.luck)
        n = legal_actions(desk.cfg, s, desk.legal)
        if n != 1 or not what & SETTLES:
            return n
        action = desk.legal.ids[0]
        moves = True


@rule
def ask_all(desks: Any, what: int, seed: int, first: int, actions: Any, options: Any, rewards: Any, seen: Any) -> int:
    """Deals games first, first+1, … of a run, or moves in every game that is not over, up to its next real decision.

    Rewards are paid in the step that ends a game. What the player to move sees is written if there is room for it. If
    an action is illegal the place of its game is returned, and no game has moved; else -1.
    """
    if what == MOVE:
        for i in range(desks.shape[0]):
            place = 0
            while place < options[i] and desks[i].legal.ids[place] != actions[i]:
                place += 1
            if place == options[i] and place > 0:
                return i
    for i in range(desks.shape[0]):
        desk = desks[i]
        s = desk.states[LIVE]
        if what != LOOK:
            for seat in range(rewards.shape[1]):
                rewards[i, seat] = 0.0
        if what == DEAL:
            deal(desk, desk, seed, first + i)
        elif options[i] == 0:
            continue
        moves = what == MOVE
        action = actions[i]
        n = options[i]
        while what != LOOK:
            if moves:
                apply_action(desk.cfg, s, action, desk.luck)
            n = legal_actions(desk.cfg, s, desk.legal)
            if n != 1:
                break
            action = desk.legal.ids[0]
            moves = True
        options[i] = n
        if n == 0 and what == MOVE:
            returns(desk.cfg, s, rewards[i])
        if n > 0 and seen.shape[0] > 0:
            observe(desk.cfg, s, s.player, seen[i])
    return -1
