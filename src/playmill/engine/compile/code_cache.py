"""Disk cache of Numba's compiled code, in place of Numba's own: read only if this user wrote it and its hash matches.

Numba's cache loads whatever lies in its folder: a changed byte there crashes the process, and another user's file is
executed. Here an entry point gets a `DiskCache` (see `disk_cache.py`) instead.
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

from playmill.engine.compile.disk_cache import DiskCache

#: The compiler has no types.
_compiler: Any = compiler
_config: Any = config
_serialize: Any = serialize
_runtime: Any = nrt.rtsys


@dataclass(frozen=True)
class Target:
    """Serialises and rebuilds the code of one kind of machine."""

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


def keep_code(entry_point: Any, disk_cache: DiskCache, target: Target = CPU, *, name: str = "") -> None:
    """Makes a compiled function load its machine code from a disk cache, and save it there once compiled."""
    entry_point._cache = _KeptCode(name or entry_point.py_func.__qualname__, disk_cache, target)


class _KeptCode(NullCache):
    """Numba's cache interface over a `DiskCache`."""

    def __init__(self, name: str, disk_cache: DiskCache, target: Target) -> None:
        self._name = name
        self._disk_cache = disk_cache
        self._target = target

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for arguments of these types; None means: compile it."""
        with self._target.while_loading():
            self._target.made_ready(target_context)
            content = self._disk_cache.read(self._file(sig, target_context))
            if content is None:
                return None
            try:
                return self._target.put_together(target_context, _serialize.loads(content))
            except Exception:  # whole and ours, but not for this machine: as many errors as there are ways
                self._disk_cache.damaged()
                return None

    def save_overload(self, sig: Any, made: Any) -> None:
        """Keeps the code just compiled for arguments of these types."""
        if not self._target.can_be_kept(made):
            self._disk_cache.cannot_keep("it holds addresses of this process", "в нём адреса этого процесса")
            return
        content = _serialize.dumps(self._target.taken_apart(made))
        self._disk_cache.write(self._file(sig, made.target_context), content)

    def _file(self, sig: Any, context: Any) -> str:
        """The name for these argument types on this processor."""
        key = repr((sig, context.codegen().magic_tuple(), _config.USING_SVML))
        return f"{self._name}-{hashlib.sha256(key.encode()).hexdigest()[:20]}"
