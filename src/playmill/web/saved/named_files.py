"""Files that the owner saved under a name, by game."""

from __future__ import annotations

from pathlib import Path

from playmill.engine.contract.game import Game
from playmill.lab.runs.store.manifest import make_folder, write_aside
from playmill.texts import PlaymillError, Text

#: The longest name, and the most files of one game.
LONGEST, MOST = 40, 200


class NamedFiles:
    """JSON files in a folder, by game and name; `things` says what they are (in Russian in the genitive plural)."""

    def __init__(self, folder: Path, things: Text) -> None:
        self._folder, self._things = folder, things

    def names(self, game: Game) -> list[str]:
        """The names of a game, sorted."""
        return sorted((path.stem for path in (self._folder / game.name).glob("*.json")), key=str.casefold)

    def put(self, game: Game, name: str, text: str) -> str:
        """Saves a file under a name, replacing one of the same name; returns the name."""
        name = self._checked(name)
        known = self.names(game)
        if name not in known and len(known) >= MOST:
            raise PlaymillError(
                f"there are {MOST} {self._things.en} already; remove some",
                f"{self._things.ru} уже {MOST}; удалите лишние",
            )
        make_folder(self._folder / game.name)
        write_aside(self._path(game, name), text.encode())
        return name

    def text(self, game: Game, name: str) -> str | None:
        """The text of a file."""
        if name not in self.names(game):
            return None
        return self._path(game, name).read_text(encoding="utf-8")

    def remove(self, game: Game, name: str) -> None:
        """Removes a file."""
        if name in self.names(game):
            self._path(game, name).unlink(missing_ok=True)

    def _path(self, game: Game, name: str) -> Path:
        return self._folder / game.name / f"{name}.json"

    def _checked(self, name: str) -> str:
        """Validates a name: letters, digits, spaces and a few signs."""
        name = " ".join(name.split())
        if not name or len(name) > LONGEST or not all(sign.isalnum() or sign in " -_+" for sign in name):
            raise PlaymillError(
                f"{self._things.en} can be called by letters, digits, spaces, -, _ and +, at most {LONGEST} of them, "
                f"not {name!r}",
                f"в имени могут быть буквы, цифры, пробелы, -, _ и +, не больше {LONGEST}; {name!r} не годится",
            )
        return name
