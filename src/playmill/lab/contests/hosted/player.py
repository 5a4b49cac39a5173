"""The process that checks and plays a served contest, beside the web server; it ends with whoever started it.

It may be killed at any time: the next one goes on where it was. So whatever needs it to begin anew, such as a new
version of the game, kills it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from playmill.lab.contests.contest.folder import STATE
from playmill.lab.contests.hosted.contest import HostedContest
from playmill.lab.runs.store.lock import RunLock
from playmill.texts import PlaymillError, speaking

LOG = "player.log"
_BOOT = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from playmill.lab.contests.hosted.player import main
main()
"""
#: Seconds a new one waits for one before it that is ending, and between two starts of one that fails.
_PATIENCE, _PAUSE = 60.0, 5.0
#: Bytes of the log that are kept when it is begun anew.
_LOG_BYTES = 1 << 20


class PlayerProcess:
    """The player of one contest: started, watched and started again by the web server's process."""

    def __init__(self, folder: Path, *, workers: int | None = None, on: str | None = None) -> None:
        self._words = json.dumps({"folder": str(folder), "workers": workers, "on": on})
        self._log = folder / STATE / LOG
        self._process: subprocess.Popen[bytes] | None = None
        self._next = 0.0
        self._lock = threading.Lock()
        self.ended = False

    def watch(self) -> None:
        """Starts the process if it is not there, unless it has nothing more to do."""
        with self._lock:
            if self._process is not None and self._process.poll() is not None:
                self.ended = self._process.returncode == 0
                self._process = None
            if self._process is None and not self.ended and time.monotonic() >= self._next:
                self._next = time.monotonic() + _PAUSE
                self._start()

    def _start(self) -> None:
        with suppress(OSError):
            if self._log.stat().st_size > _LOG_BYTES:
                self._log.unlink()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BOOT, json.dumps(sys.path), self._words],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def restart(self) -> None:
        """Kills it and has another begin."""
        with self._lock:
            self._kill()
            self.ended, self._next = False, 0.0
        self.watch()

    def end(self) -> None:
        """Kills it for good."""
        with self._lock:
            self._kill()
            self.ended = True

    def _kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdin is not None
            with suppress(OSError):
                self._process.stdin.close()
            self._process = None

    @property
    def number(self) -> int | None:
        """The process's number, if it is there."""
        return self._process.pid if self._process is not None else None

    def trouble(self) -> str:
        """Returns the last line of its log if it is not running and has not ended by itself."""
        if self.ended or (self._process is not None and self._process.poll() is None):
            return ""
        try:
            lines = self._log.read_text(encoding="utf-8", errors="replace")[-4000:].strip().splitlines()
        except OSError:
            return ""
        return lines[-1] if lines else ""


def main() -> None:
    """Plays until whoever started it is gone."""
    words = json.loads(sys.argv[1])
    threading.Thread(target=_end_with_parent, daemon=True).start()
    folder = Path(words["folder"])
    with speaking("en"):
        try:
            with _only_player(folder / STATE):
                HostedContest(folder, workers=words["workers"], on=words["on"]).run(watch=True)
        except PlaymillError as error:
            print(error, file=sys.stderr, flush=True)
            os._exit(1)
    os._exit(0)


def _end_with_parent() -> None:
    """Ends at once, bots and all, when the input ends: whoever started this process is gone."""
    while sys.stdin.buffer.read(1):
        pass
    os._exit(3)


@contextmanager
def _only_player(state: Path) -> Iterator[None]:
    """Waits for a player before this one to end, and is the only one then."""
    place = state / "player"
    place.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + _PATIENCE
    while True:
        lock = RunLock(place, "the contest")
        try:
            lock.__enter__()
            break
        except PlaymillError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
    try:
        yield
    finally:
        lock.__exit__()
