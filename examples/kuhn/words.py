"""Every sentence of Kuhn poker, in both languages."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text

from .rules import NOBODY

TITLE = Text("Kuhn poker", "Покер Куна")
ABOUT = Text("three cards, one bet, and the question who bluffs", "три карты, одна ставка и вопрос, кто блефует")
#: Everything is said aloud; cards are told by nobody.
ALOUD = True
RANKS = (Text("jack", "валет"), Text("queen", "дама"), Text("king", "король"))
_ACTIONS = (
    Text("checks", "говорит «чек»"),
    Text("bets", "делает ставку"),
    Text("folds", "сбрасывает карту"),
    Text("calls", "уравнивает"),
)
_SHORT = ("check", "bet", "fold", "call")


def describe(config: Any, action: int) -> Text:
    """An action in words."""
    return _ACTIONS[action]


def to_text(config: Any, action: int) -> str:
    """The short form of an action."""
    return _SHORT[action]


def seen(config: Any, s: Any, player: int | None, lang: Lang) -> dict[str, Any]:
    """What somebody sees: their own card, both at a showdown, and what was paid."""
    open_ = s["player"] == s["folded"] == NOBODY
    cards = [RANKS[card].of(lang) if seat == player or open_ else None for seat, card in enumerate(s["card"])]
    return {"cards": cards, "paid": s["paid"].tolist(), "folded": int(s["folded"])}
