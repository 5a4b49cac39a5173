"""`python -m …gpu_helper.serve SOCKET IDENTITY MINUTES`: the GPU helper, which plays games for questions of its user.

It keeps what takes long to make ready: the interpreter with all that was imported, the CUDA contexts, the compiled
rules. Each connection is one plan, played by the same executor as without a helper. Whatever goes wrong here is no
error: whoever asks gets a message, and plays in a process of its own. It ends when nobody has asked for some minutes,
when other programs want the memory of a GPU, and when the files of a game it has loaded were changed.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from filelock import FileLock, Timeout

from playmill.agents.fallbacks import Fallbacks
from playmill.engine.contract.game import as_game, folder_of
from playmill.interrupts import Stop
from playmill.lab.runs.executors.base import RequestedOutput
from playmill.lab.runs.executors.gpu_helper.wire import LostHelperError, check_peer, part_message, receive, send
from playmill.lab.runs.executors.threads import Threads
from playmill.lab.runs.plan import Plan
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan, resolve_same_plan
from playmill.stdio import watching
from playmill.texts import PlaymillError, Text

#: Seconds between two looks at whether it is to end, and without a question before others may want the memory.
_LOOK, _POLITE = 1.0, 5.0
#: Where less than this share of a GPU's memory is free, somebody else wants it.
_WANTED = 0.1


class GpuHelper:
    """Listens at a socket and plays what is asked for, each connection in a thread of its own."""

    def __init__(self, path: Path, identity: str, minutes: float) -> None:
        self._path, self._identity, self._patience = path, identity, 60 * minutes
        self._lock = threading.Lock()
        self._preparing = threading.Lock()
        self._open, self._quiet_since = 0, time.monotonic()
        self._ends = False
        self._uses_gpu = False
        #: When the files of each game were written, as it was loaded.
        self._games: dict[str, list[tuple[str, int, int]]] = {}

    def run(self) -> None:
        """Serves until it is to end."""
        self._path.unlink(missing_ok=True)
        before = os.umask(0o077)
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
            listening.bind(str(self._path))
            os.umask(before)
            listening.listen(64)
            listening.settimeout(_LOOK)
            try:
                while not self._is_to_end():
                    try:
                        self._accept(listening.accept()[0])
                    except TimeoutError:
                        continue
                    except OSError:  # so many are connected that there is no handle left
                        time.sleep(_LOOK)
            finally:
                self._path.unlink(missing_ok=True)

    def _is_to_end(self) -> bool:
        with self._lock:
            if self._open:
                return False
            quiet = time.monotonic() - self._quiet_since
        return self._ends or quiet > self._patience or (self._uses_gpu and quiet > _POLITE and _memory_is_wanted())

    def _accept(self, connection: socket.socket) -> None:
        connection.setblocking(True)
        with self._lock:
            self._open += 1
        threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            with connection:
                check_peer(connection)
                self._answer(connection)
        except LostHelperError:
            pass  # whoever asked is gone
        except Exception as error:
            traceback.print_exc()
            # What a device or a library does after an error nobody knows: the next question gets a new helper.
            self._ends = self._ends or not isinstance(error, PlaymillError)
        finally:
            with self._lock:
                self._open -= 1
                last = not self._open
                self._quiet_since = time.monotonic()
            # A tuning closes dozens of connections at once, and to free memory for each would keep the next question
            # waiting for many seconds.
            if last and self._uses_gpu:
                _free_memory()

    def _answer(self, connection: socket.socket) -> None:
        send(connection, {"identity": self._identity})
        order, stop = receive(connection), Stop()
        try:
            with self._preparing, watching(lambda text: send(connection, {"doing": list(text)})):
                executor = self._prepared(order, stop)
            send(connection, {"ready": executor.workers})
            asked: SimpleQueue[Sequence[Sequence[int]] | None] = SimpleQueue()
            threading.Thread(target=_listen, args=(connection, stop, asked), daemon=True).start()
            while (ranges := asked.get()) is not None:
                for part in executor.play([range(first, end) for first, end in ranges]):
                    send(connection, {"part": True, **part_message(part)})
                send(connection, {"done": True})
        except LostHelperError:
            stop.times = 2
            raise
        except Exception as error:
            send(connection, {"failed": str(error)})
            raise

    def _prepared(self, order: dict[str, Any], stop: Stop) -> Threads:
        """Returns an executor of the plan that was sent, ready to play; raises if its rules are others here."""
        self._check_files(order["game"])
        plan = Plan.from_json(order["plan"], "plan")
        resolved = resolve_same_plan(plan, order["game"], order["agents"], "plan")
        if not isinstance(resolved, ResolvedPlan):
            self._ends = True
            raise PlaymillError(*Text.join(resolved, "; "))
        self._uses_gpu = self._uses_gpu or order["backend"] == "cuda"
        resolved.learn()
        work = ExecutionOptions(order["backend"], order["strict"], Fallbacks(), stop, rows=order["rows"])
        executor = Threads(resolved, work, order["workers"])
        executor.prepare(RequestedOutput(edge=order["edge"], rows=order["rows"]))
        return executor

    def _check_files(self, reference: str) -> None:
        """Raises, and ends when all are answered, if a game was loaded from files that are others now."""
        folder = folder_of(as_game(reference))
        files = sorted(
            (str(file), found.st_mtime_ns, found.st_size)
            for file in folder.rglob("*")
            if "__pycache__" not in file.parts and file.is_file() and (found := file.stat())
        )
        if self._games.setdefault(reference, files) != files:
            self._ends = True
            raise PlaymillError(f"the files of {reference} were changed", f"файлы {reference} изменились")


def _listen(connection: socket.socket, stop: Stop, asked: SimpleQueue[Sequence[Sequence[int]] | None]) -> None:
    """Passes on what is asked for; stops what is being played when asked to, or when nobody is there any more."""
    try:
        while True:
            message = receive(connection)
            stop.times = max(stop.times, int(message.get("stop", 0)))
            if "play" in message:
                asked.put(message["play"])
    except LostHelperError:
        stop.times = 2
        asked.put(None)


def _memory_is_wanted() -> bool:
    """Returns whether a GPU has so little free memory that others may need what is kept here."""
    from playmill.engine.cuda.devices import devices, free_memory

    return any(free_memory(device) < _WANTED for device in devices())


def _free_memory() -> None:
    """Gives back the memory of what was played."""
    import gc

    from playmill.engine.cuda.devices import devices, release

    gc.collect()
    with suppress(Exception):  # a GPU that is lost has nothing to give back
        for device in devices():
            release(device)


def main() -> int:
    """Runs the helper, unless there is one at the socket; it ends without a word."""
    path, identity, minutes = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
    with suppress(Timeout), FileLock(path.with_suffix(".lock"), timeout=0):
        GpuHelper(path, identity, minutes).run()
        log = path.with_suffix(".log")
        if log.exists() and not log.stat().st_size:
            log.unlink()
    # Threads that still wait for somebody are not waited for.
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
