"""Models of content: modifiers, items, dice, flags, kits, and the file that holds them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Discriminator, Field, Tag, model_validator
from typing_extensions import TypeAliasType

from playmill.author import ConfigError, Lang, Text
from playmill.games.dice.content.conditions import ID, TAG, Condition, ContentObject, Flag, absent
from playmill.games.dice.content.consistency import MisfitError, misfits
from playmill.games.dice.content.effects import (
    WEIGHTS,
    ActiveEffect,
    ClearFlag,
    ModifierEffect,
    PassiveEffect,
    SetFlag,
    Weights,
)
from playmill.games.dice.content.weights import fall_text, scaled
from playmill.games.dice.plain import KINDS, Kind

#: Most entries of one kind in one file.
MOST_ENTRIES = 200
#: One line, no control characters, no blanks at its ends.
LINE = r"^[^\x00-\x20\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\x9f])?$"


class Phrase(ContentObject):
    """One text in English and in Russian; what is given in one language alone, or as one text, stands for both."""

    en: str
    ru: str

    @model_validator(mode="before")
    @classmethod
    def _stands_for_both(cls, data: Any) -> Any:
        if isinstance(data, str):
            return {"en": data, "ru": data}
        if isinstance(data, Mapping) and ("en" in data) != ("ru" in data):
            alone = data["en"] if "en" in data else data["ru"]
            return {"en": alone, "ru": alone, **data}
        return data

    @property
    def text(self) -> Text:
        """Both languages, as the rest of the program has them."""
        return Text(self.en, self.ru)

    def of(self, lang: Lang) -> str:
        """The text in one language."""
        return self.text.of(lang)


def _text(most: int, example: Text) -> ConfigDict:
    """How a text of limited length can be written, for the schema."""

    def described(schema: dict[str, Any]) -> None:
        languages = {key: schema.pop(key) for key in ("type", "properties", "additionalProperties")}
        del schema["required"]
        line = {"type": "string", "minLength": 1, "maxLength": most, "pattern": LINE}
        schema["anyOf"] = [line, {**languages, "minProperties": 1}]
        schema["examples"] = [{"en": example.en, "ru": example.ru}]

    return ConfigDict(json_schema_extra=described)


class Name(Phrase):
    """A name of up to 40 characters: in English (en), Russian (ru) or both, or one text for both."""

    model_config = _text(40, Text("Lucky Charm", "Талисман удачи"))

    en: str = Field(min_length=1, max_length=40, pattern=LINE, description="In English.")
    ru: str = Field(min_length=1, max_length=40, pattern=LINE, description="In Russian.")


class Desc(Phrase):
    """A description of up to 200 characters: in English (en), Russian (ru) or both, or one text for both."""

    model_config = _text(200, Text("+25 for every five rolled.", "+25 за каждую пятёрку в броске."))

    en: str = Field(min_length=1, max_length=200, pattern=LINE, description="In English.")
    ru: str = Field(min_length=1, max_length=200, pattern=LINE, description="In Russian.")


class Note(Phrase):
    """A short notice of up to 60 characters: in English (en), Russian (ru) or both, or one text for both."""

    model_config = _text(60, Text("3+ sixes", "3+ шестёрки"))

    en: str = Field(min_length=1, max_length=60, pattern=LINE, description="In English.")
    ru: str = Field(min_length=1, max_length=60, pattern=LINE, description="In Russian.")


Id = Annotated[str, Field(pattern=ID)]
_NAMED = (
    "Its name in files: small Latin letters, digits and _, a letter first, up to 32. No other modifier, item or die "
    "may have it, the ones that come with the game included. If left out, it is made from the name."
)
_ENABLED = "Whether it works; false switches it off in every match that does not switch it on."


def _unsaid(schema: dict[str, Any]) -> None:
    schema.pop("default", None)


def _own_id(description: str = _NAMED) -> Any:
    """An id that a file may leave out; the checker makes one before the file becomes models."""
    return Field(default="", description=description, json_schema_extra=_unsaid)


class Entry(ContentObject):
    """What modifiers, items and dice have in common."""

    id: Id = _own_id()
    name: Name = Field(description="What people call it.")
    desc: Desc = Field(description="What it does and when, in one plain sentence.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for path, text in misfits(self.model_dump(mode="json")):
            raise MisfitError(path, *text)
        return self


class Piece(Entry):
    """What modifiers and items have in common."""

    @property
    def asks(self) -> Any:
        """The condition under which it works or can be used."""
        return getattr(self, "activate_condition" if isinstance(self, ActiveItem) else "condition")

    @property
    def events(self) -> tuple[str, ...]:
        """What it waits for; an active item for nothing."""
        return getattr(self, "triggers", None) or tuple(filter(None, [getattr(self, "trigger", None)]))

    @property
    def effects(self) -> tuple[Any, ...]:
        """What it does."""
        return getattr(self, "effect", ())

    def flags(self) -> Iterator[str]:
        """Every flag that it speaks of."""
        for condition in self.asks.nodes() if self.asks else ():
            if isinstance(condition, Flag):
                yield condition.flag
        for effect in self.effects:
            if isinstance(effect, SetFlag | ClearFlag):
                yield effect.value


def _or_alone(schema: dict[str, Any]) -> None:
    """One effect may stand without the list around it."""
    several = {key: schema.pop(key) for key in ("type", "items", "minItems", "maxItems")}
    schema["anyOf"] = [several["items"], several]


def _effects(owner: str) -> Any:
    return Field(
        min_length=1,
        max_length=4,
        description=f"What the {owner} does: one effect, or a list of 1 to 4 that are done in turn.",
        json_schema_extra=_or_alone,
    )


class Modifier(Piece):
    """A rule that adds or takes points by itself when something happens."""

    trigger: Literal["on_roll", "on_pass"] = Field(
        description="When it looks: on_roll right after every roll, before it is seen whether the roll busts, "
        "on_pass when the turn's points are banked."
    )
    condition: Condition | None = absent("What must hold; always, if left out.")
    effect: tuple[ModifierEffect, ...] = _effects("modifier")
    note: Note = Field(description="The notice shown when it fires, such as “3+ sixes”.")
    enabled: bool = Field(default=True, description=_ENABLED)


class PassiveItem(Piece):
    """An item that works by itself, like a modifier, but can do more."""

    type: Literal["passive"] = Field(description="passive: it works by itself.")
    triggers: tuple[Literal["on_roll", "on_save", "on_pass"], ...] = Field(
        min_length=1,
        max_length=3,
        description="When it looks: on_roll right after every roll, before it is seen whether the roll busts, on_save "
        "right after dice are saved, on_pass when the turn's points are banked. Each at most once.",
        json_schema_extra={"uniqueItems": True, "examples": [["on_save"]]},
    )
    condition: Condition | None = absent("What must hold; always, if left out.")
    effect: tuple[PassiveEffect, ...] = _effects("item")
    notification: Note = Field(description="The notice shown when it fires.")
    enabled: bool = Field(default=True, description=_ENABLED)


class ActiveItem(Piece):
    """An item that its player uses after a roll that scores, before saving, if it would do anything."""

    type: Literal["active"] = Field(description="active: the player uses it.")
    cooldown_turns: int = Field(
        ge=0,
        le=100,
        description="Turns, of both players together, until it can be used again, 1 to 100; 0: it can be used once in "
        "every decision of a turn, that is once before each save.",
    )
    activate_condition: Condition | None = absent("When it can be used; always, if left out.")
    effect: tuple[ActiveEffect, ...] = _effects("item")
    notification: Note = Field(description="The notice shown when it is used.")
    enabled: bool = Field(default=True, description=_ENABLED)


def _type_of(data: Any) -> str:
    kind = data.get("type") if isinstance(data, Mapping) else getattr(data, "type", None)
    return TAG + str(kind)


Item = TypeAliasType(
    "Item",
    Annotated[
        Annotated[PassiveItem, Tag("?passive")] | Annotated[ActiveItem, Tag("?active")],
        Discriminator(_type_of),
        Field(description="An item: passive or active."),
    ],
)


class Die(Entry):
    """A kind of die: how often each face falls."""

    desc: Desc = Field(
        default=Desc(en="…", ru="…"),
        description="What it is good for: which strategies it helps or hurts. If left out, it says how it falls.",
        json_schema_extra=_unsaid,
    )
    code: str = Field(
        min_length=1,
        max_length=4,
        pattern=r"^[^\x00-\x20\x7f-\x9f]+$",
        description='A mark of 1 to 4 characters, such as "1+".',
    )
    weights: Weights = Field(description=WEIGHTS)
    rarity: Annotated[str, Field(min_length=1, max_length=40, pattern=LINE)] | None = absent(
        "How rare it is, in a word such as common or legendary; for people."
    )
    theme: Note | None = absent("What it looks like or where it comes from; for people.")

    @model_validator(mode="before")
    @classmethod
    def _says_how_it_falls(cls, data: Any) -> Any:
        weights = (
            scaled(data["weights"]) if isinstance(data, Mapping) and "desc" not in data and "weights" in data else 0
        )
        if isinstance(weights, tuple) and len(weights) == 6 and all(isinstance(one, int) for one in weights):
            message = fall_text(weights) if any(weights) else Text("…", "…")
            return {**data, "desc": {"en": f"{message.en.capitalize()}.", "ru": f"{message.ru.capitalize()}."}}
        return data


#: The key `turns` goes with flags that last so many turns, and only with them.
_ONLY_WITH_TURNS: list[Any] = [
    {"properties": {"lasts": {"enum": ["until_used", "turn"]}}, "not": {"required": ["turns"]}},
    {"properties": {"lasts": {"const": "turns"}}, "required": ["lasts", "turns"]},
]


class OwnFlag(ContentObject):
    """A flag of content's own: a mark on the player who sets it, that conditions ask for."""

    model_config = ConfigDict(json_schema_extra={"oneOf": _ONLY_WITH_TURNS})

    id: Id = _own_id(
        "What conditions and effects call it: small Latin letters, digits and _, a letter first, up to 32. "
        "If left out, it is made from the name."
    )
    name: Name = Field(description="What people call it.")
    lasts: Literal["until_used", "turn", "turns"] = Field(
        default="until_used",
        description="How long: until_used, that is until something that asks for it (other than by not) does anything; "
        "to the end of the turn in which it is set; or for as many turns as the key turns says.",
    )
    turns: Annotated[int, Field(ge=1, le=100)] | None = absent(
        'Only, and always, with "lasts": "turns": how many turns, of both players together, the one in which it is set '
        "counted, 1 to 100; 3 is to the end of the player's next turn."
    )

    @property
    def time(self) -> int:
        """How many turns it lasts; 0 until it is used."""
        return {"until_used": 0, "turn": 1, "turns": self.turns or 0}[self.lasts]

    @model_validator(mode="after")
    def _lasts_so_long(self) -> Self:
        if self.turns is None and self.lasts == "turns":
            raise ConfigError(
                "",
                'the key "turns" is missing; a flag that lasts "turns" needs it',
                'нет ключа "turns"; он нужен флагу, у которого lasts — "turns"',
            )
        if self.turns is not None and self.lasts != "turns":
            raise ConfigError(
                "turns",
                f'does not go with lasts "{self.lasts}"; only with "turns"',
                f'не сочетается с lasts "{self.lasts}"; только с "turns"',
            )
        return self


Ids = Annotated[tuple[Id, ...], Field(max_length=32)]


class KitSide(ContentObject):
    """What a kit gives to one player."""

    dice: tuple[Id, ...] | None = absent("Six ids of dice, one for each position.", min_length=6, max_length=6)
    modifiers: Ids = Field(default=(), description="Ids of the player's own modifiers.")
    items: Ids = Field(default=(), description="Ids of the player's own items.")


class Kit(ContentObject):
    """A whole evening to pick by one word: modifiers, items and the dice of both players."""

    id: Id = _own_id("The word it is picked by. If left out, it is made from the name.")
    name: Name = Field(description="What people call it.")
    desc: Desc = Field(description="What kind of evening it is, in one plain sentence.")
    global_modifiers: Ids = Field(default=(), description="Ids of modifiers that work for both players.")
    global_items: Ids = Field(default=(), description="Ids of items on the table.")
    players: tuple[KitSide, ...] = Field(
        default=(KitSide(), KitSide()),
        min_length=2,
        max_length=2,
        description="What each player gets, two objects.",
        json_schema_extra=_unsaid,
    )


def _at_most(kind: str) -> Any:
    return Field(default=(), description=f"Up to {MOST_ENTRIES} {kind}.", json_schema_extra={"maxItems": MOST_ENTRIES})


class Content(ContentObject):
    """Modifiers, items and dice, flags they speak of, and kits made of them: a content file."""

    modifiers: tuple[Modifier, ...] = _at_most("modifiers")
    items: tuple[Item, ...] = _at_most("items")
    dice: tuple[Die, ...] = _at_most("dice")
    flags: tuple[OwnFlag, ...] = _at_most("flags that the modifiers and items of this file set or ask for")
    kits: tuple[Kit, ...] = _at_most("kits")

    def ids(self) -> dict[str, Kind]:
        """Every id of a modifier, item or die, with the list it stands in."""
        return {entry.id: kind for kind in KINDS for entry in getattr(self, kind)}
