"""Reads content files: JSON as people and language models write it, and ids that they left out."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from playmill.author import PlaymillError, Text
from playmill.author.content import parsed as parsed_json
from playmill.author.content import text_of, unfenced

#: Deeper than anything meant can be; deeper files could not even be walked safely.
TOO_DEEP = 40
#: As long as an id may be.
_LONGEST = 32
_SPELT = "a b v g d e yo zh z i y k l m n o p r s t u f h ts ch sh shch  y  e yu ya"
_LETTERS = dict(zip("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", _SPELT.split(" "), strict=True))
#: What stands in front of an id that would not begin with a letter.
_ONE = {"modifiers": "modifier", "items": "item", "dice": "die", "flags": "flag", "kits": "kit"}
_WANTED = Text("a JSON object", "объект JSON")
_ALONE = Text("JSON alone", "только JSON")


class Mistake(NamedTuple):
    """What is wrong at a path of a file; the text tells it without the file's name."""

    path: str
    text: Text


def load(path: Path) -> Any:
    """The parsed JSON of a file; whatever cannot be parsed is a PlaymillError that says why, and how to mend it."""
    return parsed(text_of(path), str(path))


def parsed(text: str, source: str) -> Any:
    """The JSON in a text, which may stand between Markdown fences; what is no JSON gets one sentence."""
    text = unfenced(text, source)
    bare = text.strip()
    if bare[:1] not in "{[" and "{" in bare:
        line = json.dumps(bare.splitlines()[0][:40], ensure_ascii=False)
        raise PlaymillError(
            f"{source} begins with {line}; expected JSON alone, nothing before or after it",
            f"{source} начинается с {line}; ожидается только JSON, без слов до и после него",
        )
    return parsed_json(text, source, wanted=_WANTED, alone=_ALONE)


def _deep(path: str) -> Mistake:
    where = Text(f"{path} is", path) if path else Text("it is", "содержимое")
    return Mistake(
        path,
        Text(
            f"{where.en} nested too deeply; conditions may stand at most 6 deep",
            f"{where.ru}: слишком глубокая вложенность; условия — не глубже 6",
        ),
    )


class _TooDeepError(Exception):
    pass


def cleaned(data: Any) -> tuple[Any, list[Mistake]]:
    """A copy that can be written as JSON again, and what JSON allows but content does not.

    That is: a key given twice, null, half a character; and nesting beyond reason, for which there is no copy but None.
    """
    found: list[Mistake] = []
    try:
        return _cleaned(data, "", 0, found), found
    except _TooDeepError as error:
        return None, [_deep(".".join(str(error).split(".")[:6]))]


def _cleaned(data: Any, path: str, depth: int, found: list[Mistake]) -> Any:
    if depth > TOO_DEEP:
        raise _TooDeepError(path)
    if isinstance(data, dict):
        found += [_twice(path, name) for name in getattr(data, "repeated", ())]
        inside = {_cleaned(key, path, depth, found): value for key, value in data.items()}
        return {key: _cleaned(value, joined(path, key), depth + 1, found) for key, value in inside.items()}
    if isinstance(data, list | tuple):
        return [_cleaned(value, joined(path, place), depth + 1, found) for place, value in enumerate(data)]
    if data is None:
        found.append(
            Mistake(
                path,
                Text(
                    f"{path or 'it'} is null; a key that is not needed is left out",
                    f"{path or 'содержимое'} равно null; ненужный ключ просто не пишут",
                ),
            )
        )
    if isinstance(data, str) and not data.isprintable() and any("\ud800" <= sign <= "\udfff" for sign in data):
        found.append(
            Mistake(
                path,
                Text(
                    f"{path or 'it'} has half a character ({ascii(data)[1:-1][:40]}); expected whole ones",
                    f"{path or 'содержимое'}: половина символа ({ascii(data)[1:-1][:40]}); ожидаются целые",
                ),
            )
        )
        return data.encode("utf-8", "replace").decode()
    return data


def _twice(path: str, name: str) -> Mistake:
    start = f"{path}: " if path else ""
    return Mistake(
        joined(path, name),
        Text(
            f'{start}the key "{name}" is there more than once; expected once',
            f'{start}ключ "{name}" повторяется; ожидается один раз',
        ),
    )


def joined(path: str, step: object) -> str:
    """A path with one more step."""
    return f"{path}.{step}" if path else str(step)


# Ids that people did not write


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
