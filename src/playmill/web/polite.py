"""Threads that think step back for those that answer: pages and moves come first, however many tables think."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

from playmill.stopping import WORKERS

#: How much less than others a thread that thinks may have of the processor.
NICE = 5


def thinking_threads(number: int, name: str) -> ThreadPoolExecutor:
    """Threads for thinking; those they start in their turn are as polite as they are."""
    return ThreadPoolExecutor(number, thread_name_prefix=f"{WORKERS} {name}", initializer=_step_back)


def _step_back() -> None:
    """Takes less of the processor from now on, where a thread can do so by itself."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        os.setpriority(os.PRIO_PROCESS, thread, min(19, os.getpriority(os.PRIO_PROCESS, thread) + NICE))
