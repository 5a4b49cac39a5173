"""Content as data: the library that comes with the game, files people add to it, their checker and their schema.

The rooms behind this door: `conditions` and `deeds` (what content is written in), `entries` (what a file holds),
`rules` (what must fit together), `checks` (mistakes as sentences), `words` (content as sentences).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

from playmill.games.dice.content.checks import checked
from playmill.games.dice.content.conditions import Condition
from playmill.games.dice.content.deeds import Effect
from playmill.games.dice.content.entries import (
    KINDS,
    MOST_ENTRIES,
    ActiveItem,
    Content,
    Die,
    Item,
    Kind,
    Modifier,
    PassiveItem,
)
from playmill.games.dice.content.json_schema import content_schema
from playmill.games.dice.content.reading import Mistake, load, parsed
from playmill.games.dice.content.words import TRIGGERS, effect_sentence, effects_sentence, ratio, sentence, turns
from playmill.texts import PlaymillError, Text

__all__ = [
    "KINDS",
    "KIND_NAMES",
    "ONE",
    "ActiveItem",
    "Condition",
    "Content",
    "Die",
    "Effect",
    "Entry",
    "Item",
    "Kind",
    "Modifier",
    "PassiveItem",
    "content_of",
    "effect_sentence",
    "effects_sentence",
    "entries",
    "library",
    "merged",
    "mistakes",
    "read_content",
    "schema",
    "sentence",
]

#: Mistakes that the checker tells; the others are counted.
MOST_TOLD = 20
KIND_NAMES: dict[Kind, Text] = {
    "modifiers": Text("modifier", "модификатор"),
    "items": Text("item", "предмет"),
    "dice": Text("die", "кость"),
}
#: The same after “is”.
ONE: dict[Kind, Text] = {
    "modifiers": Text("a modifier", "модификатор"),
    "items": Text("an item", "предмет"),
    "dice": Text("a die", "кость"),
}
RARITIES = {"common": "обычная", "uncommon": "необычная", "rare": "редкая", "legendary": "легендарная"}


class Entry(NamedTuple):
    """A modifier, item or die in a list for people; `detail` says when it works and what it does."""

    kind: Kind
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
    parts = []
    for kind in KINDS:
        name = f"{kind}.json"
        parts.append(content_of(parsed(folder.joinpath(name).read_text(encoding="utf-8"), name), f"{name}: ", {}))
    return merged(*parts)


def read_content(paths: Sequence[Path]) -> Content:
    """The content of some files, without the library; the first mistake, or an id used twice, is a PlaymillError."""
    taken = _taken(library(), _SHIPPED)
    parts = []
    for path in paths:
        part = content_of(load(path), f"{path}: ", taken)
        taken |= _taken(part, Text(f" of {path}", f" из {path}"))
        parts.append(part)
    content = merged(*parts)
    for kind in KINDS:
        count = len(getattr(content, kind))
        if count > MOST_ENTRIES:
            files = ", ".join(map(str, paths))
            raise PlaymillError(
                f"{files} together have {count} {kind}; expected at most {MOST_ENTRIES}",
                f"в файлах {files} вместе {kind}: {count}; ожидается: не больше {MOST_ENTRIES}",
            )
    return content


def content_of(data: object, start: str, taken: Mapping[str, Text] | None = None) -> Content:
    """The content in parsed JSON; the first mistake is a PlaymillError whose sentence begins with `start`.

    Ids must be none of the library's, or of `taken` where it is given.
    """
    content, found = checked(data, _taken(library(), _SHIPPED) if taken is None else taken)
    if found:
        raise PlaymillError(start + found[0].text.en, start + found[0].text.ru)
    return content


def mistakes(path: Path) -> list[Text]:
    """Every mistake of a content file, a line each; after twenty, only how many more there are."""
    try:
        found = checked(load(path), _taken(library(), _SHIPPED))[1]
    except PlaymillError as error:
        return [error.text]
    told = [_told(path, mistake) for mistake in found[:MOST_TOLD]]
    more = len(found) - len(told)
    return told + [Text(f"{path}: and {more} more", f"{path}: и ещё {more}")] * (more > 0)


def _told(path: Path, mistake: Mistake) -> Text:
    return Text(f"{path}: {mistake.text.en}", f"{path}: {mistake.text.ru}")


_SHIPPED = Text(" that comes with the game", " из самой игры")


def _taken(content: Content, where: Text) -> dict[str, Text]:
    return {name: Text(ONE[kind].en + where.en, ONE[kind].ru + where.ru) for name, kind in content.ids().items()}


def merged(*contents: Content) -> Content:
    """All of it in one, in the order given; an id in two of them is a PlaymillError."""
    used: dict[str, Kind] = {}
    for content in contents:
        for name, kind in content.ids().items():
            if name in used:
                raise PlaymillError(
                    f'the id "{name}" is {ONE[used[name]].en} already; expected each id once',
                    f'id "{name}" — уже {ONE[used[name]].ru}; ожидается: каждый id один раз',
                )
            used[name] = kind
    return Content(
        modifiers=tuple(entry for content in contents for entry in content.modifiers),
        items=tuple(entry for content in contents for entry in content.items),
        dice=tuple(entry for content in contents for entry in content.dice),
    )


def entries(content: Content) -> list[Entry]:
    """All modifiers, items and dice for people to read, in the order of the content."""
    return [
        Entry(kind, entry.id, entry.name.text, entry.desc.text, detail)
        for kind in KINDS
        for entry, detail in _detailed(getattr(content, kind))
    ]


def _detailed(listed: Sequence[Modifier | PassiveItem | ActiveItem | Die]) -> Iterator[tuple[Any, Text]]:
    for entry in listed:
        match entry:
            case Modifier():
                yield entry, _when_and_what(TRIGGERS[entry.trigger], entry.condition, entry.effect)
            case PassiveItem():
                names = [TRIGGERS[trigger] for trigger in entry.triggers]
                when = Text(
                    "passive, " + ", ".join(name.en for name in names),
                    "пассивный, " + ", ".join(name.ru for name in names),
                )
                yield entry, _when_and_what(when, entry.condition, entry.effect)
            case ActiveItem():
                rest = turns(entry.cooldown_turns)
                when = Text(f"active, cooldown {rest.en}", f"активный, перезарядка {rest.ru}")
                yield entry, _when_and_what(when, entry.activate_condition, entry.effect)
            case Die():
                theme = Text(f"; {entry.theme.en}", f"; {entry.theme.ru}") if entry.theme else Text("", "")
                weights = ratio(entry.weights)
                yield (
                    entry,
                    Text(f"{weights}, {entry.rarity}{theme.en}", f"{weights}, {RARITIES[entry.rarity]}{theme.ru}"),
                )


def _when_and_what(when: Text, condition: Any, effects: tuple[Any, ...]) -> Text:
    what = effects_sentence(effects)
    if condition is None:
        return Text(f"{when.en}: {what.en}", f"{when.ru}: {what.ru}")
    asked = sentence(condition)
    return Text(f"{when.en} ({asked.en}): {what.en}", f"{when.ru} ({asked.ru}): {what.ru}")
