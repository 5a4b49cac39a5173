"""Coin in words."""

from __future__ import annotations

from typing import Any

from playmill import PlaymillError, Text
from playmill.texts import Lang

TITLE = Text("Coin", "Монета")
ABOUT = Text("name the hidden side", "назови скрытую сторону")
_WORDS = (
    Text("says heads", "называет орла"),
    Text("says tails", "называет решку"),
    Text("plays safe", "не рискует"),
    Text("looks", "смотрит"),
)
_FORMS = ("heads", "tails", "safe", "look")


def describe(config: Any, action: int) -> Text:
    """An action in words."""
    return _WORDS[action]


def to_text(config: Any, action: int) -> str:
    """An action in one word."""
    return _FORMS[action]


def parse(config: Any, text: str) -> int:
    """The action of a word."""
    if text not in _FORMS:
        raise PlaymillError(
            f"there is no {text!r}; say heads, tails, safe or look", f"{text!r} нет: heads, tails, safe, look"
        )
    return _FORMS.index(text)


def fields(config: Any, action: int) -> dict[str, str]:
    """An action as fields."""
    return {"act": _FORMS[action]}


def decision_kind(s: Any) -> str:
    """There is one kind."""
    return "say"


def seen(config: Any, s: Any, player: int, lang: str) -> dict[str, int]:
    """What the player sees."""
    return {"looked": int(s["looked"])}


def events(config: Any, before: Any, after: Any, action: int) -> list[Text]:
    """Nothing happens by itself."""
    return []


def position(config: Any, s: Any, lang: Lang) -> str:
    """The cover."""
    return Text("the coin is covered", "монета накрыта").of(lang)
