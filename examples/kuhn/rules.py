"""Kuhn poker: a jack, a queen and a king; each of two players gets one; one bet; the higher card takes the pot."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import below, rule

MAX_PLAYERS = 2
JACK, QUEEN, KING = range(3)
CARDS = 3
CHECK, BET, FOLD, CALL = range(4)
MAX_ACTIONS, MAX_LEGAL = 4, 2
NOBODY = -1
DEAL = 0

State = np.dtype(
    [("player", np.int8), ("folded", np.int8), ("card", np.int8, (2,)), ("paid", np.int32, (2,))], align=True
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Both pay the ante and get a card; seat 0 speaks first."""
    s.folded = NOBODY
    s.card[0] = below(rng, DEAL, CARDS)
    s.card[1] = another(rng, DEAL, s.card[0])
    s.paid[0] = cfg.ante
    s.paid[1] = cfg.ante


@rule
def another(rng: Any, stream: int, card: int) -> int:
    """One of the two other cards."""
    return (card + 1 + below(rng, stream, CARDS - 1)) % CARDS


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Check or bet; after a bet, fold or call."""
    if s.player < 0:
        return 0
    first = CHECK if s.paid[0] == s.paid[1] else FOLD
    out.ids[0] = first
    out.ids[1] = first + 1
    return 2


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """A first check and a bet pass the word on, everything else is the end."""
    player = s.player
    if action in (BET, CALL):
        s.paid[player] += cfg.bet
    elif action == FOLD:
        s.folded = player
    goes_on = action == BET or (action == CHECK and player == 0)
    s.player = 1 - player if goes_on else NOBODY


@rule
def winner_of(s: Any) -> int:
    """Who takes the pot of a finished game."""
    if s.folded != NOBODY:
        return int(1 - s.folded)
    return 0 if s.card[0] > s.card[1] else 1


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """The winner gets what the other has paid."""
    winner = winner_of(s)
    out[winner] = s.paid[1 - winner]
    out[1 - winner] = -s.paid[1 - winner]


def stakes(config: Any, players: int) -> tuple[int, int, int]:
    """All that can be paid is won or lost."""
    most = config.ante + config.bet
    return -most, most, 0


STAKES = stakes
