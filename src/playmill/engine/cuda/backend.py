"""GPU backend: compiles the same rules for the device and plays chunks of games there, with the same results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from threading import Lock
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from playmill.engine.compile.code_cache import Target, keep_code
from playmill.engine.compile.game_kernels import (
    agent_numbers,
    as_played,
    cache_entry_points,
    compiled_agents,
    played_part,
    specialiser,
)
from playmill.engine.compile.typing_shortcuts import mark_rule
from playmill.engine.contract.agent import RuleFunction
from playmill.engine.contract.game import Game
from playmill.engine.cuda.atomic_tally import adding, in_ones
from playmill.engine.cuda.compile_rules import rules_as_on_the_cpu
from playmill.engine.cuda.constants import tables_in_main_memory
from playmill.engine.kernels import placeholders
from playmill.engine.kernels.network_cuda import ON_DEVICE
from playmill.engine.lang.compiler import gpu_settings
from playmill.engine.lang.record import RecordArray
from playmill.engine.run.invalid_actions import invalid_action
from playmill.engine.run.match import Chunk, GroupCounts, Grouping, Match, Sizes, new_workspace
from playmill.texts import PlaymillError

#: Threads of kernels that count.
_COUNTERS = 128
#: How many games are enough to try out a shape with, and how often each is tried.
_TRIAL, _TRIES = 1 << 20, 2
#: Fewer games would leave threads without one, and take as long: the longest game of a chunk is waited for.
_LEAST, _MOST = 1 << 18, 1 << 21
#: Threads that add to one number wait for each other: games are counted in so many tallies, if they take no more bytes.
_TALLIES, _COUNTING = 128, 1 << 28
#: Names of our changes to the GPU compiler: part of the cache key of compiled code.
_TAUGHT = (
    "tables in main memory",
    "integers are wide",
    "rare rules are called",
    "numbers are rounded alike",
    "indices from the front",
    "records are copied by words",
)
#: Modules that only numba-cuda has, and at last the one that is used.
_NEEDED = ("numba_cuda", "numba.cuda.core.config", "numba.cuda.dispatcher", "numba.cuda")
#: Counters before games are played: no game has an invalid action, none has been taken.
NOTHING_NOTED = np.array([np.iinfo(np.int64).max, 0])


def numba_cuda() -> Any:
    """numba.cuda, or one sentence about why there is none."""
    if not hasattr(np, "row_stack"):
        np.row_stack = np.vstack  # numba-cuda up to 0.30 imports the name that NumPy 2.5 dropped
    try:
        # Numba brings along a numba.cuda of its own, with other insides: NVIDIA's package has to stand in its place.
        cuda = [import_module(name) for name in _NEEDED][-1]
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
    cuda = numba_cuda()
    # The last games of a run may be few, and adding up is quick: no reason to warn.
    settings: Any = import_module("numba.cuda.core.config")
    settings.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    if not cuda.is_available():
        raise PlaymillError(
            "no CUDA device was found; play --on threads", "устройство CUDA не найдено; играйте с --on threads"
        )


def has_compiler() -> bool:
    """Whether rules can be compiled for a device here, be there one or not."""
    try:
        numba_cuda()
        nvvm: Any = import_module("numba.cuda.cudadrv.nvvm")
        nvrtc: Any = import_module("numba.cuda.cudadrv.nvrtc")
        nvvm.NVVM()
        nvrtc.get_supported_ccs()
    except Exception:  # every missing library has an error of its own
        return False
    return True


def _loops() -> Any:
    """The functions that kernels are made of; the module needs numba-cuda."""
    return import_module("playmill.engine.kernels.play_cuda")


@cache
def device_kernels(game: Game, agents: frozenset[str], strict: bool = False) -> SimpleNamespace:
    """The loops of a game with just these agents (each more costs registers), and the kernels that run them."""
    numba_cuda()
    loops = _loops()
    chosen = [name for name in compiled_agents(game) if name in agents]
    played = as_played(game, chosen)
    workspace = {"WORKSPACE": played_part(played)}
    made = specialiser(played, chosen, strict=strict, template=loops, constants=workspace, instead=ON_DEVICE)
    made.replace(placeholders.tally, adding(game.rules["tally"], loops.add_to))
    functions = (loops.play_on_device, loops.count_on_device, loops.sum_on_device, loops.find_on_device)
    return gpu_kernels(game, "cuda", [made.function(one) for one in functions], chosen)


def gpu_kernels(
    game: Game,
    flavour: str,
    functions: Sequence[RuleFunction],
    agents: Sequence[str],
    registers: Mapping[str, int] | None = None,
) -> SimpleNamespace:
    """Kernels made of functions that were specialised for a game, compiled as GPUs want it, and kept.

    `registers` says of some of them how many a thread may have, so that more threads go side by side.
    """
    most = dict(registers or {})
    tables_in_main_memory()
    rules_as_on_the_cpu()
    cuda = numba_cuda()
    for one in functions:
        mark_rule(one)
    kernels = SimpleNamespace(
        **{one.__name__: cuda.jit(one, lto=False, max_registers=most.get(one.__name__)) for one in functions}
    )
    versions = (import_module("numba_cuda").__version__, "-".join(agents), str(most), *_TAUGHT, *gpu_settings())
    target = _target()
    cache_entry_points(
        game, flavour, kernels, versions, lambda kernel, disk_cache: keep_code(kernel, disk_cache, target)
    )
    return kernels


def _target() -> Target:
    """How kernels are taken apart and put together (see `code_cache.py`)."""
    dispatcher: Any = import_module("numba.cuda.dispatcher")
    utils: Any = import_module("numba.cuda.utils")
    return Target(
        lambda kernel: kernel._reduce_states(),
        lambda context, parts: dispatcher._Kernel._rebuild(**parts),
        lambda kernel: not kernel.launch_config_sensitive,
        while_loading=utils.numba_target_override,
    )


class Cuda:
    """Plays chunks of games on the GPU and counts them there; their rows are copied over if somebody wants them.

    With an `edge`, every stretch of games between two multiples of it is counted by itself; with a `grouping`, every
    group of games. Each worker has a CUDA stream of its own: one counts, and its numbers are copied, while another
    plays.
    """

    sizes = Sizes(_LEAST, _MOST, least=_LEAST)

    def __init__(
        self,
        match: Match,
        *,
        rows: bool = True,
        edge: int = 0,
        grouping: Grouping | None = None,
        strict: bool = False,
        rotation: int = 0,
        rotations: int = 1,
    ) -> None:
        check_device()
        cuda = numba_cuda()
        numbers = {number: name for name, number in agent_numbers(match.game).items()}
        self._match = match
        self._edge, self._grouping = edge, grouping
        self._queue = cuda.stream()
        self._on_device = cuda.to_device(new_workspace(match))
        self._lookup = cuda.to_device(match.lookup_tables.values)
        self._rotation, self._rotations = rotation, rotations
        self._agents = tuple(sorted({numbers[seat] for seat in match.seats if seat >= 0}))
        self._kernels = device_kernels(match.game, frozenset(self._agents), strict)
        self._notes = cuda.device_array(2, np.int64)
        self._wants_rows = rows
        self._rows = cuda.device_array(1, match.game.outcome)
        self._processors = cuda.get_current_device().MULTIPROCESSOR_COUNT
        self._tallies = _Tallies(cuda, self._queue, self._kernels, match, self._on_device)

    def play(self, first: int, count: int) -> Chunk:
        """Plays these games; asked for none it plays one and forgets it, since a device cannot start for nothing."""
        rows = self._play(first, max(count, 1))
        outcome, tally = self._match.game.outcome, self._match.game.tally
        first_invalid = int(brought(self._notes, self._queue)[_loops().INVALID_ACTION])
        if first_invalid < count:
            raise self._invalid(first + first_invalid)
        counts = self._counted(first, rows)
        if not count:
            return Chunk(first, 0, np.zeros(0, outcome), np.zeros(1, tally))
        found = brought(rows, self._queue) if self._wants_rows else np.zeros(0, outcome)
        return Chunk(first, count, found, counts, edge=self._edge)

    def _invalid(self, number: int) -> PlaymillError:
        """The error for a game that had an invalid action."""
        return invalid_action(self._match, number, rotation=self._rotation, rotations=self._rotations)

    def _counted(self, first: int, rows: Any) -> RecordArray | GroupCounts:
        """The counts of these games, apart where that is wanted."""
        if self._grouping is not None:
            return self._tallies.groups(first, rows, self._grouping)
        return self._tallies.stretches(first, rows, self._edge) if self._edge else self._tallies.total(rows)

    def _play(self, first: int, games: int) -> Any:
        """The rows of these games, on the device."""
        if len(self._rows) < games:
            self._rows = numba_cuda().device_array(games, self._match.game.outcome)
        rows = self._rows[:games]
        wipe(rows, self._queue)  # what a game leaves out of its outcome is 0
        self._launch(first, rows)
        return rows

    def _launch(self, first: int, rows: Any) -> None:
        """Starts the kernel that plays these games."""
        games = len(rows)
        self._notes.copy_to_device(NOTHING_NOTED, stream=self._queue)
        with _shapes_of(self._kernels.play_on_device).tried(games, self._queue) as shape:
            blocks = min(shape.blocks * self._processors, -(-games // shape.threads))
            self._kernels.play_on_device[blocks, shape.threads, self._queue](
                self._on_device, self._lookup, self._match.seed, first, rows, self._notes, shape.patience
            )


class Shape(NamedTuple):
    """Launch configuration: threads of a block, blocks of a multiprocessor, threads that wait before a block deals."""

    threads: int
    blocks: int
    patience: int


#: No shape suits all games: it depends on how long they are, how unlike, and how much their rules are.
SHAPES = (Shape(256, 4, 192), Shape(384, 2, 384), Shape(128, 6, 128), Shape(256, 2, 256))
#: What the threads on one multiprocessor share.
_REGISTERS = 1 << 16


class Shapes:
    """Tunes the launch configuration of a game: tries each with one of its first large chunks."""

    def __init__(self, cuda: Any, registers: Callable[[], int]) -> None:
        self._cuda = cuda
        self._registers = registers  # of one thread: known when the first game has been played
        self._untried: list[Shape] | None = None
        self._speeds: list[tuple[float, Shape]] = []
        self._trying = Lock()

    @contextmanager
    def tried(self, games: int, queue: Any = 0) -> Iterator[Shape]:
        """Context with the launch configuration for n games that are played within it, in a CUDA stream."""
        if games < _TRIAL or self._untried == []:
            yield max(self._speeds, default=(0.0, SHAPES[0]))[1]
            return
        with self._trying:
            if self._untried is None:
                fits = [shape for shape in SHAPES if shape.threads * self._registers() <= _REGISTERS]
                self._untried = fits * _TRIES
            shape = self._untried.pop(0) if self._untried else SHAPES[0]
            begun, ended = self._cuda.event(), self._cuda.event()
            begun.record(queue)
            yield shape
            ended.record(queue)
            ended.synchronize()
            self._speeds.append((games / self._cuda.event_elapsed_time(begun, ended), shape))


@cache
def _shapes_of(play: Any) -> Shapes:
    """The launch configuration tuner of a kernel, shared by all who play with it."""
    return Shapes(numba_cuda(), lambda: max(-(-used // 8) * 8 for used in play.get_regs_per_thread().values()))


class _Tallies:
    """Counts games on the device, in a CUDA stream of its own, and copies the counts over.

    Its buffers are kept: freeing memory waits for everything that runs on the GPU.
    """

    def __init__(self, cuda: Any, queue: Any, kernels: Any, match: Match, workspace: Any) -> None:
        self._cuda, self._queue, self._kernels, self._workspace = cuda, queue, kernels, workspace
        self._tally = match.game.tally
        self._total = cuda.device_array(self._tally.itemsize // 8, np.int64)
        self._tallies, self._ends = cuda.device_array(0, in_ones(self._tally)), cuda.device_array(0, np.int64)
        self._nowhere = cuda.device_array(0, np.int32), cuda.device_array(0, np.int64)
        self._places, self._values = self._nowhere

    def total(self, rows: Any) -> RecordArray:
        """One tally of all these games."""
        many = max(1, min(_TALLIES, _COUNTING // self._tally.itemsize))
        numbers = self._count(0, rows, edge=-(-len(rows) // many))
        self._kernels.sum_on_device[_blocks(len(self._total)), _COUNTERS, self._queue](numbers, self._total)
        total: RecordArray = brought(self._total, self._queue).view(self._tally)
        return total

    def stretches(self, first: int, rows: Any, edge: int) -> GroupCounts:
        """The counts of each stretch of these games between two edges, without the zeros."""
        return self._found(self._count(first, rows, edge=edge))

    def groups(self, first: int, rows: Any, grouping: Grouping) -> GroupCounts:
        """The counts of each group of these games, without the zeros."""
        return self._found(self._count(first, rows, edge=grouping.stretch, groups=grouping.groups))

    def _found(self, numbers: Any) -> GroupCounts:
        """What is not 0 in tallies on the device."""
        many = len(numbers) // len(self._total)
        find = self._kernels.find_on_device[many, 32 * _loops().LOOKERS, self._queue]
        self._ends = self._with_room(self._ends, many)
        ends = self._ends[:many]
        find(numbers, ends, *self._nowhere)
        found = brought(ends, self._queue)
        ends.copy_to_device(np.cumsum(found), stream=self._queue)
        size = int(found.sum())
        if len(self._places) <= size:
            self._places, self._values = (self._with_room(room, 2 * size + 1) for room in self._nowhere)
        find(numbers, ends, self._places, self._values)
        places, values = (brought(room[:size], self._queue) for room in (self._places, self._values))
        return GroupCounts(np.repeat(np.arange(many), found), places, values)

    def _count(self, first: int, rows: Any, *, edge: int, groups: int = 0) -> Any:
        """The numbers of one tally after the other, on the device: one for each group, or stretch between two edges."""
        many = groups or (first + len(rows) - 1) // edge - first // edge + 1
        self._tallies = self._with_room(self._tallies, many)
        tallies = self._tallies[:many]
        wipe(tallies, self._queue)
        count = self._kernels.count_on_device[_blocks(len(rows)), _COUNTERS, self._queue]
        count(self._workspace, first, edge, groups, rows, tallies)
        return tallies.view(np.int64)

    def _with_room(self, array: Any, size: int) -> Any:
        """The array, or a larger one in place of it."""
        return array if len(array) >= size else self._cuda.device_array(size, array.dtype)


def wipe(array: Any, queue: Any) -> None:
    """Makes all bytes of an array on the device 0."""
    driver: Any = import_module("numba.cuda.cudadrv.driver")
    driver.device_memset(array, 0, array.nbytes, queue)


def brought(array: Any, queue: Any) -> Any:
    """Copies an array from the device, once all that was queued before has been done."""
    found = array.copy_to_host(stream=queue)
    queue.synchronize()
    return found


def _blocks(things: int) -> int:
    """How many blocks of threads there are for this many things to count."""
    return min(1 << 12, -(-things // _COUNTERS))
