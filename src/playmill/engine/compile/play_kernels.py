"""The loops of a game as they are called: those that play, run by the machine or by the interpreter.

Only agents that play are compiled. The loops know an agent by the address of its machine code, so they are compiled
once for a game, whoever sits at the table; each agent is a root by itself, compiled when it first sits down, and kept
on disk as all roots are. What is called by its address cannot be copied into the loop that calls it: for `random` and
for what says that it is `quick` that would matter, and they are part of the loops. The interpreter knows all agents.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np

from playmill.engine.compile.entry_points import Root, array_at, array_kind
from playmill.engine.compile.game_kernels import (
    agent_numbers,
    by_interpreter,
    desk_type,
    keep_roots,
    roots_of,
    specialiser,
)
from playmill.engine.contract.game import Game
from playmill.engine.contract.random_agent import RANDOM
from playmill.engine.kernels import agent_calls
from playmill.engine.kernels.play import agent_choice, play_games, tally_rows
from playmill.engine.lang import compiler
from playmill.engine.lang.record import RecordArray
from playmill.engine.lang.rule import Word, record_at
from playmill.engine.lint.lint import proofread

_MAKING = Lock()


def kernels_of(game: Game) -> Any:
    """The loops of a game, each compiled for the CPU on first use or read from the cache."""
    return interpreted_kernels(game) if compiler.is_off() else compiled(game)


def strict_kernels(game: Game) -> Any:
    """The loops of a game in which every answer is looked for among the options: those that play games by agents."""
    return interpreted_strict_kernels(game) if compiler.is_off() else compiled(game, strict=True)


@cache
def interpreted_kernels(game: Game) -> Any:
    """The loops of a game run by the Python interpreter: the same names, the same results, no compiler."""
    proofread(game, compiled=False)
    return by_interpreter(game, roots_of(specialiser(game, game.agents), play_games, tally_rows, agent_choice))


@cache
def interpreted_strict_kernels(game: Game) -> Any:
    """The same, and every answer is looked for among the options."""
    return by_interpreter(game, roots_of(specialiser(game, game.agents, strict=True), play_games, agent_choice))


@cache
def compiled(game: Game, *, strict: bool = False) -> Compiled:
    """The compiled loops of a game."""
    proofread(game)
    return Compiled(game, strict=strict)


class Compiled:
    """The loops of a game, compiled; the agents that play in them are compiled as they are needed."""

    def __init__(self, game: Game, *, strict: bool) -> None:
        self._game = game
        inside = [name for name, number in agent_numbers(game).items() if not _is_apart(game, number)]
        apart = _ask_at if len(inside) < len(game.agents) else None
        made = specialiser(game, inside, strict=strict, apart=apart, foresees=True)
        # An agent that is asked for a single answer is a root itself.
        self._loops = roots_of(made, play_games, tally_rows)
        keep_roots(game, "strict" if strict else "cpu", self._loops)
        self.tally_rows = self._loops.tally_rows

    def play_games(
        self, desks: RecordArray, pages: Any, seed: int, first: int, games: int, rows: RecordArray, counts: RecordArray
    ) -> int:
        """Plays games by the agents in the seats of a desk (see `play.py`)."""
        for seat, number in enumerate(desks["seats"][0].tolist()):
            desks["entries"][0, seat] = _agent(self._game, number).address if _is_apart(self._game, number) else 0
        played: int = self._loops.play_games(desks, pages, seed, first, games, rows, counts)
        return played

    def agent_choice(self, desks: RecordArray, pages: Any, agent: int, n: int) -> int:
        """What an agent chooses from the n > 1 options of the present decision; `desk.slip` if it is negative."""
        action = _agent(self._game, agent).answer(desks, pages, n)
        if 0 <= action < self._game.actions:
            return action
        desks["slip"] = action
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
        return _agent(self._game, agent).at_hand


def _is_apart(game: Game, number: int) -> bool:
    """Whether the loops call an agent by its address."""
    agent = list(game.agents.values())[number]
    return number >= 0 and agent is not RANDOM and not agent.quick


class _Agent:
    """One agent, compiled by itself."""

    def __init__(self, game: Game, name: str) -> None:
        answer = agent_calls.answer_of(game.agents[name], counts="count_actions" in game.rules)
        made = specialiser(game)
        made.replace(agent_calls.answer_here, answer)
        made.replace(agent_calls.desk_at, record_at(desk_type(game)))
        made.replace(agent_calls.numbers_at, array_at(array_kind(np.dtype(np.float64), 1)))
        roots = roots_of(made, agent_calls.answer_at)
        keep_roots(game, f"agent-{name}", roots)
        self._root: Root = roots.answer_at

    @property
    def at_hand(self) -> bool:
        """Whether it can answer without being compiled first."""
        return self._root.is_kept

    @property
    def address(self) -> int:
        """Where its machine code begins, to be called as C calls functions."""
        return self._root.address(_NUMBERS)

    def answer(self, desks: RecordArray, pages: Any, n: int) -> int:
        """What it chooses at a desk."""
        return self._root.numbers(_NUMBERS)(desks.ctypes.data, pages.ctypes.data, len(pages), n)


def _agent(game: Game, number: int) -> _Agent:
    # Threads that begin together must not make two of it: the code of one would go while its address is called.
    with _MAKING:
        return _the_agent(game, number)


@cache
def _the_agent(game: Game, number: int) -> _Agent:
    return _Agent(game, {place: name for name, place in agent_numbers(game).items()}[number])


#: The desk by its address, the pages by theirs, their number, and that of the options: nothing but whole numbers.
_NUMBERS = 4


@Word
def _ask_at(typingctx: Any, entry: Any, desk: Any, pages: Any, size: Any, n: Any) -> Any:
    """Calls the agent whose code begins at `entry`."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        from llvmlite import ir

        at, record, *numbers = arguments
        whole = ir.IntType(64)
        function = builder.inttoptr(at, ir.FunctionType(whole, [whole] * 4).as_pointer())
        return builder.call(function, [builder.ptrtoint(record, whole), *numbers])

    word = import_module("numba").int64
    return word(word, desk, word, word, word), code
