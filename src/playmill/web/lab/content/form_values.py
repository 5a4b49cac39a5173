"""Parses the fields of a content form into a piece; what cannot be parsed stays as it was typed.

A field is called by its path in the piece. Beside it stand, with a sign behind the path: `?` the kind that was chosen
and `!` the one it was before, `+` how many parts a list has, `#` which of several keys, and `=` what stands under it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from playmill.texts import LANGUAGES
from playmill.web.lab.content.schema import DEEPEST, SchemaNode, Widget

#: How the names of the form's fields begin.
PREFIX = "c:"
_NUMBER = re.compile(r"[-+]?\d{1,15}", re.ASCII)
_FRACTION = re.compile(r"[-+]?\d{1,15}\.\d{1,15}", re.ASCII)
_PARTS = re.compile(r"[\s_]")
_BLANKS = re.compile(r"[\s  ,_]")
#: The most parts of a list.
_MOST_PARTS = 50

Typed = Mapping[str, Sequence[str]]


class _Nothing:
    """Stands for a value that is left out."""


NOTHING = _Nothing()


def typed_of(form: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """The fields of a piece among those of a form, by path."""
    return {name.removeprefix(PREFIX): texts for name, texts in form.items() if name.startswith(PREFIX)}


class FormReader:
    """Parses a form; `wish` adds a part to a list (`add:path`) or drops one (`drop:path.number`)."""

    def __init__(self, typed: Typed, wish: str = "") -> None:
        self._typed = typed
        self._starts = {name[:end] for name in typed for end in range(len(name) + 1)}
        verb, _, path = wish.partition(":")
        self._add = path if verb == "add" else None
        self._drop = path if verb == "drop" else None

    def piece(self, shape: SchemaNode) -> dict[str, Any]:
        """The whole piece."""
        found = self._value(shape, "", 0, needed=True)
        return found if isinstance(found, dict) else {}

    def _text(self, path: str) -> str:
        texts = self._typed.get(path, ())
        return texts[-1].strip() if texts else ""

    def _is_asked(self, path: str) -> bool:
        """Whether the form had a field at a path, or below it."""
        return path in self._starts

    def _value(self, shape: SchemaNode, path: str, depth: int, *, needed: bool) -> Any:
        if shape.form is Widget.FIXED:
            return shape.node["const"]
        if depth > DEEPEST or not self._is_asked(path):
            found = shape.default() if needed else None
            return NOTHING if found is None else found
        match shape.form:
            case Widget.GROUP:
                return self._group(shape, path, depth)
            case Widget.KINDS:
                return self._kinds(shape, path, depth, needed=needed)
            case Widget.LIST:
                return self._list(shape, path, depth)
            case Widget.PHRASE:
                texts = {lang: text for lang in LANGUAGES if (text := self._text(_inner(path, lang)))}
                return texts or NOTHING
            case Widget.MANY:
                chosen = [text for text in self._typed.get(path, ()) if text]
                return [value for value in shape.parts.node["enum"] if value in chosen]
            case Widget.NUMBERS:
                return [number_of(text, shape.parts) for text in self._typed.get(path, ())]
            case Widget.CHOICE:
                text = self._text(path)
                return next((value for value in shape.node["enum"] if str(value) == text), text or NOTHING)
            case Widget.SWITCH:
                on = self._text(path) == "on"
                return NOTHING if on == shape.node.get("default") else on
            case Widget.NUMBER:
                text = self._text(path)
                return number_of(text, shape) if text or needed else NOTHING
            case Widget.RAW:
                return _raw(self._text(path))
        return self._text(path) or NOTHING

    def _group(self, shape: SchemaNode, path: str, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, field in shape.fields.items():
            if key not in shape.one_of:
                found[key] = self._value(field, _inner(path, key), depth + 1, needed=key in shape.needed)
        if shape.one_of and self._is_asked(f"{path}#"):
            chosen = self._text(f"{path}#")
            if chosen in shape.one_of:
                text = self._text(f"{path}=")
                found[chosen] = number_of(text) if f"{path}=" in self._typed else shape.fields[chosen].default()
        found = {key: value for key, value in found.items() if value is not NOTHING}
        for key in shape.unfit(found):
            found.pop(key, None)
        for key in shape.demanded(found) - found.keys():
            if (value := shape.fields[key].default()) is not None:
                found[key] = value
        return {key: found[key] for key in shape.fields if key in found}

    def _kinds(self, shape: SchemaNode, path: str, depth: int, *, needed: bool) -> Any:
        """A value of the variant that was chosen; when that has just been changed, with what there was before."""
        wanted, before = self._text(f"{path}?"), self._text(f"{path}!")
        old = self._group(shape.kinds[before], path, depth) if before in shape.kinds else None
        if wanted == before and old is not None:
            return old
        if wanted not in shape.kinds:
            return shape.default() if needed else NOTHING
        return changed(shape, old, wanted)

    def _list(self, shape: SchemaNode, path: str, depth: int) -> list[Any]:
        count = number_of(self._text(f"{path}+"))
        count = min(max(count, 0), _MOST_PARTS) if isinstance(count, int) else 0
        places = [_inner(path, place) for place in range(count)]
        found = [self._value(shape.parts, one, depth + 1, needed=True) for one in places if one != self._drop]
        if self._add == path:
            found.append(shape.parts.default())
        return found


def changed(shape: SchemaNode, old: Any, wanted: str) -> Any:
    """Converts a value to another variant, keeping what fits: a nested condition stays."""
    fresh = shape.kinds[wanted]
    if not fresh.is_keyed:
        kept = {key: value for key, value in (old or {}).items() if key in fresh.fields}
        kept = {key: value for key, value in kept.items() if _fits(fresh.fields[key], value)}
        whole = {**fresh.default(), **kept}
        fixed = {key: field.node["const"] for key, field in fresh.fields.items() if field.form is Widget.FIXED}
        return {key: value for key, value in {**whole, **fixed}.items() if key in fresh.fields}
    inside = fresh.fields[wanted]
    if old is not None:
        if _is_same(inside, shape):
            return {wanted: old}
        if inside.form is Widget.LIST and _is_same(inside.parts, shape):
            held = next(iter(old.values()))
            return {wanted: held if isinstance(held, list) and _has_kinds(shape, held) else [old]}
        held = next(iter(old.values()), None)
        for one in held if isinstance(held, list) else [held]:
            if shape.kind_of(one) == wanted:
                return one
    return fresh.default()


def _has_kinds(shape: SchemaNode, held: Sequence[Any]) -> bool:
    return bool(held) and all(shape.kind_of(one) for one in held)


def _is_same(one: SchemaNode, other: SchemaNode) -> bool:
    return one.form is Widget.KINDS and one.node.get("oneOf") == other.node.get("oneOf")


def _fits(shape: SchemaNode, value: Any) -> bool:
    """Whether a value of a field is valid for a field of the same name elsewhere, as far as variants go."""
    if shape.form is Widget.LIST and isinstance(value, list):
        return all(_fits(shape.parts, one) for one in value)
    return shape.form is not Widget.KINDS or bool(shape.kind_of(value))


def number_of(text: str, shape: SchemaNode | None = None) -> float | str:
    """Parses a number; people write 10 000, −50 and, where it need not be whole, 12,5. Others stay texts."""
    if shape is not None and shape.node.get("type") == "number":
        part = _PARTS.sub("", text).replace("−", "-").replace(",", ".")
        if _FRACTION.fullmatch(part):
            return float(part)
    bare = _BLANKS.sub("", text).replace("−", "-")
    return int(bare) if _NUMBER.fullmatch(bare) else text


def _raw(text: str) -> Any:
    try:
        return json.loads(text) if text else NOTHING
    except (ValueError, RecursionError):
        return text


def _inner(path: str, step: object) -> str:
    return f"{path}.{step}" if path else str(step)
