"""Client of a served contest: packs a bot's folder or file, sends it, and tells what came of it."""

from __future__ import annotations

import http.client
import io
import json
import ssl
import time
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from playmill.lab.contests.bot_folder import RefusedError, contents, listed_files, opened_folder
from playmill.report.files.atomic_file import reason_of
from playmill.texts import Lang, PlaymillError

_SECONDS = 60.0
#: Seconds between two looks at what became of a submission.
_LOOK = 1.0
_THROUGH = ("done", "refused")


class ContestClient:
    """A contest's server, as an entrant's program sees it."""

    def __init__(self, address: str, token: str, lang: Lang = "en") -> None:
        parts = urlsplit(address if "//" in address else f"http://{address}")
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise PlaymillError(
                f"{address!r} is no address of a contest; expected http://HOST:PORT",
                f"{address!r} — не адрес соревнования; нужно http://ИМЯ:ПОРТ",
            )
        self._address, self._secure = f"{parts.scheme}://{parts.netloc}", parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json",
            "Accept-Language": lang,
            # The server takes changes from its own pages only, and from programs that say they mean it.
            "Origin": self._address,
        }

    def ask(self, path: str, body: bytes | None = None, more: Mapping[str, str] | None = None) -> dict[str, Any]:
        """Sends a request; raises the sentence of the server's refusal."""
        try:
            line = (
                http.client.HTTPSConnection(
                    self._host, self._port, timeout=_SECONDS, context=ssl.create_default_context()
                )
                if self._secure
                else http.client.HTTPConnection(self._host, self._port, timeout=_SECONDS)
            )
            line.request("GET" if body is None else "POST", path, body, {**self._headers, **(more or {})})
            answer = line.getresponse()
            text = answer.read(1 << 22)
            line.close()
        except (OSError, http.client.HTTPException) as error:
            reason = reason_of(error) if isinstance(error, OSError) else (str(error), str(error))
            raise PlaymillError(
                f"no answer from {self._address}: {reason[0]}", f"{self._address} не отвечает: {reason[1]}"
            ) from None
        try:
            found = json.loads(text)
        except ValueError:
            found = None
        if not isinstance(found, dict):
            raise PlaymillError(
                f"{self._address} is no contest: its answer has status {answer.status}",
                f"{self._address} — не соревнование: ответ с кодом {answer.status}",
            )
        if "error" in found:
            raise PlaymillError(str(found["error"]), str(found["error"]))  # in the language that was asked for
        return found

    def register(self, name: str, invitation: str = "") -> str:
        """Registers an entrant; returns the token, which is from now on this client's own."""
        form = urlencode({"name": name, "invitation": invitation}).encode()
        token = str(self.ask("/register", form, {"Content-Type": "application/x-www-form-urlencoded"})["token"])
        self._headers["Authorization"] = f"Bearer {token}"
        return token

    def submit(self, path: Path) -> dict[str, Any]:
        """Hands in a folder or a file; what comes back is acknowledged: it is on the server's disk."""
        name, data = packed(path)
        return self.ask(f"/submit?name={quote(name)}", data)

    def state(self, version: int) -> Mapping[str, Any]:
        """Returns what became of a version so far."""
        for one in self.ask("/me.json")["versions"]:
            if one["version"] == version:
                return dict(one)
        return {"version": version, "state": "queued", "state_text": "queued", "why": None, "figures": None}

    def wait(self, version: int, tell: Callable[[str], None]) -> Mapping[str, Any]:
        """Waits until a version is through, and tells each state it goes through."""
        last = ""
        while True:
            found = self.state(version)
            if found["state"] != last:
                last = found["state"]
                tell(found["state_text"])
            if found["state"] in _THROUGH:
                return found
            time.sleep(_LOOK)


def packed(path: Path) -> tuple[str, bytes]:
    """Returns a folder as a zip, or a file as it is, with its name; raises what is wrong with it."""
    try:
        if path.is_file():
            return path.name, path.read_bytes()
        if not path.is_dir():
            raise PlaymillError(f"there is no folder or file {path}", f"нет ни папки, ни файла {path}")
        made = io.BytesIO()
        with opened_folder(path) as place, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
            for parts, mode, content in contents(place, listed_files(place)):
                entry = zipfile.ZipInfo("/".join(parts))
                entry.external_attr = (0o100755 if mode else 0o100644) << 16
                entry.compress_type = zipfile.ZIP_DEFLATED
                archive.writestr(entry, content)
    except RefusedError as error:
        raise PlaymillError(f"{path}: {error.why.en}", f"{path}: {error.why.ru}") from None
    except OSError as error:
        reason = reason_of(error)
        raise PlaymillError(f"{path} cannot be read: {reason.en}", f"{path} не читается: {reason.ru}") from None
    return f"{path.resolve().name}.zip", made.getvalue()
