"""Machine code kept on disk: what the compiler made of a root, found again by the next process that asks for it.

The compiler has a cache of its own, which loads whatever lies in its folder: a changed byte there crashes the process,
and another user's file is executed. Here a root gets a shelf (see `disk_cache.py`) instead.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from numba.core import compiler, config, serialize
from numba.core.caching import NullCache
from numba.core.runtime import nrt

from playmill.engine.compile.disk_cache import Shelf

#: The compiler has no types.
_compiler: Any = compiler
_config: Any = config
_serialize: Any = serialize
_runtime: Any = nrt.rtsys


@dataclass(frozen=True)
class Target:
    """How the code of one kind of machine is taken apart into plain data and put together again."""

    taken_apart: Callable[[Any], Any]
    put_together: Callable[[Any, Any], Any]
    can_be_kept: Callable[[Any], bool]
    made_ready: Callable[[Any], None] = lambda context: context.refresh()
    while_loading: Callable[[], AbstractContextManager[Any]] = nullcontext


CPU = Target(
    lambda made: made._reduce(),
    lambda context, parts: _compiler.CompileResult._rebuild(context, *parts),
    # Addresses of this very process may be in it, such as those of very large arrays.
    lambda made: not made.lifted and not made.library.has_dynamic_globals,
    # All else that a compiler needs to know takes half a second to load, and code that is there needs no compiler.
    _runtime.initialize,
)


def keep_code(root: Any, shelf: Shelf, target: Target = CPU) -> None:
    """From now on a root looks for its machine code on a shelf before it is compiled, and puts it there after."""
    root._cache = _KeptCode(root.py_func.__qualname__, shelf, target)


class _KeptCode(NullCache):
    """What a compiled function asks for its code, in the compiler's own words."""

    def __init__(self, name: str, shelf: Shelf, target: Target) -> None:
        self._name = name
        self._shelf = shelf
        self._target = target

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for arguments of these types; None means: compile it."""
        with self._target.while_loading():
            self._target.made_ready(target_context)
            content = self._shelf.read(self._file(sig, target_context))
            if content is None:
                return None
            try:
                return self._target.put_together(target_context, _serialize.loads(content))
            except Exception:  # whole and ours, but not for this machine: as many errors as there are ways
                self._shelf.damaged()
                return None

    def save_overload(self, sig: Any, made: Any) -> None:
        """Keeps the code just compiled for arguments of these types."""
        if not self._target.can_be_kept(made):
            self._shelf.cannot_keep("it holds addresses of this process", "в нём адреса этого процесса")
            return
        content = _serialize.dumps(self._target.taken_apart(made))
        self._shelf.write(self._file(sig, made.target_context), content)

    def _file(self, sig: Any, context: Any) -> str:
        """The name for these argument types on this processor."""
        key = repr((sig, context.codegen().magic_tuple(), _config.USING_SVML))
        return f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:20]}"
