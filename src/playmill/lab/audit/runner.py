"""Runs the work of an audit: on threads here or as tasks of a cluster, but for what its journal has already.

A work is a function of a module of this package, `work(context, numbers, *arguments)`, that observes things by their
numbers; what it observes depends on numbers and arguments alone. It plays on one core, so that it does not matter who
plays which numbers, where, and how many of them at a time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from playmill.engine.run.backends import default_workers
from playmill.engine.run.rollouts import Note
from playmill.interrupts import WORKERS
from playmill.lab.audit.context import AuditContext
from playmill.lab.audit.journal import AuditJournal
from playmill.lab.audit.observations import Observations, RecordTypes, Work, joined
from playmill.lab.runs.executors.span_queue import SpanQueue

#: Seconds that a piece of work should take on a thread, and the most pieces of an audit before they take longer.
_PIECE, _PIECES = 1.0, 3000


class WorkRunner:
    """Observes by works, on the threads of this machine."""

    def __init__(self, journal: AuditJournal, *, workers: int | None, seconds: float = 0.0) -> None:
        self._journal = journal
        self.workers = workers or default_workers()
        #: Seconds that a piece of work should take.
        self.piece = max(_PIECE, seconds / _PIECES)
        #: By work: how many numbers the last piece had, and how many a core observes in a second.
        self._pace: dict[str, tuple[int, float]] = {}
        self._prepared = False
        #: Whether anything was played.
        self.played = False

    def observe(self, context: AuditContext, work: Work, numbers: range, arguments: tuple[Any, ...]) -> Observations:
        """Returns what a work observes of some numbers, in their order; raises if somebody asked to stop."""
        key = f"{work.__name__} {json.dumps(arguments, separators=(',', ':'))}"
        found: dict[int, Observations] = {}
        saved = self._journal.saved(key, numbers, record_types(context))
        for span, (observations, seconds) in saved.items():
            found[span.start] = observations
            self._journal.clock.add(seconds)
        missing = without(numbers, [*saved])
        done = len(numbers) - sum(map(len, missing))
        if missing:
            self.played = True
            with self._journal.clock.stopped():
                self.prepare(context)
            for span, observations, seconds in self.play(context, work, arguments, key, missing):
                self._pace[key] = len(span), len(span) / max(seconds, 1e-6)
                self._journal.add(key, span, observations, seconds / self.workers)
                found[span.start] = observations
                done += len(span)
                context.budget.moved(done / len(numbers))
        return joined([found[first] for first in sorted(found)])

    def prepare(self, context: AuditContext) -> None:
        """Has everything compiled before the first work."""
        if not self._prepared:
            context.prepare()
            self._prepared = True

    def spans(self, key: str, missing: list[range], seconds: float) -> Callable[[], range | None]:
        """Returns a queue that hands out the numbers that are missing, a few seconds' work at a time."""
        queue = SpanQueue(missing, 1, self.workers)
        queue.seconds = seconds
        return lambda: queue.take(*self._pace.get(key, (0, 0.0)))

    def play(
        self, context: AuditContext, work: Work, arguments: tuple[Any, ...], key: str, missing: list[range]
    ) -> Iterator[tuple[range, Observations, float]]:
        """Yields what is observed as it is finished, with the seconds that a core was at it."""
        more = self.spans(key, missing, self.piece)

        def observed(span: range) -> tuple[range, Observations, float]:
            begun = time.perf_counter()
            context.budget.check()
            observations = work(context, span, *arguments)
            context.budget.check()
            return span, observations, time.perf_counter() - begun

        if context.interpreted:
            while (span := more()) is not None:
                yield observed(span)
            return
        # While compiled code runs in the main thread Ctrl-C is not heard, and an author's game may have no end.
        pool = ThreadPoolExecutor(self.workers, thread_name_prefix=WORKERS)
        running: set[Future[tuple[range, Observations, float]]] = set()
        try:
            while True:
                while len(running) < self.workers and (span := more()) is not None:
                    running.add(pool.submit(observed, span))
                if not running:
                    return
                ended, running = wait(running, return_when=FIRST_COMPLETED)
                for one in ended:
                    yield one.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def record_types(context: AuditContext) -> RecordTypes:
    """Returns the types of the records among what is observed."""
    return {"rows": context.game.outcome, "notes": Note}


def without(numbers: range, done: list[range]) -> list[range]:
    """Returns what is left of some numbers, without ranges of them in their order."""
    left, start = [], numbers.start
    for one in done:
        left.append(range(start, one.start))
        start = one.stop
    return [one for one in (*left, range(start, numbers.stop)) if one]
