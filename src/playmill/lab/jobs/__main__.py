"""`python -m playmill.lab.jobs [FOLDER]`: performs the job in a folder, at low priority.

Without a folder it gets ready, and waits for one on its input: so a job begins at once. It ends with whoever started
it: when nobody holds the other end of its input any more, it stops as by Ctrl-C.
"""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

#: Seconds that the one who did the job before may take to end, and that one without a job waits for it.
_BEFORE, _IDLE = 60.0, 900.0
#: What nearly every job needs, and what takes long to import.
_NEEDED = (
    *(f"playmill.{module}" for module in ("lab.jobs.perform", "lab.decide.compare", "lab.decide.sweep")),
    *(f"playmill.{module}" for module in ("defaults.modules", "author.report", "author.words", "author.observation")),
    *("llvmlite.binding", "scipy.special"),
)
#: The status of one that waited for a job and got none.
UNUSED = 3


def main() -> int:
    """Performs the job; returns 0 if it has ended, well or not, 1 if it was stopped, 3 if there was none."""
    from playmill.lab.jobs.background_process import end_with_parent, lower_priority

    lower_priority()
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else _awaited()
    if folder is None:
        return UNUSED
    end_with_parent()
    return _perform(folder)


def _awaited() -> Path | None:
    """Imports what jobs need, and returns the folder that comes on the input; None if none comes."""
    from importlib import import_module

    from playmill.lab.jobs.job import LOG

    for module in _NEEDED:
        import_module(module)
    # Elsewhere than on Unix only sockets can be waited for; there it waits as long as its parent lives.
    if os.name == "posix" and not select.select([0], [], [], _IDLE)[0]:
        return None
    line = b""
    while not line.endswith(b"\n"):
        if not (byte := os.read(0, 1)):
            return None
        line += byte
    folder = Path(os.fsdecode(line[:-1]))
    with (folder / LOG).open("ab") as log:
        os.dup2(log.fileno(), 2)
    return folder


def _perform(folder: Path) -> int:
    """Performs the job in a folder."""
    import traceback

    from filelock import FileLock, Timeout

    from playmill.lab.jobs.job import Job, JobState
    from playmill.lab.jobs.perform import JobReporter, perform
    from playmill.texts import PlaymillError, Text

    try:
        with FileLock(folder / "lock", timeout=_BEFORE):
            job = Job.open(folder)
            if job.state in (JobState.DONE, JobState.FAILED):
                return 0
            try:
                whole, result = perform(job, JobReporter(job))
            except PlaymillError as error:
                job.fail(error.text)
            except Exception as error:
                traceback.print_exc()
                message = f"{type(error).__name__}: {error}"[:300]
                job.fail(
                    Text(f"this went wrong within Playmill ({message})", f"это ошибка самого Playmill ({message})")
                )
            else:
                if not whole:
                    return 1
                job.end(result)
    except Timeout:
        return 1
    return 0


if __name__ == "__main__":
    from playmill.interrupts import run_program

    sys.exit(run_program(main))
