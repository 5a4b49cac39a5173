"""Reads and copies submitted folders safely: file by file, no link followed, sizes and counts limited.

An entrant may change the folder at any moment: what is checked is what was opened, and what is copied is hashed again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from playmill.lab.runs.store.reader import is_name
from playmill.report.files.atomic_file import reason_of
from playmill.texts import Text, one_line

#: A folder larger than this, with more files or folders, or deeper, is no bot.
_MOST_BYTES, _MOST_FILES, _MOST_DEPTH = 64 << 20, 2000, 16
#: What lies in a folder and is no part of the bot.
_LEFT_OUT = ("__pycache__", ".git", ".DS_Store")
#: Letters that nobody sees.
_INVISIBLE = "\u115f\u1160\u3164\uffa0"
#: How a folder and a file are opened; Windows, where no bot plays, has none of these.
_FOLDER = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"))
_FILE = sum(getattr(os, name, 0) for name in ("O_RDONLY", "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC"))


class RefusedError(Exception):
    """Raised when a folder cannot be accepted, with the reason."""

    def __init__(self, en: str, ru: str) -> None:
        super().__init__(en)
        self.why = Text(one_line(en), one_line(ru))


@dataclass(frozen=True)
class EntrantFolder:
    """An entrant's folder as it is now: a hash of its content, and why it cannot be accepted."""

    name: str
    path: Path
    #: The same for all that is refused for one reason: that is told once.
    code: str
    #: When anything in it was last changed.
    changed: float
    why: Text | None = None

    def refused(self, why: Text) -> EntrantFolder:
        """The same as one that cannot be taken."""
        code = hashlib.sha256(b"refused\0" + why.en.encode()).hexdigest()
        return replace(self, code=code, why=why)


@dataclass(frozen=True)
class _Found:
    """A file as it was when its folder was listed; equal ones have equal content."""

    path: tuple[str, ...]
    mode: int
    size: int
    changed: int
    changed_at_all: int
    number: int


class Intake:
    """The folders of all entrants; one that was not touched is not read again."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._known: dict[str, tuple[list[_Found], EntrantFolder]] = {}

    def folders(self) -> list[EntrantFolder]:
        """Returns all entrants' folders, by name; a link is one that is refused."""
        try:
            with os.scandir(self._place) as entries:
                names = sorted(
                    entry.name
                    for entry in entries
                    if not entry.name.startswith(".") and (entry.is_symlink() or entry.is_dir(follow_symlinks=False))
                )
        except OSError:
            return []
        return [self.look_into(name) for name in names]

    def look_into(self, name: str) -> EntrantFolder:
        """Returns what lies in an entrant's folder."""
        path = self._place / name
        try:
            _check_entrant(name)
            with _opened_folder(path) as place:
                found = _listed(place)
                listed, known = self._known.get(name, ([], None))
                if known is not None and listed == found:
                    return known
                code = _taken(place, found, None)
            latest = max((one.changed for one in found), default=0) / 1e9
            folder = EntrantFolder(name, path, code, latest)
            self._known[name] = found, folder
        except RefusedError as error:
            return EntrantFolder(name, path, "", 0.0).refused(error.why)
        return folder


def copy(source: Path, target: Path) -> str:
    """Copies a folder into a new one, and returns the hash of what was copied; raises RefusedError."""
    with _opened_folder(source) as place:
        return _taken(place, _listed(place), target)


def _check_entrant(name: str) -> None:
    seen = unicodedata.normalize("NFKC", name) == name and not any(sign in _INVISIBLE for sign in name)
    if not is_name(name) or not seen:
        raise RefusedError(
            "the folder's name may have letters, digits, and - _ . inside",
            "в имени папки бывают буквы, цифры и - _ . внутри",
        )


@contextmanager
def _opened_folder(path: Path) -> Iterator[int]:
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


def _listed(place: int) -> list[_Found]:
    """Returns all files below an open folder, those of each folder before those of the folders in it, by name.

    Nothing is opened but folders, and no more is listed than there may be.
    """
    found: list[_Found] = []
    counts = {"files": 0, "folders": 0, "bytes": 0}

    def look(folder: int, above: tuple[str, ...]) -> None:
        files: list[_Found] = []
        below: list[str] = []
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name in _LEFT_OUT:
                    continue
                _check_file_name(entry.name)
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
                files.append(_Found(path, status.st_mode & 0o111, status.st_size, *changed, status.st_ino))
        found.extend(sorted(files, key=lambda one: one.path))
        for name in sorted(below):
            with _inside(folder, name, _FOLDER) as inner:
                look(inner, (*above, name))

    try:
        look(place, ())
    except OSError as error:
        raise _unreadable("…", error) from None
    return found


def _taken(place: int, found: list[_Found], target: Path | None) -> str:
    """Returns a hash of these files, and copies them if a target is given."""
    digest, left = hashlib.sha256(), _MOST_BYTES
    if target is not None:
        target.mkdir()
    for one in found:
        mode, content = _content(place, one.path, left)
        left -= len(content)
        digest.update(f"\0{'/'.join(one.path)}\0{mode}\0".encode())
        digest.update(content)
        if target is not None:
            file = target.joinpath(*one.path)
            file.parent.mkdir(parents=True, exist_ok=True)
            made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o755 if mode else 0o644)
            with os.fdopen(made, "wb") as copied:
                copied.write(content)
    return digest.hexdigest()


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


def _check_file_name(name: str) -> None:
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
