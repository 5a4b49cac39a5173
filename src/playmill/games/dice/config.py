"""The set-up of a match of Dice: its numbers, both players' dice, modifiers and items, and content of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from playmill.engine.config import ConfigError, Packed, RuleConfig
from playmill.games.dice.content import (
    KINDS,
    ONE,
    ActiveItem,
    Content,
    Die,
    Kind,
    Modifier,
    PassiveItem,
    content_of,
    library,
    merged,
    read_content,
)
from playmill.games.dice.content.phrases import quoted, short, unknown
from playmill.games.dice.tables import ACTIVE, DICE, EFFECTS, MAX_TURNS, PLAYERS
from playmill.texts import PlaymillError, Text

FAIR = "fair"
#: What a kind is called after “there is no”.
NONE_OF: dict[Kind, Text] = {
    "modifiers": Text("modifier", "модификатора"),
    "items": Text("item", "предмета"),
    "dice": Text("die", "кости"),
}
Ids = list[str]
Two = TypeVar("Two")
Pair = tuple[Two, Two]


def _content(value: object) -> Content:
    """Content from an object, a file or a list of files; files are read here, so that the config holds them whole."""
    if isinstance(value, Content):
        return value
    paths = [value] if isinstance(value, str) else value
    try:
        if isinstance(paths, list):
            for place, path in enumerate(paths):
                if not isinstance(path, str):
                    raise ConfigError(f"content.{place}", *_no_path(path))
            return read_content([Path(path) for path in paths])
        if isinstance(value, Mapping):
            return content_of(value, "")
    except PlaymillError as error:
        raise ConfigError("content", error.text.en, error.text.ru) from None
    raise ConfigError("content", *_no_path(value))


def _no_path(value: object) -> Text:
    return Text(
        f"{short(value)}; expected the path of a content file, a list of paths, or an object with content",
        f"{short(value)}; ожидается путь к файлу с содержанием, список путей или объект с содержанием",
    )


def _or_paths(schema: dict[str, Any]) -> None:
    whole = schema.pop("allOf", None) or [{"$ref": schema.pop("$ref")}]
    schema["anyOf"] = [*whole, {"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    schema["default"] = {}


class Side(BaseModel):
    """What one player brings to the table."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    dice: Ids = Field(
        default=[FAIR] * DICE,
        description="Six ids of dice, one for each position.",
        json_schema_extra={"minItems": DICE, "maxItems": DICE},
    )
    modifiers: Ids = Field(default=[], description="Ids of the player's own modifiers, in the order they have a say.")
    items: Ids = Field(default=[], description="Ids of the player's own items, in the order they have a say.")


@dataclass(frozen=True)
class Setup:
    """A match with its content looked up: everything by seat where it belongs to one."""

    dice: Pair[tuple[Die, ...]]
    global_modifiers: tuple[Modifier, ...]
    modifiers: Pair[tuple[Modifier, ...]]
    global_items: tuple[PassiveItem | ActiveItem, ...]
    items: Pair[tuple[PassiveItem | ActiveItem, ...]]


class Config(RuleConfig):
    """A match of Dice. The defaults are the plain game with fair dice."""

    target_score: int = Field(
        default=4000, ge=1, le=1_000_000, description="Whoever has so many points after passing wins at once."
    )
    max_turns: int = Field(
        default=1000, ge=1, le=MAX_TURNS, description="Turns of both players together after which the match is a draw."
    )
    players: list[Side] = Field(
        default=[Side(), Side()],
        description="The two players' dice, modifiers and items; seat 0 starts.",
        json_schema_extra={"minItems": PLAYERS, "maxItems": PLAYERS},
    )
    global_modifiers: Ids = Field(default=[], description="Ids of modifiers that work for both players.")
    global_items: Ids = Field(
        default=[], description="Ids of items on the table: passive ones work for both, active ones are shared."
    )
    content: Annotated[Content, BeforeValidator(_content)] = Field(
        default=Content(),
        description="More content for this match, in the format of a content file: an object, the path of a file, "
        "or a list of paths (from the current folder; files are read at once and become part of the config).",
        json_schema_extra=_or_paths,
    )

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        _check_number("players", len(self.players), PLAYERS, Text("players", "игроков"))
        for seat, side in enumerate(self.players):
            _check_number(f"players.{seat}.dice", len(side.dice), DICE, Text("dice", "костей"))
        known = merged(library(), self.content).ids()
        for path, kind, ids in self._lists():
            _check_ids(path, kind, ids, known)
        self._check_room()
        return self

    def _lists(self) -> Iterator[tuple[str, Kind, Ids]]:
        """Every list of ids of the config: path, kind, ids."""
        yield "global_modifiers", "modifiers", self.global_modifiers
        yield "global_items", "items", self.global_items
        for seat, side in enumerate(self.players):
            for kind in KINDS:
                yield f"players.{seat}.{kind}", kind, getattr(side, kind)

    def _check_room(self) -> None:
        counts = {path: len(ids) for path, kind, ids in self._lists() if kind != "dice" and ids}
        if sum(counts.values()) > EFFECTS:
            parts = ", ".join(f"{path} {count}" for path, count in counts.items())
            raise ConfigError(
                next(iter(counts)),
                f"{sum(counts.values())} modifiers and items in all ({parts}); expected at most {EFFECTS}",
                f"модификаторов и предметов всего {sum(counts.values())} ({parts}); ожидается: не больше {EFFECTS}",
            )
        setup = self.resolved()
        for seat, items in enumerate(setup.items):
            active = sum(isinstance(item, ActiveItem) for item in (*setup.global_items, *items))
            if active > ACTIVE:
                raise ConfigError(
                    f"players.{seat}.items",
                    f"{active} active items, global_items counted; expected at most {ACTIVE}",
                    f"активных предметов вместе с global_items: {active}; ожидается: не больше {ACTIVE}",
                )

    def resolved(self) -> Setup:
        """The match with every id looked up in the library and in its own content."""
        known = merged(library(), self.content)
        modifiers = {entry.id: entry for entry in known.modifiers}
        items: dict[str, PassiveItem | ActiveItem] = {entry.id: entry for entry in known.items}
        dice = {entry.id: entry for entry in known.dice}
        first, second = self.players
        return Setup(
            dice=(_found(dice, first.dice), _found(dice, second.dice)),
            global_modifiers=_found(modifiers, self.global_modifiers),
            modifiers=(_found(modifiers, first.modifiers), _found(modifiers, second.modifiers)),
            global_items=_found(items, self.global_items),
            items=(_found(items, first.items), _found(items, second.items)),
        )

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        from playmill.games.dice.program import packed

        return packed(self)


def _found(known: Mapping[str, Two], ids: Ids) -> tuple[Two, ...]:
    return tuple(known[name] for name in ids)


def _check_number(path: str, count: int, wanted: int, what: Text) -> None:
    if count != wanted:
        raise ConfigError(path, f"{count} {what.en}; expected {wanted}", f"{what.ru}: {count}; ожидается: {wanted}")


def _check_ids(path: str, kind: Kind, ids: Sequence[str], known: Mapping[str, Kind]) -> None:
    for place, name in enumerate(ids):
        where = f"{path}.{place}"
        if name not in known:
            raise ConfigError(where, *unknown(NONE_OF[kind], name, [other for other in known if known[other] == kind]))
        if known[name] != kind:
            other, one = ONE[known[name]], ONE[kind]
            raise ConfigError(
                where,
                f"{quoted(name)} is {other.en}; expected {one.en}",
                f"{quoted(name)} — {other.ru}; ожидается: {one.ru}",
            )
        if kind != "dice" and name in ids[:place]:
            first = f"{path}.{ids.index(name)}"
            raise ConfigError(
                where,
                f"{quoted(name)} is {first} already; expected each once",
                f"{quoted(name)} уже есть: {first}; ожидается: каждое по разу",
            )
