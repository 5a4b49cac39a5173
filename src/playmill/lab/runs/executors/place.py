"""Where games are played: what every such place can do, and what it is asked to bring back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from playmill.lab.runs.parts import Part
from playmill.texts import PlaymillError


@dataclass(frozen=True)
class Wanted:
    """What is to come of the games besides their counts: whatever that is, the games are the same."""

    #: Parts are cut where the number of a game is a multiple of it; 0: anywhere.
    edge: int = 0
    #: The row of each game.
    rows: bool = False
    #: Every answer that could not be used, word for word, not just the first ones of a chunk.
    words: bool = False
    #: The folder of the run that is kept, and whether single games are kept in it.
    folder: Path | None = None
    keeps_rows: bool = False

    @property
    def ordered(self) -> bool:
        """Whether games must come in their order: a kept run can have holes for a while, nothing else can."""
        return self.folder is None or self.rows or self.words


class Place(Protocol):
    """Somewhere to play the games of a plan; used once, and left when all is done."""

    workers: int
    #: Seconds in `play` in which nothing was played, and whether what is played now will be played faster later on.
    waited: float
    warming: bool

    def prepare(self, wanted: Wanted) -> None:
        """Compiles what has to be compiled, there; raises unless games can be played."""

    def play(self, ranges: Sequence[range]) -> Iterator[Part]:
        """Plays these games and yields what is finished; asked to stop, it ends soon with what is done.

        No part has games of two ranges.
        """

    def leave(self) -> None:
        """Gives back what the place needed; nothing can be played there afterwards."""


class LostPlaceError(PlaymillError):
    """A place where nothing can be played any more; what is finished is as good as before."""
