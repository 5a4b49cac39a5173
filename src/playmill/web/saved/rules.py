"""Saved rules: configs that the owner saved under a name, by game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playmill.engine.config.json_input import parsed, sound
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game
from playmill.texts import PlaymillError, Text
from playmill.web.saved.named_files import NamedFiles

_OBJECT = Text("a JSON object with the settings", "JSON-объект с настройками")


class SavedRules(NamedFiles):
    """Saved configs in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, Text("rules", "правил"))

    def save(self, game: Game, name: str, config: RuleConfig) -> str:
        """Saves a config under a name, replacing one of the same name; returns the name."""
        text = json.dumps(config.model_dump(mode="json"), ensure_ascii=False, indent=2)
        return self.put(game, name, f"{text}\n")

    def data(self, game: Game, name: str) -> Any:
        """The config of a name, as JSON data; raises if there is none that can be read."""
        text = self.text(game, name)
        if text is None:
            raise PlaymillError(f"there are no rules called {name!r}", f"нет правил с именем {name!r}")
        return sound(parsed(text, name, wanted=_OBJECT, alone=_OBJECT), name)
