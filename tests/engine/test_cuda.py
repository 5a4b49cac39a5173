"""The GPU backend: the kernel compiles for the device; where there is a GPU it plays the same games."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from playmill import PlaymillError, simulate
from playmill.engine import cuda
from playmill.engine.adding import in_ones
from playmill.engine.kernels import desk_type
from playmill.report.files import results_text


def has_gpu() -> bool:
    try:
        cuda.check_device()
    except PlaymillError:
        return False
    return True


def compile_for_device(game, agents) -> str:
    """The device code of a game's kernel, compiled for Hopper without a device."""
    import numba.cuda
    from numba import from_dtype, types
    from numba.cuda import dispatcher

    kernels = cuda.device_kernels(game, frozenset(agents))

    def array(dtype):
        return types.Array(from_dtype(dtype), 1, "C")

    pages = types.Array(types.float64, 1, "C")
    desks, rows = array(desk_type(game)), array(game.outcome)
    signatures = {
        kernels.play_on_device: (desks, pages, types.int64, types.int64, rows, types.int64[::1]),
        kernels.count_on_device: (desks, types.int64, types.int64, rows, array(in_ones(game.tally))),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0)))
        made = [numba.cuda.compile_ptx(kernel.py_func, types, cc=(9, 0)) for kernel, types in signatures.items()]
    return "".join(code for code, _ in made)


@pytest.mark.skipif(not cuda.has_compiler(), reason="the compiler for NVIDIA devices is not installed")
@pytest.mark.parametrize(("name", "agents"), [("pig", ["random", "threshold"]), ("dimensions", ["random"])])
def test_the_rules_compile_for_the_device(request, name, agents):
    code = compile_for_device(request.getfixturevalue(name), agents)
    assert ".visible .entry" in code
    assert "malloc" not in code


@pytest.mark.skipif(has_gpu(), reason="there is a GPU")
def test_without_a_gpu_there_is_one_sentence(dimensions):
    with pytest.raises(PlaymillError, match="no CUDA device was found; use --backend cpu"):
        simulate(dimensions, games=5, backend="cuda")


@pytest.mark.parametrize("trouble", [ImportError("numba.cuda"), RuntimeError("no libcudart.so\n    in any folder")])
def test_without_numba_cuda_or_its_libraries_there_is_one_sentence(monkeypatch, trouble):
    import builtins

    real = builtins.__import__

    def without(name, *args, **kwargs):
        if name.startswith("numba.cuda"):
            raise trouble
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(PlaymillError, match=r"pip install 'playmill\[cuda\]'") as caught:
        cuda.check_device()
    assert "\n" not in caught.value.text.en + caught.value.text.ru


@pytest.mark.skipif(not has_gpu(), reason="there is no GPU")
@pytest.mark.parametrize("mode", ["epic", "baseline"])
@pytest.mark.parametrize("agents", [["random"], ["dealer"], ["tactical"], ["tactical", "dealer", "random"]])
def test_the_gpu_plays_the_same_games(dimensions, mode, agents):
    runs = [
        simulate(dimensions, players=3, games=5000, seed=4, agents=agents, set=[f"mode={mode}"], backend=backend)
        for backend in ("cpu", "cuda")
    ]
    assert results_text(runs[0].results) == results_text(runs[1].results)
    assert np.array_equal(runs[0].counts, runs[1].counts)
    assert runs[0].games.equals(runs[1].games)
