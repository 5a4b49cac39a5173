"""Interpreters that may run bots: a fixed list of names, found on the host; others get no rights.

A script's own first line is read as the kernel reads it, and only to ask whether it names one of these.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from playmill.home import home

#: Where programs are looked for first: nothing of the caller's environment reaches a bot, nor their PATH.
PATH = "/usr/local/bin:/usr/bin:/bin"
NAMES = (
    *("python3", "python", "pypy3", "node", "deno", "bun", "ruby", "perl", "php", "lua", "luajit", "julia", "java"),
    *("dotnet", "Rscript", "guile", "sh", "bash"),
)
_SYSTEM = tuple(map(Path, ("/usr", "/bin", "/lib", "/lib64", "/sbin")))
#: The kernel looks at no more of a file to find out what runs it.
_FIRST_BYTES = 256


def interpreters() -> Mapping[str, Path]:
    """The interpreters this host has, by name."""
    return _found(os.environ.get("PATH", ""))


@lru_cache(maxsize=8)
def _found(path: str) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for name in NAMES:
        place = shutil.which(name, path=PATH) or shutil.which(name, path=path)
        if name in ("python", "python3") and (place is None or "shims" in Path(place).parts):
            place = os.path.realpath(sys.executable)
        if place is not None:
            found[name] = Path(place).absolute()
    return found


def is_interpreter(file: Path) -> bool:
    """Whether this very path is one of the interpreters, a link on the way to one, or Playmill's own Python."""
    known = (*interpreters().values(), Path(sys.executable))
    return any(file in (one, *links(one)) for one in known)


def is_of_system(file: Path) -> bool:
    """Whether a path lies in what every bot may read."""
    return ".." not in file.parts and any(root in file.parents for root in _SYSTEM)


def rights_of(file: Path) -> list[Path]:
    """What has to be read to run a program: the file, what it is a link to, and its libraries.

    An interpreter in somebody's own folder is a bin with its lib beside it: no more of that folder is needed.
    """
    found = []
    for step in (file, *links(file)):
        found.append(step)
        prefix = step.parent.parent
        if step.parent.name == "bin" and not is_of_system(step) and not holds_more(prefix):
            found += [prefix / name for name in ("lib", "lib64", "libexec", "pyvenv.cfg")]
    return found


def shebang(file: Path) -> Path | None:
    """The interpreter that a script names in its first line, split as the kernel splits it."""
    try:
        with file.open("rb") as opened:
            first = opened.read(_FIRST_BYTES)
    except OSError:
        return None
    line, ended, _ = first.partition(b"\n")
    if not line.startswith(b"#!"):
        return None
    name, *rest = re.split(rb"[ \t\0]", line[2:].lstrip(b" \t"), maxsplit=1)
    whole = ended or rest or len(first) < _FIRST_BYTES
    return Path(os.fsdecode(name)) if name and whole else None


def links(file: Path) -> list[Path]:
    """What a link leads to, step by step."""
    found: list[Path] = []
    while file.is_symlink() and len(found) < 10:
        file = Path(os.path.normpath(file.parent / file.readlink()))
        found.append(file)
    return found


def holds_more(folder: Path) -> bool:
    """Whether a folder is the home of more than a bot: then the bot may read its own files in it and nothing else."""
    others = (Path.home(), Path(tempfile.gettempdir()), home())
    return any(folder in (other, *other.parents) for other in others)
