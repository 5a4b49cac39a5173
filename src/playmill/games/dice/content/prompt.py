"""Writes the prompt that asks a language model for content, with every key of the schema."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any

from pydantic import TypeAdapter

from playmill.author import Lang, Text
from playmill.games.dice.content.conditions import ID, RULED_FLAGS, Condition
from playmill.games.dice.content.effects import ActiveEffect, ModifierEffect, PassiveEffect
from playmill.games.dice.content.entries import Content
from playmill.games.dice.content.json_schema import ABOUT, EXAMPLE, content_schema
from playmill.games.dice.content.labels import labels_with
from playmill.games.dice.content.words import effect_sentence, sentence
from playmill.games.dice.plain import KINDS, LISTS

_TEXT, _CONDITION, _EFFECT = Text("text", "текст"), Text("a condition", "условие"), Text("an effect", "эффект")
_EFFECTS_OF: dict[str, tuple[Any, Text]] = {
    "ModifierEffect": (ModifierEffect, Text("modifiers", "модификаторы")),
    "PassiveEffect": (PassiveEffect, Text("passive items", "пассивные предметы")),
    "ActiveEffect": (ActiveEffect, Text("active items", "активные предметы")),
}
#: What an entry of each definition is called.
_ENTRIES = {
    "Modifier": Text("A modifier, in `modifiers`", "Модификатор, в `modifiers`"),
    "PassiveItem": Text("A passive item, in `items`", "Пассивный предмет, в `items`"),
    "ActiveItem": Text("An active item, in `items`", "Активный предмет, в `items`"),
    "Die": Text("A die, in `dice`", "Кость, в `dice`"),
    "OwnFlag": Text("A flag of your own, in `flags`", "Собственный флаг, в `flags`"),
}
_FOR = Text("in", "где")
_BESIDES = "Besides this schema, "
_LIMITS = (
    "Условия `selection_…` бывают только с `on_save` и `on_pass`, `scores` — с `on_roll` и у активных предметов; "
    "у одной записи не больше 24 условий, вложенных не глубже 6; id не повторяются; каждый флаг, кроме `bust_shield` и "
    "`double_next_save`, стоит в списке `flags`, и в одном матче их не больше 16."
)


def prompt_with(library: Content, lang: Lang) -> str:
    """The prompt in a language, with the flags and ids that the library has."""
    text = resources.files(__package__).joinpath(f"prompt.{lang}.md").read_text(encoding="utf-8")
    flags = (*RULED_FLAGS, *(flag.id for flag in library.flags))
    parts = {
        "lists": ", ".join(f"`{kind}`" for kind in LISTS if kind != "kits"),
        "entries": "\n\n".join(_entry(part, name, lang) for part, name in _ENTRIES.items()),
        "conditions": "\n".join(_conditions(lang)),
        "effects": "\n".join(_effects(lang)),
        "about": ABOUT.partition(_BESIDES)[2] if lang == "en" else _LIMITS,
        "flags": ", ".join(flags),
        "taken": ", ".join(entry.id for kind in KINDS for entry in getattr(library, kind)),
        "example": json.dumps(EXAMPLE, ensure_ascii=False, indent=2),
    }
    for key, part in parts.items():
        text = text.replace(f"{{{key}}}", part)
    return text


def _parts() -> Mapping[str, Any]:
    found: Mapping[str, Any] = content_schema()["$defs"]
    return found


def _entry(part: str, name: Text, lang: Lang) -> str:
    """An entry key by key: what may stand there, and what it means."""
    node = _parts()[part]
    needed = node.get("required", ())
    lines = [f"**{name.of(lang)}**", ""]
    for key, field in node["properties"].items():
        message = _one_line(field.get("description", "")) if lang == "en" else _labelled(part, key)
        lines.append(f"- `{key}`{'' if key in needed else '?'}: {_grammar(field, lang)} — {message}".rstrip(" —"))
    return "\n".join(lines)


def _labelled(part: str, key: str) -> str:
    """What the form calls a field, in Russian, and what it says beside it."""
    labels = labels_with(())
    about = labels.about.get(key)
    name = labels.name(part, key).ru
    return f"{name}. {about.ru[:1].upper()}{about.ru[1:]}" if about is not None and key not in labels.ids else name


def _conditions(lang: Lang) -> Iterator[str]:
    condition: TypeAdapter[Any] = TypeAdapter(Condition)
    for part in _refs(_parts()["Condition"]):
        example = _parts()[part].get("examples", [None])[0]
        words = sentence(condition.validate_json(json.dumps(example))) if example is not None else None
        yield _line(part, example, words, lang)


def _effects(lang: Lang) -> Iterator[str]:
    owners: dict[str, list[str]] = {}
    for union in _EFFECTS_OF:
        for part in _refs(_parts()[union]):
            owners.setdefault(part, []).append(union)
    for part, unions in owners.items():
        effect: TypeAdapter[Any] = TypeAdapter(_EFFECTS_OF[unions[-1]][0])
        example = _parts()[part].get("examples", [None])[0]
        words = effect_sentence(effect.validate_json(json.dumps(example))) if example is not None else None
        whose = ", ".join(_EFFECTS_OF[union][1].of(lang) for union in unions)
        yield f"{_line(part, example, words, lang)} ({_FOR.of(lang)}: {whose})"


def _line(part: str, example: Any, words: Text | None, lang: Lang) -> str:
    """A condition or an effect: what may stand under its key, what it means, and an example with its words."""
    node = _parts()[part]
    (key, field), *beside = node["properties"].items()
    written = "".join(_beside(part, other, message, lang) for other, message in beside)
    message = _one_line(node.get("description", "")) if lang == "en" else labels_with(()).names[part].ru + "."
    shown = "" if words is None else f" `{json.dumps(example, ensure_ascii=False)}`: {words.of(lang)}."
    return f"- `{key}`: {_grammar(field, lang)}{written} — {message}{shown}"


def _beside(part: str, key: str, node: Mapping[str, Any], lang: Lang) -> str:
    """A key that may go with a condition; in Russian with what its values mean, which no description says."""
    values = [(one, labels_with(()).name(part, key, str(one)).of(lang)) for one in node.get("enum", ())]
    if lang == "en" or not values:
        return f", `{key}`?: {_grammar(node, lang)}"
    return f", `{key}`?: " + " | ".join(f"`{json.dumps(one)}` ({message})" for one, message in values)


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _refs(node: Mapping[str, Any]) -> list[str]:
    return [one["$ref"].rpartition("/")[2] for one in node["oneOf"]]


def _grammar(node: Mapping[str, Any], lang: Lang) -> str:
    """What may stand at a place of the schema, in one line."""
    part = node.get("$ref", "").rpartition("/")[2]
    if part:
        known = {"Condition": _CONDITION, **dict.fromkeys(_EFFECTS_OF, _EFFECT)}
        return known[part].of(lang) if part in known else _grammar(_parts()[part], lang)
    if "anyOf" in node:
        return _any_of(node["anyOf"], lang)
    if "const" in node:
        return f"`{json.dumps(node['const'])}`"
    if "enum" in node:
        return " | ".join(f"`{json.dumps(one)}`" for one in node["enum"])
    if "properties" in node:
        return f"{{{', '.join(_keys(node, lang))}}}"
    kind = node.get("type")
    if kind == "array":
        least, most = node.get("minItems", 0), node.get("maxItems", "…")
        count = str(most) if least == most else f"{least}–{most}"
        return f"[{_grammar(node['items'], lang)}, …] × {count}"
    if kind in ("integer", "number"):
        return f"{node.get('minimum', '')}…{node.get('maximum', '')}"
    if kind == "boolean":
        return "`true` | `false`"
    if node.get("pattern") == ID:
        return "id"
    return _TEXT.of(lang) + (f" ≤ {node['maxLength']}" if "maxLength" in node else "")


def _any_of(nodes: Sequence[Mapping[str, Any]], lang: Lang) -> str:
    """One of several ways: a text is told once, and a list of what may stand alone too is left out."""
    plain = [node for node in nodes if node.get("items") not in nodes and "en" not in node.get("properties", ())]
    return " | ".join(dict.fromkeys(_grammar(node, lang) for node in plain))


def _keys(node: Mapping[str, Any], lang: Lang) -> Iterator[str]:
    """The keys of an object; those of which there is exactly one stand together."""
    needed = node.get("required", ())
    free = [key for key in node["properties"] if key not in needed]
    alike = {_grammar(node["properties"][key], lang) for key in free}
    if len(free) > 1 and len(alike) == 1 and node.get("maxProperties") == len(needed) + 1:
        names = " | ".join(f'"{key}"' for key in free)
        yield f"{names}: {alike.pop()}"
        free = []
    for key, field in node["properties"].items():
        if key in needed or key in free:
            yield f'"{key}"{"" if key in needed else "?"}: {_grammar(field, lang)}'
