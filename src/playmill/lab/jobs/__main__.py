"""`python -m playmill.lab.jobs FOLDER`: performs the job in a folder, at low priority.

It ends with whoever started it: when nobody holds the other end of its input any more, it stops as by Ctrl-C.
"""

from __future__ import annotations

import sys
from pathlib import Path

#: Seconds that the one who did the job before may take to end.
_BEFORE = 60.0


def main() -> int:
    """Performs the job; returns 0 if it has ended, well or not, 1 if it was stopped."""
    import traceback

    from filelock import FileLock, Timeout

    from playmill.lab.jobs.background_process import in_background
    from playmill.lab.jobs.job import Job, JobState
    from playmill.lab.jobs.perform import JobReporter, perform
    from playmill.texts import PlaymillError, Text

    in_background()
    folder = Path(sys.argv[1])
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
