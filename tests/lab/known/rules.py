"""The rules of the known games: two players decide by turns between up to three options."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill import rule
from playmill.engine.lang.rng import below

VERSION = 1
MAX_PLAYERS, MAX_ACTIONS = 2, 3
COIN, DISCARDS, SCISSORS, NIM, FIRST, DOMINATED = range(6)
#: Whoever takes the last of so many wins: who begins can always leave a multiple of four.
PILE = 9
#: Decisions of a game that does not end by itself.
_TWICE, _FOUR = 2, 4

State = np.dtype(
    [("player", "i1"), ("said", "i1"), ("winner", "i1"), ("pile", "i1"), ("named", "i1", (2,)), ("points", "i1", (2,))],
    align=True,
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Nobody has won yet."""
    s.winner = -1
    s.pile = PILE


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Three options, of the last two in the pile as many as there are."""
    n = 0
    for action in range(MAX_ACTIONS):
        if s.player >= 0 and (cfg.game != NIM or action < s.pile):
            out.ids[n] = action
            n += 1
    return n


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """What each of the games makes of an option."""
    s.said += 1
    over = s.said == (_FOUR if cfg.game == DOMINATED else _TWICE)
    if cfg.game == NIM:
        s.pile -= action + 1
        over = s.pile == 0
        s.winner = s.player
    elif cfg.game == DISCARDS:
        for _ in range(action):
            below(rng, 0, 2)
    elif cfg.game == DOMINATED:
        s.points[s.player] += 3 * action if action < 2 else 1 + below(rng, 0, 6)
    s.named[s.player] = action
    if over and cfg.game != NIM:
        s.winner = winner(cfg, s, rng)
    s.player = -1 if over else 1 - s.player


@rule
def winner(cfg: Any, s: Any, rng: Any) -> int:
    """Who has won; -1: nobody."""
    if cfg.game == FIRST:
        return 0
    if cfg.game == SCISSORS:
        ahead = (s.named[0] - s.named[1] + 3) % 3
        return -1 if ahead == 0 else ahead - 1
    if cfg.game == DOMINATED:
        return -1 if s.points[0] == s.points[1] else (0 if s.points[0] > s.points[1] else 1)
    return below(rng, 0, 2)


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """1 to the winner."""
    for seat in range(MAX_PLAYERS):
        out[seat] = 0.5 if s.winner < 0 else (1.0 if s.winner == seat else 0.0)
