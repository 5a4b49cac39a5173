"""A piece of content as fields of a form: what stands in each, what may, what it is called, and what is wrong there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from playmill.engine.contract.content import Labels
from playmill.texts import LANGUAGES, Lang, Text
from playmill.web.lab.content.shape import Form, Shape

_LANGUAGES = {"en": Text("in English", "по-английски"), "ru": Text("in Russian", "по-русски")}


@dataclass(frozen=True)
class Option:
    """Something to choose."""

    key: str
    name: Text
    chosen: bool


@dataclass(frozen=True)
class Flaw:
    """Something wrong: the path in the piece, and a sentence that does not say where."""

    path: str
    text: Text


@dataclass(frozen=True)
class Field:
    """One place of a piece: how it is asked for, what stands there, what stands within it, and what is wrong.

    `offered` is what will be taken if it is left empty.
    """

    path: str
    widget: str
    name: Text
    about: Text | None = None
    text: str = ""
    offered: str = ""
    low: int | None = None
    high: int | None = None
    options: Sequence[Option] = ()
    parts: Sequence[Field] = ()
    kind: str = ""
    can_add: bool = False
    can_drop: bool = False
    aside: bool = False
    mistakes: Sequence[Text] = ()

    @property
    def id(self) -> str:
        """What a page calls it."""
        return f"c-{self.path.replace('.', '-')}"

    @property
    def wrong(self) -> int:
        """How many mistakes there are, those within it counted."""
        return len(self.mistakes) + sum(part.wrong for part in self.parts)


class _Place(NamedTuple):
    """A place being laid out: its shape and path, its key and the definition that has it, and what stands there.

    `whole` is what stands there with all that was left open.
    """

    shape: Shape
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
        """Whether it may be left out, and nothing stands for it then."""
        return not self.needed and "default" not in self.node


class Laying:
    """Lays a piece out as fields."""

    def __init__(self, labels: Labels, flaws: Sequence[Flaw] = (), lang: Lang = "en") -> None:
        self._labels, self._flaws = labels, flaws
        self._order = sorted(LANGUAGES, key=lambda one: one != lang)
        self.placed: set[Flaw] = set()

    def fields(self, shape: Shape, piece: Any, whole: Any, kind: str) -> Sequence[Field]:
        """All fields of a piece of a kind, its name first; `whole` is the piece with what was left open."""
        if shape.form is not Form.KINDS:
            return _name_first(self._group(shape, "", piece, whole))
        tag = shape.kind_of(piece)
        place = _Place(shape, "", kind, shape.part, piece, whole)
        chosen = Field("", "kinds", self._labels.name("", kind), options=self._kinds_of(place, tag), kind=tag)
        return [chosen, *(_name_first(self._group(shape.kinds[tag], "", piece, whole)) if tag else ())]

    def _field(self, place: _Place) -> Field:
        names, about = self._labels, self._labels.about
        told = about.get(f"{place.part}.{place.key}") or about.get(place.key)
        name = names.name(place.part, place.key)
        plain = Field(place.path, place.shape.form.value, name, told, aside=place.key in names.aside)
        made = replace(plain, **_LAID[place.shape.form](self, place))
        return replace(made, mistakes=self._mistakes_at(place.path))

    def _mistakes_at(self, path: str) -> list[Text]:
        """What is wrong at a path, or within it where no field is that would tell it."""
        found = []
        for flaw in self._flaws:
            if flaw not in self.placed and (flaw.path == path or flaw.path.startswith(f"{path}.")):
                self.placed.add(flaw)
                found.append(flaw.text)
        return found

    def _group(self, shape: Shape, path: str, value: Any, whole: Any) -> list[Field]:
        value = value if isinstance(value, Mapping) else {}
        whole = whole if isinstance(whole, Mapping) else {}
        hidden = shape.unfit(value) | set(shape.one_of)
        needed = shape.demanded(value)
        found = [
            self._field(
                _Place(field, _inner(path, key), key, shape.part, value.get(key), whole.get(key), key in needed)
            )
            for key, field in shape.fields.items()
            if key not in hidden and field.form is not Form.FIXED
        ]
        return [*found, self._one_of(shape, path, value)] if shape.one_of else found

    def _one_of(self, shape: Shape, path: str, value: Mapping[str, Any]) -> Field:
        """Which of several keys, and what stands under it."""
        chosen = next((key for key in shape.one_of if key in value), "")
        options = [Option(key, self._labels.name(shape.part, key), key == chosen) for key in shape.one_of]
        if shape.may_lack_one:
            options.insert(0, Option("", self._labels.name(shape.part, "", ""), not chosen))
        field = shape.fields[shape.one_of[0]]
        return Field(
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

    def _kinds_of(self, place: _Place, tag: str) -> list[Option]:
        found = [
            Option(one, self._labels.names.get(kind.part) or Text(one, one), one == tag)
            for one, kind in place.shape.kinds.items()
        ]
        none = Option("", self._labels.name(place.part, place.key, ""), not tag)
        return found if place.needed else [none, *found]

    def _kinds(self, place: _Place) -> dict[str, Any]:
        """The kind that something is of, and what that kind is asked for."""
        tag = place.shape.kind_of(place.value)
        laid = {"options": self._kinds_of(place, tag), "kind": tag}
        if not tag:
            return laid
        kind = place.shape.kinds[tag]
        within = kind.fields[tag]
        inner = _Place(within, _inner(place.path, tag), tag, kind.part, place.value[tag], None)
        if within.form is Form.FIXED:
            return laid
        parts = (
            self._group(within, inner.path, inner.value, None) if within.form is Form.GROUP else [self._field(inner)]
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
        told = value if isinstance(value, Mapping) else dict.fromkeys(LANGUAGES, value) if value else {}
        usual = whole if isinstance(whole, Mapping) else {}
        most = next((one["maxLength"] for one in place.node["anyOf"] if "maxLength" in one), None)
        parts = [
            Field(
                _inner(place.path, lang),
                "text",
                _LANGUAGES[lang],
                text=str(told.get(lang, "")),
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
        none = Option("", self._labels.name(place.part, place.key, ""), chosen is None)
        return {"options": [none, *options] if place.is_out else options}

    def _values(self, place: _Place, values: Sequence[Any], chosen: Sequence[Any]) -> list[Option]:
        return [Option(str(one), self._labels.name(place.part, place.key, str(one)), one in chosen) for one in values]

    def _many(self, place: _Place) -> dict[str, Any]:
        chosen = place.value if isinstance(place.value, list) else ()
        return {"options": self._values(place, place.shape.parts.node["enum"], chosen)}

    def _numbers(self, place: _Place) -> dict[str, Any]:
        listed = list(place.value) if isinstance(place.value, list) else []
        listed += [""] * (place.shape.limits[0] - len(listed))
        limits = place.shape.parts.node
        parts = [
            Field(
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
        return {"widget": "choice", "options": [Option(one, name, one == text) for one, name in known.items()]}

    def _raw(self, place: _Place) -> dict[str, Any]:
        return {"text": "" if place.value is None else json.dumps(place.value, ensure_ascii=False)}

    def _inside(self, place: _Place) -> dict[str, Any]:
        return {"parts": self._group(place.shape, place.path, place.value, place.whole)}


_LAID = {
    Form.GROUP: Laying._inside,
    Form.KINDS: Laying._kinds,
    Form.LIST: Laying._list,
    Form.PHRASE: Laying._phrase,
    Form.CHOICE: Laying._choice,
    Form.MANY: Laying._many,
    Form.NUMBERS: Laying._numbers,
    Form.NUMBER: Laying._number,
    Form.SWITCH: Laying._switch,
    Form.TEXT: Laying._text,
    Form.RAW: Laying._raw,
}


def _name_first(fields: Sequence[Field]) -> list[Field]:
    """The first text leads; the others come after what they tell of."""
    texts = [field for field in fields if field.widget == Form.PHRASE.value]
    return [*texts[:1], *(field for field in fields if field not in texts), *texts[1:]]


def _written(value: Any) -> str:
    return "" if value is None else str(value)


def _inner(path: str, step: object) -> str:
    return f"{path}.{step}" if path else str(step)
