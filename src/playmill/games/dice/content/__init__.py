"""Content of Dice as data: modifiers, items, dice, flags and kits, their library, checker and JSON Schema.

Modules: `catalogue` (the library and the hooks), `conditions` and `effects` (what content is written in), `entries`
(what a file holds), `consistency` (what of an entry must fit together), `references` (what is spoken of by id),
`checks` (mistakes as sentences), `impossible` (conditions that can never hold), `words` (content as sentences),
`drafts` and `labels` (what a form needs), `prompt` (how a language model is asked).
"""

from __future__ import annotations

from playmill.games.dice.content.catalogue import (
    KIND_NAMES,
    ListedEntry,
    completed,
    content_of,
    detail_of,
    entries,
    examined,
    labels,
    library,
    merged,
    mistakes,
    prompt,
    read_content,
    schema,
    warnings,
)
from playmill.games.dice.content.conditions import Condition
from playmill.games.dice.content.effects import Effect
from playmill.games.dice.content.entries import ActiveItem, Content, Die, Item, Kit, Modifier, OwnFlag, PassiveItem
from playmill.games.dice.content.words import effect_sentence, effects_sentence, sentence
from playmill.games.dice.plain import KINDS, LISTS, Kind

__all__ = [
    "KINDS",
    "KIND_NAMES",
    "LISTS",
    "ActiveItem",
    "Condition",
    "Content",
    "Die",
    "Effect",
    "Item",
    "Kind",
    "Kit",
    "ListedEntry",
    "Modifier",
    "OwnFlag",
    "PassiveItem",
    "completed",
    "content_of",
    "detail_of",
    "effect_sentence",
    "effects_sentence",
    "entries",
    "examined",
    "labels",
    "library",
    "merged",
    "mistakes",
    "prompt",
    "read_content",
    "schema",
    "sentence",
    "warnings",
]
