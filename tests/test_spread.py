"""Spread over processes, the tests of one game are run by one of them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from common.found import ROOT
from common.spread import LONG, ByGame, effort, group_of


@pytest.mark.parametrize(
    ("nodeid", "group"),
    [
        ("tests/games/dice/test_dice_words.py::test_a[x]", "dice"),
        ("tests/games/test_every_word.py::test_a[grid]", "grid"),
        ("tests/lab/test_replay.py::test_a[en-influence]", "influence"),
        ("tests/test_docs.py::test_a[dimensions.md]", "dimensions"),
        ("tests/lab/test_film.py::test_dice_roll", "test_film"),
    ],
)
def test_a_test_belongs_to_its_game_or_to_its_file(nodeid: str, group: str) -> None:
    assert group_of(nodeid) == group


class Node:
    """A process that only notes which tests it is told to run."""

    shutting_down = False

    def __init__(self, name: str) -> None:
        self.gateway = SimpleNamespace(id=name)
        self.told: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        assert indices, "who has nothing to do has nothing to report, and is never told to go on"
        self.told += indices

    def shutdown(self) -> None:
        self.shutting_down = True


def scheduled(tests: list[str], count: int) -> tuple[ByGame, list[Node]]:
    """So many processes that have been told their first tests."""
    options: dict[str, Any] = {"tx": [f"{count}*popen"], "loadscopereorder": True}
    config = SimpleNamespace(getvalue=options.get, option=SimpleNamespace(**options))
    scheduler, nodes = ByGame(config), [Node(f"node {number}") for number in range(count)]
    for node in nodes:
        scheduler.add_node(node)
        scheduler.add_node_collection(node, tests)
    scheduler.schedule()
    return scheduler, nodes


def test_no_group_is_torn_apart() -> None:
    tests = [f"tests/test_{file}.py::test_{n}[{game}]" for n in range(9) for file in "ab" for game in ("dice", "x")]
    scheduler, nodes = scheduled(tests, 2)
    for _ in tests:
        for node in nodes:
            if node.told:
                scheduler.mark_test_complete(node, node.told[0])
                node.told.append(node.told.pop(0))
    ran = [{group_of(tests[index]) for index in node.told} for node in nodes]
    assert set.union(*ran) == {"dice", "test_a", "test_b"} and not set.intersection(*ran)


def test_when_a_process_dies_others_do_what_it_left_and_nobody_waits_for_nothing() -> None:
    tests = [f"tests/test_{file}.py::test_{n}" for file in "abc" for n in range(3)]
    scheduler, (dead,) = scheduled(tests, 1)
    for done in range(4):
        scheduler.mark_test_complete(dead, dead.told[done])
    end = scheduler.remove_node(dead)
    heir = Node("heir")
    scheduler.add_node(heir)
    scheduler.add_node_collection(heir, tests)
    scheduler.schedule()
    for index in heir.told:
        scheduler.mark_test_complete(heir, index)
    assert end == tests[dead.told[4]], "that is what it was at"
    assert sorted([*dead.told[:5], *heir.told]) == list(range(len(tests))) and heir.shutting_down


def test_a_test_that_stands_still_is_ended_and_says_where(tmp_path: Path) -> None:
    (tmp_path / "test_still.py").write_text("import threading\n\ndef test_it():\n    threading.Event().wait()\n")
    words = ["-c", ROOT / "pyproject.toml", "-p", "no:cacheprovider", "-o", "faulthandler_timeout=0.2", tmp_path]
    ended = subprocess.run([sys.executable, "-m", "pytest", *words], capture_output=True, text=True, check=False)
    assert ended.returncode == 1 and "line 4 in test_it" in ended.stderr


def in_order(tests: list[str]) -> list[str]:
    """All tests as one process runs them."""
    scheduler, (node,) = scheduled(tests, 1)
    told: list[int] = []
    while node.told:
        told.append(node.told.pop(0))
        scheduler.mark_test_complete(node, told[-1])
    assert sorted(told) == list(range(len(tests))), "each is run, and once"
    return [tests[index] for index in told]


def test_what_takes_long_does_not_wait_for_the_end() -> None:
    usual = [f"tests/test_{file}.py::test_{n}" for file in "abcd" for n in range(9)]
    ran = in_order([*usual, "tests/test_storm.py::test_it", "tests/test_e.py::test_it"])
    assert ran[0] == "tests/test_storm.py::test_it" and ran[-1] == "tests/test_e.py::test_it"
    assert effort(["tests/test_storm.py::test_it"]) > effort(usual[:9]) > effort(["tests/test_a.py::test_storm"])


def test_a_game_is_compiled_by_its_own_tests_before_others_play_it() -> None:
    others = [f"tests/test_storm.py::test_{n}" for n in range(9)]
    games = [f"tests/games/{game}/test_{game}_words.py::test_it" for game in ("dice", "grid", "pig")]
    assert set(in_order([*others, *games])[: len(games)]) == set(games)


def test_the_words_are_those_of_files_there_are() -> None:
    names = [path.name for path in (ROOT / "tests").rglob("test_*.py")]
    assert [word for word in LONG if not any(word in name for name in names)] == []
