"""Reports on disk: whole or not at all, and the same bytes for the same numbers."""

from __future__ import annotations

import errno
import json
import os
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playmill.report.model import Estimate, RunInfo
from playmill.texts import PlaymillError, Text


def write_json(path: Path, run: RunInfo, results: Mapping[str, Any]) -> None:
    """Saves a run: its `meta` and its `results`."""
    write_saved(path, {"meta": run.json(), "results": results})


def write_saved(path: Path, saved: Mapping[str, Any]) -> None:
    """Saves what is made of plain data, for people to read as well."""
    write_text(path, json.dumps(saved, ensure_ascii=False, indent=2, allow_nan=False) + "\n")


def results_text(results: Mapping[str, Any]) -> str:
    """The one text of results: equal results, in whatever order they were put together, have equal texts."""
    return json.dumps(results, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def saved_estimate(saved: Mapping[str, float], n: int) -> Estimate:
    """The estimate behind its saved form, n observations strong."""
    return Estimate(saved["value"], saved["low"], saved["high"], n)


def write_text(path: Path, text: str) -> None:
    """Writes a UTF-8 file at once: a reader, or a crash, never meets half of it."""
    # A name given in bytes that are no UTF-8 comes as lone surrogates; "\\udcff" is also how JSON writes them.
    write_bytes(path, text.encode("utf-8", errors="backslashreplace"))


def write_bytes(path: Path, data: bytes) -> None:
    """Writes a file at once: a reader, or a crash, never meets half of it."""
    try:
        # A link stays a link, and what it points to is written.
        target = Path(path).resolve()
        draft = target.with_name(f".playmill-{secrets.token_hex(8)}.tmp")
        try:
            with draft.open("xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, draft)
            draft.replace(target)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot_write(path, _reason(error)) from None


def check_writable(path: Path) -> None:
    """Raises unless a file can be written there; to be asked before a long run, not after it."""
    try:
        target = Path(path).resolve()
        folder = target.parent
        if target.is_dir():
            raise _cannot_write(path, Text("it is a folder, and a file was expected", "это папка, а нужен файл"))
        if not folder.exists():
            raise _cannot_write(path, Text(f"there is no folder {str(folder)!r}", f"папки {str(folder)!r} нет"))
        if not folder.is_dir():
            raise _cannot_write(path, Text(f"{str(folder)!r} is not a folder", f"{str(folder)!r} — не папка"))
        # A new file put in its place would do away with a device, or with a file protected on purpose.
        if target.exists() and not target.is_file():
            raise _cannot_write(path, Text("it is not an ordinary file", "это не обычный файл"))
        if target.exists() and not os.access(target, os.W_OK):
            raise _cannot_write(path, _REASONS[errno.EACCES])
        # Only trying tells the truth about read-only disks and the like.
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _cannot_write(path, _reason(error)) from None


_REASONS = {
    errno.EACCES: Text("permission denied", "нет прав на запись"),
    errno.EPERM: Text("permission denied", "нет прав на запись"),
    errno.EROFS: Text("the disk is read-only", "диск доступен только для чтения"),
    errno.ENOSPC: Text("no space left on the disk", "на диске нет места"),
    errno.ENAMETOOLONG: Text("the name is too long", "имя слишком длинное"),
    errno.ENOENT: Text("no file can be made there", "там нельзя создать файл"),
}


def _reason(error: OSError) -> Text:
    told = error.strerror or str(error)
    return _REASONS.get(error.errno or 0, Text(told, told))


def _cannot_write(path: Path, reason: Text) -> PlaymillError:
    return PlaymillError(f"cannot write {str(path)!r}: {reason.en}", f"не удаётся записать {str(path)!r}: {reason.ru}")
