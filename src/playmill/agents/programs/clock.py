"""Thinking time of a bot: wall time, less the time in which the machine had no core for it or for the thread that asks.

A bot on a busy machine answers late by the clock though it thought no longer than ever. Linux counts for every thread
how long it was ready to run and had to wait; that time is not the bot's. Its own threads may wait for each other, so
that it pays at least for the work it did, and nobody waits for an answer longer than some multiple of its limit. Where
this is not counted, the clock alone decides.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

#: How many times its limit a bot may take by the clock, however busy the machine is.
PATIENCE = 10.0
#: Below this it makes no difference who waited for a core.
_SHORT = 0.002
_NANO = 1e-9


class Stopwatch:
    """Times the answers of one process; `asked` is when the present question was sent."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._files = [_opened(f"/proc/{process}/schedstat"), _opened("/proc/thread-self/schedstat")]
        self.start()

    def start(self) -> None:
        """Starts timing a question."""
        self._waits, self._work = self._waited(), self._worked()
        self.asked = time.monotonic()

    def taken(self) -> float:
        """Seconds that count since the question."""
        passed = time.monotonic() - self.asked
        if passed < _SHORT:
            return passed
        waited = self._waited() - self._waits
        return min(passed, max(passed - waited, self._worked() - self._work, passed / PATIENCE))

    def close(self) -> None:
        """Closes its files."""
        for file in self._files:
            if file is not None:
                os.close(file)
        self._files = []

    def _waited(self) -> float:
        """Seconds that the bot, and the thread that asks it, were ready to run and did not."""
        total = 0
        for file in self._files:
            if file is not None:
                with suppress(OSError, ValueError, IndexError):
                    total += int(os.pread(file, 100, 0).split()[1])
        return total * _NANO

    def _worked(self) -> float:
        """Seconds that a core worked for the bot, in all its threads."""
        if sys.platform == "linux":
            with suppress(OSError):
                return time.clock_gettime(~self._process << 3 | 2)  # as clock_getcpuclockid makes it
        return 0.0


def _opened(path: str) -> int | None:
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
