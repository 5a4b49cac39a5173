"""Choices for settings of Grid: directions, shapes, rules of patterns, rewards."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.author import Text
from playmill.author.words import Choices, named
from playmill.games.grid.config import Config
from playmill.games.grid.config.identifiers import REWARD_IDS
from playmill.games.grid.rulebook import COLOUR_TEXTS, RANK_TEXTS, SHAPE_TEXTS
from playmill.games.grid.words.names import REWARD_NAMES

_DIRECTIONS = {
    "clockwise": Text("clockwise", "по часовой стрелке"),
    "counterclockwise": Text("counterclockwise", "против часовой стрелки"),
}
_NEIGHBOURS = {"left": Text("on the left", "слева"), "right": Text("on the right", "справа")}
_REFUSED = {None: Text("as in general", "как в общем правиле"), True: Text("yes", "да"), False: Text("no", "нет")}
_REWARDS = {
    name: Text(f"{name}: {name_in_words.en}", f"{name}: {name_in_words.ru}")
    for name, name_in_words in zip(REWARD_IDS, REWARD_NAMES, strict=True)
}


def choices(config: Config) -> Mapping[str, Choices]:
    """Names for what the file names by keys."""
    return {
        "game.players.turn_direction": Choices(named(_DIRECTIONS)),
        "game.players.next_player_definition": Choices(named(_NEIGHBOURS)),
        "patterns.*.shape": Choices(named(SHAPE_TEXTS)),
        "patterns.*.rank_rule": Choices(named(RANK_TEXTS)),
        "patterns.*.color_rule": Choices(named(COLOUR_TEXTS)),
        "patterns.*.reward.id": Choices(named(_REWARDS)),
        "patterns.*.reward.optional": Choices(named(_REFUSED)),
        "rewards.*.optional": Choices(named(_REFUSED)),
    }


def labels(config: Config) -> Mapping[str, Text]:
    """Patterns by their letters with their points, rewards by what they do."""
    patterns = {
        f"patterns.{one.id}": Text(f"Pattern {one.id}, {one.vp} VP", f"Паттерн {one.id}, {one.vp} ПО")
        for one in config.patterns
    }
    return {**patterns, **{f"rewards.{name}": name_in_words for name, name_in_words in _REWARDS.items()}}
