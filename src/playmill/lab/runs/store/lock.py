"""Write lock of a run's folder; the system releases it with the process, however that ends."""

from __future__ import annotations

from pathlib import Path

from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.texts import PlaymillError


class RunLock:
    """Holds the lock of a run's folder; raises if another process does."""

    def __init__(self, folder: Path, source: str) -> None:
        from filelock import FileLock  # most runs lock nothing

        self._lock = FileLock(folder / "lock", timeout=0)
        self._source = source
        self._path = folder / "lock"

    def __enter__(self) -> RunLock:
        from filelock import Timeout

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
