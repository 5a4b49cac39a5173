"""Queue of game ranges that are still to be played: which are handed out next, and how large each span is."""

from __future__ import annotations

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
    """Games that nobody has played yet: handed out as whole chunks in order.

    Spans that are longer than two of some `blocks` end at the edge of one: of what a worker plays most is whole then.
    """

    def __init__(self, ranges: Sequence[range], chunk: int, workers: int, blocks: Sequence[int] = ()) -> None:
        self._chunk, self._workers, self._blocks = chunk, max(workers, 1), blocks
        self._left: list[tuple[int, int]] = [(games.start, games.stop) for games in ranges if games]
        self.games = sum(map(len, ranges))
        self.seconds = min(LONGEST, max(SHORTEST, self._workers / _ANSWERS))

    def take(self, last: int = 0, rate: float = 0.0) -> range | None:
        """Returns the next span for a worker, given the size of its last one and its games per second; None if none."""
        if not self._left:
            return None
        start, end = self._left[0]
        size = min(last * _GROWTH, int(self.seconds * rate), self.games // (_LAST_TASKS * self._workers))
        # Only at the end of a range is a chunk ever cut.
        unit = max((block for block in self._blocks if 2 * block <= size), default=self._chunk)
        stop = min(end, (start // unit + max(1, size // unit)) * unit)
        if stop == end:
            del self._left[0]
        else:
            self._left[0] = (stop, end)
        self.games -= stop - start
        return range(start, stop)
