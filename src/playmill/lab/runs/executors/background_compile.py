"""Compiles what a run needs in a second process while the interpreter plays, so that the next run finds it compiled.

The process is started where a run would compile nothing, or wait for the compiler. It outlives the run, is nice from
then on, and ends by itself. For each cache folder one compiles at a time and one more may wait for its turn: the locks
are the system's, which releases them however a process ends, and the cache takes whole entries alone (see
`disk_cache.py`), so that a process that is killed leaves nothing to clear up. Code is found by the fingerprint of the
rules: what was compiled of rules that have changed meanwhile is never used.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from playmill.engine.compile.disk_cache import DiskCache, cache_folder
from playmill.engine.run.backends import default_workers
from playmill.lab.runs.resolved_plan import ExecutionOptions, ResolvedPlan, resolve_saved_plan
from playmill.texts import PlaymillError

try:
    import fcntl
except ImportError:  # where there are no such locks, nothing is compiled in the background
    fcntl = None  # type: ignore[assignment]

#: The variable that switches it off: 0.
VARIABLE = "PLAYMILL_BACKGROUND_COMPILE"
_NICE = 10
#: Seconds after which the process ends, whatever it is at, and for which it waits for its turn.
_LONGEST, _TURN = 900, 120.0
_LOOK = 0.1


def _hash(*what: object) -> str:
    return hashlib.sha256(json.dumps(what).encode()).hexdigest()[:20]


#: The lock files of who compiles and of who waits, which end as caches do (see `disk_cache.py`).
_NOW, _NEXT = (f"{name}-{_hash(name)}.lock" for name in ("compiling", "compiles-next"))

#: Those that were started here, so that nobody complains that they still run.
_started: list[subprocess.Popen[bytes]] = []


class BackgroundCompile:
    """The compilation of what a run needs in another process, started here or by somebody else."""

    def __init__(self, folder: Path, key: str, process: subprocess.Popen[bytes] | None) -> None:
        self._folder, self._key, self._process = folder, key, process

    def is_running(self) -> bool:
        """Returns whether it is at work, or waits for its turn."""
        if self._process is not None and self._process.poll() is None:
            return True
        return _compiled_now(self._folder) == self._key


def start(resolved: ResolvedPlan, *, strict: bool) -> BackgroundCompile | None:
    """Starts a process that compiles what a plan needs, unless one does; None if there is to be none."""
    if not is_wanted() or (folder := cache_folder()) is None:
        return None
    key = _key(resolved, strict)
    if _failures().holds(key):
        return None
    if _compiled_now(folder) == key:
        return BackgroundCompile(folder, key, None)
    asked = {
        "plan": resolved.plan.json(),
        "reference": resolved.reference,
        "agents": resolved.found,
        "strict": strict,
        "folder": str(folder),
        "key": key,
        "parent": os.getpid(),
    }
    inherited = os.environ.get("PYTHONPATH")
    root = str(Path(__file__).parents[4])
    try:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join([root, *([inherited] if inherited else [])])},
        )
        _started.append(process)
        assert process.stdin is not None
        with process.stdin as pipe:
            pipe.write(json.dumps(asked).encode())
    except OSError:  # no process can be started, or it ended at once
        return None
    return BackgroundCompile(folder, key, process)


def is_wanted() -> bool:
    """Returns whether there can be such a process, and nobody said that there is to be none."""
    off = os.environ.get(VARIABLE, "").strip().lower() in ("0", "no", "off", "false") or bool(os.environ.get("CI"))
    return not off and fcntl is not None and bool(sys.executable)


def _key(resolved: ResolvedPlan, strict: bool) -> str:
    """What is compiled: the rules, by whom games are played, and how; seeds and settings compile nothing."""
    plan = resolved.plan
    return _hash(plan.game, plan.rules, sorted({seat.number for seat in resolved.seats}), plan.groups > 1, strict)


def _failures() -> DiskCache:
    """Where it is noted what cannot be compiled, so that nobody tries it again."""
    return DiskCache("uncompiled", _hash(sys.implementation.cache_tag))


def _locked(path: Path) -> IO[bytes] | None:
    """The file of a lock, which is held as long as it is open; None if somebody else holds it, or there can be none."""
    try:
        file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600), "r+b")
    except OSError:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file


def _compiled_now(folder: Path) -> str | None:
    """What the process compiles that has the lock; None if there is none."""
    try:
        with (folder / _NOW).open("rb") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            except BlockingIOError:
                return file.read(64).decode("ascii", "replace")
    except OSError:
        pass
    return None


def _wait_for_turn(folder: Path, key: str, held: ExitStack) -> bool:
    """Waits until nobody else compiles, and holds the lock; False if another one waits, or it takes too long."""
    waiting = _locked(folder / _NEXT)
    if waiting is None:
        return False
    with waiting:
        until = time.monotonic() + _TURN
        while (mine := _locked(folder / _NOW)) is None:
            if time.monotonic() > until:
                return False
            time.sleep(_LOOK)
        held.enter_context(mine)
        mine.truncate()
        mine.write(key.encode())
        mine.flush()
    return True


def compile_for(resolved: ResolvedPlan, *, strict: bool) -> None:
    """Compiles what a plan needs, or notes that it cannot be compiled; plays its first games, which are not kept."""
    from playmill.agents.fallbacks import Fallbacks
    from playmill.interrupts import Stop

    resolved.learn()
    work = ExecutionOptions("cpu", strict, Fallbacks(), Stop())
    try:
        resolved.player_maker(work)().play(0, resolved.plan.rotations)
    except PlaymillError:
        _failures().write(_key(resolved, strict))


def _give_way(parent: int) -> None:
    """Makes this process nice as soon as nobody waits for it: its parent is gone. On an only core it always is."""
    while os.getppid() == parent and default_workers() > 1:
        time.sleep(_LOOK)
    os.setpriority(os.PRIO_PROCESS, os.getpid(), _NICE)


def _main() -> int:
    """Reads what is to be compiled from standard input, and compiles it when it is its turn."""
    from playmill.lab.runs.plan import Plan

    signal.alarm(_LONGEST)
    asked: dict[str, Any] = json.loads(sys.stdin.read())
    threading.Thread(target=_give_way, args=[asked["parent"]], daemon=True).start()
    with ExitStack() as held:
        if not _wait_for_turn(Path(asked["folder"]), asked["key"], held):
            return 0
        try:
            plan = Plan.from_json(asked["plan"], "the plan")
            resolved = resolve_saved_plan(plan, asked["reference"], asked["agents"], "the plan")
        except PlaymillError:  # the rules have changed since
            return 0
        if resolved.would_compile(strict=asked["strict"]):
            if sys.platform == "linux" and default_workers() > 1:
                import_module("playmill.engine.compile.forked_lowering").lowering.forks = True
            compile_for(resolved, strict=asked["strict"])
    return 0


if __name__ == "__main__":
    # Its work is on disk; all that a compiler has made is not taken apart one by one while somebody waits.
    os._exit(_main())
