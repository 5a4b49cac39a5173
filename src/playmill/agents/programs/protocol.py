"""Messages between Playmill and a bot: one JSON object a line, as in `docs/bots.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from playmill.agents.programs.limits import Limits
from playmill.agents.python.decision import Decision
from playmill.agents.python.reply import QUOTE, printable
from playmill.texts import Lang, PlaymillError

#: Grows when a bot written for an older one could go wrong; more fields in a message are no reason.
VERSION = 1
#: What of the limits a bot is told.
_LIMITS = ("start", "move", "game", "memory", "line", "output", "processes", "threads")


class ProtocolError(PlaymillError):
    """A line that is not the expected message."""


def hello(
    game: str, version: int, config: Mapping[str, Any], *, players: int, seat: int, limits: Limits, lang: Lang
) -> dict[str, Any]:
    """Opens a game: the rules it is played by, and in which seat."""
    numbers = limits.numbers()
    return {
        "type": "hello",
        "protocol": VERSION,
        "game": game,
        "version": version,
        "config": config,
        "players": players,
        "seat": seat,
        "language": lang,
        "limits": {name: numbers[name] for name in _LIMITS},
        "forfeit": limits.forfeit,
    }


def act(decision: Decision, number: int, *, left: float, move: float, lang: Lang) -> dict[str, Any]:
    """Asks for a decision: all that the player may see, and their options."""
    return {
        "type": "act",
        "number": number,
        "kind": decision.kind,
        "seen": decision.seen,
        "options": [
            {"index": index, "text": option.text, "words": option.words.of(lang), "fields": option.fields}
            for index, option in enumerate(decision.options)
        ],
        # Chance that can be repeated, small enough for a language whose numbers are all floating.
        "random": decision.random.getrandbits(48),
        "seconds": round(min(move, left), 3),
        "seconds_left": round(left, 3),
    }


def over(seat: int, returns: Sequence[float]) -> dict[str, Any]:
    """Closes a game: what it brought each player, and the place of this one, 1 for the best."""
    place = 1 + sum(other > returns[seat] for other in returns)
    return {"type": "over", "returns": list(returns), "place": place}


def quit_() -> dict[str, Any]:
    """Asks a bot to end."""
    return {"type": "quit"}


def line_of(message: Mapping[str, Any]) -> bytes:
    """A message as it is written."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain)
    return text.encode() + b"\n"


def _plain(value: Any) -> Any:
    """A number of NumPy as one of Python."""
    return value.item()


def read_ready(line: bytes) -> str:
    """The name a bot gives itself when it is ready; nothing if it gives none."""
    message = _read(line, "ready")
    name = message.get("name", "")
    if not isinstance(name, str):
        raise _wrong(line, "name in ready is a text", "name в ready — текст")
    return printable(name, QUOTE)


def read_answer(line: bytes, number: int, options: int) -> int | list[Any]:
    """The index of the option a bot chooses, or the list with which it answers several questions at once."""
    message = _read(line, "answer")
    if _whole(message.get("number")) != number:
        raise _wrong(line, f"number is that of the question, {number}", f"number — номер вопроса, {number}")
    if "index" not in message and isinstance(message.get("list"), list):
        listed: list[Any] = message["list"]
        return listed
    index = _whole(message.get("index"))
    if index is None or not 0 <= index < options:
        last = options - 1
        raise _wrong(line, f"index is a whole number from 0 to {last}", f"index — целое число от 0 до {last}")
    return index


def no_list(line: bytes) -> ProtocolError:
    """The error for a list of answers in a game that takes none."""
    return _wrong(line, "this game takes an index, not a list", "этой игре нужен index, а не list")


def _whole(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _read(line: bytes, kind: str) -> dict[str, Any]:
    """A line as a message of the kind that is expected."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise _wrong(line, "a line is UTF-8", "строка — в UTF-8") from None
    try:
        message = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise _wrong(line, "a line is one JSON object", "строка — один объект JSON") from None
    if not isinstance(message, dict) or message.get("type") != kind:
        raise _wrong(line, f'a line is {{"type": "{kind}", …}} here', f'здесь нужна строка {{"type": "{kind}", …}}')
    return message


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _wrong(line: bytes, en: str, ru: str) -> ProtocolError:
    said = printable(line[:400].decode("utf-8", errors="backslashreplace").strip(), QUOTE)
    return ProtocolError(f"wrote {said!r}; {en}", f"написано {said!r}; {ru}")
