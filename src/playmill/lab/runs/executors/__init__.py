"""Where the games of a plan are played: on the threads of this machine, or on a cluster."""

from __future__ import annotations

import re

from playmill.lab.runs.executors.place import Place
from playmill.lab.runs.executors.threads import Threads
from playmill.lab.runs.resolved_plan import Cast, Work
from playmill.texts import PlaymillError

#: What a user writes for the cluster that is there, or is named by the environment (RAY_ADDRESS).
RAY = "ray"
_ADDRESS = re.compile(r"(ray://)?(\[[0-9A-Fa-f:]+\]|[^\s:/]+):[0-9]{1,5}")


def check_place(on: str | None, backend: str) -> None:
    """Raises unless there can be such a place to play."""
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


def place_for(on: str | None, cast: Cast, work: Work, workers: int | None) -> Place:
    """The place a user asked for: this machine unless it has a name."""
    if on is None:
        return Threads(cast, work, workers)
    from playmill.lab.runs.executors.cluster import Cluster
    from playmill.lab.runs.executors.ray_link import RayLink

    return Cluster(cast, work, lambda: RayLink(None if on == RAY else on, workers), workers)
