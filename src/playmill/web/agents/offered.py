"""Agents on offer at a table: `search` in several strengths, the game's own, and files of the owner."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from playmill.agents import experts
from playmill.agents.agent_specs import Seat, seats_for
from playmill.agents.programs.spec import is_program
from playmill.agents.python.decision import DecisionMaker
from playmill.agents.search import search_agent
from playmill.engine.contract.agent import Parameter
from playmill.engine.contract.game import Game
from playmill.engine.lang.rng import SEATS
from playmill.engine.run.state import State
from playmill.lab.replays.narration import choice
from playmill.texts import PlaymillError, Text, as_text
from playmill.web.agents.precompile import Precompiler

#: Limits of the parameters of `search` at a table.
_LIMITS = {"iterations": 20_000, "ms": 10_000, "threads": 2}
#: Cores that search one decision by the clock; those threads have low priority (`threads.py`).
_CORES = min(_LIMITS["threads"], os.cpu_count() or 1)
#: `search` by the name of its strength: by iterations, or by the clock where it may take its time.
_STRENGTHS: Mapping[str, tuple[str, Text]] = {
    "search-light": ("search:iterations=40", Text("light", "слабее")),
    "search": ("search:iterations=1000,adapt=1", Text("steady", "уверенно")),
    "search-strong": (
        f"search:ms=3000,adapt=1,threads={_CORES}",
        Text("strong, thinks up to 3 s", "сильно, думает до 3 с"),
    ),
}
#: The agent in a seat unless another one is chosen.
USUAL = "search"


@dataclass(frozen=True)
class OfferedAgent:
    """An agent that can be seated: its key in forms and in the store, its name for people, and its specification."""

    key: str
    name: Text
    about: Text
    spec: Any
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    #: The file it comes from, if any: somebody else's code.
    file: str = ""


def offered_agents(game: Game, files: Sequence[str] = ()) -> dict[str, OfferedAgent]:
    """Lists the agents for tables of a game: `search`, the game's own, and files named by the server's owner."""
    found = [
        OfferedAgent(key, Text(f"search, {name.en}", f"search, {name.ru}"), search_agent.ABOUT, spec, _numbers(key))
        for key, (spec, name) in _STRENGTHS.items()
    ]
    if experts.has_expert(game):
        found.append(OfferedAgent(experts.NAME, Text("expert", "мастер"), experts.ABOUT, experts.NAME))
    found += [
        OfferedAgent(name, Text(name, name), as_text(agent.about), name, agent.parameters)
        for name, agent in game.agents.items()
    ]
    for file in files:
        about = Text("a program", "программа") if is_program(file) else Text("a Python file", "файл Python")
        found.append(OfferedAgent(file_key(file), Text(file, file), about, file, file=file))
    return {agent.key: agent for agent in found}


def _numbers(key: str) -> Mapping[str, Parameter]:
    """The parameters of `search` that a table may change, within the limits of a table."""
    if key != search_agent.NAME:
        return {}
    return {
        name: replace(one, high=min(one.high, _LIMITS[name])) if name in _LIMITS else one
        for name, one in search_agent.PARAMETERS.items()
    }


def spec_of(agent: OfferedAgent, given: Mapping[str, str]) -> str:
    """The key of an agent with parameters, as in `search:iterations=300`; empty ones are as usual."""
    changed = [f"{name}={value.strip()}" for name, value in given.items() if value.strip()]
    return f"{agent.key}:{','.join(changed)}" if changed else agent.key


def find_agent(agents: Mapping[str, OfferedAgent], game: Game, key: str) -> OfferedAgent | None:
    """Returns the agent of a key with parameters; None if there is no such agent, an error for invalid parameters."""
    if key in agents:
        return agents[key]
    name, colon, rest = key.partition(":")
    found = agents.get(name)
    if found is None or not colon or not found.parameters:
        return None
    values = {}
    for part in rest.split(","):
        number, _, text = part.partition("=")
        known = found.parameters.get(number)
        value = known.read(text) if known else None
        if known is None or value is None:
            limits = ", ".join(f"{one} {p.range}" for one, p in found.parameters.items())
            raise PlaymillError(
                f"agent {name}: {part!r} cannot be; its numbers are {limits}",
                f"агент {name}: {part!r} не годится; его числа: {limits}",
            )
        values[number] = known.format(value)
    numbers = ", ".join(f"{number} {value}" for number, value in values.items())
    return OfferedAgent(key, Text.join((name, numbers)), found.about, key)


def file_key(file: str) -> str:
    """The key of an agent from a file."""
    return f"file:{file}"


@dataclass(frozen=True)
class Answer:
    """The action of an agent, why it is a random one if its answer was invalid, and whether the agent is `cold`.

    A cold agent has played by the rollout agent of its game, because its search is not compiled yet.
    """

    action: int
    trouble: Text | None = None
    cold: bool = False


class SeatedAgent:
    """One agent at one table; it has a memory during the game."""

    def __init__(self, game: Game, players: int, agent: OfferedAgent, precompiler: Precompiler) -> None:
        self.file = agent.file
        self._game = game
        self._arrive = partial(seats_for, game, players, [agent.spec])
        self._precompiler = precompiler
        self._seat: Seat | None = None
        self._memory: dict[int, Any] = {}

    def choose(self, state: State) -> Answer:
        """Chooses an action in a copy of the game.

        Nothing is compiled for it: agents run in the interpreter, as the table itself does, except for `search`. Until
        that is compiled elsewhere, the rollout agent of the game plays in its place. The agent rng is no part of the
        game's random streams: the log has what came of it.
        """
        if self._seat is None:
            self._seat = self._arrive(state.config)[0]
        twin = state.clone(interpreted=True)
        twin.observer = None
        twin.minds = self._memory
        twin.workspace["agent_rng"]["stream"][0] = [secrets.randbits(64) for _ in range(SEATS)]
        if not self._precompiler.ready(self._game, self._seat, state.config):
            return Answer(*choice(twin, self._rule_of_thumb()), cold=True)
        player = state.current_player()
        if self._seat.player is not None and player not in self._memory:
            self._memory[player] = DecisionMaker(
                self._game, state.config, players=state.players, seed=state.seed, interpreted=True
            )
        return Answer(*choice(twin, self._seat))

    def _rule_of_thumb(self) -> Seat:
        return seats_for(self._game, self._game.players[0], [self._game.search.rollout])[0]
