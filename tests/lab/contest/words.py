"""Contest in words."""

from __future__ import annotations

from typing import Any

from playmill import Text

TITLE = Text("Contest", "Состязание")
ABOUT = Text("who has more", "у кого больше")


def describe(config: Any, action: int) -> Text:
    """An action in words."""
    return Text(f"names {action}", f"называет {action}")


def to_text(config: Any, action: int) -> str:
    """The short form."""
    return str(action)


def parse(config: Any, text: str) -> int:
    """The action of a short form."""
    return int(text)


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
