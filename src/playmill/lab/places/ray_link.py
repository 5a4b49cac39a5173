"""A Ray cluster as a place to play: the only file that knows Ray."""

from __future__ import annotations

import logging
import os
import signal
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playmill.engine.play import default_workers
from playmill.lab.places.cluster import LostWorkerError
from playmill.lab.places.place import LostPlaceError
from playmill.lab.places.worker import Worker
from playmill.stopping import SIGNALS
from playmill.texts import PlaymillError

#: One thread for each worker, and no more of Ray's own than it needs: there is a worker for every core.
_ALONE = {
    **dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    **dict.fromkeys(("POLARS_MAX_THREADS", "RAY_worker_num_grpc_internal_threads"), "1"),
}
#: Seconds until a machine that does not answer is called unreachable.
_CONNECT = 5.0
#: What is heard while games are played.
_ASIDE = "aside"


class RayLink:
    """Connects to a cluster: the one of an address, of RAY_ADDRESS, the one that runs here; else to one begun here."""

    def __init__(self, address: str | None, workers: int | None) -> None:
        ray = self._ray = _import()
        named = address or os.environ.get("RAY_ADDRESS") or None
        self._mine = not ray.is_initialized()
        if self._mine:
            if named is not None and named not in ("auto", "local"):
                _check_reachable(named)
            _connect(ray, named, workers)
        self.cores = int(ray.cluster_resources().get("CPU", 0))
        # Methods that are not in a group are done one after the other.
        self._class = ray.remote(
            num_cpus=1, max_restarts=0, concurrency_groups={_ASIDE: 1}, runtime_env={"env_vars": _ALONE}
        )(Worker)
        self._workers: list[Any] = []

    def start(self) -> Any:
        """A new worker on a core that is free, now or later."""
        worker = self._class.remote()
        self._workers.append(worker)
        return worker

    def call(self, worker: Any, method: str, *args: Any, aside: bool = False) -> Any:
        """Has a worker do something: after what it was asked before, or aside from that."""
        bound = getattr(worker, method)
        return bound.options(concurrency_group=_ASIDE).remote(*args) if aside else bound.remote(*args)

    def ready(self, answers: Sequence[Any], timeout: float) -> Sequence[Any]:
        """Those of the answers that are there; waits so many seconds for the first."""
        if not answers:
            time.sleep(timeout)
            return ()
        found: Sequence[Any] = self._ray.wait([*answers], num_returns=1, timeout=timeout)[0]
        return found

    def fetch(self, answer: Any) -> Any:
        """An answer that is there; raises LostWorkerError if there will never be one."""
        errors = self._ray.exceptions
        try:
            return self._ray.get(answer)
        except errors.RayTaskError as error:
            raise error.cause if isinstance(error.cause, Exception) else error from None
        except errors.ActorDiedError as error:
            told = _reason(error)
            raise LostWorkerError(told, by_itself="node" not in told) from None
        except errors.RayError as error:
            raise LostWorkerError(_reason(error)) from None

    def end(self, worker: Any) -> None:
        """Ends a worker, whatever it is doing."""
        self._workers.remove(worker)
        self._ray.kill(worker)

    def leave(self) -> None:
        """Ends the workers, and the connection if it was made here."""
        if self._mine:
            with _our_signals():
                self._ray.shutdown()
            return
        for worker in [*self._workers]:
            self.end(worker)


def _import() -> Any:
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise PlaymillError(
            "to play on a cluster Ray is needed: pip install 'playmill[ray]'",
            "чтобы играть на кластере, нужен Ray: pip install 'playmill[ray]'",
        ) from None
    return ray


def _connect(ray: Any, address: str | None, workers: int | None) -> None:
    """Joins a cluster, quietly, or begins one on this machine."""
    logging.getLogger("ray").setLevel(logging.ERROR)
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR, "configure_logging": False}
    with _our_signals():
        try:
            if address is not None and address != "local":
                ray.init(address=address, **options)
                return
            try:
                ray.init(address="auto" if address is None else None, **options)
            except ConnectionError:
                ray.init(address="local", num_cpus=workers or default_workers(), include_dashboard=False, **options)
        except Exception as error:
            name = address or "auto"
            raise LostPlaceError(
                f"cannot join the Ray cluster {name}: {_reason(error)}",
                f"не удаётся подключиться к кластеру Ray {name}: {_reason(error)}",
            ) from None


def _check_reachable(address: str) -> None:
    """Raises if nobody listens at an address: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT):
            pass
    except (OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LostPlaceError(
            f"there is no Ray cluster at {address}: {reason}", f"по адресу {address} нет кластера Ray: {reason}"
        ) from None


@contextmanager
def _our_signals() -> Iterator[None]:
    """Ray takes over signals; here they mean what they meant before."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)


def _reason(error: BaseException) -> str:
    """What Ray says, in its first line that says something."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
