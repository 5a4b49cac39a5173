"""Configs: the numbers of a game's rules as a checked model, with mistakes told in one sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from playmill.engine.json_text import NumberError, check_depth, json_value, read_json, sound, too_deep
from playmill.texts import PlaymillError, Text

Packed = np.ndarray[Any, np.dtype[np.void]]


class RuleConfig(BaseModel):
    """Base of every game's config: strict, unknown keys refused, unchangeable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def pack(self, players: int) -> Packed:
        """The one-element record array that the rules read."""
        raise NotImplementedError

    def plainest(self) -> Self:
        """The same rules said in the plainest way: configs that play alike are equal in this form."""
        return self

    @classmethod
    def read(cls, data: object, source: str = "config") -> Self:
        """A config from parsed JSON; the first mistake becomes one sentence naming its path."""
        try:
            return cls.model_validate_json(_json_again(data, source))
        except ValidationError as error:
            raise _sentence(error, source) from None

    def changed(self, changes: Sequence[str]) -> Self:
        """A copy with `path=value` changes, such as `blue_goal=40` or `patterns.C.vp=18`."""
        data = self.model_dump(mode="json")
        given = set()
        for change in changes:
            path, equals, value = change.partition("=")
            if not equals or not path:
                raise PlaymillError(
                    f"--set {change!r}: expected path=value, for example --set {_example_path(data)}=…",
                    f"--set {change!r}: нужно путь=значение, например --set {_example_path(data)}=…",
                )
            if path in given:
                raise PlaymillError(
                    f"--set: {path!r} is given twice; expected once", f"--set: {path!r} дано дважды; ожидается один раз"
                )
            given.add(path)
            _put(data, path, _value(path, value))
        return type(self).read(data, _source(changes))


class ConfigError(ValueError):
    """Raised inside a config's own checks: a contradiction, told in both languages."""

    def __init__(self, path: str, en: str, ru: str) -> None:
        super().__init__(en)
        self.path = path
        self.text = Text(en, ru)


def load_config(model: type[RuleConfig], path: Path | None, changes: Sequence[str]) -> RuleConfig:
    """The config of a file (or the default one), with the changes of the command line."""
    config = model() if path is None else model.read(read_json(path), str(path))
    return config.changed(changes) if changes else config


def differences(config: RuleConfig) -> dict[str, Any]:
    """Paths whose value is not the default one; what only says the default in other words is no difference."""
    mine, default = (one.plainest().model_dump(mode="json") for one in (config, type(config)()))
    return dict(_differences("", mine, default))


def value_at(data: Any, path: str) -> Any:
    """What stands at a path of a config's data, as `changed` reads paths; raises KeyError where nothing does."""
    for step in path.split("."):
        key = _step(data, step)
        if key is None:
            raise KeyError(path)
        data = data[key]
    return data


def _differences(path: str, mine: Any, default: Any) -> list[tuple[str, Any]]:
    if isinstance(mine, Mapping) and isinstance(default, Mapping):
        found = []
        for key in mine:
            found += _differences(f"{path}.{key}" if path else key, mine[key], default.get(key))
        return found
    if _by_id(mine) and _by_id(default) and mine != default and _by_id(mine).keys() == _by_id(default).keys():
        return _differences(path, _by_id(mine), _by_id(default))
    return [] if mine == default else [(path, mine)]


def _by_id(data: Any) -> dict[str, Any]:
    """The entries of a list by their `id`, if all have one."""
    if not isinstance(data, list) or not all(isinstance(entry, dict) and "id" in entry for entry in data):
        return {}
    return {entry["id"]: entry for entry in data}


def _source(changes: Sequence[str]) -> str:
    """What a mistake in the changes begins with: the changes themselves, unless they would hide it."""
    told = " ".join(("--set", *changes))
    return told if len(told) <= 200 else "--set"


def _value(path: str, text: str) -> Any:
    """What a change of the command line says: JSON, or else a plain text."""
    source = f"--set {path}"
    try:
        data = json_value(text)
    except json.JSONDecodeError:
        return text
    except NumberError as error:
        raise PlaymillError(f"{source}: {error.text.en}", f"{source}: {error.text.ru}") from None
    except RecursionError:
        raise too_deep(source) from None
    check_depth(data, source)
    return sound(data, source)


def _json_again(data: object, source: str) -> str:
    """The JSON text of data; what has none, such as a set or a list that holds itself, gets one sentence."""
    try:
        return json.dumps(data, allow_nan=False)
    except RecursionError:
        raise too_deep(source) from None
    except (TypeError, ValueError) as error:
        raise PlaymillError(f"{source}: it cannot be JSON: {error}", f"{source}: это не записать в JSON") from None


def _step(data: Any, key: str) -> Any:
    """The key under which a path's step is found: a field, a list index, or the `id` of an entry of a list."""
    if isinstance(data, list):
        for index, entry in enumerate(data):
            if isinstance(entry, dict) and entry.get("id") == key:
                return index
        return int(key) if key.isdecimal() and int(key) < len(data) else None
    return key if isinstance(data, dict) and key in data else None


def _put(data: Any, path: str, value: Any) -> None:
    steps = path.split(".")
    for depth, step in enumerate(steps):
        key = _step(data, step)
        if key is None:
            where = ".".join(steps[:depth]) or "config"
            known = ", ".join(_known_keys(data)) or "–"
            raise PlaymillError(
                f"--set {path}: {where} has no {step!r}; it has: {known}",
                f"--set {path}: в {where} нет {step!r}; есть: {known}",
            )
        if depth == len(steps) - 1:
            data[key] = value
        else:
            data = data[key]


def _known_keys(data: Any) -> list[str]:
    if isinstance(data, dict):
        return list(data)
    if isinstance(data, list):
        return [str(entry.get("id", i)) if isinstance(entry, dict) else str(i) for i, entry in enumerate(data)]
    return []


def _example_path(data: Mapping[str, Any]) -> str:
    return next(iter(data), "name")


def _sentence(error: ValidationError, source: str) -> PlaymillError:
    """The first mistake of a validation as one sentence: where, what was found, what is allowed."""
    mistake = error.errors()[0]
    path = ".".join(str(step) for step in mistake["loc"]) or "config"
    context = mistake.get("ctx", {})
    inner = context.get("error")
    found = json.dumps(mistake["input"], ensure_ascii=False, default=str)
    found = found if len(found) <= 60 else found[:57] + "…"
    if isinstance(inner, ConfigError):
        return PlaymillError(f"{source}: {inner.path}: {inner.text.en}", f"{source}: {inner.path}: {inner.text.ru}")
    kind = mistake["type"]
    if kind == "extra_forbidden":
        return PlaymillError(f"{source}: there is no key {path!r}", f"{source}: ключа {path!r} нет")
    if kind == "missing":
        return PlaymillError(f"{source}: the key {path!r} is missing", f"{source}: нет ключа {path!r}")
    wanted = _allowed(kind, context, mistake["msg"])
    return PlaymillError(
        f"{source}: {path} is {found}; expected {wanted.en}", f"{source}: {path} равно {found}; ожидается: {wanted.ru}"
    )


def _allowed(kind: str, context: Mapping[str, Any], message: str) -> Text:
    """What a pydantic error type asks for, in words."""
    table = {
        "greater_than_equal": lambda: Text(f"at least {context['ge']}", f"не меньше {context['ge']}"),
        "less_than_equal": lambda: Text(f"at most {context['le']}", f"не больше {context['le']}"),
        "greater_than": lambda: Text(f"more than {context['gt']}", f"больше {context['gt']}"),
        "less_than": lambda: Text(f"less than {context['lt']}", f"меньше {context['lt']}"),
        "literal_error": lambda: Text(
            f"one of {context['expected']}", f"одно из {str(context['expected']).replace(' or ', ' или ')}"
        ),
        "too_short": lambda: Text(f"at least {context['min_length']} entries", f"записей: {context['min_length']}+"),
        "too_long": lambda: Text(f"at most {context['max_length']} entries", f"записей: до {context['max_length']}"),
        "int_type": lambda: Text("a whole number", "целое число"),
        "int_from_float": lambda: Text("a whole number", "целое число"),
        "float_type": lambda: Text("a number", "число"),
        "bool_type": lambda: Text("true or false", "true или false"),
        "string_type": lambda: Text("a text in quotes", "текст в кавычках"),
        "list_type": lambda: Text("a list", "список"),
        "dict_type": lambda: Text("an object", "объект"),
        "model_type": lambda: Text("an object", "объект"),
        "model_attributes_type": lambda: Text("an object", "объект"),
    }
    return table[kind]() if kind in table else Text(message, message)
