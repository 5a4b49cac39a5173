"""Client of the supervisor in Playmill's process: starts it with the first bot, and reports the end of each."""

from __future__ import annotations

import os
import subprocess
import sys
import weakref
from contextlib import suppress
from pathlib import Path
from threading import Lock

_BOOT = (
    "import sys; sys.path.insert(0, sys.argv.pop(1));"
    " from playmill.agents.programs.sandbox.supervisor import main; main()"
)
_SOURCE = str(Path(__file__).parents[4])


class Supervisor:
    """A running `supervisor.main`; `pipe` is where launchers announce their bots."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _BOOT, _SOURCE, str(self.owner)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
            bufsize=0,
        )
        assert self._process.stdin and self._process.stdout
        self.pipe, self._messages_pipe = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._messages_pipe, False)
        self._ended: set[int] = set()
        #: It ends when its input does, after the bots: those are forgotten first, being younger.
        self._last = weakref.finalize(self, _close, self._process)

    @property
    def alive(self) -> bool:
        """Whether it is there, and this process's own."""
        return self.owner == os.getpid() and self._process.poll() is None

    def forget(self, group: int) -> None:
        """A bot has been ended: before somebody else gets its number."""
        with suppress(OSError):
            os.write(self.pipe, b"-%d\n" % group)

    def took_too_much(self, group: int) -> bool:
        """Whether a bot was ended for its memory."""
        with suppress(OSError):
            self._ended.update(map(int, os.read(self._messages_pipe, 1 << 16).split()))
        return group in self._ended


_present: list[Supervisor] = []
_lock = Lock()


def supervisor() -> Supervisor | None:
    """The supervisor of this process, started if there is none; None where none can be."""
    if sys.platform != "linux":
        return None
    with _lock:
        if not _present or not _present[-1].alive:
            try:
                _present[:] = [Supervisor()]
            except OSError:
                return None
        return _present[-1]


def _close(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    with suppress(OSError, subprocess.TimeoutExpired):
        process.wait(2)
