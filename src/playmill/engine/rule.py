"""`@rule`: one plain Python function that runs interpreted, compiled for the CPU and on a GPU."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher
from numba.extending import intrinsic

from playmill.engine.drafts import USED as DRAFTS
from playmill.engine.drafts import Rooting, draft
from playmill.engine.record import from_front

F = TypeVar("F", bound=Callable[..., Any])

#: Numba's settings come from the environment; its type stubs do not know them.
numba_config: Any = numba.config
numba_types: Any = numba.types
_numba: Any = numba

#: Reference counting is off: rules allocate nothing, and counting the arrays they pass on took a third of their time.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}

#: In place of a player, for whom something is concealed: whoever looks on, knows what everybody sees and holds nothing.
SPECTATOR = -1

#: The interpreter's stand-ins for things only the compiler understands.
_stand_ins: dict[int, Callable[..., Any]] = {}


def rule(function: F) -> F:
    """Marks a function of the rules: plain integers in, no allocation, no exceptions, no Python objects."""
    return cast(F, _widening(_compiled(function)))


def rare(function: F) -> F:
    """Marks a rule off the beaten track: it is called, never copied into its callers, which stay small and fast."""
    made = _widening(_compiled(function))
    if not numba_config.DISABLE_JIT:
        resolve = made.get_call_template

        def get_call_template(args: Any, kws: Any) -> Any:
            template = resolve(args, kws)
            for compiled in made.overloads.values():
                _keep_apart(compiled)
            return template

        made.get_call_template = get_call_template
        made.is_rare = True
    return cast(F, made)


def _keep_apart(compiled: Any) -> None:
    """Asks LLVM not to inline a compiled function; Numba has no option for it."""
    linked = getattr(compiled.library, "_get_module_for_linking", None)
    for function in linked().functions if linked else ():
        if function.name == compiled.fndesc.mangled_name and not function.is_declaration:
            function.add_function_attribute("noinline")


def _widening(made: Any) -> Any:
    """Lets calls of a rule pass all integers as int64: else each width and literal is compiled anew."""
    if not numba_config.DISABLE_JIT:
        resolve = made.get_call_template

        def get_call_template(args: Any, kws: Any) -> Any:
            args, kws = [wide(kind) for kind in args], {name: wide(kind) for name, kind in kws.items()}
            if DRAFTS:
                draft(made, tuple(made.fold_argument_types(args, kws)[1]))
            return resolve(args, kws)

        made.get_call_template = get_call_template
        made.widens = True
    return made


def wide(kind: Any) -> Any:
    """The type in which a rule takes an argument of this one: int64 for all integers but words."""
    kind = numba_types.unliteral(kind)
    return numba_types.int64 if isinstance(kind, numba_types.Integer) and kind != numba_types.uint64 else kind


def root(function: F) -> F:
    """Marks a rule that Python calls, with numbers of any width."""
    return cast(F, _compiled(function))


def _compiled(function: Callable[..., Any]) -> Any:
    """Numba's compiled function, made whole (see `drafts.py`) where that is known to work."""
    return numba.njit(pipeline_class=Rooting if DRAFTS else None, **OPTIONS)(function)


def python_function(function: Callable[..., Any]) -> types.FunctionType:
    """The plain Python function behind a rule."""
    return cast(types.FunctionType, getattr(function, "py_func", function))


def is_rule(value: object) -> bool:
    """Whether a value was made by `@rule` (with the compiler switched off a rule is a plain function)."""
    return isinstance(value, Dispatcher) or (bool(numba_config.DISABLE_JIT) and isinstance(value, types.FunctionType))


class Interpreter:
    """Has rules run by the Python interpreter; for some of them it may take something else, given with each."""

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
    """A word that only the compiler understands, for which the interpreter takes something else; it must live on."""
    _stand_ins[id(word)] = instead
    return word


def record_at(dtype: np.dtype[np.void]) -> Any:
    """For the compiler: the record of a kind at an address. The interpreter is handed an array with the record."""
    kind = _numba.from_dtype(dtype)

    def typed(typingctx: Any, address: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(numba_types.int64), code

    return stand_in(intrinsic(typed), lambda tables: tables[0])


def _compiler_word(instead: Callable[[int], int], result: Any, argument: Any, emit: Callable[[Any, Any], Any]) -> Any:
    """One machine instruction for the compiler, with the Python function that does the same."""

    def typed(typingctx: Any, value: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return emit(builder, arguments[0])

        return result(argument), code

    return stand_in(intrinsic(typed), instead)


def _count_trailing_zeros(builder: Any, value: Any) -> Any:
    from llvmlite import ir

    return builder.cttz(value, ir.Constant(ir.IntType(1), 1))


#: The number of the lowest set bit of a mask that is not zero.
lowest_bit = _compiler_word(
    lambda mask: (mask & -mask).bit_length() - 1, numba_types.int64, numba_types.int64, _count_trailing_zeros
)
#: How many bits of a mask that is not negative are set.
bit_count = _compiler_word(
    lambda mask: mask.bit_count(),
    numba_types.int64,
    numba_types.int64,
    lambda builder, value: builder.ctpop(value),
)
#: An integer as an unsigned 64-bit word, and back: mixing the two kinds would make the compiler use floats.
as_word = _compiler_word(
    lambda value: value & 0xFFFFFFFFFFFFFFFF, numba_types.uint64, numba_types.int64, lambda builder, value: value
)
as_int = _compiler_word(
    lambda value: value - 2**64 if value >> 63 else value,
    numba_types.int64,
    numba_types.uint64,
    lambda builder, value: value,
)
