"""Arrays on a card as `Batch` gives them: those of Numba, which other libraries also take by DLPack."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from playmill.engine.cuda import dlpack
from playmill.engine.cuda.backend import numba_cuda

#: Streams of a card that have no address, by their numbers in DLPack; nobody waits for anything with the last one.
_LEGACY, _OF_THREAD, _NO_WAITING = 1, 2, -1


@cache
def card_array() -> Any:
    """The class of these arrays: Numba's own with the two methods of DLPack; it is there when that library is."""
    arrays: Any = import_module("numba.cuda.cudadrv.devicearray")
    return type("CardArray", (arrays.DeviceNDArray,), {"__dlpack__": _dlpack, "__dlpack_device__": _dlpack_device})


def _dlpack_device(self: Any) -> tuple[int, int]:
    """On which device the array is."""
    return dlpack.CUDA, int(numba_cuda().get_current_device().id)


def _dlpack(
    self: Any,
    *,
    stream: int | None = None,
    max_version: tuple[int, int] | None = None,
    dl_device: tuple[int, int] | None = None,
    copy: bool | None = None,
) -> object:
    """A capsule over the array, or over a copy; what is done in the stream after that sees all that was written."""
    device = _dlpack_device(self)
    if dl_device is not None and tuple(dl_device) != device:
        raise BufferError(f"this array is on device {device} and is not copied to {tuple(dl_device)}")
    lent = self
    if copy:
        lent = numba_cuda().device_array(self.shape, self.dtype)
        lent.copy_to_device(self)
    _wait_for_us(stream)
    address = lent.__cuda_array_interface__["data"][0]
    return dlpack.lend(address, lent.shape, lent.strides, lent.dtype, device=device, holder=lent)


def shared(array: Any) -> Any:
    """An array of Numba's as others are given it, in the same memory; kernels start quicker with Numba's own kind."""
    return card_array()(shape=array.shape, strides=array.strides, dtype=array.dtype, gpu_data=array.gpu_data)


def _wait_for_us(stream: int | None) -> None:
    """Lets a stream go on only after what has been queued here, in the legacy stream."""
    if stream in (None, _LEGACY, _NO_WAITING):
        return
    if stream == 0:
        raise BufferError("stream 0 may mean two streams in DLPack: 1 is the legacy one, 2 that of a thread")
    cuda = numba_cuda()
    written = cuda.event(timing=False)
    written.record()
    written.wait(cuda.per_thread_default_stream() if stream == _OF_THREAD else cuda.external_stream(stream))
