"""Finds the GPU helper of this user and this source, and starts one if there is none."""

from __future__ import annotations

import hashlib
import os
import socket
import stat
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

from playmill.lab.runs.executors.gpu_helper.wire import LostHelperError, check_peer
from playmill.texts import PlaymillError
from playmill.version import __version__

#: The variable that says after how many minutes without a question the helper ends; 0: there is none.
VARIABLE = "PLAYMILL_GPU_HELPER"
_MINUTES = 10.0
#: Seconds to wait for a helper that starts: with many GPUs the driver takes its time.
_STARTING = 60.0
_LOOK = 0.02
#: Variables that change what a process computes, or where it finds what it needs.
_ENVIRONMENT = ("CUDA_", "NUMBA_", "PLAYMILL_CACHE", "PYTHONPATH", "XDG_CACHE_HOME", "LD_LIBRARY_PATH", "HOME")
#: The longest path of a socket that all systems take.
_LONGEST = 100

#: Those that were started here, so that nobody complains that they still run.
_started: dict[Path, subprocess.Popen[bytes]] = {}


def minutes() -> float:
    """Returns after how many minutes without a question a helper ends; 0 if there is to be none."""
    wanted = os.environ.get(VARIABLE) or str(_MINUTES)
    try:
        found = float(wanted)
    except ValueError:
        found = -1.0
    if not 0 <= found <= 1e6:
        raise PlaymillError(
            f"{VARIABLE} is {wanted!r}; expected minutes without a question after which the helper ends, or 0",
            f"{VARIABLE} равно {wanted!r}; нужно число минут без вопросов, после которых помощник завершится, или 0",
        )
    return found


def is_possible() -> bool:
    """Returns whether there can be a helper here, and nobody said that there is to be none."""
    return minutes() > 0 and hasattr(socket, "AF_UNIX") and hasattr(socket, "SO_PEERCRED") and address() is not None


def identity() -> str:
    """Returns what a helper must have in common with whoever asks: version, source, interpreter and environment."""
    environment = sorted((key, value) for key, value in os.environ.items() if key.startswith(_ENVIRONMENT))
    return hashlib.sha256(repr([_source(), environment]).encode()).hexdigest()


@cache
def _source() -> list[object]:
    """Returns what tells this source from any other: when each of its files was written."""
    package = Path(__file__).parents[4]
    files = sorted((str(file), file.stat().st_mtime_ns) for file in package.rglob("*.py"))
    return [__version__, sys.version, sys.executable, files]


def address() -> Path | None:
    """Returns the socket of the helper, in a folder that only this user can enter; None if there can be none."""
    base = Path(os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir())
    folder = base / f"playmill-gpu-{os.getuid()}"
    path = folder / f"{identity()[:16]}.socket"
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        found = folder.lstat()
    except OSError:
        return None
    private = stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and not found.st_mode & 0o077
    return path if private and len(str(path)) <= _LONGEST else None


def start() -> None:
    """Starts a helper unless one listens; does not wait for it."""
    path = address()
    if path is None or (path in _started and _started[path].poll() is None):
        return
    try:
        connect_once(path).close()
    except LostHelperError:
        with suppress(LostHelperError):
            _started[path] = _start(path)


def connect() -> socket.socket:
    """Returns a connection to the helper, which is started if there is none; raises if it does not start."""
    path = address()
    if path is None:
        raise LostHelperError("there is no folder for it")
    until = time.monotonic() + _STARTING
    while True:
        try:
            return connect_once(path)
        except LostHelperError:
            helper = _started.get(path)
            if helper is not None and helper.poll() is not None:
                del _started[path]
                raise
            if time.monotonic() > until:
                raise
            if helper is None:
                _started[path] = _start(path)
            time.sleep(_LOOK)


def connect_once(path: Path) -> socket.socket:
    """Returns a connection to the helper that listens at a socket; raises if none of this user's does."""
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        connection.connect(str(path))
        check_peer(connection)
    except (OSError, LostHelperError) as error:
        connection.close()
        raise LostHelperError(str(error)) from None
    return connection


def _start(path: Path) -> subprocess.Popen[bytes]:
    """Starts a helper that outlives this process and hears no signals of its terminal."""
    root = str(Path(__file__).parents[5])
    inherited = os.environ.get("PYTHONPATH")
    # The identity is passed on: a variable that this sets for the helper must not make it another.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, *([inherited] if inherited else [])])}
    command = [sys.executable, "-P", "-m", f"{__package__}.serve", str(path), identity(), str(minutes())]
    try:
        with path.with_suffix(".log").open("wb") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                cwd=path.parent,
                env=environment,
                start_new_session=True,
            )
    except OSError as error:
        raise LostHelperError(str(error)) from None
