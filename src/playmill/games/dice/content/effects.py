"""Models of effects of content, each an object with one key, and which entries can have which."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Discriminator, Field, Tag, model_validator
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from playmill.author import ConfigError
from playmill.games.dice.content.conditions import (
    SCOPE,
    ContentObject,
    Dice,
    Face,
    FlagName,
    Node,
    Scope,
    absent,
    example,
    tag_of,
)
from playmill.games.dice.content.weights import MOST_WEIGHT, scaled

Selector = Literal["chosen", "all", "lowest", "highest", "showing"]
SELECTORS: tuple[Selector, ...] = get_args(Selector)
#: Those that say how many dice they mean.
COUNTED: tuple[Selector, ...] = ("chosen", "lowest", "highest")


def _not_zero(number: float) -> float:
    if number == 0:
        raise ConfigError("", "0 does nothing; expected another number", "0 ничего не меняет; ожидается другое число")
    return number


def _not_all_zero(weights: tuple[int, ...]) -> tuple[int, ...]:
    if not any(weights):
        raise ConfigError(
            "",
            "all six are 0, so the die could not fall; expected at least one above 0",
            "все шесть — 0, такой кости нечем выпасть; ожидается хотя бы одно число больше 0",
        )
    return weights


def _whole_if_it_is(number: float) -> float:
    return int(number) if number == int(number) else number


def _any_number(schema: dict[str, Any]) -> None:
    """A weight, as a file may have it; a model holds whole numbers."""
    del schema["maximum"]
    schema["type"] = "number"


NOT_ZERO = (AfterValidator(_not_zero), Field(json_schema_extra={"not": {"const": 0}}))
Change = Annotated[int, Field(ge=-10_000, le=10_000), *NOT_ZERO]
Share = Annotated[float, Field(ge=-1000, le=1000), AfterValidator(_whole_if_it_is), *NOT_ZERO]
Weight = Annotated[int, Field(ge=0, le=MOST_WEIGHT, json_schema_extra=_any_number)]
Weights = Annotated[
    tuple[Weight, ...],
    Field(min_length=6, max_length=6, json_schema_extra={"contains": {"type": "number", "exclusiveMinimum": 0}}),
    AfterValidator(_not_all_zero),
    BeforeValidator(scaled),
]
WEIGHTS = (
    "How often each face falls, for faces 1, 2, 3, 4, 5, 6: six numbers, whole or not, none below 0 and not all 0. "
    "[1, 1, 1, 1, 1, 1] is fair; a face with weight 5 falls five times as often as one with weight 1. Fractions are "
    "scaled to whole numbers of at most 1000000."
)
#: To which face dice are turned; beside the six, by words.
TURNS = ("+1", "-1", "flip", "chosen")
TO: tuple[int | str, ...] = (1, 2, 3, 4, 5, 6, *TURNS)


def _known_turn(value: Any) -> Any:
    if isinstance(value, bool) or value not in TO or isinstance(value, float):
        raise PydanticCustomError("turn", "expected a face or one of the words")
    return value


def _one_of_turns(schema: dict[str, Any]) -> None:
    del schema["anyOf"]
    schema["enum"] = list(TO)


Turn = Annotated[int | str, BeforeValidator(_known_turn), Field(json_schema_extra=_one_of_turns)]


class EffectNode(Node):
    """Base of all effects."""


class PerDie(ContentObject):
    """Points for every die that shows a face."""

    model_config = example({"face": 5, "points": 25})

    face: Face
    points: Change = Field(description="Points for each such die, −10000 to 10000, not 0.")
    of: Scope | None = absent(SCOPE)


def _shapes(*selectors: Selector) -> dict[str, Any]:
    """Which keys go with which selector, for the schema."""
    counted = [name for name in selectors if name in COUNTED]
    rules: list[dict[str, Any]] = [
        {"properties": {"dice": {"enum": counted}}, "not": {"required": ["face"]}},
        {"properties": {"dice": {"const": "showing"}}, "required": ["face"], "not": {"required": ["count"]}},
    ]
    if "all" in selectors:
        bare = {"anyOf": [{"required": ["count"]}, {"required": ["face"]}]}
        rules.append({"properties": {"dice": {"const": "all"}}, "not": bare})
    return {"oneOf": rules}


class Pick(ContentObject):
    """Which of the dice on the table are meant; of equal faces those whose positions come first."""

    dice: Selector
    count: Dice | None = absent(
        "How many dice, 1 to 6 (1 if left out): for chosen at most so many, for lowest and highest exactly "
        "so many (or all there are). Not with all and showing."
    )
    face: Face | None = absent('The face that the dice show; only, and always, with "showing".')

    @property
    def many(self) -> int:
        """How many dice are meant, for the selectors that count."""
        return 1 if self.count is None else self.count

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.count is not None and self.dice not in COUNTED:
            raise _unfit("count", self.dice, "chosen, lowest, highest")
        if self.face is not None and self.dice != "showing":
            raise _unfit("face", self.dice, "showing")
        if self.face is None and self.dice == "showing":
            raise ConfigError(
                "",
                'the key "face" is missing; dice "showing" needs it',
                'нет ключа "face"; он нужен, когда dice — "showing"',
            )
        return self


def _unfit(key: str, selector: Selector, fitting: str) -> ConfigError:
    return ConfigError(
        key,
        f'does not go with dice "{selector}"; only with {fitting}',
        f'не сочетается с dice "{selector}"; только с {fitting}',
    )


WHICH = (
    "Which dice, of those on the table that are not locked: the player chooses them (active items only), all, "
    "the lowest or highest faces, or those showing a face."
)


class RerolledDice(Pick):
    """Dice to throw again."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"dice": "lowest", "count": 2}], **_shapes(*SELECTORS)})

    dice: Selector = Field(description=WHICH)


class LockedDice(Pick):
    """Dice to lock."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"dice": "chosen"}], **_shapes(*SELECTORS)})

    dice: Selector = Field(description=WHICH)


class FaceSet(Pick):
    """Dice to turn to a face."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"dice": "showing", "face": 2, "to": 5}],
            **_shapes(*SELECTORS),
        }
    )

    dice: Selector = Field(description=WHICH)
    to: Turn = Field(
        description='The face they show then: 1 to 6; "+1" or "-1", one more or less (a 6 stays 6, a 1 stays 1); '
        '"flip", the opposite one (1 and 6, 2 and 5, 3 and 4); "chosen", one that the player chooses (active items).'
    )


class WeightsSet(Pick):
    """Dice that fall by other weights until the turn ends."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"dice": "all", "weights": [2, 1, 1, 1, 2, 1]}], **_shapes(*SELECTORS)}
    )

    dice: Selector = Field(description=WHICH)
    weights: Weights = Field(description=WEIGHTS)


class Add(EffectNode):
    """Points are added to the turn (on_pass: to what passing brings), or taken from it if below 0."""

    model_config = example({"add": 100})
    add: Change = Field(description="The points, −10000 to 10000, not 0.")


class AddToPass(EffectNode):
    """Points are added to what passing will bring in this turn, or taken from it if below 0; a bust loses them.

    They are no turn points: conditions and percentages do not see them.
    """

    model_config = example({"add_to_pass": 50})
    add_to_pass: Change = Field(description="The points, −10000 to 10000, not 0.")


class AddPerDie(EffectNode):
    """Points are added for every die that shows a face; `of` says which dice are looked at."""

    model_config = example({"add_per_die": {"face": 5, "points": 25}})
    add_per_die: PerDie


class Percent(EffectNode):
    """So many percent of the turn's points are added, or taken if below 0; rounded toward zero."""

    model_config = example({"percent": -10})
    percent: Share = Field(description="The percent, −1000 to 1000, not 0; it may be a fraction, such as 12.5.")


class MultiplySave(EffectNode):
    """The points of this save count so many times. Only passive items whose one trigger is on_save."""

    model_config = example({"multiply_save": 2})
    multiply_save: Annotated[int, Field(ge=2, le=10)] = Field(description="How many times, 2 to 10.")


class SetFlag(EffectNode):
    """Sets a flag on the player.

    bust_shield cancels the next bust, double_next_save doubles the next save; both last until used. What a flag of
    content's own means is up to the conditions that ask for it, and how long it lasts stands in the list flags.
    """

    model_config = example({"set_flag": "bust_shield"})
    set_flag: FlagName


class ClearFlag(EffectNode):
    """Takes a flag from the player."""

    model_config = example({"clear_flag": "double_next_save"})
    clear_flag: FlagName


class Reroll(EffectNode):
    """Throws dice again: a roll, which can bust and wakes everything that waits for on_roll.

    Active items, and passive ones with on_roll alone: these throw once after each throw that the player decides on,
    when all that waits for on_roll has had its say, and before it is seen whether the roll busts.
    """

    model_config = example({"reroll": {"dice": "chosen", "count": 2}})
    reroll: RerolledDice


class SetFace(EffectNode):
    """Turns dice to a face, unless that takes away the last that scores. Only items, and not with on_pass.

    With on_save it means the dice that are left: those that are not locked are thrown if the player continues.
    """

    model_config = example({"set_face": {"dice": "lowest", "to": 1}})
    set_face: FaceSet


class Lock(EffectNode):
    """Locks dice: they keep their faces and are not thrown again in this turn, but may still be saved.

    They stay on the table and out of reach of all effects; a die that is saved is locked no more. Only items, and not
    with on_pass. With on_save it means the dice that are left, and does nothing if none would be left to throw.
    """

    model_config = example({"lock": {"dice": "chosen"}})
    lock: LockedDice


class SetWeights(EffectNode):
    """Changes the weights of dice until the turn ends. Only items, and not with on_pass."""

    model_config = example({"set_weights": {"dice": "all", "weights": [2, 1, 1, 1, 2, 1]}})
    set_weights: WeightsSet


_Add = Annotated[Add, Tag("?add")]
_AddToPass = Annotated[AddToPass, Tag("?add_to_pass")]
_AddPerDie = Annotated[AddPerDie, Tag("?add_per_die")]
_Percent = Annotated[Percent, Tag("?percent")]
_MultiplySave = Annotated[MultiplySave, Tag("?multiply_save")]
_SetFlag = Annotated[SetFlag, Tag("?set_flag")]
_ClearFlag = Annotated[ClearFlag, Tag("?clear_flag")]
_Reroll = Annotated[Reroll, Tag("?reroll")]
_SetFace = Annotated[SetFace, Tag("?set_face")]
_SetWeights = Annotated[SetWeights, Tag("?set_weights")]
_Lock = Annotated[Lock, Tag("?lock")]

ModifierEffect = TypeAliasType(
    "ModifierEffect",
    Annotated[
        _Add | _AddToPass | _AddPerDie | _Percent,
        Discriminator(tag_of),
        Field(description="What a modifier does: an object with exactly one key."),
    ],
)
PassiveEffect = TypeAliasType(
    "PassiveEffect",
    Annotated[
        _Add
        | _AddToPass
        | _AddPerDie
        | _Percent
        | _MultiplySave
        | _SetFlag
        | _ClearFlag
        | _Reroll
        | _SetFace
        | _SetWeights
        | _Lock,
        Discriminator(tag_of),
        Field(description="What a passive item does: an object with exactly one key."),
    ],
)
ActiveEffect = TypeAliasType(
    "ActiveEffect",
    Annotated[
        _Add | _AddToPass | _AddPerDie | _Percent | _SetFlag | _ClearFlag | _Reroll | _SetFace | _SetWeights | _Lock,
        Discriminator(tag_of),
        Field(description="What an active item does: an object with exactly one key."),
    ],
)
Effect = (
    Add | AddToPass | AddPerDie | Percent | MultiplySave | SetFlag | ClearFlag | Reroll | SetFace | SetWeights | Lock
)
EFFECT_KINDS = tuple(next(iter(model.model_fields)) for model in get_args(Effect))
