"""Several GPUs, with stand-ins for them: games are spread over all, in order; those of a lost one go to the others."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from playmill import PlaymillError, compare, simulate
from playmill.engine.cuda import backend, devices
from playmill.engine.run.backends import Cpu, LostDeviceError, play_in_order
from playmill.engine.run.match import Chunk, Grouping, Match, Sizes
from playmill.lab.runs.rotation import GroupCounter
from playmill.report.files.writing import results_text


class CudaAPIError(Exception):
    """What the driver raises."""


class Machine:
    """GPUs that are none: who was asked to do what on which, and what goes wrong."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.here = threading.local()
        self.played: Counter[int] = Counter()
        self.fails: Callable[[int], str | None] = lambda device: None

    def __iter__(self) -> Iterator[SimpleNamespace]:
        return iter([SimpleNamespace(id=device) for device in range(self.number)])

    @contextmanager
    def _entered(self, device: int) -> Iterator[None]:
        assert getattr(self.here, "device", None) is None, "one context at a time"
        self.here.device = device
        try:
            yield
        finally:
            self.here.device = None

    def __getitem__(self, device: int) -> AbstractContextManager[None]:
        return self._entered(device)

    def note(self) -> None:
        """Games are played on the GPU of this thread."""
        device = self.here.device
        assert device is not None
        if (reason := self.fails(device)) is not None:
            raise CudaAPIError(reason)
        self.played[device] += 1


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Machine]:
    """Has `on="cuda"` mean so many GPUs, on which the CPU plays."""

    def put(number: int) -> Machine:
        made = Machine(number)

        class OnCpu(Cpu):
            sizes = Sizes(64, 256, least=64)

            def __init__(self, match: Match, *, rows: bool, grouping: Grouping | None, **options: Any) -> None:
                super().__init__(match, rows=rows or grouping is not None, **options)
                self._groups = GroupCounter(match, 1, grouping) if grouping is not None else None

            def play(self, first: int, count: int) -> Chunk:
                made.note()
                time.sleep(0.002)
                chunk = super().play(first, count)
                if self._groups is None or not count:
                    return chunk
                return Chunk(first, count, chunk.rows[:0], self._groups.count(first, chunk.rows))

        monkeypatch.setattr(backend, "Cuda", OnCpu)
        monkeypatch.setattr(devices, "check_device", lambda: None)
        monkeypatch.setattr(devices, "numba_cuda", lambda: SimpleNamespace(gpus=made))
        monkeypatch.setattr(devices, "import_module", lambda name: SimpleNamespace(CudaAPIError=CudaAPIError))
        return made

    return put


@pytest.mark.parametrize("number", [1, 2, 3, 8])
def test_all_gpus_play_and_the_results_are_the_same(pig, machine, number):
    here = simulate(pig, games=20_000, seed=4)
    gpus = machine(number)
    there = simulate(pig, games=20_000, seed=4, on="cuda")
    assert results_text(there.results) == results_text(here.results)
    assert there.games.equals(here.games)
    assert there.info.workers == 2 * number
    assert set(gpus.played) == set(range(number))
    assert max(gpus.played.values()) < 3 * min(gpus.played.values()) + 8


def test_a_comparison_on_several_gpus_is_the_same(pig, machine):
    here = compare(pig, a={"agents": ("random", "threshold")}, b={"agents": ("threshold", "random")}, games=1000)
    gpus = machine(2)
    there = compare(
        pig, a={"agents": ("random", "threshold")}, b={"agents": ("threshold", "random")}, games=1000, on="cuda"
    )
    assert results_text(there.json()["results"]) == results_text(here.json()["results"])
    assert len(gpus.played) == 2


def test_games_of_a_gpu_that_is_lost_are_played_by_the_others(pig, machine):
    here = simulate(pig, games=20_000, seed=4)
    gpus = machine(3)
    gpus.fails = lambda device: "CUDA_ERROR_ECC_UNCORRECTABLE" if device == 1 and gpus.played[1] >= 5 else None
    there = simulate(pig, games=20_000, seed=4, on="cuda")
    assert results_text(there.results) == results_text(here.results)
    assert gpus.played[1] == 5
    assert gpus.played[0] > 5


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        ("[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY", "GPU 1 has not enough free memory; free some"),
        ("[700] CUDA_ERROR_ILLEGAL_ADDRESS", r"GPU 1 cannot go on: \[700\] CUDA_ERROR_ILLEGAL_ADDRESS"),
    ],
)
def test_when_all_are_lost_it_is_one_sentence(pig, machine, reason, sentence):
    gpus = machine(2)
    # The last that is left is number 1.
    gpus.fails = lambda device: reason if sum(gpus.played.values()) >= (8 if device else 4) else None
    with pytest.raises(PlaymillError, match=sentence):
        simulate(pig, games=20_000, on="cuda")


def test_a_gpu_without_memory_to_begin_with_is_left_out():
    class Player:
        sizes = Sizes(4, 8)

        def play(self, first: int, count: int) -> SimpleNamespace:
            return SimpleNamespace(first=first, games=count)

    made: list[int] = []

    def make() -> Player:
        made.append(len(made))
        if len(made) % 2:
            raise LostDeviceError("full", "занята")
        return Player()

    parts = list(play_in_order(make, range(0, 100), 4, lambda: 0))
    assert [part.first for part in parts] == sorted(part.first for part in parts)
    assert sum(part.games for part in parts) == 100
    with pytest.raises(LostDeviceError, match="full"):
        list(play_in_order(lambda: (_ for _ in ()).throw(LostDeviceError("full")), range(0, 100), 4, lambda: 0))
