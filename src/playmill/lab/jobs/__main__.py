"""`python -m playmill.lab.jobs FOLDER`: does the job in a folder, in the background of everything else.

It ends with whoever started it: when nobody holds the other end of its input any more, it stops as by Ctrl-C.
"""

from __future__ import annotations

import sys
from pathlib import Path

#: Seconds that the one who did the job before may take to end.
_BEFORE = 60.0


def main() -> int:
    """Does the job; 0 if it has come to an end, good or bad, 1 if it was stopped."""
    import traceback

    from filelock import FileLock, Timeout

    from playmill.lab.jobs.background import in_background
    from playmill.lab.jobs.doing import Desk, perform
    from playmill.lab.jobs.job import Job, State
    from playmill.texts import PlaymillError, Text

    in_background()
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


if __name__ == "__main__":
    from playmill.stopping import run_program

    sys.exit(run_program(main))
