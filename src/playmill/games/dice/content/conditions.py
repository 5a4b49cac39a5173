"""Models of conditions of content, each an object with one key; compiled, and described by JSON Schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Generic, Literal, Self, TypeVar, get_args

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    SerializerFunctionWrapHandler,
    Tag,
    model_serializer,
    model_validator,
)
from pydantic_core import PydanticCustomError
from typing_extensions import TypeAliasType

from playmill.author import ConfigError, Text

Op = Literal["at_least", "at_most", "exactly"]
OPS: tuple[Op, ...] = get_args(Op)
#: The flags with rules of their own; content names its others in a list `flags`.
RULED_FLAGS = ("bust_shield", "double_next_save")
ID = r"^[a-z][a-z0-9_]{0,31}$"
FlagName = Annotated[
    str,
    Field(
        pattern=ID,
        description="Which flag: bust_shield, double_next_save, or one that the list flags of this file names.",
    ),
]
Scope = Literal["thrown", "saved", "table"]
SCOPES: tuple[Scope, ...] = get_args(Scope)
#: The key, beside the one that says what is asked, that says of which dice.
OF = "of"
SCOPE = (
    'Of which dice: "thrown", those just thrown (not those that an item left lying, nor locked ones; saved since or '
    'not); "saved", the set just saved (on_pass: the last save of the turn); "table", all dice that lie on the table, '
    "which saved ones do no more. If left out: thrown with on_roll, saved with on_save and on_pass, table for an "
    "active item."
)
#: Marks the step of a validation's path that names the kind of an object, and is no key of the file.
TAG = "?"
ONE_OP = Text(
    "expected exactly one of at_least, at_most, exactly", "ожидается ровно одно из at_least, at_most, exactly"
)

Face = Annotated[int, Field(ge=1, le=6, description="A face of a die, 1 to 6.")]
Some = Annotated[int, Field(ge=0, le=6)]
Dice = Annotated[int, Field(ge=1, le=6)]
Alike = Annotated[int, Field(ge=2, le=6)]
Pips = Annotated[int, Field(ge=1, le=36)]
Throws = Annotated[int, Field(ge=1, le=1000)]
Points = Annotated[int, Field(ge=-100_000, le=100_000)]
Total = Annotated[int, Field(ge=0, le=1_000_000)]
Lead = Annotated[int, Field(ge=1, le=1_000_000)]


def _only_true(value: bool) -> bool:
    if not value:
        raise PydanticCustomError("only_true", "expected true")
    return value


# A literal would let 1 pass for true.
Yes = Annotated[bool, AfterValidator(_only_true), Field(json_schema_extra={"const": True})]
Number = TypeVar("Number", bound=int)


class ContentObject(BaseModel):
    """An object of a content file: strict, unknown keys refused, unchangeable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_serializer(mode="wrap")
    def _as_written(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Keys that are not there stay away; a last `_` only keeps a name off Python's own words."""
        return {name.rstrip("_"): value for name, value in handler(self).items() if value is not None}


def absent(description: str, **limits: Any) -> Any:
    """A field that a file may leave out, though never fill with null."""
    return Field(default=None, description=description, json_schema_extra=_without_null, **limits)


def _without_null(schema: dict[str, Any]) -> None:
    for key, value in schema.pop("anyOf", [{}])[0].items():
        schema.setdefault(key, value)
    schema.pop("default", None)


def keys(least: int, most: int, **more: Any) -> ConfigDict:
    """Tells the schema how many keys an object has."""
    return ConfigDict(json_schema_extra={"minProperties": least, "maxProperties": most, **more})


class Node(ContentObject):
    """An object whose first key says of what kind it is; it has no other, unless it says of which dice."""

    @property
    def kind(self) -> str:
        """The key."""
        return _key_of(type(self))

    @property
    def value(self) -> Any:
        """What stands under the key."""
        return getattr(self, next(iter(type(self).model_fields)))


class ConditionNode(Node):
    """Base of all conditions."""

    def nodes(self) -> Iterator[ConditionNode]:
        """This condition and all conditions inside it, from the outside in."""
        yield self
        for part in self._parts():
            yield from part.nodes()

    def flags(self, *, wanted: bool = True) -> Iterator[str]:
        """The flags that it wants to be there: those asked for inside none, two, four, … `not`."""
        if isinstance(self, Flag) and wanted:
            yield self.flag
        for part in self._parts():
            yield from part.flags(wanted=wanted != isinstance(self, Not))

    def _parts(self) -> Iterator[ConditionNode]:
        inner = self.value
        for part in inner if isinstance(inner, tuple) else (inner,):
            if isinstance(part, ConditionNode):
                yield part


def _key_of(model: type[Node]) -> str:
    return next(iter(model.model_fields)).rstrip("_")


def tag_of(data: Any) -> str:
    """The tag of a one-key object, be it parsed JSON or a model; a bare mark for what is no such object."""
    if isinstance(data, Node):
        return TAG + data.kind
    keys = kinds_in(data)
    return TAG + str(keys[0]) if len(keys) == 1 else TAG


def kinds_in(data: Any) -> list[Any]:
    """The keys of a condition or an effect in parsed JSON that say what it is; in a right one there is one."""
    return [key for key in data if key != OF] if isinstance(data, Mapping) else []


class Compare(ContentObject, Generic[Number]):
    """A comparison with a number: exactly one of at_least (≥), at_most (≤), exactly (=)."""

    model_config = keys(1, 1, examples=[{"at_least": 3}])
    #: The comparison meant by an object that has none; none where one is needed.
    DEFAULT: ClassVar[tuple[Op, int] | None] = None

    at_least: Number | None = absent("Holds for this number and everything above it.")
    at_most: Number | None = absent("Holds for this number and everything below it.")
    exactly: Number | None = absent("Holds for this number only.")

    @property
    def op(self) -> Op:
        """Which comparison it is."""
        return self._one()[0]

    @property
    def n(self) -> int:
        """The number compared with."""
        return self._one()[1]

    def holds(self, value: int) -> bool:
        """Whether a value compares as asked."""
        return {"at_least": value >= self.n, "at_most": value <= self.n, "exactly": value == self.n}[self.op]

    def _given(self) -> list[tuple[Op, int]]:
        return [(op, number) for op in OPS if (number := getattr(self, op)) is not None]

    def _one(self) -> tuple[Op, int]:
        for given in self._given():
            return given
        assert self.DEFAULT is not None
        return self.DEFAULT

    @model_validator(mode="after")
    def _compares_once(self) -> Self:
        given = [op for op, _ in self._given()]
        if not given and self.DEFAULT is None:
            raise ConfigError("", f"nothing to compare with; {ONE_OP.en}", f"не с чем сравнивать; {ONE_OP.ru}")
        if len(given) > 1:
            raise ConfigError(
                "",
                f'{len(given)} comparisons ({", ".join(given)}); {ONE_OP.en}; two conditions go into {{"all": […]}}',
                f'сравнений: {len(given)} ({", ".join(given)}); {ONE_OP.ru}; два условия пишутся в {{"all": […]}}',
            )
        return self


class FaceCount(Compare[Some]):
    """How many dice show a face: the face and exactly one of at_least, at_most, exactly."""

    model_config = keys(2, 2, examples=[{"face": 6, "at_least": 3}])

    face: Face


class FaceContained(FaceCount):
    """How many of the saved dice show a face: the face and at most one comparison; without one, at_least 1."""

    model_config = keys(1, 2, examples=[{"face": 1}, {"face": 5, "exactly": 2}])
    DEFAULT = ("at_least", 1)


class DiceNumber(Compare[Dice]):
    """A number of dice, 1 to 6: exactly one of at_least, at_most, exactly."""


class PipSum(Compare[Pips]):
    """A sum of faces, 1 to 36: exactly one of at_least, at_most, exactly."""

    model_config = keys(1, 1, examples=[{"at_least": 25}])


class RollOrdinal(Compare[Throws]):
    """The number of a roll in its turn, 1 to 1000: exactly one of at_least, at_most, exactly."""


class PointNumber(Compare[Points]):
    """Points, −100000 to 100000: exactly one of at_least, at_most, exactly."""

    model_config = keys(1, 1, examples=[{"at_least": 1000}])


class PointTotal(Compare[Total]):
    """Points, 0 to 1000000: exactly one of at_least, at_most, exactly."""

    model_config = keys(1, 1, examples=[{"at_least": 3000}])


def examples(*values: Any) -> ConfigDict:
    """Puts examples of a one-key object into the schema."""
    return ConfigDict(json_schema_extra={"examples": list(values)})


def example(value: Any) -> ConfigDict:
    """Puts an example of a one-key object into the schema."""
    return examples(value)


class Count(ConditionNode):
    """So many dice show this face; `of` says which dice are looked at."""

    model_config = examples({"count": {"face": 6, "at_least": 3}}, {"count": {"face": 6, "exactly": 0}, "of": "table"})
    count: FaceCount
    of: Scope | None = absent(SCOPE)


class OfAKind(ConditionNode):
    """So many dice, or more, show the same face, whichever it is; `of` says which dice are looked at."""

    model_config = examples({"of_a_kind": 3}, {"of_a_kind": 3, "of": "saved"})
    of_a_kind: Alike = Field(description="How many equal faces at least, 2 to 6.")
    of: Scope | None = absent(SCOPE)


class Straight(ConditionNode):
    """The dice show a straight, alone or with others; `of` says which dice are looked at."""

    model_config = examples({"straight": "any"}, {"straight": "any", "of": "saved"})
    straight: Literal["any", "1-5", "2-6", "1-6"] = Field(description='The faces it needs; "any" is 1-5 or 2-6.')
    of: Scope | None = absent(SCOPE)


class DiceRolled(ConditionNode):
    """So many dice were thrown in this roll."""

    model_config = example({"dice_rolled": {"at_most": 2}})
    dice_rolled: DiceNumber


class Sum(ConditionNode):
    """The faces of the dice add up to so many; `of` says which dice are looked at."""

    model_config = examples({"sum": {"at_least": 25}}, {"sum": {"at_most": 9}, "of": "table"})
    sum: PipSum
    of: Scope | None = absent(SCOPE)


class FirstRoll(ConditionNode):
    """This roll is the first of the turn."""

    model_config = example({"first_roll": True})
    first_roll: Yes = Field(description='Always true; the opposite is {"not": {"first_roll": true}}.')


class RollNumber(ConditionNode):
    """Which roll of the turn this is, the first being 1; rolls by items or behind a shield count too."""

    model_config = example({"roll_number": {"at_least": 3}})
    roll_number: RollOrdinal


class HotDice(ConditionNode):
    """This roll came from hot dice: all six were saved and thrown again. Made again, it did not."""

    model_config = example({"hot_dice": True})
    hot_dice: Yes = Field(description='Always true; the opposite is {"not": {"hot_dice": true}}.')


class TurnPoints(ConditionNode):
    """The points of this turn so far; they can be below 0, and on_save and on_pass they include the save."""

    model_config = example({"turn_points": {"at_least": 1000}})
    turn_points: PointNumber


class OwnTotal(ConditionNode):
    """The points this player has banked in earlier turns."""

    model_config = example({"own_total": {"at_least": 3000}})
    own_total: PointTotal


class SelectionSize(ConditionNode):
    """So many dice were saved. Only with on_save and on_pass."""

    model_config = example({"selection_size": {"exactly": 1}})
    selection_size: DiceNumber


class SelectionContains(ConditionNode):
    """The saved dice show this face so many times. Only with on_save and on_pass."""

    model_config = example({"selection_contains": {"face": 1}})
    selection_contains: FaceContained


class SelectionPoints(ConditionNode):
    """The points of the save, as the flag and items have multiplied them so far. Only with on_save and on_pass."""

    model_config = example({"selection_points": {"at_least": 500}})
    selection_points: PointTotal


class BehindBy(ConditionNode):
    """This player's total is at least so many points below the other's."""

    model_config = example({"behind_by": 1000})
    behind_by: Lead = Field(description="The points, 1 to 1000000.")


class AheadBy(ConditionNode):
    """This player's total is at least so many points above the other's."""

    model_config = example({"ahead_by": 1000})
    ahead_by: Lead = Field(description="The points, 1 to 1000000.")


class Scores(ConditionNode):
    """Something of this roll scores. Only with on_roll, and active items."""

    model_config = example({"scores": True})
    scores: Yes = Field(description='Always true; the opposite is {"not": {"scores": true}}: the roll would bust.')


class Flag(ConditionNode):
    """This player has the flag.

    A flag of content's own that lasts until used is used up when what asks for it (other than by not) does something.
    """

    model_config = example({"flag": "bust_shield"})
    flag: FlagName


class AllOf(ConditionNode):
    """All of these conditions hold."""

    model_config = example({"all": [{"first_roll": True}, {"of_a_kind": 3}]})
    all: tuple[Condition, ...] = Field(min_length=1, max_length=8, description="1 to 8 conditions.")


class AnyOf(ConditionNode):
    """At least one of these conditions holds."""

    model_config = example({"any": [{"straight": "any"}, {"sum": {"at_least": 30}}]})
    any: tuple[Condition, ...] = Field(min_length=1, max_length=8, description="1 to 8 conditions.")


class Not(ConditionNode):
    """The condition does not hold."""

    model_config = example({"not": {"first_roll": True}})
    not_: Condition = Field(alias="not", description="A condition.")


Condition = TypeAliasType(
    "Condition",
    Annotated[
        Annotated[Count, Tag("?count")]
        | Annotated[OfAKind, Tag("?of_a_kind")]
        | Annotated[Straight, Tag("?straight")]
        | Annotated[DiceRolled, Tag("?dice_rolled")]
        | Annotated[Sum, Tag("?sum")]
        | Annotated[FirstRoll, Tag("?first_roll")]
        | Annotated[RollNumber, Tag("?roll_number")]
        | Annotated[HotDice, Tag("?hot_dice")]
        | Annotated[Scores, Tag("?scores")]
        | Annotated[TurnPoints, Tag("?turn_points")]
        | Annotated[OwnTotal, Tag("?own_total")]
        | Annotated[SelectionSize, Tag("?selection_size")]
        | Annotated[SelectionContains, Tag("?selection_contains")]
        | Annotated[SelectionPoints, Tag("?selection_points")]
        | Annotated[BehindBy, Tag("?behind_by")]
        | Annotated[AheadBy, Tag("?ahead_by")]
        | Annotated[Flag, Tag("?flag")]
        | Annotated[AllOf, Tag("?all")]
        | Annotated[AnyOf, Tag("?any")]
        | Annotated[Not, Tag("?not")],
        Discriminator(tag_of),
        Field(
            description="A condition: an object with exactly one key, which says what is asked, and beside it, if it "
            "asks about dice (count, of_a_kind, straight, sum), of which."
        ),
    ],
)
for _model in (AllOf, AnyOf, Not):
    _model.model_rebuild()
