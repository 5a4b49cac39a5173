"""Hooks for an audit of Battle of Dimensions: kinds of actions, sides, and the unit of its length."""

from __future__ import annotations

from typing import Any

from playmill.author import Text
from playmill.games.dimensions.config import Config
from playmill.games.dimensions.words import fields
from playmill.games.dimensions.words.names import FACTION_NAMES

LENGTH = ("turns", Text("turns", "ходы"))
SIDES = FACTION_NAMES
_ANOMALIES = ("entanglement", "wormhole", "black_hole", "big_bang", "time_loop")
_ANOMALY = "anomaly"
_NAMES = {
    "play": Text("a card for the battle", "карта в битву"),
    "put": Text("reinforce by a card", "усилить картой"),
    "put_captain": Text("place the Captain", "выложить Капитана Силу"),
    "skip": Text("place nothing", "ничего не выкладывать"),
    "stay": Text("do nothing", "ничего не делать"),
    "move": Text("move a card", "переместить карту"),
    "move_captain": Text("move the Captain", "переместить Капитана Силу"),
    _ANOMALY: Text("any anomaly", "любая аномалия"),
    "entanglement": Text("Quantum Entanglement", "Квантовая запутанность"),
    "wormhole": Text("Wormhole", "Кротовая Нора"),
    "black_hole": Text("Black Hole", "Чёрная Дыра"),
    "big_bang": Text("Big Bang", "Большой Взрыв"),
    "time_loop": Text("Time Loop", "Временная Петля"),
    "hold": Text("do not attack", "не атаковать"),
    "attack": Text("attack", "атаковать"),
}


def kinds(config: Config, action: int) -> tuple[str, ...]:
    """The act, and of an anomaly that it is one."""
    act = str(fields(config, action)["act"])
    return (act, _ANOMALY) if act in _ANOMALIES else (act,)


def kind_name(config: Config, kind: str) -> Text:
    """A kind in words."""
    return _NAMES[kind]


def sides(rows: Any) -> Any:
    """The faction of each seat."""
    return rows["faction"]
