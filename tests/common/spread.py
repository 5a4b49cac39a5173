"""How tests are spread over processes: those of one game stay together, so that its rules are compiled once."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from xdist.scheduler import LoadScopeScheduling

from common.found import GAMES

#: Words in the names of files whose tests take seconds each, because they wait for others: browsers and processes.
LONG = ("browser", "killed", "storm", "docs", "cache", "package", "stopping", "keeping", "cluster", "fuzz", "web_")
#: As many usual tests take as long as one of those.
MANY = 20


class ByGame(LoadScopeScheduling):
    """Hands out tests game by game, then the rest file by file; what takes longest comes first: all end together.

    Other tests play the games, too: what they need has been compiled by then, by one process.
    """

    # pytest-xdist's own groups (`--dist loadgroup`) are lost in silence where pytest makes ids of nodes as 9.2 does.
    def _split_scope(self, nodeid: str) -> str:
        """The group of a test."""
        return group_of(nodeid)

    def _assign_work_unit(self, node: Any) -> None:
        """Hands a process the next group: games, then the files that take longest."""
        self.workqueue.move_to_end(min(self.workqueue, key=self._places.__getitem__), last=False)
        super()._assign_work_unit(node)

    def remove_node(self, node: Any) -> str | None:
        """Takes back what a process leaves undone; returns the test that was its end, which is not tried again."""
        # pytest-xdist's own tries it again, and hands out groups in which all is done: whoever gets one of those has
        # nothing to report, is never told to go on, and the whole suite waits for ever.
        work = self.assigned_work.pop(node)
        left = {group: {test: False for test, done in tests.items() if not done} for group, tests in work.items()}
        end = next((test for tests in left.values() for test in tests), None)
        if end is not None:
            del left[group_of(end)][end]
            self.workqueue.update({group: tests for group, tests in left.items() if tests})
            for other in self.nodes:
                self._reschedule(other)
        return end

    @cached_property
    def _places(self) -> dict[str, tuple[bool, int]]:
        """What each group is handed out by; asked for when none has been yet."""
        return {group: (group not in GAMES, -effort(tests)) for group, tests in self.workqueue.items()}


def group_of(nodeid: str) -> str:
    """The game a test is about, or else its file."""
    file, _, name = nodeid.partition("::")
    path = PurePosixPath(file)
    for game in GAMES:
        if game in path.parts or f"[{game}" in name or f"-{game}" in name:
            return game
    return path.stem


def effort(tests: Collection[str]) -> int:
    """How long tests take beside others, in usual tests."""
    return sum(MANY if any(word in nodeid.partition("::")[0] for word in LONG) else 1 for nodeid in tests)
