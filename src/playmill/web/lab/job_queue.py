"""Job queue of the laboratory: one job after another, each in a process of its own of low priority.

Whatever has not ended goes on when the server starts again; the process of a job ends when the server does.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from playmill.lab.jobs import Job, JobState, new_job
from playmill.lab.jobs.__main__ import UNUSED
from playmill.lab.jobs.job import LOG, jobs_in
from playmill.texts import PlaymillError, Text

#: Jobs that run at the same time: each uses all cores.
AT_ONCE = 1
#: Jobs that may wait, and be stored.
MOST_WAITING, MOST_KEPT = 100, 2000
#: Seconds that the process of a job has to store what is finished.
_PATIENCE = 10.0
_PROGRAM = "playmill.lab.jobs"
#: Seconds after which the process for a job is started that somebody is about to ask for: a form takes longer to fill.
_SOON = 1.0


class JobQueue:
    """The jobs in a folder, and the processes that run them."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder, self._home = folder, home
        self._doing: dict[str, asyncio.subprocess.Process] = {}
        self._jobs = {job.id: job for job in jobs_in(folder)}
        #: A process that is ready for a job, and the environment it was started in.
        self._spare: tuple[asyncio.subprocess.Process, dict[str, str]] | None = None
        self._wants_spare = False
        self._endings: set[asyncio.Future[None]] = set()
        self._wake = asyncio.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = False

    def jobs(self) -> list[Job]:
        """All jobs, the newest first."""
        return sorted(self._jobs.values(), key=lambda job: (-job.created, job.id))

    def find(self, name: str) -> Job | None:
        """The job of that id."""
        return self._jobs.get(name)

    def about(self, game: str, name: str) -> Job:
        """The job about a game that an address names; raises if it is not there."""
        job = self.find(name)
        if job is None:
            raise PlaymillError(*gone(name))
        if (other := str(job.about.get("game", ""))) != game:
            raise PlaymillError(
                f"the job “{name}” is about {other}, not about {game}", f"задание «{name}» про {other}, а не про {game}"
            )
        return job

    def is_running(self, job: Job) -> bool:
        """Whether its process runs."""
        return job.id in self._doing

    def before(self, job: Job) -> int:
        """The number of jobs that wait before it."""
        return sum(
            other.created < job.created and other.state is JobState.WAITING and other.id != job.id
            for other in self._jobs.values()
        )

    def add(self, kind: str, game: str, arguments: Mapping[str, Any], about: Mapping[str, Any]) -> Job:
        """Adds a job to the queue."""
        if len(self._jobs) >= MOST_KEPT or sum(job.state is JobState.WAITING for job in self.jobs()) >= MOST_WAITING:
            raise PlaymillError(
                f"there are {len(self._jobs)} jobs already; remove some first",
                f"заданий уже {len(self._jobs)}; сначала удалите лишние",
            )
        job = new_job(self.folder, kind, game, arguments, about)
        self._jobs[job.id] = job
        self._wake_up()
        return job

    def get_ready(self) -> None:
        """Has a process ready soon for the next job, which somebody is about to ask for."""
        if self._loop is not None:
            self._loop.call_later(_SOON, self._want_spare)

    def _want_spare(self) -> None:
        self._wants_spare = True
        self._wake.set()

    def stop(self, job: Job) -> None:
        """Stops a job; what is finished of it stays."""
        job.stop()
        if (process := self._doing.get(job.id)) is not None:
            ending = asyncio.ensure_future(self._end(process))
            self._endings.add(ending)
            ending.add_done_callback(self._endings.discard)

    def resume(self, job: Job) -> None:
        """Puts a stopped job back in the queue."""
        job.go_on()
        self._wake_up()

    async def remove(self, job: Job) -> None:
        """Removes a job, done or not."""
        job.stop()
        self._jobs.pop(job.id, None)
        if (process := self._doing.get(job.id)) is not None:
            await self._end(process)
        await asyncio.to_thread(job.remove)

    async def run(self) -> None:
        """Runs jobs in the order in which they were added, until it is cancelled."""
        self._loop = asyncio.get_running_loop()
        following: set[asyncio.Task[None]] = set()
        try:
            while True:
                self._wake.clear()
                while len(self._doing) < AT_ONCE and (job := self._next()) is not None:
                    task = asyncio.create_task(self._follow(job, await self._start(job)))
                    following.add(task)
                    task.add_done_callback(following.discard)
                if self._wants_spare and not self._doing:
                    await self._start_spare()
                await self._wake.wait()
        finally:
            self._closing = True
            # Those of jobs that are being removed as well.
            for process in [*self._doing.values(), *(self._spare[:1] if self._spare is not None else ())]:
                await self._end(process)
            for task in following:
                task.cancel()

    def _wake_up(self) -> None:
        """Wakes up `run`; from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._wake.set)

    def _next(self) -> Job | None:
        waiting = [job for job in self.jobs() if job.id not in self._doing and job.state is JobState.WAITING]
        return waiting[-1] if waiting else None

    async def _start(self, job: Job) -> asyncio.subprocess.Process:
        process = self._taken_spare()
        if process is not None and process.stdin is not None:
            process.stdin.write(os.fsencode(job.folder) + b"\n")
        else:
            with (job.folder / LOG).open("ab") as log:
                process = await self._process(str(job.folder), log=log)
        self._doing[job.id] = process
        return process

    def _taken_spare(self) -> asyncio.subprocess.Process | None:
        """Returns the process that is ready for a job, if it is there and would do the same as a fresh one."""
        if self._spare is None:
            return None
        (process, environment), self._spare = self._spare, None
        if process.returncode is None and environment == dict(os.environ):
            return process
        if process.stdin is not None:
            process.stdin.close()
        return None

    async def _start_spare(self) -> None:
        """Starts a process that gets ready and waits for a job, unless there is one."""
        self._wants_spare = False
        if self._spare is None or self._spare[0].returncode is not None:
            environment = dict(os.environ)  # by the time that it is started there may be another
            self._spare = await self._process(log=asyncio.subprocess.DEVNULL), environment

    async def _process(self, *folder: str, log: IO[bytes] | int) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            _PROGRAM,
            *folder,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=log,
            env={**os.environ, "PLAYMILL_HOME": str(self._home)},
        )

    async def _follow(self, job: Job, process: asyncio.subprocess.Process) -> None:
        """Waits for the end of a process; a job whose process died has failed, so that it is not started for ever."""
        status = await process.wait()
        self._doing.pop(job.id, None)
        if not self._closing and job.id in self._jobs and job.state is JobState.WAITING and status != UNUSED:
            if status in (0, 1):
                job.stop()
            else:
                job.fail(_died(job, status))
        self._wake.set()

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        """Ends a process: with a signal, then by force."""
        with suppress(ProcessLookupError):
            process.terminate()  # what SIGINT asks for is ignored below a server that was started in the background
        try:
            await asyncio.wait_for(process.wait(), _PATIENCE)
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


def gone(name: str) -> Text:
    """The message for a job that does not exist."""
    return Text(
        f"there is no job “{name[:40]}” here; it may have been removed",
        f"задания «{name[:40]}» здесь нет; возможно, его удалили",
    )


def _died(job: Job, status: int) -> Text:
    how = signal.Signals(-status).name if status < 0 else str(status)
    log = job.folder / LOG
    return Text(f"its process ended by itself ({how}); see {log}", f"процесс прервался сам ({how}); см. {log}")
