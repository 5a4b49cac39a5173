"""Where games are played: on threads of this machine, its GPU, or a Ray cluster; the same results everywhere."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playmill.agents.fallbacks import Fallbacks
from playmill.interrupts import Stop
from playmill.lab.runs.executors.base import Executor, RequestedOutput
from playmill.lab.runs.executors.threads import Threads
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan
from playmill.texts import PlaymillError, Text

if TYPE_CHECKING:
    from playmill.lab.runs.executors.task_pool import TaskPool

BACKENDS = ("cpu", "cuda", "interpreted")
#: What a user writes for the threads of this machine, its GPU, and the cluster that is there, or is named by the
#: environment (RAY_ADDRESS).
THREADS, CUDA, RAY = "threads", "cuda", "ray"
#: The variable that says where games are played if nothing else does.
VARIABLE = "PLAYMILL_ON"
#: There is one where a driver has found a GPU.
_DEVICE = Path("/dev/nvidiactl")
#: The backends that take long to begin with: a helper process keeps them ready.
_HELPED = (CUDA,)
_ADDRESS = re.compile(r"(ray://)?(\[[0-9A-Fa-f:]+\]|[^\s:/]+):[0-9]{1,5}")


#: The clusters that are joined, by what a user calls them.
_joined: dict[str, Any] = {}


@dataclass(frozen=True)
class Where:
    """Where games are played, and by how many workers; none of it changes the results.

    `cluster` is None on this machine, else `ray` or the address of a cluster.
    """

    backend: str = "cpu"
    cluster: str | None = None
    workers: int | None = None

    @contextmanager
    def joined(self) -> Iterator[None]:
        """While this lasts the cluster, if there is one, is joined: for all plans that are played meanwhile."""
        if self._has_helper():
            from playmill.lab.runs.executors.gpu_helper.start import start

            start()
        if self.cluster is None or self.cluster in _joined:
            yield
            return
        link = _joined[self.cluster] = join_cluster(self.cluster, self.workers)
        try:
            yield
        finally:
            del _joined[self.cluster]
            link.leave()

    def executor(self, resolved: ResolvedPlan, work: ExecutionOptions) -> Executor:
        """Returns an executor for a plan, for which the cluster is joined."""
        if self._has_helper():
            from playmill.lab.runs.executors.gpu_helper.executor import Helped

            return Helped(resolved, work, self.workers)
        if self.cluster is None:
            return Threads(resolved, work, self.workers)
        from playmill.lab.runs.executors.cluster import Cluster

        return Cluster(resolved, work, _joined[self.cluster], self.workers)

    def _has_helper(self) -> bool:
        """Returns whether a process that keeps the GPU ready plays the games."""
        if self.cluster is not None or self.backend not in _HELPED or not _DEVICE.exists():
            return False
        from playmill.lab.runs.executors.gpu_helper.start import is_possible

        return is_possible()

    def pool(self, what: Text) -> TaskPool:
        """Returns a pool for tasks on the cluster, which is joined; a node that refuses one cannot do `what`."""
        from playmill.lab.runs.executors.task_pool import TaskPool

        assert self.cluster is not None
        return TaskPool(_joined[self.cluster], self.workers, gpu=self.backend == CUDA, what=what)

    def prepared(self, resolved: ResolvedPlan, stop: Stop, *, rows: bool = False) -> Executor:
        """Returns an executor that is ready to play games of which counts are wanted, and `rows`."""
        executor = self.executor(resolved, ExecutionOptions(self.backend, False, Fallbacks(), stop, rows=rows))
        executor.prepare(RequestedOutput(rows=rows))
        return executor


def join_cluster(cluster: str, workers: int | None) -> Any:
    """Joins a Ray cluster by its address, or the one that is there."""
    from playmill.lab.runs.executors.ray_link import RayLink

    return RayLink(None if cluster == RAY else cluster, workers)


def where_of(on: str | None = None, workers: int | None = None, *, backend: str = "cpu") -> Where:
    """Returns what a user asks for; if nothing is said, PLAYMILL_ON is asked, and then this machine's threads it is."""
    if workers is not None and not 1 <= workers <= 1024:
        raise PlaymillError(f"workers is {workers}; expected 1 … 1024", f"workers равно {workers}; нужно 1 … 1024")
    if backend not in BACKENDS:
        known = ", ".join(BACKENDS)
        raise PlaymillError(f"there is no backend {backend!r}; known: {known}", f"нет {backend!r}; есть: {known}")
    source = ""
    if on is None and backend == "cpu" and (wanted := os.environ.get(VARIABLE)):
        on, source = wanted, f"{VARIABLE}: "
    if on is None or on == THREADS:
        return Where(backend, None, workers)
    if on == CUDA:
        if backend == "interpreted":
            raise PlaymillError(
                "a GPU does not interpret; leave out --backend interpreted, or --on cuda",
                "видеокарта не интерпретирует; уберите --backend interpreted или --on cuda",
            )
        return Where("cuda", None, workers)
    if on != RAY and not _ADDRESS.fullmatch(on):
        raise PlaymillError(
            f"{source}cannot play on {on!r}; expected threads, cuda, ray, or the address of a Ray cluster: HOST:PORT or"
            " ray://HOST:PORT",
            f"{source}нельзя играть на {on!r}; нужно threads, cuda, ray или адрес кластера Ray: HOST:PORT или"
            " ray://HOST:PORT",
        )
    return Where(backend, on, workers)


def offered() -> list[str]:
    """Returns where games can be played from here, what is taken by default first: threads, a GPU, the cluster set."""
    wanted = os.environ.get(VARIABLE)
    gpu = [CUDA] if find_spec("numba_cuda") is not None and _DEVICE.exists() else []
    return list(dict.fromkeys([*([wanted] if wanted else []), THREADS, *gpu]))
