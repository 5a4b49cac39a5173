"""What may be chosen for Grid, by name: directions, shapes, rules of patterns, rewards."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.author import Text
from playmill.author.words import Choices, named
from playmill.games.grid.config import Config
from playmill.games.grid.config_names import REWARD_IDS
from playmill.games.grid.names import REWARD_NAMES
from playmill.games.grid.rulebook import COLOURS_TOLD, RANKS_TOLD, SHAPES_TOLD

_DIRECTIONS = {
    "clockwise": Text("clockwise", "по часовой стрелке"),
    "counterclockwise": Text("counterclockwise", "против часовой стрелки"),
}
_NEIGHBOURS = {"left": Text("on the left", "слева"), "right": Text("on the right", "справа")}
_REFUSED = {None: Text("as in general", "как в общем правиле"), True: Text("yes", "да"), False: Text("no", "нет")}
_REWARDS = {
    name: Text(f"{name}: {told.en}", f"{name}: {told.ru}") for name, told in zip(REWARD_IDS, REWARD_NAMES, strict=True)
}


def choices(config: Config) -> Mapping[str, Choices]:
    """Names for what the file names by keys."""
    return {
        "game.players.turn_direction": Choices(named(_DIRECTIONS)),
        "game.players.next_player_definition": Choices(named(_NEIGHBOURS)),
        "patterns.*.shape": Choices(named(SHAPES_TOLD)),
        "patterns.*.rank_rule": Choices(named(RANKS_TOLD)),
        "patterns.*.color_rule": Choices(named(COLOURS_TOLD)),
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
    return {**patterns, **{f"rewards.{name}": told for name, told in _REWARDS.items()}}
