"""Step loop: games driven from Python, one or many at a time; `run/stepper.py` specialises it for each game.

What can be asked of one game is one compiled function that is handed an address and whole numbers: taking a record
apart for each call costs ten times what a decision does. In it, and in the one for many games, every rule is called in
one place only, so that the compiler meets it once.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.kernels.placeholders import (
    apply_action,
    choose,
    conceal,
    count_actions,
    legal_actions,
    nth_action,
    observe,
    outcome,
    returns,
)
from playmill.engine.kernels.play import LIVE, deal
from playmill.engine.lang.rng import below
from playmill.engine.lang.rule import rule


@rule
def table_at(address: int) -> Any:
    """The record at an address; generated for each game."""


#: What can be asked of a game: in bits whether to deal, to move, and to go on to a decision with a choice;
DEALS, MOVES, SETTLES = 1, 2, 4
OPTIONS, BEGIN, OPEN, STEP, ACT = 0, DEALS, DEALS | SETTLES, MOVES, MOVES | SETTLES
#: or something else.
COUNT, PICK, CHANCE, SEE, HIDE, PAY, FINISH = range(8, 15)
#: What can be done with many games: all dealt, all moved, those with a 1 for an action dealt anew, all looked at.
DEAL, MOVE, RENEW, LOOK = range(4)
#: Games in a row that ask nobody anything; after this many nobody believes that there is one that does.
MOST_SILENT = 1000


@rule
def ask(address: int, what: int, first: int, second: int) -> int:
    """Asks one thing of the game at an address, and returns a number; what else comes of it lies there (`stepper.py`).

    The number is that of the options of the next decision, unless something else was asked for. An action that is none
    of the `second` options is answered with -1, and nothing has happened.
    """
    table = table_at(address)
    workspace = table.workspace
    s = workspace.states[LIVE]
    if what == SEE:
        observe(workspace.cfg, s, first, table.seen)
        return 0
    if what == PAY:
        returns(workspace.cfg, s, table.paid)
        return 0
    if what == FINISH:
        outcome(workspace.cfg, s, table.row)
        table.row.decisions = first
        return 0
    if what == HIDE:
        conceal(workspace.cfg, s, first, workspace.conceal_rng)
        return 0
    if COUNT <= what <= PICK:
        n = count_actions(workspace.cfg, s, workspace.legal)
        if what == COUNT:
            return n
    if PICK <= what <= CHANCE:
        k = first
        if what == CHANCE:
            k = below(workspace.agent_rng, s.player, first)
        return nth_action(workspace.cfg, s, workspace.legal, k)
    if what & DEALS:
        deal(workspace, workspace, first, second)
    moves = what & MOVES != 0
    if what == ACT:
        place = 0
        while place < second and workspace.legal.ids[place] != first:
            place += 1
        if place == second:
            return -1
    action = first
    while True:
        if moves:
            apply_action(workspace.cfg, s, action, workspace.rng)
        n = legal_actions(workspace.cfg, s, workspace.legal)
        if n != 1 or not what & SETTLES:
            return n
        action = workspace.legal.ids[0]
        moves = True


@rule
def is_option(workspace: Any, options: int, action: int) -> bool:
    """Whether an action is one of n options listed in a workspace."""
    place = 0
    while place < options and workspace.legal.ids[place] != action:
        place += 1
    return place < options


@rule
def ask_place(
    match: Any,
    workspace: Any,
    lookup: Any,
    what: int,
    goes_on: int,
    seed: int,
    action: int,
    i: int,
    options: Any,
    numbers: Any,
    ended: Any,
    rewards: Any,
    seen: Any,
    mask: Any,
) -> int:
    """What `ask_all` does with the game at index i, in this workspace; -1, or -2 if the game cannot go on."""
    s = workspace.states[LIVE]
    n = options[i]
    decider = s.player
    moves = n > 0 and what == MOVE
    deals = what == DEAL or (what == RENEW and action != 0)
    changes = moves or deals
    if what != LOOK:  # a game that is not dealt anew has brought nothing, either, in this call
        ended[i] = False
        for seat in range(rewards.shape[1]):
            rewards[i, seat] = 0.0
    if deals and what == RENEW:
        numbers[i] += options.shape[0]
    silent = 0
    while changes:
        if deals:
            deal(match, workspace, seed, numbers[i])
            decider = -1
        elif moves:
            apply_action(match.cfg, s, action, workspace.rng)
        deals = False
        moves = True
        n = legal_actions(match.cfg, s, workspace.legal)
        if n == 1:
            action = workspace.legal.ids[0]
        elif n > 1:
            if match.seats[s.player] < 0:
                break
            action = choose(match.seats[s.player], match, workspace, lookup, n)
            if action < 0:
                return -2
        else:
            if s.player >= 0:
                return -2
            passed_over = decider < 0 and (goes_on != 0 or what == RENEW)
            if not passed_over:
                ended[i] = True
                returns(match.cfg, s, rewards[i])
                if goes_on == 0:
                    break
            silent += passed_over
            if silent == MOST_SILENT:
                return -2
            numbers[i] += options.shape[0]
            deals = True
    options[i] = n
    if n > 0:
        decider = s.player
    if seen.shape[0] > 0 and decider >= 0 and (changes or what == LOOK):
        observe(match.cfg, s, decider, seen[i])
    if mask.shape[0] > 0 and (changes or what == LOOK):
        for option in range(mask.shape[1]):
            mask[i, option] = False
        for place in range(n):
            mask[i, workspace.legal.ids[place]] = True
    return -1


@rule
def ask_all(
    workspaces: Any,
    lookup: Any,
    what: int,
    goes_on: int,
    seed: int,
    actions: Any,
    options: Any,
    numbers: Any,
    ended: Any,
    rewards: Any,
    seen: Any,
    mask: Any,
) -> int:
    """Deals the games of these numbers of a run, or moves in every game that is not over, to the next decision asked.

    Seats with an agent of their own are played by it. Where a game is over the next one has the number that lies as
    many further on as there are places; if the batch goes on it is dealt in the same call, and one that asks nothing is
    passed over. Rewards are paid in the call that ends a game. What the player to move sees is written if there is room
    for it, and so are the options; of a game that is over, what the last to decide sees.

    If an action is illegal the place of its game is returned, and no game has moved; else -1, or -2 less the place of
    a game that cannot go on.
    """
    if what == MOVE:
        for i in range(workspaces.shape[0]):
            if options[i] > 0 and not is_option(workspaces[i], options[i], actions[i]):
                return i
    for i in range(workspaces.shape[0]):
        workspace = workspaces[i]
        trouble = ask_place(
            workspace,
            workspace,
            lookup,
            what,
            goes_on,
            seed,
            actions[i],
            i,
            options,
            numbers,
            ended,
            rewards,
            seen,
            mask,
        )
        if trouble < -1:
            return -2 - i
    return -1
