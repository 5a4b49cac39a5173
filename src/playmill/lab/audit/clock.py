"""Clock of an audit, whose readings are recorded: an audit that goes on reads the same times again, and so decides
the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager


class AuditClock:
    """Seconds of play since an audit began, over all processes that have played it."""

    def __init__(self, readings: Sequence[float] = (), record: Callable[[int, float], None] | None = None) -> None:
        self._readings, self._record, self._next = readings, record, 0
        self._start = time.perf_counter()
        #: Seconds for which it was stopped in this process.
        self.stopped_for = 0.0

    @property
    def repeats(self) -> bool:
        """Whether the next reading is one that was recorded."""
        return self._next < len(self._readings)

    def __call__(self) -> float:
        """Returns the time, and records it; as long as there are earlier readings, the next of them."""
        if not self.repeats:
            now = self.peek()
            if self._record is not None:
                self._record(self._next, now)
            self._next += 1
            return now
        now = self._readings[self._next]
        self._next += 1
        # What follows the last reading takes its own time again.
        self._start = time.perf_counter() - now
        return now

    def peek(self) -> float:
        """Returns the time without recording it: for whoever shows it, and decides nothing by it."""
        return time.perf_counter() - self._start

    def add(self, seconds: float) -> None:
        """Counts seconds that were spent before on something that is not played again."""
        if not self.repeats:
            self._start -= seconds

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """Does not count the time that something takes."""
        begun = time.perf_counter()
        try:
            yield
        finally:
            took = time.perf_counter() - begun
            self._start += took
            self.stopped_for += took

    def seconds_of(self, work: Callable[[], object]) -> float:
        """Returns how long something takes; it is not done again if that is recorded."""
        begun = self()
        if not self.repeats:
            work()
        return self() - begun
