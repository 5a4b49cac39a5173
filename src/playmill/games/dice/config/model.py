"""The config of Dice: a model of every setting, with its range and its meaning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    SerializationInfo,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from playmill.author import ConfigError, Packed, PlaymillError, RuleConfig, Text, setting
from playmill.games.dice.config.program import Placed, Setup, packed
from playmill.games.dice.constants import ACTIVE, DICE, EFFECTS, MAX_TURNS, OWN_FLAGS, PLAYERS
from playmill.games.dice.plain import KINDS, LISTS, NOTHING, Kind, is_nothing, shipped_dice

if TYPE_CHECKING:
    from playmill.games.dice.content import Content
else:
    #: What it is the annotation says, to pydantic.
    Content = Any

FAIR = "fair"


class Listed(BaseModel):
    """A modifier or item that a match switches on or off, whatever its own file says."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    id: str = setting(
        Text("Id", "Идентификатор"), Text("The id of a modifier or item.", "id модификатора или предмета.")
    )
    enabled: bool = setting(
        Text("Switched on", "Включено"), Text("Whether it works in this match.", "Действует ли он в этом матче.")
    )


Ids = list[str | Listed]


def _id(listed: str | Listed) -> str:
    return listed if isinstance(listed, str) else listed.id


def _content(value: object) -> Content:
    """Content from an object, a file or a list of files; `NOTHING` if there is none in them."""
    found = NOTHING if is_nothing(value) else _read(value)
    return found if any(getattr(found, kind) for kind in LISTS) else NOTHING


def _read(value: object) -> Content:
    """Content that there may be; files are read here, so that the config holds them whole."""
    from playmill.games.dice.content import Content, content_of, read_content

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


class _Content:
    """What pydantic knows of the field: how it is read and written, and, if asked, the schema of content."""

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        written = core_schema.plain_serializer_function_ser_schema(_written, info_arg=True)
        return core_schema.no_info_plain_validator_function(_content, serialization=written)

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        from playmill.games.dice.content import Content

        return handler(Content.__pydantic_core_schema__)


def _written(content: Content, info: SerializationInfo) -> dict[str, Any]:
    return content.model_dump(mode=info.mode)


def _no_path(value: object) -> Text:
    from playmill.games.dice.content.phrases import short

    return Text(
        f"{short(value)}; expected the path of a content file, a list of paths, or an object with content",
        f"{short(value)}; ожидается путь к файлу с содержанием, список путей или объект с содержанием",
    )


def _or_paths(schema: dict[str, Any]) -> None:
    whole = schema.pop("allOf", None) or [{"$ref": schema.pop("$ref")}]
    schema["anyOf"] = [*whole, {"type": "string"}, {"type": "array", "items": {"type": "string"}}]
    schema["default"] = {}


def _or_text(schema: dict[str, Any]) -> None:
    listed = {key: schema.pop(key) for key in ("type", "items")}
    schema["anyOf"] = [listed, {"type": "string"}]


def _one_or_six(schema: dict[str, Any]) -> None:
    _or_text(schema)
    schema["anyOf"][0] |= {"oneOf": [{"minItems": count, "maxItems": count} for count in (1, DICE)]}


_EASY = Text("A list, or one text with commas between the ids.", "Список или одна строка, где id разделены запятыми.")
_SWITCHED = Text(
    "An id, or an object with `id` and `enabled` that switches it on or off in this match.",
    "id или объект с `id` и `enabled`, который включает или выключает его в этом матче.",
)


def _ids(name: Text, about: Text) -> Any:
    """A field with a list of modifiers or items, none by default."""
    message = Text(f"{about.en} {_EASY.en} {_SWITCHED.en}", f"{about.ru} {_EASY.ru} {_SWITCHED.ru}")
    return setting(name, message, schema=_or_text, default=[])


class Side(BaseModel):
    """What one player brings to the table."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    dice: list[str] = setting(
        Text("Dice", "Кости"),
        Text(
            f"Six ids of dice, one for each position. {_EASY.en} One id alone stands for all six.",
            f"Шесть id костей, по одному на каждое место. {_EASY.ru} Один id означает все шесть.",
        ),
        schema=_one_or_six,
        default=[FAIR] * DICE,
    )
    modifiers: Ids = _ids(
        Text("Modifiers", "Модификаторы"),
        Text(
            "The player's own modifiers, in the order they have a say.",
            "Собственные модификаторы игрока, в порядке их действия.",
        ),
    )
    items: Ids = _ids(
        Text("Items", "Предметы"),
        Text(
            "The player's own items, in the order they have a say.", "Собственные предметы игрока, в порядке действия."
        ),
    )


class Config(RuleConfig):
    """A match of Dice. The defaults are the plain game with fair dice."""

    target_score: int = setting(
        Text("Goal", "Цель"),
        Text(
            "Whoever has so many points after passing wins at once.",
            "Кто, передав ход, набрал столько очков, сразу побеждает.",
        ),
        default=4000,
        ge=1,
        le=1_000_000,
    )
    max_turns: int = setting(
        Text("Turns at most", "Предел ходов"),
        Text(
            "Turns of both players together after which the match is a draw.",
            "После стольких ходов обоих игроков вместе — ничья.",
        ),
        default=1000,
        ge=1,
        le=MAX_TURNS,
    )
    hot_dice_must_roll: bool = setting(
        Text("Hot dice must be thrown", "Горячие кости надо бросать"),
        Text(
            "Whether whoever has saved all six dice has to throw them again, and cannot pass.",
            "Кто отложил все шесть костей, обязан бросить их снова и передать ход не может.",
        ),
        default=False,
    )
    kit: str = setting(
        Text("Kit", "Набор"),
        Text(
            "A kit fills the lists below that are as by default: modifiers, items and dice. It is given by its id, and "
            "unpacked when the config is read, so that the config itself says all.",
            "Набор заполняет те списки ниже, что остались обычными: модификаторы, предметы и кости. Его называют по "
            "id и раскладывают при чтении конфига, так что сам конфиг говорит всё.",
        ),
        default="",
    )
    players: list[Side] = setting(
        Text("Players", "Игроки"),
        Text(
            "The two players' dice, modifiers and items; seat 0 starts.",
            "Кости, модификаторы и предметы обоих игроков; начинает место 0.",
        ),
        schema={"minItems": PLAYERS, "maxItems": PLAYERS},
        default=[Side(), Side()],
    )
    global_modifiers: Ids = _ids(
        Text("Modifiers for both", "Модификаторы для обоих"),
        Text("Modifiers that work for both players.", "Модификаторы, действующие для обоих игроков."),
    )
    global_items: Ids = _ids(
        Text("Items on the table", "Предметы на столе"),
        Text(
            "Items on the table: passive ones work for both, active ones are shared.",
            "Предметы на столе: пассивные действуют для обоих, активные — общие.",
        ),
    )
    content: Annotated[Content, _Content] = setting(
        Text("Content of your own", "Своё содержание"),
        Text(
            "More content for this match, in the format of a content file: an object, the path of a file, or a list of "
            "paths (from the current folder; files are read at once and become part of the config).",
            "Дополнительное содержание этого матча в формате файла содержания: объект, путь к файлу или список путей "
            "(от текущей папки; файлы читаются сразу и становятся частью конфига).",
        ),
        schema=_or_paths,
        whole=True,
        default_factory=lambda: NOTHING,
    )

    @model_validator(mode="before")
    @classmethod
    def _as_people_write_it(cls, data: Any) -> Any:
        """Lists written as one text become lists, and a kit is unpacked."""
        if not isinstance(data, Mapping):
            return data
        made = dict(data)
        players = made.get("players")
        if isinstance(players, list):
            made["players"] = [
                _six(_listed(side, KINDS, f"players.{seat}.")) if isinstance(side, Mapping) else side
                for seat, side in enumerate(players)
            ]
        made = _listed(made, ("global_modifiers", "global_items"), "")
        kit = made.get("kit")
        if isinstance(kit, str) and kit:
            made["content"] = _content(made.get("content", {}))
            _unpack(made, kit)
        return made

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        _check_number("players", len(self.players), PLAYERS, Text("players", "игроков"))
        for seat, side in enumerate(self.players):
            _check_number(f"players.{seat}.dice", len(side.dice), DICE, Text("dice", "костей"), _ONE_FOR_ALL)
        if self._plain():
            return self
        from playmill.games.dice.content import library, merged

        known = merged(library(), self.content).ids()
        for path, kind, ids in self._lists():
            _check_ids(path, kind, ids, known)
        self._check_room()
        return self

    def _plain(self) -> bool:
        """Whether there is nothing in the match but dice that come with the game."""
        listed = [ids for _, kind, ids in self._lists() if kind != "dice"]
        thrown = {name for side in self.players for name in side.dice}
        return is_nothing(self.content) and not any(listed) and thrown <= shipped_dice().keys()

    def _lists(self) -> Iterator[tuple[str, Kind, list[str]]]:
        """Every list of the config: path, kind, ids."""
        yield "global_modifiers", "modifiers", [_id(listed) for listed in self.global_modifiers]
        yield "global_items", "items", [_id(listed) for listed in self.global_items]
        for seat, side in enumerate(self.players):
            for kind in KINDS:
                yield f"players.{seat}.{kind}", kind, [_id(listed) for listed in getattr(side, kind)]

    def _check_room(self) -> None:
        counts = {path: len(ids) for path, kind, ids in self._lists() if kind != "dice" and ids}
        if sum(counts.values()) > EFFECTS:
            parts = ", ".join(f"{path} {count}" for path, count in counts.items())
            raise ConfigError(
                next(iter(counts)),
                f"{sum(counts.values())} modifiers and items in all ({parts}); expected at most {EFFECTS}",
                f"модификаторов и предметов всего {sum(counts.values())} ({parts}); ожидается: не больше {EFFECTS}",
            )
        from playmill.games.dice.content import ActiveItem

        setup = self.resolved()
        for seat in range(PLAYERS):
            active = sum(
                isinstance(entry.content, ActiveItem) for entry in setup.entries if entry.owner in (None, seat)
            )
            if active > ACTIVE:
                raise ConfigError(
                    f"players.{seat}.items",
                    f"{active} active items, global_items counted; expected at most {ACTIVE}",
                    f"активных предметов вместе с global_items: {active}; ожидается: не больше {ACTIVE}",
                )
        if len(setup.flags) > OWN_FLAGS:
            names = ", ".join(flag.id for flag in setup.flags)
            raise ConfigError(
                "content",
                f"the modifiers and items of this match speak of {len(setup.flags)} flags of their own ({names}); "
                f"expected at most {OWN_FLAGS}",
                f"модификаторы и предметы этого матча говорят о собственных флагах: {len(setup.flags)} ({names}); "
                f"ожидается: не больше {OWN_FLAGS}",
            )

    def resolved(self) -> Setup:
        """The match with every id looked up in the library and in its own content."""
        if self._plain():
            thrown = tuple(tuple(shipped_dice()[name] for name in side.dice) for side in self.players)
            return Setup(self.target_score, self.max_turns, self.hot_dice_must_roll, thrown, (), ())
        from playmill.games.dice.content import library, merged
        from playmill.games.dice.content.conditions import RULED_FLAGS

        known = merged(library(), self.content)
        dice = {entry.id: entry for entry in known.dice}
        pieces = {entry.id: entry for entry in (*known.modifiers, *known.items)}
        flags = {flag.id: flag for flag in known.flags}

        def placed(listed: Ids, owner: int | None) -> Iterator[Placed]:
            for one in listed:
                content = pieces[_id(one)]
                yield Placed(content, owner, content.enabled if isinstance(one, str) else one.enabled)

        entries = [*placed(self.global_modifiers, None)]
        for seat, side in enumerate(self.players):
            entries += placed(side.modifiers, seat)
        entries += placed(self.global_items, None)
        for seat, side in enumerate(self.players):
            entries += placed(side.items, seat)
        spoken_of = dict.fromkeys(flag for entry in entries for flag in entry.content.flags())
        return Setup(
            target=self.target_score,
            max_turns=self.max_turns,
            must_roll=self.hot_dice_must_roll,
            dice=tuple(tuple(dice[name] for name in side.dice) for side in self.players),
            entries=tuple(entries),
            flags=tuple(flags[name] for name in spoken_of if name not in RULED_FLAGS),
        )

    def pack(self, players: int) -> Packed:
        """The record the rules read."""
        return packed(self.resolved())


_ONE_FOR_ALL = Text(", or one id for all six", " или один id на все шесть")
_NO_MORE = Text("", "")


def _listed(data: Mapping[str, Any], keys: Sequence[str], start: str) -> dict[str, Any]:
    """Lists written as one text, with commas, as lists; what is no id in them is a ConfigError."""
    made = dict(data)
    for key in keys:
        listed = made.get(key)
        if isinstance(listed, str):
            made[key] = [name.strip() for name in listed.split(",") if name.strip()]
        for place, one in enumerate(listed if isinstance(listed, list) else ()):
            _check_listed(f"{start}{key}.{place}", one, switched=key != "dice")
    return made


def _check_listed(path: str, one: Any, *, switched: bool) -> None:
    if isinstance(one, str | Listed):
        return
    from playmill.games.dice.content.phrases import short

    if not switched:
        raise ConfigError(path, f"{short(one)}; expected an id in quotes", f"{short(one)}; ожидается id в кавычках")
    if not isinstance(one, Mapping) or set(one) != {"id", "enabled"} or not isinstance(one["id"], str):
        sample = '{"id": "bust_shield", "enabled": false}'
        raise ConfigError(
            path,
            f"{short(one)}; expected an id in quotes, or an object such as {sample}",
            f"{short(one)}; ожидается id в кавычках или объект, например {sample}",
        )
    if not isinstance(one["enabled"], bool):
        raise ConfigError(
            f"{path}.enabled",
            f"{short(one['enabled'])}; expected true or false",
            f"{short(one['enabled'])}; ожидается true или false",
        )


def _six(side: dict[str, Any]) -> dict[str, Any]:
    """A side whose one die stands for all six."""
    dice = side.get("dice")
    return {**side, "dice": dice * DICE} if isinstance(dice, list) and len(dice) == 1 else side


def _unpack(data: dict[str, Any], name: str) -> None:
    """Fills the lists that are as by default from a kit."""
    from playmill.games.dice.content import library, merged
    from playmill.games.dice.content.phrases import unknown
    from playmill.games.dice.content.references import NONE_OF, kit_lists

    kits = {kit.id: kit for kit in merged(library(), data["content"]).kits}
    if name not in kits:
        raise ConfigError("kit", *unknown(NONE_OF["kits"], name, list(kits)))
    data["kit"] = ""
    players = data.get("players") or [{}, {}]
    if not isinstance(players, list) or len(players) != PLAYERS or not all(isinstance(side, dict) for side in players):
        return  # a mistake that is told when the players are read
    data["players"] = players
    for path, kind, ids in kit_lists(kits[name]):
        place, key = (data, path) if "." not in path else (players[int(path.split(".")[1])], kind)
        if ids and place.get(key) in (None, [], [FAIR] * DICE):
            place[key] = list(ids)


def _check_number(path: str, count: int, wanted: int, what: Text, more: Text = _NO_MORE) -> None:
    if count != wanted:
        raise ConfigError(
            path,
            f"{count} {what.en}; expected {wanted}{more.en}",
            f"{what.ru}: {count}; ожидается: {wanted}{more.ru}",
        )


def _check_ids(path: str, kind: Kind, ids: Sequence[str], known: Mapping[str, Kind]) -> None:
    from playmill.games.dice.content.phrases import quoted
    from playmill.games.dice.content.references import wrong_id

    for place, name in enumerate(ids):
        where = f"{path}.{place}"
        wrong = wrong_id(kind, name, known)
        if wrong is not None:
            raise ConfigError(where, *wrong)
        if kind != "dice" and name in ids[:place]:
            first = f"{path}.{ids.index(name)}"
            raise ConfigError(
                where,
                f"{quoted(name)} is {first} already; expected each once",
                f"{quoted(name)} уже есть: {first}; ожидается: каждое по разу",
            )
