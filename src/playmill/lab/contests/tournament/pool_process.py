"""Subprocess of the pool: plays pairings beside this process, since Python runs one thread at a time.

What it is to play comes by its input, a line of JSON for each order; what came of it goes back the same way. When
whoever started it is gone its input ends, and it ends with all its bots, whatever it was doing.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from queue import SimpleQueue

from playmill.agents.programs.program_agent import write_stderr_to
from playmill.lab.contests.tournament.deal_task import PairingTask, TaskResult, order_of, play_order, result_of

_BOOT = """
import json, sys
sys.path[:] = json.loads(sys.argv.pop(1))
from playmill.lab.contests.tournament.pool_process import main
main()
"""


class PoolProcess:
    """Another process that plays; it is started with its first order."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._process: subprocess.Popen[bytes] | None = None
        self._gone = False

    def play(self, task: PairingTask) -> TaskResult | None:
        """Returns what came of some deals; None if it could not play them, for whatever reason."""
        made = order_of(task)
        if self._gone or made is None:
            return None
        try:
            if self._process is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-c", _BOOT, json.dumps(sys.path), str(self._number)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    start_new_session=True,
                )
            assert self._process.stdin and self._process.stdout
            self._process.stdin.write(made[0].encode() + b"\n")
            self._process.stdin.flush()
            answer = json.loads(self._process.stdout.readline())
        except (OSError, ValueError):
            self.end()
            return None
        return result_of(answer, task) if answer is not None else None

    def end(self) -> None:
        """Ends it, here and now; its bots end with it."""
        self._gone = True
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):
                    if pipe is not None:
                        pipe.close()


def main() -> None:
    """Plays what is ordered until the input ends."""
    write_stderr_to(sys.argv[1])
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a game prints is no answer
    orders: SimpleQueue[str] = SimpleQueue()
    threading.Thread(target=_listen, args=(orders,), daemon=True).start()
    while True:
        answers.write(json.dumps(_played(orders.get())).encode() + b"\n")
        answers.flush()


def _listen(orders: SimpleQueue[str]) -> None:
    """Takes orders; at the end of the input everything ends, bots too: each is killed with its parent."""
    try:
        for line in sys.stdin.buffer:
            orders.put(line.decode())
    finally:
        os._exit(0)


def _played(order: str) -> str | None:
    try:
        return play_order(order)
    except Exception:  # whoever started this process plays the deals itself, and hears what is wrong
        return None
