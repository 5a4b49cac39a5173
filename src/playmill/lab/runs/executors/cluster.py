"""Executor for a cluster: hands spans of games to workers, and hands them out again when a worker is lost."""

from __future__ import annotations

import json
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from playmill.lab.runs.executors.base import LostExecutorError, RequestedOutput
from playmill.lab.runs.executors.cluster_worker import SpanAnswer, WorkerOrder, part_of, versions
from playmill.lab.runs.executors.span_queue import SpanQueue
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan
from playmill.lab.runs.store.manifest import ASIDE
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.texts import PlaymillError

#: Seconds between two looks at whether somebody asked to stop.
_LOOK = 0.1
#: How long workers have to end what they are at when somebody asked to stop.
_PATIENCE = 3.0
#: How long one waits for a first worker, or for another one when all are lost.
_LONELY = 60.0
#: How often one asks whether the cluster itself is there, and after which silence it is given up: Ray would end this
#: process, without a word of ours, after 60 seconds.
_ASK, _SILENCE = 5.0, 30.0
#: Workers that may die over the same games, or before they have played any: then it is not chance.
_DEATHS = 3
#: Parts that may wait for an earlier one, for each worker.
_AHEAD = 4


class LostWorkerError(Exception):
    """Raised when a worker is gone or does not answer; `by_itself` if its node is not known to be gone too."""

    def __init__(self, reason: str, *, by_itself: bool = True) -> None:
        super().__init__(reason)
        self.by_itself = by_itself


class ClusterLink(Protocol):
    """The operations a cluster library provides; calls return at once with a handle for the answer."""

    #: Cores of all nodes.
    cores: int

    def start(self) -> Any:
        """Returns a new worker on a core that is free, now or later."""

    def call(self, worker: Any, method: str, *args: Any, aside: bool = False) -> Any:
        """Has a worker do something: after what it was asked before, or aside from that."""

    def ready(self, answers: Sequence[Any], timeout: float) -> Sequence[Any]:
        """Returns those of the answers that are there; waits this many seconds for the first."""

    def fetch(self, answer: Any) -> Any:
        """Returns an answer that is there; raises LostWorkerError if there will never be one."""

    def end(self, worker: Any) -> None:
        """Ends a worker, whatever it is doing."""

    def is_there(self) -> bool:
        """Returns whether the cluster's head can be reached."""

    def leave(self) -> None:
        """Leaves the cluster with all that was started there."""


@dataclass(eq=False)
class _RemoteWorker:
    """State of one worker as the driver sees it."""

    handle: Any
    #: What it was asked last, and the answer to come: None if it has nothing to do.
    task: str = "arrive"
    answer: Any = None
    node: str = ""
    #: Where its compiled rules lie.
    cache_key: tuple[str, str] | None = None
    ready: bool = False
    #: How many before it in its place have died without having played a game.
    tries: int = 0
    span: range | None = None
    last: int = 0
    rate: float = 0.0


class Cluster:
    """Executor that borrows cores of a cluster for one run."""

    waited = 0.0
    warming = False

    def __init__(
        self,
        resolved: ResolvedPlan,
        work: ExecutionOptions,
        connect: Callable[[], ClusterLink],
        workers: int | None = None,
    ) -> None:
        self._resolved, self._work = resolved, work
        self._specs = _specs(resolved)
        self._link = connect()
        self.workers = workers or max(self._link.cores, 1)
        self._workers: list[_RemoteWorker] = []
        #: Who compiles the rules that others with the same cache wait for; None when they are there.
        self._building: dict[tuple[str, str], _RemoteWorker | None] = {}
        #: Workers that died over a span, by its first game.
        self._deaths: Counter[int] = Counter()
        self._seen = self._asked = self._heard = time.monotonic()
        self._token: Path | None = None
        self._order = ""

    def prepare(self, wanted: RequestedOutput) -> None:
        """Starts the workers and waits until the first one is ready; the others join as they are."""
        self._wanted = wanted
        self._order = json.dumps(self._make_order(wanted), ensure_ascii=True)
        self._fill()
        while not any(worker.ready for worker in self._workers):
            for _ in self._listen():
                raise AssertionError("nothing was handed out")

    def _make_order(self, wanted: RequestedOutput) -> WorkerOrder:
        plan, folder = self._resolved.plan, wanted.folder
        return {
            "plan": plan.json(),
            "game": self._resolved.reference,
            "agents": self._specs,
            "backend": self._work.backend,
            "strict": self._work.strict,
            "rows": wanted.rows,
            "words": wanted.words,
            "folder": str(folder) if folder is not None else None,
            "token": self._put_token(folder) if folder is not None else ("", ""),
            "keeps_rows": wanted.keeps_rows,
            "versions": versions(rows=wanted.keeps_rows),
        }

    def _put_token(self, folder: Path) -> tuple[str, str]:
        """Returns a file by which a worker knows the run's folder when it sees it."""
        token = secrets.token_hex(16)
        self._token = folder / f"{ASIDE}reach-{token[:8]}"
        try:
            self._token.write_text(token, encoding="ascii")
        except OSError as error:
            raise cannot_write(self._token, reason_of(error)) from None
        return str(self._token), token

    def play(self, ranges: Sequence[range]) -> Iterator[FinishedGames]:
        """Plays these games: of a kept run in any order, else in their own."""
        spans = SpanQueue(ranges, self._resolved.plan.chunk, self.workers)
        queue = _Queue(ranges) if self._wanted.ordered else None
        stop, asked_at = self._work.stop, 0.0
        while spans.games or self._busy():
            if stop():
                asked_at = asked_at or self._halt()
                if stop() > 1 or time.monotonic() - asked_at > _PATIENCE or not self._busy():
                    return
            else:
                self._hand_out(spans, waiting=len(queue.waiting) if queue is not None else 0)
            for span, answer in self._listen(spans):
                part = self._part(answer)
                if part is None or part.games < len(span):
                    assert stop(), span
                if part is not None:
                    yield from [part] if queue is None else queue.add(part)

    def _busy(self) -> bool:
        return any(worker.span is not None for worker in self._workers)

    def _halt(self) -> float:
        """Tells workers to come to an end; returns when."""
        for worker in self._workers:
            if worker.span is not None:
                self._link.call(worker.handle, "halt", aside=True)
        return time.monotonic()

    def _hand_out(self, spans: SpanQueue, waiting: int) -> None:
        for worker in self._workers:
            if not worker.ready or worker.span is not None:
                continue
            if waiting >= _AHEAD * self.workers and not spans.has_old:
                return
            worker.span = spans.take(worker.last, worker.rate)
            if worker.span is None:
                return
            self._ask(worker, "play", worker.span.start, worker.span.stop)

    def _ask(self, worker: _RemoteWorker, task: str, *args: Any) -> None:
        worker.task = task
        worker.answer = self._link.call(worker.handle, task, *args)

    def _part(self, answer: SpanAnswer) -> FinishedGames | None:
        """Returns what came of a span; None if nothing did."""
        if "error" in answer:
            raise PlaymillError(*answer["error"])
        if not answer["games"]:
            return None
        if (words := answer["words"]) is not None and (sink := self._work.fallbacks.sink) is not None:
            for entry in json.loads(words):
                sink(entry)
        return part_of(answer, self._resolved.game.outcome)

    def _listen(self, spans: SpanQueue | None = None) -> Iterator[tuple[range, SpanAnswer]]:
        """Waits a moment, does what arriving workers need, and yields the spans that were played."""
        asked = {worker.answer: worker for worker in self._workers if worker.answer is not None}
        for answer in self._link.ready([*asked], _LOOK):
            worker = asked[answer]
            try:
                found = self._link.fetch(answer)
            except LostWorkerError as error:
                self._bury(worker, error, spans)
                continue
            worker.answer = None
            self._seen = time.monotonic()
            if worker.task == "arrive":
                self._welcome(worker, found)
            elif worker.task == "prepare":
                self._begin(worker, found)
            elif worker.span is not None:
                span, worker.span = worker.span, None
                worker.last, worker.rate = len(span), len(span) / max(found.get("seconds", 1.0), 1e-3)
                yield span, found
        self._check_head()
        self._check_company()

    def _welcome(self, worker: _RemoteWorker, cache_key: tuple[str, str]) -> None:
        """A worker has arrived: it compiles the rules, unless another one that shares them does, or did."""
        worker.node, worker.cache_key = cache_key[0], cache_key
        if self._building.setdefault(cache_key, worker) in (worker, None):
            self._ask(worker, "prepare", self._order)

    def _begin(self, worker: _RemoteWorker, trouble: tuple[str, str] | None) -> None:
        """A worker is ready, and with it those that waited for its rules."""
        if trouble is not None:
            raise LostExecutorError(
                f"node {worker.node} cannot play this run: {trouble[0]}",
                f"узел {worker.node} не может играть этот прогон: {trouble[1]}",
            )
        worker.ready = True
        assert worker.cache_key is not None
        if self._building[worker.cache_key] is worker:
            self._building[worker.cache_key] = None
            self._wake(worker.cache_key)

    def _wake(self, cache_key: tuple[str, str]) -> None:
        for other in self._workers:
            if other.cache_key == cache_key and not other.ready and other.answer is None:
                self._ask(other, "prepare", self._order)

    def _bury(self, worker: _RemoteWorker, error: LostWorkerError, spans: SpanQueue | None) -> None:
        """A worker is lost: its games are handed out again, and another one takes its place."""
        self._workers.remove(worker)
        if worker.span is not None and spans is not None:
            spans.give_back(worker.span)
        tries = 0
        if worker.span is not None:
            self._deaths[worker.span.start] += error.by_itself
        elif not worker.ready:
            tries = worker.tries + error.by_itself
        if max(tries, *self._deaths.values(), 0) >= _DEATHS:
            raise self._hopeless(worker, error)
        with suppress(LostWorkerError):
            self._link.end(worker.handle)
        if worker.cache_key is not None and self._building.get(worker.cache_key) is worker:
            heir = next((other for other in self._workers if other.cache_key == worker.cache_key), None)
            if heir is None:
                del self._building[worker.cache_key]
            else:
                self._building[worker.cache_key] = heir
                self._ask(heir, "prepare", self._order)
        self._fill(tries)

    def _hopeless(self, worker: _RemoteWorker, error: LostWorkerError) -> LostExecutorError:
        if worker.span is None:
            return LostExecutorError(
                f"workers die on the cluster before they have played a game: {error}",
                f"процессы на кластере погибают, не сыграв ни одной партии: {error}",
            )
        games = f"{worker.span.start} … {worker.span.stop - 1}"
        return LostExecutorError(
            f"workers die again and again in games {games}, the last one on node {worker.node}: {error}",
            f"процессы снова и снова погибают в партиях {games}, последний — на узле {worker.node}: {error}",
        )

    def _fill(self, tries: int = 0) -> None:
        while len(self._workers) < self.workers:
            worker = _RemoteWorker(self._link.start(), tries=tries)
            self._ask(worker, "arrive")
            self._workers.append(worker)

    def _check_head(self) -> None:
        """Raises if the cluster has not been there for a while."""
        now = time.monotonic()
        if now - self._asked < _ASK:
            return
        self._asked = now
        if self._link.is_there():
            self._heard = now
        elif now - self._heard > _SILENCE:
            raise LostExecutorError(
                "the head of the cluster does not answer any more", "головной узел кластера больше не отвечает"
            )

    def _check_company(self) -> None:
        """Raises if there has been nobody to play with for long."""
        if any(worker.cache_key is not None for worker in self._workers):
            self._seen = time.monotonic()
        elif time.monotonic() - self._seen > _LONELY:
            raise LostExecutorError(
                f"no node of the cluster has had a free core for {_LONELY:.0f} seconds",
                f"ни на одном узле кластера нет свободного ядра уже {_LONELY:.0f} секунд",
            )

    def leave(self) -> None:
        """Ends the workers and leaves the cluster."""
        if self._token is not None:
            with suppress(OSError):
                self._token.unlink()
        self._link.leave()


class _Queue:
    """Reorders parts that arrive out of order: each waits for those before it."""

    def __init__(self, ranges: Sequence[range]) -> None:
        self.waiting: dict[int, FinishedGames] = {}
        self._ranges = [*ranges]
        self._next = ranges[0].start if ranges else 0

    def add(self, part: FinishedGames) -> Iterator[FinishedGames]:
        """Takes a part; yields all that are next now."""
        self.waiting[part.first] = part
        while (found := self.waiting.pop(self._next, None)) is not None:
            self._next = found.end
            if self._next == self._ranges[0].stop and len(self._ranges) > 1:
                del self._ranges[0]
                self._next = self._ranges[0].start
            yield found


def _specs(resolved: ResolvedPlan) -> list[str]:
    """Returns the specs that find the agents of a plan on every node; raises if one was given as an object."""
    for seat in resolved.seats:
        if seat.spec is None or (seat.player is not None and seat.code is None):
            raise PlaymillError(
                f"the agent {seat.name} cannot play on a cluster: it was given as an object; name its file, FILE.py",
                f"агент {seat.name} не может играть на кластере: он передан объектом; назовите его файл, FILE.py",
            )
    return [seat.spec or "" for seat in resolved.seats]
