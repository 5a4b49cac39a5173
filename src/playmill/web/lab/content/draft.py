"""A piece of content that somebody is making: what it says, what is wrong with it, and the file it would be."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from types import MappingProxyType, ModuleType
from typing import Any

from playmill.engine.config.json_input import parsed, sound, unfenced
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.content import Labels, Trial
from playmill.engine.contract.game import Game
from playmill.lab.decide.worth import named_trials, trials_room
from playmill.lab.runs.content import Pieces, content_room, ids_of, joined, needed
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text
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
    """A piece of one kind, right or wrong, with as much of it as was filled in; `beside` it are the pieces kept."""

    game: Game
    kind: str
    piece: Mapping[str, Any]
    beside: Pieces = field(default_factory=dict)

    @property
    def _room(self) -> ModuleType:
        return content_room(self.game)

    @property
    def shape(self) -> Shape:
        """What the schema says of it."""
        return kinds_of(self.game)[self.kind]

    @cached_property
    def whole(self) -> dict[str, Any]:
        """The piece with what may be left open; an id that nobody wrote is none of another kind's."""
        found: dict[str, Any] = self._room.completed(self.kind, self.piece)
        if "id" not in self.piece and "id" in found:
            others = [ids_of(listed) for kind, listed in self.beside.items() if kind != self.kind]
            found["id"] = free_id(str(found["id"]), set().union(*others))
        return found

    @cached_property
    def data(self) -> dict[str, Any]:
        """A content file with this piece and what it speaks of, such as a flag that is kept."""
        return needed({self.kind: [self.whole]}, self.beside)

    @property
    def text(self) -> str:
        """The file, as the command line reads it."""
        return file_text(self.data)

    @cached_property
    def _mistakes(self) -> Sequence[Any]:
        """What is wrong with it beside all that is kept; one kept piece with its id gives way to it."""
        data = joined({self.kind: [self.whole]}, self.beside)
        found: Sequence[Any] = self._room.examined(data)[1]
        return [one for one in found if one.path == self.kind or f"{one.path}.".startswith(f"{self.kind}.0.")]

    @cached_property
    def flaws(self) -> Sequence[Flaw]:
        """All that is wrong with it, by paths within it."""
        mine = [Flaw(path, text) for path, text in _no_numbers(self.shape, self.piece, "")]
        known = {flaw.path for flaw in mine}
        start = f"{self.kind}.0"
        words = _words(self.game)
        for mistake in self._mistakes:
            path = mistake.path.removeprefix(start).removeprefix(".")
            if path not in known:
                told = (_bare(text, mistake.path, start, words, at) for at, text in enumerate(mistake.text))
                mine.append(Flaw(path, Text(*told)))
        return mine

    @property
    def content(self) -> Any:
        """It as the game has it, with what it speaks of; only if nothing is wrong."""
        return self._room.examined(self.data)[0]

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
    def is_tried(self) -> bool:
        """Whether it does something by itself, so that it can be played with and has a worth."""
        return self.kind not in labels_of(self.game).untried

    @property
    def is_told(self) -> bool:
        """Whether what it does exactly is what its description says anyhow."""
        entry = self.entry
        return entry is not None and entry.desc.en.rstrip(".").lower() == entry.detail.en.lower()

    def fields(self, lang: Lang) -> tuple[Sequence[Field], list[Text]]:
        """The form, and mistakes that belong to no field of it."""
        laying = Laying(_with_kept(labels_of(self.game), self.beside), self.flaws, lang)
        fields = laying.fields(self.shape, self.piece, self.whole, self.kind)
        return fields, [flaw.text for flaw in self.flaws if flaw not in laying.placed]

    def trials(self, config: RuleConfig) -> list[Trial]:
        """It put to the test under some rules."""
        return named_trials(trials_room(self.game), config, self.content, [self.whole["id"]], said="")


def file_text(data: Mapping[str, Any]) -> str:
    """A content file as text."""
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def free_id(name: str, taken: Collection[str]) -> str:
    """The id, or one like it that is free."""
    return next(one for one in (name, *(f"{name[:28]}_{n}" for n in range(2, len(taken) + 3))) if one not in taken)


def _with_kept(labels: Labels, pieces: Pieces) -> Labels:
    """The labels of a form in which what is kept can be chosen, too."""
    kept = {key: {one["id"]: _name_of(one) for one in pieces.get(kind, ())} for key, kind in labels.ids.items()}
    return replace(labels, among={**labels.among, **{key: {**labels.among[key], **kept[key]} for key in kept}})


def _name_of(piece: Mapping[str, Any]) -> Text:
    """The name of a piece, in the languages it is given in."""
    name = piece.get("name", piece["id"])
    told = dict(name) if isinstance(name, Mapping) else dict.fromkeys(LANGUAGES, str(name))
    usual = str(next(iter(told.values()), piece["id"]))
    return Text(*(str(told.get(lang, usual)) for lang in LANGUAGES))


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


def from_file(game: Game, text: str, beside: Pieces = MappingProxyType({})) -> Draft:
    """The first piece of a content file that a form can make; raises if there is none."""
    data = pieces_of(text)
    named = {kind: [one for one in listed if isinstance(one.get("id"), str)] for kind, listed in data.items()}
    for kind in kinds_of(game):
        if data.get(kind):
            return Draft(game, kind, dict(data[kind][0]), joined(named, beside))
    raise nothing_in_it(kinds_of(game))


def pieces_of(text: str) -> dict[str, list[Mapping[str, Any]]]:
    """The pieces of a content file by kind, right or wrong; Markdown fences around it are no matter."""
    plain = unfenced(text, _FILE.en)
    data = sound(parsed(plain, _FILE.en, wanted=_OBJECT, alone=_OBJECT), _FILE.en)
    listed = data.items() if isinstance(data, Mapping) else ()
    found = {kind: [one for one in some if isinstance(one, Mapping)] for kind, some in listed if isinstance(some, list)}
    return {kind: some for kind, some in found.items() if some}


def nothing_in_it(kinds: Iterable[str]) -> PlaymillError:
    """That a content file has nothing that was looked for."""
    known = ", ".join(kinds)
    return PlaymillError(f"there is none of these in it: {known}", f"в нём нет ничего из этого: {known}")


def _is_usual(shape: Shape, key: str, value: Any) -> bool:
    """Whether a field says what goes without saying; what is chosen among is always said."""
    kinds = shape.kinds.values() if shape.form is Form.KINDS else (shape,)
    fields = [one.fields[key] for one in kinds if key in one.fields]
    return any(one.node.get("default", NOTHING) == value and one.form is not Form.CHOICE for one in fields)


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
            whole = Text("a whole number", "целое число")
            if shape.node["type"] == "number":
                whole = Text("a number", "число")
            span = Text(f"from {low} to {high}", f"от {low} до {high}")
            if high is None:
                span = Text(f"not below {low}", f"не меньше {low}")
            yield path, Text(f"{whole.en} {span.en} is needed{found.en}", f"нужно {whole.ru} {span.ru}{found.ru}")


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
                    todo += [] if kind.is_keyed else [kind]
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
