"""Saved content: files with one piece each, by game; a file with many pieces is split."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from playmill.engine.contract.game import Game
from playmill.lab.runs.content import Pieces, ids_of, joined, needed, require_content
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.lab.content.draft import (
    PieceDraft,
    file_text,
    free_id,
    from_file,
    kinds_of,
    nothing_in_it,
    pieces_of,
)
from playmill.web.saved.named_files import LONGEST, MOST, NamedFiles

#: Mistakes of a file that are shown; the others are counted.
_MOST_SHOWN = 20


class SavedPiece(NamedTuple):
    """A saved piece: its name, its kind, the piece, and whether a form can change it."""

    name: str
    kind: str
    piece: Mapping[str, Any]
    has_form: bool


class SavedContent(NamedFiles):
    """Saved content in a folder."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, Text("pieces of content", "сохранённых вещей"))
        self._read: dict[str, tuple[object, list[SavedPiece]]] = {}

    def listed(self, game: Game) -> list[SavedPiece]:
        """All saved pieces of a game that can be read, by name; of several with one id the first."""
        files = [(name, self._path(game, name)) for name in self.names(game)]
        mark = [(name, path.stat().st_mtime_ns, path.stat().st_size) for name, path in files]
        if game.name not in self._read or self._read[game.name][0] != mark:
            self._read[game.name] = mark, list(self._sorted_out(game))
        return self._read[game.name][1]

    def _sorted_out(self, game: Game) -> list[SavedPiece]:
        found: dict[tuple[str, str], SavedPiece] = {}
        for name in self.names(game):
            try:
                pieces = pieces_of(self.text(game, name) or "")
            except PlaymillError:
                continue  # somebody else wrote it; whoever opens it is told what is wrong
            kind = next((one for one in require_content(game).KIND_NAMES if one in pieces), None)
            if kind is not None and isinstance(pieces[kind][0].get("id"), str):
                piece = pieces[kind][0]
                found.setdefault((kind, piece["id"]), SavedPiece(name, kind, piece, kind in kinds_of(game)))
        return list(found.values())

    def pieces(self, game: Game) -> dict[str, list[Mapping[str, Any]]]:
        """All saved pieces of a game, by kind."""
        found: dict[str, list[Mapping[str, Any]]] = {}
        for one in self.listed(game):
            found.setdefault(one.kind, []).append(one.piece)
        return found

    def valid(self, game: Game) -> dict[str, list[Mapping[str, Any]]]:
        """The saved pieces that can be played with: valid beside the rest."""
        found = self.pieces(game)
        while found and (mistakes := require_content(game).examined(found)[1]):
            wrong = {tuple(one.path.split(".")[:2]) for one in mistakes}
            fewer = {
                kind: [one for place, one in enumerate(listed) if (kind, str(place)) not in wrong]
                for kind, listed in found.items()
            }
            if fewer == found:
                return {}
            found = fewer
        return found

    def save(self, draft: PieceDraft, name: str, lang: Lang) -> str:
        """Saves a valid piece under a name, by default its own in a language; returns the name."""
        draft.check()
        own = draft.entry.name.of(lang) if draft.entry is not None else ""
        return self._put(draft.game, draft.kind, draft.whole, name or _plain(own) or str(draft.whole["id"]))

    def _put(self, game: Game, kind: str, piece: Mapping[str, Any], name: str) -> str:
        """Saves a piece in a file of its own, replacing whatever had its id."""
        made = self.put(game, name, file_text({kind: [piece]}))
        for one in self.listed(game):
            if one.kind == kind and one.piece["id"] == piece["id"] and one.name != made:
                self.remove(game, one.name)
        return made

    def import_file(self, game: Game, text: str, lang: Lang) -> tuple[list[str], list[Text]]:
        """Saves every piece of a content file; returns their names, or all mistakes, and then nothing is saved."""
        module, file = require_content(game), pieces_of(text)
        known = {kind: file[kind] for kind in module.KIND_NAMES if kind in file}
        if not known:
            raise nothing_in_it(module.KIND_NAMES)
        taken = {name for listed in known.values() for name in ids_of(listed)}
        whole: dict[str, list[dict[str, Any]]] = {}
        for kind, listed in known.items():
            for one in listed:
                made = module.completed(kind, one)
                if "id" not in one and "id" in made:
                    made["id"] = free_id(str(made["id"]), taken)
                    taken.add(made["id"])
                whole.setdefault(kind, []).append(made)
        content, found = module.examined(joined(whole, self.pieces(game)))
        mistakes = [one.text for one in found if _is_in(one.path, whole)]
        if mistakes:
            more = len(mistakes) - _MOST_SHOWN
            return [], [*mistakes[:_MOST_SHOWN], *[Text(f"and {more} more", f"и ещё {more}")] * (more > 0)]
        return self._put_all(
            game, whole, {(one.kind, one.id): one.name.of(lang) for one in module.entries(content)}
        ), []

    def _put_all(
        self, game: Game, whole: Mapping[str, list[dict[str, Any]]], called: Mapping[tuple[str, str], str]
    ) -> list[str]:
        """Saves pieces under the names they had, or else under their own, each a different one."""
        had = {(one.kind, one.piece["id"]): one.name for one in self.listed(game)}
        used = set(self.names(game))
        names: dict[tuple[str, str], str] = {}
        for kind, listed in whole.items():
            for piece in listed:
                key = (kind, piece["id"])
                own = _plain(called.get(key, ""))[: LONGEST - 4].strip() or piece["id"]
                names[key] = had.get(key) or next(
                    one for one in (own, *(f"{own} {n}" for n in range(2, MOST + 2))) if one not in used
                )
                used.add(names[key])
        if len(used) > MOST:
            raise PlaymillError(
                f"there would be {len(used)} pieces of content; expected at most {MOST}: remove some",
                f"сохранённых вещей стало бы {len(used)}; ожидается не больше {MOST}: удалите лишние",
            )
        return [
            self._put(game, kind, piece, names[kind, piece["id"]]) for kind, listed in whole.items() for piece in listed
        ]

    def file(self, game: Game, name: str) -> str | None:
        """The piece of a name as a content file, with pieces it refers to."""
        text = self.text(game, name)
        return None if text is None else file_text(needed(pieces_of(text), self.pieces(game)))

    def draft(self, game: Game, name: str) -> PieceDraft:
        """The piece of a name; raises if there is none that can be read."""
        text = self.text(game, name)
        if text is None:
            raise PlaymillError(f"nothing is kept as {name!r}", f"под именем {name!r} ничего не сохранено")
        return from_file(game, text, self.pieces(game))


def _plain(name: str) -> str:
    """A name without the characters that file names cannot have."""
    return " ".join("".join(sign for sign in name if sign.isalnum() or sign in " -_+").split())


def _is_in(path: str, pieces: Pieces) -> bool:
    """Whether a mistake is in one of these pieces, which come first, or in the file as a whole."""
    kind, _, rest = path.partition(".")
    place = rest.partition(".")[0]
    return not place.isdecimal() or int(place) < len(pieces.get(kind, ()))
