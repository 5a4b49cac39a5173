"""Budget of an audit: how much each section plays within the time, or by given sizes that repeat an audit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil

from playmill.interrupts import Stop
from playmill.lab.audit.clock import AuditClock
from playmill.texts import PlaymillError

#: What is played for a first impression, without looking at a clock; by key, or by the part of it before the dot.
QUICK = {
    "fairness": 4096,
    "luck": 1024,
    "skill": 128,
    "ladder.search25": 8,
    "ladder.search50": 8,
    "drama": 8,
    "choices": 24,
    "uses": 1024,
    "without": 4,
}
#: The same where those who play think.
QUICK_THINKING: Mapping[str, int] = QUICK | {
    "fairness": 400,
    "luck": 200,
    "ladder.search25": 40,
    "ladder.search50": 40,
    "uses": 64,
    "without": 30,
}
#: What may be left out: rungs that think, and what is forbidden.
_OPTIONAL = ("ladder", "without")
ProgressCallback = Callable[[float], None]


class StoppedError(Exception):
    """Raised when somebody asked to stop: the section under way is left."""


class AuditBudget:
    """Decides when enough was played, and records how much it was.

    Each thing played has a key, such as `ladder.search50`; what stands before the dot has a share of the time. What one
    of them leaves of its share, all that come after have. With sizes given, exactly those are played: then the clock is
    not looked at, and the same audit comes out again.
    """

    def __init__(
        self,
        seconds: float | None,
        sizes: Mapping[str, int],
        stop: Stop,
        progress: ProgressCallback | None = None,
        quick: Mapping[str, int] = QUICK,
        clock: AuditClock | None = None,
    ) -> None:
        self.clock = clock or AuditClock()
        self._seconds, self._given, self.stop, self._progress, self._quick = seconds, dict(sizes), stop, progress, quick
        self._shares: dict[str, float] = {}
        #: How much of its share each has had.
        self._had: dict[str, float] = {}
        #: How many seconds each has taken.
        self._took: dict[str, float] = {}
        self._begun: float | None = None
        #: Hears how much of what is played now is done.
        self._moved: ProgressCallback | None = None
        #: What was played, by key.
        self.sizes: dict[str, int] = {}

    def check(self) -> None:
        """Raises if somebody asked to stop."""
        if self.stop():
            raise StoppedError

    @property
    def share(self) -> float:
        """How much of everything is done."""
        return min(1.0, sum(self._shares.get(head, 0.0) * had for head, had in self._had.items()))

    def plan(self, shares: Mapping[str, float]) -> None:
        """What share of the time each part of the audit may take, by the part of a key before the dot."""
        whole = sum(shares.values())
        self._shares = {part: share / whole for part, share in shares.items()}

    def knows(self, key: str) -> bool:
        """Returns whether a size is given for a key; without any sizes, everything may be tried."""
        return self._seconds is not None or self._size(key) > 0

    def note(self, key: str, value: int) -> int:
        """Returns a number that was chosen by the clock, or the one that is given."""
        self.sizes[key] = self._given.get(key, value)
        return self.sizes[key]

    def given(self, key: str) -> int | None:
        """Returns the number that is given for a key, if the clock decides nothing."""
        return None if self._seconds is not None else self._size(key)

    def _size(self, key: str) -> int:
        part = key.partition(".")[0]
        optional = part in _OPTIONAL
        if key in self._given:
            return self._given[key] if optional else max(1, self._given[key])
        return 0 if optional and self._given else self._quick.get(key, self._quick.get(part, 0))

    def seconds(self, key: str, part: float = 1.0) -> float:
        """Returns how long something may take: a part of its share, of the time that is left for what is not done."""
        if self._begun is None:
            self._begun = self.clock()
        left = max(0.0, (self._seconds or 0.0) - (self.clock() - self._begun))
        return left * self._part(key, part) / max(1 - self.share, 1e-9)

    def left_of(self, head: str) -> float:
        """Returns how much of its share something has not had yet."""
        return 1 - self._had.get(head, 0.0)

    def minutes_for(self, key: str, wanted: int) -> int | None:
        """Estimates how many minutes an audit needs to play n of something; None if the clock decides nothing."""
        played = self.sizes.get(key, 0)
        if self._seconds is None or not played:
            return None
        return _rounded(self._seconds / 60 * wanted / played)

    def minutes_with(self, head: str, more: float) -> int | None:
        """Returns about how many minutes an audit needs if something may take n seconds more."""
        if self._seconds is None or not self._shares.get(head):
            return None
        return _rounded((self._took.get(head, 0.0) + more) / self._shares[head] / 60)

    def play(
        self,
        key: str,
        play: Callable[[range], None],
        *,
        part: float = 1.0,
        least: int,
        most: int,
        enough: int = 0,
        at_most: float | None = None,
    ) -> int:
        """Plays more and more of something, in the order of its numbers; returns how many were played.

        It has a part of its share of the time; until there is enough of it, the larger part `at_most`.
        """
        whole = self.seconds(key)
        limit, longest = part * whole, (part if at_most is None else at_most) * whole
        start, took, done = self.clock(), 0.0, 0
        wanted = self.given(key)
        size = least if wanted is None else min(least, wanted)

        def moved(share: float) -> None:
            played = (done + share * size) / max(wanted or 1, 1)
            self._tell(key, part, min(1.0, (self.clock.peek() - start) / limit) if limit and wanted is None else played)

        self._moved = moved
        while size > 0:
            play(range(done, done + size))
            self.check()
            took = self.clock() - start
            moved(1.0)
            done += size
            if wanted is not None:
                size = min(done, wanted - done)
                continue
            # Twice as many as before, if there is time for them; else as many as there is time for.
            rest = int((limit - took) / took * done) if took > 0 else done
            if done < enough:
                rest = max(rest, min(enough - done, int((longest - took) / took * done) if took > 0 else done))
            size = min(done, most - done, rest if rest >= least else 0)
        self._moved = None
        head = key.partition(".")[0]
        self._took[head] = self._took.get(head, 0.0) + took
        had = part if wanted is not None or not whole else max(part, took / whole)
        self._had[head] = min(1.0, self._had.get(head, 0.0) + had)
        self.sizes[key] = done
        return done

    def moved(self, share: float) -> None:
        """Reports the share that is done of what is played now."""
        if self._moved is not None:
            self._moved(share)

    def leave(self, head: str) -> None:
        """Nothing more of something is to come: its time is for what comes after."""
        self._had[head] = 1.0

    def _part(self, key: str, part: float) -> float:
        return self._shares.get(key.partition(".")[0], 0.0) * part

    def _tell(self, key: str, part: float, share: float) -> None:
        if self._progress is not None:
            self._progress(min(1.0, self.share + self._part(key, part) * share))


def _rounded(minutes: float) -> int:
    """Returns minutes rounded as one would say them."""
    step = 1 if minutes < 20 else 5 if minutes < 60 else 10
    return ceil(minutes / step) * step


def read_sizes(text: str) -> dict[str, int]:
    """Parses `key=number,key=number`, as an audit prints its sizes."""
    found: dict[str, int] = {}
    for part in filter(None, text.split(",")):
        key, equals, number = part.partition("=")
        if not equals or not key or not number.isdecimal() or len(number) > 12:
            raise PlaymillError(
                f"--sizes: cannot read {part!r}; expected key=number as an audit prints them",
                f"--sizes: непонятно {part!r}; нужно ключ=число, как их печатает аудит",
            )
        found[key] = int(number)
    if not found:
        raise PlaymillError("--sizes names nothing to play", "--sizes не называет ничего, что сыграть")
    return found
