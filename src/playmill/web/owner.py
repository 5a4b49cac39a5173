"""Who owns a server: whoever has the key that lies among its files, in the address or in a cookie."""

from __future__ import annotations

import hmac
import os
import secrets
from base64 import urlsafe_b64encode
from http.cookies import CookieError, SimpleCookie
from pathlib import Path

from starlette.datastructures import Headers

from playmill.engine.json_text import reason_of
from playmill.texts import PlaymillError

OWNER_COOKIE = "playmill_owner"
_BYTES = 24
#: Letters of a seal.
_SEAL = 22


class Owner:
    """Knows the owner's key; without one, nobody is the owner."""

    def __init__(self, key: str | None = None) -> None:
        self._key = key

    def fits(self, key: str) -> bool:
        """Whether this is the key."""
        return self._key is not None and hmac.compare_digest(key.encode(), self._key.encode())

    def asks(self, headers: Headers) -> bool:
        """Whether a request comes from the owner."""
        try:
            found = SimpleCookie(headers.get("cookie", "")).get(OWNER_COOKIE)
        except CookieError:
            return False
        return found is not None and self.fits(found.value)

    def seal(self, text: str) -> str:
        """What makes an address that can be guessed one that cannot: only whoever has the key can make it."""
        made = hmac.digest((self._key or secrets.token_hex()).encode(), text.encode("utf-8", "surrogatepass"), "sha256")
        return urlsafe_b64encode(made)[:_SEAL].decode()


def owner_key(home: Path) -> str:
    """The key of the owner of what is kept in a folder: made once, for nobody else's eyes."""
    path = home / "owner.key"
    try:
        home.mkdir(parents=True, exist_ok=True)
        if path.exists() and (found := path.read_text(encoding="ascii", errors="ignore").strip()):
            return found
        made = secrets.token_urlsafe(_BYTES)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
            file.write(f"{made}\n")
    except OSError as error:
        why = reason_of(error)
        raise PlaymillError(
            f"the owner's key cannot be kept in {home}: {why.en}", f"ключ владельца нельзя хранить в {home}: {why.ru}"
        ) from None
    return made
