"""Aggregates of runs as CSV: every figure of their results with its interval, a row each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from playmill.report.histogram import QUANTILES
from playmill.report.model import RunInfo


class Figure(NamedTuple):
    """One number of some results: its name, its value, its interval and how many observations it is of, if known."""

    name: str
    value: float | str | None
    low: float | None = None
    high: float | None = None
    n: int | None = None


COLUMNS = ("game", "players", "agents", "games", *Figure._fields)
#: What an estimate says of itself.
_PARTS = frozenset({"value", "mean", "low", "high", "n", "intervals"})


def summary_csv(runs: Sequence[tuple[RunInfo, Mapping[str, Any]]]) -> str:
    """A table of all figures of some runs; what has no interval has empty cells for it."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for run, results in runs:
        head = (run.game, run.players, " ".join(run.agents), run.games)
        table.writerows((*head, *figure) for figure in figures_of(results))
    return text.getvalue()


def figures_of(results: Any, path: tuple[str, ...] = ()) -> Iterator[Figure]:
    """All numbers of nested results, those of an estimate together, in the order in which they are saved."""
    if isinstance(results, Mapping):
        estimate = {"low", "high", "n"} <= results.keys()
        if estimate:
            value = results["mean"] if "mean" in results else results["value"]
            yield Figure(".".join(path), value, results["low"], results["high"], results["n"])
        for key, part in results.items():
            if not estimate or key not in _PARTS:
                yield from _part(results, key, part, path)
    elif isinstance(results, list):
        for place, part in enumerate(results):
            yield from figures_of(part, (*path, str(place)))
    else:
        yield Figure(".".join(path), results)


def _part(results: Mapping[str, Any], key: str, part: Any, path: tuple[str, ...]) -> Iterator[Figure]:
    """What stands under a key; a quantile has its interval elsewhere."""
    if key in QUANTILES and "intervals" in results:
        low, high = (results["intervals"] or {}).get(key) or (None, None)
        yield Figure(".".join((*path, key)), part, low, high, results["n"])
    else:
        yield from figures_of(part, (*path, str(key)))
