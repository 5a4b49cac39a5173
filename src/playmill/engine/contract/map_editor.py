"""Model of the map editor: a setting that is drawn as places on a canvas, with kinds, pins and symmetries.

A game's optional module `canvas` says how one of its settings is drawn, as `EASEL`; whoever shows it, such as the page
of the laboratory, knows nothing of the game, and what is a mistake is known to the game alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, NamedTuple

from playmill.engine.contract.game import Game
from playmill.texts import PlaymillError, Text, accept_strings

#: Row and column, counted from 0.
Cell = tuple[int, int]
#: Where something carries a cell; that may lie outside the canvas.
Step = Callable[[Cell], Cell]
#: For every place where a step carries it, or NOWHERE.
Images = tuple[int, ...]
NOWHERE = -1
#: The longest name of a drawing that is taken in; which of those are right is the game's business.
_LONGEST = 200


@dataclass(frozen=True)
class PlaceKind:
    """A kind of place; `size` is how much of it is filled. The first kind of an easel is an empty place."""

    key: str
    name: Text
    size: float = 1.0

    def __post_init__(self) -> None:
        accept_strings(self, "name")


@dataclass(frozen=True)
class Pins:
    """Numbered pins that belong together, at most one on a place; those of this many players, unless that is 0."""

    key: str
    name: Text
    count: int
    players: int = 0

    def __post_init__(self) -> None:
        accept_strings(self, "name")


class Place(NamedTuple):
    """A cell of a canvas, and where its middle is."""

    row: int
    column: int
    x: float
    y: float


@dataclass(frozen=True)
class Symmetry:
    """This many places that are alike: each of `ways` has another centre or axis, and the steps that lead to all."""

    key: str
    name: Text
    order: int
    ways: Sequence[Sequence[Step]]

    def __post_init__(self) -> None:
        accept_strings(self, "name")


@dataclass(frozen=True)
class Fact:
    """Something worth knowing about a drawing."""

    name: Text
    value: Text

    def __post_init__(self) -> None:
        accept_strings(self, "name", "value")


@dataclass(frozen=True)
class Canvas:
    """Places row by row, the outline of each around its middle (a path of SVG), and how large all of it is."""

    size: Cell
    places: Sequence[Place]
    outline: str
    width: float
    height: float
    symmetries: Sequence[Symmetry] = ()

    @cached_property
    def numbers(self) -> Mapping[Cell, int]:
        """The number of each place by its row and column."""
        return {(place.row, place.column): number for number, place in enumerate(self.places)}

    @cached_property
    def images(self) -> Mapping[str, Sequence[tuple[Images, ...]]]:
        """By symmetry and way where each of its steps carries every place, the way that loses fewest places first."""
        found = {}
        for symmetry in self.symmetries:
            ways = [tuple(self._carried(step) for step in way) for way in symmetry.ways]
            found[symmetry.key] = sorted(ways, key=lambda way: sum(image == NOWHERE for step in way for image in step))
        return found

    def _carried(self, step: Step) -> Images:
        return tuple(self.numbers.get(step((place.row, place.column)), NOWHERE) for place in self.places)


@dataclass(frozen=True)
class Drawing:
    """What was drawn: the number of the kind of every place, and where the pins are, None for one that is not."""

    name: str
    size: Cell
    kinds: Sequence[int]
    pins: Mapping[str, Sequence[int | None]] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is drawn."""
        return not any(self.kinds)


@dataclass(frozen=True)
class Easel:
    """How the setting at a path is drawn: what there is to draw with, and what a drawing means as a value there.

    `title` is what such drawings are, `called` the name of a new one. `canvas` gives the canvas of a size or raises.
    `value` makes a value of any drawing, right or wrong, and `text` the file of it; `mistakes` tells all that is wrong
    with a value, and `drawn` takes one without mistakes. `facts` and `notes` are what is worth knowing, and what is
    allowed but odd. `suggest`, if there is one, invents a value: of a size, by the key of a symmetry
    or "", from a seed.
    """

    path: str
    title: Text
    called: Text
    kinds: Sequence[PlaceKind]
    pins: Sequence[Pins]
    usual: Cell
    canvas: Callable[[int, int], Canvas]
    drawn: Callable[[Any], Drawing]
    value: Callable[[Drawing], Any]
    text: Callable[[Any], str]
    mistakes: Callable[[Any], Sequence[Text]]
    facts: Callable[[Drawing], Iterable[Fact]]
    notes: Callable[[Drawing], Iterable[Text]] = lambda drawing: ()
    suggest: Callable[[Cell, str, int], Any] | None = None

    def __post_init__(self) -> None:
        accept_strings(self, "title", "called")

    def blank(self, size: Cell, name: str) -> Drawing:
        """An empty drawing."""
        places = len(self.canvas(*size).places)
        return Drawing(name, size, (0,) * places, {group.key: (None,) * group.count for group in self.pins})

    def resized(self, drawing: Drawing, size: Cell) -> Drawing:
        """A drawing on a canvas of another size, as far as it fits there."""
        old, new = self.canvas(*drawing.size), self.canvas(*size)
        at = [new.numbers.get((place.row, place.column)) for place in old.places]
        kinds = [0] * len(new.places)
        for number, kind in zip(at, drawing.kinds, strict=True):
            if number is not None:
                kinds[number] = kind
        pins = {
            key: tuple(at[pin] if pin is not None else None for pin in group) for key, group in drawing.pins.items()
        }
        return replace(drawing, size=size, kinds=tuple(kinds), pins=pins)

    def received(self, data: Any) -> Drawing:
        """A drawing that a browser sent as JSON; raises unless it fits its canvas."""
        try:
            (rows, columns), name = data["size"], data["name"]
            canvas = self.canvas(_whole(rows), _whole(columns))
            kinds = tuple(_whole(kind, len(self.kinds)) for kind in data["kinds"])
            pins = {group.key: _pins(data["pins"].get(group.key), group, len(canvas.places)) for group in self.pins}
            if len(kinds) != len(canvas.places) or not isinstance(name, str) or len(name) > _LONGEST:
                raise ValueError
        except PlaymillError:
            raise
        except (AttributeError, KeyError, TypeError, ValueError):
            raise PlaymillError(
                "that is no drawing of this canvas; reload the page", "это не рисунок этого поля; обновите страницу"
            ) from None
        return Drawing(name, canvas.size, kinds, pins)


def easel_of(game: Game) -> Easel | None:
    """The map editor's description of a game's setting, if one is drawn."""
    return game.canvas.EASEL if game.canvas is not None else None


def symmetries_of(canvas: Canvas, drawing: Drawing) -> dict[str, tuple[Images, ...]]:
    """The steps of each symmetry: about the centre that the drawing has already, else where most places have images."""
    found = {}
    for key, ways in canvas.images.items():
        if ways:
            found[key] = next((way for way in ways if is_alike(drawing, way)), ways[0])
    return found


def is_alike(drawing: Drawing, way: Sequence[Images]) -> bool:
    """Whether steps carry a drawing that is not empty onto itself."""
    if drawing.is_empty:
        return False
    kinds = drawing.kinds
    return all(
        kinds[place] == (kinds[image] if image != NOWHERE else 0) for step in way for place, image in enumerate(step)
    )


def _whole(number: Any, below: int = 1 << 16) -> int:
    if type(number) is not int or not 0 <= number < below:
        raise ValueError
    return number


def _pins(sent: Any, group: Pins, places: int) -> tuple[int | None, ...]:
    found = tuple(None if pin is None else _whole(pin, places) for pin in sent or ())
    if len(found) > group.count or len(set(found) - {None}) != sum(pin is not None for pin in found):
        raise ValueError
    return found + (None,) * (group.count - len(found))
