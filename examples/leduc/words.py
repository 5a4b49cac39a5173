"""Every sentence of Leduc poker, in both languages."""

from __future__ import annotations

from typing import Any

from playmill import PlaymillError, Text
from playmill.engine.account import Line, total
from playmill.texts import Lang

from .rules import ALIKE, NOBODY, TABLE

TITLE = Text("Leduc poker", "Покер Ледюк")
ABOUT = Text(
    "six cards, two rounds of bets, a card on the table", "шесть карт, два круга ставок и общая карта на столе"
)
DECISION_NAMES = {
    "open": Text("check or bet", "чек или ставка"),
    "answer": Text("fold, call or raise", "сбросить, уравнять или повысить"),
}
RANKS = (Text("a jack", "валет"), Text("a queen", "дама"), Text("a king", "король"))
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


def parse(config: Any, text: str) -> int:
    """The action of a short form."""
    if text not in _SHORT:
        listed = ", ".join(_SHORT)
        raise PlaymillError(f"expected one of {listed}, not {text!r}", f"нужно одно из {listed}, а не {text!r}")
    return _SHORT.index(text)


def fields(config: Any, action: int) -> dict[str, Any]:
    """An action taken apart."""
    return {"act": _SHORT[action]}


def decision_kind(s: Any) -> str:
    """Whether there is a bet to answer."""
    return "open" if s["paid"][0] == s["paid"][1] else "answer"


def seen(config: Any, s: Any, player: int, lang: Lang) -> dict[str, Any]:
    """What a player sees: her own card, the others when they lie open, and what was said and paid."""
    cards = [_rank(s, seat).of(lang) if seat == player or _shown(s) else None for seat in range(2)]
    folded = int(s["folded"])
    return {
        "player": player + 1,
        "round": int(s["round"]) + 1,
        "cards": cards,
        "table": _rank(s, TABLE).of(lang) if s["round"] else None,
        "paid": s["paid"].tolist(),
        "said": [[_SHORT[word - 1] for word in words if word] for words in s["said"].tolist()],
        "folded": folded + 1 if folded != NOBODY else None,
    }


def witnessed(config: Any, before: Any, after: Any, action: int, player: int | None) -> list[Text]:
    """What anybody is told of an action: all is said aloud, and cards are told only when they lie open."""
    return [describe(config, action), *events(config, before, after, action)]


def events(config: Any, before: Any, after: Any, action: int) -> list[Text]:
    """What an action led to."""
    pot = int(after["paid"].sum())
    told = []
    if after["round"] != before["round"]:
        table = _rank(after, TABLE)
        told.append(Text(f"{table.en} is turned up on the table", f"на столе открыта карта: {table.ru}"))
    if after["player"] != NOBODY:
        return [*told, Text(f"{pot} chips in the pot", f"фишек в банке: {pot}")]
    if _shown(after):
        first, second = _rank(after, 0), _rank(after, 1)
        told.append(
            Text(
                f"the cards are shown: {first.en} against {second.en}",
                f"карты открыты: {first.ru} у первого, {second.ru} у второго",
            )
        )
    winner = _winner(after)
    if winner == NOBODY:
        return [*told, Text("the cards are alike: each takes back the own chips", "карты равны: фишки возвращаются")]
    won = int(after["paid"][1 - winner])
    return [*told, Text(f"player {winner + 1} wins {won}", f"игрок {winner + 1} выигрывает фишек: {won}")]


def counting(config: Any, s: Any) -> list[Line]:
    """The count at the end: what each has won or lost."""
    winner = _winner(s) if s["player"] == NOBODY else NOBODY
    won = int(s["paid"][1 - winner]) if winner != NOBODY else 0
    return [total(Text("Chips won", "Выигрыш"), [won if seat == winner else -won for seat in range(2)])]


def position(config: Any, s: Any, lang: Lang) -> str:
    """The position in a line, hidden cards too."""
    cards = " : ".join(_rank(s, seat).of(lang) for seat in range(2))
    paid = " : ".join(map(str, s["paid"].tolist()))
    table = _rank(s, TABLE).of(lang)
    return Text(
        f"cards {cards}, on the table {table}; paid {paid}", f"карты {cards}, на столе {table}; внесено {paid}"
    ).of(lang)


def _rank(s: Any, place: int) -> Text:
    return RANKS[int(s["card"][place]) // ALIKE]


def _shown(s: Any) -> bool:
    return bool(s["player"] == NOBODY and s["folded"] == NOBODY)


def _winner(s: Any) -> int:
    if s["folded"] != NOBODY:
        return 1 - int(s["folded"])
    first, second, table = (int(card) // ALIKE for card in s["card"])
    if first == second:
        return NOBODY
    if table in (first, second):
        return 0 if first == table else 1
    return int(second > first)
