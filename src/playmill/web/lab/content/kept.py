"""Content that somebody gave a name: files that the command line reads, each with a piece, by game."""

from __future__ import annotations

from pathlib import Path

from playmill.engine.game import Game
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.lab.content.draft import Draft, from_file
from playmill.web.lab.shelf import Shelf


class SavedContent(Shelf):
    """The content in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, Text("pieces of content", "сохранённых вещей"))

    def save(self, draft: Draft, name: str, lang: Lang) -> str:
        """Keeps a piece in which nothing is wrong under a name, else its own in a language; returns the name."""
        draft.check()
        own = draft.entry.name.of(lang) if draft.entry is not None else ""
        plain = "".join(sign for sign in own if sign.isalnum() or sign in " -_+")
        return self.put(draft.game, name or plain or str(draft.whole["id"]), draft.text)

    def draft(self, game: Game, name: str) -> Draft:
        """The piece of a name; raises if there is none that can be read."""
        text = self.text(game, name)
        if text is None:
            raise PlaymillError(f"nothing is kept as {name!r}", f"под именем {name!r} ничего не сохранено")
        return from_file(game, text)
