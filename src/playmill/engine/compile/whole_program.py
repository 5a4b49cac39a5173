"""Whole-program compilation: called rules stay LLVM drafts, and only entry points become machine code, once.

Numba links, optimises and turns into machine code every function at every level of calls, though all that is wanted is
the machine code of the entry point. Here a rule that another one calls is typed, which is all that its callers need to
be typed themselves, and left as it is, a *draft*. When an entry point has been typed, the drafts are lowered to LLVM's
code, or have been meanwhile in a second process (see `forked_lowering.py`); it links all drafts it reaches at once,
makes them its own, and is optimised once. Passes that find nothing to do in rules are left out. Results and speed are
the same, in less time. This leans on how Numba works inside, so it is done for versions it was tried with, and for
others Numba goes its ordinary way.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any

import llvmlite.binding
from numba.core import compiler, compiler_lock, compiler_machinery, dispatcher, environment, funcdesc, targetconfig
from numba.core import typed_passes as typed
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

from playmill.engine.compile.forked_lowering import lowering
from playmill.engine.compile.python_calls import FOR_PYTHON, Handed, for_python
from playmill.engine.compile.typing_shortcuts import mark_rule, without_needless
from playmill.engine.compile.unsigned_indices import PlacesFromFront

#: Numba has no types.
_compiler: Any = compiler
_config: Any = targetconfig
_descriptions: Any = funcdesc
_dispatcher: Any = dispatcher
_environment: Any = environment
#: How the names of functions begin that are called as C calls them.
_AS_C = "cfunc."
_lock: Any = compiler_lock.global_compiler_lock
_lowering: Any = typed.NativeLowering
_register: Any = compiler_machinery.register_pass


class _Draft(JITCodeLibrary):
    """The code of a rule that other rules call: nothing is linked, nothing optimised beyond single functions."""

    #: What its code is made of; None when it is made.
    typed: Any = None
    #: Whether it is never inlined.
    is_rare = False
    #: Python's objects that its code uses.
    constants: Any = ()

    def _ensure_finalized(self) -> None:
        """Its code is made when an entry point is, whoever has named it before."""

    def lower(self) -> None:
        """Makes its code, unless it is made."""
        this: Any = self
        if (state := self.typed) is None:
            return
        with _config.ConfigStack().enter(state.flags.copy()):
            _lowering().run_pass(state)
        self.typed = None
        this._finalize_dynamic_globals()
        self.constants = state.cr.env.consts
        if self.is_rare:
            this._final_module.get_function(state.cr.fndesc.mangled_name).add_function_attribute("noinline")

    def take(self, code: bytes, linked: list[Any]) -> None:
        """Takes code that was made of it elsewhere, and what that links to."""
        this: Any = self
        self.typed = None
        this._final_module = llvmlite.binding.parse_bitcode(code)
        this._linking_libraries = linked
        this._finalize_dynamic_globals()


class _Whole(JITCodeLibrary):
    """The code of a rule that Python calls, with all that it calls inside."""

    def _complete(self, module: Any) -> None:
        """Adds what is still wanted of its own."""

    def _shows(self, name: str) -> bool:
        """Whether one of its own functions can be called from outside."""
        return True

    def finalize(self) -> None:
        """Links all drafts in, makes them its own, and turns it all into machine code.

        What is its own can be changed or dropped where it is inlined. It gets names of its own, too: LLVM's linker
        would take a function of the same name in another entry point for the same one, though its arguments differ.
        """
        this: Any = self
        lowering.finish()
        module = this._final_module
        self._complete(module)
        own = {function.name for function in _defined(module) if self._shows(function.name)}
        mark = hashlib.sha256("\n".join(sorted(own)).encode()).hexdigest()[:16]
        libraries = list(_reached(self))
        for library in libraries:
            this._reload_init.update(library._reload_init)
            module.link_in(library._get_module_for_linking(), preserve=True)
        # What nothing linked so far had called was left out, such as what is also called where nobody ever comes.
        homes = {one.name: library for library in libraries for one in _defined(library._final_module)}
        while left := [homes[one.name] for one in module.functions if one.is_declaration and one.name in homes]:
            for library in left:
                module.link_in(library._get_module_for_linking(), preserve=True)
        for function in _defined(module):
            if function.name not in own:
                function.linkage = llvmlite.binding.Linkage.internal
                function.name = f"{function.name}.{mark}"
        this._optimize_final_module()
        module.verify()
        this._finalize_final_module()
        for variable in module.global_variables:
            env = _environment.lookup_environment(variable.name)
            if env is not None:
                this._codegen.set_env(variable.name, env)


class _Entered(_Whole):
    """The code of a rule that is called as C calls functions, and in no other way.

    Since nobody else can ask whether something was raised, it is seen that nothing ever is: what would be done then,
    with much of Python, is left out.
    """

    #: What Python hands over.
    handed: tuple[Handed, ...] = ()

    def _complete(self, module: Any) -> None:
        (name,) = (one.name for one in _defined(module) if one.name.startswith(_AS_C))
        module.link_in(llvmlite.binding.parse_assembly(for_python(name, self.handed)))

    def _shows(self, name: str) -> bool:
        return name.startswith((_AS_C, FOR_PYTHON))


def _defined(module: Any) -> list[Any]:
    return [function for function in module.functions if not function.is_declaration]


def _reached(library: Any) -> Iterator[Any]:
    """The libraries that one links to, each once; those of a draft are still to be linked, too."""
    seen, waiting = {library}, [library]
    while waiting:
        for one in waiting.pop()._linking_libraries:
            if one not in seen:
                seen.add(one)
                if isinstance(one, _Draft):
                    one.lower()
                    waiting.append(one)
                yield one


class Rooting(Compiler):
    """Numba's compiler pipeline, with drafts linked at the end."""

    _library: Any = _Whole

    def define_pipelines(self) -> list[Any]:
        """The passes of the pipeline."""
        ordinary: Any = super()
        (passes,) = ordinary.define_pipelines()
        made = without_needless(passes, self.state.func_id.func)
        made.add_pass_after(PlacesFromFront, typed.NoPythonSupportedFeatureValidation)
        made.finalize()
        return [made]

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Compiles a function."""
        ordinary: Any = super()
        mark_rule(function)
        self.state.library = self._library(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return ordinary.compile_extra(function)


def entering(handed: tuple[Handed, ...]) -> type[Rooting]:
    """Numba's compiler pipeline for machine code (see `entry_points.py`) that Python hands these things."""
    library = type("_Entered", (_Entered,), {"handed": handed})
    return type("_Entering", (Rooting,), {"_library": library})


@_register(mutates_CFG=False, analysis_only=True)
class _LowerLater(compiler_machinery.LoweringPass):
    """In place of lowering: describes the function to its callers, and leaves its code for later."""

    _name = "lower_later"

    def __init__(self) -> None:
        ordinary: Any = super()
        ordinary.__init__()

    def run_pass(self, state: Any) -> bool:
        """Describes the function."""
        flags = state.flags
        described = _descriptions.PythonFunctionDescriptor.from_specialized_function(
            state.func_ir,
            state.typemap,
            state.return_type,
            state.calltypes,
            mangler=state.targetctx.mangler,
            inline=flags.forceinline,
            noalias=flags.noalias,
            abi_tags=[flags.get_mangle_string()],
        )
        state["cr"] = _compiler._LowerResult(described, None, cfunc=None, env=None)
        state.library.typed = state
        return False


class _Drafting(Rooting):
    """Numba's compiler pipeline without its end."""

    _library = _Draft

    def define_pipelines(self) -> list[Any]:
        """The passes of the pipeline."""
        (made,) = super().define_pipelines()
        made.passes = [(_LowerLater, text) if one is typed.NativeLowering else (one, text) for one, text in made.passes]
        made.finalize()
        return [made]

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Compiles a function that only rules call."""
        flags = self.state.flags
        flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
        return super().compile_extra(function)


class _Entry:
    """Where Python would call a draft: compiles it as an entry point first."""

    def __init__(self, made: Any, args: tuple[Any, ...]) -> None:
        self._made, self._args = made, args

    def __call__(self, *args: Any) -> Any:
        """Compiles the rule for good, and calls it."""
        with _lock:
            if isinstance(self._made.overloads[self._args].entry_point, _Entry):
                del self._made.overloads[self._args]
            self._made.compile(self._args)
        return self._made(*args)


def draft(made: Any, args: tuple[Any, ...]) -> None:
    """Makes a draft of a rule for arguments of these types, unless there is one."""
    with _lock:
        if args in made.overloads:
            return
        maker = _dispatcher._FunctionCompiler(made.py_func, made.targetdescr, made.targetoptions, {}, _Drafting)
        entry, result = _Entry(made, args), maker.compile(args, None)
        result.library.is_rare = made.is_rare
        lowering.add(result.library)
        made.targetctx.insert_user_function(entry, result.fndesc, [result.library])
        made.overloads[args] = result._replace(entry_point=entry)
