"""A piece of content that somebody is making: what it says, what is wrong with it, and the file it would be."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import ModuleType
from typing import Any

from playmill.engine.config import RuleConfig
from playmill.engine.content import Labels, Trial
from playmill.engine.game import Game
from playmill.engine.json_text import parsed, sound
from playmill.lab.content import content_room
from playmill.lab.worth import named_trials, trials_room
from playmill.texts import Lang, PlaymillError, Text
from playmill.web.lab.content.fields import Field, Flaw, Laying
from playmill.web.lab.content.shape import Form, Shape
from playmill.web.lab.content.typed import NOTHING

_OBJECT = Text("a JSON object with content", "JSON-объект с содержанием")
_WORD = re.compile(r'"?\b([a-z]+(?:_[a-z]+)+)\b"?')
_FILE = Text("the file", "файл")


@lru_cache(maxsize=16)
def kinds_of(game: Game) -> Mapping[str, Shape]:
    """The kinds of content that can be made, with the shape of a piece of each."""
    room = content_room(game)
    schema = room.schema()
    root = Shape(schema, schema)
    wanted = labels_of(game).kinds or tuple(room.KIND_NAMES)
    return {kind: root.fields[kind].parts for kind in wanted if kind in root.fields}


def labels_of(game: Game) -> Labels:
    """What the form reads to people."""
    found: Labels = content_room(game).labels()
    return found


@dataclass(frozen=True)
class Draft:
    """A piece of one kind, right or wrong, with as much of it as was filled in."""

    game: Game
    kind: str
    piece: Mapping[str, Any]

    @property
    def _room(self) -> ModuleType:
        return content_room(self.game)

    @property
    def shape(self) -> Shape:
        """What the schema says of it."""
        return kinds_of(self.game)[self.kind]

    @cached_property
    def whole(self) -> dict[str, Any]:
        """The piece with what may be left open."""
        found: dict[str, Any] = self._room.completed(self.kind, self.piece)
        return found

    @property
    def data(self) -> dict[str, Any]:
        """A content file with nothing but this piece."""
        return {self.kind: [self.whole]}

    @property
    def text(self) -> str:
        """The file, as the command line reads it."""
        return json.dumps(self.data, ensure_ascii=False, indent=2) + "\n"

    @cached_property
    def _examined(self) -> tuple[Any, Sequence[Any]]:
        found: tuple[Any, Sequence[Any]] = self._room.examined(self.data)
        return found

    @cached_property
    def flaws(self) -> Sequence[Flaw]:
        """All that is wrong with it, by paths within it."""
        mine = [Flaw(path, text) for path, text in _no_numbers(self.shape, self.piece, "")]
        known = {flaw.path for flaw in mine}
        start = f"{self.kind}.0"
        words = _words(self.game)
        for mistake in self._examined[1]:
            path = mistake.path.removeprefix(start).removeprefix(".")
            if path not in known:
                told = (_bare(text, mistake.path, start, words, at) for at, text in enumerate(mistake.text))
                mine.append(Flaw(path, Text(*told)))
        return mine

    @property
    def content(self) -> Any:
        """It as the game has it; only if nothing is wrong."""
        return self._examined[0]

    def check(self) -> None:
        """Raises if something is wrong."""
        if self.flaws:
            first = self.flaws[0].text
            raise PlaymillError(first.en, first.ru)

    @cached_property
    def entry(self) -> Any:
        """What people read of it: its name, its description and what exactly it does; None if something is wrong."""
        if self.flaws:
            return None
        room = self._room
        listed = room.entries(room.merged(room.library(), self.content))
        return next((one for one in listed if one.id == self.whole["id"] and one.kind == self.kind), None)

    @property
    def is_told(self) -> bool:
        """Whether what it does exactly is what its description says anyhow."""
        entry = self.entry
        return entry is not None and entry.desc.en.rstrip(".").lower() == entry.detail.en.lower()

    def fields(self, lang: Lang) -> tuple[Sequence[Field], list[Text]]:
        """The form, and mistakes that belong to no field of it."""
        laying = Laying(labels_of(self.game), self.flaws, lang)
        fields = laying.fields(self.shape, self.piece, self.whole, self.kind)
        return fields, [flaw.text for flaw in self.flaws if flaw not in laying.placed]

    def trials(self, config: RuleConfig) -> list[Trial]:
        """It put to the test under some rules."""
        return named_trials(trials_room(self.game), config, self.content, [self.whole["id"]], said="")


def from_nothing(game: Game, kind: str) -> Draft:
    """A plain piece of a kind to begin with."""
    return Draft(game, kind, kinds_of(game)[kind].default() or {})


def from_library(game: Game, name: str) -> Draft | None:
    """A piece that comes with the game, to be changed: what is made of the rest of it will be made anew."""
    room, made = content_room(game), labels_of(game).made
    library = room.written(room.library())
    for kind, shape in kinds_of(game).items():
        for one in library.get(kind, ()):
            if one.get("id") == name:
                said = {key: value for key, value in one.items() if not _is_usual(shape, key, value)}
                return Draft(game, kind, {key: value for key, value in said.items() if key not in made})
    return None


def from_file(game: Game, text: str) -> Draft:
    """The first piece of a content file; raises if there is none."""
    data = sound(parsed(text, _FILE.en, wanted=_OBJECT, alone=_OBJECT), _FILE.en)
    for kind in kinds_of(game):
        listed = data.get(kind) if isinstance(data, Mapping) else None
        if isinstance(listed, list) and listed and isinstance(listed[0], Mapping):
            return Draft(game, kind, dict(listed[0]))
    known = ", ".join(kinds_of(game))
    raise PlaymillError(f"there is none of these in it: {known}", f"в нём нет ничего из этого: {known}")


def _is_usual(shape: Shape, key: str, value: Any) -> bool:
    """Whether a field says what goes without saying."""
    kinds = shape.kinds.values() if shape.form is Form.KINDS else (shape,)
    return any(one.fields[key].node.get("default", NOTHING) == value for one in kinds if key in one.fields)


def _no_numbers(shape: Shape, value: Any, path: str) -> Iterator[tuple[str, Text]]:
    """Where a number is wanted and something else was typed."""
    match shape.form:
        case Form.KINDS if isinstance(value, Mapping) and (tag := shape.kind_of(value)):
            yield from _no_numbers(shape.kinds[tag], value, path)
        case Form.GROUP if isinstance(value, Mapping):
            for key, field in shape.fields.items():
                if key in value:
                    yield from _no_numbers(field, value[key], _inner(path, key))
        case Form.LIST | Form.NUMBERS if isinstance(value, list):
            for place, one in enumerate(value):
                yield from _no_numbers(shape.parts, one, _inner(path, place))
        case Form.NUMBER if isinstance(value, str):
            low, high = shape.node.get("minimum"), shape.node.get("maximum")
            found = Text(f"; “{value[:30]}” is none", f"; «{value[:30]}» — не число") if value else Text("", "")
            yield (
                path,
                Text(
                    f"a whole number from {low} to {high} is needed{found.en}",
                    f"нужно целое число от {low} до {high}{found.ru}",
                ),
            )


@lru_cache(maxsize=16)
def _words(game: Game) -> Mapping[str, Text]:
    """What the keys of content are called in the form, for sentences that speak of them."""
    labels, found = labels_of(game), {}
    for name, text in labels.names.items():
        key, _, value = name.rpartition(".")[2].partition("=")
        found[value or key] = text
    for shape in kinds_of(game).values():
        todo = [shape]
        for one in todo:
            if one.form is Form.KINDS:
                for tag, kind in one.kinds.items():
                    if kind.part in labels.names:
                        found[tag] = labels.names[kind.part]
                    todo += [kind] if len(kind.fields) > 1 else []
            elif one.form is Form.GROUP:
                todo += [field.parts if field.form is Form.LIST else field for field in one.fields.values()]
    return found


def _bare(told: str, path: str, start: str, words: Mapping[str, Text], at: int) -> str:
    """A sentence of the checker for the field it is about: without its place, and with what fields are called there."""
    for place in (path, start):
        if told.startswith(place):
            told = told[len(place) :].removeprefix(": ").removeprefix(".")
            break
    told = told.replace(f"{start}.", "")
    if told.startswith(" "):
        told = f"it{told}" if at == 0 else told.strip()
    quotes = "“{}”" if at == 0 else "«{}»"
    return _WORD.sub(lambda found: quotes.format(words[found[1]][at]) if found[1] in words else found[0], told)


def _inner(path: str, step: object) -> str:
    return f"{path}.{step}" if path else str(step)
