"""Drives one game decision by decision: its workspace, and one call into compiled code for each question."""

from __future__ import annotations

from collections.abc import Callable
from ctypes import addressof, c_char
from functools import cache
from math import isfinite
from types import SimpleNamespace
from typing import Any, NamedTuple, Self

import numpy as np

from playmill.engine.compile.game_kernels import (
    by_interpreter,
    cache_entry_points,
    entry_points_of,
    specialiser,
    workspace_type,
)
from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.game import Game, is_shipped
from playmill.engine.errors.located import at_code
from playmill.engine.kernels import step as steps
from playmill.engine.kernels.play import LIVE
from playmill.engine.lang import compiler
from playmill.engine.lang.record import RecordArray, plain
from playmill.engine.lang.rng import SEATS
from playmill.engine.lang.rule import python_function, record_at
from playmill.engine.lang.tracing import tracing
from playmill.engine.lint.lint_rules import lint_game
from playmill.engine.run.match import Match, Numbers, new_workspace
from playmill.engine.run.returns import no_number
from playmill.texts import Text

Seen = np.ndarray[Any, np.dtype[np.int32]]


class WorkspaceView(NamedTuple):
    """Offset, end and type of a part of a stepper's memory."""

    start: int
    stop: int
    kind: np.dtype[Any]

    def of(self, memory: bytearray) -> Any:
        """The part as an array."""
        return np.frombuffer(memory, self.kind, (self.stop - self.start) // self.kind.itemsize, self.start)

    def numbers(self, memory: bytearray) -> memoryview[int]:
        """The same as a memoryview, which the interpreter reads fastest."""
        kind: Any = self.kind.char
        numbers: memoryview[int] = memoryview(memory)[self.start : self.stop].cast(kind)
        return numbers


class StepLayout(NamedTuple):
    """Memory layout of a stepper: the workspace, and where results beside a number are written."""

    kind: np.dtype[np.void]
    workspace: WorkspaceView
    ids: WorkspaceView
    player: WorkspaceView
    seen: WorkspaceView
    paid: WorkspaceView
    row: WorkspaceView


@cache
def step_layout(game: Game) -> StepLayout:
    """The memory layout for a game."""
    kind = np.dtype(
        [
            ("workspace", workspace_type(game)),
            ("seen", np.int32, (max(game.observation, 1),)),
            ("paid", np.float64, (SEATS,)),
            ("row", game.outcome),
        ],
        align=True,
    )
    workspace, state = workspace_type(game), game.state
    live = field_offset(workspace, "states") + LIVE * state.itemsize
    return StepLayout(
        kind,
        _view(0, workspace),
        _view(field_offset(workspace, "legal"), np.dtype(np.int32), game.max_legal),
        _view(live + field_offset(state, "player"), state["player"]),
        _view(field_offset(kind, "seen"), np.dtype(np.int32), game.observation),
        _view(field_offset(kind, "paid"), np.dtype(np.float64), SEATS),
        _view(field_offset(kind, "row"), game.outcome),
    )


def _view(start: int, kind: np.dtype[Any], count: int = 1) -> WorkspaceView:
    return WorkspaceView(start, start + count * kind.itemsize, kind)


def field_offset(kind: np.dtype[Any], name: str) -> int:
    """Where a field lies in a record, in bytes."""
    fields = kind.fields
    assert fields is not None
    return fields[name][1]


class Steps:
    """One game in a workspace of its own. Its options are those last asked for: `ids`, as many as was returned."""

    __slots__ = ("_ask", "_at", "_memory", "_plan", "ids", "interpreted", "match", "mover")

    def __init__(self, match: Match, *, interpreted: bool = False) -> None:
        self.match = match
        self._plan = step_layout(match.game)
        self._take(bytearray(self._plan.kind.itemsize))
        self._run_by(interpreted)
        self.workspace[:] = new_workspace(match)

    def _take(self, memory: bytearray) -> None:
        """Uses this memory."""
        self._memory = memory
        #: Ids of the options, ascending.
        self.ids: memoryview[int] = self._plan.ids.numbers(memory)
        #: Whose decision it is, at place 0.
        self.mover: memoryview[int] = self._plan.player.numbers(memory)

    def _run_by(self, interpreted: bool) -> None:
        """Switches to the interpreter, or to compiled code."""
        self.interpreted = interpreted or compiler.is_off()
        self._ask = _entry(self.match.game, self.interpreted, self.match.players)
        self._at = _place(self._memory, self._plan, self.interpreted)

    @property
    def workspace(self) -> RecordArray:
        """The workspace (see `play.py`), as an array of one."""
        workspace: RecordArray = self._plan.workspace.of(self._memory)
        return workspace

    @property
    def record(self) -> np.void:
        """The flat record of the present state: the record itself, no copy of it."""
        record: np.void = self.workspace["states"][0, LIVE]
        return record

    def copy(self, *, interpreted: bool | None = None) -> Self:
        """A copy of the game in a workspace of its own; compiled or not as this one is, unless said otherwise."""
        twin = object.__new__(type(self))
        twin.match, twin._plan = self.match, self._plan
        twin._take(self._memory[:])
        if interpreted is None:
            twin.interpreted, twin._ask = self.interpreted, self._ask
            twin._at = _place(twin._memory, self._plan, self.interpreted)
        else:
            twin._run_by(interpreted)
        return twin

    def traced(self, work: Callable[[Self], object]) -> tuple[frozenset[int], frozenset[int]]:
        """What some work on a copy of this game reads before it writes it, and what it writes: places in the state."""
        with tracing() as trace:
            twin = self.copy(interpreted=True)
            work(twin)
        first = np.frombuffer(twin._memory, np.uint8).__array_interface__["data"][0]
        live = first + self._plan.player.start - field_offset(self.match.game.state, "player")
        inside = range(live, live + self.match.game.state.itemsize)
        read, written = (
            {place - live for place in places if place in inside} for places in (trace.read, trace.written)
        )
        return frozenset(read), frozenset(written)

    def memory(self) -> bytes:
        """A copy of its memory."""
        return bytes(self._memory)

    def begin(self, seed: int, number: int) -> int:
        """Deals a game; returns the number of options of its very first decision."""
        options: int = self._ask(self._at, steps.BEGIN, seed, number)
        return options

    def open(self, seed: int, number: int) -> int:
        """Deals a game; returns the number of options of its first decision with a choice, or 0."""
        options: int = self._ask(self._at, steps.OPEN, seed, number)
        return options

    def step(self, action: int) -> int:
        """Does a legal action; returns the number of options of the very next decision, or 0."""
        options: int = self._ask(self._at, steps.STEP, action, 0)
        return options

    def act(self, action: int, options: int) -> int:
        """Does one of n options; returns the number at the next decision with a choice, or 0, or -1 if illegal."""
        left: int = self._ask(self._at, steps.ACT, action, options)
        return left

    def options(self) -> int:
        """Lists the options of the present decision; returns their number."""
        options: int = self._ask(self._at, steps.OPTIONS, 0, 0)
        return options

    def count(self) -> int:
        """The number of options, as the game counts them."""
        options: int = self._ask(self._at, steps.COUNT, 0, 0)
        return options

    def pick(self, k: int) -> int:
        """Option k in the game's own order."""
        action: int = self._ask(self._at, steps.PICK, k, 0)
        return action

    def chance(self, options: int) -> int:
        """A uniform one of n options, by the stream of the player to move."""
        action: int = self._ask(self._at, steps.CHANCE, options, 0)
        return action

    def see(self, player: int) -> Seen:
        """The observation of a player, as a copy."""
        seen: Seen = self._plan.seen.of(self._memory)
        seen[:] = 0
        self._ask(self._at, steps.SEE, player, 0)
        return seen.copy()

    def hide(self, player: int) -> None:
        """Deals anew what a player cannot know, with `workspace.conceal_rng`."""
        self._ask(self._at, steps.HIDE, player, 0)

    def pay(self) -> Numbers:
        """The returns of each seat, as a copy; raises if one is no number."""
        paid: Numbers = self._plan.paid.of(self._memory)
        paid[:] = 0
        self._ask(self._at, steps.PAY, 0, 0)
        if not isfinite(sum(paid.tolist())):
            raise no_number(self.match.game, self.workspace)
        return paid.copy()

    def finish(self, decisions: int) -> RecordArray:
        """The outcome of a finished game after this many decisions: one row, as a copy."""
        row: RecordArray = self._plan.row.of(self._memory)
        row[:] = np.zeros(1, self._plan.row.kind)
        self._ask(self._at, steps.FINISH, decisions, 0)
        return row.copy()


#: Workspaces of the last few matches: copying one is far quicker than making it.
_laid: dict[tuple[int, int, int, bool], Steps] = {}
_KEPT = 8


def new_stepper(game: Game, config: RuleConfig, players: int, *, interpreted: bool = False) -> Steps:
    """A stepper for a game that is driven from outside, without agents."""
    key = (id(game), id(config), players, interpreted)
    found = _laid.get(key)
    if found is None or found.match.game is not game or found.match.config is not config:
        seats = (-1,) * players
        found = Steps(Match(game, config, players, 0, seats, (0,) * players, ()), interpreted=interpreted)
        while len(_laid) >= _KEPT:
            _laid.pop(next(iter(_laid)), None)
        _laid[key] = found
    return found.copy()


def seen_at(kernels: Any, plan: StepLayout, table: bytearray, player: int, *, interpreted: bool) -> Seen:
    """The observation of a player in the game whose memory is given as bytes."""
    kernels.ask(_place(table, plan, interpreted), steps.SEE, player, 0)
    seen: Seen = plan.seen.of(table)
    return seen.copy()


def _place(memory: bytearray, plan: StepLayout, interpreted: bool) -> Any:
    """The memory as it is handed over: its address to compiled code, itself to the interpreter."""
    return plain(np.frombuffer(memory, plan.kind)) if interpreted else addressof(c_char.from_buffer(memory))


@cache
def _entry(game: Game, interpreted: bool, players: int) -> Callable[[Any, int, int, int], int]:
    """The function that answers questions, without the dispatch on argument types."""
    ask = steps_of(game, interpreted=interpreted).ask
    if not interpreted:
        ask = ask.numbers(4)
    entry: Callable[[Any, int, int, int], int] = ask
    return entry if not interpreted or is_shipped(game) else _with_players_checked(game, entry, players)


def _with_players_checked(game: Game, ask: Callable[..., int], players: int) -> Callable[[Any, int, int, int], int]:
    """The same, with an error at the rule that made somebody move who does not play."""

    def entry(table: Any, what: int, first: int, second: int) -> int:
        answer = ask(table, what, first, second)
        if what < steps.COUNT and (mover := table[0].workspace.states[LIVE].player) >= players:
            blamed = python_function(game.rules["apply_action" if what & steps.MOVES else "setup"])
            raise at_code(blamed.__code__, nobody_there(mover, players))
        return answer

    return entry


def nobody_there(mover: int, players: int) -> Text:
    """The message for a player to move who does not play."""
    return Text(
        f"the player to move must be one of the players, 0 … {players - 1}, not {mover}; -1 is the end of the game",
        f"ходить должен один из игроков, 0 … {players - 1}, а не {mover}; -1 — конец партии",
    )


def steps_of(game: Game, agents: tuple[str, ...] = (), *, interpreted: bool = False) -> Any:
    """The kernels of a game's steppers (see `step.py`); many games at once may have these compiled agents."""
    return _interpreted(game, agents) if interpreted or compiler.is_off() else _compiled(game, agents)


def is_cached(game: Game) -> bool:
    """Whether the code is compiled or cached."""
    return not compiler.is_off() and bool(_compiled(game, ()).ask.is_kept)


@cache
def _compiled(game: Game, agents: tuple[str, ...]) -> Any:
    """Compiled on first use or read from the cache."""
    lint_game(game)
    entry_points = _entry_points(game, agents)
    cache_entry_points(game, "steps", entry_points)
    return entry_points


@cache
def _interpreted(game: Game, agents: tuple[str, ...]) -> Any:
    lint_game(game, compiled=False)
    return by_interpreter(game, _entry_points(game, agents))


@cache
def _entry_points(game: Game, agents: tuple[str, ...]) -> SimpleNamespace:
    made = specialiser(game, agents)
    made.replace(steps.table_at, record_at(step_layout(game).kind))
    return entry_points_of(made, steps.ask, steps.ask_all)
