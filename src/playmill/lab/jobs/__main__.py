"""`python -m playmill.lab.jobs FOLDER`: does the job in a folder, in the background of everything else.

It ends with whoever started it: when nobody holds the other end of its input any more, it stops as by Ctrl-C.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path

#: How much others go before.
_NICE = 10
#: Seconds that the one who did the job before may take to end, and this one, when it is told to.
_BEFORE, _AFTER = 60.0, 10.0


def main() -> int:
    """Does the job; 0 if it has come to an end, good or bad, 1 if it was stopped."""
    import traceback

    from filelock import FileLock, Timeout

    from playmill.lab.jobs.doing import Desk, perform
    from playmill.lab.jobs.job import Job, State
    from playmill.texts import PlaymillError, Text

    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(OSError, AttributeError):
        # Ctrl-C in a terminal is for who started it. The session stays: between sessions nobody gives way to anybody.
        os.setpgrp()
        os.nice(_NICE)
    folder = Path(sys.argv[1])
    try:
        with FileLock(folder / "lock", timeout=_BEFORE):
            job = Job.open(folder)
            if job.state in (State.DONE, State.FAILED):
                return 0
            try:
                whole, result = perform(job, Desk(job))
            except PlaymillError as error:
                job.fail(error.text)
            except Exception as error:
                traceback.print_exc()
                told = f"{type(error).__name__}: {error}"[:300]
                job.fail(Text(f"this went wrong within Playmill ({told})", f"это ошибка самого Playmill ({told})"))
            else:
                if not whole:
                    return 1
                job.end(result)
    except Timeout:
        return 1
    return 0


def _end_with_parent() -> None:
    """Waits until the other end of the input is closed, which it is when that process is gone."""
    with suppress(OSError, ValueError):
        while os.read(0, 1024):
            pass
    os.kill(os.getpid(), signal.SIGTERM)  # SIGINT is ignored by what was started in the background
    threading.Event().wait(_AFTER)
    os._exit(1)


if __name__ == "__main__":
    from playmill.stopping import run_program

    sys.exit(run_program(main))
