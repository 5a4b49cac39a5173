"""Reads untrusted JSON: size, depth and number limits, duplicate keys refused, errors located in one sentence.

Nothing that is read can hang or fill the memory: a file is read up to a size, a pipe (`<(command)`, `/dev/stdin`) as
long as something comes through it, a device not at all; nesting and digits have limits that nothing meant comes near.
"""

from __future__ import annotations

import errno
import json
import os
import re
import select
import stat
import time
from collections import Counter
from math import isfinite
from pathlib import Path
from typing import Any

from playmill.engine.config.input_files import note_read
from playmill.texts import PlaymillError, Text

#: The largest file that is read, how long a pipe may be silent, and how deep JSON may be nested.
MOST_BYTES = 16 * 2**20
PIPE_SECONDS = 10.0
MOST_DEPTH = 150
#: Longer whole numbers are nobody's, and reading one takes time by the square of its length.
_MOST_DIGITS = 400
_JSON = Text("JSON", "JSON")
#: A block of Markdown between fences; one that breaks off goes to the end.
_FENCED = re.compile(
    r"^[ \t]*(?P<fence>```|~~~)[^\n]*\n(?P<inside>.*?)(?:^[ \t]*(?P=fence)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL
)
#: A path as its last step and the path before it: short however long the keys are.
_Trail = tuple[Any, ...]


class Repeated(dict[str, Any]):
    """A JSON object with a duplicate key."""

    repeated: tuple[str, ...] = ()


class NumberError(ValueError):
    """A whole number of hundreds of digits, with its message in both languages."""

    def __init__(self, en: str, ru: str) -> None:
        super().__init__(en)
        self.text = Text(en, ru)


def text_of(path: Path) -> str:
    """Reads a text file, with or without a byte order mark; raises one sentence if it cannot be read."""
    note_read(path)
    try:
        return _bytes_of(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _unreadable(path, Text("it is not UTF-8 text", "это не текст в UTF-8")) from None
    except OSError as error:
        raise _unreadable(path, reason_of(error)) from None
    except PlaymillError:
        raise
    except ValueError:  # a zero character, or half a character
        raise PlaymillError(
            f"{str(path)!r} cannot be the name of a file", f"{str(path)!r} не может быть именем файла"
        ) from None


def _bytes_of(path: Path) -> bytes:
    # Opening a pipe would wait for whoever writes into it. Not every system has each of these, and none needs all.
    flags = [getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_BINARY")]
    handle = os.open(path, os.O_RDONLY | sum(flags))
    with os.fdopen(handle, "rb", buffering=0) as file:
        kind = os.fstat(handle).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        piped = stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind)
        if not piped and not stat.S_ISREG(kind):
            raise _unreadable(path, Text("it is a device, not a file", "это устройство, а не файл"))
        found = bytearray()
        while len(found) <= MOST_BYTES:
            if piped:
                _await_more(path, handle)
            piece = file.read(min(2**20, MOST_BYTES + 1 - len(found)))
            if not piece:
                return bytes(found)
            found += piece
    most = MOST_BYTES // 2**20
    raise _unreadable(path, Text(f"it has more than {most} MiB", f"в нём больше {most} МиБ"))


def _await_more(path: Path, handle: int) -> None:
    """Waits until a pipe has more to read, or has ended; where pipes cannot be waited for, reading waits."""
    if not hasattr(select, "poll"):
        return
    waiting = select.poll()
    waiting.register(handle, select.POLLIN)
    end = time.monotonic() + PIPE_SECONDS
    while not waiting.poll(max(0.0, end - time.monotonic()) * 1000):
        if time.monotonic() >= end:
            seconds = f"{PIPE_SECONDS:g}"
            raise _unreadable(
                path,
                Text(
                    f"it is a pipe through which nothing came for {seconds} seconds",
                    f"это канал, по которому ничего не пришло за {seconds} с",
                ),
            )


_WHY = {
    errno.ENOENT: Text("there is no such file", "такого файла нет"),
    errno.ENOTDIR: Text("there is no such file", "такого файла нет"),
    errno.EISDIR: Text("it is a folder", "это папка"),
    errno.EACCES: Text("no permission", "нет доступа"),
    errno.EPERM: Text("no permission", "нет доступа"),
    errno.ELOOP: Text("its links lead in a circle", "ссылки ведут по кругу"),
    errno.ENAMETOOLONG: Text("the name is too long", "имя слишком длинное"),
    errno.ENXIO: Text("it is a device, not a file", "это устройство, а не файл"),
    errno.ENOSPC: Text("no space left on the disk", "на диске нет места"),
    errno.EFBIG: Text("the file would be too large", "файл получился бы слишком большим"),
}


def reason_of(error: OSError) -> Text:
    """The message of an OSError in both languages."""
    reason = error.strerror or str(error)
    return _WHY.get(error.errno or 0, Text(reason, reason))


def _unreadable(path: Path, reason: Text) -> PlaymillError:
    return PlaymillError(f"cannot read {path}: {reason.en}", f"не читается файл {path}: {reason.ru}")


def read_json(path: Path) -> Any:
    """Reads a JSON file; a missing, broken or ambiguous one raises one sentence."""
    return json_of(text_of(path), str(path))


def json_of(text: str, source: str) -> Any:
    """Parses JSON that did not come from a file; `source` is its name in error messages."""
    return sound(parsed(text, source, wanted=_JSON, alone=_JSON), source)


def parsed(text: str, source: str, *, wanted: Text, alone: Text) -> Any:
    """The JSON in a text: `wanted` says what was expected in an empty one, `alone` where something follows its end.

    An object with a key that stands twice is a `Repeated`.
    """
    if not text.strip():
        raise PlaymillError(f"{source} is empty; expected {wanted.en}", f"{source} пуст; ожидается {wanted.ru}")
    try:
        data = json_value(text)
    except json.JSONDecodeError as error:
        raise _not_json(error, text, source, alone) from None
    except NumberError as error:
        raise PlaymillError(f"{source}: {error.text.en}", f"{source}: {error.text.ru}") from None
    except RecursionError:
        raise too_deep(source) from None
    check_depth(data, source)
    return data


def unfenced(text: str, source: str) -> str:
    """A text without the Markdown around its JSON: what stands between fences, as language models answer.

    Lines keep their numbers. Of several fenced blocks only one may look like JSON; a text without fences is as it was.
    """
    text = text.replace("\r\n", "\n")
    blocks = [found for found in _FENCED.finditer(text) if found["inside"].lstrip()[:1] in ("{", "[")]
    if len(blocks) > 1:
        raise PlaymillError(
            f"{source} has {len(blocks)} fenced blocks (```) with JSON; expected one: put them into one object",
            f"{source}: блоков JSON в ограде (```) {len(blocks)}; ожидается один: соберите их в один объект",
        )
    if blocks:
        return "\n" * text.count("\n", 0, blocks[0].start("inside")) + blocks[0]["inside"]
    return text


def json_value(text: str) -> Any:
    """The JSON in a text as the standard library reads it, but for keys that stand twice and endless numbers."""
    return json.loads(text, object_pairs_hook=_object, parse_int=_whole)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) == len(pairs):
        return data
    marked = Repeated(data)
    marked.repeated = tuple(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
    return marked


def _whole(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise NumberError(
            f"the number {digits[:20]}… has {len(digits)} digits", f"в числе {digits[:20]}… цифр: {len(digits)}"
        )
    return int(digits)


def check_depth(data: Any, source: str) -> None:
    """Raises if parsed JSON is nested too deeply to be walked safely."""
    level = [data]
    for _ in range(MOST_DEPTH):
        level = [part for whole in level if isinstance(whole, (dict, list)) and whole for part in _parts(whole)]
        if not level:
            return
    raise too_deep(source)


def _parts(whole: dict[str, Any] | list[Any]) -> Any:
    return whole.values() if isinstance(whole, dict) else whole


def too_deep(source: str) -> PlaymillError:
    """The error for JSON that is nested too deeply."""
    return PlaymillError(
        f"{source} is nested too deeply; expected at most {MOST_DEPTH} levels",
        f"{source}: слишком глубокая вложенность; ожидается не больше {MOST_DEPTH} уровней",
    )


def sound(data: Any, source: str) -> Any:
    """Returns parsed JSON without duplicate keys and non-finite numbers; else raises one sentence with the path."""
    queue: list[tuple[_Trail, Any]] = [((), data)]
    while queue:
        trail, found = queue.pop()
        if isinstance(found, Repeated):
            key = _path_text((trail, found.repeated[0]))
            raise PlaymillError(
                f"{source}: the key {key!r} is there more than once; expected once",
                f"{source}: ключ {key!r} повторяется; ожидается один раз",
            )
        if isinstance(found, float) and not isfinite(found):
            where = _path_text(trail) or "JSON"
            raise PlaymillError(
                f"{source}: {where} is {found}, which is no number of JSON, or too large a one",
                f"{source}: {where} равно {found}: это не число JSON, или оно слишком велико",
            )
        if isinstance(found, (dict, list)):
            steps = found.items() if isinstance(found, dict) else enumerate(found)
            queue += [((trail, step), part) for step, part in steps if isinstance(part, (dict, list, float))]
    return data


def _path_text(trail: _Trail) -> str:
    steps: list[str] = []
    while trail:
        trail, step = trail
        steps.append(str(step))
    return ".".join(reversed(steps))


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
    """Explains a parse error from the text around it."""
    before, here = text[: error.pos].rstrip(), text[error.pos :].lstrip()
    if (before[-1:] + here[:1]) in (",]", ",}") or (here[:1] == "," and here[1:].lstrip()[:1] in ("]", "}")):
        return Text("a comma with nothing after it", "запятая, за которой ничего нет,")
    if "',' delimiter" in error.msg:
        return Text("a comma is missing", "не хватает запятой")
    if error.msg.startswith("Invalid control character"):
        return Text("a text without its closing quote", "текст без закрывающей кавычки")
    return Text(error.msg, "ошибка")
