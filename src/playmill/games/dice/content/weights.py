"""Weights of dice as people write them, scaled to the whole numbers that the rules use."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, isfinite, lcm
from typing import Any

from playmill.author import Text

MOST_WEIGHT = 1_000_000
#: Chances that differ by more than this from those that were written are told of.
ROUNDING_SHOWN_FROM = Fraction(1, 1_000_000)


def scaled(weights: Any) -> Any:
    """Weights in parsed JSON as whole numbers in the same proportion, as exactly as they go; what is none stays.

    Whole numbers that are small enough stay as they are.
    """
    if not isinstance(weights, list | tuple):
        return weights
    if not all(map(_is_weight, weights)):
        return tuple(1 if _is_weight(weight) else weight for weight in weights)
    exact = [_exact(weight) for weight in weights]
    most = max(exact, default=Fraction(0))
    if most <= MOST_WEIGHT and all(weight.denominator == 1 for weight in exact):
        return tuple(int(weight) for weight in exact)
    common = lcm(*(weight.denominator for weight in exact))
    whole = [int(weight * common) for weight in exact]
    shared = gcd(*whole)
    whole = [weight // shared for weight in whole]
    if max(whole) <= MOST_WEIGHT:
        return tuple(whole)
    return tuple(round(weight * MOST_WEIGHT / most) for weight in exact)


def _is_weight(weight: object) -> bool:
    number = isinstance(weight, int | float) and not isinstance(weight, bool)
    return number and isfinite(weight) and weight >= 0  # type: ignore[arg-type, operator]


def _exact(weight: float) -> Fraction:
    """A number as it is written: 0.1 is a tenth."""
    return Fraction(str(weight))


def error_of(weights: Sequence[float]) -> Fraction:
    """By how much the chance of a face changes at most when right weights are scaled."""
    exact, whole = [_exact(weight) for weight in weights], [Fraction(weight) for weight in scaled(list(weights))]
    wanted, found = sum(exact), sum(whole)
    return max(abs(one / wanted - other / found) for one, other in zip(exact, whole, strict=True))


def fall_text(weights: Sequence[int]) -> Text:
    """How often each face of a die falls."""
    if len(set(weights)) == 1:
        return Text("every face falls equally often", "все грани выпадают одинаково часто")
    whole = sum(weights)
    shares = ", ".join(f"{face}:\u00a0{100 * one / whole:.3g}\u00a0%" for face, one in enumerate(weights, 1) if one)
    return Text(f"how often the faces fall: {shares}", f"как часто выпадают грани: {shares.replace('.', ',')}")
