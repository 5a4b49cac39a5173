"""Choices for settings of Dice: dice, modifiers, items and kits, with their sentences."""

from __future__ import annotations

from collections.abc import Mapping

from playmill.author import Text
from playmill.author.words import Choice, Choices
from playmill.games.dice.config import Config
from playmill.games.dice.constants import DICE, PLAYERS
from playmill.games.dice.content import ListedEntry, entries, library, merged

_NO_KIT = Choice("", "", Text("none", "нет"))


def choices(config: Config) -> Mapping[str, Choices]:
    """What the match brings itself and the library: six dice for each player, and any modifiers and items in order."""
    known = entries(merged(config.content, library()))
    by_kind = {
        kind: [_choice(entry) for entry in known if entry.kind == kind]
        for kind in ("dice", "modifiers", "items", "kits")
    }
    return {
        "kit": Choices([_NO_KIT, *by_kind["kits"]], first=True),
        "players.*.dice": Choices(by_kind["dice"], places=DICE, first=True),
        "players.*.modifiers": Choices(by_kind["modifiers"], first=True, ordered=True),
        "players.*.items": Choices(by_kind["items"], first=True, ordered=True),
        "global_modifiers": Choices(by_kind["modifiers"], first=True, ordered=True),
        "global_items": Choices(by_kind["items"], first=True, ordered=True),
    }


def labels(config: Config) -> Mapping[str, Text]:
    """The players by their numbers."""
    return {f"players.{seat}": Text(f"Player {seat + 1}", f"Игрок {seat + 1}") for seat in range(PLAYERS)}


def _choice(entry: ListedEntry) -> Choice:
    """A piece of content: what it says of itself, and what exactly it does."""
    about = Text(f"{entry.desc.en} ({entry.detail.en})", f"{entry.desc.ru} ({entry.detail.ru})")
    return Choice(entry.id, entry.id, entry.name, about)
