"""Hooks for an audit of Grid: kinds of actions, with the rewards of matches, and the unit of its length."""

from __future__ import annotations

from playmill.author import Text
from playmill.games.grid.config import Config
from playmill.games.grid.config.identifiers import REWARD_IDS
from playmill.games.grid.words import fields
from playmill.games.grid.words.names import REWARD_NAMES

LENGTH = ("turns", Text("turns", "ходы"))
_REWARD = "reward "
_NAMES = {
    "place": Text("place a card", "поставить карту"),
    "pick": Text("pick from the draft", "взять из драфта"),
    "pass": Text("pass to the neighbour", "отдать соседу"),
    "resolve": Text("resolve a pattern", "собрать паттерн"),
    "resolve_none": Text("leave the pattern", "не собирать паттерн"),
    "refuse": Text("refuse the reward", "отказаться от награды"),
    "accept": Text("take the reward", "принять награду"),
    "self_card": Text("choose one's own card", "выбрать свою карту"),
    "self_empty": Text("choose one's own empty cell", "выбрать свою пустую клетку"),
    "opponent": Text("choose an opponent", "выбрать соперника"),
    "opponent_card": Text("choose an opponent's card", "выбрать карту соперника"),
    "opponent_empty": Text("choose an opponent's empty cell", "выбрать пустую клетку соперника"),
    "discard_ref": Text("choose from the discard pile", "выбрать из сброса"),
}


def kinds(config: Config, action: int) -> tuple[str, ...]:
    """The act, and of a match the reward it brings."""
    found = fields(config, action)
    act = str(found["act"])
    return (act, f"{_REWARD}{found['reward']}") if act == "resolve" else (act,)


def kind_name(config: Config, kind: str) -> Text:
    """A kind in words."""
    if kind in _NAMES:
        return _NAMES[kind]
    names = {str(reward): name for reward, name in zip(REWARD_IDS, REWARD_NAMES, strict=True)}
    name = names[kind.removeprefix(_REWARD)]
    return Text(f"reward: {name.en}", f"награда: {name.ru}")
