"""Hooks for an audit of Save Oneself: kinds of actions, with the cards turned over, and the unit of its length."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import CARD_IDS, CARDS
from playmill.games.save_oneself.words import fields
from playmill.games.save_oneself.words.names import SIDE_NAMES

LENGTH = ("rounds", Text("rounds", "раунды"))
_CARD = "card "
_NAMES = {
    "move": Text("walk", "ходить"),
    "waive": Text("walk no further", "больше не ходить"),
    "turn": Text("turn over any card", "перевернуть любую карту"),
    "skip": Text("turn nothing over", "ничего не переворачивать"),
}


def kinds(config: Config, action: int) -> tuple[str, ...]:
    """The act, and which card is turned over."""
    found = fields(config, action)
    act = str(found["act"])
    return (act, f"{_CARD}{found['card']}") if act == "turn" else (act,)


def kind_name(config: Config, kind: str) -> Text:
    """A kind in words."""
    if kind in _NAMES:
        return _NAMES[kind]
    card = CARD_IDS.index(kind.removeprefix(_CARD))
    back, front = SIDE_NAMES[card], SIDE_NAMES[card + CARDS]
    return Text(f"{back.en} → {front.en}", f"{back.ru} → {front.ru}")
