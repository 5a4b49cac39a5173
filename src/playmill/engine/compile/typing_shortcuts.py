"""Shortcuts in Numba's typing: calls resolved before are known, and lifetimes are computed where they are read.

Rules are full of the same few calls, such as the sum of two whole numbers, and typing a function goes through all its
calls several times. Each time Numba tries one version of the called function after the other, most of them made for
other types. After each pass that may change code it computes which variables live how long, which only the last one
reads; and of each part of each instruction it asks at length whether it is a variable. Results are the same without
this; it leans on how Numba works inside, as `whole_program.py` does, which imports it.
"""

from __future__ import annotations

from typing import Any

from numba.core import ir, postproc, targetconfig, transforms
from numba.core.types import functions

#: Numba has no types.
_Function: Any = functions.BaseFunction
_Processor: Any = postproc.PostProcessor
_Lifetimes: Any = postproc.VariableLifetime
_options: Any = targetconfig.ConfigStack
_transforms: Any = transforms
_Instruction: Any = ir.Inst
_resolve, _process, _list = _Function.get_call_type, _Processor.run, _Instruction._rec_list_vars
#: Kinds of things in instructions in which no variables are.
_WITHOUT_VARIABLES = frozenset({ir.Loc, str, int, bool, type(None)})

#: Options of the compiler under which calls were resolved; they cannot be hashed.
_options_met: list[dict[str, Any]] = []
#: Signatures and implementations, by function, arguments and place of the options.
_known: dict[tuple[Any, ...], tuple[Any, Any]] = {}


def _get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
    """The signature of a call: as before, if there was one like it."""
    options = _options.top_or_none()
    if kws or options is None:
        return _resolve(self, context, args, kws)
    if options._values not in _options_met:
        _options_met.append(dict(options._values))
    call = (self, context, tuple(args), _options_met.index(options._values))
    if call not in _known:
        signature = _resolve(self, context, args, kws)
        _known[call] = (signature, self._impl_keys[signature.args])
    signature, self._impl_keys[signature.args] = _known[call]
    return signature


def _run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Brings the code of a function into order after a pass; of a rule's, no lifetimes unless they are put into it."""
    function = self.func_ir
    if emit_dels or function.is_generator or not hasattr(function, "is_rule"):
        _process(self, emit_dels, extend_lifetimes)
        return
    function.blocks = _transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = _Lifetimes(function.blocks)


def _rec_list_vars(self: Any, value: Any) -> Any:
    """The variables in a part of an instruction."""
    kind = type(value)
    if kind is ir.Var:
        return [value]
    return [] if kind in _WITHOUT_VARIABLES else _list(self, value)


def mark_rule(function: Any) -> None:
    """Says that a function's code is a rule's: compiled for machines alone, and never for the interpreter."""
    if isinstance(function, ir.FunctionIR):
        function.is_rule = True  # type: ignore[attr-defined]


_Function.get_call_type, _Processor.run, _Instruction._rec_list_vars = _get_call_type, _run, _rec_list_vars
