"""Searches a map for start cells that are far enough from each other."""

from __future__ import annotations

from collections.abc import Sequence

#: How many choices a search for such cells makes before it gives up.
_CHOICES = 100_000


def steps_from(beside: Sequence[Sequence[int]], cell: int) -> list[int]:
    """How many steps every cell is away from one; -1 where no way leads."""
    steps = [-1] * len(beside)
    steps[cell] = 0
    reached = [cell]
    for here in reached:
        for other in beside[here]:
            if other >= 0 and steps[other] < 0:
                steps[other] = steps[here] + 1
                reached.append(other)
    return steps


def far_apart(beside: Sequence[Sequence[int]], players: int, distance: int) -> list[int] | None:
    """Cells for so many players, each at least so many steps from all others; None if none are found."""
    free = []
    for cell in range(len(beside)):
        steps = steps_from(beside, cell)
        free.append({other for other, away in enumerate(steps) if other > cell and not 0 <= away < distance})
    choices = 0

    def more(among: set[int], left: int) -> list[int] | None:
        nonlocal choices
        if left == 0:
            return []
        for cell in sorted(among):
            choices += 1
            if choices > _CHOICES:
                return None
            rest = among & free[cell]
            if len(rest) >= left - 1 and (found := more(rest, left - 1)) is not None:
                return [cell, *found]
        return None

    return more(set(range(len(beside))), players)
