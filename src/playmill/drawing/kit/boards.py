"""Boards drawn: squares, hexes, tracks and free positions, with holes, and with several pieces in a cell."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from playmill.drawing.kit.arrange import Leaf
from playmill.drawing.kit.parts import HOLE, Board, Card, Cell, Click, Die, Filling, Hole, Places, Token, Track
from playmill.drawing.kit.pieces import card_leaf, die_leaf, size_of, token_leaf, token_title
from playmill.drawing.kit.scene import TableScene
from playmill.drawing.kit.shapes import CELL, CHECK, hexagon, polygon, tint
from playmill.drawing.svg import FAINT, LINE, box, label

#: Room beside a board for the names of its rows or columns, and the side of a cell at most, of a square and of a disc.
_EDGE, _SIDE, _DISC = 30, 150, 100
#: From row to row of hexes, in widths of a cell.
_STAGGER = math.sqrt(3) / 2
_SQUARE, _HEX, _ROUND = "square", "hex", "round"


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
    made, last = [], None
    path: list[tuple[int, int]] = []
    for number, filling in enumerate(track.cells):
        cell = _cell(filling, track.clicks[number] if track.clicks else None, str(number + 1))
        row, column = divmod(number, track.across)
        x = track.across - 1 - column if row % 2 else column
        if cell is not None:
            made.append((float(x), row * 1.12, cell, f"{place}-{number}"))
            path += [] if last is None else [(last, len(made) - 1)]
            last = len(made) - 1
    return _Field(place, made, _SQUARE, path)


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
    xs, ys = [x for x, _, _, _ in field.cells] or [0.0], [y for _, y, _, _ in field.cells] or [0.0]
    tall = 1.155 if field.shape == _HEX else 1.0
    across, down = max(xs) - min(xs) + 1, max(ys) - min(ys) + tall
    left, top = _EDGE if field.rows else 0.0, _EDGE if field.columns else 0.0
    side = min((wide - left) / across, (high - top) / down, _DISC if field.shape == _ROUND else _SIDE)
    size = max(16.0, round(0.034 * (left + across * side + 32), 1))  # a phone shows it at half its size
    at = [(left + (x - min(xs) + 0.5) * side, top + (y - min(ys) + tall / 2) * side) for x, y, _, _ in field.cells]
    drawn = "".join(
        f'<line x1="{at[one][0]:.1f}" y1="{at[one][1]:.1f}" x2="{at[other][0]:.1f}" y2="{at[other][1]:.1f}" '
        f'stroke="{LINE}" stroke-width="{max(4.0, side * 0.09):.1f}"/>'
        for one, other in field.links
    )
    actions = [cell.action for _, _, cell, _ in field.cells]
    groups: dict[str, tuple[Cell, list[str], str]] = {}
    above = ""
    for (x, y), (column, row, cell, place) in zip(at, field.cells, strict=True):
        fill = CHECK if field.checkered and (round(column) + round(row)) % 2 else CELL
        lane = isinstance(cell.action, int) and actions.count(cell.action) > 1  # such as a column
        kind = "face cell lane" if lane else "face cell"
        body = _face(x, y, side, field.shape, fill if cell.colour is None else tint(cell.colour), kind)
        words, pieces = _filled(cell)
        if words:
            body += label(x, y + side * 0.15, words, side * 0.42, side - 10, "middle")
        elif not pieces and cell.name:
            body += label(x, y + size * 0.36, cell.name, size, side - 10, "middle", FAINT, bold=False)
        shared = isinstance(cell.action, int) and cell.action in scene.legal
        name = f"{field.name}-action-{cell.action}" if shared else place
        groups.setdefault(name, (cell, [], _seen(scene, cell, words, pieces)))[1].append(body)
        above += "".join(_piece(scene, one, n, len(pieces), (x, y), side, place) for n, one in enumerate(pieces))
    for name, (cell, bodies, seen) in groups.items():
        drawn += scene.thing(cell.action, scene.named("", name, ""), "".join(bodies), seen=seen, why=cell.why)
    for number, called in enumerate(field.columns[: math.ceil(across)]):
        drawn += label(left + (number + 0.5) * side, top - 9, called, size, side, "middle", FAINT, bold=False)
    for number, called in enumerate(field.rows):
        middle = top + (number * (_STAGGER if field.shape == _HEX else 1) + tall / 2) * side
        drawn += label(_EDGE / 2 - 4, middle + size * 0.36, called, size, _EDGE, "middle", FAINT, bold=False)
    return Leaf(drawn + above, left + across * side, top + down * side)


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


def _seen(scene: TableScene, cell: Cell, words: str, pieces: Sequence[Token | Die | Card]) -> str:
    """What is said of a cell: its title, or its name and what lies there."""
    if cell.title:
        return scene.say(cell.title)
    inside = [token_title(scene, one) for one in pieces if isinstance(one, Token)]
    told = ", ".join(one for one in [words, *inside] if one)
    return f"{cell.name}: {told}" if told and cell.name else told or cell.name


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


def _piece(
    scene: TableScene, one: Token | Die | Card, number: int, many: int, at: tuple[float, float], side: float, place: str
) -> str:
    """A piece in a cell, one of as many as lie there; what cannot be clicked itself lets clicks through to its cell."""
    name = f"{place}-piece" if many == 1 else f"{place}-piece-{number}"
    if isinstance(one, Token):
        leaf = token_leaf(scene, replace(one, count=None), name)
    elif isinstance(one, Die):
        leaf = die_leaf(scene, one, name)
    else:
        leaf = card_leaf(scene, one, size_of(scene, [one], 200), name)
    rows = 1 if many == 1 else math.ceil(math.sqrt(many))
    room = side * (0.78 if many == 1 else 0.86 / rows)
    scale = room / max(leaf.width, leaf.height)
    row, column = divmod(number, rows)
    lines = -(-many // rows)
    x = at[0] + (column - (min(rows, many - row * rows) - 1) / 2) * room - leaf.width * scale / 2
    y = at[1] + (row - (lines - 1) / 2) * room - leaf.height * scale / 2
    through = "" if scene.offered(one.action) or one.why else ' pointer-events="none"'
    return f'<g transform="translate({x:.1f} {y:.1f}) scale({scale:.3f})"{through}>{leaf.drawn}</g>'
