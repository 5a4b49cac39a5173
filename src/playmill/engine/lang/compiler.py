"""Facts about Numba without importing it: version, settings and options. The import is slow; cached code needs none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

#: What rules are compiled with. Reference counting is off: rules allocate nothing, and counting the arrays they pass on
#: took a third of their time.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}

#: Versions of Numba that `whole_program.py` and `entry_points.py`, which lean on how it works inside, were tried with.
_TRIED = ("0.68",)
#: What is done there besides what Numba does, by name: part of what compiled code is known by.
_PASSES = (
    "linked until nothing is lacking",
    "places_from_front, also in tuples",
    "entered by few lines of our own",
    "named by cache",
    "lowered after typing, without needless passes",
)

_CONFIG = "numba.core.config"
#: Where Numba looks for settings besides the environment, from where it is started.
_FILE = ".numba_config.yaml"
_PREFIX = "NUMBA_"
#: Prefix of the settings that concern the GPU compiler.
_OF_THE_GPU = "CUDA_"
#: Settings of the compiler that decide where it works and what it prints, not what it makes.
_NO_MATTER = frozenset(
    {
        "CACHE_DIR",
        "CACHE_LOCATOR_CLASSES",
        "COLOR_SCHEME",
        "DEBUG_CACHE",
        "DEFAULT_NUM_THREADS",
        "DISABLE_JIT",
        "DISABLE_PERFORMANCE_WARNINGS",
        "FULL_TRACEBACKS",
        "GDB_BINARY",
        "NUMBA_DEFAULT_NUM_THREADS",
        "NUMBA_NUM_THREADS",
        "NUM_THREADS",
        "SHOW_HELP",
        "THREADING_LAYER",
        "THREADING_LAYER_PRIORITY",
    }
)


def is_off() -> bool:
    """Whether compiling is switched off (NUMBA_DISABLE_JIT): then the interpreter runs all rules."""
    if (settings := _loaded()) is not None or Path(_FILE).exists():
        return bool((settings or import_module(_CONFIG)).DISABLE_JIT)
    try:
        return bool(int(os.environ.get(f"{_PREFIX}DISABLE_JIT", "0")))
    except ValueError:
        return False


def _loaded() -> Any:
    """Numba's settings, if it is imported; another thread may be about to import it, which is waited for."""
    return import_module(_CONFIG) if _CONFIG in sys.modules else None


@cache
def version() -> str:
    """The version of Numba."""
    found = find_spec("numba")
    if found is not None and found.origin is not None:
        # What `importlib.metadata` would find, which takes longer to import than all else that is done here.
        beside = [folder.name for folder in Path(found.origin).parents[1].glob("numba-*.dist-info")]
        if len(beside) == 1:
            return beside[0].removeprefix("numba-").removesuffix(".dist-info")
    from importlib import metadata

    try:
        return metadata.version("numba")
    except metadata.PackageNotFoundError:
        return str(import_module("numba").__version__)


def is_known() -> bool:
    """Whether this version of Numba is one whose internals we rely on."""
    return version().rpartition(".")[0] in _TRIED


def passes() -> tuple[str, ...]:
    """Names of the compiler passes we add to those of Numba."""
    return _PASSES if is_known() else ()


def settings() -> Iterator[object]:
    """Settings of Numba that affect generated code: from the environment, from its file, and changed since."""
    named = {name.removeprefix(_PREFIX): value for name, value in os.environ.items() if name.startswith(_PREFIX)}
    yield sorted((name, value) for name, value in named.items() if _matters(name))
    yield Path(_FILE).read_bytes() if Path(_FILE).is_file() else b""
    if (loaded := _loaded()) is not None:
        now = _named(loaded)
        yield from ((name, now.get(name)) for name, value in _named(_as_imported()).items() if now.get(name) != value)


def gpu_settings() -> list[tuple[str, object]]:
    """Settings of the compiler that only GPU code depends on; they change when `numba.cuda` is imported."""
    return [(name, value) for name, value in _all(import_module(_CONFIG)) if name.startswith(_OF_THE_GPU)]


def _matters(name: str) -> bool:
    return name not in _NO_MATTER and not name.startswith(_OF_THE_GPU)


def _named(module: ModuleType) -> dict[str, object]:
    return {name: value for name, value in _all(module) if _matters(name)}


def _all(module: ModuleType) -> Iterator[tuple[str, object]]:
    """All settings that can be told, by name."""
    for name, value in sorted(vars(module).items()):
        if name.isupper() and isinstance(value, (int, float, str, tuple, type(None))):
            yield (name, value)


def _as_imported() -> ModuleType:
    """The settings as Numba would find them if it were imported now."""
    spec = find_spec(_CONFIG)
    assert spec is not None and spec.loader is not None
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made
