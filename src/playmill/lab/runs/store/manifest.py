"""The manifest of a kept run: finished chunks with the sizes and hashes of their files, and durable file writing."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from playmill.home import make_private
from playmill.lab.io.untrusted import (
    MOST_CHUNK,
    MOST_MANIFEST,
    expect,
    expect_count,
    expect_moment,
    expect_text,
    json_of_bytes,
    open_regular,
    read_regular,
    shallow,
)
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.texts import PlaymillError

MANIFEST = "manifest.json"
#: The forms in which manifests are written and read; the second has blocks, which hold the counts of several chunks.
PLAIN, BLOCKS = FORMS = (1, 2)
#: What there is of a chunk: its counts, and its games one by one, as games and as seats.
COUNTS, GAMES, SEATS = KINDS = ("counts", "games", "seats")
#: The folders and the endings of a chunk's files.
FOLDERS = {COUNTS: "counts", GAMES: "rows", SEATS: "rows"}
_ENDINGS = {COUNTS: ".json", GAMES: ".games.parquet", SEATS: ".seats.parquet"}
#: The latest game there can be, and how many sessions may have played a run.
_MOST_GAMES, _MOST_SESSIONS = 2**62, 100_000
#: How the names of files begin that are being written.
ASIDE = ".new-"


@dataclass(frozen=True, order=True)
class KeptFile:
    """A file of a run: path below the run's folder, length and hash."""

    path: str
    size: int
    sha256: str

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is written."""
        return {"path": self.path, "size": self.size, "sha256": self.sha256}


@dataclass(frozen=True, order=True)
class KeptChunk:
    """A finished chunk, or a block of them: games first … first+games-1, and their files by kind."""

    first: int
    games: int
    files: Mapping[str, KeptFile] = field(compare=False)

    @property
    def end(self) -> int:
        """The number of the game after the last."""
        return self.first + self.games

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is written."""
        files = {kind: self.files[kind].json() for kind in KINDS if kind in self.files}
        return {"first": self.first, "games": self.games, "files": files}


class FinishedChunk(NamedTuple):
    """A chunk and the contents of those of its files that are not written yet."""

    chunk: KeptChunk
    unwritten: Mapping[str, bytes] = {}

    def written(self, folder: Path, *, mark: str = "") -> FinishedChunk:
        """The same, with all of its files in the run's folder; equal marks belong to one writer."""
        for kind, content in self.unwritten.items():
            write_aside(folder / self.chunk.files[kind].path, content, mark=mark)
        return FinishedChunk(self.chunk)


@dataclass
class Manifest:
    """State of a run beside its plan: games wanted and finished, and the sessions that played them."""

    plan: str
    first: int
    end: int
    rows: bool
    #: Finished chunks by their first game.
    done: dict[int, KeptChunk] = field(default_factory=dict)
    sessions: list[dict[str, Any]] = field(default_factory=list)
    form: int = PLAIN

    @property
    def chunks(self) -> list[KeptChunk]:
        """Finished chunks in the order of games."""
        return [self.done[first] for first in sorted(self.done)]

    @property
    def games(self) -> int:
        """How many games are finished."""
        return sum(chunk.games for chunk in self.done.values())

    @property
    def complete(self) -> bool:
        """Whether all games that are wanted are finished."""
        return self.games == self.end - self.first

    def json(self) -> dict[str, Any]:
        """Returns the JSON form, as it is written."""
        return {
            "form": self.form,
            "plan": self.plan,
            "first": self.first,
            "end": self.end,
            "rows": self.rows,
            "chunks": [chunk.json() for chunk in self.chunks],
            "sessions": self.sessions,
        }

    def write(self, path: Path) -> None:
        """Puts it in the place of the last one, at once."""
        body = _text(self.json())
        write_through(path, f'{{"sha256":"{hash_of(body.encode())}",\n"manifest":{body}}}\n'.encode())

    @classmethod
    def read(cls, path: Path, source: str) -> Manifest:
        """Returns the manifest in a file; raises unless it is whole."""
        if not path.is_file():
            raise PlaymillError(f"run {source} has no manifest.json", f"прогон {source}: нет manifest.json")
        try:
            saved = expect(dict, json_of_bytes(read_regular(path, MOST_MANIFEST)))
            data = expect(dict, saved["manifest"])
            if saved["sha256"] != hash_of(_text(data).encode()):
                raise ValueError
            if expect(int, data["form"]) not in FORMS:
                form = expect_text(str(data["form"]), 20)
                raise PlaymillError(
                    f"run {source}: its manifest has form {form}; this Playmill reads forms up to {FORMS[-1]}",
                    f"прогон {source}: манифест в форме {form}, а эта версия Playmill читает формы до {FORMS[-1]}",
                )
            first, end = expect_count(data["first"], _MOST_GAMES), expect_count(data["end"], _MOST_GAMES)
            chunks = [chunk_from_json(chunk) for chunk in expect(list, data["chunks"])]
            made = cls(expect_text(data["plan"]), first, end, expect(bool, data["rows"]))
            made.done = {chunk.first: chunk for chunk in chunks}
            made.sessions = [_session(one) for one in expect(list, data["sessions"])]
            made.form = data["form"]
            made._check_chunks(len(chunks))
            return made
        except PlaymillError:
            raise
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            raise PlaymillError(
                f"run {source}: its manifest.json is damaged, nothing can be read without it",
                f"прогон {source}: manifest.json повреждён, без него ничего не прочитать",
            ) from None

    def _check_chunks(self, listed: int) -> None:
        """Raises ValueError unless chunks follow one another among the games wanted, each with all of its files."""
        kinds = set(KINDS) if self.rows else {COUNTS}
        at = self.first
        for chunk in self.chunks:
            if chunk.first < at or not kinds <= chunk.files.keys():
                raise ValueError
            at = chunk.end
        if listed != len(self.done) or at > self.end or len(self.sessions) > _MOST_SESSIONS:
            raise ValueError


def chunk_from_json(data: Any) -> KeptChunk:
    """Reads a finished chunk; raises unless its files are those of such a chunk."""
    first, games = expect_count(data["first"], _MOST_GAMES), expect_count(data["games"], _MOST_GAMES)
    files: dict[str, KeptFile] = {}
    for kind, file in expect(dict, data["files"]).items():
        # By hand: there may be a million of them.
        path, size, sha256 = file["path"], expect_count(file["size"], MOST_CHUNK), file["sha256"]
        if path != path_of(first, first + games, kind) or not isinstance(sha256, str) or len(file) != 3:
            raise ValueError
        files[kind] = KeptFile(path, size, sha256)
    if not games:
        raise ValueError
    return KeptChunk(first, games, files)


def path_of(first: int, end: int, kind: str) -> str:
    """Returns the path of a chunk's file below the run's folder."""
    return f"{FOLDERS[kind]}/{first:015d}-{end:015d}{_ENDINGS[kind]}"


def _session(data: Any) -> dict[str, Any]:
    """Validates the record of a session as reports read it."""
    expect_moment(expect(dict, data)["when"])
    expect_text(data["backend"], 100)
    expect_count(data["games"])
    expect_count(data.get("workers", 1))
    if not 0 <= expect(int | float, data["seconds"]) < math.inf:
        raise ValueError
    return dict(shallow(data))


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def hash_of(data: bytes) -> str:
    """Returns the hash used in manifests."""
    return hashlib.sha256(data).hexdigest()


def make_folder(folder: Path) -> None:
    """Creates a folder and its parents; raises a message if that fails."""
    try:
        make_private(folder)
    except OSError as error:
        raise cannot_write(folder, reason_of(error)) from None


def write_through(path: Path, data: bytes, *, private: bool = False) -> None:
    """Writes a file durably: aside, flushed, renamed, and the folder's names flushed."""
    write_aside(path, data, private=private)
    flush_folder(path.parent)


def write_aside(path: Path, data: bytes, *, mark: str = "", private: bool = False) -> None:
    """Writes a file aside, flushes and renames it; its name is durable when the folder is flushed.

    Where several may write the same file at once, each needs a mark of its own. A `private` one is its owner's alone.
    """
    aside = path.with_name(f"{ASIDE}{path.name}{mark}")
    try:
        aside.unlink(missing_ok=True)
        # A link that lies there would have another file written.
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(aside, flags, 0o600 if private else 0o666), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise cannot_write(path, reason_of(error)) from None


def flush_folder(folder: Path) -> None:
    """Flushes the names of a folder's files to disk, where the system allows it."""
    with suppress(OSError):  # not on Windows, nor on some disks of other machines
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def is_sound(folder: Path, file: KeptFile, *, hashed: bool = True) -> bool:
    """Returns whether a file is there, is a regular file, and matches its record."""
    try:
        with os.fdopen(open_regular(folder / file.path), "rb") as opened:
            if os.fstat(opened.fileno()).st_size != file.size:
                return False
            return not hashed or hashlib.file_digest(opened, "sha256").hexdigest() == file.sha256
    except OSError:
        return False
