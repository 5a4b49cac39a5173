"""Shortcuts in Numba's typing: calls resolved before are known, and lifetimes are computed where they are read.

Rules are full of the same few calls, such as the sum of two whole numbers, and typing a function goes through all its
calls several times. Each time Numba tries one version of the called function after the other, most of them made for
other types. After each pass that may change code it computes which variables live how long, which only the last one
reads; and of each part of each instruction it asks at length whether it is a variable. Some passes find nothing to do
in rules. Results are the same without this; it leans on how Numba works inside, as `whole_program.py` does, which
imports it. Numba's compiler for GPUs has copies of much of this (see `cuda/compile_rules.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from numba.core import ir, postproc, targetconfig, transforms
from numba.core.types import functions

#: Numba has no types.
_Function: Any = functions.BaseFunction
_options: Any = targetconfig.ConfigStack
_resolve = _Function.get_call_type
#: Passes for what rules have not (contexts, closures, raised errors, loops over tuples of several types, arithmetic of
#: arrays, parallel loops), and notes for people.
NEEDLESS = frozenset(
    {
        "WithLifting",
        "InlineClosureLikes",
        "RewriteDynamicRaises",
        "MakeFunctionToJitFunction",
        "InlineInlinables",
        "FindLiterallyCalls",
        "LiteralUnroll",
        "LiteralPropagationSubPipelinePass",
        "NopythonRewrites",
        "AnnotateTypes",
        "DumpParforDiagnostics",
    }
)

#: Options of the compiler under which calls were resolved; they cannot be hashed.
_options_met: list[dict[str, Any]] = []
#: Signatures and implementations, by function, arguments and place of the options.
_known: dict[tuple[Any, ...], tuple[Any, Any]] = {}


def mark_rule(function: Callable[..., Any]) -> None:
    """Says that a function is a rule, or a loop of ours: compiled for machines alone, never for the interpreter."""
    function.of_rules = True  # type: ignore[attr-defined]


def without_needless(passes: Any, function: Callable[..., Any]) -> Any:
    """These passes; for a rule without those that find nothing to do, and without notes and checks after each."""
    if hasattr(function, "of_rules"):
        passes.passes = [one for one in passes.passes if one[0].__name__ not in NEEDLESS]
        passes._runPass = partial(_run_pass, passes)
        passes.finalize()
    return passes


def _run_pass(passes: Any, index: int, step: Any, state: Any) -> None:
    """Runs one pass."""
    step.analysis = passes._analysis
    step.run_initialization(state)
    step.run_pass(state)
    step.run_finalizer(state)


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


def shorten(ir: Any, postproc: Any, transforms: Any) -> None:
    """Installs shortcuts in these modules of a compiler."""
    process, variables = postproc.PostProcessor.run, ir.Inst._rec_list_vars
    #: Kinds of things in instructions in which no variables are.
    without_variables = frozenset({ir.Loc, str, int, bool, type(None)})

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        """Brings a function into order after a pass; a rule without lifetimes, unless they are put into it."""
        function = self.func_ir
        if emit_dels or function.is_generator or not hasattr(function.func_id.func, "of_rules"):
            process(self, emit_dels, extend_lifetimes)
            return
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = postproc.VariableLifetime(function.blocks)

    def rec_list_vars(self: Any, value: Any) -> Any:
        """The variables in a part of an instruction."""
        kind = type(value)
        if kind is ir.Var:
            return [value]
        return [] if kind in without_variables else variables(self, value)

    postproc.PostProcessor.run, ir.Inst._rec_list_vars = run, rec_list_vars


_Function.get_call_type = _get_call_type
shorten(ir, postproc, transforms)
