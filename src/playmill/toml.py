"""Reads untrusted TOML: bounded in size, nesting and parts of a key, so that no file costs much.

`tomllib` itself recurses into brackets and takes quadratic time for long keys: both are counted beforehand.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import Any

from playmill.texts import PlaymillError

#: Bytes of a file, brackets within brackets, and parts of a dotted key.
MOST_BYTES, MOST_DEPTH, MOST_PARTS = 64 << 10, 16, 16
#: Strings and comments, in which brackets and dots mean nothing; a string that never ends reaches to the end.
_QUIET = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*(?:"{3,5}|\Z)'
    r"|'''(?:[^']|'(?!''))*(?:'{3,5}|\Z)"
    r'|"(?:[^"\\\n]|\\[^\n])*"?'
    r"|'[^'\n]*'?"
    r"|#[^\n]*",
    re.DOTALL,
)
_BRACKETS = re.compile(r"[\[\]{}]")
#: Between any two of these stands at most one key.
_BETWEEN_KEYS = re.compile(r"[\n=,\[\]{}]")


def read_toml(path: Path, *, follow_links: bool = True, most: int = MOST_BYTES) -> dict[str, Any]:
    """The tables of a TOML file; raises PlaymillError for one that is wrong, too large or too deep.

    OSError is the caller's: what a missing file means is known there. A folder, a device or a pipe is no TOML file.
    """
    return parse_toml(_read(path, follow_links, most), str(path), most=most)


def parse_toml(content: bytes, source: str, *, most: int = MOST_BYTES) -> dict[str, Any]:
    """The tables of a TOML text; errors begin with its source."""
    if len(content) > most:
        raise PlaymillError(
            f"{source}: larger than {most >> 10} kB, which is too large for TOML here",
            f"{source}: больше {most >> 10} КБ, для TOML это слишком много",
        )
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
        _check_depth(text, source)
        import tomllib  # what reads no TOML need not wait for it

        return tomllib.loads(text)
    except PlaymillError:
        raise
    except UnicodeDecodeError:
        raise PlaymillError(f"{source}: not TOML: not UTF-8", f"{source}: это не TOML: не UTF-8") from None
    except (ValueError, RecursionError) as error:
        reason = str(error)
        raise PlaymillError(f"{source}: not TOML: {reason}", f"{source}: это не TOML: {reason}") from None


def _read(path: Path, follow_links: bool, most: int) -> bytes:
    """The first bytes of a regular file, one more than there may be."""
    wanted = ("O_CLOEXEC", "O_NONBLOCK", "O_BINARY", *(() if follow_links else ("O_NOFOLLOW",)))
    place = os.open(path, os.O_RDONLY | sum(getattr(os, name, 0) for name in wanted))
    try:
        if not stat.S_ISREG(os.fstat(place).st_mode):
            raise PlaymillError(f"{path}: not TOML: not a file", f"{path}: это не TOML: не файл")
        with os.fdopen(place, "rb", closefd=False) as file:
            return file.read(most + 1)
    finally:
        os.close(place)


def _check_depth(text: str, source: str) -> None:
    """Raises if brackets are nested too deep, or a key has too many parts."""
    bare = _QUIET.sub("", text)
    depth = 0
    for found in _BRACKETS.finditer(bare):
        depth += 1 if found[0] in "[{" else -1
        if depth > MOST_DEPTH:
            raise PlaymillError(
                f"{source}: nested deeper than {MOST_DEPTH} brackets", f"{source}: вложено глубже {MOST_DEPTH} скобок"
            )
    if any(part.count(".") >= MOST_PARTS for part in _BETWEEN_KEYS.split(bare)):
        raise PlaymillError(
            f"{source}: a key has more than {MOST_PARTS} parts", f"{source}: в ключе больше {MOST_PARTS} частей"
        )
