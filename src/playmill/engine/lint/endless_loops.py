"""Watchdog for rules that never end: interrupts a call that takes too long and names the loop.

Nothing is counted while rules run. While the interpreter runs rules of a game that is not one of Playmill's, a thread
of its own samples a few times a second what the others are doing: a thread that has been inside one call of a rule for
too long gets an exception there.
"""

from __future__ import annotations

import ast
import ctypes
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from traceback import walk_tb
from types import CodeType, FrameType
from typing import Any, NamedTuple, Protocol, TypeVar, cast

from playmill.engine.contract.game import Game, is_shipped, reference_of
from playmill.engine.errors.located import RuleMistakeError, shown_path
from playmill.engine.lang import compiler
from playmill.interrupts import is_delicate
from playmill.texts import PlaymillError, Text

F = TypeVar("F", bound=Callable[..., Any])

#: What says how many seconds of work one call of a rule may take; 0 is as long as it likes.
PATIENCE = "PLAYMILL_PATIENCE"
_USUAL_PATIENCE = 5.0
#: Seconds between two looks, and after how many that found nothing the thread goes home.
_PAUSE, _IDLE = 0.25, 20
#: A call in which no `while` goes round ends by itself, and has this many times the patience.
_FINITE = 12
#: Of the loop's own numbers this many are told.
_NUMBERS = 6
#: Whoever has asked to stop waits this many seconds for games to end, before they are said to be at work still; and so
#: long must one have lasted that was broken off.
_MOMENT = 0.5
#: Inside a call of which functions rules, and words, are watched, and whose.
_anchors: set[CodeType] = set()
_folders: set[str] = set()
#: Functions that play games, and those that ask agents.
_loops: set[CodeType] = set()
_tables: set[CodeType] = set()
#: An agent that has not answered for this many seconds is told of.
_SILENCE = 1.0


def watched(function: F, folder: Path) -> F:
    """Wraps a function so that calls into a game in this folder are watched."""
    _folders.add(f"{folder}{os.sep}")

    def on_watch(*args: Any) -> Any:
        if not _Watchdog.awake:
            _Watchdog.wake()
        return function(*args)

    _anchors.add(on_watch.__code__)
    return cast(F, on_watch)


def watched_inside(function: F) -> F:
    """Wraps a function: what it calls of games that are watched anyway is watched, too, be it no rule."""
    _anchors.add(function.__code__)

    @wraps(function)
    def on_watch(*args: Any, **options: Any) -> Any:
        # No rule may be called before what never ends, or none for so long that the thread has ended.
        if _folders and not _Watchdog.awake:
            _Watchdog.wake()
        return function(*args, **options)

    return cast(F, on_watch)


class Plays(Protocol):
    """A player of games: which game, interpreted or compiled, and when it was begun (monotonic)."""

    game: Game
    interpreted: bool
    begun: float


def plays_games(function: F) -> F:
    """Marks a method by which a `Plays`, its `self`, plays; compiled games cannot be looked into, only waited for."""
    _loops.add(function.__code__)
    return function


class Asks(Protocol):
    """A match that waits for agents without a time limit: for whom now (nobody is ""), since when (monotonic)."""

    asked: str
    asked_at: float


def asks_agents(function: F) -> F:
    """Marks a method in which an `Asks`, its `self`, waits for agents."""
    _tables.add(function.__code__)
    return function


def silent_agent(table: Asks) -> Text | None:
    """The message about an agent that has not answered for long, if there is one."""
    name, seconds = table.asked, time.monotonic() - table.asked_at
    if not name or seconds < _SILENCE:
        return None
    return Text(f"agent {name} had not answered for {seconds:.0f} s", f"агент {name} не отвечал уже {seconds:.0f} с")


def still_at_work(broken_off: BaseException | None = None) -> Text | None:
    """The message for users who stopped games that do not end: how to find the place, or which agent was silent.

    The games are played in other threads still, or were where the exception came that broke them off.
    """
    frames = [frame for frame, _ in walk_tb(broken_off.__traceback__)] if broken_off is not None else []
    for frame in frames:
        if frame.f_code in _tables and (message := silent_agent(frame.f_locals["self"])) is not None:
            return message
    if (player := _player(frames)) is not None and time.monotonic() - player.begun > _MOMENT:
        return _advice(player)
    until = time.monotonic() + _MOMENT
    while (player := _player(_running())) is not None:
        if time.monotonic() > until:
            return _advice(player)
        time.sleep(_PAUSE / 5)
    return None


def _advice(player: Plays) -> Text:
    """What finds the place: of compiled games nothing is known; the interpreter would have named a rule's loop."""
    name, shown = player.game.name, shown_path(reference_of(player.game))
    if player.interpreted or compiler.is_off():
        return Text(
            f"a game of {name} was at work still; if it never ends, playmill check {shown} says why",
            f"партия {name} всё ещё шла; если она не кончается, playmill check {shown} скажет почему",
        )
    return Text(
        f"a compiled game of {name} was at work still; if it never ends, playmill check {shown} says why; if it is a"
        f" loop, playmill simulate {shown} --backend interpreted names the rule and the line, too",
        f"скомпилированная партия {name} всё ещё шла; если она не кончается, playmill check {shown} скажет почему; если"
        f" дело в цикле, правило и строку назовёт и playmill simulate {shown} --backend interpreted",
    )


def _running() -> Iterator[FrameType]:
    """The frames of all threads but those in which something is compiled."""
    for innermost in sys._current_frames().values():
        frame: FrameType | None = None if is_delicate(innermost) else innermost
        while frame is not None:
            yield frame
            frame = frame.f_back


def _player(frames: Iterable[FrameType]) -> Plays | None:
    """Who plays a game of somebody else in one of these frames."""
    players: Iterator[Plays] = (frame.f_locals["self"] for frame in frames if frame.f_code in _loops)
    return next((player for player in players if not is_shipped(player.game)), None)


class _Watchdog:
    """The watchdog thread; it runs while interpreted rules run, and ends a while after."""

    awake = False
    _lock = threading.Lock()

    @classmethod
    def wake(cls) -> None:
        """Starts the thread unless it runs."""
        patience = _patience()
        with cls._lock:
            if not cls.awake and patience > 0:
                cls.awake = True
                threading.Thread(target=cls._look_on, name="watch", daemon=True).start()

    @classmethod
    def _look_on(cls) -> None:
        calls: dict[int, Call] = {}
        idle = 0
        try:
            while idle < _IDLE or not cls._may_end(calls):
                time.sleep(_PAUSE)
                idle = 0 if _look(calls, Moment.now()) else idle + 1
        except BaseException:
            cls.awake = False  # the next call starts another one
            raise

    @classmethod
    def _may_end(cls, calls: dict[int, Call]) -> bool:
        """Whether the thread may end: a call that begins after this check starts another one."""
        with cls._lock:
            cls.awake = False
            cls.awake = _look(calls, Moment.now())
        return not cls.awake

    @classmethod
    def gone(cls) -> None:
        """In a process that was forked off there is no such thread."""
        cls.awake = False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Watchdog.gone)


def _patience() -> float:
    """How many seconds of work a call may take."""
    named = os.environ.get(PATIENCE)
    if not named:
        return _USUAL_PATIENCE
    try:
        seconds = float(named)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < math.inf:
        raise PlaymillError(
            f"{PATIENCE} is {named!r}; expected how many seconds one call of a rule may take, 0 for no limit",
            f"{PATIENCE} равно {named!r}; нужно, сколько секунд может длиться один вызов правила; 0 — сколько угодно",
        )
    return seconds


class Moment(NamedTuple):
    """A reading of two clocks: wall time, and the processor time of this process."""

    wall: float
    own: float

    @classmethod
    def now(cls) -> Moment:
        """Reads both clocks."""
        return cls(time.monotonic(), time.process_time())

    def since(self, before: Moment) -> float:
        """The smaller of both differences: other threads advance the one, other programs the other."""
        return min(self.wall - before.wall, self.own - before.own)


@dataclass
class Call:
    """A call into a game seen by more than one sample: the frames that stayed, and the lines each was at."""

    began: Moment
    frames: list[FrameType]
    lines: dict[FrameType, set[int]] = field(default_factory=dict)

    def seen(self, frames: Sequence[FrameType]) -> bool:
        """Notes where the call is now; False if it is another one."""
        if not frames or frames[0] is not self.frames[0]:
            return False
        stayed = 0
        while stayed < min(len(frames), len(self.frames)) and frames[stayed] is self.frames[stayed]:
            stayed += 1
        self.frames = self.frames[:stayed]
        for frame in self.frames:
            self.lines.setdefault(frame, set()).add(frame.f_lineno)
        return True

    @property
    def may_be_endless(self) -> bool:
        """Whether a `while` goes round in it: other loops end by themselves."""
        return isinstance(self.loop(), ast.While)

    def loop(self) -> ast.While | ast.For | None:
        """The loop that goes round in the innermost frame that stayed: around all places seen, a `while` first."""
        frame = self.frames[-1]
        lines = self.lines.get(frame) or {frame.f_lineno}
        try:
            tree = ast.parse(Path(frame.f_code.co_filename).read_text(encoding="utf-8"))
        except (OSError, ValueError, SyntaxError):
            return None
        loops = [node for node in ast.walk(tree) if isinstance(node, ast.While | ast.For)]
        around = [node for node in loops if node.lineno <= min(lines) and max(lines) <= (node.end_lineno or 0)]
        return max(around, key=lambda node: (isinstance(node, ast.While), node.lineno), default=None)


def _look(calls: dict[int, Call], now: Moment) -> bool:
    """Samples all threads and stops calls that take too long; False if no thread was in a watched call."""
    busy, patience = False, math.inf
    with suppress(PlaymillError):  # said to whoever begins with rules
        patience = _patience() or math.inf
    for thread, innermost in sys._current_frames().items():
        anchored, frames = _inside(innermost)
        busy = busy or anchored
        known = calls.get(thread)
        if known is None or not known.seen(frames):
            calls.pop(thread, None)
            if frames:
                calls[thread] = Call(now, frames)
            continue
        took = now.since(known.began)
        if took > patience and (known.may_be_endless or took > patience * _FINITE):
            _stop(thread, known, took)
            del calls[thread]
    return busy


def _inside(frame: FrameType | None) -> tuple[bool, list[FrameType]]:
    """Whether a thread is in a watched call, and the frames in it that are of a game, the outermost first."""
    found: list[FrameType] = []
    folders = tuple(_folders)  # in one step: other threads load games meanwhile
    while frame is not None:
        if frame.f_code in _anchors:
            return True, found[::-1]
        if frame.f_code.co_filename.startswith(folders):
            found.append(frame)
        frame = frame.f_back
    return False, []


def _stop(thread: int, call: Call, seconds: float) -> None:
    """Raises the error asynchronously in a thread."""
    mistake = mistake_of(call, seconds)

    class EndlessError(RuleMistakeError):
        """Made by the interpreter, without arguments, where the rule is."""

        def __init__(self) -> None:
            super().__init__(*mistake)

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(EndlessError))


def mistake_of(call: Call, seconds: float) -> tuple[str, int, Text]:
    """File, line and message for a call that does not end."""
    frame, outer, loop = call.frames[-1], call.frames[0].f_code.co_name, call.loop()
    numbers = [f"{name} = {value}" for name, value in frame.f_locals.items() if type(value) is int][:_NUMBERS]
    where = f" ({', '.join(numbers)})" if numbers else ""
    message = Text(
        f"{'this loop' if loop else frame.f_code.co_name} does not end: it has been at work for {seconds:.0f} s in one"
        f" call of {outer}{where}; make it count its trips, as `for _ in range(n)` does, and say what then; if it is"
        f" only slow, {PATIENCE}=60 waits longer",
        f"{'этот цикл' if loop else frame.f_code.co_name} не кончается: один вызов {outer} длится уже {seconds:.0f} с"
        f"{where}; пусть он считает круги, как `for _ in range(n)`, и скажите, что тогда; если он просто медленный,"
        f" {PATIENCE}=60 подождёт дольше",
    )
    return frame.f_code.co_filename, loop.lineno if loop else frame.f_lineno, message
