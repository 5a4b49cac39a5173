"""Hooks for an audit of Dice: kinds of actions, with the items that are used, and the unit of its length."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.dice.actions import EVERY_DIE
from playmill.games.dice.config import Config
from playmill.games.dice.words import fields
from playmill.games.dice.words.names import entry_name, match_names, positions

LENGTH = ("turns", Text("turns", "ходы"))
_HOT, _ITEM = "hot dice", "item "
_NAMES = {
    "continue": Text("save and throw the rest", "сохранить и бросить остальные"),
    _HOT: Text("save all and throw all again", "сохранить все и бросить снова"),
    "pass": Text("save and pass", "сохранить и спасовать"),
    "use": Text("use an item", "использовать предмет"),
    "choose": Text("choose dice for an item", "выбрать кости для предмета"),
}


def kinds(config: Config, action: int) -> tuple[str, ...]:
    """The act, whether every die is thrown again, and of an item which it is."""
    found = fields(config, action)
    act = str(found["act"])
    if act == "use":
        ids = found["ids"]
        assert isinstance(ids, list)
        return (act, *(f"{_ITEM}{one}" for one in dict.fromkeys(ids) if one is not None))
    return (_HOT,) if act == "continue" and found["dice"] == positions(EVERY_DIE) else (act,)


def kind_name(config: Config, kind: str) -> Text:
    """A kind in words."""
    if kind in _NAMES:
        return _NAMES[kind]
    wanted = kind.removeprefix(_ITEM)
    entries = match_names(config).entries
    return next(entry_name(config, number) for number, entry in enumerate(entries) if entry.content.id == wanted)
