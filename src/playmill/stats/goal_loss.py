"""Loss of a setting against its goals in `tune`, with the bias of noise removed.

A gap is never less than nothing, so that noise alone makes one: of five factions that win equally often the luckiest is
always a little ahead. The square of a gap is worked out without that: what its own variance adds is subtracted, which
leaves the true square on average, and may leave less than 0. Everything is taken over groups of deals, as in
`blocks.py`; settings that played the same deals are compared deal by deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf, sqrt
from typing import Any, Literal

import numpy as np

from playmill.stats.block_jackknife import share_interval
from playmill.stats.estimates import Estimate
from playmill.stats.vector_length import length_interval

Floats = np.ndarray[Any, np.dtype[np.float64]]
AimKind = Literal["equal", "at", "high", "low"]
#: What counts as one point of a share; of anything else it is one percent.
POINT = 0.01


@dataclass(frozen=True)
class Reading:
    """Figures of one setting on some deals: of all of them, and without each group of deals.

    `most` is what a figure can be at most if it is a share, else None; `sizes` are the deals of the groups. Figures of
    several tables may be of other numbers of deals each, `deals`, in as many groups of the same proportions.
    """

    names: tuple[str, ...]
    values: Floats
    without: Floats
    most: tuple[float | None, ...]
    sizes: tuple[int, ...]
    #: The deals of each figure; empty if all have those of the groups.
    deals: tuple[int, ...] = ()

    @cached_property
    def place(self) -> Mapping[str, int]:
        """Where each figure stands."""
        return {name: place for place, name in enumerate(self.names)}

    def __getitem__(self, name: str) -> float:
        return float(self.values[self.place[name]])

    def estimate(self, name: str) -> Estimate:
        """A figure with its 95 % interval over deals."""
        place = self.place[name]
        deals = self.deals[place] if self.deals else sum(self.sizes)
        value, most = self[name], self.most[place]
        if len(self.sizes) < 2:
            return Estimate(value, 0.0 if most else -inf, most or inf, deals, most)
        deviations = _deviations(self.values[[place]], self.without[:, [place]], self.sizes)
        variance, degrees = float((deviations**2).sum()), len(self.sizes) - 1
        if most is not None:
            low, high = share_interval(min(1.0, max(0.0, value / most)), variance / most**2, degrees, deals)
            return Estimate(value, low * most, high * most, deals, most)
        half = student(0.975, degrees) * sqrt(variance)
        return Estimate(value, value - half, value + half, deals)

    def json(self) -> dict[str, Any]:
        """The form in which it is saved: numbers are restored bit for bit."""
        return {
            "names": list(self.names),
            "values": self.values.tolist(),
            "without": self.without.tolist(),
            "most": list(self.most),
            "sizes": list(self.sizes),
            **({"deals": list(self.deals)} if self.deals else {}),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Reading:
        """Loads a saved reading."""
        values, sizes = np.array(data["values"], float), tuple(data["sizes"])
        without = np.array(data["without"], float).reshape(len(sizes), len(values))
        return cls(tuple(data["names"]), values, without, tuple(data["most"]), sizes, tuple(data.get("deals", ())))


def together(readings: Sequence[tuple[str, Reading]]) -> Reading:
    """The figures of several tables that played the same deals, or the first of them; each begins with its table.

    A group is what is left out in the jackknife, so that only its part of all deals matters: tables that played fewer
    deals, in as many groups of the same proportions, are judged together with the others.
    """
    parts = [part for _, part in readings]
    first = parts[0].sizes
    for part in parts:
        if [size * sum(first) for size in part.sizes] != [size * sum(part.sizes) for size in first]:
            raise ValueError("the tables did not play the same deals")
    counts = tuple(sum(part.sizes) for part in parts for _ in part.names)
    return Reading(
        tuple(f"{table}{name}" for table, part in readings for name in part.names),
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.without for part in parts], axis=1),
        tuple(most for part in parts for most in part.most),
        first,
        counts if len({*counts}) > 1 else (),
    )


@dataclass(frozen=True)
class Aim:
    """A goal for some figures: that they are equal, that one is at a number, or as high or as low as can be.

    A gap is counted in units of `scale`. Figures that are no shares are equal if they are the same part of their mean
    (`relative`): else all of them at nothing would be the best of all.
    """

    kind: AimKind
    names: tuple[str, ...]
    scale: float
    target: float = 0.0
    relative: bool = False
    weight: float = 1.0

    def gaps(self, figures: Floats) -> Floats:
        """How far the figures (in the last axis) are from what is wanted, so that the sum of squares is the loss."""
        if self.kind == "equal":
            middle = figures.mean(axis=-1, keepdims=True)
            away: Floats = figures - middle
            if self.relative:
                away = np.divide(away, middle, out=np.zeros_like(away), where=middle != 0)
            return away * (sqrt(self.weight / figures.shape[-1]) / self.scale)
        if self.kind == "at":
            return (figures - self.target) * (sqrt(self.weight) / self.scale)
        return np.zeros((*figures.shape[:-1], 0))

    def steps(self, figures: Floats) -> Floats:
        """What is lost by a figure that is to be as high or as low as can be."""
        if self.kind in ("equal", "at"):
            return np.zeros(figures.shape[:-1])
        sign = -1.0 if self.kind == "high" else 1.0
        lost: Floats = sign * self.weight * (figures[..., 0] - self.target) / self.scale
        return lost


@dataclass(frozen=True)
class Judged:
    """A reading measured against some aims: the gaps, which count squared, and what counts as it is."""

    gaps: Floats
    gaps_without: Floats
    steps: float
    steps_without: Floats
    sizes: tuple[int, ...]

    @cached_property
    def deviations(self) -> Floats:
        """What each group adds to the errors of the gaps: `d.T @ d` is their covariance."""
        return _deviations(self.gaps, self.gaps_without, self.sizes)

    @cached_property
    def raw(self) -> float:
        """The loss with the noise in it."""
        return float((self.gaps**2).sum()) + self.steps

    @cached_property
    def raw_without(self) -> Floats:
        """The same without each group."""
        lost: Floats = (self.gaps_without**2).sum(axis=1) + self.steps_without
        return lost

    @cached_property
    def loss(self) -> float:
        """The loss with the noise taken out: right on average."""
        return self.raw - float((self.deviations**2).sum())


def judged(reading: Reading, aims: Sequence[Aim]) -> Judged:
    """Measures a reading against aims."""
    gaps, without, steps, steps_without = [], [], 0.0, np.zeros(len(reading.sizes))
    for aim in aims:
        places = [reading.place[name] for name in aim.names]
        gaps.append(aim.gaps(reading.values[places]))
        without.append(aim.gaps(reading.without[:, places]))
        steps += float(aim.steps(reading.values[places]))
        steps_without = steps_without + aim.steps(reading.without[:, places])
    return Judged(np.concatenate(gaps), np.concatenate(without, axis=1), steps, steps_without, reading.sizes)


@dataclass(frozen=True)
class LossEstimate:
    """A sum of losses with its standard error."""

    value: float
    error: float
    degrees: int

    def interval(self, chance: float = 0.05) -> tuple[float, float]:
        """The two-sided interval that misses the truth with this chance."""
        half = self.reach(chance / 2)
        return self.value - half, self.value + half

    def reach(self, chance: float) -> float:
        """How far from its value the truth is, upwards or downwards, with no more than this chance."""
        if self.error == 0:
            return 0.0 if self.degrees else inf
        return student(1 - chance, self.degrees) * self.error

    def above(self, chance: float) -> bool:
        """Whether the truth is more than 0; wrongly said with this chance at most."""
        return self.value - self.reach(chance) > 0

    def below(self, chance: float) -> bool:
        """Whether the truth is less than 0; wrongly said with this chance at most."""
        return self.value + self.reach(chance) < 0


def weigh(parts: Sequence[tuple[float, Judged]]) -> LossEstimate:
    """The losses of settings that played the same deals, each times a number, added up: a difference, for one.

    The error is the larger of two: the jackknife's, and that of the squares of pure noise, which is what is left where
    a gap is nearly closed and the jackknife may see nothing.
    """
    sizes = parts[0][1].sizes
    if any(one.sizes != sizes for _, one in parts):
        raise ValueError("the settings did not play the same deals")
    value = sum(times * one.loss for times, one in parts)
    if len(sizes) < 2:
        return LossEstimate(value, inf, 0)
    raw = np.array([sum(times * one.raw for times, one in parts)])
    without = sum((times * one.raw_without for times, one in parts), np.zeros(len(sizes)))
    seen = float((_deviations(raw, without[:, None], sizes) ** 2).sum())
    noise = 2 * sum(
        times * other_times * float(((one.deviations.T @ other.deviations) ** 2).sum())
        for times, one in parts
        for other_times, other in parts
    )
    return LossEstimate(value, sqrt(max(seen, noise, 0.0)), len(sizes) - 1)


def difference(one: Judged, other: Judged) -> LossEstimate:
    """By how much the loss of one is more than that of another, on the same deals."""
    return weigh([(1.0, one), (-1.0, other)])


def gap(found: Judged, unit: float) -> Estimate:
    """A gap from its squares, without the noise, and its interval; none of them less than 0."""
    value = unit * sqrt(max(0.0, found.loss))
    low, high = (unit * end for end in length_interval(found.gaps, found.deviations))
    return Estimate(value, min(low, value), max(high, value), sum(found.sizes))


def lost_share(loss: float, best: float, rules: float, *, squared: bool) -> float:
    """The share of the best setting's gain that a loss between the best's and the rules' gives away.

    Where losses are squares of gaps it is a share of the gaps: half of it is half of the gap that the best closes.
    """
    if squared:
        loss, best, rules = (sqrt(max(0.0, one)) for one in (loss, best, rules))
    return (loss - best) / (rules - best) if rules > best else 0.0


def shortfall(some: Judged, best: Judged, rules: Judged, share: float, *, squared: bool) -> LossEstimate:
    """What some setting loses against the best beyond a share of what that one gains; below 0 it loses less."""
    if squared:
        near, far = (sqrt(max(0.0, one.loss)) for one in (best, rules))
        share *= (2 * near + share * (far - near)) / (far + near) if far > near else 0.0
    return weigh([(1.0, some), (share - 1.0, best), (-share, rules)])


def student(share: float, degrees: int) -> float:
    """The point of Student's t distribution below which this share lies."""
    from scipy.special import stdtrit

    # Rounded, since its last digits differ between versions and machines, and results must not.
    return round(float(stdtrit(degrees, share)), 10)


def _deviations(whole: Floats, without: Floats, sizes: Sequence[int]) -> Floats:
    """How each group moves some figures, scaled so that the sum of squares is the jackknife's variance."""
    deals = np.array(sizes, float)[:, None]
    total = deals.sum()
    moves = without - whole
    centre = -((1 - deals / total) * moves).sum(axis=0)
    others = (total - deals) / deals
    scaled: Floats = (-others * moves - centre) / np.sqrt(np.maximum(others, 1e-300) * len(sizes))
    return scaled
