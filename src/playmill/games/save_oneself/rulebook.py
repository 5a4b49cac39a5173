"""Fills in the rules of Save Oneself in words (`rules.en.md`, `rules.ru.md`): terms, tables, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from playmill.author import Lang, Text
from playmill.author.words import Entry, Position
from playmill.drawing.svg import sentence
from playmill.games.save_oneself import lookups
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import (
    CARDS,
    FRONT,
    MAP_C,
    MAP_R,
    MIRAGE,
    NOBODY,
    PIG,
    PIRATES,
    SIDE_IDS,
    STORM,
    TORNADO,
    TURNING,
)
from playmill.games.save_oneself.words import names
from playmill.games.save_oneself.words.voices import VOICES

_CORNER = Text("Brings the ship to the {} corner.", "Приводит корабль: он встаёт у {} угла.")
_NEEDS = Text("To turn it over: {}.", "Переворот: {}.")
_BY_ITSELF = Text("Turns over {}.", "Переворачивается {}.")
_VOICE = Text("“{}”", "«{}»")


def terms(config: Config, lang: Lang) -> Mapping[str, Any]:
    """The sides by name, and what beasts and weather cost."""
    made: dict[str, Any] = {
        side.replace("-", "_"): names.side_name(number).of(lang) for number, side in enumerate(SIDE_IDS)
    }
    maps = lookups.lives_of(config, MAP_R + FRONT) + lookups.lives_of(config, MAP_C + FRONT)
    costs = {"pig_cost": PIG, "storm_cost": STORM, "tornado_cost": TORNADO}
    corners = [card for card in range(CARDS) if lookups.corner_of(config, card) is not None]
    return {
        **made,
        **{name: abs(lookups.lives_of(config, side)) for name, side in costs.items()},
        "maps_lives": maps,
        "ship_cards": Text.join(names.side_name(card) for card in corners).of(lang),
    }


def lists(config: Config, lang: Lang) -> Mapping[str, Sequence[Entry]]:
    """The sixteen cards: what the castaway says of each, what it needs, and what it is needed for."""
    return {"cards": [_card(config, card, lang) for card in range(CARDS)]}


def _card(config: Config, card: int, lang: Lang) -> Entry:
    back, front = names.SIDE_NAMES[card].of(lang), names.SIDE_NAMES[card + FRONT].of(lang)
    facts = [_VOICE.of(lang).format(VOICES[card].of(lang))]
    facts += _sentences([names.lives_text(config, card), names.effect_of(config, card)], lang)
    corner = lookups.corner_of(config, card)
    if corner is not None:
        facts.append(_CORNER.of(lang).format(names.CORNER_NAMES[corner].of(lang)))
    facts += _sentences([names.needed_for(config, card)], lang)
    how = _BY_ITSELF if card in (STORM, MIRAGE, PIRATES, MAP_C) else _NEEDS
    facts.append(how.of(lang).format(names.need_of(config, card).of(lang)))
    turned = [_VOICE.of(lang).format(VOICES[card + FRONT].of(lang)), *_sentences(_front(config, card + FRONT), lang)]
    return Entry(f"{names.EMOJI[card]} {back}.", facts, [Entry(f"{names.EMOJI[card + FRONT]} {front}.", turned)])


def _front(config: Config, side: int) -> list[Text | None]:
    """What a front gives, does and is needed for."""
    lives, points = lookups.lives_of(config, side), lookups.points_of(config, side)
    return [
        Text.join(("+" if lives > 0 else "−", names.lives_word(abs(lives))), "") if lives else None,
        names.points_word(points) if points else None,
        names.effect_of(config, side),
        names.needed_for(config, side),
    ]


def _sentences(texts: Sequence[Text | None], lang: Lang) -> list[str]:
    return [f"{sentence(text.of(lang))}." for text in texts if text is not None]


def _sails(config: Config, s: np.void) -> bool:
    """A ship under way, some cards turned over, and one that may be turned now."""
    choice = s["player"] != NOBODY and s["phase"] == TURNING
    return bool(choice and lookups.has_ship(s) and not s["waiting"] and s["placed"] >= 8)


PICTURES = {
    "start": Position(agent="survivor"),
    "ship": Position(_sails, agent="survivor"),
    "end": Position(lambda config, s: s["player"] == NOBODY and lookups.is_won(s), agent="survivor"),
}
