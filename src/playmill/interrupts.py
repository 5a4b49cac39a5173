"""Handling of Ctrl-C and termination signals: finished work is kept, no traceback is shown.

A signal that was ignored when the program was started, as with `nohup` or in the background of a script, stays ignored.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, NoReturn

from playmill.texts import Text, language_of

#: Signals by which people, batch systems and closing terminals ask a program to stop; not every system has them all.
SIGNALS = tuple(
    signal.Signals[name] for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK") if name in signal.Signals.__members__
)
#: How the names of our threads begin: one may still be at work when all is written, and is not waited for.
WORKERS = "playmill"
STOPPED = Text("stopped", "остановлено")
#: An exception thrown into the middle of an import or of the compiler may be swallowed there, or come out as another.
_DELICATE = ("<frozen importlib", f"{os.sep}numba{os.sep}", f"{os.sep}llvmlite{os.sep}")
#: How many objects are made before Python looks for cycles among them: at every 700th, which is its way, it looks two
#: hundred times at what is being imported, and a tenth of a start goes by.
_NEW_OBJECTS = 200_000
_CLEAN_LINE = "\r\x1b[K\x1b[?25h"

Handler = Callable[[int, FrameType | None], Any]


class Stop:
    """How often somebody asked to stop. While there is nothing to keep, whoever asks is answered as without it."""

    def __init__(self) -> None:
        self.times = 0
        self._before: dict[signal.Signals, Handler] = {}
        self._kept = False
        self._breaking = False

    def __call__(self) -> int:
        """0 if nobody asked, 1 if somebody did, more if they are in a hurry."""
        return self.times

    def keep(self) -> None:
        """From now on there is something finished that must not be lost."""
        self._kept = True

    @contextmanager
    def breaking(self) -> Iterator[None]:
        """Work that is worth nothing unless it is finished: it is broken off by KeyboardInterrupt."""
        self._breaking = True
        try:
            yield
        finally:
            self._breaking = False

    def _hear(self, number: int, frame: FrameType | None) -> None:
        self.times += 1
        if not self._kept:
            self._before[signal.Signals(number)](number, frame)
        elif self._breaking:
            self._breaking = False
            raise KeyboardInterrupt


class _Process:
    """What there is only one of: the work that hears the signals, and whether the program was already told to leave."""

    work: Stop | None = None
    leaves = False
    abrupt = False


@contextmanager
def interrupt() -> Iterator[Stop]:
    """Turns requests to stop into a number to look at; work inside a longer work shares its number.

    In somebody else's program this is about Ctrl-C alone, in ours (see `run_program`) about every such signal.
    """
    if threading.current_thread() is not threading.main_thread():
        yield Stop()
        return
    if _Process.work is not None:
        yield _Process.work
        return
    stop = Stop()
    for number in SIGNALS:
        handler = signal.getsignal(number)
        if callable(handler) and (number is signal.SIGINT or handler is _leave):
            stop._before[number] = handler
        elif handler is signal.SIG_IGN:
            # Polars puts a handler of its own under Python's when it is imported, also where there was none.
            signal.signal(number, signal.SIG_IGN)
    try:
        _Process.work = stop
        for number in stop._before:
            signal.signal(number, stop._hear)
        yield stop
    finally:
        for number, before in stop._before.items():
            signal.signal(number, before)
        _Process.work = None


@contextmanager
def undisturbed() -> Iterator[None]:
    """A few steps that belong together: whoever asks to stop during them is answered after the last."""
    with interrupt() as stop:
        kept, times = stop._kept, stop.times
        stop._kept = True
        try:
            yield
        finally:
            stop._kept = kept
        if stop.times > times and not kept:
            raise KeyboardInterrupt


def run_program(main: Callable[[], int]) -> int:
    """Runs a whole program, in which every signal that asks to stop is like Ctrl-C; returns its exit status.

    Where nothing is at work any more it does not return: the process ends, once all is done that was left for its end.
    """
    gc.set_threshold(_NEW_OBJECTS)
    for number in SIGNALS:
        if signal.getsignal(number) not in (signal.SIG_IGN, None):
            signal.signal(number, _leave)
    try:
        status = main()
    except KeyboardInterrupt:
        farewell()
    for number in SIGNALS:
        if signal.getsignal(number) is _leave:
            signal.signal(number, signal.SIG_IGN)
    if _Process.abrupt or any(
        thread.name.startswith(WORKERS) and not thread.daemon for thread in threading.enumerate()
    ):
        _flush()
        os._exit(status)
    if all(thread.daemon or thread is threading.main_thread() for thread in threading.enumerate()):
        # To take its objects apart one by one lasts a fifth of a second; the system takes memory back whole.
        atexit._run_exitfuncs()
        _flush()
        os._exit(status)
    return status


def end_abruptly() -> None:
    """Has our program end, when it does, without what a library would do then: it would hang, or crash."""
    _Process.abrupt = True


def _leave(number: int, frame: FrameType | None) -> None:
    """The handler of a program that has nothing to keep: the first signal unwinds it, where that is safe."""
    if _Process.leaves or is_delicate(frame):
        farewell()
    _Process.leaves = True
    raise KeyboardInterrupt


def is_delicate(frame: FrameType | None) -> bool:
    """Whether something is being imported or compiled in this frame."""
    while frame is not None:
        if any(part in frame.f_code.co_filename for part in _DELICATE):
            return True
        frame = frame.f_back
    return False


def farewell() -> NoReturn:
    """Ends the program here and now, with one sentence."""
    _flush()
    with suppress(Exception):
        line = f"playmill: {STOPPED.of(language_of(sys.argv[1:]))}\n"
        if sys.stderr.isatty():
            line = _CLEAN_LINE + line
        os.write(2, line.encode(sys.stderr.encoding, errors="backslashreplace"))
    os._exit(1)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(Exception):
            stream.flush()
