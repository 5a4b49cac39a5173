"""Every sentence of Kuhn poker, in both languages."""

from __future__ import annotations

from typing import Any

from playmill import PlaymillError, Text
from playmill.engine.account import Line, total
from playmill.texts import Lang

from .rules import NOBODY

TITLE = Text("Kuhn poker", "Покер Куна")
ABOUT = Text("three cards, one bet, and the question who bluffs", "три карты, одна ставка и вопрос, кто блефует")
DECISION_NAMES = {
    "open": Text("check or bet", "чек или ставка"),
    "answer": Text("fold or call", "сбросить или уравнять"),
}
RANKS = (Text("a jack", "валет"), Text("a queen", "дама"), Text("a king", "король"))
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
    """What a player sees: her own card, the other one at a showdown, and what was paid."""
    cards = [RANKS[card].of(lang) if seat == player or _shown(s) else None for seat, card in enumerate(s["card"])]
    folded = int(s["folded"])
    return {
        "player": player + 1,
        "cards": cards,
        "paid": s["paid"].tolist(),
        "folded": folded + 1 if folded != NOBODY else None,
    }


def witnessed(config: Any, before: Any, after: Any, action: int, player: int | None) -> list[Text]:
    """What anybody is told of an action: all is said aloud, and cards are told only when they are shown."""
    return [describe(config, action), *events(config, before, after, action)]


def events(config: Any, before: Any, after: Any, action: int) -> list[Text]:
    """What an action led to."""
    if after["player"] != NOBODY:
        pot = int(after["paid"].sum())
        return [Text(f"{pot} chips in the pot", f"фишек в банке: {pot}")]
    told = []
    if _shown(after):
        first, second = (RANKS[card] for card in after["card"])
        told.append(
            Text(
                f"the cards are shown: {first.en} against {second.en}",
                f"карты открыты: {first.ru} у первого, {second.ru} у второго",
            )
        )
    winner = _winner(after)
    won = int(after["paid"][1 - winner])
    return [*told, Text(f"player {winner + 1} wins {won}", f"игрок {winner + 1} выигрывает фишек: {won}")]


def counting(config: Any, s: Any) -> list[Line]:
    """The count at the end: what each has won or lost."""
    if s["player"] != NOBODY:
        return [total(Text("Chips won", "Выигрыш"), [0, 0])]
    winner = _winner(s)
    won = int(s["paid"][1 - winner])
    return [total(Text("Chips won", "Выигрыш"), [won if seat == winner else -won for seat in range(2)])]


def position(config: Any, s: Any, lang: Lang) -> str:
    """The position in a line, hidden cards too."""
    cards = " : ".join(RANKS[card].of(lang) for card in s["card"])
    paid = " : ".join(map(str, s["paid"].tolist()))
    return Text(f"cards {cards}; paid {paid}", f"карты {cards}; внесено {paid}").of(lang)


def _shown(s: Any) -> bool:
    return bool(s["player"] == NOBODY and s["folded"] == NOBODY)


def _winner(s: Any) -> int:
    if s["folded"] != NOBODY:
        return 1 - int(s["folded"])
    return int(s["card"][1] > s["card"][0])
