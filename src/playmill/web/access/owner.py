"""Owner of a server: a key in a private file, checked in the address or a cookie; one-time codes."""

from __future__ import annotations

import hmac
import os
import secrets
import time
from base64 import urlsafe_b64encode
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from starlette.datastructures import Headers

from playmill.engine.config.json_input import reason_of
from playmill.home import make_private, open_private
from playmill.texts import PlaymillError

OWNER_COOKIE = "playmill_owner"
_BYTES = 24
#: Characters of a signature, and the most of a key.
_SEAL, _LONGEST = 22, 1000


class Owner:
    """Checks the owner's key, as the file at `path` holds it now if there is one; without a key, nobody is the owner.

    A one-time code opens as the key does, once and for a while: it may stand where others can read it, such as on the
    command line of a browser.
    """

    def __init__(self, key: str | None = None, path: Path | None = None) -> None:
        self._known, self._path = key, path
        self._read_at = 0
        self._codes: dict[str, float] = {}

    @property
    def _key(self) -> str | None:
        """The key; read again if the file has changed while the server runs."""
        if self._path is not None:
            with suppress(OSError):
                written = self._path.stat().st_mtime_ns
                if written != self._read_at:
                    self._known, self._read_at = _read(self._path) or self._known, written
        return self._known

    def matches(self, key: str) -> bool:
        """Whether this is the key, compared in constant time."""
        known = self._key
        return known is not None and hmac.compare_digest(key.encode(), known.encode())

    def new_code(self, seconds: float = 300.0) -> str:
        """Makes a code that opens the server as its owner once, within a number of seconds."""
        code = secrets.token_urlsafe(_BYTES)
        self._codes[code] = time.monotonic() + seconds
        return code

    def key_for(self, code: str) -> str | None:
        """Redeems a one-time code for the key; None if it was used or is too old."""
        until = self._codes.pop(code, None)
        return self._key if until is not None and time.monotonic() < until else None

    def is_owner(self, headers: Headers) -> bool:
        """Whether the headers of a request have the owner's cookie."""
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(OWNER_COOKIE)
        except CookieError:
            return False
        return found is not None and self.matches(found.value)

    def seal(self, text: str) -> str:
        """Signs a text with the key, so that an address with it cannot be guessed."""
        made = hmac.digest((self._key or secrets.token_hex()).encode(), text.encode("utf-8", "surrogatepass"), "sha256")
        return urlsafe_b64encode(made)[:_SEAL].decode()


def key_file(home: Path) -> Path:
    """The path of the owner's key in a folder."""
    return home / "owner.key"


def owner_key(home: Path, *, new: bool = False) -> str:
    """Reads the owner's key of a folder; makes it once, or anew, readable for this user only."""
    path = key_file(home)
    try:
        make_private(home)
        if not new and path.exists() and (found := _read(path)):
            return found
        made = secrets.token_urlsafe(_BYTES)
        aside = path.with_name(f".{secrets.token_hex(8)}.key")
        with os.fdopen(open_private(aside, os.O_WRONLY | os.O_EXCL), "w", encoding="ascii") as file:
            file.write(f"{made}\n")
        aside.replace(path)
    except OSError as error:
        why = reason_of(error)
        raise PlaymillError(
            f"the owner's key cannot be kept in {home}: {why.en}", f"ключ владельца нельзя хранить в {home}: {why.ru}"
        ) from None
    return made


def _read(path: Path) -> str:
    """Reads the key in a file and makes the file private."""
    with os.fdopen(open_private(path, os.O_RDONLY), encoding="ascii", errors="ignore") as file:
        return file.read(_LONGEST).strip()
