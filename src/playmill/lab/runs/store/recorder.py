"""Collects finished games into chunks for the writer; begins keeping a run only when it turns out to be long."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from playmill.lab.runs.finished_games import FinishedGames, join
from playmill.lab.runs.resolved_plan import ResolvedPlan
from playmill.lab.runs.store.reader import KeptRun, folder_of
from playmill.lab.runs.store.writer import RunWriter, default_name, open_writer, reopen_writer
from playmill.texts import PlaymillError

#: A run that is expected to take longer than this many seconds is kept, unless the user does not want it.
LONG = 60.0
#: Seconds after which the first guess is made.
_FIRST_LOOK = 1.0


class Chunker:
    """Joins finished games into whole chunks."""

    def __init__(self, resolved: ResolvedPlan, end: int, *, rows: bool) -> None:
        self._resolved, self._end, self._rows = resolved, end, rows
        self._begun: list[FinishedGames] = []

    def add(self, part: FinishedGames) -> Iterator[FinishedGames]:
        """Takes games, those of one chunk in order; yields every chunk that is whole with them."""
        for whole in self.take(part):
            yield from whole.pieces()

    def take(self, part: FinishedGames) -> Iterator[FinishedGames]:
        """As `add`, but chunks that were counted apart may come in one part: cutting can take longer than playing."""
        chunk = self._resolved.plan.chunk
        if part.apart is not None and part.first % chunk == 0 and part.end in (part.end // chunk * chunk, self._end):
            yield part if self._rows else replace(part, rows=None)
            return
        for piece in self._pieces(part):
            self._begun.append(piece)
            first = self._begun[0].first
            if piece.end == min(first - first % chunk + chunk, self._end):
                yield join(self._begun)
                self._begun = []

    def rest(self) -> FinishedGames | None:
        """Returns the finished games of a chunk that is not whole."""
        return join(self._begun) if self._begun else None

    def _pieces(self, part: FinishedGames) -> Iterator[FinishedGames]:
        """Yields the games cut at the edges of chunks; their rows only where they are wanted."""
        chunk, rows = self._resolved.plan.chunk, part.rows
        if part.first // chunk == (part.end - 1) // chunk:
            yield FinishedGames(part.first, part.games, part.cells, rows if self._rows else None, part.fallbacks)
            return
        if part.apart is not None:
            yield from (part if self._rows else replace(part, rows=None)).pieces()
            return
        assert rows is not None and part.fallbacks is None
        for games in self._resolved.plan.chunks(range(part.first, part.end)):
            mine = rows[games.start - part.first : games.stop - part.first]
            yield FinishedGames(
                games.start, len(games), self._resolved.tally(games.start, mine), mine if self._rows else None
            )


class RunRecorder:
    """Receives the games of a run; `writer` is set from the moment the run is kept.

    `keep` is True or a name, False, or None: then a run is kept if it turns out to be long, or was kept before. `kept`
    is a run that is there and goes on. `at_once` begins a run that may turn out to be long without waiting for that.
    """

    def __init__(
        self,
        resolved: ResolvedPlan,
        games: range,
        *,
        keep: bool | str | None,
        rows: bool,
        about: Mapping[str, Any],
        kept: AbstractContextManager[RunWriter] | None = None,
        at_once: bool = False,
    ) -> None:
        self._resolved, self._games, self._about = resolved, games, about
        self._waiting: list[FinishedGames] = []
        self._stack = ExitStack()
        self._begun = time.monotonic()
        self._done = 0
        self.writer: RunWriter | None = None
        #: Why a run that should have been kept is not; whoever asked for it has been told by then.
        self.trouble: PlaymillError | None = None
        if keep is None:
            kept = kept or self._begun_before()
        elif keep is not False:
            kept = open_writer(resolved, games, name=keep if isinstance(keep, str) else None, rows=rows, about=about)
        if kept is not None:
            self.writer = self._stack.enter_context(kept)
            rows = self.writer.run.has_rows
        self._chunker = Chunker(resolved, games.stop, rows=rows) if keep is not False else None
        if at_once and keep is None and self.writer is None:
            self._begin()

    def _begun_before(self) -> AbstractContextManager[RunWriter] | None:
        """Returns the run itself, if it is kept already and can grow to what is wanted."""
        with suppress(PlaymillError):
            run = KeptRun.open(folder_of(default_name(self._resolved, self._games)))
            manifest = run.manifest
            if (
                run.plan == self._resolved.plan
                and manifest.first == self._games.start
                and manifest.end <= self._games.stop
            ):
                return reopen_writer(run, self._resolved, end=self._games.stop, about=self._about)
        return None

    @property
    def edge(self) -> int:
        """Chunks end at multiples of this number of games; 0 if no chunks are wanted."""
        return self._resolved.plan.chunk if self._chunker is not None else 0

    @property
    def folder(self) -> Path | None:
        """Where the run is kept."""
        return self.writer.run.folder if self.writer is not None else None

    @property
    def keeps_rows(self) -> bool:
        """Whether single games are kept."""
        return self.writer is not None and self.writer.run.has_rows

    def missing(self) -> list[range]:
        """Returns the games still to be played."""
        return [self._games] if self.writer is None else self.writer.missing

    def start(self) -> None:
        """Call when the first game begins."""
        self._begun = time.monotonic()
        if self.writer is not None:
            self.writer.start()

    def wait(self, seconds: float) -> None:
        """Call when nothing was played for a while: that is no part of how long the run takes."""
        self._begun += seconds
        if self.writer is not None:
            self.writer.wait(seconds)

    def add(self, part: FinishedGames, *, tells: bool = True) -> None:
        """Takes finished games; they tell how long the run will take, or not."""
        self._done += part.games
        if part.finished and self.writer is not None:
            self.writer.add(part)
            return
        if self._chunker is None:
            return
        whole = list(self._chunker.take(part))
        if self.writer is not None:
            for chunk in whole:
                self.writer.add(chunk)
            return
        self._waiting += whole
        if tells and self._is_long():
            self._begin()

    def _is_long(self) -> bool:
        elapsed = time.monotonic() - self._begun
        return elapsed > _FIRST_LOOK and elapsed * len(self._games) / self._done > LONG

    def _begin(self) -> None:
        """Keeps a run from now on that turned out to be long; where that cannot be, it is played all the same."""
        try:
            self.writer = self._stack.enter_context(open_writer(self._resolved, self._games, about=self._about))
        except PlaymillError as error:
            self.trouble, self._chunker = error, None
            self._waiting = []
            return
        for chunk in self._waiting:
            self.writer.add(chunk)
        self._waiting = []

    def __enter__(self) -> RunRecorder:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: Any) -> None:
        with self._stack:
            # After a disk that is full nothing more is written; after an agent's mistake what is finished is.
            if self.writer is not None and not (kind is not None and self.writer.failed):
                self.writer.close(self._chunker.rest() if self._chunker is not None else None)
