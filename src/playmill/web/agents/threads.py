"""Thread pools of low priority for agents: pages and moves come first, however many tables think."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from playmill.interrupts import WORKERS

#: Nice value of threads in which agents run.
NICE = 5


def low_priority_threads(number: int, name: str) -> ThreadPoolExecutor:
    """A pool of threads of low priority; threads that they start have the same."""
    return ThreadPoolExecutor(number, thread_name_prefix=f"{WORKERS} {name}", initializer=_step_back)


def _step_back() -> None:
    """Lowers the priority of this thread, where the system allows that for a thread alone."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, min(19, os.getpriority(os.PRIO_PROCESS, thread) + NICE))
