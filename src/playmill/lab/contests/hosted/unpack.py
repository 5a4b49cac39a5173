"""Unpacks what an entrant handed in, a zip or a single file, into a new folder; nothing is written outside it.

Sizes are counted while bytes come out of the archive, never taken from what it says of itself.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from playmill.lab.contests.bot_folder import (
    RefusedError,
    check_file_name,
    listed_files,
    opened_folder,
    taken,
    write_new,
)
from playmill.lab.runs.store.manifest import flush_folder

#: Names by which a single file is known for what it is.
SINGLE = {
    ".py": "bot.py", ".js": "bot.js", ".c": "bot.c", ".cpp": "bot.cpp", ".cc": "bot.cpp", ".rs": "bot.rs",
    ".go": "bot.go", ".java": "Bot.java",
}  # fmt: skip
_PIECE = 1 << 16
_DEEPEST, _LONGEST = 16, 200
_MARK = b"PK\x03\x04"
#: What comes with archives and is no part of a bot.
_LEFT_OUT = ("__MACOSX", "__pycache__", ".git", ".DS_Store")
#: An archive lists no more than this, left out or not.
_MOST_LISTED = 20_000


def unpack(data: bytes, name: str, target: Path, *, most_bytes: int, most_files: int) -> tuple[str, int]:
    """Writes what was handed in into a folder; returns the hash of its content and its bytes; raises RefusedError."""
    if not data:
        raise RefusedError("the file is empty", "файл пуст")
    if data.startswith(_MARK):
        size = _unpack_zip(data, target, most_bytes, most_files)
    else:
        size = _write_single(data, name, target, most_bytes)
    _flush(target)
    with opened_folder(target) as place:
        found = listed_files(place)
        if not found:
            raise RefusedError("there is no file in it", "внутри нет ни одного файла")
        return taken(place, found, None), size


def _write_single(data: bytes, name: str, target: Path, most_bytes: int) -> int:
    kind = PurePosixPath(name.replace("\\", "/")).suffix.lower()
    if kind not in SINGLE:
        known = ", ".join(SINGLE)
        raise RefusedError(
            f"it is no zip, and no single file of a kind that is known by its name: {known}",
            f"это не zip и не файл известного по имени вида: {known}",
        )
    if len(data) > most_bytes:
        raise _too_large(most_bytes)
    write_new(target / SINGLE[kind], 0, data)
    return len(data)


def _unpack_zip(data: bytes, target: Path, most_bytes: int, most_files: int) -> int:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = list(_members(archive, most_files))
            root = _shared_root([parts for _, parts in members])
            left = most_bytes
            seen: set[str] = set()
            for member, parts in members:
                path = parts[root:]
                if (folded := "/".join(path).casefold()) in seen:
                    raise RefusedError(f"{path[-1]} is there twice", f"{path[-1]} встречается дважды")
                seen.add(folded)
                content = _content(archive, member, left, most_bytes)
                left -= len(content)
                write_new(target.joinpath(*path), (member.external_attr >> 16) & 0o111, content)
            return most_bytes - left
    except (FileExistsError, NotADirectoryError, IsADirectoryError):
        raise RefusedError("a file in it is a folder as well", "файл внутри — одновременно и папка") from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError):
        raise _unreadable() from None


def _members(archive: zipfile.ZipFile, most_files: int) -> Iterator[tuple[zipfile.ZipInfo, tuple[str, ...]]]:
    """Yields the files of an archive with their paths; raises for whatever could leave the folder or is no file."""
    count = 0
    if len(archive.infolist()) > _MOST_LISTED:
        raise _too_many(most_files)
    for member in archive.infolist():
        name = member.filename.replace("\\", "/")
        kind = stat.S_IFMT(member.external_attr >> 16)
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise RefusedError(f"{name} is a link, or no file: only files", f"{name} — ссылка или не файл: нужны файлы")
        parts = tuple(part for part in name.split("/") if part not in ("", "."))
        if name.startswith("/") or ".." in parts or ":" in name:
            raise RefusedError(f"{name} leads out of the bot's folder", f"{name} ведёт за пределы папки бота")
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise _unreadable()
        if member.is_dir() or kind == stat.S_IFDIR or not parts or any(part in _LEFT_OUT for part in parts):
            continue
        for part in parts:
            check_file_name(part)
            if len(os.fsencode(part)) > _LONGEST:
                raise RefusedError("a name in it is too long", "имя файла слишком длинное")
        count += 1
        if count > most_files or len(parts) > _DEEPEST:
            raise _too_many(most_files)
        yield member, parts


def _shared_root(paths: list[tuple[str, ...]]) -> int:
    """Returns 1 where all files lie in one folder of the archive, as they do when a folder was packed; else 0."""
    return int(bool(paths) and all(len(parts) > 1 for parts in paths) and len({parts[0] for parts in paths}) == 1)


def _content(archive: zipfile.ZipFile, member: zipfile.ZipInfo, left: int, most_bytes: int) -> bytes:
    found = io.BytesIO()
    with archive.open(member) as file:
        while piece := file.read(_PIECE):
            if found.tell() + len(piece) > left:
                raise _too_large(most_bytes)
            found.write(piece)
    return found.getvalue()


def _flush(target: Path) -> None:
    """Flushes all files of a folder to disk, and the names of its folders."""
    for place in (target, *target.rglob("*")):
        flush_folder(place)


def _unreadable() -> RefusedError:
    return RefusedError(
        "the zip is damaged, encrypted, or of a kind that cannot be read",
        "zip повреждён, зашифрован или такого вида, который не читается",
    )


def _too_large(most: int) -> RefusedError:
    return RefusedError(f"it has more than {most >> 20} MB unpacked", f"распакованное больше {most >> 20} МБ")


def _too_many(most: int) -> RefusedError:
    return RefusedError(
        f"it has more than {most} files, or more than {_DEEPEST} folders in each other",
        f"в нём больше {most} файлов или больше {_DEEPEST} вложенных папок",
    )
