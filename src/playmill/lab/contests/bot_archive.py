"""Archive of a bot's folder that travels to the nodes of a cluster; there it is unpacked into a cache, by its hash.

What was unpacked is used only if its content still has the hash. Nothing of it is run here: that is for the sandbox.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
import time
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from playmill.home import home, make_private
from playmill.lab.contests.bot_folder import (
    RefusedError,
    check_file_name,
    contents,
    listed_files,
    opened_folder,
    write_new,
)
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.texts import PlaymillError

CACHE = "travelled"
#: Seconds after which a bot that nobody has used is forgotten.
_UNUSED = 30 * 86_400
#: Bots that this process has found whole.
_whole: set[str] = set()


@dataclass(frozen=True)
class BotArchive:
    """All files of a folder, packed, and their hash; equal folders have equal hashes."""

    digest: str
    data: bytes


def packed(folder: Path) -> BotArchive:
    """Packs a folder; raises RefusedError if something in it is no plain file, or it is too much."""
    payload = _payload(folder)
    return BotArchive(hashlib.sha256(payload).hexdigest(), zlib.compress(payload, 6))


def unpacked(archive: BotArchive) -> Path:
    """Returns the folder that holds the files of an archive, unpacked if they are not there yet."""
    place = home() / "bots" / CACHE / archive.digest[:32]
    if archive.digest in _whole and place.is_dir():
        return place
    if not _holds(place, archive.digest):
        payload = zlib.decompress(archive.data)
        if hashlib.sha256(payload).hexdigest() != archive.digest:
            raise PlaymillError("the files of a bot have arrived damaged", "файлы бота пришли повреждёнными")
        try:
            _write(place, payload, archive.digest)
        except OSError as error:
            raise cannot_write(place, reason_of(error)) from None
    with suppress(OSError):
        os.utime(place)
    _whole.add(archive.digest)
    return place


def _payload(folder: Path) -> bytes:
    """Returns a list of the files, with its length, and their contents one after the other."""
    with opened_folder(folder) as place:
        files = list(contents(place, listed_files(place)))
    head = json.dumps([["/".join(path), int(mode > 0), len(content)] for path, mode, content in files]).encode()
    return b"".join((len(head).to_bytes(4, "big"), head, *(content for *_, content in files)))


def _holds(place: Path, digest: str) -> bool:
    try:
        return hashlib.sha256(_payload(place)).hexdigest() == digest
    except RefusedError:
        return False


def _write(place: Path, payload: bytes, digest: str) -> None:
    """Writes the files beside, and moves them to their place; others may do the same at this moment."""
    make_private(place.parent)
    _forget_old(place.parent)
    aside = Path(tempfile.mkdtemp(prefix=".", dir=place.parent))
    try:
        start = 4 + int.from_bytes(payload[:4], "big")
        for name, mode, size in json.loads(payload[4:start]):
            parts = name.split("/")
            for part in parts:
                check_file_name(part)
            if any(part in ("", ".", "..") for part in parts):
                raise PlaymillError("the files of a bot have arrived damaged", "файлы бота пришли повреждёнными")
            write_new(aside.joinpath("bot", *parts), mode, payload[start : start + size])
            start += size
        # Whatever lies there is not whole: somebody has changed it.
        with suppress(FileNotFoundError):
            place.rename(aside / "changed")
        try:
            (aside / "bot").rename(place)
        except OSError:
            if not _holds(place, digest):
                raise
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _forget_old(folder: Path) -> None:
    """Removes bots that were not used for a long time."""
    for place in folder.iterdir():
        with suppress(OSError):
            if time.time() - place.stat().st_mtime > _UNUSED:
                shutil.rmtree(place, ignore_errors=True)
