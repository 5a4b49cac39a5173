"""The config of Grid: a model of every setting, with its range and its meaning."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, Self

import numpy as np
from pydantic import ConfigDict, model_validator

from playmill.author import ConfigError, Packed, PlaymillError, RuleConfig, Text, setting, unknown_keys, without
from playmill.games.grid.config.checks import (
    check_deck,
    check_draft,
    check_enums,
    check_grid,
    check_patterns,
    check_players,
    check_rewards,
    known_names,
)
from playmill.games.grid.config.identifiers import (
    COLOR_RULES,
    PATTERN_IDS,
    PATTERN_SHAPES,
    RANK_RULES,
    REWARD_IDS,
)
from playmill.games.grid.config.lists import Pattern, Patterns, Rewards
from playmill.games.grid.config.parts import ALWAYS_ON, TWINS, AgentContract, Deck, Enums, GameRules, Grid, Termination
from playmill.games.grid.config.record import Numbers
from playmill.games.grid.constants import JOKER, LINE_4, LINE_5, NO_REWARD, SQUARE
from playmill.games.grid.patterns.outline_tables import pack_outlines
from playmill.games.grid.patterns.prefilter import JOKER_MARK, LOOKED_UP, marks_of

FILE = "game_rules_config_v0_1.json"
FILE_KEYS = ("version", "game", "enums", "patterns", "rewards", "termination", "agent_contract")
#: Fields of the record that are a value of the file as it stands.
PLAIN = {
    "width": "game.grid.width",
    "height": "game.grid.height",
    "cards": "game.deck.total_cards",
    "reveal": "game.draft.reveal",
    "pick_self": "game.draft.pick_self",
    "pass_next": "game.draft.pass_next_player",
    "joker": "game.joker.enabled",
    "joker_any_rank": "game.joker.matches_any_rank",
    "joker_any_colour": "game.joker.matches_any_color",
    "auto_trigger": "game.patterns.auto_trigger",
    "touch_ban": "game.rewards.opponent_actions_forbid_touch_protected_zone",
    "cross_ban": "game.rewards.opponent_actions_forbid_move_into_or_out_of_protected_zone",
    "failure_is_harmless": "game.rewards.reward_placement_failure_does_not_end_game",
    "extra_needs_deck": "game.rewards.extra_turn_ignored_if_deck_empty",
    "end_without_hand_cell": "termination.end_if_no_space_for_mandatory_hand_placement",
    "end_without_draft_cell": "termination.end_if_no_space_for_mandatory_draft_placement",
    "play_on_without_deck": "termination.deck_empty_allows_phase1_for_next_players",
}


class Config(RuleConfig):
    """Rules of Grid: the structure of `game_rules_config_v0_1.json`. `Config()` is the shipped file."""

    # A file must have all keys; only `Config()` in Python may leave them out. Those it has besides are kept.
    model_config = ConfigDict(extra="allow", json_schema_extra={"required": [*FILE_KEYS]})

    version: str = setting(
        Text("Version", "Версия"),
        Text("The version of the file, any text.", "Версия файла, любой текст."),
        fixed=True,
        default="0.1",
    )
    game: GameRules = setting(
        Text("The game", "Игра"),
        Text("The frame of the game.", "Устройство игры."),
        default_factory=lambda: shipped().game,
    )
    enums: Enums = setting(
        Text("Names", "Имена"),
        Text("The names the file uses.", "Имена, которые есть в файле."),
        fixed=True,
        default_factory=lambda: shipped().enums,
    )
    patterns: Patterns = setting(
        Text("Patterns", "Паттерны"),
        Text("1 to 12 patterns.", "От 1 до 12 паттернов."),
        default_factory=lambda: shipped().patterns,
    )
    rewards: Rewards = setting(
        Text("Rewards", "Награды"),
        Text("RWD1 to RWD10, each once.", "От RWD1 до RWD10, каждая один раз."),
        default_factory=lambda: shipped().rewards,
    )
    termination: Termination = setting(
        Text("The end", "Конец партии"),
        Text("How the game ends.", "Когда партия заканчивается."),
        default_factory=lambda: shipped().termination,
    )
    agent_contract: AgentContract = setting(
        Text("Agents", "Агенты"),
        Text("What happens when an agent answers nonsense.", "Что бывает, когда агент отвечает невпопад."),
        fixed=True,
        default_factory=lambda: shipped().agent_contract,
    )

    @classmethod
    def read(cls, data: object, source: str = "config") -> Self:
        """A config from parsed JSON, which must have every key; the first mistake becomes one sentence."""
        for key in FILE_KEYS:
            if isinstance(data, Mapping) and key not in data:
                raise PlaymillError(f"{source}: the key {key!r} is missing", f"{source}: нет ключа {key!r}")
        return super().read(data, source)

    def changed(self, changes: Sequence[str]) -> Self:
        """A copy with `path=value` changes; what the file says twice (`TWINS`) is changed at both places.

        A twin that has a change of its own keeps it. Numbers tied by a sum (`reveal`, `total_cards`) are changed
        together with those that make it up.
        """
        given = dict(change.partition("=")[::2] for change in changes)
        more = [
            f"{twin}={given[path]}"
            for pair in TWINS
            for path, twin in (pair, pair[::-1])
            if path in given and twin not in given
        ]
        return super().changed([*changes, *more])

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        for path in ALWAYS_ON:
            if not _at(self, path):
                raise ConfigError(
                    path, "false is not supported; expected true", "значение false не поддерживается; ожидается: true"
                )
        for first, second in TWINS:
            mine, other = (json.dumps(_at(self, path)) for path in (first, second))
            if mine != other:
                raise ConfigError(
                    first,
                    f"{mine}, but {second} is {other}; expected the same at both",
                    f"{mine}, а {second} равно {other}; ожидается одно и то же",
                )
        check_players(self.game.players)
        check_deck(self.game.deck)
        check_grid(self.game.grid)
        check_draft(self.game.draft, self.game.deck.total_cards)
        check_enums(self.enums)
        check_patterns(self.patterns)
        check_rewards(self.rewards)
        # The order of these lists has no say: files that differ in it play the same games.
        self.patterns.sort(key=lambda pattern: PATTERN_IDS.index(pattern.id))
        self.rewards.sort(key=lambda reward: REWARD_IDS.index(reward.id))
        for name, known in known_names():
            getattr(self.enums, name).sort(key=known.index)
        return self

    def plainest(self) -> Self:
        """The same rules with `optional` said only where it must be: in general, or by a pattern against that.

        What has no say in the rules is left out: the version, and keys that nobody knows.
        """
        asks = [is_optional(self, pattern) for pattern in self.patterns]
        data = without(self.model_dump(mode="json"), unknown_keys(self))
        data["version"] = shipped().version
        data["game"]["rewards"]["optional_by_default"] = any(asks)
        for reward in data["rewards"]:
            reward["optional"] = None
        for pattern, optional in zip(data["patterns"], asks, strict=True):
            if pattern["reward"] is not None:
                pattern["reward"]["optional"] = None if optional == any(asks) else optional
        return type(self).read(data)

    def file(self) -> dict[str, Any]:
        """The config as the file has it: a key that is not set is left out, never null."""
        return self.model_dump(mode="json", exclude_none=True)

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        limits = self.game.players
        if not limits.min_players <= players <= limits.max_players:
            span = f"{limits.min_players}…{limits.max_players}"
            raise PlaymillError(
                f"{players} players; expected {span} (game.players.min_players and max_players)",
                f"игроков: {players}; ожидается: {span} (game.players.min_players и max_players)",
            )
        packed = np.zeros(1, Numbers)
        numbers = packed[0]
        numbers["players"] = players
        numbers["step"] = 1 if limits.turn_direction == "clockwise" else -1
        numbers["next_seat"][:players] = [(seat + numbers["step"]) % players for seat in range(players)]
        for field, path in PLAIN.items():
            numbers[field] = _at(self, path)
        _pack_deck(numbers, self.game.deck)
        _pack_grid(numbers, self.game.grid)
        _pack_patterns(numbers, self)
        return packed


def shipped() -> Config:
    """The config of the file that comes with the game, read once."""
    return _shipped()


@cache
def _shipped() -> Config:
    text = resources.files(__package__).joinpath("data", FILE).read_text(encoding="utf-8")
    return Config.read(json.loads(text), FILE)


def card_fields(config: Config, card: int) -> dict[str, int]:
    """Rank, colour and shape of a card, as the file names them."""
    deck = config.game.deck
    rank, color, shape = _card_places(deck, card)
    return {"rank": deck.ranks[rank], "color": deck.colors[color], "shape": deck.shapes[shape]}


def windows_of(config: Config) -> list[tuple[int, list[int]]]:
    """Shape and cells of every window of the board, in the order of their numbers."""
    return [(shape, list(cells)) for shape, cells in board_windows(config.game.grid.width, config.game.grid.height)]


@cache
def board_windows(width: int, height: int) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """Shape and cells of every window: squares, then lines of five, then of four; rows before columns."""

    def cells(x: int, y: int, columns: int, rows: int) -> tuple[int, ...]:
        return tuple((y + j) * width + x + i for j in range(rows) for i in range(columns))

    found = [(SQUARE, cells(x, y, 3, 3)) for y in range(height - 2) for x in range(width - 2)]
    for shape, length in ((LINE_5, 5), (LINE_4, 4)):
        found += [(shape, cells(x, y, length, 1)) for y in range(height) for x in range(width - length + 1)]
        found += [(shape, cells(x, y, 1, length)) for x in range(width) for y in range(height - length + 1)]
    return tuple(found)


def _at(config: Config, path: str) -> Any:
    value: Any = config
    for step in path.split("."):
        value = getattr(value, step)
    return value


def _card_places(deck: Deck, card: int) -> tuple[int, int, int]:
    """Places of a card's rank, colour and shape in their lists; cards go by rank, then colour, then shape."""
    assert 1 <= card <= deck.total_cards, card
    rest, shape = divmod(card - 1, len(deck.shapes))
    rank, color = divmod(rest, len(deck.colors))
    return rank, color, shape


def _pack_deck(numbers: Any, deck: Deck) -> None:
    marks = marks_of(deck.ranks)
    for card in range(1, deck.total_cards + 1):
        rank, color, shape = _card_places(deck, card)
        numbers["rank"][card] = deck.ranks[rank]
        numbers["colour"][card] = color
        numbers["shape"][card] = shape
        numbers["mark"][card] = marks[deck.ranks[rank]]
    numbers["mark"][JOKER] = JOKER_MARK
    numbers["rank_bits"] = _bits(deck.ranks)
    numbers["low_rank"] = min(deck.ranks)
    numbers["high_rank"] = max(deck.ranks)
    numbers["colours"] = len(deck.colors)


def _pack_grid(numbers: Any, grid: Grid) -> None:
    numbers["cells"] = grid.width * grid.height
    numbers["long_lines"] = max(grid.width, grid.height) > LOOKED_UP
    numbers["board"] = (1 << grid.width * grid.height) - 1
    size = grid.protected_zone.size
    left, top = (grid.width - size) // 2, (grid.height - size) // 2
    numbers["zone"] = _bits(y * grid.width + x for y in range(top, top + size) for x in range(left, left + size))
    for cell in range(grid.width * grid.height):
        y, x = divmod(cell, grid.width)
        numbers["spot"][cell] = x, y
    windows = board_windows(grid.width, grid.height)
    numbers["windows"] = len(windows)
    for window, (shape, cells) in enumerate(windows):
        numbers["window_shape"][window] = shape
        numbers["window_bits"][window] = _bits(cells)
        numbers["window_cell"][window, : len(cells)] = cells
        for cell in cells:
            numbers["cell_window"][cell, numbers["cell_windows"][cell]] = window
            numbers["cell_windows"][cell] += 1


def is_optional(config: Config, pattern: Pattern) -> bool:
    """Whether the reward of a pattern may be refused: the pattern says so, or the reward, or the general switch."""
    if pattern.reward is None:
        return False
    reward = next(reward for reward in config.rewards if reward.id == pattern.reward.id)
    said = (pattern.reward.optional, reward.optional, config.game.rewards.optional_by_default)
    return next(answer for answer in said if answer is not None)


def _pack_patterns(numbers: Any, config: Config) -> None:
    numbers["patterns"] = len(config.patterns)
    for place, pattern in enumerate(config.patterns):
        shape = PATTERN_SHAPES.index(pattern.shape)
        numbers["pattern_letter"][place] = PATTERN_IDS.index(pattern.id)
        numbers["pattern_shape"][place] = shape
        numbers["pattern_rank"][place] = RANK_RULES.index(pattern.rank_rule)
        numbers["pattern_colour"][place] = COLOR_RULES.index(pattern.color_rule)
        numbers["pattern_vp"][place] = pattern.vp
        numbers["pattern_reward"][place] = REWARD_IDS.index(pattern.reward.id) if pattern.reward else NO_REWARD
        numbers["pattern_optional"][place] = is_optional(config, pattern)
        numbers["shape_used"][shape] = 1
    _pack_starts(numbers, config)
    pack_outlines(numbers, config.game.deck.ranks)
    for reward in config.rewards:
        number = REWARD_IDS.index(reward.id)
        numbers["needs_cell"][number] = reward.constraints.requires_free_cell_on_self_board
        numbers["ban_source"][number] = reward.constraints.forbid_opponent_protected_zone_as_source
        numbers["ban_target"][number] = reward.constraints.forbid_opponent_protected_zone_as_destination


def _pack_starts(numbers: Any, config: Config) -> None:
    """Lines of five are looked for by the lines of four in them."""
    shapes = {PATTERN_SHAPES.index(pattern.shape) for pattern in config.patterns}
    windows = windows_of(config)
    if shapes & {LINE_4, LINE_5}:
        lines = [cells for shape, cells in windows if shape == LINE_4]
        numbers["row_starts"] = _bits(cells[0] for cells in lines if cells[1] == cells[0] + 1)
        numbers["column_starts"] = _bits(cells[0] for cells in lines if cells[1] != cells[0] + 1)
    if SQUARE in shapes:
        numbers["square_starts"] = _bits(cells[0] for shape, cells in windows if shape == SQUARE)


def _bits(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)
