"""Draws the sea and the island of Save Oneself: cards, castaway, ship, signals, and what can be clicked."""

from __future__ import annotations

from collections.abc import Iterator

from playmill.author import Text
from playmill.drawing.layout import Part
from playmill.drawing.svg import ACCENT, GREEN, box, label, sentence, text
from playmill.drawing.things import lying, refused, titled, whole
from playmill.games.save_oneself import lookups, words
from playmill.games.save_oneself.actions import EAST, MOVE, NORTH, SKIP, SOUTH, TURN, WAIVE, WEST
from playmill.games.save_oneself.constants import FRONT, ISLAND, MAP_C, MAP_R, SE, STRIDE
from playmill.games.save_oneself.view.scene import BOARD, CARD, PITCH, SHIP, IslandScene
from playmill.games.save_oneself.view.shapes import (
    DUNE,
    FOAM,
    GOLD,
    LIT,
    LOST,
    SAND,
    SEA,
    SHALLOWS,
    arrow,
    arrow_head,
    card,
    feet,
    pawn,
    ship,
    walk,
    waves,
)
from playmill.games.save_oneself.view.symbols import symbol
from playmill.games.save_oneself.words import names
from playmill.games.save_oneself.words.consequences import NEW_CARD

#: How the arrow of each direction is turned, and on which side of a card it stands.
_WAYS = {NORTH: (-90, 0, -1), EAST: (0, 1, 0), SOUTH: (90, 0, 1), WEST: (180, -1, 0)}
_COURSE_TURNS = (90, 180, -90, 0)
_BANNER = 96
_SAVED, _LOST = Text("Saved!", "Спасение!"), Text("Lost", "Поражение")
_SCORE = Text("Score {}", "Счёт {}")
_TOO_FAR = Text("too far: you go to a neighbouring cell", "слишком далеко: идти можно только на соседнюю клетку")
_TURNED = Text("it is turned over already", "эта карта уже перевёрнута")
_NEEDS = Text("it turns over {}", "переворачивается {}")
_ONE_A_ROUND = Text("only one new card a round", "за раунд открывают только одну новую карту")
_BEYOND = Text(
    "beyond the island: it has four rows and four columns at most",
    "за пределами острова: в нём не больше четырёх рядов и четырёх столбцов",
)
_SEEN_HERE = Text("{}: seen by a ship that is here", "{}: заметят с корабля, если он здесь")


def board(scene: IslandScene) -> Part:
    """The sea with everything on it; at the end, under a banner that says how the game ended."""
    parts = [box(0, 0, BOARD, BOARD, SEA, 16, stroke="none"), _ground(scene), _coordinates(scene)]
    if scene.ship:
        parts += [_course(scene), *_lookouts(scene), _ship(scene)]
    parts += [*_closed(scene), *_cards(scene), *_targets(scene), _castaway(scene)]
    drawn = "".join(parts)
    if not scene.over:
        return Part(f'<g class="board">{drawn}</g>', BOARD, BOARD)
    moved = f'<g class="board" transform="translate(0 {_BANNER})">{drawn}</g>'
    return Part(_banner(scene) + moved, BOARD, BOARD + _BANNER)


def _banner(scene: IslandScene) -> str:
    """How the game ended, why, and with which score."""
    won = lookups.is_won(scene.s)
    fill, head = (GREEN, _SAVED) if won else (LOST, _LOST)
    why = sentence(scene.say(names.WHY[int(scene.s["ending"])]))
    score = scene.say(_SCORE, lookups.score_of(scene.config, scene.s).total)
    parts = [box(0, 0, BOARD, _BANNER - 12, fill, 14, stroke="none")]
    parts.append(text(24, 37, scene.say(head), 28, fill="#ffffff", weight=700))
    parts.append(label(24, 67, why, 21, BOARD - 48, fill="#ffffff"))
    parts.append(text(BOARD - 24, 37, score, 28, "end", "#ffe485", 700))
    return "".join(parts)


# The ground


def _ground(scene: IslandScene) -> str:
    """The island that a ship has fixed; without one, sand under the cards and shallows where more may be laid."""
    if scene.ship:
        edge, size = (BOARD - ISLAND * PITCH) / 2 - 6, ISLAND * PITCH + 12
        parts = [box(edge, edge, size, size, SAND, 22, 'stroke-width="12" stroke-opacity=".7"', FOAM)]
        rows, columns = lookups.island_lines(scene.s)
        free = [(row, column) for row in rows for column in columns if _card_at(scene, row, column) is None]
        return waves() + "".join(parts + [_plot(*scene.at(row, column)) for row, column in free])
    spots = [scene.at(*divmod(int(scene.s["cell"][number]), STRIDE)) for number in lookups.cards_on_field(scene.s)]
    wide = PITCH + 14
    beach = "".join(box(x - wide / 2, y - wide / 2, wide, wide, SAND, 26, stroke="none") for x, y in spots)
    foam = "".join(box(x - wide / 2, y - wide / 2, wide, wide, FOAM, 26, 'stroke-width="9"', FOAM) for x, y in spots)
    return _shallows(scene) + waves() + f'<g opacity=".7">{foam}</g>' + beach


def _shallows(scene: IslandScene) -> str:
    """Where cards may be laid before there is a ship, as far as it can be seen."""
    spans = []
    for lines, middle in zip(lookups.room_lines(scene.s), scene.middle, strict=True):
        low, high = (BOARD / 2 + (edge - middle) * PITCH for edge in (lines[0] - 0.5, lines[-1] + 0.5))
        spans.append((max(low, 30.0), min(high, BOARD - 12.0)))
    (top, bottom), (left, end) = spans
    dashes = 'stroke-width="2" stroke-dasharray="3 9" stroke-opacity=".8"'
    return box(left, top, end - left, bottom - top, SHALLOWS, 28, dashes, FOAM)


def _card_at(scene: IslandScene, row: int, column: int) -> int | None:
    cell = lookups.cell_of(row, column)
    return None if cell is None else lookups.card_at(scene.s, cell)


def _plot(x: float, y: float) -> str:
    """A cell of the island without a card."""
    half = CARD / 2
    return box(x - half, y - half, CARD, CARD, "none", 14, 'stroke-width="2" stroke-dasharray="2 8"', DUNE)


def _coordinates(scene: IslandScene) -> str:
    """The letters of the columns at the top and the numbers of the rows at the left."""
    (rows, columns), (down, right) = lookups.room_lines(scene.s), scene.middle
    parts = []
    for column in (column for column in columns if abs(column - right) <= 2):
        x, letter = scene.at(down, column)[0], scene.say(names.column_name(column))
        parts.append(text(x, 21, letter, 17, "middle", FOAM, 700))
    for row in (row for row in rows if abs(row - down) <= 2):
        parts.append(text(14, scene.at(row, right)[1] + 6, names.row_name(row), 17, "middle", FOAM, 700))
    return "".join(parts)


# The ship


def _course(scene: IslandScene) -> str:
    """The way that the ship will take, around a corner if it has been sighted; it ends where the ship leaves."""
    s, corner = scene.s, int(scene.s["ship"])
    if scene.over:
        return ""
    spots = [scene.at(*lookups.ship_place(s)), scene.at(*lookups.corner_place(s, lookups.next_corner(corner)))]
    if lookups.will_turn(s):
        corner = lookups.next_corner(corner)
        spots.append(scene.at(*lookups.corner_place(s, lookups.next_corner(corner))))
    (x, y), (down, right) = spots[-1], lookups.STEPS[corner]
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in spots)
    dashes = 'stroke-width="4" stroke-dasharray="1 11"'
    drawn = f'<path d="{path}" fill="none" stroke="{FOAM}" {dashes}/>'
    return drawn + arrow_head(x + 18 * right, y + 18 * down, _COURSE_TURNS[corner], FOAM)


def _lookouts(scene: IslandScene) -> Iterator[str]:
    """Marks where a ship would see a signal."""
    found: dict[tuple[int, int], list[int]] = {}
    for signal, place in lookups.winning_places(scene.s):
        found.setdefault(place, []).append(signal)
    for place, signals in found.items():
        x, y = scene.at(*place)
        for number, signal in enumerate(signals):
            left = x + 13 * (2 * number - len(signals) + 1)
            disc = f'<circle cx="{left:.1f}" cy="{y:.1f}" r="21" fill="#fff8e0" stroke="{GOLD}" stroke-width="3"/>'
            yield titled(scene.say(_SEEN_HERE, names.SIDE_NAMES[signal]), disc + symbol(signal, left, y, 26))


def _ship(scene: IslandScene) -> str:
    """The ship with an arrow of its course, pale while it waits."""
    s, corner = scene.s, int(scene.s["ship"])
    (x, y), (down, right) = scene.at(*lookups.ship_place(s)), lookups.STEPS[corner]
    drawn = f'<ellipse cx="{x:.1f}" cy="{y + 27:.1f}" rx="34" ry="7" fill="#ffffff" fill-opacity=".45"/>'
    drawn += ship(x, y, 64, west=corner == SE)
    if not scene.over:
        fill = "#7b8794" if s["waiting"] else ACCENT
        drawn += arrow(x + 31 * right, y + 31 * down, _COURSE_TURNS[corner], fill)
    before = sum(LIT[phase] for phase in scene.passed if phase != SHIP)
    return lying("ship", drawn, title=sentence(scene.say(names.ship_text(s))), slide=(LIT[SHIP], before))


# Cards and the castaway


def _cards(scene: IslandScene) -> Iterator[str]:
    here = int(scene.s["here"])
    for number in lookups.cards_on_field(scene.s):
        cell = int(scene.s["cell"][number])
        x, y = scene.at(*divmod(cell, STRIDE))
        yield card(scene, lookups.side_up(scene.s, number), x, y, _why_not(scene, number, cell))
        if cell == here:
            yield _ring(x, y, ACCENT, 5)
        if lookups.seen_signal(scene.s) == number + FRONT:
            yield _ring(x, y, GREEN, 8)


def _ring(x: float, y: float, stroke: str, width: float, extra: str = "") -> str:
    half = CARD / 2 + 1
    return box(x - half, y - half, 2 * half, 2 * half, "none", 15, f'stroke-width="{width:g}" {extra}', stroke)


def _castaway(scene: IslandScene) -> str:
    x, y = scene.at(*divmod(int(scene.s["here"]), STRIDE))
    return f'<g class="pawn" data-thing="castaway">{pawn(x - 50, y - 47)}</g>'


def _why_not(scene: IslandScene, number: int, cell: int) -> Text | None:
    """Why a card can neither be entered nor turned over now; None where it can, or nobody would ask."""
    s = scene.s
    if not scene.legal or cell == s["here"]:
        return None
    if names.decision_kind(s) == names.MOVE_KIND:
        near = [lookups.cell_beside(int(s["here"]), way) for way in _WAYS]
        return None if cell in near else _TOO_FAR
    if lookups.is_up(s, number + FRONT):
        return _TURNED
    turned = TURN + (MAP_R if number == MAP_C else number)
    return None if turned in scene.legal else _NEEDS.format(names.need_of(scene.config, number))


def _closed(scene: IslandScene) -> Iterator[str]:
    """Neighbouring places that cannot be entered, each with the reason."""
    s = scene.s
    if not scene.legal or names.decision_kind(s) != names.MOVE_KIND:
        return
    for way in _WAYS:
        cell = lookups.cell_beside(int(s["here"]), way)
        row, column = divmod(cell, STRIDE)
        down, right = abs(row - scene.middle[0]), abs(column - scene.middle[1])
        if MOVE + way in scene.legal or _card_at(scene, row, column) is not None or max(down, right) > 2:
            continue
        why = _ONE_A_ROUND if lookups.has_room(s, cell) else _BEYOND
        yield refused(f"closed-{way}", scene.say(why), _hit(*scene.at(row, column)))


# What can be clicked


def _targets(scene: IslandScene) -> Iterator[str]:
    """The cells that can be entered, with arrows, or the cards that can be turned over, with what they become."""
    for action in scene.legal:
        if MOVE <= action < WAIVE:
            yield _step(scene, action)
        elif TURN <= action < SKIP:
            yield _turn(scene, action)


def _step(scene: IslandScene, action: int) -> str:
    here = int(scene.s["here"])
    cell = lookups.cell_beside(here, action - MOVE)
    turn, right, down = _WAYS[action - MOVE]
    x, y = scene.at(*divmod(cell, STRIDE))
    there = lookups.card_at(scene.s, cell)
    name = NEW_CARD if there is None else names.side_name(lookups.side_up(scene.s, there))
    line = f"{scene.say(words.describe(scene.config, action))}: {scene.say(names.cell_name(cell))}, {scene.say(name)}"
    face = _hit(x, y)
    face += _ring(x, y, "#ffffff" if there is None else ACCENT, 3, 'class="face" stroke-dasharray="9 7"')
    face += feet(x, y, 2, turn) if there is None else walk(x - right * PITCH / 2, y - down * PITCH / 2, turn)
    return whole(action, line, face)


def _turn(scene: IslandScene, action: int) -> str:
    """A card that can be turned over; the two maps are one."""
    number = action - TURN
    face = ""
    for one in (MAP_R, MAP_C) if number == MAP_R and lookups.is_up(scene.s, MAP_C) else (number,):
        x, y = scene.at(*divmod(int(scene.s["cell"][one]), STRIDE))
        face += _hit(x, y) + _ring(x, y, ACCENT, 4, 'class="face" stroke-dasharray="9 7"') + _preview(x, y, one + FRONT)
    return whole(action, scene.say(words.describe(scene.config, action)), face)


def _hit(x: float, y: float) -> str:
    half = CARD / 2
    return f'<rect class="hit" x="{x - half:.1f}" y="{y - half:.1f}" width="{CARD}" height="{CARD}" rx="14"/>'


def _preview(x: float, y: float, side: int) -> str:
    """What a card becomes, in a disc at its left edge."""
    left, top = x - 48, y - 8
    disc = f'<circle cx="{left:.1f}" cy="{top:.1f}" r="21" fill="#ffffff" stroke="{ACCENT}" stroke-width="3"/>'
    return disc + symbol(side, left, top, 27)
