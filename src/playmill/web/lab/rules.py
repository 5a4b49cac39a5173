"""Rules that somebody gave a name: configs, each a file, by game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playmill.engine.config import RuleConfig
from playmill.engine.game import Game
from playmill.engine.json_text import parsed, sound
from playmill.lab.store.manifest import make_folder, write_aside
from playmill.texts import PlaymillError, Text

#: The longest name, and so many of one game.
LONGEST, MOST = 40, 200
_OBJECT = Text("a JSON object with the settings", "JSON-объект с настройками")


class SavedRules:
    """The rules in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def names(self, game: Game) -> list[str]:
        """What there is of a game, in the order of letters."""
        return sorted((path.stem for path in (self._folder / game.name).glob("*.json")), key=str.casefold)

    def save(self, game: Game, name: str, config: RuleConfig) -> str:
        """Keeps a config under a name, in place of one that was called so; returns the name."""
        name = _checked(name)
        folder = self._folder / game.name
        known = self.names(game)
        if name not in known and len(known) >= MOST:
            raise PlaymillError(f"there are {MOST} rules already; remove some", f"правил уже {MOST}; удалите лишние")
        make_folder(folder)
        text = json.dumps(config.model_dump(mode="json"), ensure_ascii=False, indent=2)
        write_aside(folder / f"{name}.json", f"{text}\n".encode())
        return name

    def text(self, game: Game, name: str) -> str | None:
        """The file of a name."""
        if name not in self.names(game):
            return None
        return (self._folder / game.name / f"{name}.json").read_text(encoding="utf-8")

    def data(self, game: Game, name: str) -> Any:
        """The config of a name, as the data of a file; raises if there is none that can be read."""
        text = self.text(game, name)
        if text is None:
            raise PlaymillError(f"there are no rules called {name!r}", f"нет правил с именем {name!r}")
        return sound(parsed(text, name, wanted=_OBJECT, alone=_OBJECT), name)

    def remove(self, game: Game, name: str) -> None:
        """Does away with a name."""
        if name in self.names(game):
            (self._folder / game.name / f"{name}.json").unlink(missing_ok=True)


def _checked(name: str) -> str:
    """A name that every disk can have: letters, digits, spaces and a few signs."""
    name = " ".join(name.split())
    if not name or len(name) > LONGEST or not all(sign.isalnum() or sign in " -_+" for sign in name):
        raise PlaymillError(
            f"rules can be called by letters, digits, spaces, -, _ and +, at most {LONGEST} of them, not {name!r}",
            f"в имени правил могут быть буквы, цифры, пробелы, -, _ и +, не больше {LONGEST}; {name!r} не годится",
        )
    return name
