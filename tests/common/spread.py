"""How tests are spread over processes: those of one game stay together, so that its rules are compiled once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection
from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling

from common.found import GAMES

#: Words in the names of files whose tests take seconds each, because they wait for others: browsers and processes.
LONG = ("browser", "killed", "storm", "docs", "cache", "package", "stopping", "keeping", "cluster", "fuzz", "web_")
#: As many usual tests take as long as one of those.
MANY = 20


class ByGame(LoadScopeScheduling):
    """Hands out tests game by game, the rest file by file; what takes longest comes first, so that all end together."""

    # pytest-xdist's own groups (`--dist loadgroup`) are lost in silence where pytest makes ids of nodes as 9.2 does.
    def _split_scope(self, nodeid: str) -> str:
        """The group of a test."""
        return group_of(nodeid)

    def schedule(self) -> None:
        """Begins with the groups of most tests, which are the games, and goes on with those that take longest."""
        super().schedule()
        self.workqueue = OrderedDict(sorted(self.workqueue.items(), key=lambda unit: -effort(unit[1])))


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
