"""Completes a draft of content with the texts and the id that are not written yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from playmill.author import LANGUAGES, Text
from playmill.games.dice.content.entries import Desc
from playmill.games.dice.content.reading import free_id, made_id
from playmill.games.dice.content.references import KnownContent
from playmill.games.dice.content.weights import fall_text, scaled
from playmill.games.dice.plain import KINDS, LISTS, List

_NEW = {
    "modifiers": Text("New modifier", "Новый модификатор"),
    "items": Text("New item", "Новый предмет"),
    "dice": Text("New die", "Новая кость"),
    "flags": Text("New flag", "Новый флаг"),
    "kits": Text("New kit", "Новый набор"),
}
_PLAIN: dict[List, str] = {"modifiers": "modifier", "items": "item", "dice": "die", "flags": "flag", "kits": "kit"}
#: The longest description, and what ends one that had to be cut.
_LONGEST = Desc.model_fields["en"].metadata[1].max_length
_MORE = "…"

#: What a whole entry does, in words; None if something is wrong with it.
Describe = Callable[[str, Mapping[str, Any]], Text | None]


def completed(kind: str, entry: Mapping[str, Any], known_content: KnownContent, describe: Describe) -> dict[str, Any]:
    """The entry with all that may be left open: a plain name, a free id, a mark, a notice and a description."""
    made = dict(entry)
    listed = next((one for one in LISTS if one == kind), None)
    if listed is None:
        return made
    made.setdefault("name", {lang: _NEW[kind].of(lang) for lang in LANGUAGES})
    if "id" not in made:
        taken = known_content.holders(listed)
        name = made_id(kind, made) or _PLAIN[listed]
        made["id"] = free_id(name, taken) if name in taken else name
    if listed not in KINDS:
        return made
    if kind == "dice":
        made.setdefault("code", _mark(made["id"]))
    else:
        made.setdefault("note" if kind == "modifiers" else "notification", made["name"])
    if "desc" not in made:
        does = describe(kind, {**made, "desc": _MORE}) or Text(_MORE, _MORE)
        does = fall_text(scaled(made["weights"])) if kind == "dice" and does.en != _MORE else does
        made["desc"] = {lang: _sentence(does.of(lang)) for lang in LANGUAGES}
    return made


def _mark(name: object) -> str:
    """A letter or two for a die, from its id."""
    parts = [part for part in str(name).split("_") if part]
    return "".join(part[0] for part in parts[:2]).upper() or "?"


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    end = "" if text.endswith(_MORE) else "."
    return text + end if len(text) < _LONGEST else text[: _LONGEST - 1] + _MORE
