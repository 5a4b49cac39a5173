"""The Spiral of Forces: which faction beats which, and who wins a battle."""

from __future__ import annotations

from typing import Any

from playmill.author import below, lowest_bit, rule
from playmill.games.dimensions.actions import FACTIONS, pair_of
from playmill.games.dimensions.constants import NOBODY, STREAM_SPIRAL


@rule
def lay_spiral(cfg: Any, s: Any, rng: Any) -> None:
    """The five factions in the order given, or else in a random one."""
    for place in range(FACTIONS):
        other = below(rng, STREAM_SPIRAL, place + 1)
        s.spiral[place] = s.spiral[other]
        s.spiral[other] = place
    if cfg.spiral_given == 1:
        for place in range(FACTIONS):
            s.spiral[place] = cfg.spiral[place]
    _read(s)


@rule
def _read(s: Any) -> None:
    """A faction beats the one that stands right after it."""
    for place in range(FACTIONS):
        s.prey[s.spiral[place]] = s.spiral[(place + 1) % FACTIONS]


@rule
def entangle(s: Any, pair: int) -> None:
    """Two factions change places in the Spiral."""
    one, other = pair_of(pair)
    for place in range(FACTIONS):
        if s.spiral[place] == one:
            s.spiral[place] = other
        elif s.spiral[place] == other:
            s.spiral[place] = one
    _read(s)


@rule
def battle_winner(s: Any, colours: int) -> int:
    """The colour that wins among the revealed ones (as bits), or -1.

    A single colour wins. Else it is one that beats a revealed colour and that no revealed colour beats. All five are
    looked at, revealed or not: what is the same every time a processor need not guess.
    """
    alone = colours & (colours - 1) == 0
    beaten = 0
    for colour in range(FACTIONS):
        beaten |= (colours >> colour & 1) << s.prey[colour]
    winners = 0
    for colour in range(FACTIONS):
        beats = alone or colours >> s.prey[colour] & 1 == 1
        winners |= (1 if beats else 0) << colour
    winners &= colours & ~beaten
    return lowest_bit(winners) if winners != 0 else NOBODY
