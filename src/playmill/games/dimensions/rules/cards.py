"""Moves cards between deck, hands and Dimensions, and records what everybody learns from seeing them."""

from __future__ import annotations

from typing import Any

from playmill.author import rare, rule

#: A card in the deck: its kind, or this plus the number of an anomaly.
ANOMALY_CARD = 32


@rule
def draw(cfg: Any, s: Any, player: int, count: int) -> None:
    """So many cards go from the top of the deck to a hand."""
    top = s.deck_size
    kinds = s.hand_kinds[player]
    for _ in range(count):
        top -= 1
        card = s.deck[top]
        if card >= ANOMALY_CARD:
            s.hand_anomalies[player] |= 1 << (card - ANOMALY_CARD)
        else:
            s.hand[player, card] += 1
            kinds |= 1 << card
    s.hand_kinds[player] = kinds
    s.deck_size = top
    s.hand_size[player] += count


@rule
def take_from_hand(s: Any, player: int, kind: int) -> None:
    """A faction card leaves a hand."""
    left = s.hand[player, kind] - 1
    s.hand[player, kind] = left
    s.hand_kinds[player] ^= (1 if left == 0 else 0) << kind
    s.hand_size[player] -= 1


@rule
def lay(cfg: Any, s: Any, dimension: int, kind: int, cards: int) -> None:
    """So many cards of a kind, perhaps none, come to lie in a Dimension."""
    colour = cfg.colour[kind]
    some = 1 if cards > 0 else 0
    s.table[dimension, kind] += cards
    s.table_kinds[dimension] |= some << kind
    s.squad[dimension, colour] += cards
    s.stirred |= some << colour
    s.blue_sum[dimension] += cards * cfg.value[kind]


@rule
def lift(cfg: Any, s: Any, dimension: int, kind: int, cards: int) -> None:
    """So many cards of a kind that lie in a Dimension leave it."""
    colour = cfg.colour[kind]
    left = s.table[dimension, kind] - cards
    s.table[dimension, kind] = left
    s.table_kinds[dimension] ^= (1 if left == 0 else 0) << kind
    s.squad[dimension, colour] -= cards
    s.stirred |= 1 << colour
    s.blue_sum[dimension] -= cards * cfg.value[kind]


@rule
def pop_aura(s: Any, dimension: int) -> int:
    """Takes the top card of an Aura stack; it is again the ordinary card it was."""
    place = s.auras - 1
    while s.aura_cards[place] & 7 != dimension:
        place -= 1
    kind = s.aura_cards[place] >> 3
    for later in range(place, s.auras - 1):
        s.aura_cards[later] = s.aura_cards[later + 1]
    s.auras -= 1
    s.aura_cards[s.auras] = 0
    s.aura[dimension] -= 1
    return kind


@rule
def show_card(s: Any, player: int, kind: int) -> None:
    """Everybody sees a faction card that has left a hand; after Big Bang it is taken for one from before if it can be.

    Nobody can tell, so `kept` falls with every card. What is left of it is certain: so many cards must have been in the
    hand before, whatever was played since.
    """
    s.laid[player] = s.laid[player] + 1 if s.hand_size[player] > 0 else 0
    if s.kept[player] > 0:
        s.kept[player] -= 1
        if s.older[kind] > 0:
            s.older[kind] -= 1
            s.own_older[player, kind] -= 1


@rule
def show_empty_handed(s: Any, player: int) -> None:
    """Who holds cards but no faction card shows by it that all of them are anomalies."""
    s.known_anomalies[player] = s.hand_size[player]
    s.laid[player] = 0


@rare
def remember(cfg: Any, s: Any) -> None:
    """What everybody knows of the cards when Big Bang comes, which it does once: none in hand is one that returns."""
    for place in range(s.deck_size):
        if s.deck[place] < ANOMALY_CARD:
            s.older[s.deck[place]] += 1
    for kind in range(cfg.kinds):
        s.returned[kind] = s.hole[kind]
        for player in range(cfg.players):
            s.older[kind] += s.hand[player, kind]
            s.own_older[player, kind] = s.hand[player, kind]
    for player in range(cfg.players):
        s.kept[player] = s.hand_size[player]
