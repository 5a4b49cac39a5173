"""Matches of Dice without content, and the dice that come with the game: known without the models of content.

To build those models takes longer than to play a thousand games, and most matches have nothing to do with them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from playmill.author import Text

Kind = Literal["modifiers", "items", "dice"]
KINDS: tuple[Kind, ...] = ("modifiers", "items", "dice")
#: All lists of a content file.
List = Literal["modifiers", "items", "dice", "flags", "kits"]
LISTS: tuple[List, ...] = (*KINDS, "flags", "kits")
#: The files of the content that comes with the game.
LIBRARY = Path(__file__).with_name("content") / "data"


class NoContent(NamedTuple):
    """Stands for the content of a match that brings none."""

    modifiers: tuple[()] = ()
    items: tuple[()] = ()
    dice: tuple[()] = ()
    flags: tuple[()] = ()
    kits: tuple[()] = ()

    def ids(self) -> dict[str, Kind]:
        """The ids of all its entries."""
        return {}

    def model_dump(self, *, mode: str = "python") -> dict[str, Any]:
        """As data, like content that there is."""
        return {kind: [] if mode == "json" else () for kind in LISTS}


NOTHING: Any = NoContent()


def is_nothing(value: object) -> bool:
    """Whether data of content say that there is none."""
    return isinstance(value, NoContent) or (
        isinstance(value, Mapping) and value.keys() <= set(LISTS) and all(part == [] for part in value.values())
    )


class Phrase(NamedTuple):
    """A text in both languages, as content has them."""

    en: str
    ru: str

    @property
    def text(self) -> Text:
        """Both, as the rest of the program has them."""
        return Text(self.en, self.ru)


class ShippedDie(NamedTuple):
    """A die that comes with the game."""

    id: str
    code: str
    name: Phrase
    desc: Phrase
    weights: tuple[int, ...]


@cache
def shipped_dice() -> Mapping[str, ShippedDie]:
    """All dice that come with the game, by their ids."""
    listed = json.loads((LIBRARY / "dice.json").read_text(encoding="utf-8"))["dice"]
    return {
        die["id"]: ShippedDie(
            die["id"], die["code"], Phrase(**die["name"]), Phrase(**die["desc"]), tuple(die["weights"])
        )
        for die in listed
    }
