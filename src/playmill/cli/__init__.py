"""The command line: `main` runs one command and turns errors into one-line messages and exit codes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence

from playmill.cli.program import program
from playmill.engine.config.input_files import one_command
from playmill.interrupts import STOPPED
from playmill.stdio import complain, flush, mute, print_anything, somebody_waits
from playmill.texts import PlaymillError, Text, language_of, speaking

#: Commands that multiply large matrices, and the variable that says on how many threads.
_MULTIPLYING, _THREADS = ("learn",), "OPENBLAS_NUM_THREADS"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command; returns the exit status: 0 done, 1 interrupted, 2 an error shown in one sentence."""
    words = list(sys.argv[1:] if argv is None else argv)
    lang = language_of(words)
    print_anything()
    try:
        try:
            parser = program(lang, words)
            options = parser.parse_args(words)
            somebody_waits(not getattr(options, "quiet", False))
            if options.command not in _MULTIPLYING:
                _import_numpy()
            with speaking(lang), one_command():
                parser.protect(options)
                return int(options.run_command(options, lang))
        finally:
            flush()
    except PlaymillError as error:
        complain(error.text.of(lang))
        return 2
    except KeyboardInterrupt as stop:
        complain(_stopped(stop).of(lang))
        return 1
    except BrokenPipeError:
        mute(sys.stdout)
        return 1
    except OSError as error:
        complain(_refusal(error).of(lang))
        return 2
    except MemoryError:
        complain(Text("not enough memory", "не хватает памяти").of(lang))
        return 2
    except Exception as error:
        from playmill.engine.errors.located import author_error

        if (mistake := author_error(error)) is not None:
            complain(mistake.text.of(lang))
            return 2
        if not type(error).__module__.startswith("numba."):
            raise
        message = Text("a rule of the game does not compile", "правило игры не компилируется").of(lang)
        complain(f"{message}: {_compiler_complaint(str(error))}")
        return 2


def _import_numpy() -> None:
    """Imports NumPy without the threads of its linear algebra: to start them is a fifth of that import."""
    if _THREADS in os.environ or "numpy" in sys.modules:
        return
    os.environ[_THREADS] = "1"
    try:
        import numpy as numpy
    finally:
        del os.environ[_THREADS]


def _stopped(stop: KeyboardInterrupt) -> Text:
    """Returns the message about a stop, and what may help if it had to be."""
    endless = sys.modules.get("playmill.engine.lint.endless_loops")
    message: Text | None = endless.still_at_work(stop) if endless is not None else None
    return STOPPED if message is None else Text.join((STOPPED, message), "; ")


def _refusal(error: OSError) -> Text:
    """Returns the message about a system error; without a file name, most often printing failed, as on a full disk."""
    from playmill.engine.config.json_input import reason_of

    why = reason_of(error)
    if error.filename is not None:
        return Text.join((repr(str(error.filename)), why), ": ")
    if error.errno == errno.ENOENT:  # so answers whoever is asked where we are
        return Text(
            "the current folder is not there any more; go to another", "текущей папки больше нет; перейдите в другую"
        )
    mute(sys.stdout)
    return Text(f"cannot print: {why.en}", f"не удаётся напечатать: {why.ru}")


def _compiler_complaint(message: str) -> str:
    """Returns the last place the compiler names, and the first thing it says about it."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    places = [line for line in lines if line.startswith("File ")]
    reasons = [line for line in lines if not line.startswith(("Failed in nopython", "File ", "During:"))]
    return " ".join(places[:1] + reasons[:1])
