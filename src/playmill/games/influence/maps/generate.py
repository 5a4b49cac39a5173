"""Generates maps: a connected field of a given size, with holes and strong cells, free or symmetric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import TypeVar

from playmill.author import PlaymillError, Text
from playmill.games.influence.constants import CELLS, PLAYERS
from playmill.games.influence.maps.checks import MIN_CELLS, counted
from playmill.games.influence.maps.hexes import HOLE, MAX_SIDE, STRONG, WEAK, Place, beside, distances
from playmill.games.influence.maps.model import Map
from playmill.games.influence.maps.rotation import turned_field

#: By order of the symmetry, 0 for none: the numbers of players whom it gives equal places.
FAIR_FOR = {0: (), 2: (2,), 3: (3,), 6: (2, 3, 6)}
#: Each player of a map with starts has at least so many cells, or there would be nothing to play about.
CELLS_EACH = 2
#: How often the holes of a field without its centre are drawn before the centre is given back.
DRAWS = 4
#: Cells that have the same fate, because a rotation carries them to one another; the centre of rotation is alone.
Orbit = tuple[Place, ...]
Thing = TypeVar("Thing")


def generate(
    rows: int,
    cols: int,
    *,
    holes: float = 0.1,
    strong: float = 0.25,
    symmetric: int = 0,
    seed: int = 0,
    players: int | None = None,
    name: str | None = None,
) -> Map:
    """A map of one connected field in a rectangle; the same wishes and seed give the same map on every machine.

    `holes` is the share of the field that is missing, `strong` the share of strong ones among the cells left; both are
    met as nearly as the symmetry permits. A field symmetric by 180° (2), 120° (3) or 60° (6) is the largest one in the
    rectangle, and says where 2, 3, or 2, 3 and 6 players start: far apart and alike for all. `players` asks for the
    starts of that number alone; on a free map (0) they are far apart, but not alike. A wish that cannot be met is a
    PlaymillError.
    """
    _check_wishes(rows, cols, holes, strong, symmetric, players)
    numbers = FAIR_FOR[symmetric] if players is None else (players,)
    rng = Random(seed)
    if symmetric:
        field = turned_field(rows, cols, symmetric)
    else:
        field = [((row, column),) for row in range(rows) for column in range(cols)]
    least = max([MIN_CELLS, *(CELLS_EACH * number for number in numbers)])
    _check_room(rows, cols, holes, symmetric, sum(map(len, field)), least)
    left = _with_holes(field, holes, least, rng)
    full = {cell for orbit in _some(left, strong, rng) for cell in orbit}
    height, width = (1 + max(place[axis] for orbit in field for place in orbit) for axis in (0, 1))
    cells = {cell: STRONG if cell in full else WEAK for orbit in left for cell in orbit}
    return Map(
        name=name if name is not None else f"{rows}x{cols} {seed}",
        rows=["".join(cells.get((row, column), HOLE) for column in range(width)) for row in range(height)],
        starts={str(number): [list(cell) for cell in _starts(left, number, symmetric, rng)] for number in numbers},
    )


# Wishes


def _check_wishes(rows: int, cols: int, holes: float, strong: float, symmetric: int, players: int | None) -> None:
    for what, side in ((Text("rows", "рядов"), rows), (Text("columns", "столбцов"), cols)):
        if not 1 <= side <= MAX_SIDE:
            raise PlaymillError(
                f"{side} {what.en}; expected 1 to {MAX_SIDE}", f"{what.ru}: {side}; ожидается: от 1 до {MAX_SIDE}"
            )
    for what, share in ((Text("holes", "дыр"), holes), (Text("strong cells", "сильных клеток"), strong)):
        if not 0 <= share <= 1:
            raise PlaymillError(
                f"a share of {what.en} of {share:g}; expected 0 to 1",
                f"доля {what.ru}: {share:g}; ожидается: от 0 до 1",
            )
    if symmetric not in FAIR_FOR:
        raise PlaymillError(
            f"symmetric {symmetric}; expected 0 (free), 2, 3 or 6",
            f"симметрия {symmetric}; ожидается: 0 (без неё), 2, 3 или 6",
        )
    if players is None:
        return
    fair = FAIR_FOR[symmetric] or tuple(range(2, PLAYERS + 1))
    if players not in fair:
        known = ", ".join(map(str, fair))
        kind = (
            Text(f" on a map of symmetry {symmetric}", f" на карте с симметрией {symmetric}") if symmetric else ("", "")
        )
        raise PlaymillError(
            f"starts for {counted(players, 'player')}{kind[0]}; expected for: {known}",
            f"старты для {players} {'игрока' if players == 1 else 'игроков'}{kind[1]}; ожидается: для {known}",
        )


def _check_room(rows: int, cols: int, holes: float, symmetric: int, room: int, least: int) -> None:
    """Says what is wrong if the wished field would be too small or too large."""
    size = f"{rows}x{cols}"
    if room < least:
        field = (
            Text(f"a field of symmetry {symmetric} in {size}", f"в поле с симметрией {symmetric} внутри {size}")
            if symmetric
            else Text(size, f"в {size}")
        )
        raise PlaymillError(
            f"{field.en} has {counted(room, 'cell')}; expected at least {least}: a larger size",
            f"{field.ru} клеток: {room}; ожидается: не меньше {least}, то есть размер побольше",
        )
    left = room - round(holes * room)
    wish = f"{100 * holes:.3g}%"
    if left > CELLS:
        enough = math.ceil(100 * (room - CELLS) / room)
        raise PlaymillError(
            f"{size} with {wish} holes has {left} cells; expected at most {CELLS}: a smaller size, or {enough}% holes",
            f"в {size}, если дыр {wish}, клеток: {left}; ожидается: не больше {CELLS}, то есть размер поменьше "
            f"или {enough}% дыр",
        )
    if left < least:
        most = math.floor(100 * (room - least) / room)
        raise PlaymillError(
            f"{size} with {wish} holes has {counted(left, 'cell')}; expected at least {least}: a larger size, "
            f"or {most}% holes",
            f"в {size}, если дыр {wish}, клеток: {left}; ожидается: не меньше {least}, то есть размер побольше "
            f"или {most}% дыр",
        )


# Luck


def _shuffled(things: Sequence[Thing], rng: Random) -> list[Thing]:
    """The things in random order, drawn by the one method of `Random` that is the same in all versions of Python."""
    keys = [rng.random() for _ in things]
    return [things[number] for number in sorted(range(len(things)), key=keys.__getitem__)]


def _nearest(orbits: Sequence[Orbit], wanted: float) -> list[tuple[int, bool]]:
    """How many cells can be picked by whole orbits, and whether the centre is one: the nearest to the wish first."""
    unit = max(map(len, orbits))
    centre = unit > 1 and min(map(len, orbits)) == 1
    total = sum(map(len, orbits))
    counts = [(count, False) for count in range(0, total - centre + 1, unit)]
    if centre:
        counts += [(count + 1, True) for count, _ in counts]
    return sorted(counts, key=lambda choice: abs(choice[0] - wanted))


def _some(orbits: Sequence[Orbit], share: float, rng: Random) -> list[Orbit]:
    """Random orbits that make up a share of all cells."""
    count, with_centre = _nearest(orbits, share * sum(map(len, orbits)))[0]
    unit = max(map(len, orbits))
    whole = [orbit for orbit in orbits if len(orbit) == unit]
    centre = [orbit for orbit in orbits if len(orbit) < unit] if with_centre else []
    return centre + _shuffled(whole, rng)[: count // unit]


# Holes


def _with_holes(field: Sequence[Orbit], share: float, least: int, rng: Random) -> list[Orbit]:
    """What is left of a field when a share of it is cut out without breaking it."""
    total = sum(map(len, field))
    heart = min((orbit for orbit in field if len(distances(set(orbit), orbit[0])) == len(orbit)), key=len)
    for count, with_centre in _nearest(field, share * total):
        if not least <= total - count <= CELLS:
            continue
        # A draw that spares the middle of the field always succeeds, but such fields are all alike there.
        spared: list[set[Orbit]] = [set()] * DRAWS if with_centre else [set(), {heart}]
        for kept in spared:
            left = _carved(field, count, with_centre, kept, rng)
            if left is not None:
                return left
    raise PlaymillError(
        f"{total - round(share * total)} of {total} cells cannot be one symmetric field; expected fewer holes",
        f"{total - round(share * total)} из {total} клеток не составят одно симметричное поле; ожидается меньше дыр",
    )


def _carved(field: Sequence[Orbit], count: int, with_centre: bool, kept: set[Orbit], rng: Random) -> list[Orbit] | None:
    """The field without so many cells, drawn orbit by orbit so that it stays whole; None where the draw got stuck."""
    cells = {cell for orbit in field for cell in orbit}
    unit = max(map(len, field))
    centre = [orbit for orbit in field if len(orbit) < unit]
    gone: set[Orbit] = set()
    if with_centre:
        if not _stays_whole(cells, centre[0]):
            return None
        gone.add(centre[0])
        cells.difference_update(centre[0])
    waiting = _shuffled([orbit for orbit in field if len(orbit) == unit and orbit not in kept], rng)
    missing = count - with_centre
    while missing:
        refused = []
        for orbit in waiting:
            if missing and _stays_whole(cells, orbit):
                gone.add(orbit)
                cells.difference_update(orbit)
                missing -= unit
            else:
                refused.append(orbit)
        if missing and len(refused) == len(waiting):
            return None
        waiting = refused
    return [orbit for orbit in field if orbit not in gone]


def _stays_whole(cells: set[Place], orbit: Orbit) -> bool:
    """Whether cells in one piece are in one piece without an orbit of them."""
    for number, cell in enumerate(orbit):
        around = [other in cells and other not in orbit[:number] for other in beside(cell)]
        # Neighbours side by side around a cell reach each other without it: only others need the long way.
        if sum(mine and not around[side - 1] for side, mine in enumerate(around)) != 1:
            return _meet({other for cell in orbit for other in beside(cell) if other in cells}, cells, orbit)
    return True


def _meet(ends: set[Place], cells: set[Place], orbit: Orbit) -> bool:
    """Whether there is a way over the cells, but not over the orbit, between all the ends."""
    missing = ends.difference(orbit)
    if not missing:
        return False
    queue = [missing.pop()]
    seen = {*orbit, *queue}
    for place in queue:
        if not missing:
            return True
        for other in beside(place):
            if other in cells and other not in seen:
                seen.add(other)
                missing.discard(other)
                queue.append(other)
    return not missing


# Starts


def _starts(orbits: Sequence[Orbit], players: int, symmetric: int, rng: Random) -> list[Place]:
    """Where so many players start: carried to each other by the rotation if there is one, else only far apart."""
    cells = {cell for orbit in orbits for cell in orbit}
    if not symmetric:
        return _spread(cells, players, rng)
    choices: list[Orbit] = [orbit[:: symmetric // players] for orbit in orbits if len(orbit) == symmetric]
    mixed = _shuffled(choices, rng)
    best = max(mixed, key=lambda choice: _room_between(cells, choice))
    return list(best)


def _room_between(cells: set[Place], starts: Sequence[Place]) -> tuple[int, int, int]:
    """How far the first start is from the nearest and from all others, and how many cells are beside it."""
    steps = distances(cells, starts[0])
    far = [steps[other] for other in starts[1:]]
    return min(far), sum(far), sum(other in cells for other in beside(starts[0]))


def _spread(cells: set[Place], players: int, rng: Random) -> list[Place]:
    """Places one after the other, each as far as can be from the nearest before it."""
    mixed = _shuffled(sorted(cells), rng)
    first = distances(cells, mixed[0])
    starts = [max(mixed, key=first.__getitem__)]
    nearest = distances(cells, starts[0])
    while len(starts) < players:
        starts.append(max(mixed, key=nearest.__getitem__))
        steps = distances(cells, starts[-1])
        nearest = {cell: min(nearest[cell], steps[cell]) for cell in cells}
    return starts
