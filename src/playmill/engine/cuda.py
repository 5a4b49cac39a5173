"""The GPU backend: the same rules, compiled for the device, with the same results."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from playmill.engine.adding import adding, in_ones
from playmill.engine.fingerprint import card_settings
from playmill.engine.game import Game
from playmill.engine.kernels import (
    agent_numbers,
    functions_of,
    keep_roots,
    load_generated,
    played_part,
    specialised,
)
from playmill.engine.machine_code import Target
from playmill.engine.match import Chunk, Match, Sizes, new_desk
from playmill.engine.record import RecordArray
from playmill.engine.slips import slip
from playmill.texts import PlaymillError

_THREADS = 128
#: Threads on the card at once; each plays several games of a chunk, which evens out long and short ones.
_BLOCKS = 132 * 16
_MARK = "@cuda.jit"
_IMPORTS = "from numba import cuda\n\nfrom playmill.engine.rng import empty_hat"
_KERNELS = ("play_on_device", "count_on_device", "clear_on_device")
#: Threads that add to one number wait for each other: games are counted in so many tallies, if they take no more bytes.
_TALLIES, _COUNTING = 128, 1 << 22
#: The place of the first game with a slip where there is none.
_NO_SLIP = np.iinfo(np.int64).max


def _cuda() -> Any:
    """numba.cuda, or one sentence about why there is none."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda up to 0.30 imports the name that NumPy 2.5 dropped
    try:
        from numba import cuda
        from numba.cuda.dispatcher import CUDADispatcher  # noqa: F401  (the stub left in numba itself has no device)
    except ImportError:
        raise PlaymillError(
            "the cuda backend needs numba-cuda: pip install 'playmill[cuda]'",
            "для cuda нужен numba-cuda: pip install 'playmill[cuda]'",
        ) from None
    except Exception as error:  # it looks for NVIDIA's libraries as it is imported; each has an error of its own
        lines = str(error).splitlines() or [type(error).__name__]
        raise PlaymillError(
            f"the cuda backend does not start ({lines[0]}): pip install 'playmill[cuda]' brings what it needs",
            f"cuda не запускается ({lines[0]}): всё нужное ставит pip install 'playmill[cuda]'",
        ) from None
    return cuda


def check_device() -> None:
    """Raises with a clear sentence unless a GPU can be used."""
    cuda = _cuda()
    # The last games of a run may be few, and adding up is quick: no reason to warn.
    settings: Any = import_module("numba.cuda.core.config")
    settings.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    if not cuda.is_available():
        raise PlaymillError(
            "no CUDA device was found; use --backend cpu", "устройство CUDA не найдено; используйте --backend cpu"
        )


def has_compiler() -> bool:
    """Whether rules can be compiled for a device here, be there one or not."""
    try:
        _cuda()
        nvvm: Any = import_module("numba.cuda.cudadrv.nvvm")
        nvrtc: Any = import_module("numba.cuda.cudadrv.nvrtc")
        nvvm.NVVM()
        nvrtc.get_supported_ccs()
    except Exception:  # every missing library has an error of its own
        return False
    return True


@cache
def device_kernels(game: Game, agents: frozenset[str], strict: bool = False) -> ModuleType:
    """The loops of a game with just these agents (each more costs registers), and the kernel that runs them."""
    _cuda()
    template = Path(__file__).with_name("loops_cuda.py").read_text(encoding="utf-8")
    kernel = template[template.index(_MARK) :]
    chosen = [name for name in game.agents if name in agents]
    text = specialised(game, chosen, strict=strict) + f"\n\n{_IMPORTS}\n\n\n" + kernel
    loops_cuda: Any = import_module("playmill.engine.loops_cuda")
    counting = {"tally_together": adding(game.rules["tally"], loops_cuda.add_to)}
    module = load_generated(game, "cuda", text, {**functions_of(game, chosen), **counting, "DESK": played_part(game)})
    versions = (import_module("numba_cuda").__version__, "-".join(chosen), *card_settings())
    keep_roots(game, "cuda", module, _KERNELS, versions, _target())
    return module


def _target() -> Target:
    """How kernels are taken apart and put together (see `machine_code.py`)."""
    dispatcher: Any = import_module("numba.cuda.dispatcher")
    utils: Any = import_module("numba.cuda.utils")
    return Target(
        lambda kernel: kernel._reduce_states(),
        lambda context, parts: dispatcher._Kernel._rebuild(**parts),
        lambda kernel: not kernel.launch_config_sensitive,
        while_loading=utils.numba_target_override,
    )


class Cuda:
    """Plays chunks of games on the GPU and counts them there; their rows come over if somebody wants them.

    With an `edge`, every stretch of games between two multiples of it is counted by itself.
    """

    # Fewer games would leave threads without one, and take as long: the longest game of a chunk is waited for.
    sizes = Sizes(_THREADS * _BLOCKS, 1 << 21, least=_THREADS * _BLOCKS)

    def __init__(
        self,
        match: Match,
        *,
        rows: bool = True,
        edge: int = 0,
        strict: bool = False,
        rotation: int = 0,
        rotations: int = 1,
    ) -> None:
        check_device()
        cuda = _cuda()
        numbers = {number: name for name, number in agent_numbers(match.game).items()}
        self._match = match
        self._edge = edge
        self._on_device = cuda.to_device(new_desk(match))
        self._pages = cuda.to_device(match.book.pages)
        self._rotation, self._rotations = rotation, rotations
        self._kernels = device_kernels(match.game, frozenset(numbers[seat] for seat in match.seats), strict)
        self._slips = cuda.to_device(np.full(1, _NO_SLIP))
        self._wants_rows = rows
        self._rows = cuda.device_array(1, match.game.outcome)
        self._tallies = cuda.device_array(0, in_ones(match.game.tally))

    def play(self, first: int, count: int) -> Chunk:
        """Plays these games; asked for none it plays one and forgets it, since a device cannot start for nothing."""
        cuda = _cuda()
        played = max(count, 1)
        if len(self._rows) < played:
            self._rows = cuda.device_array(played, self._match.game.outcome)
        rows_there = self._rows[:played]
        self._kernels.play_on_device[_blocks(played), _THREADS](
            self._on_device, self._pages, self._match.seed, first, rows_there, self._slips
        )
        slipped = int(self._slips.copy_to_host()[0])
        if slipped < count:
            raise slip(self._match, first + slipped, rotation=self._rotation, rotations=self._rotations)
        counts = self._count(first, rows_there)
        if not count:
            return Chunk(first, 0, np.zeros(0, self._match.game.outcome), np.zeros(1, self._match.game.tally))
        rows = rows_there.copy_to_host() if self._wants_rows else np.zeros(0, self._match.game.outcome)
        return Chunk(first, count, rows, counts, edge=self._edge)

    def _count(self, first: int, rows: Any) -> RecordArray:
        """One tally for each stretch of these games between two edges, or one for all."""
        if self._edge:
            edge = self._edge
        else:
            many = max(1, min(_TALLIES, _COUNTING // self._match.game.tally.itemsize))
            first, edge = 0, -(-len(rows) // many)
        stretches = (first + len(rows) - 1) // edge - first // edge + 1
        if len(self._tallies) < stretches:
            self._tallies = _cuda().device_array(stretches, self._tallies.dtype)
        tallies = self._tallies[:stretches]
        numbers = tallies.view(np.int64)
        self._kernels.clear_on_device[_blocks(len(numbers)), _THREADS](numbers)
        self._kernels.count_on_device[_blocks(len(rows)), _THREADS](self._on_device, first, edge, rows, tallies)
        found = numbers.copy_to_host()
        if not self._edge:
            found = found.reshape(stretches, -1).sum(axis=0)
        counts: RecordArray = found.view(self._match.game.tally)
        return counts


def _blocks(things: int) -> int:
    """How many blocks of threads there are for so many things to do."""
    return min(_BLOCKS, (things + _THREADS - 1) // _THREADS)
