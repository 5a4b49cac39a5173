"""Every sentence of Kuhn poker, in both languages."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text
from playmill.author.words import Act, Acts

from .rules import BET, CALL, CHECK, FOLD

TITLE = Text("Kuhn poker", "Покер Куна")
ABOUT = Text("three cards, one bet, and the question who bluffs", "три карты, одна ставка и вопрос, кто блефует")
RANKS = (Text("jack", "валет"), Text("queen", "дама"), Text("king", "король"))
ACTS = Acts(
    Act(CHECK, "check", Text("checks", "говорит «чек»")),
    Act(BET, "bet", Text("bets", "делает ставку")),
    Act(FOLD, "fold", Text("folds", "сбрасывает карту")),
    Act(CALL, "call", Text("calls", "уравнивает")),
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields


def seen(config: Any, s: Any, player: int | None, lang: Lang) -> dict[str, Any]:
    """What somebody sees: `s` has the cards that they know, and -2 for the others; and what was paid."""
    cards = [RANKS[card].of(lang) if card >= 0 else None for card in s["card"]]
    return {"cards": cards, "paid": s["paid"].tolist(), "folded": int(s["folded"])}
