"""What a player of Battle of Dimensions sees, and a fair guess at the rest."""

from __future__ import annotations

from typing import Any

from playmill.engine.rng import below, into_hat, out_of_hat
from playmill.engine.rule import rule
from playmill.games.dimensions.actions import ANOMALIES, FACTIONS, KINDS, PLAYERS
from playmill.games.dimensions.rules import ANOMALY_CARD, BATTLE, MAX_AURAS, NOBODY, REINFORCE, has_captain

_GUESS = 0

#: Numbers in an observation.
OBSERVATION = 14 + 2 * FACTIONS + 6 * PLAYERS + PLAYERS * KINDS + 2 * KINDS + MAX_AURAS


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """Writes what a player may see: everything but others' hands, the deck and unrevealed battle cards."""
    out[0] = s.player
    out[1] = s.phase
    out[2] = s.active
    out[3] = s.first
    out[4] = s.final
    out[5] = s.loop
    out[6] = s.last_taker
    out[7] = s.captain_at
    out[8] = s.deck_size
    out[9] = s.turns
    out[10] = s.hole_anomalies
    out[11] = s.shown_anomalies
    out[12] = s.hand_anomalies[player]
    out[13] = s.committed[player]
    n = 14
    for faction in range(FACTIONS):
        out[n] = s.spiral[faction]
        out[n + FACTIONS] = s.owner[faction]
        n += 1
    n += FACTIONS
    for seat in range(PLAYERS):
        out[n] = s.faction[seat]
        out[n + PLAYERS] = s.hand_size[seat]
        out[n + 2 * PLAYERS] = s.known_anomalies[seat]
        out[n + 3 * PLAYERS] = s.aura[seat]
        out[n + 4 * PLAYERS] = s.committed[seat] != 0
        out[n + 5 * PLAYERS] = s.blue_sum[seat]
        n += 1
    n += 5 * PLAYERS
    for dimension in range(PLAYERS):
        for kind in range(KINDS):
            out[n] = s.table[dimension, kind]
            n += 1
    for kind in range(KINDS):
        out[n] = s.hand[player, kind]
        out[n + KINDS] = s.hole[kind]
        n += 1
    n += KINDS
    for place in range(MAX_AURAS):
        out[n] = s.aura_cards[place]
        n += 1


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Deals anew, at random, what a player cannot know: others' hands, hidden battle cards, the deck, unseen anomalies.

    Every arrangement of the unseen cards that agrees with what the player saw is equally likely. Three things bind it:
    a battle card is never an anomaly; a player who had to show that she holds no faction card holds anomalies; and one
    who is asked for a faction card has one. (After a Big Bang, cards that came back through it are treated like all
    other unseen ones.)
    """
    _deal_anew(cfg, s, player, rng)
    asked = s.player
    if asked != player and (s.phase == BATTLE or (s.phase == REINFORCE and not has_captain(s, asked))):
        while asked != NOBODY and s.hand_kinds[asked] == 0:
            _deal_anew(cfg, s, player, rng)


@rule
def _deal_anew(cfg: Any, s: Any, player: int, rng: Any) -> None:
    factions, anomalies = _collect(cfg, s, player, rng)
    out_of_hat(rng, _GUESS, s.deck, factions)
    free = s.deck_size
    bound = 0
    for seat in range(cfg.players):
        if seat != player:
            free += s.hand_size[seat] - s.known_anomalies[seat]
            bound += s.known_anomalies[seat]
    loose = _bits(anomalies) - bound
    for seat in range(cfg.players):
        if seat != player:
            if s.committed[seat] != 0:
                factions -= 1
                s.committed[seat] = s.deck[factions] + 1
            for slot in range(s.hand_size[seat]):
                known = slot < s.known_anomalies[seat]
                if known or below(rng, _GUESS, free) < loose:
                    anomaly = _any_bit(anomalies, rng)
                    anomalies ^= 1 << anomaly
                    s.hand_anomalies[seat] |= 1 << anomaly
                    loose -= 0 if known else 1
                else:
                    factions -= 1
                    s.hand[seat, s.deck[factions]] += 1
                    s.hand_kinds[seat] |= 1 << s.deck[factions]
                free -= 0 if known else 1
    while anomalies != 0:
        anomaly = _any_bit(anomalies, rng)
        anomalies ^= 1 << anomaly
        place = below(rng, _GUESS, factions + 1)
        s.deck[factions] = s.deck[place]
        s.deck[place] = ANOMALY_CARD + anomaly
        factions += 1
    for place in range(factions, s.deck.shape[0]):
        s.deck[place] = 0


@rule
def _collect(cfg: Any, s: Any, player: int, rng: Any) -> Any:
    """Puts all unseen faction cards into the hat and takes all unseen anomalies, of kinds that are only guessed.

    Returns how many faction cards are in the hat, and the anomalies as bits.
    """
    factions = 0
    anomalies = 0
    for place in range(s.deck_size):
        card = s.deck[place]
        if card >= ANOMALY_CARD:
            anomalies |= 1 << (card - ANOMALY_CARD)
        else:
            into_hat(rng, _GUESS, factions, card, factions)
            factions += 1
    for seat in range(cfg.players):
        if seat != player:
            if s.committed[seat] != 0:
                into_hat(rng, _GUESS, factions, s.committed[seat] - 1, factions)
                factions += 1
            for kind in range(cfg.kinds):
                for _ in range(s.hand[seat, kind]):
                    into_hat(rng, _GUESS, factions, kind, factions)
                    factions += 1
                s.hand[seat, kind] = 0
            anomalies |= s.hand_anomalies[seat]
            s.hand_kinds[seat] = 0
            s.hand_anomalies[seat] = 0
    return factions, _guess_anomalies(cfg, s, player, anomalies, rng)


@rule
def _guess_anomalies(cfg: Any, s: Any, player: int, anomalies: int, rng: Any) -> int:
    """Anomalies nobody has shown may be any of the pool that the player has not seen."""
    unseen = anomalies & ~s.shown_anomalies
    possible = 0
    for i in range(cfg.pool_size):
        possible |= 1 << cfg.pool[i]
    possible &= ~(s.shown_anomalies | s.hand_anomalies[player])
    guessed = anomalies & s.shown_anomalies
    for _ in range(_bits(unseen)):
        anomaly = _any_bit(possible, rng)
        possible ^= 1 << anomaly
        guessed |= 1 << anomaly
    return guessed


@rule
def _bits(mask: int) -> int:
    count = 0
    for bit in range(ANOMALIES):
        count += mask >> bit & 1
    return count


@rule
def _any_bit(mask: int, rng: Any) -> int:
    """A random set bit of a mask of anomalies."""
    pick = below(rng, _GUESS, _bits(mask))
    for bit in range(ANOMALIES):
        if mask >> bit & 1 == 1:
            if pick == 0:
                return bit
            pick -= 1
    return 0
