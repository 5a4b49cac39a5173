"""The game loops as they are called: compiled, or run by the interpreter; agents are compiled when first needed.

Only agents that play are compiled. The loops know an agent by the address of its machine code, so they are compiled
once for a game, whoever plays; each agent is an entry point by itself, compiled when it first plays, and cached on
disk as all entry points are. What is called by its address cannot be inlined into the loop that calls it: for `random`
and for agents that are `quick` that would matter, and they are part of the loops. The interpreter knows all agents.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np

from playmill.engine.compile.entry_points import EntryPoint, array_at, array_kind
from playmill.engine.compile.game_kernels import (
    agent_numbers,
    by_interpreter,
    cache_entry_points,
    compiled_agents,
    entry_points_of,
    specialiser,
    workspace_type,
)
from playmill.engine.contract.game import Game
from playmill.engine.contract.random_agent import RANDOM
from playmill.engine.kernels import agent_calls
from playmill.engine.kernels.play import agent_choice, play_games, tally_deals, tally_groups, tally_rows
from playmill.engine.lang import compiler
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rule import Word, record_at
from playmill.engine.lint.lint_rules import lint_game

_MAKING = Lock()


def kernels_of(game: Game) -> Any:
    """The loops of a game, each compiled for the CPU on first use or read from the cache."""
    return interpreted_kernels(game) if compiler.is_off() else compiled(game, strict=False)


def strict_kernels(game: Game) -> Any:
    """The loops of a game in which every answer is checked against the options."""
    return interpreted_strict_kernels(game) if compiler.is_off() else compiled(game, strict=True)


@cache
def interpreted_kernels(game: Game) -> Any:
    """The loops of a game run by the Python interpreter: the same names, the same results, no compiler."""
    lint_game(game, compiled=False)
    made = specialiser(game, compiled_agents(game))
    return by_interpreter(game, entry_points_of(made, play_games, tally_rows, tally_groups, tally_deals, agent_choice))


@cache
def interpreted_strict_kernels(game: Game) -> Any:
    """The same, with every answer checked against the options."""
    made = specialiser(game, compiled_agents(game), strict=True)
    return by_interpreter(game, entry_points_of(made, play_games, agent_choice))


@cache
def compiled(game: Game, *, strict: bool) -> Compiled:
    """The compiled loops of a game."""
    lint_game(game)
    return Compiled(game, strict=strict)


class Compiled:
    """The loops of a game, compiled; the agents that play in them are compiled as they are needed."""

    def __init__(self, game: Game, *, strict: bool) -> None:
        self._game = game
        inside = [name for name, number in agent_numbers(game).items() if not _is_apart(game, number)]
        made = specialiser(game, inside, strict=strict, apart=_ask_at, foresees=True)
        # An agent that is asked for a single answer is an entry point itself.
        self._loops = entry_points_of(made, play_games, tally_rows, tally_groups, tally_deals)
        cache_entry_points(game, "strict" if strict else "cpu", self._loops)
        self.tally_rows = self._loops.tally_rows
        self.tally_groups, self.tally_deals = self._loops.tally_groups, self._loops.tally_deals

    def play_games(
        self,
        workspaces: RecordArray,
        lookup: Any,
        seed: int,
        first: int,
        games: int,
        rows: RecordArray,
        counts: RecordArray,
    ) -> int:
        """Plays games by the agents in the seats of a workspace (see `play.py`)."""
        for seat, number in enumerate(workspaces["seats"][0].tolist()):
            workspaces["entries"][0, seat] = _agent(self._game, number).address if _is_apart(self._game, number) else 0
        played: int = self._loops.play_games(workspaces, lookup, seed, first, games, rows, counts)
        return played

    def agent_choice(self, workspaces: RecordArray, lookup: Any, agent: int, n: int) -> int:
        """The choice of an agent from n > 1 options; if negative, `workspace.invalid_action` is its answer."""
        action = _agent(self._game, agent).answer(workspaces, lookup, n)
        if 0 <= action < self._game.actions:
            return action
        workspaces["invalid_action"] = action
        return -1

    def prepare(self, agents: Collection[int]) -> None:
        """Compiles these agents, or reads them from the cache, so that they can be asked for answers."""
        for number in agents:
            assert _agent(self._game, number).address

    def can_play(self, agents: Collection[int]) -> bool:
        """Whether games can be played by these agents without anything being compiled first."""
        apart = [number for number in agents if _is_apart(self._game, number)]
        return self._loops.play_games.is_kept and all(map(self.can_answer, apart))

    def can_answer(self, agent: int) -> bool:
        """Whether an agent can be asked for an answer without being compiled first."""
        return _agent(self._game, agent).is_cached


def _is_apart(game: Game, number: int) -> bool:
    """Whether the loops call an agent by its address."""
    agent = list(compiled_agents(game).values())[number]
    return number >= 0 and agent is not RANDOM and not agent.quick


class _Agent:
    """One agent, compiled by itself."""

    def __init__(self, game: Game, name: str) -> None:
        answer = agent_calls.answer_of(compiled_agents(game)[name], counts="count_actions" in game.rules)
        made = specialiser(game)
        made.replace(agent_calls.answer_here, answer)
        made.replace(agent_calls.workspace_at, record_at(workspace_type(game)))
        made.replace(agent_calls.numbers_at, array_at(array_kind(np.dtype(np.float64), 1)))
        entry_points = entry_points_of(made, agent_calls.answer_at)
        cache_entry_points(game, f"agent-{name}", entry_points)
        self._root: EntryPoint = entry_points.answer_at

    @property
    def is_cached(self) -> bool:
        """Whether its code is compiled or cached."""
        return self._root.is_kept

    @property
    def address(self) -> int:
        """The address of its machine code."""
        return self._root.address(_NUMBERS)

    def answer(self, workspaces: RecordArray, lookup: Any, n: int) -> int:
        """What it chooses, given a workspace."""
        return self._root.numbers(_NUMBERS)(workspaces.ctypes.data, lookup.ctypes.data, len(lookup), n)


def _agent(game: Game, number: int) -> _Agent:
    # Threads that begin together must not make two of it: the code of one would go while its address is called.
    with _MAKING:
        return _the_agent(game, number)


@cache
def _the_agent(game: Game, number: int) -> _Agent:
    return _Agent(game, {place: name for name, place in agent_numbers(game).items()}[number])


#: Address of the workspace, address and length of the lookup table, number of options: nothing but whole numbers.
_NUMBERS = 4


@Word
def _ask_at(typingctx: Any, entry: Any, workspace: Any, lookup: Any, size: Any, n: Any) -> Any:
    """Calls the agent whose code begins at `entry`."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        at, record, *numbers = arguments
        whole = ir.IntType(64)
        function = builder.inttoptr(at, ir.FunctionType(whole, [whole] * 4).as_pointer())
        return builder.call(function, [builder.ptrtoint(record, whole), *numbers])

    word = import_module("numba").int64
    return word(word, workspace, word, word, word), code
