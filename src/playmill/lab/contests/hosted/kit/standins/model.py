"""Base of a game's config for the referee of a starter kit: its record is the one that Playmill has packed."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import BaseModel, Field

from playmill.texts import Text

RUSSIAN = "x-ru"
Packed = np.ndarray
#: The packed record by the number of players.
PACKED: dict[int, Any] = {}


def setting(
    name: Any, about: Any, *, schema: Any = None, fixed: bool = False, whole: bool = False, **field: Any
) -> Any:
    """A field of a config."""
    return Field(**field)


class RuleConfig(BaseModel):
    """Base of every game's config."""

    def pack(self, players: int) -> Any:
        """The one-element record array that the rules read."""
        return PACKED[players]

    def plainest(self) -> RuleConfig:
        """The same rules said in the plainest way."""
        return self


class ConfigError(ValueError):
    """A contradiction in a config."""

    def __init__(self, path: str, en: str, ru: str | None = None) -> None:
        super().__init__(en)
        self.path, self.text = path, Text(en, en if ru is None else ru)


def unknown_keys(config: Any) -> list[str]:
    """Nothing: the config was validated."""
    return []
