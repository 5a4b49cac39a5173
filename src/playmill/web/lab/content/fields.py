"""Form fields of a piece of content, built from its JSON Schema: widgets, values, labels, mistakes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from playmill.engine.contract.content import Labels
from playmill.texts import LANGUAGES, Lang, Text
from playmill.web.lab.content.schema import SchemaNode, Widget

_LANGUAGES = {"en": Text("in English", "по-английски"), "ru": Text("in Russian", "по-русски")}


@dataclass(frozen=True)
class PieceOption:
    """One option of a choice."""

    key: str
    name: Text
    chosen: bool


@dataclass(frozen=True)
class PieceMistake:
    """A mistake: the path in the piece, and a message without it."""

    path: str
    text: Text


@dataclass(frozen=True)
class PieceField:
    """One field of a piece: its widget, its value, fields within it, and its mistakes.

    `offered` is the value that is taken if it is left empty.
    """

    path: str
    widget: str
    name: Text
    about: Text | None = None
    text: str = ""
    offered: str = ""
    low: int | None = None
    high: int | None = None
    options: Sequence[PieceOption] = ()
    parts: Sequence[PieceField] = ()
    kind: str = ""
    can_add: bool = False
    can_drop: bool = False
    aside: bool = False
    mistakes: Sequence[Text] = ()

    @property
    def id(self) -> str:
        """The HTML id."""
        return f"c-{self.path.replace('.', '-')}"

    @property
    def wrong(self) -> int:
        """The number of mistakes, those within it counted."""
        return len(self.mistakes) + sum(part.wrong for part in self.parts)


class _Place(NamedTuple):
    """A field being built: its schema and path, its key and definition, and its value.

    `whole` is the value with defaults for what was left out.
    """

    shape: SchemaNode
    path: str
    key: str
    part: str
    value: Any
    whole: Any
    needed: bool = True

    @property
    def node(self) -> Mapping[str, Any]:
        return self.shape.plain.node

    @property
    def is_out(self) -> bool:
        """Whether it is optional and has no default."""
        return not self.needed and "default" not in self.node


class FieldBuilder:
    """Builds the fields of a piece."""

    def __init__(self, labels: Labels, flaws: Sequence[PieceMistake] = (), lang: Lang = "en") -> None:
        self._labels, self._flaws = labels, flaws
        self._order = sorted(LANGUAGES, key=lambda one: one != lang)
        self.placed: set[PieceMistake] = set()

    def fields(self, shape: SchemaNode, piece: Any, whole: Any, kind: str) -> Sequence[PieceField]:
        """All fields of a piece of a kind, its name first; `whole` is the piece with defaults."""
        if shape.form is not Widget.KINDS:
            return _name_first(self._group(shape, "", piece, whole))
        tag = shape.kind_of(piece)
        place = _Place(shape, "", kind, shape.part, piece, whole)
        chosen = PieceField("", "kinds", self._labels.name("", kind), options=self._kinds_of(place, tag), kind=tag)
        return [chosen, *(_name_first(self._group(shape.kinds[tag], "", piece, whole)) if tag else ())]

    def _field(self, place: _Place) -> PieceField:
        names, about = self._labels, self._labels.about
        help_text = about.get(f"{place.part}.{place.key}") or about.get(place.key)
        name = names.name(place.part, place.key)
        plain = PieceField(place.path, place.shape.form.value, name, help_text, aside=place.key in names.aside)
        made = replace(plain, **_LAID[place.shape.form](self, place))
        return replace(made, mistakes=self._mistakes_at(place.path))

    def _mistakes_at(self, path: str) -> list[Text]:
        """The mistakes at a path, or within it where no field shows them."""
        found = []
        for flaw in self._flaws:
            if flaw not in self.placed and (flaw.path == path or flaw.path.startswith(f"{path}.")):
                self.placed.add(flaw)
                found.append(flaw.text)
        return found

    def _group(self, shape: SchemaNode, path: str, value: Any, whole: Any) -> list[PieceField]:
        value = value if isinstance(value, Mapping) else {}
        whole = whole if isinstance(whole, Mapping) else {}
        hidden = shape.unfit(value) | set(shape.one_of)
        needed = shape.demanded(value)
        found = [
            self._field(
                _Place(field, _inner(path, key), key, shape.part, value.get(key), whole.get(key), key in needed)
            )
            for key, field in shape.fields.items()
            if key not in hidden and field.form is not Widget.FIXED
        ]
        return [*found, self._one_of(shape, path, value)] if shape.one_of else found

    def _one_of(self, shape: SchemaNode, path: str, value: Mapping[str, Any]) -> PieceField:
        """A choice between several keys, and the value of the chosen one."""
        chosen = next((key for key in shape.one_of if key in value), "")
        options = [PieceOption(key, self._labels.name(shape.part, key), key == chosen) for key in shape.one_of]
        if shape.may_lack_one:
            options.insert(0, PieceOption("", self._labels.name(shape.part, "", ""), not chosen))
        field = shape.fields[shape.one_of[0]]
        return PieceField(
            path,
            "one_of",
            self._labels.name(shape.part, chosen or shape.one_of[0]),
            text=_written(value.get(chosen)),
            low=field.node.get("minimum"),
            high=field.node.get("maximum"),
            options=options,
            kind=chosen,
            mistakes=[text for key in shape.one_of for text in self._mistakes_at(_inner(path, key))],
        )

    def _kinds_of(self, place: _Place, tag: str) -> list[PieceOption]:
        found = [
            PieceOption(one, self._labels.names.get(kind.part) or Text(one, one), one == tag)
            for one, kind in place.shape.kinds.items()
        ]
        none = PieceOption("", self._labels.name(place.part, place.key, ""), not tag)
        return found if place.needed else [none, *found]

    def _kinds(self, place: _Place) -> dict[str, Any]:
        """A choice between variants, and the fields of the chosen one."""
        tag = place.shape.kind_of(place.value)
        laid = {"options": self._kinds_of(place, tag), "kind": tag}
        if not tag:
            return laid
        kind = place.shape.kinds[tag]
        within = kind.fields[tag]
        inner = _Place(within, _inner(place.path, tag), tag, kind.part, place.value[tag], None)
        if within.form is Widget.FIXED:
            return laid
        parts = (
            self._group(within, inner.path, inner.value, None) if within.form is Widget.GROUP else [self._field(inner)]
        )
        beside = [
            self._field(
                _Place(field, _inner(place.path, key), key, kind.part, place.value.get(key), None, needed=False)
            )
            for key, field in kind.fields.items()
            if key != tag
        ]
        return {**laid, "parts": parts + beside}

    def _list(self, place: _Place) -> dict[str, Any]:
        listed = place.value if isinstance(place.value, list) else [] if place.value is None else [place.value]
        least, most = place.shape.limits
        parts = [
            self._field(_Place(place.shape.parts, _inner(place.path, at), str(at + 1), "", one, None))
            for at, one in enumerate(listed)
        ]
        parts = [replace(part, can_drop=len(listed) > least, aside=False) for part in parts]
        return {"parts": parts, "text": str(len(listed)), "can_add": len(listed) < most}

    def _phrase(self, place: _Place) -> dict[str, Any]:
        value, whole = place.value, place.whole
        texts = value if isinstance(value, Mapping) else dict.fromkeys(LANGUAGES, value) if value else {}
        usual = whole if isinstance(whole, Mapping) else {}
        most = next((one["maxLength"] for one in place.node["anyOf"] if "maxLength" in one), None)
        parts = [
            PieceField(
                _inner(place.path, lang),
                "text",
                _LANGUAGES[lang],
                text=str(texts.get(lang, "")),
                offered=str(usual.get(lang) or next(iter(usual.values()), "")),
                high=most,
                mistakes=self._mistakes_at(_inner(place.path, lang)),
            )
            for lang in self._order
        ]
        return {"parts": parts}

    def _choice(self, place: _Place) -> dict[str, Any]:
        chosen = place.node.get("default") if place.value is None else place.value
        options = self._values(place, place.node["enum"], [chosen])
        none = PieceOption("", self._labels.name(place.part, place.key, ""), chosen is None)
        return {"options": [none, *options] if place.is_out else options}

    def _values(self, place: _Place, values: Sequence[Any], chosen: Sequence[Any]) -> list[PieceOption]:
        return [
            PieceOption(str(one), self._labels.name(place.part, place.key, str(one)), one in chosen) for one in values
        ]

    def _many(self, place: _Place) -> dict[str, Any]:
        chosen = place.value if isinstance(place.value, list) else ()
        return {"options": self._values(place, place.shape.parts.node["enum"], chosen)}

    def _numbers(self, place: _Place) -> dict[str, Any]:
        listed = list(place.value) if isinstance(place.value, list) else []
        listed += [""] * (place.shape.limits[0] - len(listed))
        limits = place.shape.parts.node
        parts = [
            PieceField(
                _inner(place.path, at),
                "number",
                self._labels.name(place.key, str(at)),
                text=_written(one),
                low=limits.get("minimum"),
                high=limits.get("maximum"),
                mistakes=self._mistakes_at(_inner(place.path, at)),
            )
            for at, one in enumerate(listed)
        ]
        return {"parts": parts}

    def _number(self, place: _Place) -> dict[str, Any]:
        return {"text": _written(place.value), "low": place.node.get("minimum"), "high": place.node.get("maximum")}

    def _switch(self, place: _Place) -> dict[str, Any]:
        on = place.node.get("default", False) if place.value is None else place.value
        return {"text": "on" if on else ""}

    def _text(self, place: _Place) -> dict[str, Any]:
        among = self._labels.among.get(f"{place.part}.{place.key}") or self._labels.among.get(place.key)
        text, offered = _written(place.value), _written(place.whole) if place.value is None else ""
        if among is None:
            return {"text": text, "offered": offered, "high": place.node.get("maxLength")}
        known = {**among, **({} if text in among else {text: Text(text, text)})}
        return {"widget": "choice", "options": [PieceOption(one, name, one == text) for one, name in known.items()]}

    def _raw(self, place: _Place) -> dict[str, Any]:
        return {"text": "" if place.value is None else json.dumps(place.value, ensure_ascii=False)}

    def _inside(self, place: _Place) -> dict[str, Any]:
        return {"parts": self._group(place.shape, place.path, place.value, place.whole)}


_LAID = {
    Widget.GROUP: FieldBuilder._inside,
    Widget.KINDS: FieldBuilder._kinds,
    Widget.LIST: FieldBuilder._list,
    Widget.PHRASE: FieldBuilder._phrase,
    Widget.CHOICE: FieldBuilder._choice,
    Widget.MANY: FieldBuilder._many,
    Widget.NUMBERS: FieldBuilder._numbers,
    Widget.NUMBER: FieldBuilder._number,
    Widget.SWITCH: FieldBuilder._switch,
    Widget.TEXT: FieldBuilder._text,
    Widget.RAW: FieldBuilder._raw,
}


def _name_first(fields: Sequence[PieceField]) -> list[PieceField]:
    """Puts the first text first; the other texts come after what they describe."""
    texts = [field for field in fields if field.widget == Widget.PHRASE.value]
    return [*texts[:1], *(field for field in fields if field not in texts), *texts[1:]]


def _written(value: Any) -> str:
    return "" if value is None else str(value)


def _inner(path: str, step: object) -> str:
    return f"{path}.{step}" if path else str(step)
