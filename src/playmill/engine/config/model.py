"""Base model of game configs (pydantic): validation, `--set` changes, packing into records, errors in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playmill.engine.config.json_input import NumberError, check_depth, json_value, read_json, sound, too_deep
from playmill.engine.errors.located import at_setting
from playmill.stdio import complain
from playmill.texts import Lang, PlaymillError, Text, as_text, user_language

Schema = dict[str, Any]
Packed = np.ndarray[Any, np.dtype[np.void]]
#: Changes of a config: `path=value` texts, or values by path.
Changes = Sequence[str] | Mapping[str, Any]
#: Keys of our own in a schema: what a field is called and means in Russian; that it is fixed; that it is whole.
RUSSIAN, FIXED, WHOLE = "x-ru", "x-fixed", "x-whole"


def setting(
    name: Text | str,
    about: Text | str,
    *,
    schema: Schema | Callable[[Schema], None] | None = None,
    fixed: bool = False,
    whole: bool = False,
    **field: Any,
) -> Any:
    """A field of a config that says in both languages what it is called and what it means; the rest is as for `Field`.

    `schema` is what `Field` calls `json_schema_extra`. What is `fixed` stands in the file for people and other programs
    and cannot be changed: no form asks for it. What is `whole` is a document of its own, not to be taken apart.
    """

    title, means = as_text(name), as_text(about)

    def extra(node: Schema) -> None:
        if callable(schema):
            schema(node)
        else:
            node.update(schema or {})
        node[RUSSIAN] = {"title": title.ru, "description": means.ru}
        node.update({key: True for key, holds in ((FIXED, fixed), (WHOLE, whole)) if holds})

    return Field(title=title.en, description=means.en, json_schema_extra=extra, **field)


def schema_in(model: type[BaseModel], lang: Lang) -> Schema:
    """The JSON Schema of a config in one language; where it has but one, in that."""
    schema: Schema = _in_language(model.model_json_schema(), lang)
    return schema


def _in_language(node: Any, lang: Lang) -> Any:
    if isinstance(node, list):
        return [_in_language(part, lang) for part in node]
    if not isinstance(node, dict):
        return node
    russian: Schema = node.get(RUSSIAN, {})
    kept = {key: _in_language(part, lang) for key, part in node.items() if key not in (RUSSIAN, FIXED, WHOLE)}
    return {**kept, **russian} if lang == "ru" else kept


class RuleConfig(BaseModel):
    """Base of every game's config: strict, unknown keys refused, unchangeable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def pack(self, players: int) -> Packed:
        """The one-element record array that the rules read: by itself every number by its name, and `players`."""
        return packed_by_name(self, players)

    def plainest(self) -> Self:
        """The same rules said in the plainest way: configs that play alike are equal in this form."""
        return self

    def file(self) -> dict[str, Any]:
        """The config as JSON-able data for a file."""
        return self.model_dump(mode="json")

    @classmethod
    def read(cls, data: object, source: str = "config") -> Self:
        """A config from parsed JSON; the first mistake becomes one sentence naming its path."""
        try:
            return cls.model_validate_json(_json_again(data, source))
        except ValidationError as error:
            raise _refused(error, source) from None

    def changed(self, changes: Sequence[str]) -> Self:
        """A copy with `path=value` changes, such as `blue_goal=40` or `patterns.C.vp=18`."""
        data = self.model_dump(mode="json")
        given = set()
        for change in changes:
            path, equals, value = change.partition("=") if isinstance(change, str) else ("", "", "")
            if not equals or not path:
                raise PlaymillError(
                    f"--set {change!r}: expected path=value, for example {_example_path(data)}=…",
                    f"--set {change!r}: нужно путь=значение, например {_example_path(data)}=…",
                )
            if path in given:
                raise PlaymillError(
                    f"--set: {path!r} is given twice; expected once", f"--set: {path!r} дано дважды; ожидается один раз"
                )
            given.add(path)
            _put(data, path, _value(path, value))
        return type(self).read(data, _source(changes))


def change_texts(changes: Changes) -> Sequence[str]:
    """Changes as `path=value` texts; values that are given by path are written as JSON."""
    if not isinstance(changes, Mapping):
        return changes if isinstance(changes, list | tuple) else (str(changes),)
    return [f"{path}={_json_again(value, f'--set {path}')}" for path, value in changes.items()]


#: Kinds of settings that a record holds as they are; a switch is 1 or 0.
_RECORDED: Mapping[type, type[np.generic]] = {bool: np.int8, int: np.int32, float: np.float64}


def packed_by_name(config: RuleConfig, players: int) -> Packed:
    """A record of all numbers and switches of a config by their names, and of the number of players."""
    kinds: list[tuple[str, type[np.generic]]] = []
    for name, field in type(config).model_fields.items():
        if name == "players":
            raise at_setting(
                type(config),
                name,
                Text(
                    "the setting 'players' must go: how many play is asked for by --players, between MIN_PLAYERS and"
                    " MAX_PLAYERS of rules.py, and rules read it as cfg.players by themselves",
                    "настройка 'players' лишняя: число игроков задаёт --players, от MIN_PLAYERS до MAX_PLAYERS в"
                    " rules.py, а правила и так читают его как cfg.players",
                ),
            )
        kind = _RECORDED.get(cast(type, field.annotation))
        if kind is None:
            raise at_setting(
                type(config),
                name,
                Text(
                    f"the setting {name!r} is neither a whole number, a number nor a switch: the config needs a method"
                    " `pack` that makes the record the rules read",
                    f"настройка {name!r} — не целое число, не число и не переключатель: настройкам нужен метод `pack`,"
                    " который готовит запись для правил",
                ),
            )
        kinds.append((name, kind))
    packed: Packed = np.zeros(1, np.dtype([*kinds, ("players", np.int32)], align=True))
    for name, kind in kinds:
        value = getattr(config, name)
        if kind is np.int32 and not -(2**31) <= value < 2**31:
            raise PlaymillError(
                f"the setting {name!r} is {value}; the record of the rules holds numbers of 32 bits",
                f"настройка {name!r} равна {value}; в записи для правил числа не длиннее 32 бит",
            )
        packed[name] = value
    packed["players"] = players
    return packed


class ConfigError(ValueError):
    """Raised inside a config's own checks: a contradiction; one text stands for both languages."""

    def __init__(self, path: str, en: str, ru: str | None = None) -> None:
        super().__init__(en)
        self.path = path
        self.text = Text(en, en if ru is None else ru)


class Mistake(NamedTuple):
    """An error of a config: its path, and a message without the path."""

    path: str
    text: Text


class RefusedConfigError(PlaymillError):
    """A config that failed validation: its message tells the first error, `mistakes` holds all."""

    def __init__(self, source: str, mistakes: Sequence[tuple[Mistake, Text]]) -> None:
        first = mistakes[0][1]
        super().__init__(f"{source}: {first.en}", f"{source}: {first.ru}")
        self.mistakes = [mistake for mistake, _ in mistakes]


def load_config(
    model: type[RuleConfig], path: Path | None, changes: Sequence[str], *, strict: bool = False
) -> RuleConfig:
    """The config of a file (or the default one), with the changes of the command line.

    Keys of the file that have no meaning, where a game takes such, are told of; if it is `strict`, they are refused.
    """
    config = model() if path is None else model.read(read_json(path), str(path))
    if unknown := unknown_keys(config):
        keys = ", ".join(map(repr, unknown))
        if strict:
            raise PlaymillError(f"{path}: there is no key {keys}", f"{path}: нет такого ключа: {keys}")
        message = Text(f"{path}: these keys have no effect: {keys}", f"{path}: эти ключи ни на что не влияют: {keys}")
        complain(message.of(user_language()))
    return config.changed(changes) if changes else config


def unknown_keys(config: BaseModel) -> list[str]:
    """The paths of all keys that a config was given and does not know."""
    found = list(config.model_extra or ())
    for name in type(config).model_fields:
        value = getattr(config, name)
        parts = {name: value} if not isinstance(value, list) else {f"{name}.{n}": one for n, one in enumerate(value)}
        for path, part in parts.items():
            if isinstance(part, BaseModel):
                found += [f"{path}.{key}" for key in unknown_keys(part)]
    return found


def without(data: Any, paths: Sequence[str]) -> Any:
    """The data of a config without these paths."""
    for path in paths:
        *steps, key = path.split(".")
        part = data
        for step in steps:
            part = part[int(step)] if isinstance(part, list) else part[step]
        del part[key]
    return data


def changed_by(option: str, config: RuleConfig, changes: Sequence[str]) -> RuleConfig:
    """The config with changes that came by another option than --set; a mistake in them names that one."""
    try:
        return config.changed(changes) if changes else config
    except PlaymillError as error:
        raise PlaymillError(*(message.replace("--set", option, 1) for message in error.text)) from None


def differences(config: RuleConfig) -> dict[str, Any]:
    """Paths whose value is not the default one; what only says the default in other words is no difference."""
    mine, default = (one.plainest().model_dump(mode="json") for one in (config, type(config)()))
    return dict(_differences("", mine, default))


def set_texts(changes: Mapping[str, Any]) -> list[str]:
    """Returns what differs from the rules, as `--set` takes it."""
    return [
        f"{path}={value if isinstance(value, str) else json.dumps(value, separators=(',', ':'))}"
        for path, value in changes.items()
    ]


def value_at(data: Any, path: str) -> Any:
    """The value at a path of a config's data, as `changed` reads paths; raises KeyError if there is none."""
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
    option = " ".join(("--set", *changes))
    return option if len(option) <= 200 else "--set"


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


def _refused(error: ValidationError, source: str) -> RefusedConfigError:
    return RefusedConfigError(source, [_mistake(mistake) for mistake in error.errors()])


def _mistake(mistake: Any) -> tuple[Mistake, Text]:
    """A mistake of a validation, and the same as one sentence: where, what was found, what is allowed."""
    path = ".".join(str(step) for step in mistake["loc"]) or "config"
    context = mistake.get("ctx", {})
    inner = context.get("error")
    if isinstance(inner, ConfigError):
        return Mistake(inner.path, inner.text), Text.join((inner.path, inner.text), ": ")
    kind = mistake["type"]
    if kind == "extra_forbidden":
        message = Text(f"there is no key {path!r}", f"ключа {path!r} нет")
        return Mistake(path, message), message
    if kind == "missing":
        message = Text(f"the key {path!r} is missing", f"нет ключа {path!r}")
        return Mistake(path, message), message
    found = json.dumps(mistake["input"], ensure_ascii=False, default=str)
    found = found if len(found) <= 60 else found[:57] + "…"
    wanted = _allowed(kind, context, mistake["msg"])
    return (
        Mistake(path, Text(f"{found}; expected {wanted.en}", f"{found}; ожидается: {wanted.ru}")),
        Text(f"{path} is {found}; expected {wanted.en}", f"{path} равно {found}; ожидается: {wanted.ru}"),
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
