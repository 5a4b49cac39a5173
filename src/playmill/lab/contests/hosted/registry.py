"""SQLite registry of a served contest: entrants and their tokens, invitations, uploads in their order, settings.

What is acknowledged to an entrant is here, on disk, before they hear of it. An upload is a folder of its own, which is
there when its row is: everything else a contest knows follows from the uploads in their order.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playmill.home import open_private
from playmill.lab.runs.store.manifest import flush_folder
from playmill.report.files.atomic_file import cannot_write, reason_of
from playmill.texts import PlaymillError

FILE, UPLOADS = "registry.sqlite3", "uploads"
#: Folders that are being unpacked, and those of uploads that were never finished.
ASIDE = ".incoming-"
_TOKEN_BYTES = 24
_SCHEMA = """
CREATE TABLE IF NOT EXISTS entrants (
    name TEXT PRIMARY KEY, folded TEXT NOT NULL UNIQUE, token TEXT NOT NULL UNIQUE, made REAL NOT NULL,
    disqualified INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS invitations (code TEXT PRIMARY KEY, made REAL NOT NULL, used_by TEXT);
CREATE TABLE IF NOT EXISTS uploads (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL REFERENCES entrants(name), code TEXT NOT NULL, bytes INTEGER NOT NULL,
    made REAL NOT NULL, UNIQUE (name, code)
);
CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
"""


@dataclass(frozen=True)
class Account:
    """An entrant as the organiser knows it."""

    name: str
    made: float
    disqualified: bool


@dataclass(frozen=True)
class Upload:
    """Something that was handed in and acknowledged: by whom, the hash of its content, its bytes, and when."""

    id: int
    name: str
    code: str
    bytes: int
    made: float


class Registry:
    """The registry in a contest's state folder; several processes may use it at once."""

    def __init__(self, state: Path) -> None:
        self.uploads_folder = state / UPLOADS
        path = state / FILE
        try:
            self.uploads_folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            os.close(open_private(path, os.O_RDWR))
            self._line = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
            self._line.execute("PRAGMA journal_mode=WAL")
            self._line.execute("PRAGMA synchronous=FULL")
            self._line.executescript(_SCHEMA)
        except OSError as error:
            raise cannot_write(path, reason_of(error)) from None
        except sqlite3.Error as error:
            raise PlaymillError(f"{path} cannot be used: {error}", f"{path} нельзя использовать: {error}") from None
        self._lock = threading.Lock()

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._line.close()

    @contextmanager
    def _changing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it is on disk at the end, or nothing."""
        with self._lock:
            self._line.execute("BEGIN IMMEDIATE")
            try:
                yield self._line
            except BaseException:
                self._line.execute("ROLLBACK")
                raise
            self._line.execute("COMMIT")

    def _ask(self, question: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        with self._lock:
            return self._line.execute(question, values).fetchall()

    # Entrants

    def register(self, name: str, *, most: int, invitation: str | None = None) -> str:
        """Registers a name and returns its token, which is shown once; an invitation is used up by it."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with self._changing() as line:
            if line.execute("SELECT count(*) FROM entrants").fetchone()[0] >= most:
                raise PlaymillError(
                    f"the contest takes {most} entrants, and there are as many",
                    f"соревнование принимает столько участников: {most}, и они уже есть",
                )
            if invitation is not None:
                used = line.execute(
                    "UPDATE invitations SET used_by = ? WHERE code = ? AND used_by IS NULL", (name, hashed(invitation))
                )
                if used.rowcount != 1:
                    raise PlaymillError(
                        "there is no such invitation, or it was used already",
                        "такого приглашения нет, или его уже использовали",
                    )
            try:
                line.execute(
                    "INSERT INTO entrants (name, folded, token, made) VALUES (?, ?, ?, ?)",
                    (name, name.casefold(), hashed(token), time.time()),
                )
            except sqlite3.IntegrityError:
                raise PlaymillError(
                    f"somebody is called {name} already; choose another name",
                    f"имя {name} уже занято; выберите другое",
                ) from None
        return token

    def new_token(self, name: str) -> str | None:
        """Makes a new token for an entrant, which replaces the old one; None if there is no such entrant."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with self._changing() as line:
            done = line.execute("UPDATE entrants SET token = ? WHERE name = ?", (hashed(token), name))
        return token if done.rowcount else None

    def account(self, token: str) -> Account | None:
        """Returns the entrant who has a token."""
        rows = self._ask("SELECT name, made, disqualified FROM entrants WHERE token = ?", (hashed(token),))
        return Account(rows[0][0], rows[0][1], bool(rows[0][2])) if rows else None

    def accounts(self) -> list[Account]:
        """Returns all entrants, by name."""
        rows = self._ask("SELECT name, made, disqualified FROM entrants ORDER BY name")
        return [Account(name, made, bool(out)) for name, made, out in rows]

    def disqualify(self, name: str, *, out: bool) -> bool:
        """Takes an entrant out of the contest, or back in; returns whether there is one of that name."""
        with self._changing() as line:
            return line.execute("UPDATE entrants SET disqualified = ? WHERE name = ?", (int(out), name)).rowcount > 0

    def disqualified(self) -> set[str]:
        """Returns the names of those who are out."""
        return {name for (name,) in self._ask("SELECT name FROM entrants WHERE disqualified")}

    # Invitations

    def invite(self, count: int) -> list[str]:
        """Makes invitations, each for one entrant; they are shown once."""
        codes = [secrets.token_urlsafe(9) for _ in range(count)]
        with self._changing() as line:
            line.executemany(
                "INSERT INTO invitations (code, made) VALUES (?, ?)", [(hashed(code), time.time()) for code in codes]
            )
        return codes

    def invitations(self) -> tuple[int, int]:
        """Returns how many invitations were made, and how many of them are used."""
        made, used = self._ask("SELECT count(*), count(used_by) FROM invitations")[0]
        return int(made), int(used)

    # Uploads

    def uploads(self, name: str | None = None, *, since: int = 0) -> list[Upload]:
        """Returns uploads in the order in which they were acknowledged, of everybody or of one."""
        where, values = "id > ?", [since]
        if name is not None:
            where, values = f"{where} AND name = ?", [*values, name]  # type: ignore[list-item]
        rows = self._ask(f"SELECT id, name, code, bytes, made FROM uploads WHERE {where} ORDER BY id", values)
        return [Upload(*row) for row in rows]

    def folder_of(self, upload: int) -> Path:
        """Returns where the files of an upload lie."""
        return self.uploads_folder / str(upload)

    def incoming(self) -> Path:
        """Returns a new folder in which something may be unpacked."""
        place = self.uploads_folder / f"{ASIDE}{secrets.token_hex(8)}"
        place.mkdir(mode=0o700)
        return place

    def sweep(self) -> None:
        """Removes what was being unpacked when a server was killed; only the one server of a contest may do so."""
        for place in self.uploads_folder.glob(f"{ASIDE}*"):
            shutil.rmtree(place, ignore_errors=True)

    def used_bytes(self) -> int:
        """Returns the bytes of all uploads."""
        return int(self._ask("SELECT coalesce(sum(bytes), 0) FROM uploads")[0][0])

    def take(self, name: str, code: str, size: int, files: Path, *, most_versions: int) -> tuple[Upload, bool]:
        """Takes over files that were unpacked; returns the upload, and whether it is new.

        When this returns it outlives a crash. The same content of the same entrant is the same upload.
        """
        with self._changing() as line:
            row = line.execute(
                "SELECT id, name, code, bytes, made FROM uploads WHERE name = ? AND code = ?", (name, code)
            ).fetchone()
            if row is not None:
                return Upload(*row), False
            if line.execute("SELECT count(*) FROM uploads WHERE name = ?", (name,)).fetchone()[0] >= most_versions:
                raise PlaymillError(
                    f"the contest takes {most_versions} versions of an entrant, and there were as many",
                    f"от участника принимают столько версий: {most_versions}, и они уже были",
                )
            made = time.time()
            number = line.execute(
                "INSERT INTO uploads (name, code, bytes, made) VALUES (?, ?, ?, ?)", (name, code, size, made)
            ).lastrowid
            assert number is not None
            place = self.folder_of(number)
            try:
                if place.exists():  # left by somebody who was killed before it was acknowledged
                    shutil.rmtree(place)
                files.rename(place)
            except OSError as error:
                raise cannot_write(place, reason_of(error)) from None
            flush_folder(self.uploads_folder)
        return Upload(number, name, code, size, made), True

    # Settings

    def setting(self, key: str, usual: Any = None) -> Any:
        """Returns a setting of the organiser's."""
        rows = self._ask("SELECT value FROM settings WHERE key = ?", (key,))
        return json.loads(rows[0][0]) if rows else usual

    def change(self, settings: Mapping[str, Any]) -> None:
        """Changes settings, all or none."""
        with self._changing() as line:
            line.executemany(
                "INSERT INTO settings VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                [(key, json.dumps(value)) for key, value in settings.items()],
            )

    # Editions

    @property
    def edition(self) -> int:
        """How often everything was begun anew, counted from 1."""
        return int(self.setting("edition", 1))

    def begin_edition(self, uploads: Collection[int]) -> None:
        """Begins everything anew, with these of the uploads there are, and all that come."""
        last = self._ask("SELECT coalesce(max(id), 0) FROM uploads")[0][0]
        self.change({"edition": self.edition + 1, "chosen": sorted(uploads), "chosen_until": last})

    def in_edition(self, *, since: int = 0) -> list[Upload]:
        """Returns the uploads that this edition plays, in their order, after the one of a number."""
        chosen, until = set(self.setting("chosen", [])), self.setting("chosen_until", 0)
        return [one for one in self.uploads(since=since) if one.id > until or one.id in chosen]


def hashed(secret: str) -> str:
    """Returns the form in which tokens and invitations are kept: they are long and drawn, so a plain hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
