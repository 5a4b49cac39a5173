"""Nulls and power: how often comparisons call a figure real, where nothing differs and where something does.

Both ways in which users compare are repeated: `compare`, deal by deal, and `report --against` on runs that share no
luck. Where nothing differs, `compare` is given deals that are drawn apart, and such of which most are the same in both,
as where a change of the rules matters now and then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from calibration.lines import Line, errs_too_often
from calibration.pool import Pool
from playmill.lab.runs.figures import name_of
from playmill.stats.differences import paired
from playmill.stats.unpaired_differences import unpaired

#: The share of deals that are the same on both sides where most are.
_SAME = 0.8
#: So many figures are told in a line, those that were called real most often.
_TOLD = 4


class Called:
    """Which figures were called real, in how many comparisons."""

    def __init__(self, kind: str, how: str) -> None:
        self.kind, self.how = kind, how
        self.figures: Counter[str] = Counter()
        self.any = 0

    def add(self, differences: Mapping[Any, Any]) -> None:
        """Takes a comparison."""
        real = [name_of(path) for path, one in differences.items() if one.real]
        self.figures.update(real)
        self.any += bool(real)

    def null(self, pool: Pool, size: int, repetitions: int) -> Line:
        """The line of a null."""
        share, most = self.any / repetitions, self.figures.most_common(_TOLD)
        told = f"{self.how}: {100 * share:.1f} % call anything real" + "".join(f"; {name} {n}" for name, n in most)
        fails = errs_too_often(self.any, repetitions)
        details = {"how": self.how, "any": self.any, "figures": dict(self.figures)}
        return Line(self.kind, pool.setting.name, size, repetitions, told, share, fails, details)


def null(pool: Pool, deals: int, repetitions: int, rng: np.random.Generator) -> Iterator[int | Line]:
    """Repeats comparisons of the same rules; yields how many are done, and the lines at last."""
    apart, mixed, against = (
        Called("null", how) for how in ("compare", "compare, most deals the same", "report --against")
    )
    for number in range(repetitions):
        draws = rng.integers(0, pool.deals, (3, deals))
        draws[2] = np.where(rng.random(deals) < _SAME, draws[0], draws[2])
        runs = [pool.run(draw) for draw in draws]
        lefts = [pool.left_out(run) for run in runs]
        apart.add(paired(lefts[0], lefts[1]))
        mixed.add(paired(lefts[0], lefts[2]))
        against.add(unpaired(pool.results(runs[0]), pool.results(runs[1])))
        yield number + 1
    yield from (one.null(pool, deals, repetitions) for one in (apart, mixed, against))


def power(
    before: Pool, after: Pool, figure: str, deals: int, repetitions: int, rng: np.random.Generator
) -> Iterator[int | Line]:
    """Repeats comparisons of rules that differ; yields how many are done, and the lines at last."""
    compared, against = Called("power", "compare"), Called("power", "report --against")
    for number in range(repetitions):
        same, other = rng.integers(0, before.deals, (2, deals))
        first = before.run(same)
        compared.add(paired(before.left_out(first), after.left_out(after.run(same))))
        against.add(unpaired(before.results(first), after.results(after.run(other))))
        yield number + 1
    change = f"{before.known(figure):.4g} → {after.known(figure):.4g}"
    for one in (compared, against):
        share = one.figures[figure] / repetitions
        told = f"{one.how}: {figure} {change} called real in {100 * share:.1f} %, anything in "
        told += f"{100 * one.any / repetitions:.1f} %"
        details = {"how": one.how, "any": one.any, "figure": figure, "figures": dict(one.figures)}
        yield Line(one.kind, after.setting.name, deals, repetitions, told, 1 - share, False, details)
