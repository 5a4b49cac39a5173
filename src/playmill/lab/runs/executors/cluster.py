"""Executor for a cluster: has spans of games played as tasks, and has those played again that are lost with a node."""

from __future__ import annotations

import json
import secrets
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Protocol

from playmill.lab.runs.executors.base import LostExecutorError, RequestedOutput
from playmill.lab.runs.executors.cluster_task import SpanAnswer, SpanOrder, part_of, versions
from playmill.lab.runs.executors.span_queue import SHORTEST, SpanQueue
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan
from playmill.lab.runs.store.manifest import ASIDE
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.stdio import doing
from playmill.texts import PlaymillError, Text

#: Seconds between two looks at whether somebody asked to stop.
_LOOK = 0.1
#: How long after a stop was asked for one waits for spans, beyond the time each of them should take.
_PATIENCE = 3.0
#: How long one waits for a first worker, or for a node when all are lost.
_LONELY = 60.0
#: How often one asks whether the cluster itself is there, and after which silence it is given up: Ray would end this
#: process, without a word of ours, after 60 seconds.
_ASK, _SILENCE = 5.0, 30.0
#: Workers that may die over the same games: then it is not chance.
_DEATHS = 3
#: Parts that may wait for an earlier one, for each worker.
_AHEAD = 4
_WAITING = Text("waiting for a worker of the cluster", "жду работника на кластере")
#: The first task is this part of a chunk, where chunks may be cut.
_FIRST_SHARE = 16


class LostTaskError(Exception):
    """Raised when the worker of a task is gone; `by_itself` if its node is not known to be gone too."""

    def __init__(self, reason: str, *, by_itself: bool = True) -> None:
        super().__init__(reason)
        self.by_itself = by_itself


class ClusterLink(Protocol):
    """The operations a cluster library provides; `submit` returns at once with a handle for the answer."""

    def size(self, *, gpu: bool) -> int:
        """Returns how many cores, or GPUs, all nodes have now."""

    def submit(self, order: str, first: int, end: int, *, gpu: bool) -> Any:
        """Has a span played on a core, or GPU, that is free, now or later."""

    def ready(self, tasks: Sequence[Any], timeout: float) -> Sequence[Any]:
        """Returns those of the tasks that have ended; waits this many seconds for the first."""

    def fetch(self, task: Any) -> SpanAnswer:
        """Returns the answer of a task that has ended; raises LostTaskError if there will never be one."""

    def cancel(self, task: Any) -> None:
        """Ends a task, whatever it is doing."""

    def is_there(self) -> bool:
        """Returns whether the cluster's head can be reached."""


class Cluster:
    """Executor that has tasks of one plan played on the cores, or GPUs, of a cluster."""

    waited = 0.0
    warming = False

    def __init__(
        self, resolved: ResolvedPlan, work: ExecutionOptions, link: ClusterLink, workers: int | None = None
    ) -> None:
        self._resolved, self._work, self._link = resolved, work, link
        self._specs = _specs(resolved)
        self._gpu = work.backend == "cuda"
        self._asked_for = workers
        self.workers = workers or max(link.size(gpu=self._gpu), 1)
        chunk = resolved.plan.chunk
        #: How many games the last task had, and how many a worker plays in a second.
        self._last, self._rate = chunk // _FIRST_SHARE, chunk / _FIRST_SHARE / SHORTEST
        #: Workers that died over a span, by its first game.
        self._deaths: Counter[int] = Counter()
        self._asked = self._heard = self._peopled = time.monotonic()
        self._token: Path | None = None
        self._order = ""

    def prepare(self, wanted: RequestedOutput) -> None:
        """Has one worker resolve the plan and compile it; the others do so with their first games."""
        self._wanted = wanted
        self._order = json.dumps(self._make_order(wanted), ensure_ascii=True)
        doing(_WAITING)
        nothing = range(0)
        running = {self._submit(nothing): nothing}
        while running and not self._work.stop():
            for span, answer in self._listen(running):
                if answer is None:
                    running[self._submit(span)] = span
        for task in running:
            self._link.cancel(task)

    def _make_order(self, wanted: RequestedOutput) -> SpanOrder:
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

    def _submit(self, span: range) -> Any:
        return self._link.submit(self._order, span.start, span.stop, gpu=self._gpu)

    def play(self, ranges: Sequence[range]) -> Iterator[FinishedGames]:
        """Plays these games: of a kept run in any order, else in their own."""
        plan, kept = self._resolved.plan, self._wanted.folder is not None
        spans = SpanQueue(ranges, plan.chunk if kept else plan.rotations, self.workers)
        queue = _Queue(ranges) if self._wanted.ordered else None
        running: dict[Any, range] = {}
        words: dict[int, str | None] = {}
        stop, asked_at = self._work.stop, 0.0
        try:
            while spans.games or running:
                if stop():
                    asked_at = asked_at or time.monotonic()
                    patience = spans.seconds + _PATIENCE
                    if stop() > 1 or not running or time.monotonic() - asked_at > patience:
                        return
                else:
                    self._hand_out(spans, running, waiting=len(queue.waiting) if queue is not None else 0)
                for span, answer in self._listen(running):
                    if answer is None:
                        spans.give_back(span)
                        continue
                    self._last, self._rate = len(span), len(span) / max(answer["seconds"], 1e-3)
                    part = part_of(answer, self._resolved.game.outcome)
                    words[part.first] = answer["words"]
                    for one in [part] if queue is None else queue.add(part):
                        self._tell(words.pop(one.first))
                        yield one
        finally:
            for task in running:
                self._link.cancel(task)

    def _hand_out(self, spans: SpanQueue, running: dict[Any, range], waiting: int) -> None:
        while len(running) < self.workers and (waiting < _AHEAD * self.workers or spans.has_old):
            span = spans.take(self._last, self._rate)
            if span is None:
                return
            running[self._submit(span)] = span

    def _listen(self, running: dict[Any, range]) -> Iterator[tuple[range, SpanAnswer | None]]:
        """Waits a moment, and yields the spans whose tasks have ended: with None those that were lost."""
        for task in self._link.ready([*running], _LOOK):
            span = running.pop(task)
            try:
                answer = self._link.fetch(task)
            except LostTaskError as error:
                self._deaths[span.start] += error.by_itself
                if self._deaths[span.start] >= _DEATHS:
                    raise _hopeless(span, error) from None
                yield span, None
                continue
            if "refused" in answer:
                node, en, ru = answer["refused"]
                raise LostExecutorError(
                    f"node {node} cannot play this run: {en}", f"узел {node} не может играть этот прогон: {ru}"
                )
            if "error" in answer:
                raise PlaymillError(*answer["error"])
            self._peopled = time.monotonic()
            yield span, answer
        self._check_cluster()

    def _tell(self, words: str | None) -> None:
        """Passes on the answers of agents that could not be used."""
        if words is not None and (sink := self._work.fallbacks.sink) is not None:
            for entry in json.loads(words):
                sink(entry)

    def _check_cluster(self) -> None:
        """Raises if the cluster has not been there for a while, or has had nobody to play."""
        now = time.monotonic()
        if now - self._asked < _ASK:
            return
        self._asked = now
        if not self._link.is_there():
            if now - self._heard > _SILENCE:
                raise LostExecutorError(
                    "the head of the cluster does not answer any more", "головной узел кластера больше не отвечает"
                )
            return
        self._heard = now
        size = self._link.size(gpu=self._gpu)
        if self._asked_for is None:
            # Nodes come and go; tasks that wait for one are what a cluster grows by.
            self.workers = max(size, 1)
        if size:
            self._peopled = now
        elif now - self._peopled > _LONELY:
            what = ("GPU", "видеокарты") if self._gpu else ("core", "ядра")
            raise LostExecutorError(
                f"no node of the cluster has had a free {what[0]} for {_LONELY:.0f} seconds",
                f"ни на одном узле кластера нет свободного {what[1]} уже {_LONELY:.0f} секунд",
            )

    def leave(self) -> None:
        """Takes back the file by which workers knew the run's folder."""
        if self._token is not None:
            with suppress(OSError):
                self._token.unlink()


def _hopeless(span: range, error: LostTaskError) -> LostExecutorError:
    if not span:
        return LostExecutorError(
            f"workers die on the cluster before they have played a game: {error}",
            f"процессы на кластере погибают, не сыграв ни одной партии: {error}",
        )
    games = f"{span.start} … {span.stop - 1}"
    return LostExecutorError(
        f"workers die again and again in games {games}: {error}",
        f"процессы снова и снова погибают в партиях {games}: {error}",
    )


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
