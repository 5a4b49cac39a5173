"""Compiles rules for the GPU as for the CPU: integers are wide, indices unsigned, rare rules not inlined, numbers
rounded alike.

The GPU compiler makes functions of its own from rules. Left alone it makes one for every width of integer and every
number a rule is called with, and inlines all of them into their callers, what hardly ever happens as well: rules of
Dice with its `threshold` took it three minutes and more, and take twenty seconds so.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from llvmlite import ir

from playmill.engine.compile.typing_shortcuts import mark_rule, shorten, without_needless
from playmill.engine.compile.unsigned_indices import index_from_front
from playmill.engine.lang.rule import Rule, wide

#: Words of a record that are copied at a time.
_AT_A_TIME = 16
#: Attribute under which the compiler keeps the device function made from another one.
_MADE = "_CUDATypingContext__dispatcher"


@cache
def rules_as_on_the_cpu() -> None:
    """Installs these changes in the GPU compiler."""
    target: Any = import_module("numba.cuda.target")
    typing = target.CUDATypingContext
    resolve = typing.resolve_value_type

    def resolve_value_type(context: Any, value: Any) -> Any:
        if isinstance(value, Rule):
            value = value.made
            mark_rule(value.py_func)
        known = hasattr(value, _MADE)
        found = resolve(context, value)
        if not known and hasattr(value, _MADE):
            if getattr(value, "widens", False):
                _widen(getattr(value, _MADE))
            if getattr(value, "is_rare", False):
                _keep_apart(getattr(value, _MADE))
        return found

    typing.resolve_value_type = resolve_value_type
    target.CUDATargetContext.pack_value = _store_by_words(target.CUDATargetContext.pack_value)
    compiler: Any = import_module("numba.cuda.compiler")
    lower = compiler.CUDANativeLowering.run_pass
    compiler.CUDANativeLowering.run_pass = lambda lowering, state: lower(lowering, _from_front(state))
    # A product that is added without being rounded would be another number than the CPU's. Kernels are linked without
    # optimization: a linker that optimizes multiplies and adds at once again, which Numba does not tell it not to do.
    # (Told so by other means, it made grid quicker by a quarter and most else slower, see `docs/speed.md`.)
    nvvm: Any = import_module("numba.cuda.cudadrv.nvvm")
    compile_ir = nvvm.compile_ir
    nvvm.compile_ir = lambda code, **options: compile_ir(code, **options, fma=False)
    codegen: Any = import_module("numba.cuda.codegen")
    codegen.CUDACodeLibrary.modules = property(_modules_once)
    shorten(*(import_module(f"numba.cuda.core.{name}") for name in ("ir", "postproc", "transforms")))
    compiler.CUDACompiler.define_pipelines = _without_needless(compiler.CUDACompiler.define_pipelines)
    for context in (typing, target.CUDATargetContext):
        context.refresh = _when_more_is_known(context.refresh)


def _without_needless(define: Any) -> Any:
    """How passes are defined; those of rules are fewer (see `typing_shortcuts.py`)."""

    def define_pipelines(compiler: Any) -> list[Any]:
        (passes,) = define(compiler)
        return [without_needless(passes, compiler.state.func_id.func)]

    return define_pipelines


def _when_more_is_known(refresh: Any) -> Any:
    """How a context reads what has been registered, which Numba asks it a thousand times: only if there is more."""
    seen: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

    def refresh_if_more(context: Any) -> None:
        if _registered(context) != seen.get(context):
            refresh(context)
            seen[context] = _registered(context)

    return refresh_if_more


def _registered(context: Any) -> int:
    """How many things are registered where a context reads."""
    typing = getattr(context, "typing_context", context)
    registries = [*context._registries, *(typing._registries if typing is not context else ())]
    return sum(len(things) for registry in registries for things in vars(registry).values() if type(things) is list)


def _modules_once(library: Any) -> list[Any]:
    """The modules of a library and of those it is linked with, each once and in the same order in every process.

    Numba lists one wherever it is called, and its libraries are a set.
    """
    libraries = sorted(library._linking_libraries, key=lambda other: str(other.name))
    linked = (module for other in libraries for module in other.modules)
    return [*dict.fromkeys((library._module, *linked))]


def _from_front(state: Any) -> Any:
    """The same typed function; indices in rules and kernels are unsigned (see `unsigned_indices.py`)."""
    if not state.func_id.modname.startswith("numba."):  # Numba's own functions may count from the end
        index_from_front(state, import_module("numba.cuda.core.ir"), tuples=False)
    return state


def _store_by_words(store: Any) -> Any:
    """How a value is stored; a record is copied by words as long as it is aligned to, and not by single bytes.

    Some are read before they are written: who reads waits for the memory.
    """
    types: Any = import_module("numba.core.types")
    cgutils: Any = import_module("numba.cuda.cgutils")

    def pack_value(context: Any, builder: Any, kind: Any, value: Any, place: Any, align: Any = None) -> None:
        if not isinstance(kind, types.Record) or not kind.aligned:
            store(context, builder, kind, value, place, align)
            return
        word = ir.IntType(8 * kind.dtype.alignment)
        source, copy = (builder.bitcast(one, word.as_pointer()) for one in (value, place))

        def copy_words(first: Any, many: int) -> None:
            places = [builder.add(first, first.type(k)) for k in range(many)]
            words = [builder.load(builder.gep(source, [place])) for place in places]
            for offset, found in zip(places, words, strict=True):
                builder.store(found, builder.gep(copy, [offset]))

        words = kind.size // kind.dtype.alignment
        rest = words % _AT_A_TIME
        copy_words(context.get_constant(types.intp, words - rest), rest)
        with cgutils.for_range(builder, context.get_constant(types.intp, words // _AT_A_TIME)) as loop:
            copy_words(builder.mul(loop.index, loop.index.type(_AT_A_TIME)), _AT_A_TIME)

    return pack_value


def _widen(made: Any) -> None:
    resolve = made.get_call_template
    made.get_call_template = lambda args, kws: resolve(
        [wide(kind) for kind in args], {name: wide(kind) for name, kind in kws.items()}
    )


def _keep_apart(made: Any) -> None:
    compile_device = made.compile_device

    def compile_apart(args: Any, return_type: Any = None) -> Any:
        compiled = compile_device(args, return_type)
        for module in compiled.library.modules:
            for function in module.functions:
                if function.name == compiled.fndesc.mangled_name and not function.is_declaration:
                    function.attributes.add("noinline")
        return compiled

    made.compile_device = compile_apart
