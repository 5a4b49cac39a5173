"""GPU arrays as `Batch` returns them: Numba's, with the methods of DLPack for other libraries."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from playmill.engine.cuda import dlpack
from playmill.engine.cuda.backend import numba_cuda

#: CUDA streams that have no address, by their numbers in DLPack; the last one means no synchronisation.
_LEGACY, _OF_THREAD, _NO_WAITING = 1, 2, -1


@cache
def gpu_array() -> Any:
    """The array class: Numba's own with the two methods of DLPack; made once numba-cuda is imported."""
    arrays: Any = import_module("numba.cuda.cudadrv.devicearray")
    return type("GpuArray", (arrays.DeviceNDArray,), {"__dlpack__": _dlpack, "__dlpack_device__": _dlpack_device})


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
    """A DLPack capsule over the array, or over a copy; work queued in the stream after that sees all writes."""
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
    """Wraps an array of Numba's for users, in the same memory; kernels start quicker with Numba's own class."""
    return gpu_array()(shape=array.shape, strides=array.strides, dtype=array.dtype, gpu_data=array.gpu_data)


def _wait_for_us(stream: int | None) -> None:
    """Makes a stream wait for what has been queued in the legacy stream."""
    if stream in (None, _LEGACY, _NO_WAITING):
        return
    if stream == 0:
        raise BufferError("stream 0 may mean two streams in DLPack: 1 is the legacy one, 2 that of a thread")
    cuda = numba_cuda()
    written = cuda.event(timing=False)
    written.record()
    written.wait(cuda.per_thread_default_stream() if stream == _OF_THREAD else cuda.external_stream(stream))
