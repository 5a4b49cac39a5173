"""What content is made of: modifiers, items, dice, and the file that holds them, as models and as a JSON Schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import ConfigDict, Discriminator, Field, Tag, model_validator
from typing_extensions import TypeAliasType

from playmill.games.dice.content.conditions import TAG, Condition, Part, absent
from playmill.games.dice.content.deeds import WEIGHTS, ActiveEffect, ModifierEffect, PassiveEffect, Weights
from playmill.games.dice.content.rules import MisfitError, misfits
from playmill.texts import Lang, Text

#: Most entries of one kind in one file.
MOST_ENTRIES = 200
ID = r"^[a-z][a-z0-9_]{0,31}$"
#: One line, no control characters, no blanks at its ends.
LINE = r"^[^\x00-\x20\x7f-\x9f]([^\x00-\x1f\x7f-\x9f]*[^\x00-\x20\x7f-\x9f])?$"
Kind = Literal["modifiers", "items", "dice"]
KINDS: tuple[Kind, ...] = ("modifiers", "items", "dice")


class Phrase(Part):
    """One text in English and in Russian; both are needed."""

    en: str
    ru: str

    @property
    def text(self) -> Text:
        """Both languages, as the rest of the program has them."""
        return Text(self.en, self.ru)

    def of(self, lang: Lang) -> str:
        """The text in one language."""
        return self.text.of(lang)


class Name(Phrase):
    """A name in English and in Russian, up to 40 characters each."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"en": "Lucky Charm", "ru": "Талисман удачи"}]})

    en: str = Field(min_length=1, max_length=40, pattern=LINE, description="In English.")
    ru: str = Field(min_length=1, max_length=40, pattern=LINE, description="In Russian.")


class Desc(Phrase):
    """A description in English and in Russian, up to 200 characters each."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"en": "+25 for every five rolled.", "ru": "+25 за каждую пятёрку в броске."}]}
    )

    en: str = Field(min_length=1, max_length=200, pattern=LINE, description="In English.")
    ru: str = Field(min_length=1, max_length=200, pattern=LINE, description="In Russian.")


class Note(Phrase):
    """A short notice in English and in Russian, up to 60 characters each."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"en": "3+ sixes", "ru": "3+ шестёрки"}]})

    en: str = Field(min_length=1, max_length=60, pattern=LINE, description="In English.")
    ru: str = Field(min_length=1, max_length=60, pattern=LINE, description="In Russian.")


Id = Annotated[
    str,
    Field(
        pattern=ID,
        description="Its name in files: small Latin letters, digits and _, a letter first, up to 32. "
        "No other modifier, item or die may have it, the ones that come with the game included.",
    ),
]


class Entry(Part):
    """What modifiers, items and dice have in common."""

    id: Id
    name: Name = Field(description="What people call it.")
    desc: Desc = Field(description="What it does and when, in one plain sentence.")

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for path, text in misfits(self.model_dump(mode="json")):
            raise MisfitError(path, *text)
        return self


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


class Modifier(Entry):
    """A rule that adds or takes points by itself when something happens."""

    trigger: Literal["on_roll", "on_pass"] = Field(
        description="When it looks: on_roll right after a roll that scores, on_pass when the turn's points are banked."
    )
    condition: Condition | None = absent("What must hold; always, if left out.")
    effect: tuple[ModifierEffect, ...] = _effects("modifier")
    note: Note = Field(description="The notice shown when it fires, such as “3+ sixes”.")


class PassiveItem(Entry):
    """An item that works by itself, like a modifier, but can do more."""

    type: Literal["passive"] = Field(description="passive: it works by itself.")
    triggers: tuple[Literal["on_roll", "on_save", "on_pass"], ...] = Field(
        min_length=1,
        max_length=3,
        description="When it looks: on_roll right after a roll that scores, on_save right after dice are saved, "
        "on_pass when the turn's points are banked. Each at most once.",
        json_schema_extra={"uniqueItems": True, "examples": [["on_save"]]},
    )
    condition: Condition | None = absent("What must hold; always, if left out.")
    effect: tuple[PassiveEffect, ...] = _effects("item")
    notification: Note = Field(description="The notice shown when it fires.")


class ActiveItem(Entry):
    """An item that its player uses after a roll that scores, before saving."""

    type: Literal["active"] = Field(description="active: the player uses it.")
    cooldown_turns: int = Field(
        ge=1,
        le=100,
        description="Turns, of both players together, until it can be used again, 1 to 100.",
    )
    activate_condition: Condition | None = absent("When it can be used; always, if left out.")
    effect: tuple[ActiveEffect, ...] = _effects("item")
    notification: Note = Field(description="The notice shown when it is used.")


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

    desc: Desc = Field(description="What it is good for: which strategies it helps or hurts.")
    code: str = Field(
        min_length=1,
        max_length=4,
        pattern=r"^[^\x00-\x20\x7f-\x9f]+$",
        description='A mark of 1 to 4 characters, such as "1+".',
    )
    weights: Weights = Field(description=WEIGHTS)
    rarity: Literal["common", "uncommon", "rare", "legendary"] = Field(description="How rare it is; for people.")
    theme: Note | None = absent("What it looks like or where it comes from; for people.")


def _at_most(kind: str) -> Any:
    return Field(default=(), description=f"Up to {MOST_ENTRIES} {kind}.", json_schema_extra={"maxItems": MOST_ENTRIES})


class Content(Part):
    """Modifiers, items and dice: a content file."""

    modifiers: tuple[Modifier, ...] = _at_most("modifiers")
    items: tuple[Item, ...] = _at_most("items")
    dice: tuple[Die, ...] = _at_most("dice")

    def ids(self) -> dict[str, Kind]:
        """Every id, with the list it stands in."""
        return {entry.id: kind for kind in KINDS for entry in getattr(self, kind)}
