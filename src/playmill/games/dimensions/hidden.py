"""What a player of Battle of Dimensions observes, and how what that player cannot know is dealt anew."""

from __future__ import annotations

from typing import Any

from playmill.author import SPECTATOR, below, bit_count, lowest_bit, rare, rule, shuffle
from playmill.games.dimensions.actions import BIG_BANG, FACTIONS, KINDS, PLAYERS
from playmill.games.dimensions.constants import BATTLE, NOBODY, REINFORCE
from playmill.games.dimensions.rules import MAX_AURAS, clockwise, commit
from playmill.games.dimensions.rules.cards import ANOMALY_CARD
from playmill.games.dimensions.rules.options import has_captain

_GUESS = 0
#: Added to a card of the deck that is taken to be none of those that came back by Big Bang.
_OLDER = 64

#: Numbers in an observation.
OBSERVATION = 14 + 2 * FACTIONS + 7 * PLAYERS + PLAYERS * KINDS + 4 * KINDS + MAX_AURAS
_OF_SEATS = ("faction", "hand_size", "known_anomalies", "laid", "kept", "aura", "blue_sum")
#: What each of them is; anomalies are bits, and what has no seat is one's own.
NAMES = (
    *("player", "phase", "active", "first", "final", "loop", "last_taker", "captain_at", "deck_size", "turns"),
    *("hole_anomalies", "shown_anomalies", "hand_anomalies", "committed"),
    *(f"{name}[{faction}]" for name in ("spiral", "owner") for faction in range(FACTIONS)),
    *(f"{name}[{seat}]" for name in _OF_SEATS for seat in range(PLAYERS)),
    *(f"table[{seat}, {kind}]" for seat in range(PLAYERS) for kind in range(KINDS)),
    *(f"{name}[{kind}]" for name in ("hand", "hole", "returned", "older") for kind in range(KINDS)),
    *(f"aura_cards[{place}]" for place in range(MAX_AURAS)),
)


@rule
def observe(cfg: Any, s: Any, player: int, out: Any) -> None:
    """Writes what a player may see: everything but others' hands, the deck and the battle before the reveal.

    Battle cards are laid at once. So nobody sees who has laid one: a hand counts as it was before the battle. Only for
    whom the game waits is no secret.
    """
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
        out[n + PLAYERS] = s.hand_size[seat] + (s.committed[seat] != 0)
        out[n + 2 * PLAYERS] = s.known_anomalies[seat]
        out[n + 3 * PLAYERS] = s.laid[seat]
        out[n + 4 * PLAYERS] = s.kept[seat]
        out[n + 5 * PLAYERS] = s.aura[seat]
        out[n + 6 * PLAYERS] = s.blue_sum[seat]
        n += 1
    n += 6 * PLAYERS
    for dimension in range(PLAYERS):
        for kind in range(KINDS):
            out[n] = s.table[dimension, kind]
            n += 1
    for kind in range(KINDS):
        out[n] = s.hand[player, kind]
        out[n + KINDS] = s.hole[kind]
        out[n + 2 * KINDS] = s.returned[kind]
        out[n + 3 * KINDS] = s.older[kind] - s.own_older[player, kind]
        n += 1
    n += 3 * KINDS
    for place in range(MAX_AURAS):
        out[n] = s.aura_cards[place]
        n += 1


@rule
def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Deals anew, at random, what a player cannot know: others' hands, hidden battle cards, the deck, unseen anomalies.

    Every deal that can have led to what the player has seen is equally likely; which of their faction cards somebody
    chose to play tells nothing of the others. So an unseen faction card lies in any unseen place, but for this:

    - An anomaly stays in the hand it was drawn into until all see it played. So it is in a hand as likely as it was
      among all the cards drawn into it, those laid since as well; and which of the pool it is nobody knows.
    - Who had to show that they hold no faction card holds anomalies; who is asked for a faction card has one.
    - Before the reveal nobody knows who has laid a battle card. Those asked lay any of their faction cards, if any.
    - Cards that came back by Big Bang are in no hand that was drawn before. A player is taken to play the cards held
      longest first: as many as must be left of those from before are dealt from cards that did not come back.

    Two things are simplified where several anomalies are unseen: that a hand was once too small for all it is dealt,
    and, after Big Bang, which of the cards laid since were drawn after it.

    The deal depends on the luck and on what the player can know alone, not on where the cards really are.
    """
    while not _deal_anew(cfg, s, player, rng):
        pass


@rule
def _deal_anew(cfg: Any, s: Any, player: int, rng: Any) -> bool:
    """Deals all unseen cards; false if somebody who is asked for a faction card got none."""
    cards, anomalies = _collect(cfg, s, player)
    anomalies = _guess_anomalies(cfg, s, player, anomalies, rng)
    if anomalies != 0:
        anomalies = _deal_anomalies(cfg, s, player, anomalies, rng)
    after_big_bang = s.shown_anomalies >> BIG_BANG & 1 == 1
    if after_big_bang:
        cards = _deal_kept(cfg, s, player, cards, rng)
    shuffle(rng, _GUESS, s.deck, cards)
    for seat in range(cfg.players):
        if seat != player:
            missing = s.hand_size[seat] - bit_count(s.hand_anomalies[seat])
            if after_big_bang:
                for kind in range(cfg.kinds):
                    missing -= s.hand[seat, kind]
            for _ in range(missing):
                cards -= 1
                _give(s, seat, s.deck[cards])
    while anomalies != 0:
        place = below(rng, _GUESS, cards + 1)
        s.deck[cards] = s.deck[place]
        s.deck[place] = ANOMALY_CARD + lowest_bit(anomalies)
        anomalies &= anomalies - 1
        cards += 1
    for place in range(cards, s.deck.shape[0]):
        s.deck[place] = 0
    asked = s.player
    if asked != NOBODY and asked != player and s.hand_kinds[asked] == 0:
        if s.phase == BATTLE or (s.phase == REINFORCE and not has_captain(s, asked)):
            return False
    if asked != NOBODY and s.phase == BATTLE:
        _lay_battle_cards(cfg, s, player, rng)
    return True


@rule
def _give(s: Any, seat: int, kind: int) -> None:
    s.hand[seat, kind] += 1
    s.hand_kinds[seat] |= 1 << kind


@rule
def _lay_battle_cards(cfg: Any, s: Any, player: int, rng: Any) -> None:
    """Everybody asked before the player to move lays one of their faction cards, each as likely as the other."""
    seat = s.active
    while seat != s.player:
        if seat != player and s.hand_kinds[seat] != 0:
            pick = below(rng, _GUESS, s.hand_size[seat] - bit_count(s.hand_anomalies[seat]))
            kind = 0
            while pick >= s.hand[seat, kind]:
                pick -= s.hand[seat, kind]
                kind += 1
            commit(s, seat, kind)
        seat = clockwise(cfg, seat, 1)


# What is dealt


@rule
def _collect(cfg: Any, s: Any, player: int) -> Any:
    """Takes all unseen faction cards into the deck, sorted, so that it does not matter where they were.

    Returns how many they are, and the unseen anomalies as bits; battle cards count as held again.
    """
    heap = 1 if player == 0 else 0  # the hand in which they are counted
    anomalies = 0
    for place in range(s.deck_size):
        card = s.deck[place]
        if card >= ANOMALY_CARD:
            anomalies |= 1 << (card - ANOMALY_CARD)
        else:
            s.hand[heap, card] += 1
    for seat in range(cfg.players):
        if seat != player:
            if s.committed[seat] != 0:
                s.hand[heap, s.committed[seat] - 1] += 1
                s.hand_size[seat] += 1
                s.committed[seat] = 0
            if seat != heap:
                for kind in range(cfg.kinds):
                    s.hand[heap, kind] += s.hand[seat, kind]
                    s.hand[seat, kind] = 0
            anomalies |= s.hand_anomalies[seat]
            s.hand_anomalies[seat] = 0
            s.hand_kinds[seat] = 0
    cards = 0
    for kind in range(cfg.kinds):
        for _ in range(s.hand[heap, kind]):
            s.deck[cards] = kind
            cards += 1
        s.hand[heap, kind] = 0
    return cards, anomalies


@rule
def _guess_anomalies(cfg: Any, s: Any, player: int, anomalies: int, rng: Any) -> int:
    """Anomalies nobody has shown may be any of the pool that the player has not seen."""
    possible = 0
    for i in range(cfg.pool_size):
        possible |= 1 << cfg.pool[i]
    possible &= ~s.shown_anomalies
    if player != SPECTATOR:
        possible &= ~s.hand_anomalies[player]
    guessed = anomalies & s.shown_anomalies
    for _ in range(bit_count(anomalies & ~s.shown_anomalies)):
        anomaly = _any_bit(possible, rng)
        possible ^= anomaly
        guessed |= anomaly
    return guessed


@rule
def _any_bit(mask: int, rng: Any) -> int:
    """One random bit of a mask."""
    for _ in range(below(rng, _GUESS, bit_count(mask))):
        mask &= mask - 1
    return mask & -mask


@rule
def _deal_anomalies(cfg: Any, s: Any, player: int, anomalies: int, rng: Any) -> int:
    """Deals unseen anomalies (as bits) to others' hands; returns those that are in the deck."""
    left = _try_anomalies(cfg, s, player, anomalies, rng)
    while left < 0:
        left = _try_anomalies(cfg, s, player, anomalies, rng)
    return left


@rule
def _try_anomalies(cfg: Any, s: Any, player: int, anomalies: int, rng: Any) -> int:
    """First those that are known to be in a hand; the others where they may have come to. Negative if one has no room.

    An anomaly seen before has come back by Big Bang: it is in the deck or among the cards drawn since.
    """
    for seat in range(cfg.players):
        if seat != player:
            s.hand_anomalies[seat] = 0
            for _ in range(s.known_anomalies[seat]):
                anomaly = _any_bit(anomalies, rng)
                anomalies ^= anomaly
                s.hand_anomalies[seat] |= anomaly
    deck = 0
    while anomalies != 0:
        anomaly = anomalies & -anomalies
        anomalies ^= anomaly
        places = s.deck_size - bit_count(deck)
        for seat in range(cfg.players):
            if seat != player:
                places += _origins(s, seat, anomaly)
        if places == 0:
            return -1
        pick = below(rng, _GUESS, places)
        for seat in range(cfg.players):
            if seat != player and pick >= 0:
                pick -= _origins(s, seat, anomaly)
                if pick < 0:
                    s.hand_anomalies[seat] |= anomaly
        if pick >= 0:
            deck |= anomaly
    for seat in range(cfg.players):
        if seat != player:
            held = s.hand_anomalies[seat]
            if bit_count(held) > s.hand_size[seat]:
                return -1
            if bit_count(held & s.shown_anomalies) > s.hand_size[seat] - s.kept[seat]:
                return -1
    return deck


@rule
def _origins(s: Any, seat: int, anomaly: int) -> int:
    """How many of the cards drawn into a hand a further anomaly (as a bit) can have been."""
    held = s.hand_anomalies[seat]
    if anomaly & s.shown_anomalies != 0:
        return max(0, s.hand_size[seat] - s.kept[seat] - bit_count(held & s.shown_anomalies))
    return s.hand_size[seat] + s.laid[seat] - bit_count(held)


# After Big Bang


@rare
def _deal_kept(cfg: Any, s: Any, player: int, cards: int, rng: Any) -> int:
    """Deals the cards that must have been in a hand before Big Bang, none of those that came back.

    Returns how many cards are left in the deck; should there be too few from before, no hand gets any.
    """
    kept = 0
    for seat in range(cfg.players):
        if seat != player:
            kept += _kept_cards(s, seat)
            for kind in range(cfg.kinds):
                s.own_older[seat, kind] = 0
    if kept == 0:
        return cards
    older, most = _mark_older(cfg, s, player, cards, rng)
    while kept <= most and not _are_likely(older, most, kept, rng):
        older, most = _mark_older(cfg, s, player, cards, rng)
    for seat in range(cfg.players):
        if seat != player and kept <= most:
            for _ in range(_kept_cards(s, seat)):
                place = 0
                pick = below(rng, _GUESS, older)
                while pick > 0 or s.deck[place] < _OLDER:
                    pick -= s.deck[place] >= _OLDER
                    place += 1
                kind = s.deck[place] - _OLDER
                _give(s, seat, kind)
                s.own_older[seat, kind] += 1
                older -= 1
                cards -= 1
                s.deck[place] = s.deck[cards]
    for place in range(cards):
        s.deck[place] &= _OLDER - 1
    return cards


@rule
def _kept_cards(s: Any, seat: int) -> int:
    """How many faction cards of a hand must have been in it before Big Bang; the anomalies in it are dealt already."""
    cards = s.hand_size[seat] - bit_count(s.hand_anomalies[seat])
    return max(0, min(cards, s.kept[seat] - bit_count(s.hand_anomalies[seat] & ~s.shown_anomalies)))


@rule
def _mark_older(cfg: Any, s: Any, player: int, cards: int, rng: Any) -> Any:
    """Marks, at random, which of the unseen cards are none of those that came back; the deck is sorted.

    Of each kind it is known how many came back and how many did not, and that all but the unseen ones have shown up
    since; which, nobody knows. Returns how many are marked, and how many can be at most.
    """
    marked = 0
    most = 0
    place = 0
    for kind in range(cfg.kinds):
        unseen = 0
        while place + unseen < cards and s.deck[place + unseen] & (_OLDER - 1) == kind:
            unseen += 1
        own = s.own_older[player, kind] if player != SPECTATOR else 0
        older = max(0, unseen - s.returned[kind], s.older[kind] - own)
        most += min(older, unseen)
        rest = older + s.returned[kind]
        for _ in range(unseen):
            s.deck[place] = kind
            if below(rng, _GUESS, rest) < older:
                s.deck[place] += _OLDER
                marked += 1
                older -= 1
            rest -= 1
            place += 1
    return marked, most


@rule
def _are_likely(older: int, most: int, kept: int, rng: Any) -> bool:
    """Keeps a marking in proportion to the number of ways to deal so many of the marked cards."""
    for dealt in range(kept):
        if below(rng, _GUESS, most - dealt) >= older - dealt:
            return False
    return True
