"""Standard output and standard error as they really are: full, closed, or unable to show a letter."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from typing import Any

from playmill.texts import one_line


def print_anything() -> None:
    """Lets every text be printed: a letter that the terminal's encoding lacks becomes a question mark."""
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
