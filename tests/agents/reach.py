"""What code can get hold of that has been handed an object: everything its references lead to."""

from __future__ import annotations

import gc
import random
import sys
import weakref
from collections.abc import Iterable, Iterator
from types import CodeType, FrameType, ModuleType
from typing import Any

import numpy as np

#: What is the same for everybody who can import it.
_COMMON = (ModuleType, type, CodeType)


def reached(roots: Iterable[Any]) -> Iterator[Any]:
    """Every object that references lead to, but for modules, classes and code; frames by their variables."""
    modules = {id(vars(module)) for module in list(sys.modules.values()) if isinstance(module, ModuleType)}
    found: dict[int, Any] = {}
    waiting = list(roots)[::-1]
    while waiting:
        thing = waiting.pop()
        # Of a proxy whose object is gone nothing can be asked, not even what it is.
        if (
            id(thing) in found
            or id(thing) in modules
            or type(thing) in weakref.ProxyTypes
            or isinstance(thing, _COMMON)
        ):
            continue
        found[id(thing)] = thing
        yield thing
        waiting.extend(reversed(_next(thing)))


def _next(thing: Any) -> list[Any]:
    if isinstance(thing, FrameType):
        return [thing.f_back, thing.f_locals]
    if isinstance(thing, np.ndarray):
        return [thing.base, *(thing.ravel().tolist() if thing.dtype == object else ())]
    if isinstance(thing, weakref.ref):
        return [thing()]
    if isinstance(thing, (set, frozenset)):
        return sorted(thing, key=repr)
    if isinstance(thing, random.Random):
        return [thing.getstate()]
    if isinstance(thing, np.void):
        return [thing.base]
    return gc.get_referents(thing)


def text_of(roots: Iterable[Any]) -> str:
    """All that is within reach, written down: the same text means that nothing there tells the one from the other."""
    return "\n".join(map(_line, reached(roots)))


def _line(thing: Any) -> str:
    name = type(thing).__name__
    if isinstance(thing, (str, bytes, bytearray, int, float, bool, np.generic)) or thing is None:
        return f"{name} {thing!r}"
    if isinstance(thing, np.ndarray):
        return f"{name} {thing.dtype} {thing.tobytes().hex()}"
    return name
