"""Standard output and standard error that may be full, closed, or unable to show a letter; progress messages."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, ClassVar

from playmill.texts import Text, one_line

#: After this many seconds somebody who waits is told for what.
_PATIENCE = 2.0


class _Waiting:
    """Whether somebody at the terminal wants to know what takes long, and of what they were told."""

    there = False
    shown_already: ClassVar[set[str]] = set()
    #: Who shows what is being done, the last to come last.
    watching: ClassVar[list[Callable[[Text], None]]] = []


def somebody_waits(shown_already: bool) -> None:
    """Says whether there is somebody at the terminal who wants to know what takes long."""
    _Waiting.there = shown_already and sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def watching(tell: Callable[[Text], None]) -> Iterator[None]:
    """Meanwhile `tell` hears what is being done before games are played (see `doing`)."""
    _Waiting.watching.append(tell)
    try:
        yield
    finally:
        _Waiting.watching.remove(tell)


def doing(what: Text) -> None:
    """Says what is being done now, to whoever watches."""
    for tell in _Waiting.watching[-1:]:
        tell(what)


@contextmanager
def report_if_long(sentence: str) -> Iterator[None]:
    """Work of which whoever waits for it is told once, if it takes more than a moment."""
    shown_already = _Waiting.shown_already
    if not _Waiting.there or sentence in shown_already:
        yield
        return
    shown_already.add(sentence)
    timer = threading.Timer(_PATIENCE, complain, [sentence])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        if not timer.finished.is_set():
            timer.cancel()
            shown_already.discard(sentence)


def print_anything() -> None:
    """Lets every text be printed: a letter that the terminal's encoding lacks becomes a question mark.

    A terminal of 0 columns is one that does not know its width; on so many nothing would be printed.
    """
    if os.environ.get("COLUMNS", "1").strip("0") == "":
        del os.environ["COLUMNS"]
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def complain(sentence: str) -> None:
    """Tells a mistake on standard error; where that is closed or full, nobody can be told."""
    try:
        print(f"playmill: {one_line(sentence)}", file=sys.stderr, flush=True)
    except (OSError, ValueError):
        mute(sys.stderr)


def flush() -> None:
    """Prints what waits to be printed; raises an OSError where that cannot be."""
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()


def mute(stream: Any) -> None:
    """Sends the rest of an output that takes no more to nowhere; else Python would try again as it ends, and fail."""
    with suppress(OSError, ValueError, AttributeError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def print_json(data: Any) -> None:
    """Prints JSON: letters as they are where standard output can show them, else written in the way of JSON."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(data, indent=2)
    print(text)
