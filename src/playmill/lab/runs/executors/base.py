"""The interface of executors: what each can do, and which output it is asked to return besides counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from playmill.lab.runs.finished_games import FinishedGames
from playmill.texts import PlaymillError


@dataclass(frozen=True)
class RequestedOutput:
    """What an executor returns of the games besides their counts; it never changes the games."""

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


class Executor(Protocol):
    """Plays the games of a plan; used once, and released by `leave`."""

    @property
    def workers(self) -> int:
        """How many play at a time."""

    @property
    def waited(self) -> float:
        """Seconds in `play` in which nothing was played."""

    @property
    def warming(self) -> bool:
        """Whether what is played now will be played faster later on."""

    def prepare(self, wanted: RequestedOutput) -> None:
        """Compiles what has to be compiled, there; raises unless games can be played."""

    def play(self, ranges: Sequence[range]) -> Iterator[FinishedGames]:
        """Plays these games and yields what is finished; asked to stop, it ends soon with what is done.

        No part has games of two ranges.
        """

    def leave(self) -> None:
        """Releases its resources; nothing can be played afterwards."""


class LostExecutorError(PlaymillError):
    """Raised when an executor can play no more; finished games are not affected."""
