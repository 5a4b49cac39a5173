"""The known games in words."""

from __future__ import annotations

from typing import Any

from playmill import Text
from playmill.texts import Lang

TITLE = Text("Known games", "Известные игры")
ABOUT = Text("six games whose answers are known", "шесть игр, ответы которых известны")
_WORDS = (
    (Text("left", "слева"), Text("middle", "в середине"), Text("right", "справа")),
    (Text("throw nothing away", "не бросать зря"), Text("waste one", "один впустую"), Text("waste two", "два впустую")),
    (Text("rock", "камень"), Text("paper", "бумага"), Text("scissors", "ножницы")),
    (Text("take one", "взять один"), Text("take two", "взять два"), Text("take three", "взять три")),
    (Text("left", "слева"), Text("middle", "в середине"), Text("right", "справа")),
    (Text("nothing", "ничего"), Text("three points", "три очка"), Text("a die", "кубик")),
)


def describe(config: Any, action: int) -> Text:
    """An action in words."""
    return _WORDS[config.game][action]


def to_text(config: Any, action: int) -> str:
    """Its number."""
    return str(action + 1)


def position(config: Any, s: Any, lang: Lang) -> str:
    """The table in words: what is left of the pile."""
    return Text(f"{int(s['pile'])} left", f"осталось {int(s['pile'])}").of(lang)
