"""The files of a chunk: encoding its counts and rows, and reading them back with every value checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, get_type_hints

import numpy as np

from playmill.agents.fallbacks import Fallback, Fallbacks
from playmill.lab.io.untrusted import expect, expect_count, expect_text
from playmill.lab.runs.finished_games import FinishedGames
from playmill.lab.runs.plan import Plan
from playmill.lab.runs.sparse_counts import cells
from playmill.lab.runs.store.manifest import COUNTS, GAMES, SEATS, FinishedChunk, KeptChunk, KeptFile, hash_of, path_of


def finished_chunk(plan: Plan, part: FinishedGames, *, rows: bool) -> FinishedChunk:
    """Encodes a chunk, with its single games or without."""
    contents = {COUNTS: counts_text(part)}
    if rows:
        from playmill.lab.runs.game_frames import parquet_rows

        assert part.rows is not None
        contents[GAMES], contents[SEATS] = parquet_rows(part.rows, part.first, plan.names, plan.rotations)
    files = {
        kind: KeptFile(path_of(part.first, part.end, kind), len(content), hash_of(content))
        for kind, content in contents.items()
    }
    return FinishedChunk(KeptChunk(part.first, part.games, files), contents)


def counts_text(part: FinishedGames) -> bytes:
    """Encodes the counts of a chunk: the same bytes for the same games."""
    numbers = {name: part.cells[name].tolist() for name in ("group", "place", "value")}
    if not any(numbers["group"]):
        del numbers["group"]
    saved: dict[str, Any] = {"first": part.first, "games": part.games, "counts": numbers}
    if part.fallbacks is not None:
        saved["fallbacks"] = part.fallbacks.saved()
    return json.dumps(saved, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()


def checked_part(saved: Any, chunk: KeptChunk, groups: int, places: int) -> FinishedGames:
    """Decodes and validates counts from anywhere; raises ValueError, KeyError or TypeError if invalid."""
    if (expect(int, saved["first"]), expect(int, saved["games"])) != (chunk.first, chunk.games):
        raise ValueError
    numbers = expect(dict, saved["counts"])
    limits = {"group": (0, groups), "place": (0, places), "value": (-(2**63), 2**63)}
    for name in numbers:
        low, high = limits[name]
        if not all(type(value) is int and low <= value < high for value in expect(list, numbers[name])):
            raise ValueError
    if len({len(one) for one in numbers.values()}) != 1:
        raise ValueError
    if "fallbacks" in saved:
        _check_fallbacks(saved["fallbacks"])
    return counted_part(saved)


def _check_fallbacks(saved: Any) -> None:
    for name in ("by_agent", "by_decision"):
        for key, times in expect(dict, saved[name]).items():
            expect_text(key)
            expect_count(times)
    known = get_type_hints(Fallback)
    for entry in expect(list, saved["entries"]):
        if expect(dict, entry).keys() != known.keys():
            raise ValueError
        for key, kind in known.items():
            expect(kind, entry[key])
            if isinstance(entry[key], str):
                expect_text(entry[key])


def counted_part(saved: Mapping[str, Any]) -> FinishedGames:
    """Decodes the counts of a chunk, without single games."""
    numbers = saved["counts"]
    groups = np.array(numbers["group"], np.int64) if "group" in numbers else 0
    found = cells(groups, np.array(numbers["place"], np.int64), np.array(numbers["value"], np.int64))
    fallbacks = Fallbacks.from_saved(saved["fallbacks"]) if "fallbacks" in saved else None
    return FinishedGames(saved["first"], saved["games"], found, None, fallbacks)
