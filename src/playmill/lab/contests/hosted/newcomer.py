"""Schedule of a newcomer: first tables spread over the ladder, then its neighbours on it, then whoever is left.

Where a newcomer stands is estimated from its own tables and the ratings that its opponents were given when they were
newcomers: so its tables depend on who came before it and on nothing else, and cost no fit of the whole ladder. Whoever
is killed in the middle and begins again chooses the same ones. The ladder itself is fitted to all games.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import exp

from playmill.lab.contests.tournament.event import Group
from playmill.stats.head_to_head import HeadToHead
from playmill.stats.ratings import Ranks

#: Tables of the first round, over the whole ladder, and of the second, among neighbours; then each has twice as many.
FIRST = 8
#: Deals of a table between programs that are one task (see `pairing.py`).
PIECE = 16
#: Ratings here are logarithms of odds; none is further from the middle.
_FURTHEST = 12.0
_HALVINGS = 50


def newcomer_rounds(
    order: Sequence[int], me: int, seats: int, most: int, position: Callable[[], int]
) -> Iterator[list[Group]]:
    """Yields the tables of a newcomer round by round, with so many others each, at most so many (0: all there are).

    `order` are the others from the strongest to the weakest, and `position` tells where among them it stands by now.
    """
    if len(order) < seats:
        return
    met: Counter[int] = Counter()
    made: dict[Group, None] = {}
    count, first = FIRST, True
    while True:
        if first:
            candidates = _spread(order, count * seats)
        else:
            at = position() - 0.5
            near = sorted(range(len(order)), key=lambda place: (met[order[place]], abs(place - at), place))
            candidates = [order[place] for place in near]
        groups = _tables(me, candidates, seats, made, min(count, most - len(made)) if most else count)
        if not groups:
            break
        for group in groups:
            made[group] = None
            met.update(place for place in group if place != me)
        yield groups
        count, first = (count if first else 2 * count), False
    if not most and seats > 1:
        left = (tuple(sorted((me, *some))) for some in combinations(sorted(order), seats))
        if rest := [group for group in left if group not in made]:
            yield rest


def played_ahead(workers: int, deals: int, opponents: int, there: int, settings: int = 1) -> int:
    """Returns of how many submissions in the queue the tables are played at once, so that no core is without work.

    Tables of all but the first are a guess at who will be on the ladder then: where one alone is enough work, one.
    """
    tables = max(1, min(FIRST, opponents or FIRST, there)) * settings
    return -(-2 * workers // (tables * -(-deals // PIECE)))


def placement(tables: Iterable[tuple[Ranks, int, Sequence[float]]]) -> float:
    """Returns somebody's rating by their tables: the ranks, their place at the table, and everybody's rating there.

    The strength under which they would take as many points as they took; one imagined draw against an average player
    keeps it finite.
    """
    met: list[tuple[float, float, float]] = [(0.5, 1.0, 0.0)]
    for ranks, mine, rated in tables:
        for other, rating in enumerate(rated):
            if other != mine:
                points = HeadToHead.of(ranks, mine, other)
                met.append((float(points.taken.sum()), float(points.played.sum()), rating))
    low, high = -_FURTHEST, _FURTHEST
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        expected = sum(played / (1 + exp(rating - middle)) for _, played, rating in met)
        if expected < sum(taken for taken, _, _ in met):
            low = middle
        else:
            high = middle
    return round((low + high) / 2, 9)


def _spread(order: Sequence[int], count: int) -> list[int]:
    """Returns some of those on a ladder, evenly spread, the top and the bottom among them."""
    if len(order) <= count:
        return list(order)
    return [order[round(step * (len(order) - 1) / (count - 1))] for step in range(count)]


def _tables(me: int, candidates: Sequence[int], seats: int, made: dict[Group, None], most: int) -> list[Group]:
    """Returns new tables of a newcomer with candidates, those named first sitting together."""
    found: list[Group] = []
    for start in range(0, len(candidates) - seats + 1, seats):
        if len(found) >= most:
            break
        group = tuple(sorted((me, *candidates[start : start + seats])))
        if group not in made:
            found.append(group)
    return found
