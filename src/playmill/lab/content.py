"""The content of a game: the modifiers, items and the like of it that are data."""

from __future__ import annotations

from types import ModuleType

from playmill.engine.game import Game
from playmill.texts import PlaymillError


def content_room(game: Game) -> ModuleType:
    """The game's content, or one sentence that it has none."""
    if game.content is None:
        raise PlaymillError(
            f"{game.name} has no content files; its numbers are in: playmill config {game.name}",
            f"у {game.name} нет файлов содержания; числа правил: playmill config {game.name}",
        )
    return game.content
