"""Every sentence of Kuhn poker, in both languages."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text
from playmill.author.words import Act, Acts

from .rules import BET, CALL, CHECK, FOLD, NOBODY

TITLE = Text("Kuhn poker", "Покер Куна")
ABOUT = Text("three cards, one bet, and the question who bluffs", "три карты, одна ставка и вопрос, кто блефует")
#: Everything is said aloud; cards are told by nobody.
ALOUD = True
RANKS = (Text("jack", "валет"), Text("queen", "дама"), Text("king", "король"))
ACTS = Acts(
    Act(CHECK, "check", Text("checks", "говорит «чек»")),
    Act(BET, "bet", Text("bets", "делает ставку")),
    Act(FOLD, "fold", Text("folds", "сбрасывает карту")),
    Act(CALL, "call", Text("calls", "уравнивает")),
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields


def seen(config: Any, s: Any, player: int | None, lang: Lang) -> dict[str, Any]:
    """What somebody sees: their own card, both at a showdown, and what was paid."""
    open_ = s["player"] == s["folded"] == NOBODY
    cards = [RANKS[card].of(lang) if seat == player or open_ else None for seat, card in enumerate(s["card"])]
    return {"cards": cards, "paid": s["paid"].tolist(), "folded": int(s["folded"])}
