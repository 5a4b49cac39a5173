"""Journal of an audit: readings of its clock and observations, saved as they are made, so that a killed audit resumes.

An audit does the same things in the same order whenever it reads the same times and observes the same. So whoever asks
the same again finds here when the clock was read, and what was played before; only the rest is played. A line holds its
own hash: one that is cut or changed does not count, and what was in it is played again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from playmill.home import home, make_private
from playmill.lab.audit.clock import AuditClock
from playmill.lab.audit.observations import Observations, RecordTypes, packed, unpacked
from playmill.lab.runs.kept_work import KeptDescription, work_name
from playmill.lab.runs.saved_progress import LONG, Keep
from playmill.lab.runs.store.lock import RunLock
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.texts import PlaymillError
from playmill.version import __version__

FILE = "journal.jsonl"
_FORM = 1
#: The most bytes of a journal: what comes after that is played again.
_MOST = 1 << 26
#: Seconds between two flushes to the disk: a process that is killed loses nothing, a machine without power this much.
_FLUSH = 1.0
_HASH = 16


def audits_folder() -> Path:
    """Returns the folder of kept audits, beside the kept runs."""
    return home() / "audits"


@dataclass(frozen=True)
class _Place:
    """Where a saved piece lies in the file, and how long it took."""

    offset: int
    length: int
    seconds: float


class AuditJournal:
    """What one audit has played; `keep` is True, False, None (kept if it takes long, or was before), or a folder."""

    def __init__(self, what: Mapping[str, Any], *, keep: Keep, command: str | None = None) -> None:
        self._what = {"form": _FORM, "playmill": __version__, **what}
        text = json.dumps(self._what, sort_keys=True, separators=(",", ":"))
        self.name = work_name(str(what["game"]), text)
        self._folder = (keep if isinstance(keep, Path) else audits_folder()) / self.name
        self._keep = True if isinstance(keep, Path) else keep
        self._command = command
        self._file: IO[bytes] | None = None
        self._held = ExitStack()
        #: Lines that are not on disk yet, because nobody knows whether it will take long.
        self._waiting: list[bytes] = []
        self._begun = self._flushed = time.monotonic()
        self._readings: list[float] = []
        self._notes: dict[str, Any] = {}
        self._pieces: dict[str, dict[tuple[int, int], _Place]] = {}
        self._size = 0
        self._description: KeptDescription | None = None
        #: Seconds of play that were found here.
        self.before = 0.0
        self.clock = AuditClock()

    def __enter__(self) -> AuditJournal:
        if self._keep:
            self._hold()
        elif self._keep is None and (self._folder / FILE).is_file():
            with suppress(PlaymillError):  # another process is at it: then this one keeps nothing
                self._hold()
        self.before = self._readings[-1] if self._readings else 0.0
        self.clock = AuditClock(tuple(self._readings), lambda number, now: self._write({"read": number, "clock": now}))
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()
        self._held.close()

    @property
    def kept(self) -> bool:
        """Whether what is played is on disk."""
        return self._file is not None

    def note(self, name: str, find: Callable[[], str]) -> str:
        """Returns what was found out before under a name; else finds it out, and keeps it."""
        if name not in self._notes:
            self._notes[name] = find()
            self._write({"note": name, "value": self._notes[name]})
        return str(self._notes[name])

    def tell(self, share: float, *, complete: bool = False) -> None:
        """Says how far the audit is."""
        if self._description is not None and (complete or not self.clock.repeats):
            self._description.note(round(1000 * share), 1000, complete=complete)

    def saved(self, key: str, numbers: range, records: RecordTypes) -> dict[range, tuple[Observations, float]]:
        """Returns what was observed before of some numbers, without gaps or doubles in a piece, with its seconds."""
        found: dict[range, tuple[Observations, float]] = {}
        reached = numbers.start
        for (first, end), place in sorted(self._pieces.get(key, {}).items()):
            if reached <= first < end <= numbers.stop and (piece := self._load(place, records)) is not None:
                found[range(first, end)] = piece, place.seconds
                reached = end
        return found

    def add(self, key: str, numbers: range, observations: Observations, seconds: float) -> None:
        """Saves what was observed of some numbers, as long as there is room."""
        if self._keep is False or self._size > _MOST:
            return
        data = base64.b64encode(packed(observations)).decode()
        head = {"key": key, "first": numbers.start, "end": numbers.stop, "seconds": round(seconds, 4)}
        self._write({**head, "data": data})

    def _load(self, place: _Place, records: RecordTypes) -> Observations | None:
        assert self._file is not None
        try:
            self._file.seek(place.offset)
            record = _record(self._file.read(place.length))
            return unpacked(base64.b64decode(record["data"], validate=True), records) if record else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def _write(self, record: Mapping[str, Any]) -> None:
        """Adds a line; raises if it was to be kept and cannot be."""
        if self._keep is False:
            return
        line = _line(record)
        try:
            if self._file is None:
                self._waiting.append(line)
                if time.monotonic() - self._begun > LONG:
                    self._hold()
                return
            self._append(line)
        except PlaymillError:
            if self._keep:
                raise
            self._keep = False  # nobody has asked for it

    def _append(self, line: bytes) -> None:
        assert self._file is not None
        try:
            self._file.seek(0, os.SEEK_END)
            self._file.write(line)
            self._file.flush()
            self._size += len(line)
            if time.monotonic() - self._flushed > _FLUSH:
                os.fsync(self._file.fileno())
                self._flushed = time.monotonic()
        except OSError as error:
            raise cannot_write(self._folder / FILE, reason_of(error)) from None

    def _hold(self) -> None:
        try:
            make_private(self._folder)
        except OSError as error:
            raise cannot_write(self._folder, reason_of(error)) from None
        self._held.enter_context(RunLock(self._folder, self.name))
        waiting, self._waiting = self._waiting, []
        try:
            self._open(self._folder / FILE, fresh=bool(waiting))
        except OSError as error:
            raise cannot_write(self._folder / FILE, reason_of(error)) from None
        self._description = KeptDescription(
            self._folder, kind="audit", game=str(self._what["game"]), command=self._command
        )
        for line in waiting:
            self._append(line)

    def _open(self, path: Path, *, fresh: bool) -> None:
        """Reads the lines that are whole, if they are of the same question; whoever has begun already starts anew."""
        self._file = path.open("r+b" if path.exists() else "w+b")
        offset = 0
        for number, line in enumerate(self._file):
            if not line.endswith(b"\n"):
                break
            record = _record(line)
            if number == 0 and (fresh or record is None or record.get("what") != json.loads(json.dumps(self._what))):
                break
            if record is not None:
                self._take(record, offset, len(line))
            offset += len(line)
        self._file.truncate(offset)
        self._size = offset
        if not offset:
            self._append(_line({"what": self._what}))

    def _take(self, record: Mapping[str, Any], offset: int, length: int) -> None:
        with suppress(KeyError, TypeError, ValueError):
            if "read" in record:
                # After a reading that is lost none counts but those that were made instead.
                if record["read"] == len(self._readings):
                    self._readings.append(float(record["clock"]))
            elif "note" in record:
                self._notes[record["note"]] = record["value"]
            elif "key" in record:
                place = _Place(offset, length, float(record["seconds"]))
                self._pieces.setdefault(record["key"], {})[int(record["first"]), int(record["end"])] = place


def _line(record: Mapping[str, Any]) -> bytes:
    text = json.dumps(record, separators=(",", ":"), allow_nan=False).encode()
    return b" ".join((hashlib.sha256(text).hexdigest()[:_HASH].encode(), text)) + b"\n"


def _record(line: bytes) -> dict[str, Any] | None:
    """Returns what a line holds; None if it is not what was written."""
    check, _, text = line.rstrip(b"\n").partition(b" ")
    if hashlib.sha256(text).hexdigest()[:_HASH].encode() != check:
        return None
    found = json.loads(text)
    return found if isinstance(found, dict) else None
