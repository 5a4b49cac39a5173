"""What a command stands on: the files it reads, none of which is to be written over, and the folder it works in."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from playmill.texts import PlaymillError

_read: dict[Path, None] = {}
_sealed: ContextVar[bool] = ContextVar("sealed", default=False)


def note_read(path: Path) -> None:
    """To be told of every file of data that somebody named and that is about to be read."""
    if _sealed.get():
        raise PlaymillError("files cannot be named here", "имена файлов здесь не принимаются")
    _read[Path(path).absolute()] = None


@contextmanager
def sealed() -> Iterator[None]:
    """Work on what a stranger wrote, in this thread: it may name no file of this machine, there or not."""
    token = _sealed.set(True)
    try:
        yield
    finally:
        _sealed.reset(token)


def files_in_use() -> Iterator[Path]:
    """Every file of data that was read so far, and every file of code: games, agents and what they import."""
    yield from tuple(_read)
    for module in tuple(sys.modules.values()):
        if isinstance(name := getattr(module, "__file__", None), str):
            yield Path(name)


@contextmanager
def same_folder() -> Iterator[None]:
    """Work after which the working folder is what it was, whatever an agent does to it."""
    here = _folder()
    try:
        yield
    finally:
        if here is not None and _folder() != here:
            os.chdir(here)


def _folder() -> Path | None:
    """The working folder, unless it is gone."""
    try:
        return Path.cwd()
    except OSError:
        return None
