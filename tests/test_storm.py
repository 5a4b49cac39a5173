"""A few of the signals of `tools/storm.py`, which sends hundreds."""

from __future__ import annotations

import sys

import pytest
import storm


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send to another process")
def test_signals_at_random_moments_break_nothing(tmp_path):
    found = storm.storm(tmp_path, 10, seed=4, longest=1.0)
    assert found.mistakes == []
    assert found.runs.total() == 10
