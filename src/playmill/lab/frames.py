"""Tables of single games, one row a game or one row a game and seat, in memory or in a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars

from playmill.engine.match import Chunk
from playmill.engine.record import RecordArray
from playmill.report.draft import Draft
from playmill.texts import PlaymillError


def games_frame(rows: RecordArray, first: int) -> polars.DataFrame:
    """One row a game; a field with several values becomes one column for each."""
    columns: dict[str, Any] = {"game": np.arange(first, first + len(rows), dtype=np.int64)}
    for name in rows.dtype.names or ():
        columns |= _columns(rows, name)
    return polars.DataFrame(columns)


def seats_frame(rows: RecordArray, first: int, agents: Sequence[str]) -> polars.DataFrame:
    """One row a game and seat: what belongs to the seat, then what belongs to the game."""
    games, players = len(rows), len(agents)
    columns: dict[str, Any] = {
        "game": np.repeat(np.arange(first, first + games, dtype=np.int64), players),
        "seat": np.tile(np.arange(players, dtype=np.int8), games),
        "agent": polars.Series(list(agents) * games, dtype=polars.String),
    }
    seated = _hints(rows.dtype).get("seats", ())
    for name in rows.dtype.names or ():
        if name in seated:
            cells = rows[name][:, :players].reshape(games * players, -1)
            columns |= _spread(rows.dtype, name, cells if rows[name].ndim > 2 else cells[:, 0])
        else:
            columns |= {key: np.repeat(cells, players) for key, cells in _columns(rows, name).items()}
    return polars.DataFrame(columns)


def _hints(dtype: np.dtype[np.void]) -> Mapping[str, Any]:
    """What a game's Outcome says of itself: `seats`, fields by seat; `values`, names of numbers; `places`, of cells."""
    return dtype.metadata or {}


def _columns(rows: RecordArray, name: str) -> dict[str, Any]:
    """The columns of one field."""
    cells = rows[name]
    if cells.ndim < 3:
        return _spread(rows.dtype, name, cells)
    columns: dict[str, Any] = {}
    for seat in range(cells.shape[1]):
        columns |= {f"{key}_{seat}": found for key, found in _spread(rows.dtype, name, cells[:, seat]).items()}
    return columns


def _spread(dtype: np.dtype[np.void], name: str, cells: Any) -> dict[str, Any]:
    """One column for a field of single values, one for each place of a field of several."""
    if cells.ndim == 1:
        return {name: _named(dtype, name, cells)}
    places = _hints(dtype).get("places", {}).get(name, range(cells.shape[1]))
    return {f"{name}_{place}": _named(dtype, name, cells[:, index]) for index, place in enumerate(places)}


def _named(dtype: np.dtype[np.void], name: str, cells: Any) -> Any:
    """Numbers that stand for things, by the names of the things; a number below zero is nothing."""
    names = _hints(dtype).get("values", {}).get(name)
    if names is None:
        return np.ascontiguousarray(cells)
    return np.array([*names, ""])[np.where(cells < 0, len(names), cells)]


class CsvRows:
    """A CSV file of single games, one row a game and seat, written as they finish; in place only when whole.

    A disk that is full does not end the run: what can be written besides still is, and `finish` tells.

    `agents` are those of each number of players; if there are several, a column `players` tells them apart, the game's
    own or the first.
    """

    def __init__(self, path: Path, agents: Mapping[int, Sequence[str]]) -> None:
        self._path = path
        self._agents = agents
        self._draft: Draft | None = None
        self._trouble: PlaymillError | None = None

    def add(self, players: int, chunk: Chunk) -> None:
        """Writes the rows of finished games by so many players."""
        if self._trouble is not None:
            return
        rows = seats_frame(chunk.rows, chunk.first, self._agents[players])
        if len(self._agents) > 1 and "players" not in rows.columns:
            rows.insert_column(0, polars.lit(players, polars.Int8).alias("players"))
        text = rows.write_csv(include_header=self._draft is None)
        try:
            self._draft = self._draft or Draft(self._path)
            self._draft.write(text.encode("utf-8", errors="backslashreplace"))
        except PlaymillError as error:
            self._trouble = error

    def finish(self) -> None:
        """Puts the file in its place."""
        if self._trouble is not None:
            raise self._trouble
        if self._draft is not None:
            self._draft.finish()

    def abandon(self) -> None:
        """Removes what was written."""
        if self._draft is not None:
            self._draft.abandon()
