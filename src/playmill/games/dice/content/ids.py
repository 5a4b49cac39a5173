"""Ids that people did not write: made from a name, in whatever script, or from the code of a die."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from typing import Any

#: As long as an id may be.
_LONGEST = 32
_SPELT = "a b v g d e yo zh z i y k l m n o p r s t u f h ts ch sh shch  y  e yu ya"
_LETTERS = dict(zip("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", _SPELT.split(" "), strict=True))
#: What stands in front of an id that would not begin with a letter.
_ONE = {"modifiers": "modifier", "items": "item", "dice": "die", "flags": "flag", "kits": "kit"}


def made_id(kind: str, entry: Mapping[str, Any]) -> str | None:
    """An id for an entry that has none, from its English name, its Russian one or its code; None if that fails.

    An entry without any of them gets "": what it lacks is told by others.
    """
    sources = list(_sources(entry))
    for source in sources:
        made = _plain(source)
        if made:
            return (made if made[0].isalpha() else f"{_ONE[kind]}_{made}")[:_LONGEST].rstrip("_")
    return None if sources else ""


def _sources(entry: Mapping[str, Any]) -> Iterator[str]:
    name = entry.get("name")
    spoken = (name.get("en"), name.get("ru")) if isinstance(name, Mapping) else (name,)
    for source in (*spoken, entry.get("code")):
        if isinstance(source, str):
            yield source


def _plain(source: str) -> str:
    """Small Latin letters and digits, parted by _ where there was anything else but an apostrophe."""
    spelt = "".join(_LETTERS.get(sign, sign) for sign in source.lower())
    bare = unicodedata.normalize("NFKD", spelt).encode("ascii", "ignore").decode().replace("'", "")
    return re.sub(r"[^a-z0-9]+", "_", bare).strip("_")


def free_id(name: str, used: Collection[str]) -> str:
    """An id like a used one that is still free."""
    return next(other for n in range(2, len(used) + 3) if (other := f"{name[:28]}_{n}") not in used)
