"""The agent of a program: starts the bot with a game, asks it, and drops it from the game when it fails."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from playmill.agents.programs import protocol
from playmill.agents.programs.bot_process import BotError, BotProcess, StderrLog
from playmill.agents.programs.limits import Limits
from playmill.agents.programs.spec import Program
from playmill.agents.python.decision import Decision
from playmill.agents.python.reply import listed_actions
from playmill.engine.contract.game import Game
from playmill.home import home
from playmill.texts import Lang, PlaymillError, Text, WrongListError, user_language


@dataclass(frozen=True)
class BotFailure:
    """A failure of a bot: in which game of the run, at which of its decisions (0 = before the first).

    `fault` is one of start, crash, late, flood, nonsense, illegal. `lost` says whether it is out of that game.
    """

    game: int
    seat: int
    decision: int
    fault: str
    reason: Text
    lost: bool


class ProgramAgent:
    """An agent that is a program; each seat has a process of its own.

    The caller says when a game begins and ends (`begin`, `over`); otherwise the first question begins one. `on_trouble`
    is called for every failure; `troubles` holds those of the present game.
    """

    def __init__(
        self,
        game: Game,
        program: Program,
        *,
        stderr: Path | None = None,
        on_trouble: Callable[[BotFailure], None] | None = None,
    ) -> None:
        self.program = program
        self.on_trouble = on_trouble
        self.troubles: list[BotFailure] = []
        #: The name it gave itself, and what its sandbox held when it was last started.
        self.said_name = ""
        self.guarantees: Mapping[str, str] = {}
        #: How many seconds it took to be ready when it was last started.
        self.started: float | None = None
        #: The most memory its process held, in MB, where the system tells.
        self.memory = 0.0
        #: Seconds of each answer of the present game.
        self.seconds: list[float] = []
        self.stderr = stderr if stderr is not None else stderr_file(program)
        _WRITTEN[self.stderr] = self
        self._game = game
        self._lang: Lang = user_language()
        self._complaints = StderrLog(self.stderr, program.limits.stderr << 10)
        self._running: BotProcess | None = None
        self._number = 0
        self._at = 0
        self._begun = False
        self._out: BotError | None = None

    @property
    def limits(self) -> Limits:
        """Its limits."""
        return self.program.limits

    def begin(self, number: int) -> None:
        """Begins a game, of this number in the run; the bot is told so when it is first asked."""
        self._number = number
        self._begun = False
        self._out = None
        self.troubles = []
        self.seconds = []

    def choose(self, decision: Decision) -> int | list[Any]:
        """Asks the bot; raises its failure as a sentence."""
        if self._out is not None:
            en, ru = self._out.text
            raise BotError(self._out.fault, f"is out of this game: {en}", f"уже вне этой партии: {ru}")
        try:
            return self._ask(decision)
        except BotError as error:
            self._fail(error, decision, lost=True)
            raise
        except PlaymillError as error:
            wrong = BotError("illegal", *error.text)
            self._fail(wrong, decision, lost=self.limits.forfeit)
            raise (error if isinstance(error, WrongListError) else wrong) from None

    def over(self, seat: int, returns: Sequence[float]) -> None:
        """Ends the game; the bot is told, if it still runs."""
        if self._running is not None and self._begun:
            self.memory = max(self.memory, self._running.peak_memory())
            try:
                self._running.say(protocol.over(seat, returns), self.limits.move)
                self._running.pause()
            except BotError:
                self._drop()
        self._begun = False

    def close(self) -> None:
        """Ends the bot."""
        if self._running is not None:
            self._running.leave()
            self._running = None

    def _ask(self, decision: Decision) -> int | list[Any]:
        if not self._begun:
            self._hello(decision)
        assert self._running is not None
        limits, number = self.limits, len(self.seconds) + 1
        self._at = number
        left = max(limits.game - sum(self.seconds), 0.0)
        seconds = min(limits.move, left)
        question = protocol.act(decision, number, left=left, move=limits.move, lang=self._lang)
        try:
            line, took = self._running.ask(question, seconds)
        except BotError as error:
            if error.fault == "late" and left < limits.move:
                raise BotError(
                    "late",
                    f"used up its {limits.game:g} s for the game",
                    f"кончились {limits.game:g} с на партию",
                ) from None
            raise
        self._running.pause()
        self.seconds.append(took)
        answer = protocol.read_answer(line, number, len(decision.actions))
        if isinstance(answer, int):
            return decision.actions[answer]
        if not listed_actions(answer, decision):
            raise protocol.no_list(line)
        return answer

    def _hello(self, decision: Decision) -> None:
        """Starts the process if it is not there, and opens the game."""
        self._begun = True
        self._at = 0
        begun = time.monotonic() if self._running is None else None
        if self._running is None:
            self._running = BotProcess(self.program, self._complaints)
            self.guarantees = self._running.guarantees
        self._running.new_game()
        hello = protocol.hello(
            decision.game,
            self._game.version,
            decision.config.model_dump(mode="json"),
            players=decision.players,
            seat=decision.player,
            limits=self.limits,
            lang=self._lang,
        )
        spent = self._running.launching if begun is not None else 0.0
        try:
            line, _ = self._running.ask(hello, max(self.limits.start - spent, 0.01))
        except BotError as error:
            if error.fault == "late":
                most = self.limits.start
                raise BotError("late", f"was not ready within {most:g} s", f"не готова за {most:g} с") from None
            raise
        try:
            self.said_name = protocol.read_ready(line)
        except protocol.ProtocolError as error:
            raise BotError("nonsense", *error.text) from None
        if begun is not None:
            self.started = time.monotonic() - begun

    def _fail(self, error: BotError, decision: Decision, *, lost: bool) -> None:
        trouble = BotFailure(self._number, decision.player, self._at, error.fault, error.text, lost)
        self.troubles.append(trouble)
        if lost:
            self._out = error
            self._drop()
        if self.on_trouble is not None:
            self.on_trouble(trouble)

    def _drop(self) -> None:
        """Ends the process; the next game starts another."""
        if self._running is not None:
            with suppress(OSError):
                self._running.end()
            self._running = None


#: The folder under `bots` that is this process's own, where several play for one contest.
_OWN: list[str] = []
#: Whose complaints go where, in this process.
_WRITTEN: WeakValueDictionary[Path, ProgramAgent] = WeakValueDictionary()


def write_stderr_to(folder: str) -> None:
    """Makes this process write stderr of bots to a folder of its own, as another one writes about the same bots."""
    _OWN[:] = [folder]


@contextmanager
def stderr_aside() -> Iterator[None]:
    """While this lasts stderr of bots goes to a folder of this process and machine, which is gone then."""
    before, name = [*_OWN], f"{platform.node()}-{os.getpid()}"
    write_stderr_to(name)
    try:
        yield
    finally:
        _OWN[:] = before
        shutil.rmtree(home() / "bots" / name, ignore_errors=True)


def stderr_file(program: Program) -> Path:
    """The default file for stderr of a bot: one for each seat."""
    stem = re.sub(r"[^A-Za-z0-9_]+", "_", program.folder.name)[:40] or "bot"
    name = f"{stem}-{hashlib.sha256(program.spec.encode()).hexdigest()[:8]}"
    folder = home().joinpath("bots", *_OWN)
    places = (folder / f"{name}{more}.stderr.txt" for more in ("", *(f"-{k}" for k in range(2, 10_000))))
    return next(place for place in places if place not in _WRITTEN)
