"""Entry points: rules that Python calls, by the address of their machine code and with nothing but numbers.

For arguments of some kinds an entry point gets *machine code*: a function of whole numbers with the C calling
convention, in which an array is its address and its shape. So it needs nothing of the compiler to run, and once it is
cached on disk (see `disk_cache.py`), nothing of the compiler is imported to load it. Where that cannot be (another
version of the compiler, an array with gaps, code that calls for its help) an entry point goes the compiler's ordinary
way, see `code_cache.py`.
"""

from __future__ import annotations

import ast
import ctypes
import gc
import hashlib
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache, lru_cache
from importlib import import_module
from threading import RLock
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

from playmill.engine.compile.disk_cache import DiskCache
from playmill.engine.compile.object_loader import load_object, processor
from playmill.engine.compile.python_calls import FOR_PYTHON, function_at, knows_arrays
from playmill.engine.compile.reachable import layout
from playmill.engine.compile.syntax import call, definition, function_of, name
from playmill.engine.lang.compiler import is_known, is_off
from playmill.engine.lang.rule import Rule, Word, by_compiler

F = TypeVar("F", bound=Callable[..., Any])
_MAKING = RLock()
#: Numbers in LLVM's words, and what an array's flags say.
_WORDS = {int: "i64", float: "double"}
_C_ORDER, _ALIGNED = 0x1, 0x100
#: In place of machine code: that this entry point goes the ordinary way.
_ORDINARY = b"the ordinary way"


class ArrayKind:
    """What compiled code must know of a contiguous array beside its address and shape; instances are unique."""

    def __init__(self, dtype: np.dtype[Any], dimensions: int) -> None:
        self.dtype, self.dimensions = dtype, dimensions


array_kind = cache(ArrayKind)

#: An array, or a number: whole, or not.
ArgumentKind = ArrayKind | type[int] | type[float]


@lru_cache(maxsize=1024)
def _kind_of_array(dtype: np.dtype[Any], dimensions: int, flags: int) -> ArrayKind | None:
    """The kind of an array with these flags; None if it has gaps, or holds anything but numbers."""
    fits = flags & _C_ORDER and flags & _ALIGNED and not dtype.hasobject
    return array_kind(dtype, dimensions) if fits else None


def kinds_of(args: Sequence[Any]) -> tuple[ArgumentKind, ...] | None:
    """The kinds of arguments; None if machine code cannot take them."""
    kinds: list[ArgumentKind] = []
    for arg in args:
        kind: ArgumentKind | None = None
        if type(arg) is int:
            kind = int
        elif isinstance(arg, np.ndarray):
            kind = _kind_of_array(arg.dtype, arg.ndim, arg.flags.num)
        elif isinstance(arg, (int, np.integer)):
            kind = int
        elif isinstance(arg, (float, np.floating)):
            kind = float
        if kind is None:
            return None
        kinds.append(kind)
    return tuple(kinds)


class MachineCode:
    """Machine code of an entry point for arguments of some kinds: its addresses, and the function of numbers it is."""

    def __init__(self, address: int, for_python: int, *, answers: bool, alive: object) -> None:
        #: Where it begins, to be called as C calls functions.
        self.address = address
        #: To be called from Python.
        self.function, definition = function_at(for_python)
        self.answers = answers
        self._alive = (alive, definition)


def _size(kind: ArgumentKind) -> int:
    """As how many numbers something is handed over."""
    return 1 + kind.dimensions if isinstance(kind, ArrayKind) else 1


class EntryPoint(Rule):
    """A rule that Python calls, with numbers of any width."""

    widens = False

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._disk_cache: DiskCache | None = None
        self._telling: Callable[[], AbstractContextManager[Any]] = nullcontext
        #: Its entries, by the kinds of arguments; None where it goes the ordinary way.
        self.entries: dict[tuple[ArgumentKind, ...], MachineCode | None] = {}
        self._compilations = 0

    def keep(self, disk_cache: DiskCache, telling: Callable[[], AbstractContextManager[Any]] = nullcontext) -> None:
        """Makes it load its machine code from a disk cache; `telling` is the context in which it compiles."""
        self._disk_cache, self._telling = disk_cache, telling

    @property
    def is_kept(self) -> bool:
        """Whether it has been compiled before, in whichever process, for some arguments."""
        if any(self.entries.values()) or (self._made is not None and self._made.signatures):
            return True
        return self._disk_cache is not None and self._disk_cache.holds(f"{self.py_func.__qualname__}-")

    @property
    def compiled(self) -> int:
        """How often it was compiled here, and not only loaded."""
        return self._compilations + (sum(self._made.stats.cache_misses.values()) if self._made is not None else 0)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Runs it as compiled code."""
        kinds = None if named or self._disk_cache is None else kinds_of(args)
        entry = None if kinds is None else self.entry(kinds)
        if entry is None:
            return self.made(*args, **named)
        answer = entry.function(*args)
        return answer if entry.answers else None

    def entry(self, kinds: tuple[ArgumentKind, ...]) -> MachineCode | None:
        """Where it is entered with arguments of these kinds; None if it goes the ordinary way."""
        if kinds not in self.entries:
            with _MAKING:
                if kinds not in self.entries:
                    self.entries[kinds] = self._enter(kinds)
        return self.entries[kinds]

    def direct(self, *args: Any) -> Callable[..., Any]:
        """Itself, to be called with things of the same kinds as these and never with others: nobody looks at them."""
        kinds = kinds_of(args)
        entry = None if kinds is None else self.entry(kinds)
        return self if entry is None else entry.function

    def numbers(self, count: int) -> Callable[..., int]:
        """Itself, called with n whole numbers, as quickly as can be."""
        entry = self.entry((int,) * count)
        function: Callable[..., int] = self._ordinary(count).entry_point if entry is None else entry.function
        return function

    def address(self, count: int) -> int:
        """Where its machine code begins, to be called with this many whole numbers as C calls functions."""
        entry = self.entry((int,) * count)
        if entry is not None:
            return entry.address
        made = self._ordinary(count)
        address: int = made.library.get_pointer_to_function(made.fndesc.llvm_cfunc_wrapper_name)
        return address

    def _ordinary(self, count: int) -> Any:
        kinds = (import_module("numba").int64,) * count
        if kinds not in self.made.overloads:
            self.made.compile(kinds)
        return self.made.overloads[kinds]

    def _make(self) -> Any:
        if self._disk_cache is None:
            return super()._make()
        machine_code: Any = import_module("playmill.engine.compile.code_cache")
        made = self._make_of(_renamed(self.py_func, self._disk_cache.name))
        machine_code.keep_code(made, self._disk_cache, name=self.py_func.__qualname__)
        made.compile = self._told(made.compile)
        made._compile_for_args = self._told(made._compile_for_args)
        return made

    def _told(self, compile_for: Callable[..., Any]) -> Callable[..., Any]:
        def compile_telling(*args: Any, **named: Any) -> Any:
            with self._telling(), _nothing_collected():
                return compile_for(*args, **named)

        return compile_telling

    @property
    def _answers(self) -> bool | None:
        """Whether it says that it returns a whole number, or that it returns nothing; None if it does not say."""
        return {int: True, "int": True, None: False, "None": False}.get(self.py_func.__annotations__.get("return", ...))

    def _enter(self, kinds: tuple[ArgumentKind, ...]) -> MachineCode | None:
        answers = self._answers
        if self._disk_cache is None or answers is None or not _is_possible():
            return None
        name = f"{self.py_func.__qualname__}-{_key(kinds)}"
        content = self._disk_cache.read(name)
        if content == _ORDINARY:
            return None
        if content is not None:
            try:
                return load(content, answers=answers)
            except (RuntimeError, ValueError):  # whole and ours, but not for this machine
                self._disk_cache.damaged()
        with self._telling(), _nothing_collected():
            library, symbol = self._compile(kinds, answers=answers)
        self._compilations += 1
        if library.has_dynamic_globals:
            self._disk_cache.cannot_keep("it holds addresses of this process", "в нём адреса этого процесса")
        elif _stands_alone(library):
            symbol_name = symbol.encode()
            code = library._get_compiled_object()
            self._disk_cache.write(name, len(symbol_name).to_bytes(4, "big"), symbol_name, code)
        else:
            self._disk_cache.write(name, _ORDINARY)
        addresses = [library.get_pointer_to_function(name) for name in (symbol, FOR_PYTHON + symbol)]
        return MachineCode(*addresses, answers=answers, alive=library)

    def _compile(self, kinds: tuple[ArgumentKind, ...], *, answers: bool) -> tuple[Any, str]:
        """The code of an entry for these kinds, and the name under which it is called."""
        numba, drafts = import_module("numba"), import_module("playmill.engine.compile.whole_program")
        handed = tuple(kind.dimensions if isinstance(kind, ArrayKind) else _WORDS[kind] for kind in kinds)
        inline_deeply()
        entry = _entering(kinds, Rule(self.py_func), answers=answers)
        made = by_compiler(entry, pipeline_class=drafts.entering(handed), no_cpython_wrapper=True)
        numbers = [numba.float64 if kind is float else numba.int64 for kind in kinds for _ in range(_size(kind))]
        made.compile(tuple(numbers))
        (compiled,) = made.overloads.values()
        return compiled.library, compiled.fndesc.llvm_cfunc_wrapper_name


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """Context without garbage collection: what a compiler makes lives until it is done, and is searched in vain."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def entry_point(function: F) -> F:
    """Marks a rule that Python calls, with numbers of any width."""
    return function if is_off() else cast(F, EntryPoint(function))


def _renamed(function: Any, disk_cache: str) -> FunctionType:
    """The same function under a name that nothing in another disk cache has.

    The linker takes functions of one name for one function, and Numba tells them apart by a number that every process
    begins anew: of two agents compiled in two processes, a third would otherwise run one in place of both.
    """
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__, made.__module__ = function.__kwdefaults__, function.__module__
    made.__qualname__ = f"{function.__qualname__}-{disk_cache}"
    return made


def _is_possible() -> bool:
    """Whether entries can be made: by a known compiler, for arrays as they are looked for, in a process whose names
    can be asked for."""
    return os.name == "posix" and is_known() and knows_arrays()


def _entering(kinds: Sequence[ArgumentKind], called: Rule, *, answers: bool) -> FunctionType:
    """A function that takes numbers and calls an entry point: an array is its address and its shape."""
    names: dict[str, Any] = {"called": called, "whole": np.int64}
    taken: list[str] = []
    given: list[ast.expr] = []
    for place, kind in enumerate(kinds):
        mine = [f"a{place}_{k}" for k in range(_size(kind))]
        taken += mine
        if isinstance(kind, ArrayKind):
            names[f"array_{place}"] = array_at(kind)
            shape = ast.Tuple([name(length) for length in mine[1:]], ast.Load())
            given.append(call(f"array_{place}", name(mine[0]), shape))
        else:
            given += map(name, mine)
    asked = call("called", *given)
    answer = call("whole", asked if answers else ast.Constant(0))
    body = [*([] if answers else [ast.Expr(asked)]), ast.Return(answer)]
    return function_of(definition("entry", taken, body), {**names, "__name__": "playmill_compiled.entry"})


def array_at(kind: ArrayKind) -> Word:
    """Intrinsic: the array of a kind at an address, in a shape."""
    dtype, dimensions = kind.dtype, kind.dimensions  # plain things, whose changes a fingerprint notices

    def typed(typingctx: Any, address: Any, shape: Any) -> Any:
        numba: Any = import_module("numba")
        arrays: Any = import_module("numba.np.arrayobj")
        made = numba.types.Array(numba.from_dtype(dtype), dimensions, "C")

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            ir: Any = import_module("llvmlite.ir")
            array = arrays.make_array(made)(context, builder)
            size = ir.IntType(64)
            width = ir.Constant(size, dtype.itemsize)
            lengths = [builder.extract_value(arguments[1], place) for place in range(dimensions)]
            strides = [width]
            for length in reversed(lengths[1:]):
                strides.insert(0, builder.mul(strides[0], length))
            data = builder.inttoptr(arguments[0], context.get_data_type(made.dtype).as_pointer())
            arrays.populate_array(array, data=data, shape=lengths, strides=strides, itemsize=width, meminfo=None)
            return array._getvalue()

        return made(address, shape), code

    return Word(typed)


@cache
def inline_deeply() -> None:
    """Lets LLVM put a game's rules into one piece: calls between them cost as much as the rules themselves."""
    import_module("llvmlite.binding").set_option("playmill", INLINING)


#: How deeply.
INLINING = "-inline-threshold=2000"


def _stands_alone(library: Any) -> bool:
    """Whether code calls nothing but what every process has: neither the compiler's helpers nor Python's."""
    process = ctypes.CDLL(None)
    module = library._final_module
    wanted = [function.name for function in module.functions if function.is_declaration]
    wanted += [variable.name for variable in module.global_variables if variable.is_declaration]
    return all(name.startswith("llvm.") or hasattr(process, name) for name in wanted)


def _key(kinds: Sequence[ArgumentKind]) -> str:
    """Cache key of machine code: the kinds of its arguments, and the processor."""
    described = [
        (layout(kind.dtype), kind.dimensions) if isinstance(kind, ArrayKind) else kind.__name__ for kind in kinds
    ]
    return hashlib.sha256(repr((described, processor())).encode()).hexdigest()[:20]


def load(content: bytes, *, answers: bool) -> MachineCode:
    """Loads cached machine code."""
    size = int.from_bytes(content[:4], "big")
    name, code = content[4 : 4 + size].decode(), content[4 + size :]
    addresses, alive = load_object(code, [name, FOR_PYTHON + name])
    return MachineCode(*addresses, answers=answers, alive=alive)
