"""Leduc poker: two jacks, two queens, two kings; a card each, a round of bets, a card for both, a round of bets."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import below, rule

from .config import MOST_BETS

MAX_PLAYERS = 2
#: Two cards of each rank, which nothing tells apart.
CARDS, ALIKE = 6, 2
#: Where a card lies: before either player, or on the table.
TABLE = 2
NO_CARD = -1
CHECK, BET, FOLD, CALL, RAISE = range(5)
MAX_ACTIONS, MAX_LEGAL = 5, 3
NOBODY = -1
DEAL = 0
#: What can be said in one round: a check, every bet, and the last word.
WORDS = MOST_BETS + 2

State = np.dtype(
    [
        ("player", np.int8),
        ("folded", np.int8),
        ("round", np.int8),
        ("words", np.int8),  # said in this round
        ("bets", np.int8),  # of this round
        ("card", np.int8, (3,)),
        ("paid", np.int32, (2,)),
        ("said", np.int8, (2, WORDS)),  # by round: 1 + action, 0 = nothing yet
    ],
    align=True,
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """Both pay the ante and get a card; a third lies face down on the table; seat 0 speaks first."""
    s.folded = NOBODY
    s.card[0] = another(rng, DEAL, NO_CARD, NO_CARD)
    s.card[1] = another(rng, DEAL, s.card[0], NO_CARD)
    s.card[TABLE] = another(rng, DEAL, s.card[0], s.card[1])
    s.paid[0] = cfg.ante
    s.paid[1] = cfg.ante


@rule
def another(rng: Any, stream: int, taken: int, too: int) -> int:
    """A card that is neither of two."""
    left = CARDS
    for card in range(CARDS):
        if card in (taken, too):
            left -= 1
    k = below(rng, stream, left)
    for card in range(CARDS):
        if card not in (taken, too):
            if k == 0:
                return card
            k -= 1
    return NO_CARD


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Check or bet; after a bet, fold, call or raise, as long as the round may see one more."""
    if s.player < 0:
        return 0
    if s.paid[0] == s.paid[1]:
        out.ids[0] = CHECK
        out.ids[1] = BET
        return 2
    out.ids[0] = FOLD
    out.ids[1] = CALL
    out.ids[2] = RAISE
    return 3 if s.bets < cfg.bets else 2


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """A word is said; a round ends when both have paid the same and both have spoken."""
    player, other = s.player, 1 - s.player
    s.said[s.round, s.words] = 1 + action
    s.words += 1
    if action == FOLD:
        s.folded = player
        s.player = NOBODY
    elif action in (BET, RAISE):
        s.paid[player] = s.paid[other] + cfg.bet[s.round]
        s.bets += 1
        s.player = other
    elif action == CHECK and player == 0:
        s.player = other
    else:
        s.paid[player] = s.paid[other]
        s.player = 0 if s.round == 0 else NOBODY
        if s.round == 0:
            s.round = 1
            s.words = 0
            s.bets = 0


@rule
def rank(card: int) -> int:
    """0 = jack, 1 = queen, 2 = king."""
    return card // ALIKE


@rule
def winner_of(s: Any) -> int:
    """Who takes the pot of a finished game: a pair with the table, else the higher card; NOBODY if they are alike."""
    if s.folded != NOBODY:
        return int(1 - s.folded)
    first, second, table = rank(s.card[0]), rank(s.card[1]), rank(s.card[TABLE])
    if first == second:
        return NOBODY
    if table in (first, second):
        return 0 if first == table else 1
    return 0 if first > second else 1


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """The winner gets what the other has paid; alike, both get theirs back."""
    winner = winner_of(s)
    for player in range(2):
        out[player] = 0.0 if winner == NOBODY else (s.paid[1 - player] if player == winner else -s.paid[player])


def stakes(config: Any, players: int) -> tuple[int, int, int]:
    """All that can be paid is won or lost."""
    most = config.ante + config.bets * (config.first_bet + config.second_bet)
    return -most, most, 0


STAKES = stakes
