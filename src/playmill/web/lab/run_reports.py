"""Reports of kept runs, made by subprocesses when a page asks for them, and cached until the server ends."""

from __future__ import annotations

import asyncio
import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from playmill.lab.jobs.kept_report import RESULTS, TROUBLE, page_file
from playmill.lab.runs.store.manifest import MANIFEST
from playmill.texts import Lang, Text

#: Reports that are made at the same time, and that are cached.
_AT_ONCE, _MOST = 1, 64
_DIED = Text("the report could not be made: its process ended", "отчёт не сделан: его процесс прервался")


@dataclass(frozen=True)
class RunReport:
    """The report of a kept run, or of two compared: files in a folder, or the message why there are none."""

    folder: Path

    @property
    def trouble(self) -> Text | None:
        """The message why there is no report, if so."""
        with suppress(OSError, ValueError, TypeError):
            return Text(*json.loads((self.folder / TROUBLE).read_text(encoding="utf-8")))
        return None if (self.folder / RESULTS).exists() else _DIED

    def page(self, lang: Lang) -> str:
        """The report, as `--html` writes it."""
        return (self.folder / page_file(lang)).read_text(encoding="utf-8")

    def results(self) -> str:
        """All figures, as JSON."""
        return (self.folder / RESULTS).read_text(encoding="utf-8")


class RunReports:
    """Makes and caches reports of the runs in a folder; a run that has changed gets a new one."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._folder: Path | None = None
        self._made: dict[str, asyncio.Task[RunReport]] = {}
        self._turn = asyncio.Semaphore(_AT_ONCE)
        self._doing: set[asyncio.subprocess.Process] = set()

    async def report(self, names: Sequence[str]) -> RunReport:
        """The report of a run, or of two compared."""
        key = await asyncio.to_thread(self._key, names)
        if key not in self._made:
            self._made[key] = asyncio.ensure_future(self._make(key, names))
            for old in list(self._made)[:-_MOST]:
                await self._forget(old)
        # Whoever goes away does not take it from those who wait, too.
        shown = await asyncio.shield(self._made[key])
        if shown.trouble is not None:  # what is wrong may be mended in the meantime
            self._made.pop(key, None)
        return shown

    async def _forget(self, key: str) -> None:
        """Removes a report, unless it is being made."""
        if self._made[key].done():
            self._made.pop(key)
            if self._folder is not None:
                await asyncio.to_thread(shutil.rmtree, self._folder / key, ignore_errors=True)

    def _key(self, names: Sequence[str]) -> str:
        """The cache key: a hash of the manifests, which change with every chunk that is finished."""
        made = hashlib.sha256()
        for name in names:
            made.update(name.encode() + b"\0")
            with suppress(OSError):
                made.update((self._home / "runs" / name / MANIFEST).read_bytes())
        return made.hexdigest()

    async def _make(self, key: str, names: Sequence[str]) -> RunReport:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="playmill-reports-"))
        folder = self._folder / key
        async with self._turn:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
            await asyncio.to_thread(folder.mkdir)
            process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "playmill.lab.jobs.kept_report",
                str(folder),
                *names,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
                env={**os.environ, "PLAYMILL_HOME": str(self._home)},
            )
            self._doing.add(process)
            try:
                await process.wait()
            finally:
                self._doing.discard(process)
        return RunReport(folder)

    async def close(self) -> None:
        """Ends the processes and removes the cache."""
        for process in [*self._doing]:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()  # a loop that is closed before hears of its end too late, and complains
        for task in self._made.values():
            with suppress(asyncio.CancelledError, OSError):
                task.cancel()
                await task
        if self._folder is not None:
            await asyncio.to_thread(shutil.rmtree, self._folder, ignore_errors=True)
