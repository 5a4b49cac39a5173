"""Tables of single games as Polars frames, CSV and Parquet: one row per game, or one per game and seat."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars

from playmill.engine.lang.record import RecordArray
from playmill.lab.runs.finished_games import FinishedGames
from playmill.report.commands.side_by_side import Which
from playmill.report.files.atomic_file import AtomicFile
from playmill.texts import PlaymillError

#: Part of what a file is: with other settings equal games would have other bytes. Games in one group of rows are read
#: together, so that a question about some columns of many games needs little memory.
_LEVEL, _GROUP = 3, 131_072


def games_frame(rows: RecordArray, first: int, rotations: int = 1, *, players: int | None = None) -> polars.DataFrame:
    """Returns one row per game; a field with several values becomes one column for each.

    Given the number of players, seats in which nobody sits have no columns.
    """
    columns = _numbers(first, len(rows), rotations)
    for name in rows.dtype.names or ():
        for column, cells in _cells(rows, name, players):
            columns[column] = _named(rows.dtype, name, cells)
    return polars.DataFrame(columns)


def seats_frame(rows: RecordArray, first: int, agents: Sequence[str], rotations: int = 1) -> polars.DataFrame:
    """Returns one row per game and seat: fields of the seat, then fields of the game.

    In a rotated run `agents` are those of rotation 0, and each row names the one who really sat there. Where a game has
    a `winner`, each seat is told whether it `won`.
    """
    games, players = len(rows), len(agents)
    columns: dict[str, Any] = {
        name: np.repeat(cells, players) for name, cells in _numbers(first, games, rotations).items()
    }
    seat = np.tile(np.arange(players, dtype=np.int8), games)
    names = [agent.encode("utf-8", errors="backslashreplace").decode() for agent in agents]
    columns |= {"seat": seat, "agent": _by_name(names, (seat + columns.get("rotation", 0)) % players)}
    seated = _hints(rows.dtype).get("seats", ())
    for name in rows.dtype.names or ():
        if name in seated:
            own = rows[name][:, :players].reshape(games * players, *rows[name].shape[2:])
            found = _spread(rows.dtype, name, own)
        else:
            found = [(column, np.repeat(cells, players)) for column, cells in _cells(rows, name)]
        for column, cells in found:
            columns[column] = _named(rows.dtype, name, cells)
        if name == "winner" and not _is_single(rows.dtype, "won"):
            columns["won"] = (columns[name] == seat).astype(np.int8)
    return polars.DataFrame(columns)


def _numbers(first: int, games: int, rotations: int) -> dict[str, Any]:
    """Returns the columns with numbers of games and, in a rotated run, of deals and rotations."""
    game = np.arange(first, first + games, dtype=np.int64)
    if rotations == 1:
        return {"game": game}
    return {"game": game, "deal": game // rotations, "rotation": (game % rotations).astype(np.int8)}


def _hints(dtype: np.dtype[np.void]) -> Mapping[str, Any]:
    """Returns the hints of a game's Outcome: `seats` (by seat), `values` (names of numbers), `places` (cells)."""
    return dtype.metadata or {}


def _is_single(dtype: np.dtype[np.void], name: str) -> bool:
    """Returns whether a game has a single-valued field of this name, whose column has the same name."""
    return name in (dtype.names or ()) and not dtype[name].shape


def _cells(rows: RecordArray, name: str, players: int | None = None) -> list[tuple[str, Any]]:
    """Yields the columns of one field of games."""
    cells = rows[name]
    if name in _hints(rows.dtype).get("seats", ()):
        cells = cells[:, :players]
    if cells.ndim < 3:
        return _spread(rows.dtype, name, cells)
    return [
        (f"{column}_{seat}", found)
        for seat in range(cells.shape[1])
        for column, found in _spread(rows.dtype, name, cells[:, seat])
    ]


def _spread(dtype: np.dtype[np.void], name: str, cells: Any) -> list[tuple[str, Any]]:
    """Yields one column for a single-valued field, one per index for a field of several.

    The names of columns are words that SQL takes as they are.
    """
    if cells.ndim == 1:
        return [(name, cells)]
    places = _hints(dtype).get("places", {}).get(name, range(cells.shape[1]))
    columns = (re.sub(r"\W", "_", f"{name}_{place}") for place in places)
    return [(column, cells[:, index]) for index, column in zip(range(cells.shape[1]), columns, strict=False)]


def _named(dtype: np.dtype[np.void], name: str, cells: Any) -> Any:
    """Replaces numbers that stand for things by their names; negative numbers become null."""
    names = _hints(dtype).get("values", {}).get(name)
    return np.ascontiguousarray(cells) if names is None else _by_name(names, cells)


def _by_name(names: Sequence[str], cells: Any) -> polars.Series:
    return polars.Series([*names, ""], dtype=polars.String).gather(np.where(cells < 0, len(names), cells))


#: No run has rotated seats.
_FIXED: Mapping[Which, int] = {}


class CsvRows:
    """CSV file with one row per game and seat, written while games finish; moved into place when complete.

    A disk that is full does not end the run: what can be written besides still is, and `finish` tells.

    `agents` and `rotations` are those of each run, by the number of its players or by its agent. Several numbers of
    players a column `players` tells apart, the game's own or the first; agents have a column anyway.
    """

    def __init__(
        self, path: Path, agents: Mapping[Which, Sequence[str]], rotations: Mapping[Which, int] = _FIXED
    ) -> None:
        self._path = path
        self._agents = agents
        self._rotations = rotations
        self._draft: AtomicFile | None = None
        self._trouble: PlaymillError | None = None
        #: How many games were handed over.
        self.games = 0

    def add(self, which: Which, part: FinishedGames) -> None:
        """Writes the rows of finished games of one of the runs."""
        if self._trouble is not None or part.rows is None:
            return
        self.games += len(part.rows)
        rows = seats_frame(part.rows, part.first, self._agents[which], self._rotations.get(which, 1))
        if len(self._agents) > 1 and isinstance(which, int) and "players" not in rows.columns:
            rows.insert_column(0, polars.lit(which, polars.Int8).alias("players"))
        text = rows.write_csv(include_header=self._draft is None)
        try:
            self._draft = self._draft or AtomicFile(self._path)
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


class ParquetRows(NamedTuple):
    """The games of a chunk as two Parquet files."""

    games: bytes
    seats: bytes


def parquet_rows(rows: RecordArray, first: int, agents: Sequence[str], rotations: int = 1) -> ParquetRows:
    """Encodes games as Parquet, by game and by seat; equal games under one version of Polars give equal bytes."""
    return ParquetRows(
        _parquet(games_frame(rows, first, rotations, players=len(agents))),
        _parquet(seats_frame(rows, first, agents, rotations)),
    )


def _parquet(frame: polars.DataFrame) -> bytes:
    file = BytesIO()
    frame.write_parquet(file, compression="zstd", compression_level=_LEVEL, row_group_size=_GROUP)
    return file.getvalue()
