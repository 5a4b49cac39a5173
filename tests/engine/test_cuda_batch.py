"""Batches on a card: the kernels compile for the device; where there is a GPU all arrays are those of the CPU."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from playmill import Batch, PlaymillError
from playmill.engine.compile.game_kernels import played_part, workspace_type
from playmill.engine.cuda import backend as cuda


def has_gpu() -> bool:
    try:
        cuda.check_device()
    except PlaymillError:
        return False
    return True


@pytest.mark.skipif(not cuda.has_compiler(), reason="the compiler for NVIDIA devices is not installed")
def test_what_steps_a_batch_compiles_for_the_device(pig):
    import numba.cuda
    from numba import from_dtype, types
    from numba.cuda import dispatcher

    from playmill.engine.cuda.batch import batch_kernels

    kernels = batch_kernels(pig, ())
    shared, workspaces = (types.Array(from_dtype(kind), 1, "C") for kind in (workspace_type(pig), played_part(pig)))
    number, whole, flags = types.int64, types.int64[::1], types.boolean[::1]
    tables = (types.float64[:, ::1], types.int32[:, ::1], types.boolean[:, ::1])
    asked = (number, types.boolean, number, whole, whole, whole, flags, flags, whole)
    signatures = {
        kernels.check_on_device: (workspaces, whole, whole, whole),
        kernels.pick_on_device: (workspaces, whole, whole, whole),
        kernels.widen_on_device: (types.int32[::1], whole),
        kernels.ask_on_device: (shared, workspaces, types.float64[::1], *asked, *tables, whole),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0)))
        made = [numba.cuda.compile_ptx(kernel.py_func, kinds, cc=(9, 0))[0] for kernel, kinds in signatures.items()]
    assert all(".visible .entry" in code and "malloc" not in code for code in made)


@pytest.mark.skipif(has_gpu(), reason="there is a GPU")
def test_a_batch_for_a_card_that_is_not_there_is_one_sentence(pig):
    with pytest.raises(PlaymillError, match=r"the cuda backend needs numba-cuda|no CUDA device was found"):
        Batch(pig, 2, backend="cuda")


def test_a_batch_is_played_on_cpu_or_cuda(pig):
    with pytest.raises(PlaymillError, match="a batch is played on cpu or cuda, not on tpu"):
        Batch(pig, 2, backend="tpu")
    with pytest.raises(PlaymillError, match="the interpreter plays batches on the cpu backend only"):
        Batch(pig, 2, backend="cuda", interpreted=True)


@pytest.mark.skipif(not has_gpu(), reason="there is no GPU")
@pytest.mark.parametrize("auto_reset", [True, False])
def test_a_batch_on_the_card_is_the_same(dimensions, auto_reset):
    here, there = (
        Batch(dimensions, 70, players=3, seed=5, auto_reset=auto_reset, backend=backend) for backend in ("cpu", "cuda")
    )
    luck = np.random.default_rng(1)
    names = ("observations", "legal_action_mask", "rewards", "terminated", "current_player", "numbers", "legal_counts")
    for step in range(150):
        for name in names:
            assert np.array_equal(getattr(here, name), getattr(there, name).copy_to_host()), (step, name)
        which = (luck.random(70) * here.legal_counts).astype(np.int64)
        actions = here.legal_action(which)
        assert np.array_equal(actions, there.legal_action(which).copy_to_host())
        here.step(actions)
        there.step(there.legal_action(which) if step % 2 else actions.astype(np.int32))
        if step % 60 == 59:
            here.reset_done()
            there.reset_done()
    with pytest.raises(PlaymillError, match="illegal action -7 in game 0 of the batch"):
        there.step(np.full(70, -7))


def test_a_batch_of_its_own_kind_does_not_play_on_the_cpu_unasked(pig):
    class Mine(Batch):
        """Somebody's own."""

    with pytest.raises(PlaymillError, match="Mine is a batch of its own kind"):
        Mine(pig, 2, backend="cuda")
