"""Ranges of games: joined where they follow one another, and as a set from which finished games are removed."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator


class GameRanges:
    """A set of games: ranges in order that do not touch."""

    def __init__(self, ranges: Iterable[range]) -> None:
        self._edges = [(one.start, one.stop) for one in joined_ranges(ranges)]

    def __iter__(self) -> Iterator[range]:
        return (range(*ends) for ends in self._edges)

    def __contains__(self, game: int) -> bool:
        return self._at(game) is not None

    def covers(self, games: range) -> bool:
        """Returns whether it has all of these games."""
        at = self._at(games.start)
        return at is not None and games.stop <= self._edges[at][1]

    def remove(self, games: range) -> None:
        """Removes games that are all in it."""
        at = self._at(games.start)
        assert at is not None and games.stop <= self._edges[at][1]
        start, stop = self._edges[at]
        left = [(start, games.start), (games.stop, stop)]
        self._edges[at : at + 1] = [ends for ends in left if ends[0] < ends[1]]

    def _at(self, game: int) -> int | None:
        """Returns the index of the range that has a game."""
        at = bisect_right(self._edges, game, key=lambda ends: ends[0]) - 1
        return at if at >= 0 and game < self._edges[at][1] else None


def joined_ranges(ranges: Iterable[range]) -> list[range]:
    """Joins ranges in order that follow one another without a gap."""
    found: list[range] = []
    for one in ranges:
        if found and found[-1].stop == one.start:
            found[-1] = range(found[-1].start, one.stop)
        elif one:
            found.append(one)
    return found
