"""Contest in words."""

from __future__ import annotations

from typing import Any

from playmill import PlaymillError, Text

TITLE = Text("Contest", "Состязание")
ABOUT = Text("who has more", "у кого больше")
_WORDS = (
    Text("names nothing", "не называет ничего"),
    Text("names one", "называет один"),
    Text("names two", "называет два"),
    Text("names three", "называет три"),
)
_FORMS = ("0", "1", "2", "3")


def describe(config: Any, action: int) -> Text:
    """An action in words."""
    return _WORDS[action]


def to_text(config: Any, action: int) -> str:
    """The short form."""
    return _FORMS[action]


def parse(config: Any, text: str) -> int:
    """The action of a short form."""
    if text not in _FORMS:
        raise PlaymillError(f"there is no {text!r}; say a number from 0 to 3", f"{text!r} нет: число от 0 до 3")
    return _FORMS.index(text)


def fields(config: Any, action: int) -> dict[str, Any]:
    """An action taken apart."""
    return {"act": "best" if action == 3 else "poor", "number": action}


def decision_kind(s: Any) -> str:
    """There is one kind of decision."""
    return "name"


def seen(config: Any, s: Any, player: int, lang: str) -> dict[str, Any]:
    """What was named."""
    return {"named": s["named"].tolist()}


def events(config: Any, before: Any, after: Any, action: int) -> list[Text]:
    """Nothing happens."""
    return []


def position(config: Any, s: Any, lang: str) -> str:
    """What was named."""
    return str(s["named"].tolist())
