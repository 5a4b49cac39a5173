"""Play-outs: a game played on from a position to its end, again and again. Compiled once for each game and agent.

The position lies on the desk in place of the blank one. What happens in play-out number k depends on the position, the
seed and k alone. Play-out k of two positions has the same luck: their difference is less noisy than each of them.
"""

from __future__ import annotations

from typing import Any

from playmill.engine.loops import BLANK, LIVE
from playmill.engine.rng import seed_luck, seed_whims
from playmill.engine.rule import rule
from playmill.engine.slots import (
    apply_action,
    choose,
    conceal,
    count_actions,
    nth_action,
    returns,
)

#: In place of a player: nothing is dealt anew; or all that any single player cannot know.
OPEN, EVERYBODY = -2, -1
#: Worlds are guessed with luck of their own: it must not repeat what the game goes on with.
_GUESS = 0x5DEECE66D


@rule
def play_on(desks: Any, pages: Any, seed: int, first: int, players: int, eyes: int, paid: Any) -> None:
    """Plays play-outs first, first+1, … of the position: one row of returns for each."""
    desk = desks[0]
    for i in range(paid.shape[0]):
        seed_luck(desk.luck, seed, first + i)
        seed_whims(desk.whims, seed, first + i)
        seed_luck(desk.guess, seed + _GUESS, first + i)
        desk.states[LIVE] = desk.states[BLANK]
        s = desk.states[LIVE]
        for player in range(players):
            if s.player >= 0 and eyes in (EVERYBODY, player):
                conceal(desk.cfg, s, player, desk.guess)
        while s.player >= 0:
            n = count_actions(desk.cfg, s, desk.legal)
            action = choose(desk.seats[s.player], desk, pages, n) if n > 1 else nth_action(desk.cfg, s, desk.legal, 0)
            apply_action(desk.cfg, s, action, desk.luck)
        returns(desk.cfg, s, paid[i])
