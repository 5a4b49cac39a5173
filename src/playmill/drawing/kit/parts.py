"""Parts of a table, described without drawing: pieces (dice, cards, tokens, piles) and the panels in which they lie."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any, Literal

import numpy as np

from playmill.texts import Lang, PlaymillError, Text

#: What a click does: an action; or actions that it is a part of, each done when all of its parts are clicked.
Click = int | Sequence[int] | None
#: None is no words at all.
Words = Text | str | None
#: A seat, whose colour it is, or the name of a colour.
Colour = int | str | None


#: The names of colours.
COLOUR_NAMES = ("red", "yellow", "blue", "green", "purple", "grey", "orange", "teal", "pink", "brown")
_SHAPES = ("disc", "cube", "pawn", "hex", "star", "diamond")
_SURFACES = ("", "felt", "wood")
#: Arguments that need not be given are empty if they are None, and these are, too.
_EMPTY = ("title", "text", "note")


class Hole(Enum):
    """A place of a board where there is no cell."""

    HOLE = 0


HOLE = Hole.HOLE


class _Part:
    """Takes numbers and arrays of NumPy as a state has them, and refuses names that nothing is drawn for."""

    def __post_init__(self) -> None:
        for one in fields(self):  # type: ignore[arg-type]
            value = getattr(self, one.name)
            plain = "" if value is None and (one.default == "" or one.name in _EMPTY) else _plain(value)
            if plain is not value:
                object.__setattr__(self, one.name, plain)
            self._check(one.name, plain)

    def _check(self, name: str, value: Any) -> None:
        known = {"colour": COLOUR_NAMES, "shape": _SHAPES, "surface": _SURFACES}.get(name)
        if known and isinstance(value, str) and value not in known:
            names = ", ".join(filter(None, known))
            raise PlaymillError(
                f"{type(self).__name__} has no {name} {value!r}; there are {names}",
                f"{name}={value!r} у {type(self).__name__} не бывает; есть {names}",
            )


def _plain(value: Any) -> Any:
    """Whole numbers and lists of Python where those of NumPy stand, however deep."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)) and not isinstance(value, Text):
        made = [_plain(one) for one in value]
        return made if any(new is not old for new, old in zip(made, value, strict=True)) else value
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value


@dataclass(frozen=True, kw_only=True)
class _Piece(_Part):
    """What every piece can say of itself.

    `key` is its identity: a piece that has the same one in the next picture slides to where it lies then. `origin` is
    the key of what a new piece slides out of, such as a pile or, for what a player lays down, `player-0`. `title` is
    what is said when it is pointed at, and to a screen reader; `why` says why it cannot be had now.
    """

    action: Click = None
    key: str | int | None = None
    origin: str | int | None = None
    title: Words = ""
    why: Words = ""


@dataclass(frozen=True)
class Die(_Piece):
    """A die: pips up to 6, a number beyond that or if it has other `sides`; None: not thrown yet.

    A die whose `throw` differs from that of the picture before tumbles: count the throws in the state.
    """

    face: int | None
    sides: int = field(default=6, kw_only=True)
    colour: Colour = field(default=None, kw_only=True)
    throw: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Card(_Piece):
    """A card: a name that is wrapped and never cut, a rank and a suit in its corner, a text below; or face down.

    A name of up to three letters stands in the middle, large; `"K♠"` is a rank and a suit.
    """

    name: Words = ""
    rank: int | str | None = field(default="", kw_only=True)
    suit: str = field(default="", kw_only=True)
    text: Words = field(default="", kw_only=True)
    colour: Colour = field(default=None, kw_only=True)
    down: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Token(_Piece):
    """A token of a player or of a colour, with a few letters on it; `count` of them are one with a number beside."""

    colour: Colour = None
    text: Words = ""
    shape: Literal["disc", "cube", "pawn", "hex", "star", "diamond"] = field(default="disc", kw_only=True)
    count: int | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Pile(_Piece):
    """A stack of cards with its name and how many there are, face down, or with its `top` card; empty at 0."""

    name: Words
    count: int
    top: Card | None = field(default=None, kw_only=True)


@dataclass(frozen=True)
class Button(_Piece):
    """A button with words; with `go` it is the last word of options whose other parts were clicked."""

    words: Words
    go: bool = field(default=False, kw_only=True)
    until: Words = field(default="", kw_only=True)


Piece = Die | Card | Token | Pile | Button


@dataclass(frozen=True)
class Cell(_Part):
    """A cell of a board: what lies in it, what a click does, its own colour, and a name that stands faintly in it.

    With `stack` its pieces stand on each other, the first one at the bottom.
    """

    pieces: int | str | Token | Die | Card | Sequence[Token | Die | Card] | None = None
    action: Click = None
    colour: Colour = None
    name: str = ""
    title: Words = ""
    why: Words = ""
    stack: bool = field(default=False, kw_only=True)


#: What stands for a cell: the seat of a piece, letters, nothing, no cell at all, a piece, several, or a whole `Cell`.
Filling = int | str | None | Hole | Token | Die | Card | Cell | Sequence[Token | Die | Card]


@dataclass(frozen=True, kw_only=True)
class _Panel(_Part):
    """What every panel can say: how much of its row it takes beside the others."""

    share: float = 1


@dataclass(frozen=True)
class Board(_Panel):
    """Cells in rows, squares or `hexes` (every other row shifted by half a cell); and what a click on each does.

    Cells with the same action are one thing to click, such as a column. Names of columns and rows stand beside them;
    the name of a cell stands faintly in it while it is empty. Rows may differ in length; `HOLE` leaves a cell out.
    """

    cells: Sequence[Sequence[Filling]]
    clicks: Sequence[Sequence[Click]] = ()
    columns: Sequence[str] = ()
    rows: Sequence[str] = ()
    names: Sequence[Sequence[str]] = ()
    title: Words = field(default="", kw_only=True)
    hexes: bool = field(default=False, kw_only=True)
    checkered: bool = field(default=False, kw_only=True)


@dataclass(frozen=True)
class Track(_Panel):
    """Cells one after the other, which turn back at the end of a row of so many (`across`, fewer on a phone).

    They are numbered from `first` on, a `HOLE` too, and joined by a line; with `up` the way begins at the bottom left.
    `links` lead from one number to another: a ladder if it is higher, else a slide; a third value is its colour.
    """

    title: Words
    cells: Sequence[Filling]
    clicks: Sequence[Click] = ()
    across: int = field(default=10, kw_only=True)
    first: int = field(default=1, kw_only=True)
    up: bool = field(default=False, kw_only=True)
    links: Sequence[tuple[int, int] | tuple[int, int, Colour]] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        last = self.first + len(self.cells) - 1
        for begin, end, *colour in self.links:
            for one in colour:
                self._check("colour", one)
            for number in (begin, end):
                if not self.first <= number <= last:
                    raise PlaymillError(
                        f"Track has no square {number} to link; they are numbered {self.first} to {last}",
                        f"в Track нет клетки {number} для links; номера — от {self.first} до {last}",
                    )


@dataclass(frozen=True)
class Places(_Panel):
    """Cells at free positions (x to the right, y down, in any unit) and lines between some of them."""

    title: Words
    cells: Mapping[Any, Filling]
    at: Mapping[Any, tuple[float, float]]
    links: Sequence[tuple[Any, Any]] = ()


@dataclass(frozen=True)
class Area(_Panel):
    """Pieces in rows under a title; on felt or wood, if you like."""

    title: Words
    pieces: Sequence[Piece]
    surface: Literal["", "felt", "wood"] = field(default="", kw_only=True)
    note: Words = field(default="", kw_only=True)


@dataclass(frozen=True)
class Hand(_Panel):
    """Cards that are fanned where they do not fit beside each other: a `Card`, its face as a text, None face down."""

    title: Words
    cards: Sequence[Card | str | None]
    clicks: Sequence[Click] = ()


@dataclass(frozen=True)
class Player(_Panel):
    """The area of a player: who it is, whether they move or are `out`, `tags` such as "protected", what they have.

    With an `action` the head of it can be clicked, for options that name a player.
    """

    seat: int
    pieces: Sequence[Piece] = ()
    facts: Sequence[tuple[Words, Words | int]] = ()
    tags: Sequence[Words] = field(default=(), kw_only=True)
    out: bool = field(default=False, kw_only=True)
    action: Click = field(default=None, kw_only=True)
    why: Words = field(default="", kw_only=True)
    name: Words = field(default="", kw_only=True)


@dataclass(frozen=True)
class Scores(_Panel):
    """A bar for each player up to the `goal`: what they have, and lighter what `more` the present turn would bring."""

    values: Sequence[int]
    goal: int
    more: Sequence[int] = ()
    title: Words = ""


@dataclass(frozen=True)
class Phases(_Panel):
    """The phases of a turn, the present one marked, and notices such as "last round"."""

    names: Sequence[Words]
    now: int | None
    notices: Sequence[Words] = ()


@dataclass(frozen=True)
class Facts(_Panel):
    """Things to know, each with its name."""

    lines: Sequence[tuple[Words, Words | int]]
    title: Words = field(default="", kw_only=True)


@dataclass(frozen=True)
class Note(_Panel):
    """A few sentences."""

    text: Words
    title: Words = ""


@dataclass(frozen=True)
class Header(_Panel):
    """The title of the game, a note beside it such as the turn, and whose turn it is; it comes first by itself."""

    note: Words = ""


@dataclass(frozen=True)
class Buttons(_Panel):
    """Where options go that nothing else is clicked for, and buttons of your own; by itself it comes last."""

    title: Words = ""
    buttons: Sequence[Button] = ()


Thing = Board | Track | Places | Area | Hand | Player | Scores | Phases | Facts | Note | Header | Buttons
#: A thing by itself, or things side by side; one of these may be a list again, of things one under the other.
Row = Thing | Sequence[Thing | Sequence[Thing]]
#: `table(config, s, player, lang)`: what somebody sees lying there; without a player, what everybody does.
Table = Callable[[Any, np.void, int | None, Lang], Sequence[Row]]
