"""Writes reports to disk atomically, with the same bytes for the same numbers; checks paths before a long run."""

from __future__ import annotations

import errno
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playmill.engine.config.input_files import check_not_read, is_same
from playmill.interrupts import undisturbed
from playmill.report.files.atomic_file import (
    REASONS,
    AtomicFile,
    cannot_write,
    is_special,
    reason_of,
    stream_of,
    target_of,
)
from playmill.report.model.tables import RunInfo
from playmill.texts import PlaymillError, Text


def write_json(path: Path, run: RunInfo, results: Mapping[str, Any]) -> None:
    """Saves a run: its `meta` and its `results`."""
    write_saved(path, {"meta": run.json(), "results": results})


def write_saved(path: Path, saved: Mapping[str, Any], *, ours: bool = False) -> None:
    """Saves plain data as readable JSON; `ours` marks a file that only we write and may have read before."""
    write_text(path, saved_text(saved), ours=ours)


def saved_text(saved: Mapping[str, Any]) -> str:
    """Returns plain data as it is saved."""
    return json.dumps(saved, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def results_text(results: Mapping[str, Any]) -> str:
    """Returns the canonical text of results: equal results have equal texts, whatever their order."""
    return json.dumps(results, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def write_text(path: Path, text: str, *, ours: bool = False) -> None:
    """Writes a UTF-8 file atomically."""
    write_bytes(path, as_utf8(text), ours=ours)


def as_utf8(text: str) -> bytes:
    """Encodes a text as its file has it."""
    # A name given in bytes that are no UTF-8 comes as lone surrogates; "\\udcff" is also how JSON writes them.
    return text.encode("utf-8", errors="backslashreplace")


def write_bytes(path: Path, data: bytes, *, ours: bool = False) -> None:
    """Writes a file atomically: a reader, or a crash, never meets half of it."""
    with undisturbed(), AtomicFile(path, ours=ours) as draft:
        draft.write(data)


def claim(outputs: Mapping[str, Path | None]) -> dict[str, Path]:
    """Returns the absolute paths of outputs by option, checked to be writable; call it before a long run.

    They stay right wherever an agent changes to. Raises unless every one can be written, no two are one file, and none
    is a file that is read.
    """
    claimed: dict[str, Path] = {}
    for option, given in outputs.items():
        if given is None:
            continue
        check_writable(given)
        if stream_of(given) is not None or is_special(target_of(given)):
            claimed[option] = given
            continue
        for other, taken in claimed.items():
            if is_same(target_of(given), target_of(taken)):
                raise PlaymillError(
                    f"{other} and {option} are both to be written to {str(given)!r}; name two files",
                    f"{other} и {option} нельзя записать в один файл {str(given)!r}; назовите два",
                )
        check_not_read(given, option)
        claimed[option] = given.absolute()
    return claimed


def check_writable(path: Path) -> None:
    """Raises unless a file can be written there; a missing folder is created."""
    try:
        stream = stream_of(path)
        if stream is not None:
            os.fstat(stream)
            return
        target = target_of(path)
        folder = target.parent
        if target.is_dir():
            raise cannot_write(path, Text("it is a folder, and a file was expected", "это папка, а нужен файл"))
        if not folder.exists():
            folder.mkdir(parents=True)
        if not folder.is_dir():
            raise cannot_write(path, Text(f"{str(folder)!r} is not a folder", f"{str(folder)!r} — не папка"))
        # A new file put in its place would do away with a disk, or with a file protected on purpose.
        if target.exists() and not target.is_file() and not is_special(target):
            raise cannot_write(path, Text("it is not an ordinary file", "это не обычный файл"))
        if target.exists() and not os.access(target, os.W_OK):
            raise cannot_write(path, REASONS[errno.EACCES])
        # Only trying tells the truth about read-only disks and the like.
        if not is_special(target):
            with tempfile.TemporaryFile(dir=folder):
                pass
    except OSError as error:
        raise cannot_write(path, reason_of(error)) from None
