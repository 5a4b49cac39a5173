"""The manifest of a kept run: what is finished, in which files, how long they are and what they hash to."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from playmill.report.draft import cannot_write, reason_of
from playmill.texts import PlaymillError

FORM = 1
#: What there is of a chunk: its counts, and its games one by one, as games and as seats.
COUNTS, GAMES, SEATS = KINDS = ("counts", "games", "seats")
#: How the names of files begin that are being written.
ASIDE = ".new-"
_BITE = 1 << 20


@dataclass(frozen=True, order=True)
class KeptFile:
    """A file of a run: its path below the run's folder, its length and its hash."""

    path: str
    size: int
    sha256: str

    def json(self) -> dict[str, Any]:
        """The form in which it is written."""
        return {"path": self.path, "size": self.size, "sha256": self.sha256}


@dataclass(frozen=True, order=True)
class KeptChunk:
    """A chunk that is finished: games first … first+games-1, and its files by kind."""

    first: int
    games: int
    files: Mapping[str, KeptFile] = field(compare=False)

    @property
    def end(self) -> int:
        """The number of the game after the last."""
        return self.first + self.games

    def json(self) -> dict[str, Any]:
        """The form in which it is written."""
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
    """What is known of a run beside its plan: the games wanted and finished, and who played them when."""

    plan: str
    first: int
    end: int
    rows: bool
    #: Finished chunks by their first game.
    done: dict[int, KeptChunk] = field(default_factory=dict)
    sessions: list[dict[str, Any]] = field(default_factory=list)

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
        """The form in which it is written."""
        return {
            "form": FORM,
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
        """The manifest in a file; raises unless it is whole."""
        if not path.is_file():
            raise PlaymillError(f"run {source} has no manifest.json", f"прогон {source}: нет manifest.json")
        try:
            saved = json.loads(path.read_bytes())
            data = saved["manifest"]
            if saved["sha256"] != hash_of(_text(data).encode()):
                raise ValueError
            if data["form"] != FORM:
                raise PlaymillError(
                    f"run {source}: its manifest has form {data['form']!r}; this Playmill reads form {FORM}",
                    f"прогон {source}: манифест в форме {data['form']!r}, а эта версия Playmill читает форму {FORM}",
                )
            chunks = [chunk_from_json(chunk) for chunk in data["chunks"]]
            done = {chunk.first: chunk for chunk in chunks}
            return cls(data["plan"], data["first"], data["end"], data["rows"], done, data["sessions"])
        except PlaymillError:
            raise
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise PlaymillError(
                f"run {source}: its manifest.json is damaged, nothing can be read without it",
                f"прогон {source}: manifest.json повреждён, без него ничего не прочитать",
            ) from None


def chunk_from_json(data: Any) -> KeptChunk:
    """A finished chunk as it is written; raises unless its files lie below the run's folder."""
    files = {kind: KeptFile(**file) for kind, file in data["files"].items()}
    for file in files.values():
        # By hand: there may be a million of them.
        if file.path.startswith("/") or ".." in file.path.split("/"):
            raise ValueError
    return KeptChunk(data["first"], data["games"], files)


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def hash_of(data: bytes) -> str:
    """The hash that stands in manifests."""
    return hashlib.sha256(data).hexdigest()


def make_folder(folder: Path) -> None:
    """Makes a folder and those it lies in, if they are not there; raises a sentence if that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, reason_of(error)) from None


def write_through(path: Path, data: bytes) -> None:
    """Writes a file that outlives a crash right after: aside, flushed, renamed, the names in its folder flushed."""
    write_aside(path, data)
    flush_folder(path.parent)


def write_aside(path: Path, data: bytes, *, mark: str = "") -> None:
    """Writes a file aside, flushes it and puts it in its place; its name is safe when the folder is flushed.

    Where several may write the same file at once, each needs a mark of its own.
    """
    aside = path.with_name(f"{ASIDE}{path.name}{mark}")
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise cannot_write(path, reason_of(error)) from None


def flush_folder(folder: Path) -> None:
    """Has the disk write the names of a folder's files, where it can be asked to."""
    with suppress(OSError):  # not on Windows, nor on some disks of other machines
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def is_sound(folder: Path, file: KeptFile, *, hashed: bool = True) -> bool:
    """Whether a file is there and is what was written."""
    try:
        path = folder / file.path
        if path.stat().st_size != file.size:
            return False
        if not hashed:
            return True
        digest = hashlib.sha256()
        for bite in _bites(path):
            digest.update(bite)
        return digest.hexdigest() == file.sha256
    except OSError:
        return False


def _bites(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while bite := file.read(_BITE):
            yield bite
