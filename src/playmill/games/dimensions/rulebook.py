"""Fills in the rules of Battle of Dimensions in words (`rules.en.md`, `rules.ru.md`): terms, tables, pictures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from playmill.author import Lang, Text
from playmill.author.words import Position
from playmill.games.dimensions.actions import ANOMALIES, FACTIONS
from playmill.games.dimensions.config import ANOMALY_NAMES, FACTION_KEYS, Config, FactionName
from playmill.games.dimensions.constants import ATTACK, MOVEMENT, NOBODY
from playmill.games.dimensions.words import names
from playmill.games.dimensions.words.names import ANOMALY_TITLES, FACTION_NAMES, INSTANT_WINS, PHASE_NAMES


def terms(config: Config, lang: Lang) -> Mapping[str, Any]:
    """Names of factions, anomalies and phases, and numbers that follow from those of the config."""
    made: dict[str, Any] = {key: FACTION_NAMES[place].of(lang) for place, key in enumerate(FACTION_KEYS)}
    made |= {key: ANOMALY_TITLES[place].of(lang) for place, key in enumerate(ANOMALY_NAMES)}
    made |= {f"{key}_phase": name.of(lang) for key, name in PHASE_NAMES.items()}
    made |= {f"{FACTION_KEYS[faction]}_win": name.of(lang) for faction, name in INSTANT_WINS.items()}
    made |= {f"{key}_in_pool": key in config.anomaly_pool for key in ANOMALY_NAMES}
    return {
        **made,
        "captain": names.CAPTAIN_WORD.of(lang),
        "auras": names.AURAS_WORD.of(lang),
        "spiral": names.SPIRAL_WORD.of(lang),
        "dimension": names.DIMENSION_WORD.of(lang),
        "final_turn": names.FINAL_TURN.of(lang),
        "faction_cards": FACTIONS * config.cards_per_faction,
        "deck": FACTIONS * config.cards_per_faction + config.anomalies_in_deck,
        "all_anomalies": len(config.anomaly_pool) == ANOMALIES,
        "pool": ", ".join(ANOMALY_TITLES[ANOMALY_NAMES.index(key)].of(lang) for key in config.anomaly_pool),
        "seated": Text.join(_name(key) for key in config.factions).of(lang),
        "laid": Text.join((_name(key) for key in config.spiral), " → ").of(lang),
        "twice": ", ".join(str(value) for value in _twice(config)),
    }


def _name(key: FactionName) -> Text:
    return FACTION_NAMES[FACTION_KEYS.index(key)]


def _twice(config: Config) -> list[int]:
    """The blue values that several cards have."""
    return sorted({value for value in config.blue_values if config.blue_values.count(value) > 1})


def _attacking(config: Config, s: np.void) -> bool:
    """An attack that can be won, in a game well under way."""
    return bool(s["player"] != NOBODY and s["phase"] == ATTACK and s["turns"] >= 6)


def _haunted(config: Config, s: np.void) -> bool:
    """The Captain in play, and an Aura."""
    return bool(s["player"] != NOBODY and s["phase"] == MOVEMENT and s["captain_at"] >= 0 and s["auras"] > 0)


PICTURES = {
    "start": Position(players=3),
    "attack": Position(_attacking, agent="tactical", players=4),
    "epic": Position(_haunted, agent="tactical", players=5),
    "end": Position(lambda config, s: s["player"] == NOBODY, agent="tactical", players=4),
}
