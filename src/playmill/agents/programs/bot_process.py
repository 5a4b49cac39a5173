"""The process of a bot: exchanges lines with it within its limits, pauses it between moves, and always ends it."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from math import ceil
from pathlib import Path
from typing import Any

from playmill.agents.programs.clock import Stopwatch
from playmill.agents.programs.interpreters import PATH
from playmill.agents.programs.limits import Limits
from playmill.agents.programs.protocol import line_of, quit_
from playmill.agents.programs.sandbox import cgroup
from playmill.agents.programs.sandbox.supervisor_client import Supervisor, supervisor
from playmill.agents.programs.spec import Program
from playmill.agents.python.reply import QUOTE, printable
from playmill.texts import PlaymillError, Text

#: What is read at a time; how often the process is looked at while its pipe is silent; how long it may take to leave.
_PIECE, _LOOK, _FAREWELL = 1 << 16, 0.25, 1.0
BOOT = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from playmill.agents.programs.sandbox.launch import main; main()"
)
SOURCE = str(Path(__file__).parents[3])


class BotError(PlaymillError):
    """A bot that is out of its game: `fault` says how in one word.

    One of: start, crash, late, flood, nonsense, illegal.
    """

    def __init__(self, fault: str, en: str, ru: str) -> None:
        super().__init__(en, ru)
        self.fault = fault


class BotProcess:
    """A bot's process with its pipes; every way out of its methods but the answer is a BotError."""

    def __init__(self, program: Program, complaints: StderrLog) -> None:
        self._limits = program.limits
        self._complaints = complaints
        self._heard = bytearray()
        self._written = 0
        self._paused = False
        self._complains = True  # until it closes its stderr
        #: What the sandbox was tested to hold, as the launcher reports.
        self.guarantees: Mapping[str, str] = {}
        #: Seconds that its launch took.
        self.launching = 0.0
        self._supervisor = supervisor()
        self._cgroup = cgroup.make(cgroup.delegated(), program.limits.memory)
        status_pipe, tell = os.pipe()
        watched = self._supervisor.pipe if self._supervisor is not None else -1
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", BOOT, SOURCE, *_settings(program, tell, watched, self._cgroup)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(tell,) if watched < 0 else (tell, watched),
                start_new_session=True,
                cwd="/" if program.only else program.folder,
                env={"PATH": PATH, "LANG": "C.UTF-8", "HOME": str(program.folder), "PYTHONDONTWRITEBYTECODE": "1"},
            )
        except (OSError, ValueError) as error:
            os.close(status_pipe)
            if self._cgroup is not None:
                cgroup.remove(self._cgroup)
            reason = str(error)
            raise BotError("start", f"cannot be started: {reason}", f"не запускается: {reason}") from None
        finally:
            os.close(tell)
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._in, self._out, self._err = (
            pipe.fileno() for pipe in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._watch = Stopwatch(self._process.pid)
        #: Who forgets a bot bids it farewell: at the end of the program at the latest.
        self._last = weakref.finalize(self, _leave, self._process, self._supervisor)
        self._unwatched = weakref.finalize(self, self._watch.close)
        for pipe in (self._in, self._out, self._err, status_pipe):
            os.set_blocking(pipe, False)
        try:
            self._launched(status_pipe)
        except BotError:
            self.end()
            raise
        finally:
            os.close(status_pipe)

    def new_game(self) -> None:
        """Resets the count of what it writes."""
        self._written = 0

    def say(self, message: Mapping[str, Any], seconds: float) -> None:
        """Writes a message; a bot that does not read is late."""
        line = line_of(message)
        self._watch.start()
        self._write(line, seconds)

    def _write(self, line: bytes, seconds: float) -> None:
        self._go_on()
        left = memoryview(line)
        while left:
            try:
                left = left[os.write(self._in, left) :]
            except BlockingIOError:
                self._wait(seconds, writing=True)
            except OSError:
                raise self._gone() from None

    def ask(self, message: Mapping[str, Any], seconds: float) -> tuple[bytes, float]:
        """Writes a message and reads the one line that answers it; and how long the bot took for that."""
        line = line_of(message)
        self._watch.start()
        self._write(line, seconds)
        while (end := self._heard.find(b"\n")) < 0:
            self._check_flood()
            self._wait(seconds)
        took = self._watch.taken()
        answer = bytes(self._heard[:end])
        del self._heard[: end + 1]
        self._check_flood(len(answer))
        return answer, took

    def peak_memory(self) -> float:
        """Returns the most memory its first process held so far, in MB; 0 where the system does not tell."""
        try:
            status = Path(f"/proc/{self._process.pid}/status").read_bytes()
        except OSError:
            return 0.0
        found = re.search(rb"^VmHWM:\s*(\d+) kB", status, re.MULTILINE)
        return int(found[1]) / 1024 if found else 0.0

    def pause(self) -> None:
        """Stops it (SIGSTOP) while others think."""
        if not self._paused:
            self._signal(signal.SIGSTOP)
            self._paused = True

    def leave(self) -> None:
        """Asks it to quit, and kills whatever is still there after a moment."""
        self._last()

    def end(self) -> None:
        """Kills it now."""
        self._last.detach()
        _end(self._process, self._supervisor)

    def _go_on(self) -> None:
        if self._paused:
            self._signal(signal.SIGCONT)
            self._paused = False

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)

    def _wait(self, seconds: float, *, writing: bool = False) -> None:
        """Waits until something can be read, or written; reads what there is."""
        left = seconds - self._watch.taken()
        if left <= 0:
            raise BotError("late", f"no answer within {seconds:.3g} s", f"нет ответа за {seconds:.3g} с")
        heard = [self._out, self._err] if self._complains else [self._out]
        found = _ready(heard, [self._in] if writing else [], min(left, _LOOK))
        if self._err in found:
            self._hear_complaints()
        if self._out in found:
            self._hear()
        elif not found and _status_of(self._process, 0) is not None:
            raise self._gone()

    def _hear(self) -> None:
        try:
            piece = os.read(self._out, _PIECE)
        except BlockingIOError:
            return
        if not piece:
            raise self._gone()
        self._heard += piece
        self._count(len(piece))

    def _hear_complaints(self) -> None:
        try:
            piece = os.read(self._err, _PIECE)
        except BlockingIOError:
            return
        if not piece:
            self._complains = False
            return
        self._complaints.keep(piece)
        self._count(len(piece))

    def _count(self, more: int) -> None:
        self._written += more
        if self._written > self._limits.output << 10:
            most = self._limits.output
            raise BotError("flood", f"wrote more than {most} kB in one game", f"больше {most} КБ вывода за партию")

    def _check_flood(self, line: int = 0) -> None:
        if (line or len(self._heard)) > self._limits.line << 10:
            most = self._limits.line
            raise BotError("flood", f"wrote a line longer than {most} kB", f"строка вывода длиннее {most} КБ")

    def _launched(self, status_pipe: int) -> None:
        """Reads the launcher's report until the bot itself runs."""
        heard = b""
        while piece := self._piece(status_pipe):
            heard += piece
        self.launching = self._watch.taken()
        found_guarantees = dict(line.split("=", 1) for line in heard.decode(errors="replace").splitlines())
        if error := found_guarantees.pop("error", None):
            raise BotError("start", f"cannot be started: {error}", f"не запускается: {error}")
        if not found_guarantees:
            raise self._gone()
        self.guarantees = found_guarantees

    def _piece(self, status_pipe: int) -> bytes:
        """More of the launcher's report; empty when it has become the bot."""
        while (left := self._limits.start - self._watch.taken()) > 0:
            if _ready([status_pipe], [], left):
                return os.read(status_pipe, _PIECE)
        raise BotError("start", "was not started in time", "не удалось запустить вовремя")

    def _gone(self) -> BotError:
        """How it ended, in a sentence, with its last line on stderr."""
        status = _status_of(self._process, _FAREWELL)
        if status is None:
            return BotError("crash", "closed its output", "программа закрыла свой вывод")
        with suppress(OSError, BotError):
            self._hear_complaints()
        words = _too_much(self._limits.memory) if self._took_too_much() else _how(status)
        last = self._complaints.last()
        tail = f": {last}" if last else ""
        return BotError("crash", words.en + tail, words.ru + tail)

    def _took_too_much(self) -> bool:
        """Whether the supervisor or the kernel ended it for its memory."""
        watched = self._supervisor is not None and self._supervisor.took_too_much(self._process.pid)
        return watched or (self._cgroup is not None and cgroup.ran_out(self._cgroup))


def _ready(to_read: Sequence[int], to_write: Sequence[int], seconds: float) -> list[int]:
    """Which of some pipes are ready, or closed, within these seconds."""
    poll = select.poll()
    for pipe in to_read:
        poll.register(pipe, select.POLLIN)
    for pipe in to_write:
        poll.register(pipe, select.POLLOUT)
    return [pipe for pipe, _ in poll.poll(max(ceil(1000 * seconds), 0))]


def _too_much(memory: int) -> Text:
    return Text(f"took more than {memory} MB of memory", f"заняла больше {memory} МБ памяти")


def _how(status: int) -> Text:
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = str(-status)
        return Text(f"was ended by {name}", f"программу завершил сигнал {name}")
    return Text(f"ended with status {status}", f"программа завершилась с кодом {status}")


def _status_of(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """How a process ended, if it does within these seconds.

    It is not waited for: until it is, nobody else can get its number, and the whole group can be killed by it.
    """
    deadline, pause = time.monotonic() + seconds, 0.0005
    while process.returncode is None:
        found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is not None:
            return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        if time.monotonic() >= deadline:
            return None
        time.sleep(pause)
        pause = min(2 * pause, 0.02)
    return process.returncode


def _leave(process: subprocess.Popen[bytes], watched_by: Supervisor | None) -> None:
    """Asks a process to quit, and ends whatever is still there after a moment."""
    assert process.stdin
    if process.returncode is None:
        with suppress(OSError):
            os.killpg(process.pid, signal.SIGCONT)
    with suppress(OSError):
        os.write(process.stdin.fileno(), line_of(quit_()))
    with suppress(OSError):
        process.stdin.close()
    _status_of(process, _FAREWELL)
    _end(process, watched_by)


def _end(process: subprocess.Popen[bytes], watched_by: Supervisor | None) -> None:
    """Kills a whole process group, waits for its head and closes the pipes."""
    if process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        if watched_by is not None:
            watched_by.forget(process.pid)
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def _settings(program: Program, tell: int, watched: int, group: Path | None) -> list[str]:
    """The command-line arguments of the launcher."""
    limits, paths = program.limits, program.readable
    numbers = (tell, watched, os.getpid(), limits.memory, limits.processes, limits.threads, limits.files, 0)
    return [*map(str, numbers), str(group or ""), str(len(paths)), *map(str, paths), *program.command]


@cache
def tried_guarantees(limits: Limits) -> Mapping[str, str]:
    """What holds each guarantee of the sandbox on this machine under these limits: an empty program tries it."""
    with tempfile.TemporaryDirectory() as folder:
        program = Program("sandbox", (sys.executable, "-I", "-S", "-c", "pass"), Path(folder), limits)
        process = BotProcess(program, StderrLog(None, 0))
        process.end()
    return {name: held for name, held in process.guarantees.items() if held}


class StderrLog:
    """Stderr of a bot: the beginning in a file, up to a cap, and the last line.

    The file is begun anew with the first of it; where it cannot be written, nothing is saved.
    """

    def __init__(self, file: Path | None, most: int) -> None:
        self._file = file
        self._room = most
        self._tail = b""
        with suppress(OSError):
            if file is not None:
                file.unlink(missing_ok=True)

    def keep(self, piece: bytes) -> None:
        """Adds to the file as much as there is room for."""
        self._tail = (self._tail + piece)[-2000:]
        if self._file is None or self._room <= 0:
            return
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with self._file.open("ab") as file:
                file.write(piece[: self._room])
        self._room -= len(piece)

    def last(self) -> str:
        """The last line, if there is one."""
        lines = [line for line in self._tail.decode("utf-8", errors="replace").splitlines() if line.strip()]
        return printable(lines[-1].strip(), QUOTE * 2) if lines else ""
