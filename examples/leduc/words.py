"""Every sentence of Leduc poker, in both languages."""

from __future__ import annotations

from typing import Any

from playmill.author import Lang, Text
from playmill.author.words import Act, Acts

from .rules import ALIKE, BET, CALL, CHECK, FOLD, NOBODY, RAISE, TABLE

TITLE = Text("Leduc poker", "Покер Ледюк")
ABOUT = Text(
    "six cards, two rounds of bets, a card on the table", "шесть карт, два круга ставок и общая карта на столе"
)
#: Everything is said aloud; cards are told by nobody.
ALOUD = True
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
    """What somebody sees: their own card, the others when they lie open, and what was said and paid."""
    ranks = [RANKS[card // ALIKE].of(lang) for card in s["card"]]
    open_ = s["player"] == s["folded"] == NOBODY
    return {
        "cards": [ranks[seat] if seat == player or open_ else None for seat in range(2)],
        "table": ranks[TABLE] if s["round"] else None,
        "round": int(s["round"]) + 1,
        "paid": s["paid"].tolist(),
        "said": [[to_text(config, word - 1) for word in words if word] for words in s["said"].tolist()],
        "folded": int(s["folded"]),
    }
