"""The picture of a table: rows and columns of panels on a wide page, one column of them on a phone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from playmill.drawing.kit.arrange import (
    GAP,
    MARGIN,
    NARROW,
    PAD,
    WIDE,
    Column,
    Leaf,
    Placed,
    Sheet,
    narrow_slots,
    narrow_width,
    wide_slots,
)
from playmill.drawing.kit.panels import natural_leaf, sheet_of
from playmill.drawing.kit.parts import Board, Buttons, Facts, Header, Phases, Places, Player, Row, Scores, Thing, Track
from playmill.drawing.kit.scene import TableScene
from playmill.drawing.kit.shapes import AT_NIGHT
from playmill.drawing.layout import framed
from playmill.drawing.svg import ACCENT, WASH, sheet
from playmill.drawing.svg import AT_NIGHT as SHARED_AT_NIGHT
from playmill.drawing.things import UNSEEN

__all__ = ["TableScene", "table_picture"]

_NAME = "playmill-table"
#: What stands beside a board is at least so wide; a board by itself is so wide at most.
_BESIDE, _BOARD = 318, 640
#: From so many panels of a row on, two of them stand side by side on a phone.
_MANY = 3

_THIS = f".{_NAME}"
_NARROW = (
    f"{_THIS} .leaf{{transform:translate(var(--x),var(--y)) scale(var(--k))}}"
    f"{_THIS} .narrow{{display:inline}}{_THIS} .wide{{display:none}}"
)
_DARK = SHARED_AT_NIGHT[ACCENT].line
#: What can be clicked has an edge before anybody has clicked; a cell is lit as well.
_CUE = (
    f"{_THIS} .act .face:not(.key,.lane){{stroke:{ACCENT};stroke-width:2.5;stroke-opacity:1}}"
    f"{_THIS} .act .face:not(.key,.cell){{filter:drop-shadow(0 0 3px {ACCENT})}}"
    f"{_THIS} .act .cell{{fill:{WASH};stroke-width:2}}"
    "@supports (color:light-dark(red,red)){"
    f"{_THIS} .act .face:not(.key,.lane){{stroke:light-dark({ACCENT},{_DARK})}}"
    f"{_THIS} .act .cell{{fill:light-dark({WASH},{SHARED_AT_NIGHT[WASH].shape})}}}}"
    f"{_THIS} .act:is(:hover,:focus-visible) .face{{stroke-width:4.5}}"
    f"{_THIS} [data-mark] .face{{stroke-width:5}}"
)
_STYLE = sheet(
    _NAME,
    AT_NIGHT,
    extra=f"{_THIS} {UNSEEN}{_THIS} .narrow{{display:none}}{_CUE}@media (max-width:720px){{{_NARROW}}}",
)


def table_picture(scene: TableScene, rows: Sequence[Row]) -> str:
    """The picture of all that lies on a table, with a place for each option."""
    laid = _laid(scene, [_listed(row) for row in rows])
    things = [
        _Thing(thing, number) for number, thing in enumerate(one for row in laid for column in row for one in column)
    ]
    each = iter(things)
    placed = [[[next(each) for _ in column] for column in row] for row in laid]
    for row in placed:
        _measure(scene, row)
    narrow = _narrow_rows(placed)
    for together in narrow:
        for one in together:
            one.rooms = (one.width, narrow_width(len(together)))
    # Options without a place are known when all else has been drawn.
    for one in sorted(things, key=lambda one: isinstance(one.thing, Buttons)):
        if one.thing is not _REST or scene.left:
            one.sheet = sheet_of(scene, one.thing, one.number, one.rooms, one.board)
    columns = [
        [Column([one.sheet for one in column if one.sheet], column[0].width) for column in row] for row in placed
    ]
    wide, height = wide_slots([row for row in columns if row[0].sheets])
    rows_below = ([one.sheet for one in together if one.sheet] for together in narrow)
    small, deep = narrow_slots([together for together in rows_below if together])
    grown = WIDE / NARROW
    grounds = "".join(
        f'<g class="wide">{slot.sheet.ground(slot.x, slot.y, slot.width, slot.height)}</g>' for slot in wide
    )
    grounds += '<g class="narrow" display="none" transform="scale({:.4f})">{}</g>'.format(
        grown, "".join(slot.sheet.ground(slot.x, slot.y, slot.width, slot.height) for slot in small)
    )
    there = {id(leaf): (x * grown, y * grown, k * grown) for slot in small for leaf, x, y, k in slot.places()}
    here = [place for slot in wide for place in slot.places()]
    leaves = "".join(_leaf(place, there.pop(id(place[0]), None)) for place in here)
    leaves += "".join(_leaf(place, None, grown) for slot in small for place in slot.places() if id(place[0]) in there)
    body = f'<g class="part">{grounds}{leaves}</g>'
    title = scene.say(scene.title)
    return framed(_NAME, title, _STYLE, scene.lang, width=WIDE, height=height, deep=deep * grown, body=body)


@dataclass(eq=False)
class _Thing:
    """A panel while it is laid out: its width on the wide page, on both pages, and what was drawn."""

    thing: Thing
    number: int
    width: float = 0
    rooms: tuple[float, float] = (0, 0)
    board: Leaf | None = None
    sheet: Sheet | None = None


def _listed(row: Row) -> list[list[Thing]]:
    """A row as columns of things."""
    if not isinstance(row, (list, tuple)):
        return [[row]]  # type: ignore[list-item]
    return [list(one) if isinstance(one, (list, tuple)) else [one] for one in row if one not in ([], ())]


_BOARDS = (Board, Track, Places)
#: Where options go that are nowhere else, if the author has not said where.
_REST = Buttons()


def _laid(scene: TableScene, rows: list[list[list[Thing]]]) -> list[list[list[Thing]]]:
    """Rows with a header and a place for what is left of the options, where the author has put none.

    Where nothing but single things was given and one of them is a board, the others stand beside it, and who plays.
    """
    rows = [row for row in rows if row]
    flat = [thing for row in rows for column in row for thing in column]
    simple = all(len(row) == 1 and len(row[0]) == 1 for row in rows)
    has_header, has_buttons = (any(isinstance(one, kind) for one in flat) for kind in (Header, Buttons))
    head: list[Thing] = [] if has_header else [Header()]
    rest: list[Thing] = [] if has_buttons else [_REST]
    boards = [one for one in flat if isinstance(one, _BOARDS)]
    if simple and len(boards) == 1:
        others = [one for one in flat if one is not boards[0]]
        known = len(scene.players) == 1 or any(isinstance(one, (Player, Scores)) for one in others)
        who: list[Thing] = [] if known else [Player(seat) for seat in range(len(scene.players))]
        return [[[boards[0]], [*head, *who, *others, *rest]]]
    if head:
        first: list[list[Thing]] = [[head[0]]]
        if simple:  # what is short stands beside the header
            short = next((one for one in flat if isinstance(one, (Phases, Facts))), None)
            if short is not None:
                first.append([short])
                rows = [row for row in rows if row[0][0] is not short]
        rows = [first, *rows]
    return [*rows, [rest]] if rest else rows


def _measure(scene: TableScene, row: list[list[_Thing]]) -> None:
    """The width of each column of a row: boards take what they need, the others share the rest."""
    whole = WIDE - 2 * MARGIN - GAP * (len(row) - 1)
    boards = [column for column in row if any(isinstance(one.thing, _BOARDS) for one in column)]
    others = [column for column in row if column not in boards]
    each = (whole - _BESIDE * len(others)) / len(boards) if boards else 0
    for column in boards:
        for one in column:
            if isinstance(one.thing, _BOARDS):
                most = each if isinstance(one.thing, Track) else min(each, _BOARD)
                one.board = natural_leaf(scene, one.thing, one.number, most - 2 * PAD)
        natural = max(one.board.width for one in column if one.board) + 2 * PAD
        for one in column:
            one.width = natural if others else whole / len(boards)
    left = whole - sum(column[0].width for column in boards)
    shares = [max(one.thing.share for one in column) for column in others]
    for column, share in zip(others, shares, strict=True):
        for one in column:
            one.width = left * share / sum(shares)


def _narrow_rows(rows: list[list[list[_Thing]]]) -> list[list[_Thing]]:
    """Rows of a phone: everything under each other, the header first; of many areas two side by side."""
    made: list[list[_Thing]] = []
    for row in rows:
        if len(row) >= _MANY and all(len(column) == 1 and isinstance(column[0].thing, Player) for column in row):
            single = [column[0] for column in row]
            made += [single[start : start + 2] for start in range(0, len(single), 2)]
        else:
            made += [[one] for column in row for one in column]
    return sorted(made, key=lambda together: not isinstance(together[0].thing, Header))


def _leaf(place: Placed, narrow: tuple[float, float, float] | None, grown: float = 0) -> str:
    """A leaf at its two places, or at that of one page alone: of the narrow one, if that is `grown`."""
    leaf, x, y, scale = place
    if narrow is None:
        page = 'class="narrow" display="none"' if grown else 'class="wide"'
        x, y, scale = (one * (grown or 1) for one in (x, y, scale))
        return f'<g {page} transform="translate({x:.1f} {y:.1f}) scale({scale:.3f})">{leaf.drawn}</g>'
    left, top, grown = narrow
    larger = f" scale({scale:.3f})" if scale != 1 else ""
    style = f"--x:{left:.1f}px;--y:{top:.1f}px;--k:{grown:.3f}"
    named = f' data-of="{leaf.name}"' if leaf.name else ""
    return f'<g class="leaf"{named} transform="translate({x:.1f} {y:.1f}){larger}" style="{style}">{leaf.drawn}</g>'
