"""Reading map files: JSON as people really write it, before anyone asks what it means."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playmill.engine.config import read_json
from playmill.texts import PlaymillError, Text


class Repeated(dict[str, Any]):
    """A JSON object in which a key stood more than once."""

    repeated: tuple[str, ...] = ()


def load(path: Path) -> Any:
    """The parsed JSON of a file; whatever cannot be parsed is a PlaymillError that says why."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        read_json(path)  # says why in both languages
        raise
    except ValueError:  # a zero character, or half a character
        raise PlaymillError(
            f"{str(path)!r} cannot be the name of a file", f"{str(path)!r} не может быть именем файла"
        ) from None
    if not text.strip():
        raise PlaymillError(f"{path} is empty; expected a map", f"{path} пуст; ожидается карта")
    try:
        return json.loads(text, object_pairs_hook=_object)
    except json.JSONDecodeError as error:
        raise _not_json(error, text, path) from None
    except RecursionError:
        raise PlaymillError(
            f"{path} is nested too deeply for a map", f"{path}: для карты слишком глубокая вложенность"
        ) from None
    except ValueError:  # a whole number of thousands of digits
        raise PlaymillError(
            f"{path} has a number with too many digits", f"{path}: в одном из чисел слишком много цифр"
        ) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) == len(pairs):
        return data
    names = [name for name, _ in pairs]
    marked = Repeated(data)
    marked.repeated = tuple(dict.fromkeys(name for name in names if names.count(name) > 1))
    return marked


def _not_json(error: json.JSONDecodeError, text: str, path: Path) -> PlaymillError:
    line, column = error.lineno, error.colno
    if error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string"):
        return PlaymillError(
            f"{path} is not valid JSON: it breaks off at line {line}, column {column}; is the end of the file missing?",
            f"{path} — неправильный JSON: он обрывается в строке {line}, столбце {column}; нет конца файла?",
        )
    if error.msg == "Extra data":
        return PlaymillError(
            f"{path} has more after the end of the JSON, at line {line}, column {column}; expected one map a file",
            f"{path}: после конца JSON есть что-то ещё, в строке {line}, столбце {column}; ожидается одна карта",
        )
    why = _why(error, text)
    return PlaymillError(
        f"{path} is not valid JSON: {why.en} at line {line}, column {column}",
        f"{path} — неправильный JSON: {why.ru} в строке {line}, столбце {column}",
    )


def _why(error: json.JSONDecodeError, text: str) -> Text:
    """What is wrong at the place where a JSON parser stopped."""
    before, here = text[: error.pos].rstrip(), text[error.pos :].lstrip()
    if (before[-1:] + here[:1]) in (",]", ",}") or (here[:1] == "," and here[1:].lstrip()[:1] in ("]", "}")):
        return Text("a comma with nothing after it", "запятая, за которой ничего нет,")
    if "',' delimiter" in error.msg:
        return Text("a comma is missing", "не хватает запятой")
    if error.msg.startswith("Invalid control character"):
        return Text("a text without its closing quote", "текст без закрывающей кавычки")
    return Text(error.msg, "ошибка")
