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
from types import ModuleType
from typing import Any

import numpy as np

from playmill.engine import compiler
from playmill.engine.entries import Root, array_at, array_kind
from playmill.engine.game import Game
from playmill.engine.kernels import (
    CONCEALING,
    agent_numbers,
    answering,
    by_interpreter,
    desk_type,
    functions_of,
    keep_roots,
    load_generated,
    specialised,
    with_roots,
)
from playmill.engine.proofread import proofread
from playmill.engine.random_agent import RANDOM
from playmill.engine.record import RecordArray
from playmill.engine.rule import Word, record_at

_ROOTS = ("play_games", "tally_rows", "agent_choice")
_STRICT_ROOTS = ("play_games", "agent_choice")
#: Roots of the compiled loops: an agent that is asked for a single answer is a root itself.
_COMPILED = ("play_games", "tally_rows")
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
    return by_interpreter(game, _with_agents(game), _ROOTS)


@cache
def interpreted_strict_kernels(game: Game) -> Any:
    """The same, and every answer is looked for among the options."""
    return by_interpreter(game, _with_agents(game, strict=True), _STRICT_ROOTS)


def _with_agents(game: Game, *, strict: bool = False) -> ModuleType:
    text = specialised(game, game.agents, strict=strict)
    return load_generated(game, "strict" if strict else "cpu", text, functions_of(game, game.agents))


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
        apart = len(inside) < len(game.agents)
        text = with_roots(specialised(game, inside, strict=strict, apart=apart, foresees=True), _COMPILED)
        flavour = "strict" if strict else "cpu"
        self._loops = load_generated(game, flavour, text, {**functions_of(game, inside), "ask_at": _ask_at})
        keep_roots(game, flavour, self._loops, _COMPILED)
        self.tally_rows = self._loops.tally_rows

    def play_games(
        self, desks: RecordArray, pages: Any, seed: int, first: int, games: int, rows: RecordArray, counts: RecordArray
    ) -> int:
        """Plays games by the agents in the seats of a desk (see `loops.py`)."""
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
        lines = answering(game, name, "_agent", "desk")
        if lines[-1].startswith("action = "):
            lines[-1] = f"return np.int64({lines[-1].removeprefix('action = ')})"
        if game.agents[name].knows:
            lines.insert(0, "pages = numbers_at(book, (size,))")
        body = ["desk = desk_at(address)", *lines]
        text = "\n".join([*_HEAD, "", "", *CONCEALING, "", "", *_ANSWER, *(f"    {line}" for line in body), ""])
        names = {
            **functions_of(game),
            "_agent": game.agents[name].choose,
            "desk_at": record_at(desk_type(game)),
            "numbers_at": array_at(array_kind(np.dtype(np.float64), 1)),
        }
        module = load_generated(game, f"agent-{name}", text, names)
        keep_roots(game, f"agent-{name}", module, ("answer",))
        self._root: Root = module.answer

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


_HEAD = (
    "import numpy as np",
    "",
    "from playmill.engine.rng import below, next_word",
    "from playmill.engine.entries import root",
    "from playmill.engine.rule import rule",
)
_ANSWER = ("@root", "def answer(address: int, book: int, size: int, n: int) -> int:")
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
