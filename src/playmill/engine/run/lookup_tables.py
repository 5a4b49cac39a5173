"""Lookup tables of agents: computed before a match (or read from disk) and read by compiled agents in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import Known, LookupValues, NetworkTable, Preparing
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
    game: Game,
    config: RuleConfig,
    seats: Sequence[int],
    networks: Sequence[NetworkTable | None] = (),
    *,
    preparing: Preparing | None = None,
) -> LookupTables:
    """The tables of the compiled agents in these seats (their numbers), computed or read from disk.

    Where a network plays, its table comes with the seat.
    """
    agents = list(game.agents.items())
    wanted: list[str | int] = []
    parts: dict[str | int, LookupValues] = {}
    facts: dict[str, Mapping[str, float]] = {}
    begins: dict[str | int, int] = {"": 0}
    for place, seat in enumerate(seats):
        network = networks[place] if place < len(networks) else None
        assert seat < len(agents) or network is not None, "a network without its table"
        name = agents[seat][0] if 0 <= seat < len(agents) and agents[seat][1].knows else ""
        wanted.append(name if network is None else id(network))
        if wanted[-1] in begins:
            continue
        if network is None:
            known = _known(game, config, name, preparing)
            values, facts[name] = known.pages, known.facts
        else:
            values = network if isinstance(network, np.ndarray) else network.table(config)
        begins[wanted[-1]] = sum(map(len, parts.values()))
        parts[wanted[-1]] = values
    if not parts:
        return NO_LOOKUP_TABLES
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
