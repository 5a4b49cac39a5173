"""Each command finds the same on one thread and two, and after kill -9: `tools/places.py` in small."""

from __future__ import annotations

import random
import sys

import places
import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signals to send to another process")
THREADS = [places.Place("threads-1", ("--workers", "1")), places.Place("threads-2", ("--workers", "2"))]
PIG = "examples/pig --seed 5"
QUICK = [
    places.Case("simulate", f"simulate {PIG} --agents threshold random --rotate --games 1e6 --keep"),
    places.Case("sweep", f"sweep {PIG} --over target=60..80/20 --show turns --games 60000 --keep"),
]


@pytest.fixture(autouse=True)
def _root(monkeypatch, request):
    monkeypatch.chdir(request.config.rootpath)


@pytest.mark.parametrize("case", QUICK, ids=lambda case: case.name)
def test_a_command_finds_the_same_after_a_kill(case):
    rows = places.compared([case], THREADS, kills=2, seed=1)
    assert [(row["same"], row["killed_same"]) for row in rows] == [(True, True)] * 2, rows
    assert sum(row["kills"] for row in rows) > 0, rows


@pytest.mark.long
@pytest.mark.parametrize("case", places.CASES, ids=lambda case: case.name)
def test_every_command_finds_the_same_after_a_kill(case):
    rows = places.compared([case], THREADS[1:], kills=2, seed=1)
    assert [(row["same"], row["killed_same"]) for row in rows] == [(True, True)], rows


def test_what_differs_is_found(tmp_path, monkeypatch):
    """A command that forgets what it has played, or finds something else, does not pass."""
    case = places.Case("simulate", f"simulate {PIG} --games 20000 --keep")
    other = places.Case("simulate", f"simulate {PIG} --games 20000 --keep --set target=50")
    begin, started = places.start, []

    def swapped(_case: places.Case, *args: object, **more: object) -> object:
        started.append(_case)
        return begin(other if len(started) > 1 else _case, *args, **more)

    monkeypatch.setattr(places, "start", swapped)
    (row,) = places.compared([case], THREADS[:1], kills=0, seed=1)
    assert (row["same"], row["killed_same"]) == (True, False)
    assert any("target" in line for line in row["difference"])


def test_a_command_that_refuses_is_told_in_its_own_sentence():
    case = places.Case("simulate", f"simulate {PIG} --games 10 --set target=0")
    (row,) = places.compared([case], THREADS[:1], kills=1, seed=random.randrange(9))
    assert row["same"] is None
    assert "target" in row["sentence"]
