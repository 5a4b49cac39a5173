"""Hashes everything the compiler can see of a rule: constants, called rules, and the modules they come from.

The compiler turns whatever a rule can name into constants: globals, defaults of arguments, variables of a closure,
names of modules inside modules, members of enums, fields of tuples. So the walk follows *values* as they are now, be
they from the source, from a data file, from the environment or put there by hand, and notes the instructions of each
function. What it cannot follow it refuses: nobody could tell when that has changed.
"""

from __future__ import annotations

import dis
import hashlib
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, EnumMeta
from functools import partial
from typing import Any

import numpy as np

from playmill.engine.errors.located import RuleMistakeError
from playmill.engine.lang.rule import is_rule, python_function
from playmill.engine.lint.forbidden import forbidden_call
from playmill.texts import PlaymillError, Text

#: Packages that change only with their version, which the fingerprint of compiled code holds.
_BY_VERSION = frozenset(sys.stdlib_module_names) | {"numpy", "numba", "numba_cuda", "llvmlite"}
_PLAIN: tuple[Any, ...] = (type(None), type(...), bool, int, float, complex, str, bytes, range, slice)
_MISSING = object()


class ReachableValues:
    """Walks over functions and hashes what they reach, in an order that depends on names alone."""

    def __init__(self, *, compiled: bool = False) -> None:
        #: Whether to refuse what the compiler could use, but only by ways that cannot be followed.
        self._compiled = compiled
        #: Of the values: the same on every machine and for every version of Python.
        self.values = hashlib.sha256()
        #: Of the instructions, which differ between versions of Python.
        self.instructions = hashlib.sha256()
        #: Modules of the functions and classes on the way that are not known by their version.
        self.modules: dict[str, types.ModuleType] = {}
        self._numbers: dict[int, int] = {}
        self._alive: list[object] = []
        self._queue: list[tuple[types.FunctionType, bool]] = []
        self._arrays: dict[int, bytes] = {}
        self._inside: list[object] = []
        self._names: list[str] = []
        self._at: types.FunctionType | None = None
        self._of_compiled = False

    def follow(self, function: Callable[..., Any]) -> None:
        """Walks from one function to all it reaches."""
        if not isinstance(python_function(function), types.FunctionType):
            raise PlaymillError(f"{function!r} is no rule", f"{function!r} — не правило")
        self._function(function, python_function(function), self._compiled)
        while self._queue:
            self._walk(*self._queue.pop(0))

    def note(self, *words: object) -> None:
        """Adds words that stand for themselves."""
        for word in words:
            text = repr(word).encode()
            self.values.update(b"%d:%s" % (len(text), text))

    def _walk(self, function: types.FunctionType, compiled: bool) -> None:
        self._of_compiled = compiled
        self.note("walk", self._numbers[id(function)])
        add_code(self.instructions, function.__code__)
        self._names = sorted({name for code in codes(function.__code__) for name in code.co_names})
        self._at = function
        for name, default in self._defaults(function):
            self.note("default", name)
            self.value(default)
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
            self.note("cell", name)
            self._named(name, _content(cell), "LOAD_DEREF")
        for name in self._names:
            if name in function.__globals__:
                self.note("global", name)
                self._named(name, function.__globals__[name], "LOAD_GLOBAL")
        self._of_compiled = False

    @staticmethod
    def _defaults(function: types.FunctionType) -> Iterator[tuple[str, object]]:
        for place, default in enumerate(function.__defaults__ or ()):
            yield str(place), default
        yield from sorted((function.__kwdefaults__ or {}).items())

    def _named(self, name: str, value: object, way: str) -> None:
        """Follows what a name stands for; one that only looks like a name of the function's may be anything."""
        try:
            self.value(value)
        except _StrangeError as stranger:
            assert self._at is not None
            if not (lines := _asks_for(self._at.__code__, name, way)):
                return
            rule = f"{self._at.__module__}.{self._at.__qualname__}"
            kind = type(stranger.value).__qualname__
            message = Text(
                f"the rule {rule} uses {name!r}, and in it a {kind}, whose changes nobody could notice; rules may use"
                " numbers, texts, tuples, arrays, enums, named tuples and other rules",
                f"правило {rule} использует {name!r}, а там {kind}: его изменений никто бы не заметил; правилам"
                " доступны числа, строки, кортежи, массивы, перечисления, именованные кортежи и другие правила",
            )
            file = self._at.__code__.co_filename
            raise RuleMistakeError(file, lines[0], forbidden_call(value) or message) from None

    def value(self, value: Any) -> None:
        """Hashes a value, with everything in it."""
        if isinstance(value, Enum):
            self.note("member", value.name)
            self._class(type(value))
        elif type(value) in _PLAIN:
            self.note(type(value).__name__, value)
        elif isinstance(value, (np.ndarray, np.generic)):
            self.note(type(value).__name__, _array_kind(value), self._array(value))
        elif isinstance(value, np.dtype):
            self.note("dtype", layout(value))
        elif isinstance(value, types.ModuleType):
            self._module(value)
        elif isinstance(value, type):
            self._class(value)
        elif isinstance(value, _CONTAINERS):
            self._container(value)
        elif isinstance(value, partial):
            self._parts("partial", value.func, value.args, value.keywords)
        elif isinstance(value, types.MethodType):
            self._parts("method", value.__func__, value.__self__)
        elif isinstance(value, (staticmethod, classmethod)):
            self._parts(type(value).__name__, value.__func__)
        elif isinstance(value, property):
            self._parts("property", value.fget, value.fset, value.fdel)
        elif _is_type(value):
            self.note("type", str(value))
        elif base := next((kind for kind in _PLAIN if isinstance(value, kind)), None):
            self.note(base(value))
            self._class(type(value))
        else:
            inside = (getattr(value, name, None) for name in _INSIDE)
            plain = next((found for found in inside if isinstance(found, _FUNCTION)), value)
            if not isinstance(plain, _FUNCTION):
                self._of_a_library(value)
            elif self._of_compiled and plain is value and not by_version(plain.__module__):
                raise _StrangeError(value)  # the compiler knows plain functions only if it was taught them elsewhere
            else:
                self._function(value, plain, is_rule(value))

    def _parts(self, kind: str, *parts: object) -> None:
        self.note(kind, len(parts))
        for part in parts:
            self.value(part)

    def _container(self, value: Any) -> None:
        """Tuples, lists, sets and dicts, of any class that is one of them."""
        if any(value is outer for outer in self._inside):
            self.note("again")
            return
        self.note(len(value))
        self._class(type(value))
        self._inside.append(value)
        try:
            if isinstance(value, (set, frozenset)):
                value = sorted(value, key=lambda item: (type(item).__name__, repr(item)))
            for item in value.items() if isinstance(value, Mapping) else value:
                self.value(item)
        finally:
            self._inside.pop()

    def _array(self, array: Any) -> str:
        if id(array) not in self._arrays:
            digest = hashlib.sha256()
            for part in _bytes_of(np.asarray(array)):
                digest.update(part)
            if np.asarray(array).dtype.hasobject:
                self.value(np.asarray(array).tolist())
            self._arrays[id(array)] = digest.digest()
            self._alive.append(array)
        return self._arrays[id(array)].hex()

    def _module(self, module: types.ModuleType) -> None:
        """A module by its name, and what the present function's names stand for in it."""
        self.note("module", module.__name__)
        if by_version(module.__name__) or any(module is outer for outer in self._inside):
            return
        self.modules[module.__name__] = module
        self._inside.append(module)
        try:
            for name in self._names:
                value = getattr(module, name, _MISSING)
                if value is not _MISSING:
                    self.note("attribute", name)
                    self._named(name, value, "LOAD_ATTR")
        finally:
            self._inside.pop()

    def _class(self, kind: type) -> None:
        """A class by its name; one of ours also by all it holds: members of an enum, fields, constants, methods."""
        self.note("class", kind.__module__, kind.__qualname__)
        if by_version(kind.__module__) or self._met(kind):
            return
        self._own_module(kind.__module__)
        outside, self._of_compiled = self._of_compiled, False  # the compiler makes its own of what a class can do
        self._held(kind)
        self._of_compiled = outside

    def _held(self, kind: type) -> None:
        for base in kind.__bases__:
            self._class(base)
        if isinstance(kind, EnumMeta):
            for name in kind.__members__:
                self.note(name)
                self.value(kind.__members__[name].value)
            return
        for name, value in sorted(vars(kind).items()):
            if name in _HELD or not name.startswith("__"):
                self.note("held", name)
                if not _is_field(value):
                    self.value(value)

    def _function(self, value: Any, plain: types.FunctionType, compiled: bool) -> None:
        """A rule, or a plain function: by its name, and then by all that its code names."""
        if by_version(plain.__module__):
            self.note("function", plain.__module__, plain.__qualname__)
            return
        options = getattr(value, "targetoptions", None)
        self.instructions.update(repr(sorted(options.items()) if options else None).encode())
        met = self._met(plain)
        self.note("function", plain.__module__, plain.__qualname__, self._numbers[id(plain)])
        if not met:
            self._own_module(plain.__module__)
            self._queue.append((plain, compiled and self._compiled))

    def _of_a_library(self, value: Any) -> None:
        home = getattr(value, "__module__", None) or type(value).__module__
        if not callable(value) or not by_version(str(home)):
            raise _StrangeError(value)
        self.note("of a library", home, getattr(value, "__qualname__", None) or getattr(value, "__name__", None))

    def _met(self, thing: object) -> bool:
        """Whether something was met before; if not it gets the next number."""
        if id(thing) in self._numbers:
            return True
        self._numbers[id(thing)] = len(self._numbers)
        self._alive.append(thing)
        return False

    def _own_module(self, name: str) -> None:
        if name in sys.modules:
            self.modules[name] = sys.modules[name]


class _StrangeError(Exception):
    """A value that cannot be followed."""

    def __init__(self, value: object) -> None:
        self.value = value


_FUNCTION = types.FunctionType
#: Where rules, intrinsics, callbacks and memories of functions have the function they were made of.
_INSIDE = ("py_func", "_defn", "_pyfunc", "__wrapped__")
_CONTAINERS = (tuple, list, set, frozenset, dict, types.MappingProxyType)
#: Of what a class holds under names with two underscores, what decides about its objects.
_HELD = frozenset({"__new__", "__init__", "__call__", "__add__", "__sub__", "__mul__", "__eq__", "__lt__", "__len__"})


def _is_field(value: object) -> bool:
    """Whether this is how a class reaches one of its objects' fields: the library's own, and without content."""
    kind = type(value)
    return by_version(kind.__module__) and hasattr(kind, "__set__") and not isinstance(value, property)


def _is_type(value: object) -> bool:
    """Whether this is one of the compiler's types; as long as it is not imported there are none."""
    kinds: Any = sys.modules.get("numba.core.types")
    return kinds is not None and isinstance(value, kinds.Type)


def by_version(module: str) -> bool:
    """Whether a module belongs to a package that changes only with its version."""
    return module.partition(".")[0] in _BY_VERSION


def codes(code: types.CodeType) -> Iterator[types.CodeType]:
    """A piece of code and all the pieces inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from codes(constant)


def add_code(digest: Any, code: types.CodeType) -> None:
    """Hashes the instructions of a piece of code; where it stands and how its lines are numbered does not matter."""
    for part in codes(code):
        constants = [_constant(item) for item in part.co_consts]
        names = (part.co_names, part.co_varnames, part.co_freevars, part.co_cellvars)
        counts = (part.co_argcount, part.co_posonlyargcount, part.co_kwonlyargcount, part.co_flags)
        digest.update(part.co_code + part.co_exceptiontable + repr((constants, names, counts)).encode())


def _constant(item: object) -> str:
    """A constant of the source as text, the same in every process."""
    if isinstance(item, types.CodeType):
        return "code"
    if isinstance(item, frozenset):
        return f"frozenset {sorted(map(_constant, item))}"
    if isinstance(item, tuple):
        return f"tuple {[_constant(part) for part in item]}"
    return f"{type(item).__name__} {item!r}"


def layout(kind: np.dtype[Any]) -> str:
    """A type of NumPy's to the last byte: names, kinds, shapes and places of its fields."""
    if kind.subdtype is not None:
        return f"({layout(kind.subdtype[0])}, {kind.subdtype[1]})"
    if kind.names is None:
        return kind.str
    assert kind.fields is not None
    fields = ", ".join(f"{name}@{kind.fields[name][1]} {layout(kind.fields[name][0])}" for name in kind.names)
    return f"{{{fields}; {kind.itemsize} {kind.isalignedstruct}}}"


def _array_kind(array: Any) -> tuple[object, ...]:
    """What the compiler knows of an array beside its numbers."""
    flags = array.flags
    return (layout(array.dtype), array.shape, flags.c_contiguous, flags.f_contiguous, flags.writeable, flags.aligned)


def _bytes_of(array: Any) -> Iterator[bytes]:
    """The numbers of an array, field by field: what lies between fields is not part of it."""
    if array.dtype.names is not None:
        for name in array.dtype.names:
            yield from _bytes_of(array[name])
    elif not array.dtype.hasobject:
        yield array.tobytes()


def _content(cell: Any) -> object:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def _asks_for(code: types.CodeType, name: str, way: str) -> list[int]:
    """The lines in which code really looks up a name that way; names of fields and of globals are kept in one list."""
    ways = {"LOAD_GLOBAL": ("LOAD_GLOBAL", "LOAD_NAME"), "LOAD_ATTR": ("LOAD_ATTR", "LOAD_METHOD")}.get(way)
    if ways is None:
        return [code.co_firstlineno]
    steps = [step for part in codes(code) for step in dis.get_instructions(part)]
    places = [step.positions for step in steps if step.opname in ways and step.argval == name]
    return [(place.lineno if place is not None else None) or code.co_firstlineno for place in places]
