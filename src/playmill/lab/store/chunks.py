"""The files of a chunk: made from its games, and written, by whoever played them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from playmill.agents.fallbacks import Fallbacks
from playmill.lab.counts import cells
from playmill.lab.parts import Part
from playmill.lab.plan import Plan
from playmill.lab.store.manifest import COUNTS, GAMES, SEATS, FinishedChunk, KeptChunk, KeptFile, hash_of

#: The folders of a run's files.
FOLDERS = {COUNTS: "counts", GAMES: "rows", SEATS: "rows"}
_ENDINGS = {COUNTS: ".json", GAMES: ".games.parquet", SEATS: ".seats.parquet"}


def finished_chunk(plan: Plan, part: Part, *, rows: bool) -> FinishedChunk:
    """What is to be written of a chunk, with its single games or without."""
    contents = {COUNTS: counts_text(part)}
    if rows:
        from playmill.lab.rows import parquet_rows

        assert part.rows is not None
        contents[GAMES], contents[SEATS] = parquet_rows(part.rows, part.first, plan.names, plan.rotations)
    files = {kind: KeptFile(_path(part, kind), len(content), hash_of(content)) for kind, content in contents.items()}
    return FinishedChunk(KeptChunk(part.first, part.games, files), contents)


def _path(part: Part, kind: str) -> str:
    return f"{FOLDERS[kind]}/{part.first:015d}-{part.end:015d}{_ENDINGS[kind]}"


def counts_text(part: Part) -> bytes:
    """The file of a chunk's counts: the same bytes for the same games."""
    numbers = {name: part.cells[name].tolist() for name in ("group", "place", "value")}
    if not any(numbers["group"]):
        del numbers["group"]
    saved: dict[str, Any] = {"first": part.first, "games": part.games, "counts": numbers}
    if part.fallbacks is not None:
        saved["fallbacks"] = part.fallbacks.saved()
    return json.dumps(saved, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def counted_part(saved: Mapping[str, Any]) -> Part:
    """The chunk of such a file, without single games."""
    numbers = saved["counts"]
    groups = np.array(numbers["group"], np.int64) if "group" in numbers else 0
    found = cells(groups, np.array(numbers["place"], np.int64), np.array(numbers["value"], np.int64))
    fallbacks = Fallbacks.from_saved(saved["fallbacks"]) if "fallbacks" in saved else None
    return Part(saved["first"], saved["games"], found, None, fallbacks)
