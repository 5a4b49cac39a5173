"""Makes a process a background worker of a server: low priority, and it ends with its parent."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress

#: How much others go before.
_NICE = 10
#: Seconds that it may take to end when it is told to.
_AFTER = 10.0


def in_background() -> None:
    """Lowers the priority, and stops as by Ctrl-C when the other end of standard input is closed."""
    end_with_parent()
    lower_priority()


def end_with_parent() -> None:
    """From now on, stops as by Ctrl-C when the other end of standard input is closed."""
    threading.Thread(target=_end_with_parent, daemon=True).start()


def lower_priority() -> None:
    """Lets others go before."""
    with suppress(OSError, AttributeError):
        # Ctrl-C in a terminal is for who started it. The session stays: between sessions nobody gives way to anybody.
        os.setpgrp()
        os.nice(_NICE)


def _end_with_parent() -> None:
    """Waits until the other end of the input is closed, which it is when the parent is gone."""
    with suppress(OSError, ValueError):
        while os.read(0, 1024):
            pass
    os.kill(os.getpid(), signal.SIGTERM)  # SIGINT is ignored by what was started in the background
    threading.Event().wait(_AFTER)
    os._exit(1)
