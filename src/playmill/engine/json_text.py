"""JSON as people and language models really write it: parsed, or one sentence about what is wrong and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playmill.engine.config import read_json
from playmill.texts import PlaymillError, Text


class Repeated(dict[str, Any]):
    """A JSON object in which a key stood more than once."""

    repeated: tuple[str, ...] = ()


def text_of(path: Path) -> str:
    """The text of a file, with or without a byte order mark; one that cannot be read gets one sentence."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        read_json(path)  # says why in both languages
        raise
    except ValueError:  # a zero character, or half a character
        raise PlaymillError(
            f"{str(path)!r} cannot be the name of a file", f"{str(path)!r} не может быть именем файла"
        ) from None


def parsed(text: str, source: str, *, wanted: Text, alone: Text) -> Any:
    """The JSON in a text: `wanted` says what was expected in an empty one, `alone` where something follows its end.

    Nesting too deep for the parser is left to the caller, as a RecursionError.
    """
    if not text.strip():
        raise PlaymillError(f"{source} is empty; expected {wanted.en}", f"{source} пуст; ожидается {wanted.ru}")
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise _not_json(error, text, source, alone) from None
    except ValueError:  # a whole number of thousands of digits
        raise PlaymillError(
            f"{source} has a number with too many digits", f"{source}: в одном из чисел слишком много цифр"
        ) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) == len(pairs):
        return data
    names = [name for name, _ in pairs]
    marked = Repeated(data)
    marked.repeated = tuple(dict.fromkeys(name for name in names if names.count(name) > 1))
    return marked


def _not_json(error: json.JSONDecodeError, text: str, source: str, alone: Text) -> PlaymillError:
    place = Text(f"line {error.lineno}, column {error.colno}", f"строке {error.lineno}, столбце {error.colno}")
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return PlaymillError(
            f"{source} is not valid JSON: it breaks off at {place.en}; is the end of the file missing?",
            f"{source} — неправильный JSON: он обрывается в {place.ru}; нет конца файла?",
        )
    if error.msg == "Extra data":
        return PlaymillError(
            f"{source} has more after the end of the JSON, at {place.en}; expected {alone.en}",
            f"{source}: после конца JSON есть что-то ещё, в {place.ru}; ожидается {alone.ru}",
        )
    why = _why(error, text)
    return PlaymillError(
        f"{source} is not valid JSON: {why.en} at {place.en}", f"{source} — неправильный JSON: {why.ru} в {place.ru}"
    )


def _why(error: json.JSONDecodeError, text: str) -> Text:
    """What is wrong at the place where the parser stopped."""
    before, here = text[: error.pos].rstrip(), text[error.pos :].lstrip()
    if (before[-1:] + here[:1]) in (",]", ",}") or (here[:1] == "," and here[1:].lstrip()[:1] in ("]", "}")):
        return Text("a comma with nothing after it", "запятая, за которой ничего нет,")
    if "',' delimiter" in error.msg:
        return Text("a comma is missing", "не хватает запятой")
    if error.msg.startswith("Invalid control character"):
        return Text("a text without its closing quote", "текст без закрывающей кавычки")
    return Text(error.msg, "ошибка")
