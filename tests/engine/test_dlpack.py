"""DLPack: other libraries take memory as an array of their own, and it stays while they use it."""

from __future__ import annotations

import ctypes
import gc
import weakref
from types import SimpleNamespace

import numpy as np
import pytest

from playmill.engine.cuda import arrays as cuda_arrays
from playmill.engine.cuda import backend as cuda
from playmill.engine.cuda import dlpack


class Lent:
    """Numbers that are given away by DLPack and by nothing else."""

    def __init__(self, numbers: np.ndarray, device: tuple[int, int] = (dlpack.CPU, 0)) -> None:
        self.numbers, self.device = numbers, device

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **_: object) -> object:
        one = self.numbers
        return dlpack.lend(one.ctypes.data, one.shape, one.strides, one.dtype, device=self.device, holder=self)


@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint8, np.float64, np.bool_])
def test_the_same_numbers_in_the_same_memory(kind):
    numbers = (np.arange(12).reshape(3, 4) % 5).astype(kind)
    for mine in (numbers, numbers[:, 1:3], numbers[::2], numbers[0], numbers[:0]):
        taken = np.from_dlpack(Lent(mine))
        assert taken.dtype == mine.dtype and taken.shape == mine.shape
        assert np.array_equal(taken, mine)
    taken = np.from_dlpack(Lent(numbers))
    numbers[2, 3] = 1
    assert taken[2, 3] == 1 and np.shares_memory(taken, numbers)


def test_memory_stays_while_somebody_uses_it_and_no_longer():
    lent = Lent(np.arange(5))
    there = weakref.ref(lent)
    taken = np.from_dlpack(lent)
    del lent
    gc.collect()
    assert there() is not None and taken.tolist() == [0, 1, 2, 3, 4]
    del taken
    gc.collect()
    assert there() is None


def test_a_capsule_that_nobody_takes_lets_go():
    lent = Lent(np.arange(5))
    there, capsule = weakref.ref(lent), lent.__dlpack__()
    del lent
    gc.collect()
    assert there() is not None
    del capsule
    gc.collect()
    assert there() is None


def test_whoever_is_done_after_the_end_of_python_does_no_harm(monkeypatch):
    """Libraries let go of arrays when they are unloaded: then nothing of Python may be called."""
    lent: dict[int, object] = {}
    monkeypatch.setattr(dlpack, "_lent", lent)
    taken = np.from_dlpack(Lent(np.arange(5)))
    dlpack._leave()
    assert len(lent) == 1 and taken.tolist() == [0, 1, 2, 3, 4]
    del taken
    gc.collect()
    assert len(lent) == 1, "its struct stays where it was"


def test_memory_of_a_card_is_told_as_such():
    """What a consumer reads of the struct: nobody here can follow an address of a card."""
    capsule = Lent(np.zeros((2, 3), np.int32), (dlpack.CUDA, 1)).__dlpack__()
    pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
        ("PyCapsule_GetPointer", ctypes.pythonapi)
    )
    words = (ctypes.c_int32 * 6).from_address(pointer(capsule, b"dltensor"))
    assert list(words)[2:5] == [2, 1, 2], "kind of device, its number, dimensions"
    assert words[5] == 0 | 32 << 8 | 1 << 16, "whole numbers of 32 bits, one at a time"


def test_records_are_not_shared():
    with pytest.raises(BufferError, match="cannot be shared by DLPack"):
        np.from_dlpack(Lent(np.zeros(2, [("card", np.int8)])))


class Gpu:
    """The part of a card's library that knows its streams."""

    def __init__(self) -> None:
        self.waits: list[object] = []
        self.event = lambda timing: SimpleNamespace(record=lambda: None, wait=self.waits.append)
        self.per_thread_default_stream = lambda: "the thread's"
        self.external_stream = lambda address: address


@pytest.mark.parametrize(("stream", "waits"), [(None, []), (1, []), (-1, []), (2, ["the thread's"]), (77, [77])])
def test_a_stream_waits_for_what_was_written(monkeypatch, stream, waits):
    gpu = Gpu()
    monkeypatch.setattr(cuda_arrays, "numba_cuda", lambda: gpu)
    cuda_arrays._wait_for_us(stream)
    assert gpu.waits == waits


def test_stream_0_is_refused():
    with pytest.raises(BufferError, match="stream 0 may mean two streams"):
        cuda_arrays._wait_for_us(0)


@pytest.mark.skipif(not cuda.has_compiler(), reason="the library for cards is not installed")
def test_arrays_on_a_card_have_both_methods():
    kind = cuda_arrays.gpu_array()
    assert kind.__mro__[1].__name__ == "DeviceNDArray"
    assert {"__dlpack__", "__dlpack_device__"} <= vars(kind).keys()
