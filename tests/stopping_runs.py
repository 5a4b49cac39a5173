"""Real runs of the program that are sent signals."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playmill.interrupts import SIGNALS

#: Seconds after which something is taken for never: no machine is so slow.
LONGEST = 300
#: What an agent does that takes longer than that.
FOREVER = "time.sleep(1_000_000)"


def start(*words: object, folder: Path, ignored: bool = False) -> subprocess.Popen[str]:
    """Starts `playmill`, with signals as in a terminal, or with Ctrl-C ignored as in the background of a script."""
    # How a child hears a signal is how its parent does; the suite itself may have been started either way.
    wanted = dict.fromkeys(SIGNALS, signal.SIG_DFL)
    wanted[signal.SIGINT] = signal.SIG_IGN if ignored else signal.SIG_DFL
    before = {number: signal.signal(number, handler) for number, handler in wanted.items()}
    try:
        command = [sys.executable, "-m", "playmill", *map(str, words)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def finish(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The status and what was said on the error stream; whoever waits for what never comes is found out."""
    try:
        _, errors = process.communicate(timeout=LONGEST)
    finally:
        process.kill()
    assert "Traceback" not in errors, errors
    return process.returncode, errors


def finish_silent(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The same of a run whose agent does not answer: told or not, for that depends on how quick we were to stop it."""
    status, errors = finish(process)
    return status, re.sub(
        r"playmill: agent bot had not answered for \d+ s\n|; agent bot had .* \d+ s(?=\n)", "", errors
    )


def wait_for(happened: Callable[[], Any], process: subprocess.Popen[str]) -> None:
    """Waits until something is true that a process does."""
    deadline = time.monotonic() + LONGEST
    while not happened():
        if time.monotonic() > deadline or process.poll() is not None:
            process.kill()
            raise AssertionError(f"it never happened; the run said {process.communicate()}")
        time.sleep(0.02)


def drafts(folder: Path) -> list[Path]:
    """What is being written in a folder."""
    return [path for path in folder.glob(".playmill-*.part") if path.stat().st_size]
