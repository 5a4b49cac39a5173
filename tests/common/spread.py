"""How tests are spread over processes: those of one game stay together, so that its rules are compiled once."""

from __future__ import annotations

from pathlib import PurePosixPath

from xdist.scheduler import LoadScopeScheduling

from common.found import GAMES


class ByGame(LoadScopeScheduling):
    """Hands out tests game by game, the rest file by file, the largest groups first."""

    # pytest-xdist's own groups (`--dist loadgroup`) are lost in silence where pytest makes ids of nodes as 9.2 does.
    def _split_scope(self, nodeid: str) -> str:
        """The group of a test."""
        return group_of(nodeid)


def group_of(nodeid: str) -> str:
    """The game a test is about, or else its file."""
    file, _, name = nodeid.partition("::")
    path = PurePosixPath(file)
    for game in GAMES:
        if game in path.parts or f"[{game}" in name or f"-{game}" in name:
            return game
    return path.stem
