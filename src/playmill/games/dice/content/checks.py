"""Checks content files: every mistake as one sentence in both languages."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from playmill.author import ConfigError, Text
from playmill.games.dice.content.conditions import OF, TAG, kinds_in
from playmill.games.dice.content.consistency import MisfitError, misfits
from playmill.games.dice.content.effects import EFFECT_KINDS
from playmill.games.dice.content.entries import MOST_ENTRIES, Content
from playmill.games.dice.content.json_schema import Loc, example_of, keys_at, node_at
from playmill.games.dice.content.phrases import quoted, short, suggestion, unknown, wanted
from playmill.games.dice.content.reading import Mistake, cleaned, free_id, joined, made_id
from playmill.games.dice.content.references import KnownContent, lost_references
from playmill.games.dice.plain import KINDS, LISTS

KEY = Text("key", "ключа")
CONDITION = Text("condition", "условия")
EFFECT = Text("effect", "эффекта")
OWNERS = {
    "?passive": Text("a passive item", "пассивного предмета"),
    "?active": Text("an active item", "активного предмета"),
}
MODIFIER = Text("a modifier", "модификатора")
#: What the lists inside entries are lists of.
LISTED = {
    "weights": Text("numbers", "чисел"),
    "effect": Text("effects", "эффектов"),
    "triggers": Text("triggers", "событий"),
    "all": Text("conditions", "условий"),
    "any": Text("conditions", "условий"),
    "players": Text("players", "игроков"),
    "dice": Text("dice", "костей"),
    "modifiers": Text("modifiers", "модификаторов"),
    "items": Text("items", "предметов"),
    "global_modifiers": Text("modifiers", "модификаторов"),
    "global_items": Text("items", "предметов"),
}
LANGUAGES = ("en", "ru")
_SHAPE = '{"modifiers": […], "items": […], "dice": […]}'


def checked(data: object, known_content: KnownContent) -> tuple[Content, list[Mistake]]:
    """The content in parsed JSON and all its mistakes; with any of them the content is empty or not to be used.

    `known_content` is what there is already.
    """
    if not isinstance(data, Mapping) or ("name" in data and not any(kind in data for kind in LISTS)):
        return Content(), [_wrong_frame(data)]
    raw, found = cleaned({key: value for key, value in data.items() if key != "$schema"})
    if raw is None:
        return Content(), found
    for kind in LISTS:
        entries = raw.get(kind)
        if isinstance(entries, list) and len(entries) > MOST_ENTRIES:
            found.append(_sized(kind, len(entries), Text("entries", "записей"), 0, MOST_ENTRIES))
            raw[kind] = []
    if not isinstance(data.get("$schema", ""), str):
        found.append(_is_not("$schema", data["$schema"], Text("a text in quotes", "текст в кавычках")))
    seen = {mistake.path for mistake in found}
    found += _id_mistakes(raw, known_content)
    content, wrong = _validated(raw)
    found += [mistake for mistake in wrong if mistake.path not in seen]
    for kind in ("modifiers", "items"):
        for place, entry in _entries(raw, kind):
            found += [_at(f"{kind}.{place}.{path}", text) for path, text in misfits(entry)]
    if content is not None:
        found += [_at(path, text) for path, text in lost_references(raw, content, known_content)]
    assert found or content is not None
    return content or Content(), sorted(found, key=_place)


def _place(mistake: Mistake) -> tuple[int, int]:
    """Where a mistake's entry stands in the file; what concerns the whole file comes first."""
    kind, _, rest = mistake.path.partition(".")
    number = rest.partition(".")[0]
    return ["", *LISTS].index(kind) if kind in LISTS else 0, int(number) if number.isdecimal() else -1


def _entries(raw: Mapping[str, Any], kind: str) -> Iterator[tuple[int, dict[str, Any]]]:
    entries = raw.get(kind)
    for place, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, dict):
            yield place, entry


def _at(path: str, text: Text) -> Mistake:
    start = f"{path}: " if path else ""
    return Mistake(path, Text.join((start, text), ""))


def _wrong_frame(data: object) -> Mistake:
    if isinstance(data, list):
        return Mistake("", Text(f"a list; expected an object: {_SHAPE}", f"это список; ожидается объект: {_SHAPE}"))
    if isinstance(data, Mapping):
        return Mistake(
            "", Text(f"a single entry; expected lists of them: {_SHAPE}", f"одна запись; ожидаются списки: {_SHAPE}")
        )
    return Mistake(
        "", Text(f"{short(data)}; expected an object: {_SHAPE}", f"{short(data)}; ожидается объект: {_SHAPE}")
    )


def _sized(path: str, count: int, what: Text, least: int, most: int) -> Mistake:
    span = Text(f"{least} to {most}", f"от {least} до {most}")
    if least == 0:
        span = Text(f"at most {most}", f"не больше {most}")
    if least == most:
        span = Text(f"{most}", f"{most}")
    return Mistake(
        path,
        Text(f"{path} has {count} {what.en}; expected {span.en}", f"{path}: {what.ru} {count}; ожидается: {span.ru}"),
    )


# What pydantic finds


def _validated(raw: Mapping[str, Any]) -> tuple[Content | None, list[Mistake]]:
    listed = {kind: _with_lists(entries) for kind, entries in raw.items()}
    try:
        return Content.model_validate_json(json.dumps(listed)), []
    except ValidationError as error:
        errors = [mistake for mistake in error.errors(include_url=False) if not _is_reported_elsewhere(mistake, raw)]
    guessed = {_guessed_path(mistake, raw) for mistake in errors}
    return None, [
        _sentence(mistake, raw)
        for mistake in errors
        # A misspelt key is one mistake, not a second one for the key that it was meant to be.
        if mistake["type"] != "missing" or _path(mistake["loc"], raw) not in guessed
    ]


def _with_lists(entries: Any) -> Any:
    """Entries in which a single effect stands in a list like several."""

    def listed(entry: Any) -> Any:
        alone = isinstance(entry, dict) and isinstance(entry.get("effect"), dict)
        return {**entry, "effect": [entry["effect"]]} if alone else entry

    return [listed(entry) for entry in entries] if isinstance(entries, list) else entries


def _is_reported_elsewhere(error: Any, raw: Any) -> bool:
    """What an entry's own check found, a list that is too short only because its parts are wrong, a text's twin."""
    if error["loc"] and error["loc"][-1] in LANGUAGES:
        return not _is_written(error["loc"], raw)
    if error["type"] == "too_short":
        return len(error["input"]) >= _lengths(error["loc"])[0]
    return isinstance(error.get("ctx", {}).get("error"), MisfitError)


def _lengths(loc: Loc) -> tuple[int, int]:
    node = node_at(loc)
    several = node["anyOf"][1] if "anyOf" in node else node
    return several["minItems"], several["maxItems"]


def _path(loc: Loc, raw: Any) -> str:
    """The path inside the file: without tags, the place of an effect that stands alone, the language of one text."""
    path, here = "", raw
    for step in loc:
        if isinstance(step, int):
            if not isinstance(here, list):
                continue
            here = here[step]
        elif step.startswith(TAG) or (isinstance(here, str) and step in LANGUAGES):
            continue
        else:
            here = here.get(step) if isinstance(here, Mapping) else None
        path = joined(path, step)
    return path


def _is_written(loc: Loc, raw: Any) -> bool:
    """Whether the language of a text stands in the file; of one text for both, and of none, that is the first."""
    *parent, lang = loc
    text = _found(parent, raw)
    if isinstance(text, Mapping) and any(lang in text for lang in LANGUAGES):
        return lang in text
    return lang == LANGUAGES[0]


def _found(loc: Loc, raw: Any) -> Any:
    """What stands in the file at a place found by a validation."""
    here = raw
    for step in loc:
        if isinstance(step, int):
            here = here[step] if isinstance(here, list) else here
        elif not step.startswith(TAG):
            here = here.get(step) if isinstance(here, Mapping) else None
    return here


def _guessed_path(error: Any, raw: Any) -> str | None:
    if error["type"] != "extra_forbidden":
        return None
    *parent, key = error["loc"]
    guess = suggestion(key, keys_at(parent))
    return joined(_path(parent, raw), guess) if guess else None


def _sentence(error: Any, raw: Any) -> Mistake:
    """One mistake of a validation: where, what was found, what is allowed."""
    loc, kind, context = error["loc"], error["type"], error.get("ctx", {})
    path = _path(loc, raw)
    if isinstance(context.get("error"), ConfigError):
        inner = context["error"]
        return _at(joined(path, inner.path) if inner.path else path, inner.text)
    if kind == "extra_forbidden":
        return _at(_path(loc[:-1], raw), _unknown_key(loc))
    if kind == "missing":
        return _missing(loc, raw)
    if kind == "union_tag_invalid":
        return _wrong_kind(path, loc, error["input"], context)
    if kind in ("too_short", "too_long"):
        return _sized(path, len(error["input"]), LISTED[str(loc[-1])], *_lengths(loc))
    found, node = error["input"], node_at(loc)
    if kind == "string_too_long":
        most = node["maxLength"]
        return Mistake(
            path,
            Text(
                f"{path} has {len(found)} characters; expected at most {most}",
                f"{path}: символов {len(found)}; ожидается: не больше {most}",
            ),
        )
    return _is_not(path, found, wanted(node, found))


def _is_not(path: str, found: object, right: Text) -> Mistake:
    return Mistake(
        path,
        Text(f"{path} is {short(found)}; expected {right.en}", f"{path} равно {short(found)}; ожидается: {right.ru}"),
    )


def _unknown_key(loc: Loc) -> Text:
    *parent, key = loc
    known = keys_at(parent)
    if key == OF and len(parent) > 1 and parent[-2] == TAG + str(parent[-1]) and OF in keys_at(parent[:-1]):
        sample = example_of(str(parent[-1]), -1)
        return Text(
            f'"of" stands beside "{parent[-1]}", not within it, as in {sample}',
            f'"of" пишется рядом с "{parent[-1]}", а не внутри, например {sample}',
        )
    if parent and parent[-1] in OWNERS:
        other = next(tag for tag in OWNERS if tag != parent[-1])
        if key in keys_at([*parent[:-1], other]):
            return Text(
                f'only {OWNERS[other].en} has "{key}"; this one is {parent[-1][1:]}',
                f'"{key}" бывает только у {OWNERS[other].ru}, а здесь type — {parent[-1][1:]}',
            )
    return unknown(KEY, str(key), known)


def _missing(loc: Loc, raw: Any) -> Mistake:
    *parent, key = loc
    more = Text("", "")
    if key in LANGUAGES:
        path = _path(parent, raw)
        return _is_not(path, _found(parent, raw), wanted(node_at(parent), None))
    if parent and parent[-1] in OWNERS:
        owner = OWNERS[str(parent[-1])]
        more = Text(f"; {owner.en} needs it", f"; он нужен у {owner.ru}")
    path = _path(parent, raw)
    message = _at(path, Text(f'the key "{key}" is missing{more.en}', f'нет ключа "{key}"{more.ru}'))
    return Mistake(joined(path, key), message.text)


def _wrong_kind(path: str, loc: Loc, found: Any, context: Mapping[str, Any]) -> Mistake:
    """An object whose one key, or whose type, is none that is known here."""
    known = [tag.strip("' ").removeprefix(TAG) for tag in context["expected_tags"].split(",")]
    if known == ["passive", "active"]:
        return _wrong_type(path, found, known)
    is_effect = "add" in known
    sample = example_of("add" if is_effect else "count")
    if not isinstance(found, Mapping) or not found:
        return _is_not(
            path, found, Text(f"an object with one key, such as {sample}", f"объект с одним ключом, например {sample}")
        )
    if len(found) > 1 and len(kinds_in(found)) != 1:
        return _many_keys(path, [str(key) for key in found], known, is_effect)
    key = str(next(iter(kinds_in(found) or found)))
    if is_effect and key in EFFECT_KINDS:
        owner = next((OWNERS[str(step)] for step in loc if step in OWNERS), MODIFIER)
        names = ", ".join(known)
        return _at(
            path,
            Text(
                f'{owner.en} cannot have the effect "{key}"; it can have: {names}',
                f'эффекта "{key}" не бывает у {owner.ru}; бывают: {names}',
            ),
        )
    return _at(path, unknown(EFFECT if is_effect else CONDITION, key, known))


def _many_keys(path: str, keys: list[str], known: list[str], is_effect: bool) -> Mistake:
    names = ", ".join(quoted(key) for key in keys)
    sample = example_of(next((key for key in keys if key in known), known[0]))
    more = (
        Text("several effects go into a list", "несколько эффектов пишутся списком")
        if is_effect
        else Text('several conditions go into {"all": […]}', 'несколько условий пишутся в {"all": […]}')
    )
    return Mistake(
        path,
        Text(
            f"{path} has {len(keys)} keys ({names}); expected exactly one, such as {sample}; {more.en}",
            f"{path}: ключей {len(keys)} ({names}); ожидается ровно один, например {sample}; {more.ru}",
        ),
    )


def _wrong_type(path: str, found: Any, known: list[str]) -> Mistake:
    names = ", ".join(quoted(name) for name in known)
    if not isinstance(found, Mapping):
        return _is_not(path, found, Text("an object: an item", "объект: предмет"))
    if "type" not in found:
        text = Text(
            f'the key "type" is missing; expected one of {names}', f'нет ключа "type"; ожидается одно из {names}'
        )
        return Mistake(f"{path}.type", _at(path, text).text)
    return _is_not(f"{path}.type", found["type"], wanted({"enum": known}, found["type"]))


# Ids


def _id_mistakes(raw: Mapping[str, Any], known_content: KnownContent) -> list[Mistake]:
    """Gives an id to every entry that has none; returns the ids that cannot be made or stand for something else."""
    found: list[Mistake] = []
    mine: dict[str, Text] = {}
    for kind in LISTS:
        if kind not in KINDS:
            mine = {}
        taken = known_content.holders(kind)
        for place, entry in _entries(raw, kind):
            path = f"{kind}.{place}"
            made = "id" not in entry
            name = made_id(kind, entry) if made else entry["id"]
            if made and name:
                entry["id"] = name
            if name is None:
                found.append(_no_id(path, entry))
            elif isinstance(name, str) and (holder := taken.get(name) or mine.get(name)):
                if kind == "flags" and name not in mine and known_content.has_flag(entry):
                    continue
                found.append(_taken_id(path, name, holder, free_id(name, {*taken, *mine}), made))
            if isinstance(name, str) and name:
                mine.setdefault(name, Text(f"{path}.id already", f"это уже {path}.id"))
    return found


def _no_id(path: str, entry: Mapping[str, Any]) -> Mistake:
    text = Text(
        f'the key "id" is missing, and none can be made from the name {short(entry.get("name"))}',
        f'нет ключа "id", а из названия {short(entry.get("name"))} его не сделать',
    )
    return Mistake(f"{path}.id", _at(path, text).text)


def _taken_id(path: str, name: str, holder: Text, other: str, made: bool) -> Mistake:
    if not made:
        text = Text(
            f'"{name}" is {holder.en}; choose another id, such as "{other}"',
            f'"{name}" — {holder.ru}; выберите другой id, например "{other}"',
        )
        return _at(f"{path}.id", text)
    text = Text(
        f'the id made from its name, "{name}", is {holder.en}; give it an id, such as "{other}"',
        f'id из названия, "{name}", — {holder.ru}; дайте другой id, например "{other}"',
    )
    return Mistake(f"{path}.id", _at(path, text).text)
