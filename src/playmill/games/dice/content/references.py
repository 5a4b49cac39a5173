"""Checks references by id in content: flags of modifiers and items, parts of kits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from playmill.author import Text
from playmill.games.dice.content.conditions import RULED_FLAGS
from playmill.games.dice.content.entries import Content, Kit, OwnFlag
from playmill.games.dice.content.phrases import quoted, unknown
from playmill.games.dice.plain import KINDS, Kind, List

#: What a kind is called after “is”.
ONE: dict[List, Text] = {
    "modifiers": Text("a modifier", "модификатор"),
    "items": Text("an item", "предмет"),
    "dice": Text("a die", "кость"),
    "flags": Text("a flag", "флаг"),
    "kits": Text("a kit", "набор"),
}
#: The same after “there is no”.
NONE_OF: dict[List, Text] = {
    "modifiers": Text("modifier", "модификатора"),
    "items": Text("item", "предмета"),
    "dice": Text("die", "кости"),
    "flags": Text("flag", "флага"),
    "kits": Text("kit", "набора"),
}
_RULED = Text("a flag with rules of its own", "флаг с собственными правилами")
_SPEAK_OF_FLAGS = ("flag", "set_flag", "clear_flag")


@dataclass(frozen=True)
class KnownContent:
    """The content there is already, each part with where it is from, such as “ of a.json”."""

    parts: tuple[tuple[Content, Text], ...] = ()

    def holders(self, kind: List) -> dict[str, Text]:
        """What the ids stand for that an entry of this kind cannot have; modifiers, items and dice share theirs."""
        found = dict.fromkeys(RULED_FLAGS, _RULED) if kind == "flags" else {}
        for content, where in self.parts:
            for other in KINDS if kind in KINDS else (kind,):
                one = Text.join((ONE[other], where), "")
                found |= {entry.id: one for entry in getattr(content, other)}
        return found

    def kinds(self) -> dict[str, Kind]:
        """Every modifier, item and die by its id."""
        return {name: kind for content, _ in self.parts for name, kind in content.ids().items()}

    def flags(self) -> list[OwnFlag]:
        """All flags that content has named."""
        return [flag for content, _ in self.parts for flag in content.flags]

    def has_flag(self, data: Mapping[str, Any]) -> bool:
        """Whether there is a flag just like this one: files that share a flag may each name it."""
        try:
            return OwnFlag.model_validate(data) in self.flags()
        except ValidationError:
            return False


def lost_references(
    raw: Mapping[str, Any], content: Content, known_content: KnownContent
) -> Iterator[tuple[str, Text]]:
    """All ids that stand for nothing, or for the wrong kind of thing, by their paths in the file."""
    flags = [*RULED_FLAGS, *dict.fromkeys(flag.id for flag in (*known_content.flags(), *content.flags))]
    for kind in ("modifiers", "items"):
        for place, entry in enumerate(raw.get(kind, ())):
            for path, name in _flags_spoken_of(entry, f"{kind}.{place}"):
                if name not in flags:
                    yield path, _no_flag(name, flags)
    kinds = known_content.kinds() | content.ids()
    for place, kit in enumerate(content.kits):
        for path, listed, ids in kit_lists(kit):
            for index, name in enumerate(ids):
                wrong = wrong_id(listed, name, kinds)
                if wrong is not None:
                    yield f"kits.{place}.{path}.{index}", wrong


def _flags_spoken_of(data: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(data, list):
        for place, part in enumerate(data):
            yield from _flags_spoken_of(part, f"{path}.{place}")
    elif isinstance(data, Mapping):
        for key, value in data.items():
            if key in _SPEAK_OF_FLAGS and isinstance(value, str):
                yield f"{path}.{key}", value
            else:
                yield from _flags_spoken_of(value, f"{path}.{key}")


def _no_flag(name: str, flags: Sequence[str]) -> Text:
    no = unknown(NONE_OF["flags"], name, flags)
    own = f'"flags": [{{"id": {quoted(name)}, "name": …}}]'
    return Text(f"{no.en}; a flag of your own goes into {own}", f"{no.ru}; собственный флаг пишется в {own}")


def kit_lists(kit: Kit) -> Iterator[tuple[str, Kind, tuple[str, ...]]]:
    """Every list of ids of a kit: path, kind, ids."""
    yield "global_modifiers", "modifiers", kit.global_modifiers
    yield "global_items", "items", kit.global_items
    for seat, side in enumerate(kit.players):
        for kind in KINDS:
            yield f"players.{seat}.{kind}", kind, getattr(side, kind) or ()


def wrong_id(kind: Kind, name: str, known: Mapping[str, Kind]) -> Text | None:
    """What is wrong with an id where one of a kind is wanted; None if nothing is."""
    if name not in known:
        return unknown(NONE_OF[kind], name, [other for other in known if known[other] == kind])
    if known[name] != kind:
        other, one = ONE[known[name]], ONE[kind]
        return Text(
            f"{quoted(name)} is {other.en}; expected {one.en}", f"{quoted(name)} — {other.ru}; ожидается: {one.ru}"
        )
    return None
