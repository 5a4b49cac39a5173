"""Queue of game ranges that are still to be played: which are handed out next, and how large each span is."""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

#: A task should take this many seconds: enough that handing it out costs nothing, little enough to lose.
SHORTEST, LONGEST = 5.0, 60.0
#: This many answers a second, from all workers together, leave the one who hands out with little to do.
_ANSWERS = 50.0
#: A task grows at most this many times: the first measure is a rough one.
_GROWTH = 8
#: Towards the end all that is left makes at least this many tasks for each worker, so that they end together.
_LAST_TASKS = 2


class SpanQueue:
    """Games that nobody plays now: handed out as whole chunks in order, returned ones first."""

    def __init__(self, ranges: Sequence[range], chunk: int, workers: int) -> None:
        self._chunk, self._workers = chunk, max(workers, 1)
        self._left: list[tuple[int, int]] = [(games.start, games.stop) for games in ranges if games]
        self.games = sum(map(len, ranges))
        self._reached = self._left[0][0] if self._left else 0
        self.seconds = min(LONGEST, max(SHORTEST, self._workers / _ANSWERS))

    @property
    def has_old(self) -> bool:
        """Whether the next span was handed out before."""
        return bool(self._left) and self._left[0][0] < self._reached

    def take(self, last: int = 0, rate: float = 0.0) -> range | None:
        """Returns the next span for a worker, given the size of its last one and its games per second; None if none."""
        if not self._left:
            return None
        start, end = self._left[0]
        size = min(last * _GROWTH, int(self.seconds * rate), self.games // (_LAST_TASKS * self._workers))
        # Only at the end of a range is a chunk ever cut.
        stop = min(end, (start // self._chunk + max(1, size // self._chunk)) * self._chunk)
        if stop == end:
            del self._left[0]
        else:
            self._left[0] = (stop, end)
        self.games -= stop - start
        self._reached = max(self._reached, stop)
        return range(start, stop)

    def give_back(self, span: range) -> None:
        """Takes games back that were handed out and not played."""
        if span:
            insort(self._left, (span.start, span.stop))
            self.games += len(span)
