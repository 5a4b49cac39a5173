"""Courtiers: keep one of two cards; a duel throws somebody out, a shield protects; the best card left wins a token."""

import numpy as np

from playmill.author import rule, shuffle

MAX_PLAYERS = 3
DUEL, SHIELD, SWAP, PRINCE = 1, 2, 3, 4
#: An action is the card played, less 1.
MAX_ACTIONS, MAX_LEGAL = 4, 2
CARDS = 16
COPIES = (5, 4, 4, 3)
STAKES = (0, 1)
DECK = 0

State = np.dtype(
    [
        ("player", np.int8),
        ("winner", np.int8),
        ("round", np.int8),
        ("deck", np.int8, (CARDS,)),
        ("left", np.int8),
        ("hand", np.int8, (MAX_PLAYERS,)),
        ("drawn", np.int8),
        ("discard", np.int8, (CARDS,)),
        ("discarded", np.int8),
        ("out", np.int8, (MAX_PLAYERS,)),
        ("safe", np.int8, (MAX_PLAYERS,)),
        ("tokens", np.int8, (MAX_PLAYERS,)),
    ],
    align=True,
)


@rule
def setup(cfg, s, rng):
    s.winner = -1
    deal(s, 0, rng)


@rule
def deal(s, first, rng):
    """A new round: all cards are shuffled, everybody has one, the first draws."""
    s.round += 1
    place = 0
    for kind in range(4):
        for _ in range(COPIES[kind]):
            s.deck[place] = kind + 1
            place += 1
    shuffle(rng, DECK, s.deck, CARDS)
    s.left = CARDS
    s.discarded = 0
    for seat in range(MAX_PLAYERS):
        s.out[seat] = 0
        s.safe[seat] = 0
        s.hand[seat] = take(s)
    s.player = first
    s.drawn = take(s)


@rule
def take(s):
    """The top card of the deck."""
    s.left -= 1
    return s.deck[s.left]


@rule
def throw(s, card):
    """A card goes to the discard pile."""
    s.discard[s.discarded] = card
    s.discarded += 1


@rule
def legal_actions(cfg, s, out):
    if s.player < 0:
        return 0
    low, high = min(s.hand[s.player], s.drawn), max(s.hand[s.player], s.drawn)
    out.ids[0] = low - 1
    if high == low:
        return 1
    out.ids[1] = high - 1
    return 2


@rule
def next_in(s, seat):
    """The next player who is still in, or the same one."""
    other = (seat + 1) % MAX_PLAYERS
    while s.out[other] == 1:
        other = (other + 1) % MAX_PLAYERS
    return other


@rule
def apply_action(cfg, s, action, rng):
    player, card = s.player, action + 1
    if s.hand[player] == card:
        s.hand[player] = s.drawn
    s.drawn = 0
    throw(s, card)
    other = next_in(s, player)
    if card == SHIELD:
        s.safe[player] = 1
    elif s.safe[other] == 0 and card == SWAP:
        s.hand[player], s.hand[other] = s.hand[other], s.hand[player]
    elif s.safe[other] == 0 and card == DUEL and s.hand[player] != s.hand[other]:
        loser = player if s.hand[player] < s.hand[other] else other
        s.out[loser] = 1
        throw(s, s.hand[loser])
        s.hand[loser] = 0
    go_on(cfg, s, player, rng)


@rule
def go_on(cfg, s, player, rng):
    """The next player draws, unless the round is over."""
    left_in = MAX_PLAYERS - s.out[0] - s.out[1] - s.out[2]
    if left_in > 1 and s.left > 0:
        s.player = next_in(s, player)
        s.safe[s.player] = 0
        s.drawn = take(s)
        return
    best, ties = -1, 0
    for seat in range(MAX_PLAYERS):
        if s.out[seat] == 0:
            if best < 0 or s.hand[seat] > s.hand[best]:
                best, ties = seat, 1
            elif s.hand[seat] == s.hand[best]:
                ties += 1
    if ties == 1:
        s.tokens[best] += 1
        if s.tokens[best] >= cfg.tokens:
            s.winner = best
    if s.winner >= 0 or s.round >= cfg.rounds:
        s.player = -1
    else:
        deal(s, best, rng)


@rule
def returns(cfg, s, out):
    if s.winner >= 0:
        out[s.winner] = 1.0
