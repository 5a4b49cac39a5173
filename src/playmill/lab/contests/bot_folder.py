"""Reads and copies the folder of a bot safely: file by file, no link followed, sizes and counts limited.

Whoever owns a folder may change it at any moment: what is checked is what was opened, and what is copied is hashed.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playmill.report.files.atomic_file import reason_of
from playmill.texts import Text, one_line

#: A folder larger than this, with more files or folders, or deeper, is no bot.
_MOST_BYTES, _MOST_FILES, _MOST_DEPTH = 64 << 20, 2000, 16
#: What lies in a folder and is no part of the bot.
_LEFT_OUT = ("__pycache__", ".git", ".DS_Store")
#: How a folder and a file are opened; Windows, where no bot plays, has none of these.
_FOLDER = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"))
_FILE = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"))


class RefusedError(Exception):
    """Raised when a folder cannot be accepted, with the reason."""

    def __init__(self, en: str, ru: str) -> None:
        super().__init__(en)
        self.why = Text(one_line(en), one_line(ru))


@dataclass(frozen=True)
class FoundFile:
    """A file as it was when its folder was listed; equal ones have equal content."""

    path: tuple[str, ...]
    mode: int
    size: int
    changed: int
    changed_at_all: int
    number: int


def copy(source: Path, target: Path) -> str:
    """Copies a folder into a new one, and returns the hash of what was copied; raises RefusedError."""
    with opened_folder(source) as place:
        return taken(place, listed_files(place), target)


@contextmanager
def opened_folder(path: Path) -> Iterator[int]:
    """Opens a folder that is no link, for a while."""
    if path.is_symlink():
        raise _link(path.name)
    try:
        place = os.open(path, _FOLDER)
    except OSError as error:
        raise _unreadable(path.name, error) from None
    try:
        yield place
    finally:
        os.close(place)


def listed_files(place: int) -> list[FoundFile]:
    """Returns all files below an open folder, those of each folder before those of the folders in it, by name.

    Nothing is opened but folders, and no more is listed than there may be.
    """
    found: list[FoundFile] = []
    counts = {"files": 0, "folders": 0, "bytes": 0}

    def look(folder: int, above: tuple[str, ...]) -> None:
        files: list[FoundFile] = []
        below: list[str] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name in _LEFT_OUT:
                    continue
                check_file_name(entry.name)
                if entry.is_symlink():
                    raise _link(entry.name)
                is_folder = entry.is_dir(follow_symlinks=False)
                counts["folders" if is_folder else "files"] += 1
                if counts["folders"] > _MOST_FILES or counts["files"] > _MOST_FILES or len(above) > _MOST_DEPTH:
                    raise _too_much()
                if is_folder:
                    below.append(entry.name)
                    continue
                status = entry.stat(follow_symlinks=False)
                _check_file(entry.name, status)
                counts["bytes"] += status.st_size
                if counts["bytes"] > _MOST_BYTES:
                    raise _too_much()
                path = (*above, entry.name)
                changed = status.st_mtime_ns, status.st_ctime_ns
                files.append(FoundFile(path, status.st_mode & 0o111, status.st_size, *changed, status.st_ino))
        found.extend(sorted(files, key=lambda one: one.path))
        for name in sorted(below):
            with _inside(folder, name, _FOLDER) as inner:
                look(inner, (*above, name))

    try:
        look(place, ())
    except OSError as error:
        raise _unreadable("…", error) from None
    return found


def taken(place: int, found: list[FoundFile], target: Path | None) -> str:
    """Returns a hash of these files of an open folder, and copies them if a target is given."""
    digest = hashlib.sha256()
    if target is not None:
        target.mkdir()
    for path, mode, content in contents(place, found):
        digest.update(f"\0{'/'.join(path)}\0{mode}\0".encode())
        digest.update(content)
        if target is not None:
            write_new(target.joinpath(*path), mode, content)
    return digest.hexdigest()


def contents(place: int, found: list[FoundFile]) -> Iterator[tuple[tuple[str, ...], int, bytes]]:
    """Yields the path, mode and content of these files of an open folder; raises RefusedError if it is too much."""
    left = _MOST_BYTES
    for one in found:
        mode, content = _content(place, one.path, left)
        left -= len(content)
        yield one.path, mode, content


def write_new(file: Path, mode: int, content: bytes) -> None:
    """Writes a file that is not there yet."""
    file.parent.mkdir(parents=True, exist_ok=True)
    made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755 if mode else 0o644)
    with os.fdopen(made, "wb") as copied:
        copied.write(content)


def _content(place: int, path: tuple[str, ...], most: int) -> tuple[int, bytes]:
    """Returns the mode and content of a file: opened folder by folder, so that no link is ever followed."""
    if len(path) > 1:
        with _inside(place, path[0], _FOLDER) as inner:
            return _content(inner, path[1:], most)
    with _inside(place, path[0], _FILE) as file:
        status = os.fstat(file)
        _check_file(path[0], status)
        with os.fdopen(file, "rb", closefd=False) as opened:
            content = opened.read(most + 1)
    if len(content) > most:
        raise _too_much()
    return status.st_mode & 0o111, content


@contextmanager
def _inside(place: int, name: str, flags: int) -> Iterator[int]:
    try:
        opened = os.open(name, flags, dir_fd=place)
    except OSError as error:
        raise _unreadable(name, error) from None
    try:
        yield opened
    finally:
        os.close(opened)


def check_file_name(name: str) -> None:
    """Raises RefusedError unless a name of a file can be shown."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise RefusedError(f"the name {name} is not UTF-8", f"имя {name} не в UTF-8") from None
    if not name.isprintable():
        raise RefusedError(
            f"the name {name} has characters that cannot be seen", f"в имени {name} есть невидимые символы"
        )


def _check_file(name: str, status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode) or status.st_nlink > 1:
        raise _link(name)


def _link(name: str) -> RefusedError:
    return RefusedError(f"{name} is a link, or no file: only files", f"{name} — ссылка или не файл: нужны файлы")


def _too_much() -> RefusedError:
    return RefusedError(
        f"more than {_MOST_BYTES >> 20} MB, {_MOST_FILES} files, or {_MOST_DEPTH} folders in each other",
        f"больше {_MOST_BYTES >> 20} МБ, {_MOST_FILES} файлов или {_MOST_DEPTH} вложенных папок",
    )


def _unreadable(name: str, error: OSError) -> RefusedError:
    reason = reason_of(error)
    return RefusedError(f"{name} cannot be read: {reason.en}", f"{name} не читается: {reason.ru}")
