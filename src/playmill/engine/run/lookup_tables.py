"""Lookup tables of agents: computed before a match (or read from disk) and read by compiled agents in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import Known, LookupValues, Preparing
from playmill.engine.contract.game import Game


@dataclass(frozen=True)
class LookupTables:
    """The tables of all agents of a match in one array, where each seat's begins, and the facts by agent."""

    values: LookupValues
    starts: tuple[int, ...]
    facts: Mapping[str, Mapping[str, float]]


NO_LOOKUP_TABLES = LookupTables(np.zeros(1), (), {})
#: Tables of the last few match-ups, by what made them and the config: a single decision must not read millions of
#: numbers from disk.
_memory: dict[tuple[object, str], Known] = {}
_KEPT = 4


def load_lookup_tables(
    game: Game, config: RuleConfig, seats: Sequence[int], preparing: Preparing | None = None
) -> LookupTables:
    """The tables of the compiled agents in these seats (their numbers), computed or read from disk."""
    names = list(game.agents)
    wanted = [names[seat] if seat >= 0 and game.agents[names[seat]].knows else "" for seat in seats]
    if not any(wanted):
        return NO_LOOKUP_TABLES
    parts: dict[str, LookupValues] = {}
    facts: dict[str, Mapping[str, float]] = {}
    begins: dict[str, int] = {"": 0}
    length = 0
    for name in dict.fromkeys(name for name in wanted if name):
        known = _known(game, config, name, preparing)
        parts[name], facts[name], begins[name] = known.pages, known.facts, length
        length += len(known.pages)
    values = next(iter(parts.values())) if len(parts) == 1 else np.concatenate(list(parts.values()))
    return LookupTables(values, tuple(begins[name] for name in wanted), facts)


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
