"""Journal of a tuning: every reading is saved when it is made, so that a killed tuning resumes.

A tuning does the same things in the same order whenever it is asked the same; what it has read before it finds here. So
the trials after a stop are those that would have come without it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from playmill.home import home, make_private
from playmill.lab.runs.kept_work import KeptDescription, work_name
from playmill.lab.runs.store.lock import RunLock
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.stats.goal_loss import Reading

FILE = "journal.jsonl"
_FORM = 1


def tunings_folder() -> Path:
    """Returns the folder of journals, beside the kept runs."""
    return home() / "tunings"


class Journal:
    """Readings of one tuning, by setting, seed and deals; without a folder they are kept in memory only."""

    def __init__(self, what: Mapping[str, Any], *, kept: bool, command: str | None = None) -> None:
        self.what = {"form": _FORM, **what}
        text = json.dumps(self.what, sort_keys=True, separators=(",", ":"))
        self.name = work_name(str(what["game"]), text)
        self._readings: dict[tuple[str, int, int], tuple[Reading, int]] = {}
        #: Seconds that were spent on what is in it.
        self.seconds = 0.0
        #: Answers of agents that could not be used in the games of what is in it.
        self.unused = 0
        #: After how many trials the time was up.
        self.over: int | None = None
        self._file: IO[bytes] | None = None
        self._held = ExitStack()
        self._first = text
        self._folder = tunings_folder() / self.name if kept else None
        self._command = command
        self._description: KeptDescription | None = None

    def __enter__(self) -> Journal:
        if self._folder is not None:
            try:
                make_private(self._folder)
                self._held.enter_context(RunLock(self._folder, self.name))
                self._open(self._folder / FILE)
            except OSError as error:
                raise cannot_write(self._folder, reason_of(error)) from None
            self._description = KeptDescription(
                self._folder, kind="tune", game=str(self.what["game"]), command=self._command
            )
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
        if self._folder is not None and not self._readings:  # nothing to go on with; as long as nobody else can begin
            shutil.rmtree(self._folder, ignore_errors=True)
        self._held.close()

    def __len__(self) -> int:
        return len(self._readings)

    @property
    def folder(self) -> Path | None:
        """Where it lies, if it is kept."""
        return self._folder

    def find(self, setting: str, seed_step: int, deals: int) -> tuple[Reading, int] | None:
        """Returns what was read before, and how many games were played for it."""
        return self._readings.get((setting, seed_step, deals))

    def add(
        self, setting: str, seed_step: int, deals: int, reading: Reading, *, games: int, unused: int, seconds: float
    ) -> None:
        """Keeps a reading, with the games that were played for it, answers that could not be used, and the time."""
        self._readings[setting, seed_step, deals] = reading, games
        self.seconds += seconds
        self.unused += unused
        kept = {"setting": setting, "luck": seed_step, "deals": deals, "games": games, "seconds": round(seconds, 4)}
        self._write({**kept, "unused": unused, "reading": reading.json()})

        self.tell()

    def tell(self, *, complete: bool = False) -> None:
        """Describes how many readings there are, and whether they are all."""
        if self._description is not None:
            self._description.note(len(self), 0, complete=complete)

    def end_search(self, trials: int) -> None:
        """The time is up: whoever goes on must not search further."""
        self.over = trials
        self._write({"over": trials})

    def _write(self, record: Mapping[str, Any]) -> None:
        if self._file is None:
            return
        try:
            self._file.write(json.dumps(record, separators=(",", ":"), allow_nan=False).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            assert self._folder is not None
            raise cannot_write(self._folder / FILE, reason_of(error)) from None

    def _open(self, path: Path) -> None:
        """Reads what is whole, and goes on behind it: a line that was cut short was never finished."""
        text = path.read_bytes() if path.exists() else b""
        whole = 0
        for number, line in enumerate(text.splitlines(keepends=True)):
            if not line.endswith(b"\n") or not self._take(number, line):
                break
            whole += len(line)
        self._file = path.open("r+b" if path.exists() else "w+b")
        self._file.truncate(whole)
        self._file.seek(whole)
        if not whole:
            self._write(self.what)

    def _take(self, number: int, line: bytes) -> bool:
        try:
            record = json.loads(line)
            if number == 0:
                return bool(record == json.loads(self._first))
            if "over" in record:
                self.over = int(record["over"])
            else:
                place = (record["setting"], record["luck"], record["deals"])
                self._readings[place] = Reading.from_json(record["reading"]), int(record["games"])
                self.seconds += record["seconds"]
                self.unused += int(record.get("unused", 0))
        except (ValueError, KeyError, TypeError):
            return False
        return True
