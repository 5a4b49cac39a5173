"""What is kept of tournaments, for `playmill runs`: each tournament by its command, and the pairings of each game.

Pairings are shared: whichever tournament asks for one finds what another has played of it. So a tournament that is
removed leaves its pairings, which are removed by game.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shlex import join

from playmill.home import home
from playmill.lab.contests.tournament.store import pairings_folder
from playmill.lab.runs.kept_work import KeptDescription, KeptWork, moment_text, work_name
from playmill.lab.runs.store.lock import RunLock
from playmill.lab.runs.store.manifest import make_folder
from playmill.texts import PlaymillError

#: The kind of all pairings of a game.
PAIRINGS = "pairings"


def describe_event(kind: str, game: str, words: Sequence[str]) -> KeptDescription | None:
    """Describes a tournament or contest by the words of its command; that it cannot be listed does not end it."""
    command = join(words)
    folder = home() / f"{kind}s" / work_name(game, command)
    with suppress(PlaymillError):
        make_folder(folder)
        return KeptDescription(folder, kind=kind, game=game, command=command)
    return None


@dataclass(frozen=True)
class KeptPairings(KeptWork):
    """All pairings of a game."""

    places: tuple[Path, ...] = ()

    @property
    def bytes(self) -> int:
        """The bytes of their files."""
        return sum(path.stat().st_size for place in self.places for path in place.rglob("*") if path.is_file())

    def remove(self) -> None:
        """Removes them from the disk, but for one that is being played."""
        for place in self.places:
            with RunLock(place, place.name):
                pass
            shutil.rmtree(place, ignore_errors=True)


def kept_pairings() -> Iterator[KeptPairings]:
    """Yields the pairings of each game that are kept beside the runs."""
    found: dict[str, list[Path]] = defaultdict(list)
    with suppress(OSError):
        for place in sorted(pairings_folder().iterdir()):
            if place.is_dir() and not place.is_symlink():
                found[place.name.rpartition("-")[0]].append(place)
    for game, places in found.items():
        with suppress(OSError):
            yield KeptPairings(
                name=f"{game}-{PAIRINGS}",
                kind=PAIRINGS,
                folder=pairings_folder(),
                game=game,
                done=len(places),
                last=moment_text(max(place.stat().st_mtime for place in places)),
                places=tuple(places),
            )
