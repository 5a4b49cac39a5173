"""Fills in the rules of Influence in words (`rules.en.md`, `rules.ru.md`): terms, tables, pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from playmill.author import Lang, Text
from playmill.author.words import Drawing, Position
from playmill.games.influence import rulebook_examples
from playmill.games.influence.config import Config
from playmill.games.influence.constants import DEFENDING, NOBODY
from playmill.games.influence.words.names import DECISION_NAMES, board_of, chances

_CHANCE_HEADS = (Text("your cell is", "ваша клетка"), Text("for example", "например"), Text("chance", "шанс"))
_CHANCES = (
    (Text("weaker by 2 or more", "слабее на 2 и больше"), Text("2 attacks 4", "2 атакует 4")),
    (Text("weaker by 1", "слабее на 1"), Text("2 attacks 3", "2 атакует 3")),
    (Text("just as strong", "равна по силе"), Text("3 attacks 3", "3 атакует 3")),
    (Text("stronger by 1", "сильнее на 1"), Text("3 attacks 2", "3 атакует 2")),
    (Text("stronger by 2 or more", "сильнее на 2 и больше"), Text("3 attacks 1", "3 атакует 1")),
)


def terms(config: Config, lang: Lang) -> Mapping[str, Any]:
    """Names of the phases, the field in numbers, and what happens to influence that does not fit."""
    strong = board_of(config).strong
    full = max(config.strong_capacity, 2)
    moved = min(full - 1, config.weak_capacity)
    return {
        "attack": DECISION_NAMES["attack"].of(lang),
        "defence": DECISION_NAMES["defence"].of(lang),
        "map_name": config.map.name,
        "cells": len(strong),
        "strong_cells": sum(strong),
        "fixed_starts": bool(config.map.starts),
        "start_by_seat": isinstance(config.start_influence, list),
        "far_starts": config.min_start_distance > 1,
        "full": full,
        "moved": moved,
        "kept": full - moved,
    }


def tables(config: Config, lang: Lang) -> Mapping[str, Sequence[Sequence[str]]]:
    """The chances of an attack."""
    rows = [
        [class_.of(lang), example.of(lang), f"{chance} %"]
        for (class_, example), chance in zip(_CHANCES, chances(config), strict=True)
    ]
    return {"chances": [[head.of(lang) for head in _CHANCE_HEADS], *rows]}


def _fronts_meet(config: Config, s: np.void) -> bool:
    """An attack in the middle of a game, several rounds in."""
    return bool(s["rounds"] >= 6 and s["phase"] != DEFENDING and s["first_blood"] != NOBODY)


def _defends(config: Config, s: np.void) -> bool:
    return bool(s["rounds"] >= 4 and s["phase"] == DEFENDING and s["points"] >= 4)


PICTURES = {
    "start": Position(players=3),
    "steps": Drawing(rulebook_examples.steps),
    "overflow": Drawing(rulebook_examples.overflow),
    "sure": Drawing(rulebook_examples.sure),
    "chance": Drawing(rulebook_examples.chance),
    "points": Drawing(rulebook_examples.points),
    "attack": Position(_fronts_meet, agent="greedy", players=3),
    "defence": Position(_defends, agent="greedy", players=3),
    "end": Position(lambda config, s: s["winner"] != NOBODY, agent="greedy", players=3),
}
