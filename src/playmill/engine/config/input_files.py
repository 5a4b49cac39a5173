"""Protects input files: tracks what a command reads, refuses to overwrite it, and restores the working folder."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from threading import Event

from playmill.engine.lang.game_folder import holds_game
from playmill.texts import PlaymillError

_read: dict[Path, None] = {}
_folders: dict[Path, None] = {}
_games: set[Path] = set()
_guarding = Event()
_sealed: ContextVar[bool] = ContextVar("sealed", default=False)


def note_read(path: Path) -> None:
    """Registers a data file that a user named and that is about to be read; refused inside `sealed`."""
    if _sealed.get():
        raise PlaymillError("files cannot be named here", "имена файлов здесь не принимаются")
    note_file(path)


def note_file(path: Path) -> None:
    """Registers any other file that is about to be read, such as an agent's."""
    _read[Path(path).absolute()] = None


@contextmanager
def sealed() -> Iterator[None]:
    """Context for input from strangers, in this thread: it may name no file of this machine."""
    token = _sealed.set(True)
    try:
        yield
    finally:
        _sealed.reset(token)


def note_folder(folder: Path) -> None:
    """Registers a folder any file of which may be read: of a program, or of a kept run."""
    _folders[Path(folder).absolute()] = None


def note_sources(folder: Path) -> None:
    """Registers the modules of a game's folder, once in a command: games are loaded by name hundreds of times."""
    if folder not in _games:
        _games.add(folder)
        for path in Path(folder).rglob("*.py"):
            note_file(path)


@contextmanager
def one_command() -> Iterator[None]:
    """Context of one command: forgets what was read before, and refuses to overwrite what it reads."""
    _read.clear()
    _folders.clear()
    _games.clear()
    _guarding.set()
    try:
        yield
    finally:
        _guarding.clear()


def note_named(word: str) -> None:
    """Registers the files that an argument of a command line, other than an output, may name."""
    words = [word, word.rpartition(":")[0], *_parts(word.partition(":")[2])]
    with suppress(ValueError):
        words += shlex.split(word.rpartition(":")[2])
    for one in filter(None, words):
        path = Path(one)
        with suppress(OSError, ValueError):
            if path.is_file():
                note_file(path)
            elif holds_game(path):
                note_sources(path)
            elif path.is_dir() and (word != one or (path / "manifest.json").is_file()):
                note_folder(path)


def _parts(text: str) -> list[str]:
    """What may be a path in `net:FILE`, `program:FOLDER` and `search:net=FILE,key=value`."""
    return [text, *(part.partition("=")[2] for part in text.split(","))]


def read_at(path: Path) -> Path | None:
    """The input file that writing to a path would overwrite, through links too; None if there is none."""
    try:
        target = path.resolve()
        found = target.stat()
    except (OSError, RuntimeError, ValueError):
        return None
    for known in _in_use():
        if _is_it(found, target, known):
            return Path(known)
    for folder in tuple(_folders):
        if target.is_relative_to(folder.resolve()):
            return target
        linked = folder.rglob("*") if found.st_nlink > 1 else ()
        if (same := next((one for one in linked if _is_it(found, target, one)), None)) is not None:
            return same
    return None


def _is_it(found: os.stat_result, target: Path, known: Path | str) -> bool:
    """Whether a file is the one at a path; there are thousands to compare it with."""
    try:
        return os.path.samestat(found, Path(known).stat())
    except (OSError, ValueError):
        return str(target).casefold() == str(known).casefold()


def check_not_read(path: Path, option: str = "") -> None:
    """Raises if writing to a path would overwrite an input file of the command."""
    if (read := read_at(path)) is not None:
        name = f"{option} {str(path)!r}".strip()
        raise PlaymillError(
            f"{name} would be written over a file that is read: {str(read)!r}",
            f"{name} записалось бы поверх файла, который читается: {str(read)!r}",
        )


def guard(path: Path) -> None:
    """The same while a command runs; a library user may overwrite what was read before."""
    if _guarding.is_set():
        check_not_read(path)


def is_same(one: Path, other: Path) -> bool:
    """Whether two paths are one file, or would be on a case-insensitive file system."""
    if str(one).casefold() == str(other).casefold():
        return True
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # a name with a zero byte, which no file has, is the latter
        return False


def _in_use() -> Iterator[Path | str]:
    """Every file of data that was read so far, and every file of code: games, agents and what they import."""
    yield from tuple(_read)
    for module in tuple(sys.modules.values()):
        if isinstance(name := getattr(module, "__file__", None), str):
            yield name


@contextmanager
def same_folder() -> Iterator[None]:
    """Context that restores the working folder, whatever an agent does to it."""
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
