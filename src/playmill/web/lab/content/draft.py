"""A piece of content being edited: the piece, its mistakes, its description, and its content file."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import Any

from playmill.engine.config.json_input import parsed, sound, unfenced
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.content import Labels, Trial
from playmill.engine.contract.game import Game
from playmill.engine.contract.modules import ContentModule
from playmill.lab.runs.content import Pieces, ids_of, joined, needed, require_content
from playmill.texts import LANGUAGES, Lang, PlaymillError, Text
from playmill.web.lab.content.fields import FieldBuilder, PieceField, PieceMistake
from playmill.web.lab.content.form_values import NOTHING
from playmill.web.lab.content.schema import SchemaNode, Widget

_OBJECT = Text("a JSON object with content", "JSON-объект с содержанием")
_WORD = re.compile(r'"?\b([a-z]+(?:_[a-z]+)+)\b"?')
_FILE = Text("the file", "файл")


@lru_cache(maxsize=16)
def kinds_of(game: Game) -> Mapping[str, SchemaNode]:
    """The kinds of content that a form can make, with the schema of each."""
    module = require_content(game)
    schema = module.schema()
    root = SchemaNode(schema, schema)
    wanted = labels_of(game).kinds or tuple(module.KIND_NAMES)
    return {kind: root.fields[kind].parts for kind in wanted if kind in root.fields}


def labels_of(game: Game) -> Labels:
    """The labels of the form."""
    found: Labels = require_content(game).labels()
    return found


@dataclass(frozen=True)
class PieceDraft:
    """A piece of one kind, valid or not, with as much of it as was filled in; `beside` it are the saved pieces."""

    game: Game
    kind: str
    piece: Mapping[str, Any]
    beside: Pieces = field(default_factory=dict)

    @property
    def _module(self) -> ContentModule:
        return require_content(self.game)

    @property
    def shape(self) -> SchemaNode:
        """The schema of the piece."""
        return kinds_of(self.game)[self.kind]

    @cached_property
    def whole(self) -> dict[str, Any]:
        """The piece with defaults for what was left out; a generated id is none of another kind's."""
        found: dict[str, Any] = self._module.completed(self.kind, self.piece)
        if "id" not in self.piece and "id" in found:
            others = [ids_of(listed) for kind, listed in self.beside.items() if kind != self.kind]
            found["id"] = free_id(str(found["id"]), set().union(*others))
        return found

    @cached_property
    def data(self) -> dict[str, Any]:
        """A content file with this piece and the saved pieces that it refers to."""
        return needed({self.kind: [self.whole]}, self.beside)

    @property
    def text(self) -> str:
        """The file, as the command line reads it."""
        return file_text(self.data)

    @cached_property
    def _mistakes(self) -> Sequence[Any]:
        """Mistakes of the piece beside all saved ones; it replaces a saved one with the same id."""
        data = joined({self.kind: [self.whole]}, self.beside)
        found: Sequence[Any] = self._module.examined(data)[1]
        return [one for one in found if one.path == self.kind or f"{one.path}.".startswith(f"{self.kind}.0.")]

    @cached_property
    def flaws(self) -> Sequence[PieceMistake]:
        """All mistakes, by paths within the piece."""
        mine = [PieceMistake(path, text) for path, text in _no_numbers(self.shape, self.piece, "")]
        known = {flaw.path for flaw in mine}
        start = f"{self.kind}.0"
        words = _words(self.game)
        for mistake in self._mistakes:
            path = mistake.path.removeprefix(start).removeprefix(".")
            if path not in known:
                bare = (_bare(text, mistake.path, start, words, at) for at, text in enumerate(mistake.text))
                mine.append(PieceMistake(path, Text(*bare)))
        return mine

    @property
    def content(self) -> Any:
        """The content as the game has it, with pieces it refers to; only if there are no mistakes."""
        return self._module.examined(self.data)[0]

    def check(self) -> None:
        """Raises the first mistake."""
        if self.flaws:
            first = self.flaws[0].text
            raise PlaymillError(first.en, first.ru)

    @cached_property
    def entry(self) -> Any:
        """Name, description and exact effect of the piece; None if there are mistakes."""
        if self.flaws:
            return None
        module = self._module
        listed = module.entries(module.merged(module.library(), self.content))
        return next((one for one in listed if one.id == self.whole["id"] and one.kind == self.kind), None)

    @property
    def is_tried(self) -> bool:
        """Whether it does something by itself, so that it can be played with and has a worth."""
        return self.kind not in labels_of(self.game).untried

    @property
    def is_told(self) -> bool:
        """Whether its exact effect is what its description says anyhow."""
        entry = self.entry
        return entry is not None and entry.desc.en.rstrip(".").lower() == entry.detail.en.lower()

    def fields(self, lang: Lang) -> tuple[Sequence[PieceField], list[Text]]:
        """The fields of the form, and mistakes that belong to none of them."""
        laying = FieldBuilder(_with_kept(labels_of(self.game), self.beside), self.flaws, lang)
        fields = laying.fields(self.shape, self.piece, self.whole, self.kind)
        return fields, [flaw.text for flaw in self.flaws if flaw not in laying.placed]

    def trials(self, config: RuleConfig) -> list[Trial]:
        """The trials of the piece under some rules, as `playmill worth` plays them."""
        from playmill.lab.decide.worth import named_trials, require_trials

        return named_trials(require_trials(self.game), config, self.content, [self.whole["id"]], option="")


def file_text(data: Mapping[str, Any]) -> str:
    """A content file as text."""
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def free_id(name: str, taken: Collection[str]) -> str:
    """The id, or a similar one that is free."""
    return next(one for one in (name, *(f"{name[:28]}_{n}" for n in range(2, len(taken) + 3))) if one not in taken)


def _with_kept(labels: Labels, pieces: Pieces) -> Labels:
    """The labels of a form in which saved pieces can be chosen, too."""
    kept = {key: {one["id"]: _name_of(one) for one in pieces.get(kind, ())} for key, kind in labels.ids.items()}
    return replace(labels, among={**labels.among, **{key: {**labels.among[key], **kept[key]} for key in kept}})


def _name_of(piece: Mapping[str, Any]) -> Text:
    """The name of a piece, in the languages it is given in."""
    name = piece.get("name", piece["id"])
    names = dict(name) if isinstance(name, Mapping) else dict.fromkeys(LANGUAGES, str(name))
    usual = str(next(iter(names.values()), piece["id"]))
    return Text(*(str(names.get(lang, usual)) for lang in LANGUAGES))


def from_nothing(game: Game, kind: str) -> PieceDraft:
    """A default piece of a kind."""
    return PieceDraft(game, kind, kinds_of(game)[kind].default() or {})


def from_library(game: Game, name: str) -> PieceDraft | None:
    """A draft of a piece of the game; fields that are generated are left out."""
    module, made = require_content(game), labels_of(game).made
    library = module.written(module.library())
    for kind, shape in kinds_of(game).items():
        for one in library.get(kind, ()):
            if one.get("id") == name:
                said = {key: value for key, value in one.items() if not _is_usual(shape, key, value)}
                return PieceDraft(game, kind, {key: value for key, value in said.items() if key not in made})
    return None


def from_file(game: Game, text: str, beside: Pieces = MappingProxyType({})) -> PieceDraft:
    """A draft of the first piece of a content file that a form can make; raises if there is none."""
    data = pieces_of(text)
    named = {kind: [one for one in listed if isinstance(one.get("id"), str)] for kind, listed in data.items()}
    for kind in kinds_of(game):
        if data.get(kind):
            return PieceDraft(game, kind, dict(data[kind][0]), joined(named, beside))
    raise nothing_in_it(kinds_of(game))


def pieces_of(text: str) -> dict[str, list[Mapping[str, Any]]]:
    """The pieces of a content file by kind, valid or not; Markdown fences around it are ignored."""
    plain = unfenced(text, _FILE.en)
    data = sound(parsed(plain, _FILE.en, wanted=_OBJECT, alone=_OBJECT), _FILE.en)
    listed = data.items() if isinstance(data, Mapping) else ()
    found = {kind: [one for one in some if isinstance(one, Mapping)] for kind, some in listed if isinstance(some, list)}
    return {kind: some for kind, some in found.items() if some}


def nothing_in_it(kinds: Iterable[str]) -> PlaymillError:
    """The error for a content file without any known piece."""
    known = ", ".join(kinds)
    return PlaymillError(f"there is none of these in it: {known}", f"в нём нет ничего из этого: {known}")


def _is_usual(shape: SchemaNode, key: str, value: Any) -> bool:
    """Whether a field has its default and can be left out; a choice is always written."""
    kinds = shape.kinds.values() if shape.form is Widget.KINDS else (shape,)
    fields = [one.fields[key] for one in kinds if key in one.fields]
    return any(one.node.get("default", NOTHING) == value and one.form is not Widget.CHOICE for one in fields)


def _no_numbers(shape: SchemaNode, value: Any, path: str) -> Iterator[tuple[str, Text]]:
    """Mistakes where a number is wanted and something else was typed."""
    match shape.form:
        case Widget.KINDS if isinstance(value, Mapping) and (tag := shape.kind_of(value)):
            yield from _no_numbers(shape.kinds[tag], value, path)
        case Widget.GROUP if isinstance(value, Mapping):
            for key, field in shape.fields.items():
                if key in value:
                    yield from _no_numbers(field, value[key], _inner(path, key))
        case Widget.LIST | Widget.NUMBERS if isinstance(value, list):
            for place, one in enumerate(value):
                yield from _no_numbers(shape.parts, one, _inner(path, place))
        case Widget.NUMBER if isinstance(value, str):
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
    """The labels of keys, for messages that mention them."""
    labels, found = labels_of(game), {}
    for name, text in labels.names.items():
        key, _, value = name.rpartition(".")[2].partition("=")
        found[value or key] = text
    for shape in kinds_of(game).values():
        todo = [shape]
        for one in todo:
            if one.form is Widget.KINDS:
                for tag, kind in one.kinds.items():
                    if kind.part in labels.names:
                        found[tag] = labels.names[kind.part]
                    todo += [] if kind.is_keyed else [kind]
            elif one.form is Widget.GROUP:
                todo += [field.parts if field.form is Widget.LIST else field for field in one.fields.values()]
    return found


def _bare(message: str, path: str, start: str, words: Mapping[str, Text], at: int) -> str:
    """A message of the validator for the field it is about: without its path, and with labels for keys."""
    for place in (path, start):
        if message.startswith(place):
            message = message[len(place) :].removeprefix(": ").removeprefix(".")
            break
    message = message.replace(f"{start}.", "")
    if message.startswith(" "):
        message = f"it{message}" if at == 0 else message.strip()
    quotes = "“{}”" if at == 0 else "«{}»"
    return _WORD.sub(lambda found: quotes.format(words[found[1]][at]) if found[1] in words else found[0], message)


def _inner(path: str, step: object) -> str:
    return f"{path}.{step}" if path else str(step)
