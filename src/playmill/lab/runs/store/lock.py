"""One writer a run: a lock that goes with its process, however that ends."""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from playmill.report.draft import cannot_write, reason_of
from playmill.texts import PlaymillError


class Lock:
    """Holds the lock of a run's folder; raises if somebody else does."""

    def __init__(self, folder: Path, source: str) -> None:
        self._lock = FileLock(folder / "lock", timeout=0)
        self._source = source
        self._path = folder / "lock"

    def __enter__(self) -> Lock:
        try:
            self._lock.acquire()
        except Timeout:
            raise PlaymillError(
                f"run {self._source} is being played by another process; wait for it, or stop it",
                f"прогон {self._source}: его сейчас играет другой процесс; подождите или остановите его",
            ) from None
        except OSError as error:
            raise cannot_write(self._path, reason_of(error)) from None
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.release()
