"""Hooks for an audit of Influence: kinds of actions, and the unit of its length."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.influence.config import Config

LENGTH = ("rounds", Text("rounds", "раунды"))
_NAMES = {
    "attack": Text("attack", "атаковать"),
    "end": Text("end the attack", "закончить атаку"),
    "place": Text("put a point where one likes", "поставить очко, куда хочется"),
    "auto": Text("leave the points to be placed by themselves", "распределить очки автоматически"),
}


def kind_name(config: Config, kind: str) -> Text:
    """A kind in words."""
    return _NAMES[kind]
