"""Coverage: how often the interval of every figure of a report holds what is true of the pool."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

import numpy as np

from calibration.lines import Line, covers_too_rarely
from calibration.pool import Pool, Shown, figures

#: So many figures are told in a line, the worst of them.
_TOLD = 4
#: What adding up in another order may do to a number.
_ROUNDING = 1e-9


@dataclass
class Covered:
    """What became of one figure in all repetitions."""

    figure: str
    truth: float | None
    share: bool = False
    given: int = 0
    held: int = 0
    #: Numbers without a single observation; intervals of no width that are not the truth.
    made_up: int = 0
    no_width: int = 0
    #: Runs too few for an interval, and runs in which it is undefined, as they should be.
    too_few: int = 0
    undefined: int = 0

    def add(self, shown: Shown | None) -> None:
        """Takes what a run shows of it; a figure that is missing there is undefined."""
        if shown is None or shown.value is None:
            self.undefined += 1
            return
        self.share = shown.share
        if shown.n == 0 or self.truth is None:
            self.made_up += 1
            return
        if shown.low is None or shown.high is None:
            self.too_few += 1
            return
        slack = _ROUNDING * max(1.0, abs(self.truth))
        held = shown.low - slack <= self.truth <= shown.high + slack
        self.given += 1
        self.held += held
        self.no_width += not held and shown.low == shown.high

    @property
    def covers(self) -> float:
        """The share of intervals that held the truth; of none it is 1."""
        return self.held / self.given if self.given else 1.0

    @property
    def fails(self) -> bool:
        """Whether it covers less than is promised, beyond noise, or ever pretends to know what nobody can."""
        return bool(self.made_up or self.no_width) or covers_too_rarely(self.held, self.given)

    def told(self) -> str:
        """It in a few words."""
        kind = "share" if self.share else "mean"
        words = [f"{100 * self.covers:.0f} % of {self.given}"]
        for what in ("made_up", "no_width", "too_few", "undefined"):
            words += [f"{number} {what.replace('_', ' ')}"] if (number := getattr(self, what)) else []
        truth = "none" if self.truth is None else f"{self.truth:.4g}"
        return f"{self.figure} ({kind}, truth {truth}): {', '.join(words)}"


def coverage(pool: Pool, games: int, repetitions: int, rng: np.random.Generator) -> Iterator[int | Line]:
    """Repeats a run of so many games; yields how many are done, and the line at last."""
    found = {name: Covered(name, value) for name, value in pool.truth.items()}
    for number in range(repetitions):
        shown = figures(pool.results(pool.run(rng.integers(0, pool.deals, max(2, games // pool.rotations)))))
        for name, one in found.items():
            one.add(shown.get(name))
        yield number + 1
    order = sorted(found.values(), key=lambda one: (not one.fails, one.covers))
    failing = sum(one.fails for one in order)
    told = f"{failing} of {len(order)} figures fail; " + "; ".join(one.told() for one in order[:_TOLD])
    details = [asdict(one) for one in order]
    yield Line("coverage", pool.setting.name, games, repetitions, told, 1 - order[0].covers, failing > 0, details)
