"""A block of threads of a GPU without a GPU: Python threads run a kernel and wait for each other as those do."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import numpy as np

from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted


class Block:
    """What a kernel asks of CUDA, for one block of Python threads."""

    def __init__(self, threads: int) -> None:
        self.blockDim = SimpleNamespace(x=threads)
        self.local = SimpleNamespace(
            array=lambda size, dtype: plain(np.full(size * dtype.itemsize, 7, "u1").view(dtype))
        )
        self.atomic = SimpleNamespace(add=self._add, min=self._min)
        self._barrier = threading.Barrier(threads, timeout=60)
        self._lock = threading.Lock()
        self._raised = 0

    def syncthreads(self) -> None:
        self._barrier.wait()

    def syncthreads_count(self, raised: Any) -> int:
        with self._lock:
            self._raised += int(raised)
        self._barrier.wait()
        found = self._raised
        if self._barrier.wait() == 0:
            self._raised = 0
        self._barrier.wait()
        return found

    def _add(self, numbers: Any, place: int, amount: int) -> int:
        with self._lock:
            numbers[place] += amount
            return int(numbers[place]) - amount

    def _min(self, numbers: Any, place: int, number: int) -> None:
        with self._lock:
            numbers[place] = min(int(numbers[place]), number)

    def grid(self, dimensions: int) -> int:
        """The number of the thread that asks."""
        return int(threading.current_thread().name)

    def run(self, function: Any, *arguments: Any) -> None:
        """Has its threads run a kernel, by the interpreter; raises what one of them raises."""
        kernel = interpreted(function)
        kernel.__globals__["cuda"] = self
        raised: list[Exception] = []

        def run_one() -> None:
            try:
                kernel(*arguments)
            except Exception as error:
                raised.append(error)
                self._barrier.abort()

        ran = [threading.Thread(target=run_one, name=str(number), daemon=True) for number in range(self.blockDim.x)]
        for thread in ran:
            thread.start()
        for thread in ran:
            thread.join(120)
        if raised:
            raise raised[0]
        assert not any(thread.is_alive() for thread in ran)
