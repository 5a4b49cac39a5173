"""Disk cache: entries are used only if this user wrote them and their hash matches.

A cache is a folder for things that belong together, under a name made of what they were computed from. Everything in it
can be computed anew, so nothing that is wrong with a folder or with a file in it is an error: it is said once, in one
sentence, and work goes on as if the file were not there. Each file begins with a checksum over its path and content; it
is written under a temporary name and moved into place whole, so that readers and writers need not know of each other.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import tempfile
import time
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path

from playmill.stdio import complain
from playmill.texts import Text, user_language

#: Caches unused for this many days are deleted, temporary files of processes that were killed after one.
_KEEP_DAYS = 30
_DRAFT_DAYS = 1
_DAY = 86400
#: Names of caches end like this; nothing else in the folder is ever deleted.
_KEY_DIGITS = 20
_OURS = re.compile(rf"\.?[\w-]+-[0-9a-f]{{{_KEY_DIGITS}}}(\.\w+)*")
_MARK = b"playmill kept 1\n"
_HEAD = len(_MARK) + 8 + 32
#: Neither follow a link, nor wait for whoever writes into a pipe.
_READ = os.O_RDONLY | sum(getattr(os, flag, 0) for flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"))

_reported: set[Text] = set()


def cache_folder() -> Path | None:
    """Where caches lie: PLAYMILL_CACHE, else the user's cache folder, else the temporary one; None if nowhere.

    Nobody else can write there: in a folder that others can write to, this user has one of their own.
    """
    wanted = _wanted(os.environ.get("PLAYMILL_CACHE"), os.environ.get("XDG_CACHE_HOME"), os.environ.get("HOME"))
    found = _own_folder(wanted) if wanted is not None else None
    if found is None:
        with suppress(OSError):
            found = _own_folder(Path(tempfile.gettempdir()), shared=True)
    return found


def _own_folder(place: Path, *, shared: bool = False) -> Path | None:
    """A folder there, or that one itself, to which this user and nobody else can write."""
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = place.resolve()
        if shared or not _is_private(folder):
            folder /= f"playmill-{os.getuid() if hasattr(os, 'getuid') else 'user'}"
            folder.mkdir(mode=0o700, exist_ok=True)
        if not _is_private(folder):
            return None
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError:
        return None


@cache
def _wanted(named: str | None, base: str | None, home: str | None) -> Path | None:
    """The folder the environment asks for, from where the process stood when it first asked."""
    if named:
        return Path(named).absolute()
    if base and Path(base).is_absolute():
        return Path(base) / "playmill"
    try:
        found = Path.home()
    except RuntimeError:
        return None
    return found / ".cache" / "playmill" if found.is_absolute() and found.is_dir() else None


def _is_mine(found: os.stat_result) -> bool:
    """Whether something belongs to this user and nobody else can write to it; where there are no owners, always."""
    return not hasattr(os, "getuid") or (found.st_uid == os.getuid() and not found.st_mode & 0o022)


def _is_private(folder: Path) -> bool:
    """Whether this is a folder, no link to one, that this user alone can write to."""
    try:
        found = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and _is_mine(found) and found.st_mode & 0o700 == 0o700


def _say(text: Text) -> None:
    """One sentence on the standard error, in the user's language, once."""
    if text not in _reported:
        _reported.add(text)
        complain(text.of(user_language()))


class DiskCache:
    """A folder of cached files, named by a word and by the hash of what they were computed from."""

    def __init__(self, word: str, key: str) -> None:
        self.name = f"{re.sub(r'[^a-zA-Z0-9_-]', '_', word)[:60]}-{key[:_KEY_DIGITS]}"

    def read(self, name: str) -> bytes | None:
        """The content saved under a name; None if there is none, or if it is not what this user once wrote."""
        folder = self._folder()
        if folder is None:
            return None
        try:
            content = self._checked(folder / name)
        except FileNotFoundError:
            return None
        except OSError:
            content = None
        if content is None:
            self.damaged()
        return content

    def holds(self, beginning: str) -> bool:
        """Whether there is an entry whose name begins like this; it may turn out to be damaged."""
        folder = self._folder()
        return folder is not None and any(folder.glob(f"{beginning}*"))

    def _checked(self, path: Path) -> bytes | None:
        with os.fdopen(os.open(path, _READ), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or not _is_mine(found):
                return None
            head = file.read(_HEAD)
            size = int.from_bytes(head[len(_MARK) : len(_MARK) + 8], "big")
            if not head.startswith(_MARK) or found.st_size != _HEAD + size:
                return None
            content = file.read(size)
        return content if head[-32:] == self._checksum(path.name, [content]) else None

    def _checksum(self, name: str, parts: list[bytes | memoryview]) -> bytes:
        digest = hashlib.sha256(f"{self.name}/{name}\n".encode())
        for part in parts:
            digest.update(part)
        return digest.digest()

    def write(self, name: str, *parts: bytes | memoryview) -> None:
        """Saves content under a name; reports once if it cannot."""
        folder = self._folder()
        if folder is None:
            return
        size = sum(memoryview(part).nbytes for part in parts)
        head = _MARK + size.to_bytes(8, "big") + self._checksum(name, list(parts))
        try:
            _put(folder / name, [head, *parts])
        except OSError as error:
            self.cannot_keep(error.strerror or str(error))

    def cannot_keep(self, en: str, ru: str | None = None) -> None:
        """Reports that something will have to be computed again the next time, and why."""
        _say(
            Text(
                f"what is computed now cannot be kept for the next time ({en})",
                f"вычисленное не удаётся сохранить для следующего раза ({ru or en})",
            )
        )

    def damaged(self) -> None:
        """Reports that an entry of this cache could not be used."""
        _say(
            Text(
                f"what was kept in {self.name} is damaged, or not this user's: it is made anew",
                f"сохранённое в {self.name} повреждено или принадлежит не этому пользователю: создаётся заново",
            )
        )

    def _folder(self) -> Path | None:
        """The folder of the cache, set up anew unless it is this user's own; None where nothing can be saved."""
        base = cache_folder()
        if base is None:
            self.cannot_keep("no folder for it can be written", "нет папки, куда можно писать")
            return None
        folder = base / self.name
        try:
            if _is_private(folder):
                os.utime(folder)
                return folder
            _clear_away(folder)
            _forget_old(base)
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            self.cannot_keep(error.strerror or str(error))
            return None
        return folder if _is_private(folder) else None


def _put(path: Path, parts: list[bytes | memoryview]) -> None:
    """Writes a file atomically."""
    for draft in path.parent.glob("*.part"):
        _forget(draft, _DRAFT_DAYS)
    number, name = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with os.fdopen(number, "wb") as file:
            for part in parts:
                file.write(part)
        if path.is_dir():
            _clear_away(path)
        Path(name).replace(path)
    finally:
        with suppress(OSError):
            Path(name).unlink()


def _forget_old(base: Path) -> None:
    """Deletes caches unused for a month, and leftovers."""
    for found in base.iterdir():
        if _OURS.fullmatch(found.name):
            _forget(found, _DRAFT_DAYS if found.name.startswith(".") else _KEEP_DAYS)


def _forget(path: Path, days: int) -> None:
    with suppress(OSError):
        if path.lstat().st_mtime < time.time() - days * _DAY:
            _clear_away(path)


def _clear_away(path: Path) -> None:
    """Deletes a file or a folder under another name, so that nobody finds it half deleted."""
    aside = path.with_name(f".{path.name.lstrip('.')}.{uuid.uuid4().hex}")
    with suppress(FileNotFoundError):
        path.rename(aside)
        if aside.is_symlink() or not aside.is_dir():
            aside.unlink()
        else:
            aside.chmod(0o700)
            shutil.rmtree(aside, ignore_errors=True)
