"""Specialises rules: copies those written against `placeholders.py`, with a game's own functions in their place.

A rule is its code and the things that its names stand for. A copy has the same code, and other things under some of
the names: no source is read or written. What reaches nothing that is replaced is shared and not copied.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import CellType, FunctionType, ModuleType
from typing import Any

from playmill.engine.compile.reachable import codes
from playmill.engine.lang.rule import is_rule, python_function, rare, rule


class Specialiser:
    """Copies rules in which some things are replaced, wherever they are named, by the rule itself or by one it calls.

    Things are replaced by identity. Constants of a template module are replaced by name, in that module alone.
    """

    def __init__(
        self,
        replaced: Iterable[tuple[object, object]],
        template: ModuleType | None = None,
        constants: Mapping[str, object] | None = None,
    ) -> None:
        # With the old thing beside the new: as long as it lives, nothing else has its identity.
        self._replaced = {id(old): (old, new) for old, new in replaced}
        self._template = template.__dict__ if template is not None else None
        self._constants = constants or {}
        self._copies: dict[int, tuple[object, Any]] = {}

    def replace(self, old: object, new: Any) -> None:
        """Registers a replacement; if it is a rule it is specialised itself."""
        self._replaced[id(old)] = (old, self.rule(new) if is_rule(new) else new)

    def rule(self, function: Callable[..., Any]) -> Any:
        """The specialised rule, to be called by other rules; the rule itself if nothing it reaches is replaced."""
        plain = python_function(function)
        if id(plain) not in self._copies:
            self._copies[id(plain)] = (plain, function)  # met again while it is copied, it calls itself
            copy = self.function(function)
            if copy is not plain:
                mark = rare if getattr(function, "is_rare", False) else rule
                self._copies[id(plain)] = (plain, mark(copy))
        return self._copies[id(plain)][1]

    def function(self, function: Callable[..., Any]) -> FunctionType:
        """The specialised plain function, to be compiled in whichever way; itself if nothing it reaches is replaced."""
        plain = python_function(function)
        constants = self._constants if plain.__globals__ is self._template else {}
        wanted = {name for code in codes(plain.__code__) for name in code.co_names}
        names = {name: plain.__globals__[name] for name in wanted if name in plain.__globals__}
        changed = {name: constants[name] if name in constants else self._thing(thing) for name, thing in names.items()}
        cells = [cell.cell_contents for cell in plain.__closure__ or ()]
        things = [self._thing(thing) for thing in cells]
        if all(changed[name] is thing for name, thing in names.items()) and all(map(_is, cells, things)):
            return plain
        space = {**changed, "__name__": plain.__module__}
        closure = tuple(map(CellType, things)) or None
        copy = FunctionType(plain.__code__, space, plain.__name__, plain.__defaults__, closure)
        copy.__qualname__, copy.__doc__, copy.__kwdefaults__ = plain.__qualname__, plain.__doc__, plain.__kwdefaults__
        copy.__annotations__ = plain.__annotations__
        return copy

    def _thing(self, thing: Any) -> Any:
        """The replacement of something that a rule names."""
        if id(thing) in self._replaced:
            return self._replaced[id(thing)][1]
        return self.rule(thing) if is_rule(thing) else thing


def _is(one: object, other: object) -> bool:
    return one is other
