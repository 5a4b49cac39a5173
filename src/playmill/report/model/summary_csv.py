"""Summary CSV: every figure of the results of runs with its interval, one row each."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from playmill.report.model.histogram import QUANTILES
from playmill.report.model.tables import RunInfo


class SummaryRow(NamedTuple):
    """One number of some results: name, value, interval, and number of observations, if known."""

    name: str
    value: float | str | None
    low: float | None = None
    high: float | None = None
    n: int | None = None


COLUMNS = ("game", "players", "agents", "games", *SummaryRow._fields)
#: What an estimate says of itself.
_PARTS = frozenset({"value", "mean", "low", "high", "n", "intervals"})


def summary_csv(runs: Sequence[tuple[RunInfo, Mapping[str, Any]]]) -> str:
    """Returns a table of all figures of some runs; cells of unknown intervals are empty."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(COLUMNS)
    for run, results in runs:
        head = (run.game, run.players, " ".join(run.agents), run.games)
        table.writerows((*head, *figure) for figure in figures_of(results))
    return text.getvalue()


def figures_of(results: Any, path: tuple[str, ...] = ()) -> Iterator[SummaryRow]:
    """Yields all numbers of nested results, those of an estimate together, in the order they are saved."""
    if isinstance(results, Mapping):
        estimate = {"low", "high", "n"} <= results.keys()
        if estimate:
            value = results["mean"] if "mean" in results else results["value"]
            yield SummaryRow(".".join(path), value, results["low"], results["high"], results["n"])
        for key, part in results.items():
            if not estimate or key not in _PARTS:
                yield from _part(results, key, part, path)
    elif isinstance(results, list):
        for place, part in enumerate(results):
            yield from figures_of(part, (*path, str(place)))
    else:
        yield SummaryRow(".".join(path), results)


def _part(results: Mapping[str, Any], key: str, part: Any, path: tuple[str, ...]) -> Iterator[SummaryRow]:
    """Yields the rows of one key; a quantile has its interval elsewhere."""
    if key in QUANTILES and "intervals" in results:
        low, high = (results["intervals"] or {}).get(key) or (None, None)
        yield SummaryRow(".".join((*path, key)), part, low, high, results["n"])
    else:
        yield from figures_of(part, (*path, str(key)))
