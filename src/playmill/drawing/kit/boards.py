"""Boards drawn: squares, hexes, tracks and free positions, with holes, and with several pieces in a cell or stacks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from playmill.drawing.kit.arrange import Leaf
from playmill.drawing.kit.parts import HOLE, Board, Card, Cell, Click, Die, Filling, Hole, Places, Token, Track
from playmill.drawing.kit.pieces import card_leaf, card_title, die_leaf, die_title, size_of, token_leaf, token_title
from playmill.drawing.kit.scene import TableScene
from playmill.drawing.kit.shapes import CELL, CHECK, hexagon, polygon, tint
from playmill.drawing.kit.tracks import Way, way_of
from playmill.drawing.svg import FAINT, LINE, box, label
from playmill.texts import Text

#: Room beside a board for the names of its rows or columns, and the side of a cell at most, of a square and of a disc.
_EDGE, _SIDE, _DISC = 30, 150, 100
#: From piece to piece of a stack, in their heights: a head may be hidden, letters may not. From the fourth on they lean
#: to both sides by turns: so they can be larger.
_RISE, _PAWN_RISE, _HIGH, _LEAN, _LEANING = 0.7, 0.52, 4, 0.33, 0.58
_STACKED = Text("from the bottom up: {}", "снизу вверх: {}")
#: From row to row of hexes, in widths of a cell.
_STAGGER = math.sqrt(3) / 2
_SQUARE, _HEX, _ROUND = "square", "hex", "round"


@dataclass(frozen=True)
class _Mark:
    """What a square of a track has besides: its number, where a link leads to, and how far its place on a phone is."""

    number: str = ""
    leads: str = ""
    shift: tuple[float, float] = (0, 0)


@dataclass(frozen=True)
class _Field:
    """Cells around points, in units of a cell, each with the name of its place; and the name of the board."""

    name: str
    cells: Sequence[tuple[float, float, Cell, str]]
    shape: str
    links: Sequence[tuple[int, int]] = ()
    columns: Sequence[str] = ()
    rows: Sequence[str] = ()
    checkered: bool = False
    #: How a track lies on both pages.
    way: Way | None = None
    marks: Sequence[_Mark] = ()


def board_leaf(scene: TableScene, board: Board | Track | Places, number: int, wide: float, high: float) -> Leaf:
    """A board of any kind, no wider and no higher than that."""
    field = {Board: _of_rows, Track: _of_track, Places: _of_places}[type(board)](board, f"board-{number}")  # type: ignore[operator]
    return _drawn(scene, field, wide, high)


def _cell(filling: Filling, click: Click, name: str = "") -> Cell | None:
    """A cell with its click and name, whichever way it was written; None for a hole."""
    if isinstance(filling, Hole):
        return None
    cell = filling if isinstance(filling, Cell) else Cell(filling)
    return replace(cell, action=click if cell.action is None else cell.action, name=cell.name or name)


def _of_rows(board: Board, place: str) -> _Field:
    made = []
    for row, cells in enumerate(board.cells):
        for column, filling in enumerate(cells):
            click = board.clicks[row][column] if board.clicks else None
            name = board.names[row][column] if board.names else ""
            cell = _cell(filling, click, name)
            if cell is not None:
                x = column + 0.5 * (row % 2) if board.hexes else float(column)
                y = row * _STAGGER if board.hexes else float(row)
                made.append((x, y, cell, f"{place}-{row}-{column}"))
    shape = _HEX if board.hexes else _SQUARE
    return _Field(place, made, shape, (), board.columns, board.rows, checkered=board.checkered)


def _of_track(track: Track, place: str) -> _Field:
    way, leads = way_of(track), {begin: f" → {end}" for begin, end, *_ in track.links}
    made, marks = [], []
    # Whoever numbers cells by their names has no other numbers.
    named = any(isinstance(one, Cell) and one.name.isdecimal() for one in track.cells)
    for number, filling in enumerate(track.cells):
        count = "" if named else str(track.first + number)
        cell = _cell(filling, track.clicks[number] if track.clicks else None, count)
        if cell is not None:
            made.append((*way.wide[number], cell, f"{place}-{number}"))
            shown = cell.name if cell.name.isdecimal() else count
            marks.append(_Mark(shown, leads.get(track.first + number, ""), way.shift(number)))
    return _Field(place, made, _SQUARE, way=way, marks=marks)


def _of_places(places: Places, place: str) -> _Field:
    spots = {key: places.at[key] for key, cell in places.cells.items() if cell is not HOLE}
    near = min((math.dist(one, other) for one in spots.values() for other in spots.values() if one != other), default=1)
    order = {key: number for number, key in enumerate(spots)}
    made = []
    for key, (x, y) in spots.items():
        cell = _cell(places.cells[key], None)
        assert cell is not None
        made.append((x / near * 1.15, y / near * 1.15, cell, f"{place}-{key}"))
    links = [(order[one], order[other]) for one, other in places.links if one in order and other in order]
    return _Field(place, made, _ROUND, links)


def _drawn(scene: TableScene, field: _Field, wide: float, high: float) -> Leaf:
    """Links, cells and names first, then what lies in the cells: so a piece slides over all of them."""
    way, tall = field.way, 1.155 if field.shape == _HEX else 1.0
    xs, ys, across, down = _extent(way.wide if way else [(x, y) for x, y, _, _ in field.cells], tall)
    _, _, broad, deep = _extent(way.narrow, 1) if way else (xs, ys, across, down)
    left, top = _EDGE if field.rows else 0.0, _EDGE if field.columns else 0.0
    side = min((wide - left) / across, (high - top) / down, _DISC if field.shape == _ROUND else _SIDE)
    small = max(14.5, 0.145 * side, 0.029 * broad * side)
    size = max(16.0, round(0.034 * (left + broad * side + 32), 1))  # a phone shows it at half its size
    size = max(size, round(1.3 * small, 1)) if way else size
    at = [(left + (x - min(xs) + 0.5) * side, top + (y - min(ys) + tall / 2) * side) for x, y, _, _ in field.cells]
    drawn = "".join(
        f'<line x1="{at[one][0]:.1f}" y1="{at[one][1]:.1f}" x2="{at[other][0]:.1f}" y2="{at[other][1]:.1f}" '
        f'stroke="{LINE}" stroke-width="{max(4.0, side * 0.09):.1f}"/>'
        for one, other in field.links
    )
    drawn += way.path(side) if way else ""
    actions = [cell.action for _, _, cell, _ in field.cells]
    groups: dict[str, tuple[Cell, list[str], str]] = {}
    above, marks = way.links(side) if way else "", field.marks or [_Mark()] * len(at)
    for (x, y), (column, row, cell, place), mark in zip(at, field.cells, marks, strict=True):
        fill = CHECK if field.checkered and (round(column) + round(row)) % 2 else CELL
        lane = isinstance(cell.action, int) and actions.count(cell.action) > 1  # such as a column
        kind = "face cell lane" if lane else "face cell"
        body = _face(x, y, side, field.shape, fill if cell.colour is None else tint(cell.colour), kind)
        words, pieces = _filled(cell)
        if words:
            body += label(x, y + side * 0.15, words, side * 0.42, side - 10, "middle")
        elif not pieces and cell.name:
            body += label(x, y + size * 0.36, cell.name, size, side - 10, "middle", FAINT, bold=False)
        if mark.number and (pieces or words or cell.name != mark.number):
            corner = 0.43 * side
            body += label(x - corner, y - corner + small * 0.75, mark.number, small, side / 2, fill=FAINT, bold=False)
        shared = isinstance(cell.action, int) and cell.action in scene.legal
        name = f"{field.name}-action-{cell.action}" if shared else place
        seen = _seen(scene, cell, words, pieces, mark.leads)
        groups.setdefault(name, (cell, [], seen))[1].append(_shifted(body, mark.shift, side))
        for number, (one, (dx, dy, room)) in enumerate(zip(pieces, _spread(pieces, cell.stack), strict=True)):
            called = f"{place}-piece" if len(pieces) == 1 else f"{place}-piece-{number}"
            piece = _piece(scene, one, (x + dx * side, y + dy * side), room * side, called)
            above += _shifted(piece, mark.shift, side)
    for name, (cell, bodies, seen) in groups.items():
        drawn += scene.thing(cell.action, scene.named("", name, ""), "".join(bodies), seen=seen, why=cell.why)
    for number, called in enumerate(field.columns[: math.ceil(across)]):
        drawn += label(left + (number + 0.5) * side, top - 9, called, size, side, "middle", FAINT, bold=False)
    for number, called in enumerate(field.rows):
        middle = top + (number * (_STAGGER if field.shape == _HEX else 1) + tall / 2) * side
        drawn += label(_EDGE / 2 - 4, middle + size * 0.36, called, size, _EDGE, "middle", FAINT, bold=False)
    narrow = (broad * side, deep * side) if any(mark.shift != (0, 0) for mark in marks) else None
    return Leaf(drawn + above, left + across * side, top + down * side, narrow=narrow, most=_SIDE / side)


def _extent(spots: Sequence[tuple[float, float]], tall: float) -> tuple[list[float], list[float], float, float]:
    """All x and all y of cells, and how many of them fit across and down."""
    xs, ys = [x for x, _ in spots] or [0.0], [y for _, y in spots] or [0.0]
    return xs, ys, max(xs) - min(xs) + 1, max(ys) - min(ys) + tall


def _shifted(drawn: str, shift: tuple[float, float], side: float) -> str:
    """What lies elsewhere on a phone."""
    if shift == (0, 0):
        return drawn
    return f'<g class="leaf" style="--x:{shift[0] * side:.1f}px;--y:{shift[1] * side:.1f}px;--k:1">{drawn}</g>'


def _filled(cell: Cell) -> tuple[str, list[Token | Die | Card]]:
    """The letters of a cell, and its pieces."""
    inside = cell.pieces
    if isinstance(inside, str):
        return inside, []
    if inside is None:
        return "", []
    if isinstance(inside, int):
        return "", [Token(inside)]
    return "", [inside] if isinstance(inside, (Token, Die, Card)) else list(inside)


_TITLES = {Token: token_title, Die: die_title, Card: card_title}


def _seen(scene: TableScene, cell: Cell, words: str, pieces: Sequence[Token | Die | Card], leads: str) -> str:
    """What is said of a cell: its title, or its name, where a link leads to, and what lies there."""
    stacked = cell.stack and len(pieces) > 1
    if cell.title and not stacked:
        return scene.say(cell.title)
    inside = [_TITLES[type(one)](scene, one) for one in pieces]  # type: ignore[operator]
    content = ", ".join(one for one in [words, *inside] if one)
    content = scene.say(_STACKED, content) if stacked else content
    return ": ".join(one for one in (scene.say(cell.title) or cell.name + leads, content) if one)


def _face(x: float, y: float, side: float, shape: str, fill: str, kind: str) -> str:
    """A cell; around a square all of it can be hit: a hand does not aim between cells."""
    if shape == _HEX:
        return polygon(x, y, hexagon(side * 0.555), fill, f'class="{kind}" stroke="none"')
    if shape == _ROUND:
        return f'<circle class="{kind}" cx="{x:.1f}" cy="{y:.1f}" r="{side * 0.46:.1f}" fill="{fill}" stroke="{LINE}"/>'
    around = box(x - side / 2, y - side / 2, side, side, "transparent", 0, stroke="none")
    gap = min(2.0, side / 20)
    inner = side - 2 * gap
    return around + box(
        x - inner / 2, y - inner / 2, inner, inner, fill, min(10, side / 6), f'class="{kind}"', stroke="none"
    )


def _spread(pieces: Sequence[Token | Die | Card], stack: bool) -> list[tuple[float, float, float]]:
    """The middle of each piece from that of its cell, and its size, in sides of the cell."""
    many = len(pieces)
    if stack:
        pawns = all(isinstance(one, Token) and one.shape == "pawn" for one in pieces)
        rise = _PAWN_RISE if pawns else _RISE
        lean, rise = (_LEAN, rise * _LEANING) if many >= _HIGH else (0.0, rise)
        room = min(0.78, 0.94 / (1 + (many - 1) * rise))
        middle = (many - 1) / 2
        return [((n % 2 * 2 - 1) * lean * room, (middle - n) * rise * room, room) for n in range(many)]
    rows = math.ceil(math.sqrt(many)) or 1
    room = 0.78 if many == 1 else 0.92 / rows
    lines = -(-many // rows)
    spots = []
    for number in range(many):
        row, column = divmod(number, rows)
        x = column - (min(rows, many - row * rows) - 1) / 2
        spots.append((x * room, (row - (lines - 1) / 2) * room, room))
    return spots


def _piece(scene: TableScene, one: Token | Die | Card, at: tuple[float, float], room: float, name: str) -> str:
    """A piece in a cell around a point; what cannot be clicked itself lets clicks through to its cell."""
    if isinstance(one, Token):
        leaf = token_leaf(scene, replace(one, count=None), name)
    elif isinstance(one, Die):
        leaf = die_leaf(scene, one, name)
    else:
        leaf = card_leaf(scene, one, size_of(scene, [one], 200), name)
    scale = room / max(leaf.width, leaf.height)
    x, y = at[0] - leaf.width * scale / 2, at[1] - leaf.height * scale / 2
    through = "" if scene.offered(one.action) or one.why else ' pointer-events="none"'
    return f'<g transform="translate({x:.1f} {y:.1f}) scale({scale:.3f})"{through}>{leaf.drawn}</g>'
