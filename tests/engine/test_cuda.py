"""The GPU backend: the kernel compiles for the device; where there is a GPU it plays the same games."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import numpy as np
import pytest

from playmill import Batch, PlaymillError, compare, simulate
from playmill.engine.compile.game_kernels import functions_of, workspace_type
from playmill.engine.cuda import backend as cuda
from playmill.engine.cuda.atomic_tally import in_ones
from playmill.engine.kernels.placeholders import takes_long
from playmill.engine.lang.rule import interpreted
from playmill.engine.run.match import Grouping
from playmill.games.dimensions.actions import BANG
from playmill.lab.bench import speed as bench
from playmill.report.files.writing import results_text


def has_gpu() -> bool:
    try:
        cuda.check_device()
    except PlaymillError:
        return False
    return True


def compile_for_device(game, agents) -> str:
    """The device code of a game's kernel, compiled for Hopper without a device."""
    from numba import types

    from common.device_code import array, code_for_hopper

    kernels = cuda.device_kernels(game, frozenset(agents))
    lookup = types.Array(types.float64, 1, "C")
    workspaces, rows = array(workspace_type(game)), array(game.outcome)
    signatures = {
        kernels.play_on_device: (workspaces, lookup, types.int64, types.int64, rows, types.int64[::1], types.int64),
        kernels.count_on_device: (workspaces, types.int64, types.int64, types.int64, rows, array(in_ones(game.tally))),
        kernels.sum_on_device: (types.int64[::1],) * 2,
        kernels.find_on_device: (types.int64[::1], types.int64[::1], types.int32[::1], types.int64[::1]),
    }
    return code_for_hopper(signatures)


@pytest.mark.skipif(not cuda.has_compiler(), reason="the compiler for NVIDIA devices is not installed")
def test_a_product_is_rounded_before_it_is_added(pig):
    import numba.cuda
    from numba import types

    def weigh(numbers):
        numbers[0] += numbers[1] * numbers[2]

    cuda.device_kernels(pig, frozenset({"random"}))
    code, _ = numba.cuda.compile_ptx(weigh, (types.float64[::1],), cc=(9, 0))
    assert "mul.rn.f64" in code
    assert "fma" not in code


@pytest.mark.skipif(not cuda.has_compiler(), reason="the compiler for NVIDIA devices is not installed")
def test_a_rule_that_is_called_in_many_places_is_compiled_once(pig):
    from numba.cuda.codegen import CUDACodeLibrary

    cuda.device_kernels(pig, frozenset({"random"}))
    library = SimpleNamespace(name="shared", _module="shared", _linking_libraries=[])
    library.modules = CUDACodeLibrary.modules.fget(library)
    for name in ("low", "high", "kernel"):
        callee, library = library, SimpleNamespace(name=name, _module=name, _linking_libraries=[library])
        library._linking_libraries += callee._linking_libraries
        library.modules = CUDACodeLibrary.modules.fget(library)
    assert library.modules == ["kernel", "high", "low", "shared"]


@pytest.mark.skipif(not cuda.has_compiler(), reason="the compiler for NVIDIA devices is not installed")
@pytest.mark.parametrize(
    ("name", "agents"),
    [("pig", ["random", "threshold"]), pytest.param("dimensions", ["random"], marks=pytest.mark.long)],
)
def test_the_rules_compile_for_the_device(request, name, agents):
    code = compile_for_device(request.getfixturevalue(name), agents)
    assert ".visible .entry" in code
    assert "malloc" not in code
    assert "_cudapy_cmem" not in code, "tables belong into the card's main memory"
    assert ("playmill_table_" in code) == (name == "dimensions")
    assert ("call.uni" in code and "remember" in code) == (name == "dimensions"), "rare rules are called"


class Clock:
    """Events of a card on which each shape takes its own time, and everything twice as long at first."""

    def __init__(self) -> None:
        self.shape, self.runs = None, 0

    def event(self):
        return SimpleNamespace(record=lambda queue: None, synchronize=lambda: None)

    def event_elapsed_time(self, begun, ended) -> float:
        self.runs += 1
        return {384: 20.0, 128: 10.0}.get(self.shape.threads, 15.0) * (2 if self.runs < 4 else 1)


def test_the_card_plays_on_in_the_shape_that_was_quickest():
    clock, played = Clock(), []
    shapes = cuda.Shapes(clock, lambda: 100)
    for games in [1000, *[1 << 20] * 12, 1000]:
        with shapes.tried(games) as shape:
            clock.shape = shape
            played.append(shape.threads)
    assert played[0] == 256, "too few games to tell"
    assert {384, 256, 128} <= set(played[1:9])
    assert set(played[9:]) == {128}


def test_a_shape_that_has_not_enough_registers_is_not_tried():
    clock, played = Clock(), set()
    shapes = cuda.Shapes(clock, lambda: 192)
    for _ in range(10):
        with shapes.tried(1 << 20) as shape:
            clock.shape = shape
            played.add(shape.threads)
    assert played == {128, 256}


def test_a_game_may_say_which_actions_take_long(dimensions, pig):
    slow, usual = (interpreted(functions_of(game).get(takes_long, takes_long)) for game in (dimensions, pig))
    assert [action for action in range(dimensions.actions) if slow(None, None, action)] == [BANG]
    assert not any(usual(None, None, action) for action in range(pig.actions))


@pytest.mark.skipif(has_gpu(), reason="there is a GPU")
def test_without_a_gpu_there_is_one_sentence(dimensions):
    with pytest.raises(PlaymillError, match="no CUDA device was found; play --on threads"):
        simulate(dimensions, games=5, backend="cuda")


@pytest.mark.parametrize("missing", ["numba_cuda", "numba.cuda", "numba.cuda.core.config", "numba.cuda.dispatcher"])
def test_without_numba_cuda_or_a_part_of_it_there_is_no_card_and_one_sentence(pig, monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    assert not bench._has_gpu() and not cuda.has_compiler()
    for asks in (cuda.check_device, lambda: Batch(pig, 2, backend="cuda")):
        with pytest.raises(PlaymillError, match=r"needs numba-cuda: pip install 'playmill\[cuda\]'"):
            asks()


def test_without_its_libraries_there_is_one_sentence(monkeypatch):
    def without(name):
        raise RuntimeError("no libcudart.so\n    in any folder")

    monkeypatch.setattr(cuda, "import_module", without)
    with pytest.raises(PlaymillError, match=r"\(no libcudart.so\): pip install 'playmill\[cuda\]'") as caught:
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


@pytest.mark.skipif(not has_gpu(), reason="there is no GPU")
def test_the_gpu_counts_groups_of_deals_as_the_cpu_does(dimensions):
    agents = ["dealer", "random", "random"]
    runs = [
        compare(dimensions, players=3, games=300_000, agents=agents, b={"set": {"yellow_goal": 6}}, on=on)
        for on in ("threads", "cuda")
    ]
    assert results_text(runs[0].json()["results"]) == results_text(runs[1].json()["results"])


@pytest.mark.skipif(not cuda.has_compiler(), reason="the compiler for NVIDIA devices is not installed")
@pytest.mark.parametrize(("first", "stretch"), [(0, 3), (20, 3), (0, 1 << 12), (9, 4), (1000, 7)])
def test_a_device_finds_the_group_of_a_deal(monkeypatch, first, stretch):
    loops = cuda._loops()
    one_thread = SimpleNamespace(grid=lambda _axes: 0, gridsize=lambda _axes: 1)
    monkeypatch.setattr(loops, "cuda", one_thread)
    monkeypatch.setattr(loops, "tally", lambda row, _agents, numbers: numbers.append(row))
    rows, grouping, tallies = np.arange(100), Grouping(8, stretch), [[] for _ in range(8)]
    loops.count_on_device([SimpleNamespace(agents=())], first, stretch, 8, rows, tallies)
    assert tallies == [np.flatnonzero(grouping.of(first + rows) == group).tolist() for group in range(8)]
