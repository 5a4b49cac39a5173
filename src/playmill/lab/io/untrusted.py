"""Reads untrusted data: regular files of limited size, links not followed, JSON types and ranges checked."""

from __future__ import annotations

import errno
import json
import os
import stat
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

from playmill.engine.config.json_input import check_depth

#: The largest plan.json and run.json, the largest manifest, with a line a chunk, and the largest file of a chunk.
MOST_PLAN, MOST_MANIFEST, MOST_CHUNK = 2**24, 2**28, 2**31


def open_regular(path: Path) -> int:
    """Opens a file for reading; raises OSError unless it is a regular file itself, and never blocks."""
    flags = [getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")]
    handle = os.open(path, os.O_RDONLY | sum(flags))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise OSError(errno.EINVAL, "not a regular file")
    return handle


def read_regular(path: Path, most: int) -> bytes:
    """Returns the bytes of a regular file of at most `most` bytes; raises OSError otherwise."""
    with os.fdopen(open_regular(path), "rb") as file:
        if os.fstat(file.fileno()).st_size > most:
            raise OSError(errno.EFBIG, "too large")
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, "too large")
    return data


def json_of_bytes(data: bytes) -> Any:
    """Parses JSON; raises ValueError for NaN and infinities, and where it is nested too deeply."""
    try:
        return json.loads(data, parse_constant=_refuse, parse_float=_finite)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _refuse(text: str) -> NoReturn:
    raise ValueError(text)


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(text)
    return value


def expect(kind: Any, value: Any) -> Any:
    """Returns a value of a given type, else raises TypeError; booleans are not numbers."""
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise TypeError(type(value).__name__)
    return value


def expect_count(value: Any, most: int = 2**63 - 1) -> int:
    """Returns a whole number from 0 to `most`; raises otherwise."""
    if not 0 <= expect(int, value) <= most:
        raise ValueError(value)
    return int(value)


def expect_text(value: Any, most: int = 10_000) -> str:
    """Returns a text that can be written to a file and is not longer than `most`; raises otherwise."""
    if len(expect(str, value)) > most:
        raise ValueError("too long")
    value.encode()
    return str(value)


def expect_moment(value: Any) -> str:
    """Returns an ISO 8601 timestamp that every system can handle; raises otherwise."""
    if not 1970 <= datetime.fromisoformat(expect_text(value, 100)).year < 9000:
        raise ValueError(value)
    return str(value)


def shallow(value: Any) -> Any:
    """Returns parsed JSON if it is not nested too deeply to be walked; raises otherwise."""
    check_depth(value, "JSON")
    return value
