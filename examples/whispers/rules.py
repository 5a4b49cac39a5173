"""Whispers: draw a card, play one of two; the last player in, or else the highest card, wins."""

from __future__ import annotations

from typing import Any

import numpy as np

from playmill.author import rule, shuffle

MIN_PLAYERS, MAX_PLAYERS = 2, 4
#: Cards, from the lowest to the highest.
SCOUT, DUEL, SHIELD, SWAP, CROWN = range(5)
KINDS = 5
#: How many there are of each but the scouts, which the config counts.
DUELS, SHIELDS, SWAPS = 3, 3, 2
MAX_CARDS = 6 + DUELS + SHIELDS + SWAPS + 1
#: An action is a card and the seat that it aims at; one's own seat if it aims at nobody.
MAX_ACTIONS, MAX_LEGAL = KINDS * MAX_PLAYERS, 2 * MAX_PLAYERS
#: Streams of luck.
DECK = 0
NO_CARD, NOBODY = -1, -1
#: What a player holds: the card kept, and in the player's own turn the card drawn.
KEPT, DRAWN = 0, 1

State = np.dtype(
    [
        ("player", np.int8),
        ("players", np.int8),
        ("deck", np.int8, (MAX_CARDS,)),
        ("deck_size", np.int8),
        ("aside", np.int8),  # one card lies face down and is not played with
        ("hand", np.int8, (MAX_PLAYERS, 2)),
        ("known", np.int8, (MAX_PLAYERS, 2)),  # bit 1 << seat: who has seen that card
        ("least", np.int8, (MAX_PLAYERS,)),  # the card kept is not lower: everybody saw it win a duel
        ("shielded", np.int8, (MAX_PLAYERS,)),
        ("out", np.int8, (MAX_PLAYERS,)),
        ("played", np.int8, (KINDS,)),
    ],
    align=True,
)


@rule
def setup(cfg: Any, s: Any, rng: Any) -> None:
    """A card is laid aside, everybody gets one, and seat 0 draws."""
    s.players = cfg.players
    for kind in range(KINDS):
        for _ in range(copies(cfg, kind)):
            s.deck[s.deck_size] = kind
            s.deck_size += 1
    shuffle(rng, DECK, s.deck, s.deck_size)
    s.aside = take(s)
    for seat in range(MAX_PLAYERS):
        s.hand[seat, KEPT] = take(s) if seat < s.players else NO_CARD
        s.hand[seat, DRAWN] = NO_CARD
        s.out[seat] = seat >= s.players
    s.hand[0, DRAWN] = take(s)


@rule
def copies(cfg: Any, kind: int) -> int:
    """How many cards of a kind there are."""
    if kind == SCOUT:
        return int(cfg.scouts)
    if kind == DUEL:
        return DUELS
    if kind == SHIELD:
        return SHIELDS
    return SWAPS if kind == SWAP else 1


@rule
def take(s: Any) -> int:
    """Takes the top card of the deck."""
    s.deck_size -= 1
    return int(s.deck[s.deck_size])


@rule
def is_aimed(kind: int) -> bool:
    """Whether a card aims at somebody else."""
    return kind in (SCOUT, DUEL, SWAP)


@rule
def may_be_aimed_at(s: Any, seat: int) -> bool:
    """Whether a seat can be aimed at by the player to move."""
    return bool(seat != s.player and s.out[seat] == 0 and s.shielded[seat] == 0)


@rule
def legal_actions(cfg: Any, s: Any, out: Any) -> int:
    """Either card, at anybody who is in and not shielded; at oneself if there is nobody."""
    n = 0
    if s.player < 0:
        return n
    for kind in range(KINDS):
        if kind == s.hand[s.player, KEPT] or kind == s.hand[s.player, DRAWN]:
            aimed = 0
            if is_aimed(kind):
                for seat in range(s.players):
                    if may_be_aimed_at(s, seat):
                        out.ids[n + aimed] = kind * MAX_PLAYERS + seat
                        aimed += 1
            if aimed == 0:
                out.ids[n] = kind * MAX_PLAYERS + s.player
                aimed = 1
            n += aimed
    return n


@rule
def apply_action(cfg: Any, s: Any, action: int, rng: Any) -> None:
    """Plays a card; then the next one draws, or the game is over."""
    kind, other, player = action // MAX_PLAYERS, action % MAX_PLAYERS, s.player
    play_card(s, player, kind)
    if kind == SHIELD:
        s.shielded[player] = 1
    elif kind == CROWN:
        leave(s, player)
    elif other != player:
        if kind == SCOUT:
            s.known[other, KEPT] |= 1 << player
        elif kind == SWAP:
            swap(s, player, other)
        else:
            duel(s, player, other)
    next_turn(s)


@rule
def play_card(s: Any, player: int, kind: int) -> None:
    """Lays a card open. If the one kept is played, the one drawn is kept, and nobody has seen that."""
    s.played[kind] += 1
    if s.hand[player, KEPT] == kind:
        s.hand[player, KEPT] = s.hand[player, DRAWN]
        s.known[player, KEPT] = 0
    if kind >= s.least[player]:  # for all that the others know it was the card that won
        s.least[player] = 0
    s.hand[player, DRAWN] = NO_CARD


@rule
def leave(s: Any, player: int) -> None:
    """A player is out, and shows the card."""
    s.out[player] = 1
    s.played[s.hand[player, KEPT]] += 1
    s.hand[player, KEPT] = NO_CARD
    s.known[player, KEPT] = 0
    s.least[player] = 0


@rule
def swap(s: Any, player: int, other: int) -> None:
    """Two change cards. Each knows the card that was given away, as everybody does who had seen it."""
    card, known, least = s.hand[player, KEPT], s.known[player, KEPT], s.least[player]
    s.hand[player, KEPT] = s.hand[other, KEPT]
    s.known[player, KEPT] = s.known[other, KEPT] | 1 << other
    s.least[player] = s.least[other]
    s.hand[other, KEPT] = card
    s.known[other, KEPT] = known | 1 << player
    s.least[other] = least


@rule
def duel(s: Any, player: int, other: int) -> None:
    """Two look at each other's cards; the lower one is out."""
    mine, theirs = s.hand[player, KEPT], s.hand[other, KEPT]
    s.known[player, KEPT] |= 1 << other
    s.known[other, KEPT] |= 1 << player
    if mine != theirs:
        loser = player if mine < theirs else other
        winner = other if mine < theirs else player
        s.least[winner] = max(s.least[winner], min(mine, theirs) + 1)
        leave(s, loser)


@rule
def next_turn(s: Any) -> None:
    """Whoever comes next draws; with an empty deck, or one player left, it is over."""
    left = 0
    for seat in range(s.players):
        left += 1 - s.out[seat]
    if left <= 1 or s.deck_size == 0:
        s.player = NOBODY
        return
    seat = (s.player + 1) % s.players
    while s.out[seat] == 1:
        seat = (seat + 1) % s.players
    s.player = seat
    s.shielded[seat] = 0
    s.hand[seat, DRAWN] = take(s)


@rule
def returns(cfg: Any, s: Any, out: Any) -> None:
    """The highest card of those still in takes a point from everybody else, shared if there are several."""
    highest, many = NO_CARD, 0
    for seat in range(s.players):
        if s.out[seat] == 0:
            if s.hand[seat, KEPT] > highest:
                highest, many = s.hand[seat, KEPT], 0
            many += s.hand[seat, KEPT] == highest
    for seat in range(s.players):
        wins = s.out[seat] == 0 and s.hand[seat, KEPT] == highest
        out[seat] = (s.players - many) / many if wins else -1.0


def stakes(config: Any, players: int) -> tuple[int, int, int]:
    """A point from each of the others at most, and all points add up to nothing."""
    return -1, players - 1, 0


STAKES = stakes
