"""A few of the signals of `tools/storm.py`, which sends hundreds."""

from __future__ import annotations

import sys

import pytest
import storm

pytestmark = pytest.mark.long

#: Few, for each of them starts the program and takes seconds.
RUNS = 5


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send to another process")
def test_signals_at_random_moments_break_nothing(tmp_path):
    found = storm.storm(tmp_path, RUNS, seed=4, longest=0.5)
    assert found.mistakes == []
    assert found.runs.total() == RUNS
