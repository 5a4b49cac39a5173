"""A cluster without one: workers in this process that die, are late and answer out of order."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from playmill.lab.runs.executors.task import TaskCall, run_task
from playmill.lab.runs.executors.task_pool import LostTaskError


@dataclass(eq=False)
class Task:
    """A task that was handed out: it is run when somebody looks for the answer."""

    call: TaskCall
    gpu: bool

    @property
    def first(self) -> int:
        """The first game of a span."""
        return self.call["arguments"][1]

    @property
    def end(self) -> int:
        """The game behind a span."""
        return self.call["arguments"][2]


@dataclass
class FakeLink:
    """A cluster of so many cores on which tasks end in any order; `fate` says what becomes of each."""

    cores: int = 3
    fate: Callable[[Task], str] = lambda task: "done"
    seed: int = 0
    tasks: list[Task] = field(default_factory=list)
    cancelled: list[Task] = field(default_factory=list)
    there: bool = True
    left: bool = False

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)

    def size(self, *, gpu: bool) -> int:
        return self.cores

    def submit(self, call: TaskCall, *, gpu: bool) -> Task:
        task = Task(call, gpu)
        self.tasks.append(task)
        return task

    def ready(self, tasks: Sequence[Task], timeout: float) -> Sequence[Task]:
        return self._chance.sample([*tasks], 1) if tasks else ()

    def fetch(self, task: Task) -> Any:
        fate = self.fate(task)
        if fate == "played and lost":  # done, with its files, but nobody hears of it
            run_task(task.call)
        if fate != "done":
            raise LostTaskError("killed", by_itself=fate != "node lost")
        return run_task(task.call)

    def cancel(self, task: Task) -> None:
        self.cancelled.append(task)

    def is_there(self) -> bool:
        return self.there

    def leave(self) -> None:
        self.left = True
