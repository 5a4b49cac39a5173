"""`@rule`: marks a plain Python function that runs interpreted, compiled for the CPU, and on a GPU."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Mapping
from functools import update_wrapper
from importlib import import_module
from threading import RLock
from typing import Any, TypeVar, cast

import numpy as np

from playmill.engine.lang.compiler import OPTIONS, is_known, is_off
from playmill.engine.lang.record import from_front

F = TypeVar("F", bound=Callable[..., Any])

#: In place of a player in `observe` and `conceal`: a spectator, who sees what everybody sees and holds nothing.
SPECTATOR = -1

#: The interpreter's stand-ins for things only the compiler understands.
_stand_ins: dict[int, Callable[..., Any]] = {}
_MAKING = RLock()


class Rule:
    """A rule function. Numba, slow to import, is imported only when the rule is compiled or called."""

    #: Whether calls of it, by other rules, pass all integers as int64: else each width and literal is compiled anew.
    widens = True

    def __init__(self, function: Callable[..., Any], *, rare: bool = False) -> None:
        update_wrapper(self, function)
        self.py_func = function
        self.targetoptions = OPTIONS
        #: Whether it is called, and never copied into its callers.
        self.is_rare = rare
        self._made: Any = None

    @property
    def made(self) -> Any:
        """Numba's dispatcher for the rule."""
        with _MAKING:
            if self._made is None:
                self._made = self._make()
        return self._made

    def _make(self) -> Any:
        return self._make_of(self.py_func)

    def _make_of(self, function: Callable[..., Any]) -> Any:
        made = by_compiler(function)
        made.is_rare, made.widens = self.is_rare, self.widens
        if self.widens:
            _resolve_wide(made)
        return made

    @property
    def _numba_type_(self) -> Any:
        """The type by which Numba sees it in other rules."""
        return self.made._numba_type_

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Runs it as compiled code."""
        return self.made(*args, **named)

    def __getattr__(self, name: str) -> Any:
        """All else that can be asked of what the compiler makes."""
        if name.startswith("_"):
            raise AttributeError(f"a rule has no {name!r}")
        return getattr(self.made, name)

    def __get__(self, owner: Any, kind: type | None = None) -> Any:
        return self if owner is None else types.MethodType(self, owner)

    def __repr__(self) -> str:
        return f"<rule {self.py_func.__module__}.{self.py_func.__qualname__}>"

    def __reduce__(self) -> str:
        return self.py_func.__qualname__

    def __copy__(self) -> Rule:
        return self

    def __deepcopy__(self, memo: object) -> Rule:
        return self


def rule(function: F) -> F:
    """Marks a function of the rules: plain integers in, no allocation, no exceptions, no Python objects."""
    return function if is_off() else cast(F, Rule(function))


def rare(function: F) -> F:
    """Marks a rarely called rule: it is never inlined into its callers, which stay small and fast."""
    return function if is_off() else cast(F, Rule(function, rare=True))


def _resolve_wide(made: Any) -> None:
    """Has calls of a compiled rule resolved for wide integers, to a draft where those are known to work."""
    resolve = made.get_call_template
    drafts: Any = import_module("playmill.engine.compile.whole_program") if is_known() else None

    def get_call_template(args: Any, kws: Any) -> Any:
        args, kws = [wide(kind) for kind in args], {name: wide(kind) for name, kind in kws.items()}
        if drafts is not None:
            drafts.draft(made, tuple(made.fold_argument_types(args, kws)[1]))
        template = resolve(args, kws)
        if made.is_rare and drafts is None:
            for compiled in made.overloads.values():
                _keep_apart(compiled)
        return template

    made.get_call_template = get_call_template


def _keep_apart(compiled: Any) -> None:
    """Asks LLVM not to inline a compiled function; Numba has no option for it."""
    linked = getattr(compiled.library, "_get_module_for_linking", None)
    for function in linked().functions if linked else ():
        if function.name == compiled.fndesc.mangled_name and not function.is_declaration:
            function.add_function_attribute("noinline")


def wide(kind: Any) -> Any:
    """The type in which a rule takes an argument of this one: int64 for all integers but words."""
    kinds: Any = import_module("numba.core.types")
    kind = kinds.unliteral(kind)
    return kinds.int64 if isinstance(kind, kinds.Integer) and kind != kinds.uint64 else kind


def by_compiler(function: Callable[..., Any], **more: Any) -> Any:
    """Numba's compiled function, made whole (see `whole_program.py`) where that is known to work."""
    numba: Any = import_module("numba")
    if is_known():
        drafts: Any = import_module("playmill.engine.compile.whole_program")
        more = {"pipeline_class": drafts.Rooting, **more}
    return numba.njit(**OPTIONS, **more)(function)


def python_function(function: Callable[..., Any]) -> types.FunctionType:
    """The plain Python function behind a rule."""
    return cast(types.FunctionType, getattr(function, "py_func", function))


def is_rule(value: object) -> bool:
    """Whether a value was made by `@rule` (with the compiler switched off a rule is a plain function)."""
    if isinstance(value, Rule) or (isinstance(value, types.FunctionType) and is_off()):
        return True
    compiler: Any = sys.modules.get("numba.core.dispatcher")  # as long as it is not there it has made nothing
    return compiler is not None and isinstance(value, compiler.Dispatcher)


class Interpreter:
    """Runs rules in the Python interpreter, with chosen functions replaced by others."""

    def __init__(self, instead: Mapping[Callable[..., Any], Callable[..., Any]] | None = None) -> None:
        # With the rules themselves: as long as they live, nothing else has their identity.
        self._instead = {id(one): (one, other) for one, other in (instead or {}).items()}
        self._namespaces: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
        self._cells: dict[int, tuple[types.CellType, types.CellType]] = {}

    def twin(self, function: F) -> F:
        """The same rule, and every rule it calls, run by the interpreter."""
        plain = python_function(function)
        space = self._namespace(plain.__globals__)
        cells = plain.__closure__ and tuple(self._twin_of_cell(cell) for cell in plain.__closure__)
        twin = types.FunctionType(plain.__code__, space, plain.__name__, plain.__defaults__, cells)
        twin.__kwdefaults__ = plain.__kwdefaults__
        return cast(F, twin)

    def _namespace(self, source: dict[str, Any]) -> dict[str, Any]:
        """A copy of a module's globals in which every rule is replaced by its interpreted twin."""
        if id(source) not in self._namespaces:
            twins = dict(source)
            # With the source itself: as long as it lives, no other namespace has its identity.
            self._namespaces[id(source)] = (source, twins)
            twins.update((name, self._twin(value)) for name, value in source.items())
        return self._namespaces[id(source)][1]

    def _twin_of_cell(self, cell: types.CellType) -> types.CellType:
        if id(cell) not in self._cells:
            made = types.CellType()
            self._cells[id(cell)] = (cell, made)
            try:
                made.cell_contents = self._twin(cell.cell_contents)
            except ValueError:  # nothing in it yet
                del self._cells[id(cell)]
        return self._cells[id(cell)][1] if id(cell) in self._cells else cell

    def _twin(self, value: Any) -> Any:
        if id(value) in self._instead:
            return self._instead[id(value)][1]
        if id(value) in _stand_ins:
            return _stand_ins[id(value)]
        if isinstance(value, np.ndarray) and not value.dtype.names:
            return from_front(value)
        return self.twin(value) if is_rule(value) else value


_usual = Interpreter()


def interpreted(function: F) -> F:
    """The same rule, and every rule it calls, run by the Python interpreter."""
    return _usual.twin(function)


def stand_in(word: Any, instead: Callable[..., Any]) -> Any:
    """Registers what the interpreter calls in place of an intrinsic of the compiler."""
    _stand_ins[id(word)] = instead
    return word


class Word:
    """A compiler intrinsic: generates the code of a call from the types of its arguments."""

    def __init__(self, typed: Callable[..., Any]) -> None:
        #: The types of such a call, and the code for it.
        self._defn = typed
        self._type: Any = None

    @property
    def _numba_type_(self) -> Any:
        """As what the compiler meets it in rules."""
        with _MAKING:
            if self._type is None:
                templates: Any = import_module("numba.core.typing.templates")
                kinds: Any = import_module("numba.core.types")
                self._type = kinds.Function(templates.make_intrinsic_template(self, self._defn, self._defn.__name__))
        return self._type

    def __copy__(self) -> Word:
        return self

    def __deepcopy__(self, memo: object) -> Word:
        return self


def record_at(dtype: np.dtype[np.void]) -> Any:
    """Intrinsic: the record of a type at an address. The interpreter is handed an array with the record."""

    def typed(typingctx: Any, address: Any) -> Any:
        numba: Any = import_module("numba")
        kind = numba.from_dtype(dtype)

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(numba.int64), code

    return stand_in(Word(typed), lambda tables: tables[0])


def local_array(dtype: np.dtype[Any], size: int) -> Any:
    """Intrinsic: an array on the stack of the calling rule, with whatever lay there before; gone when it returns.

    The interpreter allocates it.
    """
    # Plain things, whose changes a fingerprint notices.

    def typed(typingctx: Any) -> Any:
        numba: Any = import_module("numba")
        kind = numba.types.Array(numba.from_dtype(dtype), 1, "C")

        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            ir: Any = import_module("llvmlite.ir")
            element, whole = context.get_data_type(kind.dtype), context.get_value_type(numba.types.intp)
            with builder.goto_entry_block():
                room = builder.alloca(ir.ArrayType(element, size))
            array = context.make_array(kind)(context, builder)
            pair = ir.ArrayType(whole, 1)
            array.data = builder.bitcast(room, element.as_pointer())
            array.nitems, array.itemsize = whole(size), whole(dtype.itemsize)
            array.shape, array.strides = pair([whole(size)]), pair([whole(dtype.itemsize)])
            array.meminfo = array.parent = ir.Constant(ir.IntType(8).as_pointer(), None)
            return array._getvalue()

        return kind(), code

    return stand_in(Word(typed), lambda: np.zeros(size, dtype))


def _compiler_word(instead: Callable[[int], int], result: str, argument: str, emit: Callable[[Any, Any], Any]) -> Any:
    """One machine instruction for the compiler, with the Python function that does the same."""

    def typed(typingctx: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        numba: Any = import_module("numba")
        return getattr(numba, result)(getattr(numba, argument)), code

    return stand_in(Word(typed), instead)


def _count_trailing_zeros(builder: Any, value: Any) -> Any:
    from llvmlite import ir

    return builder.cttz(value, ir.Constant(ir.IntType(1), 1))


#: The number of the lowest set bit of a mask that is not zero.
lowest_bit = _compiler_word(lambda mask: (mask & -mask).bit_length() - 1, "int64", "int64", _count_trailing_zeros)
#: How many bits of a mask that is not negative are set.
bit_count = _compiler_word(lambda mask: mask.bit_count(), "int64", "int64", lambda builder, value: builder.ctpop(value))
#: An integer as an unsigned 64-bit word, and back: mixing the two kinds would make the compiler use floats.
as_word = _compiler_word(lambda value: value & 0xFFFFFFFFFFFFFFFF, "uint64", "int64", lambda builder, value: value)
as_int = _compiler_word(
    lambda value: value - 2**64 if value >> 63 else value, "int64", "uint64", lambda builder, value: value
)
