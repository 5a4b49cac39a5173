"""Lowers typed functions to LLVM's code: in a second process, while others are typed, where there is a core for it.

What a function is called and what it returns is known once it is typed, so its callers need not wait for its code, and
lowering is nearly half of what Python has to do to compile rules. A copy of this process is forked for some functions
at a time: it knows all that was typed, makes their code, and writes it into a file. Whatever keeps it from doing so,
the functions are lowered here when their code is asked for.
"""

from __future__ import annotations

import itertools
import marshal
import os
import tempfile
from contextlib import suppress
from typing import IO, Any

import llvmlite.binding
from numba.core import bytecode

#: So many functions are worth a process.
_BATCH = 8
#: Functions that a copy compiles are numbered from a multiple of this on, so that none has the number of another one.
_NUMBERS = 1_000_000


class _Linked:
    """Code that a copy of this process has made for functions to link to."""

    def __init__(self, code: bytes) -> None:
        self._final_module: Any = llvmlite.binding.parse_bitcode(code)
        self._reload_init: set[Any] = set()

    def _get_module_for_linking(self) -> Any:
        return self._final_module


class Lowering:
    """The functions that are typed and wait for being lowered, and the process that lowers some of them."""

    def __init__(self) -> None:
        #: Whether a process may be forked: nothing but this thread goes on in it, so nobody else may be at work.
        self.forks = False
        #: How many were lowered by one.
        self.forked = 0
        #: All there ever were: by their places here, a copy of this process tells which ones are called.
        self._drafts: list[Any] = []
        self._waiting: list[Any] = []
        self._copies = 0
        self._copy: tuple[int, list[Any], IO[bytes]] | None = None

    def add(self, draft: Any) -> None:
        """Takes a typed function, to be lowered when a process is free for it, or when its code is asked for."""
        self._drafts.append(draft)
        self._waiting.append(draft)
        if self.forks and len(self._waiting) >= _BATCH and self._is_free():
            batch, self._waiting = self._waiting, []
            self._fork(batch)

    def finish(self) -> None:
        """Takes over what a process has made; of others, half go to another one, while half are lowered here."""
        while self.forks and self._waiting:
            if len(self._waiting) >= 2 * _BATCH and self._is_free():
                half = len(self._waiting) // 2
                batch, self._waiting = self._waiting[half:], self._waiting[:half]
                self._fork(batch)
            with suppress(Exception):  # whoever asks for its code hears of it
                self._waiting.pop().lower()
        self._waiting.clear()
        self._collect()

    def _is_free(self) -> bool:
        """Returns whether no process is at work, having taken over what the last one has made."""
        if self._copy is not None:
            with suppress(ChildProcessError):
                if os.waitid(os.P_PID, self._copy[0], os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
                    return False
            self._collect()
        return True

    def _fork(self, batch: list[Any]) -> None:
        self._copies += 1
        try:
            file = tempfile.TemporaryFile()  # noqa: SIM115  which is read when the process has ended
            process = os.fork()
        except OSError:
            self._waiting, self.forks = self._waiting + batch, False
            return
        if process == 0:
            try:
                self._lower_in_copy(batch, file)
            finally:
                os._exit(1)
        self._copy = (process, batch, file)

    def _lower_in_copy(self, batch: list[Any], file: IO[bytes]) -> None:
        identity: Any = bytecode.FunctionIdentity
        identity._unique_ids = itertools.count(self._copies * _NUMBERS)
        for draft in batch:
            draft.lower()
        places = {id(draft): place for place, draft in enumerate(self._drafts)}
        marshal.dump([_made(draft, places) for draft in batch], file)
        file.flush()
        os._exit(0)

    def _collect(self) -> None:
        """Waits for the process and takes over what it has made."""
        if self._copy is None:
            return
        (process, batch, file), self._copy = self._copy, None
        made: list[tuple[bytes, list[int | bytes]]] = []
        with file, suppress(ChildProcessError, EOFError, ValueError, TypeError):
            if os.waitpid(process, 0)[1] == 0:
                file.seek(0)
                made = marshal.load(file)
        for draft, (code, linked) in zip(batch, made, strict=False):
            draft.take(code, [self._drafts[one] if isinstance(one, int) else _Linked(one) for one in linked])
            self.forked += 1


def _made(draft: Any, places: dict[int, int]) -> tuple[bytes, list[int | bytes]]:
    """The code of a draft, and what it links to: drafts by their places, else code."""
    assert not draft.constants and not draft._reload_init, "objects of this process"
    linked = draft._linking_libraries
    return draft._final_module.as_bitcode(), [
        places[id(one)] if id(one) in places else one._get_module_for_linking().as_bitcode() for one in linked
    ]


#: All that is compiled here.
lowering = Lowering()
