"""The GPUs of this machine: which there are, and players that are spread over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import cycle
from typing import Any, Generic, TypeVar

from playmill.engine.cuda.backend import check_device, numba_cuda
from playmill.engine.run.backends import ChunkPlayer, LostDeviceError, PlayedChunk

P_co = TypeVar("P_co", bound=PlayedChunk, covariant=True)


def devices() -> list[int]:
    """Returns the numbers of all GPUs that can be used; CUDA_VISIBLE_DEVICES says which of the machine's these are."""
    check_device()
    return [int(device.id) for device in numba_cuda().gpus]


@contextmanager
def on_device(number: int) -> Iterator[None]:
    """While this lasts this thread works on a GPU; raises LostDeviceError if that cannot go on."""
    cuda = numba_cuda()
    driver: Any = import_module("numba.cuda.cudadrv.driver")
    try:
        with cuda.gpus[number]:
            yield
    except driver.CudaAPIError as error:
        raise _lost(number, str(error)) from error


def free_memory(number: int) -> float:
    """Returns the share of a GPU's memory that nobody uses."""
    with on_device(number):
        free, total = numba_cuda().current_context().get_memory_info()
    return float(free / total)


def release(number: int) -> None:
    """Gives back the memory of a GPU that this process has used and needs no more."""
    with on_device(number):
        numba_cuda().current_context().deallocations.clear()


def _lost(number: int, reason: str) -> LostDeviceError:
    if "OUT_OF_MEMORY" in reason:
        return LostDeviceError(
            f"GPU {number} has not enough free memory; free some, or play --on threads",
            f"на видеокарте {number} не хватает свободной памяти; освободите её или играйте с --on threads",
        )
    return LostDeviceError(f"GPU {number} cannot go on: {reason}", f"видеокарта {number} не может продолжать: {reason}")


def spread(make: Callable[[], ChunkPlayer[P_co]]) -> Callable[[], ChunkPlayer[P_co]]:
    """Returns what makes players on all GPUs by turns."""
    turns = cycle(devices())
    return lambda: PlayerOnDevice(make, next(turns))


class PlayerOnDevice(Generic[P_co]):
    """A player that is made and plays on one GPU, in whatever thread it is asked to."""

    def __init__(self, make: Callable[[], ChunkPlayer[P_co]], device: int) -> None:
        self._device = device
        with on_device(device):
            self._player = make()
        self.sizes = self._player.sizes

    def play(self, first: int, count: int) -> P_co:
        """Plays these games."""
        with on_device(self._device):
            return self._player.play(first, count)
