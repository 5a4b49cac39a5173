"""What lies on the table of Whispers."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text
from playmill.author.table import Area, Card, Pile, Player, Row

from .rules import DUEL, MAX_PLAYERS, NO_CARD, SCOUT, SWAP
from .words import CARDS

TEXTS = (
    Text("Look at somebody's card", "Посмотрите чужую карту"),
    Text("Compare cards with somebody; the lower one is out", "Сравните карты: у кого младше, тот выбывает"),
    Text("Nobody aims at you until your next turn", "До вашего хода вас не трогают"),
    Text("Swap cards with somebody", "Поменяйтесь картами"),
    Text("Whoever plays it is out", "Сыгравший выбывает"),
)
COLOURS = ("teal", "red", "blue", "purple", "yellow")


def table(config: Any, s: Any, player: int | None, lang: Lang) -> list[Row]:
    """The deck and what was played, the others, one's own hand; click a card, then whom it aims at."""
    others: list[Player] = []
    mine: list[Player] = []
    for seat in range(s["players"]):
        area = Player(
            seat,
            [_card(card, seat == player) for card in s["hand"][seat].tolist() if card != NO_CARD],
            tags=[Text("shielded", "под щитом")] if s["shielded"][seat] else [],
            out=bool(s["out"][seat]),
            action=[kind * MAX_PLAYERS + seat for kind in (SCOUT, DUEL, SWAP)] if seat != player else None,
        )
        (mine if seat == player else others).append(area)
    played = [Pile(CARDS[kind], count, top=_card(kind)) for kind, count in enumerate(s["played"].tolist()) if count]
    piles = [Pile(Text("deck", "колода"), int(s["deck_size"]), key="deck"), *played]
    return [Area(Text("the table", "стол"), piles, surface="felt"), others, *mine]


def _card(card: int, own: bool = False) -> Card:
    """A card, face down where it is not known; in the viewer's hand it is a part of the options that play it."""
    if card < 0:
        return Card(down=True, origin="deck")
    options = [card * MAX_PLAYERS + other for other in range(MAX_PLAYERS)] if own else None
    name = CARDS[card]
    return Card(name, rank=card + 1, text=TEXTS[card], colour=COLOURS[card], action=options, origin="deck")
