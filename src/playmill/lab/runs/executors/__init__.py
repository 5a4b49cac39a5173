"""Executors, which play the games of a plan: the threads of this machine, or a Ray cluster."""

from __future__ import annotations

import re

from playmill.lab.runs.executors.base import Executor
from playmill.lab.runs.executors.threads import Threads
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan
from playmill.texts import PlaymillError

#: What a user writes for the cluster that is there, or is named by the environment (RAY_ADDRESS).
RAY = "ray"
_ADDRESS = re.compile(r"(ray://)?(\[[0-9A-Fa-f:]+\]|[^\s:/]+):[0-9]{1,5}")


def check_executor(on: str | None, backend: str) -> None:
    """Raises unless there is such an executor, and it supports the backend."""
    if on is None:
        return
    if on != RAY and not _ADDRESS.fullmatch(on):
        raise PlaymillError(
            f"cannot play on {on!r}; expected ray, or the address of a Ray cluster: HOST:PORT or ray://HOST:PORT",
            f"нельзя играть на {on!r}; нужно ray или адрес кластера Ray: HOST:PORT или ray://HOST:PORT",
        )
    if backend == "cuda":
        raise PlaymillError(
            "a cluster plays on processors; leave out --backend cuda, or --on",
            "кластер играет на процессорах; уберите --backend cuda или --on",
        )


def executor_for(on: str | None, resolved: ResolvedPlan, work: ExecutionOptions, workers: int | None) -> Executor:
    """Returns the executor a user asked for: this machine unless `on` names a cluster."""
    if on is None:
        return Threads(resolved, work, workers)
    from playmill.lab.runs.executors.cluster import Cluster
    from playmill.lab.runs.executors.ray_link import RayLink

    return Cluster(resolved, work, lambda: RayLink(None if on == RAY else on, workers), workers)
