"""The link to Ray clusters; the only module that imports Ray."""

from __future__ import annotations

import atexit
import logging
import os
import signal
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from playmill.engine.run.backends import default_workers
from playmill.interrupts import SIGNALS, end_abruptly
from playmill.lab.runs.executors.base import LostExecutorError
from playmill.lab.runs.executors.task import Argument, TaskAnswer, TaskCall, run_task
from playmill.lab.runs.executors.task_pool import LostTaskError
from playmill.texts import PlaymillError, Text

#: One thread for each worker, and no more of Ray's own than it needs: there is a worker for every core.
_ALONE = {
    **dict.fromkeys(("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    **dict.fromkeys(("POLARS_MAX_THREADS", "RAY_worker_num_grpc_internal_threads"), "1"),
}
#: Seconds until a machine that does not answer is called unreachable.
_CONNECT, _KNOCK = 5.0, 2.0
#: Bytes from this size on do not travel with every task.
_LARGE = 1 << 16


class RayLink:
    """Connects to a cluster: by address, RAY_ADDRESS, the one running here, or one started here."""

    def __init__(self, address: str | None, workers: int | None) -> None:
        ray = self._ray = _import()
        named = address or os.environ.get("RAY_ADDRESS") or None
        self._mine = not ray.is_initialized()
        if not self._mine:
            _check_joined(ray, address)
        else:
            if named is not None and named not in ("auto", "local"):
                _check_reachable(named)
            _connect(ray, named, workers)
        # A client from elsewhere talks to the head by another door.
        by_client = named is not None and named.startswith("ray://")
        self._head = named if by_client and named is not None else str(ray.get_runtime_context().gcs_address)
        self._there = True
        self._shared: dict[Argument, Any] = {}
        # Lost tasks are run again by us, who know whether they were lost before.
        self._task = ray.remote(num_cpus=1, max_retries=0, runtime_env={"env_vars": _ALONE})(run_task)

    def size(self, *, gpu: bool) -> int:
        """Returns how many cores, or GPUs, all nodes have now."""
        return int(self._ray.cluster_resources().get("GPU" if gpu else "CPU", 0))

    def submit(self, call: TaskCall, *, gpu: bool) -> Any:
        """Has a function called on a core, or GPU, that is free, now or later."""
        task = self._task.options(num_gpus=1) if gpu else self._task
        if not any(_is_large(one) for one in call["arguments"]):
            return task.remote(call)
        return task.remote(
            {**call, "arguments": ()}, *(self._put(one) if _is_large(one) else one for one in call["arguments"])
        )

    def _put(self, data: Argument) -> Any:
        """Returns a handle for bytes that go to each node once, however many tasks need them."""
        if data not in self._shared:
            self._shared[data] = self._ray.put(data)
        return self._shared[data]

    def ready(self, handles: Sequence[Any], timeout: float) -> Sequence[Any]:
        """Returns those of the tasks that have ended; waits this many seconds for the first."""
        found: Sequence[Any] = self._ray.wait([*handles], num_returns=1, timeout=timeout)[0]
        return found

    def fetch(self, handle: Any) -> TaskAnswer:
        """Returns the answer of a task that has ended; raises LostTaskError if there will never be one."""
        errors = self._ray.exceptions
        try:
            found: TaskAnswer = self._ray.get(handle)
        except errors.RayTaskError as error:
            reason = str(error.cause) if isinstance(error.cause, ImportError) else _reason(error)
            raise LostExecutorError(
                f"a worker of the cluster failed: {reason}", f"сбой процесса на кластере: {reason}"
            ) from None
        except errors.NodeDiedError as error:
            raise LostTaskError(_reason(error), by_itself=False) from None
        except errors.RayError as error:
            raise LostTaskError(_reason(error)) from None
        return found

    def cancel(self, handle: Any) -> None:
        """Ends a task, whatever it is doing."""
        if self._there:
            self._ray.cancel(handle, force=True)

    def is_there(self) -> bool:
        """Returns whether the cluster's head can be reached."""
        self._there = _refusal(self._head, _KNOCK) is None
        return self._there

    def leave(self) -> None:
        """Ends the connection if it was made here."""
        if not self._there:
            # To say goodbye Ray would wait for the head, and end this process when there is no answer.
            atexit.unregister(self._ray.shutdown)
            end_abruptly()
            return
        if self._mine:
            with _our_signals():
                self._ray.shutdown()


def _is_large(data: Argument) -> bool:
    return isinstance(data, bytes) and len(data) >= _LARGE


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
    """Joins a cluster without output, or starts one on this machine."""
    _hush(ray)
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.CRITICAL, "configure_logging": False}
    with _our_signals():
        try:
            try:
                ray.init(address=address or "auto", **options)
            except ConnectionError:
                if address is not None:
                    raise
                ray.init(address="local", num_cpus=workers or default_workers(), include_dashboard=False, **options)
        except Exception as error:
            name = address or "auto"
            raise LostExecutorError(
                f"cannot join the Ray cluster {name}: {_reason(error)}",
                f"не удаётся подключиться к кластеру Ray {name}: {_reason(error)}",
            ) from None


def _check_joined(ray: Any, address: str | None) -> None:
    """Raises if this process has already joined another cluster than the one asked for."""
    joined = ray.get_runtime_context().gcs_address
    if address is not None and not address.startswith("ray://") and address != joined:
        raise PlaymillError(
            f"this program has joined the Ray cluster {joined}, not {address}; ray.shutdown() leaves it",
            f"эта программа уже подключена к кластеру Ray {joined}, а не {address}; ray.shutdown() отключит её",
        )


def _hush(ray: Any) -> None:
    """Keeps Ray from printing about lost nodes to standard output, between the lines of a report."""
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")
    # There is no setting for what it prints about nodes; where this flag is gone, it is told again.
    inside: Any = getattr(getattr(ray, "_private", None), "worker", None)
    if hasattr(inside, "_worker_logs_enabled"):
        inside._worker_logs_enabled = False


def _check_reachable(address: str) -> None:
    """Raises if nothing listens at an address: Ray itself would try for minutes."""
    if (reason := _refusal(address, _CONNECT)) is not None:
        raise LostExecutorError(
            f"there is no Ray cluster at {address}: {reason.en}", f"по адресу {address} нет кластера Ray: {reason.ru}"
        )


def _refusal(address: str, patience: float) -> Text | None:
    """Returns why an address cannot be reached; None if it can."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        with socket.create_connection((host.strip("[]"), int(port)), timeout=patience):
            return None
    except ConnectionRefusedError:
        return Text("nobody listens there", "там никто не отвечает")
    except TimeoutError:
        return Text("it does not answer", "ответа нет")
    except socket.gaierror:
        return Text("there is no such machine", "такой машины нет")
    except (OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return Text(reason, reason)


@contextmanager
def _our_signals() -> Iterator[None]:
    """Restores our signal handlers after Ray has replaced them."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)


def _reason(error: BaseException) -> str:
    """Returns the first line of a Ray error that gives a reason."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0] if lines else type(error).__name__
