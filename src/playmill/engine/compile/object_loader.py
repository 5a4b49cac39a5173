"""Loads machine code by LLVM's own loader, and names the processor it is for.

`llvmlite.binding` takes longer to import than code to load. So as long as nobody else has imported it, the dozen
functions of its library that are needed are called directly, in a context of LLVM's that nobody else uses. This leans
on the interface of that library, so it is done for versions it was tried with; for others, and where it is imported
anyway, the binding does it.
"""

from __future__ import annotations

import ctypes
import platform
import sys
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import llvmlite

#: Versions of llvmlite whose library is called directly.
_TRIED = ("0.50",)
_BINDING = "llvmlite.binding"
_TEXT, _POINTER, _TEXTS = ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p)
#: Functions of the library: what they return, and what they take.
_INTERFACE: dict[str, tuple[Any, list[Any]]] = {
    "InitializeNativeTarget": (None, []),
    "InitializeNativeAsmPrinter": (None, []),
    "GetProcessTriple": (None, [_TEXTS]),
    "GetHostCPUName": (None, [_TEXTS]),
    "GetHostCPUFeatures": (ctypes.c_int, [_TEXTS]),
    "GetTargetFromTriple": (_POINTER, [_TEXT, _TEXTS]),
    "CreateTargetMachine": (
        _POINTER,
        [_POINTER, _TEXT, _TEXT, _TEXT, ctypes.c_int, _TEXT, _TEXT, ctypes.c_int, ctypes.c_int, _TEXT],
    ),
    "ContextCreate": (_POINTER, []),
    "ParseAssembly": (_POINTER, [_POINTER, _TEXT, _TEXTS]),
    "CreateMCJITCompiler": (_POINTER, [_POINTER, _POINTER, ctypes.c_bool, _TEXTS]),
    "CreateObjectFile": (_POINTER, [_TEXT, ctypes.c_size_t]),
    "MCJITAddObjectFile": (None, [_POINTER, _POINTER]),
    "FinalizeObject": (None, [_POINTER]),
    "GetFunctionAddress": (ctypes.c_uint64, [_POINTER, _TEXT]),
}


class _Library:
    """LLVM's functions, called directly; what they make lives as long as the process."""

    def __init__(self, path: Path) -> None:
        library = ctypes.CDLL(str(path))
        for name, (result, arguments) in _INTERFACE.items():
            function = getattr(library, f"LLVMPY_{name}")
            function.restype, function.argtypes = result, arguments
            setattr(self, name, function)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"LLVM's {name} is not used here")

    def text(self, name: str) -> str:
        """What a function tells."""
        message = ctypes.c_char_p()
        getattr(self, name)(ctypes.byref(message))
        return (message.value or b"").decode()

    def processor(self) -> tuple[str, str, str]:
        """The kind of the machine, the name of its processor, and what that can do."""
        able = sorted((one[1:], one[0]) for one in self.text("GetHostCPUFeatures").split(",") if one)
        features = ",".join(sign + feature for feature, sign in able)
        return (self.text("GetProcessTriple"), self.text("GetHostCPUName"), features)

    def load(self, code: bytes, names: Sequence[str]) -> list[int]:
        """Loads an object file and returns the addresses of some of its functions, 0 where it has none."""
        self.InitializeNativeTarget()
        self.InitializeNativeAsmPrinter()
        error = ctypes.c_char_p()
        triple = self.text("GetProcessTriple").encode()
        target = self.GetTargetFromTriple(triple, ctypes.byref(error))
        machine = target and self.CreateTargetMachine(target, triple, b"", b"", 2, b"default", b"jitdefault", 0, 0, b"")
        module = machine and self.ParseAssembly(self.ContextCreate(), b"", ctypes.byref(error))
        own = platform.machine().lower() in ("arm64", "aarch64")
        engine = module and self.CreateMCJITCompiler(module, machine, own, ctypes.byref(error))
        file = engine and self.CreateObjectFile(code, len(code))
        if not file:
            raise RuntimeError((error.value or b"no object file").decode(errors="replace"))
        self.MCJITAddObjectFile(engine, file)
        self.FinalizeObject(engine)
        return [self.GetFunctionAddress(engine, name.encode()) for name in names]


@cache
def _library() -> _Library | None:
    if llvmlite.__version__.rpartition(".")[0] not in _TRIED or sys.platform != "linux":
        return None
    try:
        return _Library(Path(str(llvmlite.__file__)).parent / "binding" / "libllvmlite.so")
    except (AttributeError, OSError):
        return None


def _direct() -> _Library | None:
    """LLVM's functions, unless its binding is there, whose locks keep others out."""
    return None if _BINDING in sys.modules else _library()


@cache
def processor() -> tuple[str, str, str]:
    """The kind of this machine, the name of its processor, and what that can do."""
    if (library := _direct()) is not None:
        return library.processor()
    llvm: Any = import_module(_BINDING)
    return (llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten())


def load_object(code: bytes, names: Sequence[str]) -> tuple[list[int], object]:
    """Loads an object file: the addresses of some of its functions, and what must live as long as they are used.

    It raises RuntimeError or ValueError if it is none for this machine, or lacks one of them.
    """
    if not code:
        raise ValueError("no code")
    engine: Any = _direct()
    if engine is not None:
        addresses = engine.load(code, names)
    else:
        llvm: Any = import_module(_BINDING)
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
        machine = llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine()
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
        file = llvm.ObjectFileRef.from_data(code)
        if not file._ptr:  # which the binding would read from
            raise ValueError("no object file")
        engine.add_object_file(file)
        engine.finalize_object()
        addresses = [engine.get_function_address(one) for one in names]
    if not all(addresses):
        raise ValueError(f"no {names[addresses.index(0)]}")
    return addresses, engine
