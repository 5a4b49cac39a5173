"""Single games as Parquet: what a kept run has of a chunk besides its counts."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

import polars

from playmill.engine.lang.record import RecordArray
from playmill.lab.runs.frames import games_frame, seats_frame

#: Part of what a file is: with other settings equal games would have other bytes. Games in one group of rows are read
#: together, so that a question about some columns of many games needs little memory.
_LEVEL, _GROUP = 3, 131_072


class ParquetRows(NamedTuple):
    """The games of a chunk as two Parquet files."""

    games: bytes
    seats: bytes


def parquet_rows(rows: RecordArray, first: int, agents: Sequence[str], rotations: int = 1) -> ParquetRows:
    """One row a game, and one a game and seat; equal games of one version of Polars have equal bytes."""
    return ParquetRows(
        _parquet(games_frame(rows, first, rotations, players=len(agents))),
        _parquet(seats_frame(rows, first, agents, rotations)),
    )


def _parquet(frame: polars.DataFrame) -> bytes:
    file = BytesIO()
    frame.write_parquet(file, compression="zstd", compression_level=_LEVEL, row_group_size=_GROUP)
    return file.getvalue()
