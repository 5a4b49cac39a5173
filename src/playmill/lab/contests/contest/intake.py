"""Lists the folders that entrants of a contest submit: each with a hash of its content, or why it is refused."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from dataclasses import dataclass, replace
from pathlib import Path

from playmill.lab.contests.bot_folder import FoundFile, RefusedError, listed_files, opened_folder, taken
from playmill.lab.runs.store.reader import is_name
from playmill.texts import Text

#: Letters that nobody sees.
_INVISIBLE = "\u115f\u1160\u3164\uffa0"


@dataclass(frozen=True)
class EntrantFolder:
    """An entrant's folder as it is now: a hash of its content, and why it cannot be accepted."""

    name: str
    path: Path
    #: The same for all that is refused for one reason: that is told once.
    code: str
    #: When anything in it was last changed.
    changed: float
    why: Text | None = None

    def refused(self, why: Text) -> EntrantFolder:
        """The same as one that cannot be taken."""
        code = hashlib.sha256(b"refused\0" + why.en.encode()).hexdigest()
        return replace(self, code=code, why=why)


class Intake:
    """The folders of all entrants; one that was not touched is not read again."""

    def __init__(self, place: Path) -> None:
        self._place = place
        self._known: dict[str, tuple[list[FoundFile], EntrantFolder]] = {}

    def folders(self) -> list[EntrantFolder]:
        """Returns all entrants' folders, by name; a link is one that is refused."""
        try:
            with os.scandir(self._place) as entries:
                names = sorted(
                    entry.name
                    for entry in entries
                    if not entry.name.startswith(".") and (entry.is_symlink() or entry.is_dir(follow_symlinks=False))
                )
        except OSError:
            return []
        return [self.look_into(name) for name in names]

    def look_into(self, name: str) -> EntrantFolder:
        """Returns what lies in an entrant's folder."""
        path = self._place / name
        try:
            check_entrant(name)
            with opened_folder(path) as place:
                found = listed_files(place)
                listed, known = self._known.get(name, ([], None))
                if known is not None and listed == found:
                    return known
                code = taken(place, found, None)
            latest = max((one.changed for one in found), default=0) / 1e9
            folder = EntrantFolder(name, path, code, latest)
            self._known[name] = found, folder
        except RefusedError as error:
            return EntrantFolder(name, path, "", 0.0).refused(error.why)
        return folder


def check_entrant(name: str) -> None:
    """Raises RefusedError unless an entrant can have this name."""
    seen = unicodedata.normalize("NFKC", name) == name and not any(sign in _INVISIBLE for sign in name)
    if not is_name(name) or not seen:
        raise RefusedError(
            "the folder's name may have letters, digits, and - _ . inside",
            "в имени папки бывают буквы, цифры и - _ . внутри",
        )
