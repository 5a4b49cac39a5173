"""Executor for a cluster: has spans of games played as tasks, as many games at a time as take some seconds."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path

from playmill.lab.runs.executors.base import RequestedOutput
from playmill.lab.runs.executors.cluster_task import SpanAnswer, SpanOrder, part_of, play_span
from playmill.lab.runs.executors.span_queue import SHORTEST, SpanQueue
from playmill.lab.runs.executors.task import versions
from playmill.lab.runs.executors.task_pool import AHEAD, PATIENCE, WAITING, ClusterLink, Task, TaskPool
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan
from playmill.lab.runs.store.blocks import block_sizes
from playmill.lab.runs.store.manifest import ASIDE
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.stdio import doing
from playmill.texts import PlaymillError, Text

#: The first task is this part of a chunk, where chunks may be cut.
_FIRST_SHARE = 16


class Cluster:
    """Executor that has tasks of one plan played on the cores, or GPUs, of a cluster."""

    waited = 0.0
    warming = False

    def __init__(
        self, resolved: ResolvedPlan, work: ExecutionOptions, link: ClusterLink, workers: int | None = None
    ) -> None:
        self._resolved, self._work, self._link = resolved, work, link
        self._specs = _specs(resolved)
        self._pool = TaskPool(link, workers, gpu=work.backend == "cuda")
        chunk = resolved.plan.chunk
        #: How many games the last task had, and how many a worker plays in a second.
        self._last, self._rate = chunk // _FIRST_SHARE, chunk / _FIRST_SHARE / SHORTEST
        self._token: Path | None = None
        self._order = ""

    @property
    def workers(self) -> int:
        """How many cores, or GPUs, are used."""
        return self._pool.workers

    def prepare(self, wanted: RequestedOutput) -> None:
        """Has one worker resolve the plan and compile it; the others do so with their first games."""
        self._wanted = wanted
        self._order = json.dumps(self._make_order(wanted), ensure_ascii=True)
        self._pool.needed = versions(rows=wanted.keeps_rows)
        doing(WAITING)
        first = iter([self._task(range(0))])
        for _ in self._pool.as_they_come(lambda: next(first, None), self._work.stop, patience=0.0):
            pass

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

    def _task(self, span: range) -> Task:
        return Task(play_span, (self._order, span.start, span.stop), _dying(span))

    def play(self, ranges: Sequence[range]) -> Iterator[FinishedGames]:
        """Plays these games: of a kept run in any order, else in their own."""
        plan, kept = self._resolved.plan, self._wanted.folder is not None
        blocks = block_sizes(plan) if kept else ()
        spans = SpanQueue(ranges, plan.chunk if kept else plan.rotations, self.workers, blocks)
        queue = _Queue(ranges) if self._wanted.ordered else None
        words: dict[int, str | None] = {}

        def more() -> Task | None:
            if queue is not None and len(queue.waiting) >= AHEAD * self.workers:
                return None
            span = spans.take(self._last, self._rate)
            return self._task(span) if span is not None else None

        answer: SpanAnswer
        with closing(self._pool.as_they_come(more, self._work.stop, spans.seconds + PATIENCE)) as answers:
            for _, answer in answers:
                self._last, self._rate = answer["games"], answer["games"] / max(answer["seconds"], 1e-3)
                part = part_of(answer, self._resolved.game.outcome)
                words[part.first] = answer["words"]
                for one in [part] if queue is None else queue.add(part):
                    self._tell(words.pop(one.first))
                    yield one

    def _tell(self, words: str | None) -> None:
        """Passes on the answers of agents that could not be used."""
        if words is not None and (sink := self._work.fallbacks.sink) is not None:
            for entry in json.loads(words):
                sink(entry)

    def leave(self) -> None:
        """Takes back the file by which workers knew the run's folder."""
        if self._token is not None:
            with suppress(OSError):
                self._token.unlink()


def _dying(span: range) -> Text:
    """Returns what is said of a span over which workers die."""
    if not span:
        return Text(
            "workers die on the cluster before they have played a game",
            "процессы на кластере погибают, не сыграв ни одной партии",
        )
    games = f"{span.start} … {span.stop - 1}"
    return Text(f"workers die again and again in games {games}", f"процессы снова и снова погибают в партиях {games}")


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
