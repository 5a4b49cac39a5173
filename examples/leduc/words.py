"""Every sentence of Leduc poker, in both languages."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text
from playmill.author.words import Act, Acts

from .rules import ALIKE, BET, CALL, CHECK, FOLD, RAISE, TABLE

TITLE = Text("Leduc poker", "Покер Ледюк")
ABOUT = Text(
    "six cards, two rounds of bets, a card on the table", "шесть карт, два круга ставок и общая карта на столе"
)
RANKS = (Text("jack", "валет"), Text("queen", "дама"), Text("king", "король"))
ACTS = Acts(
    Act(CHECK, "check", Text("checks", "говорит «чек»")),
    Act(BET, "bet", Text("bets", "делает ставку")),
    Act(FOLD, "fold", Text("folds", "сбрасывает карту")),
    Act(CALL, "call", Text("calls", "уравнивает")),
    Act(RAISE, "raise", Text("raises", "повышает")),
)
describe, to_text, parse, fields = ACTS.describe, ACTS.to_text, ACTS.parse, ACTS.fields


def seen(config: Any, s: Any, player: int | None, lang: Lang) -> dict[str, Any]:
    """What somebody sees: `s` has the cards that they know, and -2 for the others; and what was said and paid."""
    ranks = [RANKS[card // ALIKE].of(lang) if card >= 0 else None for card in s["card"]]
    return {
        "cards": ranks[:TABLE],
        "table": ranks[TABLE],
        "round": int(s["round"]) + 1,
        "paid": s["paid"].tolist(),
        "said": [[to_text(config, word - 1) for word in words if word] for words in s["said"].tolist()],
        "folded": int(s["folded"]),
    }
