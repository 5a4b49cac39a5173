"""Atomic files: written beside their place under a temporary name, then renamed or removed, however the run ends."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import stat
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from playmill.engine.config.input_files import guard
from playmill.texts import PlaymillError, Text


class AtomicFile:
    """A file being written: under a temporary name beside its place, renamed when complete, or removed.

    A device or a pipe is written straight, as there is nothing to put in its place. What a command has read is not
    written over, unless it is a file of `ours`.
    """

    def __init__(self, path: Path, *, ours: bool = False) -> None:
        self._path = path
        self._aside: Path | None = None
        try:
            self._target = target_of(path)
            if not ours:
                guard(self._target)
            self._file = self._open()
        except OSError as error:
            raise cannot_write(path, reason_of(error)) from None

    def _open(self) -> BinaryIO:
        stream = stream_of(self._path)
        if stream is not None:
            sys.stdout.flush()
            return os.fdopen(os.dup(stream), "wb")
        if is_special(self._target):
            return self._target.open("wb")
        _sweep(self._target.parent)
        self._aside = self._target.with_name(f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}")
        file = self._aside.open("xb")
        _lock(file)
        return file

    def write(self, data: bytes) -> None:
        """Adds to the file."""
        try:
            self._file.write(data)
        except OSError as error:
            self.abandon()
            raise cannot_write(self._path, reason_of(error)) from None

    def finish(self) -> None:
        """Puts the file in its place."""
        try:
            self._file.flush()
            if self._aside is not None:
                os.fsync(self._file.fileno())
                if self._target.exists():
                    shutil.copymode(self._target, self._aside)
            self._file.close()
            if self._aside is not None:
                self._aside.replace(self._target)
        except OSError as error:
            raise cannot_write(self._path, reason_of(error)) from None
        finally:
            self.abandon()

    def abandon(self) -> None:
        """Removes what was written; nothing is left to remove once the file is in its place."""
        with suppress(OSError):
            self._file.close()
        if self._aside is not None:
            with suppress(OSError):
                self._aside.unlink(missing_ok=True)

    def __enter__(self) -> AtomicFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, trace: object) -> None:
        if kind is None:
            self.finish()
        else:
            self.abandon()


_PREFIX, _SUFFIX = ".playmill-", ".part"
#: A draft younger than this may not be locked yet by the run that has just made it.
_YOUNG_SECONDS = 60.0


def _lock(file: BinaryIO) -> None:
    """Marks a temporary file as being written; the lock goes with the process, however it ends."""
    with suppress(ImportError, OSError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _sweep(folder: Path) -> None:
    """Removes temporary files that killed runs have left in a folder."""
    for draft in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        with suppress(OSError):
            if time.time() - draft.stat().st_mtime > _YOUNG_SECONDS and _is_left(draft):
                draft.unlink()


def _is_left(draft: Path) -> bool:
    """Returns whether nobody writes a temporary file any more. Without locks, open files cannot be removed anyway."""
    try:
        import fcntl
    except ImportError:
        return True
    with draft.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True


def target_of(path: Path) -> Path:
    """Returns the file behind a path. A link stays a link, and what it points to is written."""
    try:
        return Path(path).resolve()
    except RuntimeError:  # how Python before 3.13 tells of links that lead in a circle
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def stream_of(path: Path) -> int | None:
    """Returns the number of an open stream that has a name, such as /dev/stdout, which must not be reopened."""
    name = str(path)
    if name in _STREAMS:
        return _STREAMS[name]
    found = re.fullmatch(r"/(?:dev|proc/self)/fd/(\d{1,5})", name)
    return int(found[1]) if found else None


_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}


def is_special(target: Path) -> bool:
    """Returns whether it is a device or a pipe, which are written but never replaced."""
    try:
        kind = target.stat().st_mode
    except FileNotFoundError:
        return False
    return stat.S_ISCHR(kind) or stat.S_ISFIFO(kind)


REASONS = {
    errno.EACCES: Text("permission denied", "нет прав на запись"),
    errno.EPERM: Text("permission denied", "нет прав на запись"),
    errno.EROFS: Text("the disk is read-only", "диск доступен только для чтения"),
    errno.ENOSPC: Text("no space left on the disk", "на диске нет места"),
    errno.ENAMETOOLONG: Text("the name is too long", "имя слишком длинное"),
    errno.ENOENT: Text("no file can be made there", "там нельзя создать файл"),
    errno.EDQUOT: Text("the quota of the disk is used up", "исчерпана квота на диске"),
    errno.EFBIG: Text("the file would be larger than is allowed", "файл стал бы больше, чем разрешено"),
    errno.ELOOP: Text("its links lead in a circle", "ссылки ведут по кругу"),
    errno.EBADF: Text("it is not open", "он не открыт"),
    errno.EPIPE: Text("nobody reads it any more", "его больше никто не читает"),
}


def reason_of(error: OSError) -> Text:
    """Returns why a file cannot be written."""
    message = error.strerror or str(error)
    return REASONS.get(error.errno or 0, Text(message, message))


def cannot_write(path: Path, reason: Text) -> PlaymillError:
    """Returns the error about a file that cannot be written."""
    return PlaymillError(f"cannot write {str(path)!r}: {reason.en}", f"не удаётся записать {str(path)!r}: {reason.ru}")
