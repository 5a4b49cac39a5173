"""The content library of Dice, files that people add to it, and the hooks of `playmill content`."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from playmill.author import Lang, PlaymillError, Text
from playmill.author.content import Labels
from playmill.games.dice.content import drafts
from playmill.games.dice.content.checks import checked
from playmill.games.dice.content.entries import (
    MOST_ENTRIES,
    ActiveItem,
    Content,
    Die,
    Item,
    Kit,
    Modifier,
    OwnFlag,
    PassiveItem,
    Piece,
)
from playmill.games.dice.content.impossible import counts_nothing, impossible
from playmill.games.dice.content.json_schema import content_schema
from playmill.games.dice.content.labels import labels_with
from playmill.games.dice.content.prompt import prompt_with
from playmill.games.dice.content.reading import Mistake, joined, load, parsed
from playmill.games.dice.content.references import ONE, KnownContent
from playmill.games.dice.content.weights import ROUNDING_SHOWN_FROM, error_of, scaled
from playmill.games.dice.content.words import (
    TRIGGERS,
    FlagNames,
    effect_sentence,
    effects_sentence,
    flag_time,
    kit_sentence,
    ratio,
    sentence,
    turns,
    usual_scope,
)
from playmill.games.dice.plain import KINDS, LISTS, Kind, List

#: Mistakes that the checker tells; the others are counted.
MOST_LISTED = 20
KIND_NAMES: dict[List, Text] = {
    "modifiers": Text("modifier", "модификатор"),
    "items": Text("item", "предмет"),
    "dice": Text("die", "кость"),
    "flags": Text("flag", "флаг"),
    "kits": Text("kit", "набор"),
}
_MARK = Text("A mark on a player, for conditions to ask for.", "Метка на игроке, о которой спрашивают условия.")
RARITIES = {"common": "обычная", "uncommon": "необычная", "rare": "редкая", "legendary": "легендарная"}


class ListedEntry(NamedTuple):
    """A modifier, item, die, flag or kit in a list for people; `detail` says when it works and what it does."""

    kind: List
    id: str
    name: Text
    desc: Text
    detail: Text


def schema() -> dict[str, Any]:
    """The JSON Schema of a content file."""
    return copy.deepcopy(content_schema())


@cache
def library() -> Content:
    """The content that comes with the game."""
    folder = resources.files(__package__).joinpath("data")
    parts: list[Content] = []
    for name in ("flags.json", "modifiers.json", "items.json", "dice.json", "kits.json"):
        data = parsed(folder.joinpath(name).read_text(encoding="utf-8"), name)
        parts.append(content_of(data, f"{name}: ", KnownContent(tuple((part, _SHIPPED) for part in parts))))
    return merged(*parts)


def read_content(paths: Sequence[Path]) -> Content:
    """The content of some files, without the library; the first mistake, or an id used twice, is a PlaymillError."""
    known_content = _shipped()
    parts = []
    for path in paths:
        part = content_of(load(path), f"{path}: ", known_content)
        known_content = KnownContent((*known_content.parts, (part, Text(f" of {path}", f" из {path}"))))
        parts.append(part)
    content = merged(*parts)
    for kind in LISTS:
        count = len(getattr(content, kind))
        if count > MOST_ENTRIES:
            files = ", ".join(map(str, paths))
            raise PlaymillError(
                f"{files} together have {count} {kind}; expected at most {MOST_ENTRIES}",
                f"в файлах {files} вместе {kind}: {count}; ожидается: не больше {MOST_ENTRIES}",
            )
    return content


def content_of(data: object, start: str, known_content: KnownContent | None = None) -> Content:
    """The content in parsed JSON; the first mistake is a PlaymillError whose sentence begins with `start`.

    `known_content` is what there is already, by default the library: its flags may be named, its ids are taken.
    """
    content, found = checked(data, _shipped() if known_content is None else known_content)
    if found:
        raise PlaymillError(start + found[0].text.en, start + found[0].text.ru)
    return content


def mistakes(path: Path) -> list[Text]:
    """Every mistake of a content file, a line each; after twenty, only how many more there are."""
    try:
        found = checked(load(path), _shipped())[1]
    except PlaymillError as error:
        return [error.text]
    message = [_message(path, mistake) for mistake in found[:MOST_LISTED]]
    more = len(found) - len(message)
    return message + [Text(f"{path}: and {more} more", f"{path}: и ещё {more}")] * (more > 0)


def warnings(path: Path) -> list[Text]:
    """What is strange in a content file without mistakes, a line each: conditions that can never hold, for one."""
    data = load(path)
    content = content_of(data, f"{path}: ", _shipped())
    flags = {flag.id: flag.name.text for flag in (*library().flags, *content.flags)}
    found = [warning for kind in ("modifiers", "items") for warning in _strange(content, kind, flags)]
    return [_message(path, warning) for warning in (*found, *_rounded(data, ""))]


def _rounded(data: Any, path: str) -> Iterator[Mistake]:
    """The weights of right content that had to be rounded so that a face's chance changes by more than a millionth."""
    if isinstance(data, Mapping | list):
        for key, value in data.items() if isinstance(data, Mapping) else enumerate(data):
            at = joined(path, key)
            if key != "weights":
                yield from _rounded(value, at)
            elif (error := error_of(value)) > ROUNDING_SHOWN_FROM:
                off, whole = f"{float(error):.2g}", ratio(scaled(value))
                yield _warning(
                    at,
                    f"is taken as {whole}: the chance of a face changes by up to {off}",
                    f"округляется до {whole}: вероятность грани меняется на {off}",
                )


def _strange(content: Content, kind: List, flags: FlagNames) -> Iterator[Mistake]:
    for place, piece in enumerate(getattr(content, kind)):
        usual, when = usual_scope(piece.events), _when(piece.events)
        for path, condition in impossible(piece):
            asked = sentence(condition, flags, usual)
            yield _warning(
                f"{kind}.{place}.{path}",
                f"can never hold {when.en}: {asked.en}",
                f"никогда не выполняется {when.ru}: {asked.ru}",
            )
        for path, effect in counts_nothing(piece):
            does = effect_sentence(effect, flags, usual)
            yield _warning(
                f"{kind}.{place}.{path}",
                f"never counts a die {when.en}, where none are saved: {does.en}",
                f"не посчитает ни одной кости {when.ru}, где ничего не сохраняют: {does.ru}",
            )


def _warning(at: str, en: str, ru: str) -> Mistake:
    return Mistake(at, Text(f"warning: {at} {en}", f"предупреждение: {at} {ru}"))


def _when(events: Sequence[str]) -> Text:
    listed = ", ".join(events)
    return Text(f"with {listed}", f"с {listed}") if events else Text("for an active item", "у активного предмета")


def examined(data: object) -> tuple[Content, list[Mistake]]:
    """The content in parsed JSON and all its mistakes, each by its path; with any of them it is not to be used."""
    return checked(data, _shipped())


def completed(kind: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry that somebody is still writing, with the texts and the id that may be left open."""
    return drafts.completed(kind, entry, _shipped(), _does)


def _does(kind: str, entry: Mapping[str, Any]) -> Text | None:
    """What an entry does, in words; None if something is wrong with it."""
    content, found = examined({kind: [entry]})
    return None if found else entries(merged(Content(flags=library().flags), content))[0].detail


def labels() -> Labels:
    """What a form for content reads to people."""
    return labels_with(library().flags)


def prompt(lang: Lang) -> str:
    """What a language model is asked with for content."""
    return prompt_with(library(), lang)


def _message(path: Path, mistake: Mistake) -> Text:
    return Text.join((str(path), mistake.text), ": ")


_SHIPPED = Text(" that comes with the game", " из самой игры")


def _shipped() -> KnownContent:
    return KnownContent(((library(), _SHIPPED),))


def merged(*contents: Content) -> Content:
    """All of it in one, in the order given; an id in two of them is a PlaymillError, unless it is the same flag."""
    lists: dict[List, dict[str, Any]] = {kind: {} for kind in LISTS}
    used: dict[str, Kind] = {}
    for content in contents:
        for name, kind in content.ids().items():
            if name in used:
                raise _twice(name, used[name])
            used[name] = kind
        for listed in LISTS:
            for entry in getattr(content, listed):
                if lists[listed].setdefault(entry.id, entry) != entry:
                    raise _twice(entry.id, listed)
    whole: dict[str, Any] = {kind: tuple(entries.values()) for kind, entries in lists.items()}
    return Content.model_construct(**whole)  # each part was checked when it was read; again for every config takes long


def _twice(name: str, kind: List) -> PlaymillError:
    return PlaymillError(
        f'the id "{name}" is {ONE[kind].en} already; expected each id once',
        f'id "{name}" — уже {ONE[kind].ru}; ожидается: каждый id один раз',
    )


def entries(content: Content) -> list[ListedEntry]:
    """All of it for people to read, in the order of the content."""
    names = {entry.id: entry.name.text for kind in KINDS for entry in getattr(content, kind)}
    flags = {flag.id: flag.name.text for flag in content.flags}
    return [
        ListedEntry(kind, entry.id, entry.name.text, _MARK if isinstance(entry, OwnFlag) else entry.desc.text, detail)
        for kind in LISTS
        for entry, detail in _detailed(getattr(content, kind), flags, names)
    ]


def _detailed(listed: Sequence[Any], flags: FlagNames, names: Mapping[str, Text]) -> Iterator[tuple[Any, Text]]:
    for entry in listed:
        match entry:
            case Modifier() | PassiveItem() | ActiveItem():
                yield entry, detail_of(entry, flags)
            case Die():
                yield entry, _fallen(entry)
            case OwnFlag():
                yield entry, flag_time(entry)
            case Kit():
                yield entry, kit_sentence(entry, names)


def detail_of(entry: Modifier | Item, flags: FlagNames) -> Text:
    """When exactly a modifier or item works and what it does; `flags` are the names of the flags it may speak of."""
    if isinstance(entry, Modifier):
        return _when_and_what(TRIGGERS[entry.trigger], entry, flags)
    if isinstance(entry, ActiveItem):
        rest = turns(entry.cooldown_turns)
        when = Text(f"active, cooldown {rest.en}", f"активный, перезарядка {rest.ru}")
        if entry.cooldown_turns == 0:
            when = Text("active, once before every save", "активный, раз перед каждым сохранением")
        return _when_and_what(when, entry, flags)
    events = [TRIGGERS[trigger] for trigger in entry.triggers]
    when = Text(
        "passive, " + ", ".join(event.en for event in events),
        "пассивный, " + ", ".join(event.ru for event in events),
    )
    return _when_and_what(when, entry, flags)


def _fallen(die: Die) -> Text:
    parts = [Text(ratio(die.weights), ratio(die.weights))]
    parts += [Text(die.rarity, RARITIES.get(die.rarity, die.rarity))] if die.rarity else []
    message = Text.join(parts)
    return Text.join((message, die.theme.text), "; ") if die.theme else message


def _when_and_what(when: Text, entry: Piece, flags: FlagNames) -> Text:
    usual = usual_scope(entry.events)
    what = effects_sentence(entry.effects, flags, usual)
    if entry.asks is None:
        return Text.join((when, what), ": ")
    asked = sentence(entry.asks, flags, usual)
    return Text(f"{when.en} ({asked.en}): {what.en}", f"{when.ru} ({asked.ru}): {what.ru}")
