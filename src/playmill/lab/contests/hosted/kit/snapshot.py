"""Objects of a config, and other values of a game, as JSON; `standins/restored.py` makes them again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from pydantic import BaseModel

from playmill.texts import PlaymillError

#: Called with the module and the name of every class that a value is made of.
Need = Callable[[str, str], None]


class NotBundledError(PlaymillError):
    """Something that a game's rules or words use and that cannot be put into a kit."""


def snapshot(value: Any, need: Need) -> Any:
    """Returns a value as JSON: `[kind, …]`, or itself."""
    if isinstance(value, Enum):
        return ["enum", _named(type(value), need), snapshot(value.value, need)]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return ["named", _named(type(value), need), [snapshot(one, need) for one in value]]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [type(value).__name__, *(snapshot(one, need) for one in value)]
    if isinstance(value, dict):
        return ["dict", *([snapshot(key, need), snapshot(one, need)] for key, one in value.items())]
    if isinstance(value, BaseModel):
        names = [*type(value).model_fields]
    elif is_dataclass(value) and not isinstance(value, type):
        names = [one.name for one in fields(value)]
    else:
        kind = type(value).__name__
        raise NotBundledError(f"it holds a {kind}, which is no plain value", f"{kind} — не простое значение")
    return ["object", _named(type(value), need), [[name, snapshot(getattr(value, name), need)] for name in names]]


def _named(kind: type, need: Need) -> str:
    need(kind.__module__, kind.__qualname__.partition(".")[0])
    return f"{kind.__module__}:{kind.__qualname__}"
