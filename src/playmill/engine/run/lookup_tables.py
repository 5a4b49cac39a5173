"""What agents know by heart: tables computed before a match and read by compiled agents while it is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import Known, Pages, Preparing
from playmill.engine.contract.game import Game


@dataclass(frozen=True)
class Book:
    """The tables of all agents of a match in one array, where each seat's begins, and the facts by agent."""

    pages: Pages
    starts: tuple[int, ...]
    facts: Mapping[str, Mapping[str, float]]


NO_BOOK = Book(np.zeros(1), (), {})
#: Tables of the last few match-ups, by what made them and the config: a single decision must not read millions of
#: numbers from disk.
_memory: dict[tuple[object, str], Known] = {}
_KEPT = 4


def open_book(game: Game, config: RuleConfig, seats: Sequence[int], preparing: Preparing | None = None) -> Book:
    """The tables of the compiled agents in these seats (their numbers), computed or read from disk."""
    names = list(game.agents)
    wanted = [names[seat] if seat >= 0 and game.agents[names[seat]].knows else "" for seat in seats]
    if not any(wanted):
        return NO_BOOK
    parts: dict[str, Pages] = {}
    facts: dict[str, Mapping[str, float]] = {}
    begins: dict[str, int] = {"": 0}
    length = 0
    for name in dict.fromkeys(name for name in wanted if name):
        known = _known(game, config, name, preparing)
        parts[name], facts[name], begins[name] = known.pages, known.facts, length
        length += len(known.pages)
    pages = next(iter(parts.values())) if len(parts) == 1 else np.concatenate(list(parts.values()))
    return Book(pages, tuple(begins[name] for name in wanted), facts)


def _known(game: Game, config: RuleConfig, name: str, preparing: Preparing | None) -> Known:
    """The table of one agent, kept in memory while the same match-up is played again."""
    knows = game.agents[name].knows
    assert knows
    key = (knows, config.model_dump_json())
    if key not in _memory:
        made = knows(config, preparing)
        while len(_memory) >= _KEPT:
            del _memory[next(iter(_memory))]
        _memory[key] = made
    return _memory[key]
