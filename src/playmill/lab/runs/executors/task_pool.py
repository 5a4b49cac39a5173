"""Pool of tasks on a cluster: hands them out, runs again those lost with a node, and notices that the cluster is gone.

A task is a call of a function of Playmill whose value depends on its arguments alone, so that it does not matter where,
when and how often it is run.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any, Protocol

from playmill.interrupts import Stop
from playmill.lab.runs.executors.base import LostExecutorError
from playmill.lab.runs.executors.task import Argument, TaskAnswer, TaskCall, name_of, versions
from playmill.texts import PlaymillError, Text

#: Seconds between two looks at whether somebody asked to stop.
_LOOK = 0.1
#: How long after a stop was asked for one waits for tasks, beyond the time each of them should take.
PATIENCE = 3.0
#: How long one waits for a first worker, or for a node when all are lost.
_LONELY = 60.0
#: How often one asks whether the cluster itself is there, and after which silence it is given up: Ray would end this
#: process, without a word of ours, after 60 seconds.
_ASK, _SILENCE = 5.0, 30.0
#: Workers that may die over the same task: then it is not chance.
_DEATHS = 3
#: Values that may wait for an earlier one, for each worker.
AHEAD = 4
WAITING = Text("waiting for a worker of the cluster", "жду работника на кластере")
_DYING = Text("workers of the cluster die again and again", "процессы на кластере снова и снова погибают")
_RUN = Text("play this run", "играть этот прогон")


class LostTaskError(Exception):
    """Raised when the worker of a task is gone; `by_itself` if its node is not known to be gone too."""

    def __init__(self, reason: str, *, by_itself: bool = True) -> None:
        super().__init__(reason)
        self.by_itself = by_itself


class ClusterLink(Protocol):
    """The operations a cluster library provides; `submit` returns at once with a handle for the answer."""

    def size(self, *, gpu: bool) -> int:
        """Returns how many cores, or GPUs, all nodes have now."""

    def submit(self, call: TaskCall, *, gpu: bool) -> Any:
        """Has a function called on a core, or GPU, that is free, now or later (see `task.run_task`)."""

    def ready(self, handles: Sequence[Any], timeout: float) -> Sequence[Any]:
        """Returns those of the tasks that have ended; waits this many seconds for the first."""

    def fetch(self, handle: Any) -> TaskAnswer:
        """Returns the answer of a task that has ended; raises LostTaskError if there will never be one."""

    def cancel(self, handle: Any) -> None:
        """Ends a task, whatever it is doing."""

    def is_there(self) -> bool:
        """Returns whether the cluster's head can be reached."""


@dataclass(eq=False)
class Task:
    """A call of a function of Playmill."""

    function: Callable[..., Any]
    arguments: Sequence[Argument]
    #: What is said when its workers die again and again, without the reason.
    dying: Text = _DYING
    #: Workers that died over it.
    deaths: int = 0


class TaskPool:
    """Runs tasks on the cores, or GPUs, of a cluster that is joined; a node that refuses one cannot do `what`."""

    def __init__(
        self,
        link: ClusterLink,
        workers: int | None = None,
        *,
        gpu: bool = False,
        what: Text = _RUN,
    ) -> None:
        self._link, self._gpu, self._what = link, gpu, what
        #: The versions that a node must have.
        self.needed: Mapping[str, str] = versions()
        self._asked_for = workers
        self.workers = workers or max(link.size(gpu=gpu), 1)
        self._asked = self._heard = self._peopled = time.monotonic()

    def in_order(self, tasks: Iterable[Task], stop: Stop) -> Generator[Any, None, None]:
        """Yields the values of tasks in the order of the tasks; those that come early wait. Stopped, it ends soon."""
        left, order, waiting = iter(tasks), deque[Task](), dict[Task, Any]()

        def more() -> Task | None:
            task = next(left, None) if len(order) < (AHEAD + 1) * self.workers else None
            order.extend([task] if task is not None else ())
            return task

        with closing(self.as_they_come(more, stop)) as values:
            for done, value in values:
                waiting[done] = value
                while order and order[0] in waiting:
                    yield waiting.pop(order.popleft())

    def as_they_come(
        self, more: Callable[[], Task | None], stop: Stop, patience: float = PATIENCE
    ) -> Generator[tuple[Task, Any], None, None]:
        """Yields the values of tasks as they end.

        Whenever a core is free `more` is asked for another, until there is none and all have ended. Once it is to stop
        nothing more is handed out, and what is running has this many seconds.
        """
        running: dict[Any, Task] = {}
        stopped = 0.0
        try:
            while True:
                if not stop():
                    while len(running) < self.workers and (task := more()) is not None:
                        running[self._submit(task)] = task
                else:
                    stopped = stopped or time.monotonic()
                    if stop() > 1 or time.monotonic() - stopped > patience:
                        return
                if not running:
                    return
                yield from self._listen(running, stop)
        finally:
            for handle in running:
                self._link.cancel(handle)

    def _submit(self, task: Task) -> Any:
        call: TaskCall = {
            "function": name_of(task.function),
            "arguments": task.arguments,
            "versions": self.needed,
        }
        return self._link.submit(call, gpu=self._gpu)

    def _listen(self, running: dict[Any, Task], stop: Stop) -> Iterator[tuple[Task, Any]]:
        """Waits a moment, and yields the tasks that have ended; has those run again that were lost."""
        for handle in self._link.ready([*running], _LOOK):
            task = running.pop(handle)
            try:
                answer = self._link.fetch(handle)
            except LostTaskError as error:
                task.deaths += error.by_itself
                if task.deaths >= _DEATHS:
                    raise LostExecutorError(f"{task.dying.en}: {error}", f"{task.dying.ru}: {error}") from None
                if not stop():
                    running[self._submit(task)] = task
                continue
            if "refused" in answer:
                node, en, ru = answer["refused"]
                raise LostExecutorError(
                    f"node {node} cannot {self._what.en}: {en}", f"узел {node} не может {self._what.ru}: {ru}"
                )
            if "error" in answer:
                raise PlaymillError(*answer["error"])
            self._peopled = time.monotonic()
            yield task, answer["value"]
        self._check_cluster()

    def _check_cluster(self) -> None:
        """Raises if the cluster has not been there for a while, or has had nobody to work."""
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
