"""Every sentence of Leduc poker, in both languages."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text

from .rules import ALIKE, NOBODY, TABLE

TITLE = Text("Leduc poker", "Покер Ледюк")
ABOUT = Text(
    "six cards, two rounds of bets, a card on the table", "шесть карт, два круга ставок и общая карта на столе"
)
#: Everything is said aloud; cards are told by nobody.
ALOUD = True
RANKS = (Text("jack", "валет"), Text("queen", "дама"), Text("king", "король"))
_ACTIONS = (
    Text("checks", "говорит «чек»"),
    Text("bets", "делает ставку"),
    Text("folds", "сбрасывает карту"),
    Text("calls", "уравнивает"),
    Text("raises", "повышает"),
)
_SHORT = ("check", "bet", "fold", "call", "raise")


def describe(config: Any, action: int) -> Text:
    """An action in words."""
    return _ACTIONS[action]


def to_text(config: Any, action: int) -> str:
    """The short form of an action."""
    return _SHORT[action]


def seen(config: Any, s: Any, player: int | None, lang: Lang) -> dict[str, Any]:
    """What somebody sees: their own card, the others when they lie open, and what was said and paid."""
    ranks = [RANKS[card // ALIKE].of(lang) for card in s["card"]]
    open_ = s["player"] == s["folded"] == NOBODY
    return {
        "cards": [ranks[seat] if seat == player or open_ else None for seat in range(2)],
        "table": ranks[TABLE] if s["round"] else None,
        "round": int(s["round"]) + 1,
        "paid": s["paid"].tolist(),
        "said": [[_SHORT[word - 1] for word in words if word] for words in s["said"].tolist()],
        "folded": int(s["folded"]),
    }
