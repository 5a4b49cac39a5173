"""Differences among several agents, corrected for looking at all of them, and which of them turn over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from playmill.report.among import NEARER, Turned, turned_text
from playmill.report.model import Estimate
from playmill.stats.differences import Difference, holm
from playmill.stats.errors import LEVEL
from playmill.stats.fair import Answer
from playmill.texts import Text

Key = TypeVar("Key")


def corrected_together(
    differences: Mapping[Key, Difference], distances: Mapping[Key, Answer]
) -> tuple[dict[Key, Difference], dict[Key, int]]:
    """Differences, and whether figures came nearer to fair, after Holm's correction for all of these questions.

    What is not sure has the sign 0; differences with too little behind them to be tested stay so.
    """
    tested = {key: one.p for key, one in differences.items() if one.p is not None}
    adjusted = holm([*tested.values(), *(p for _, p in distances.values())])
    chances = dict(zip(tested, adjusted, strict=False))
    real = {key: replace(one, adjusted=chances.get(key)) for key, one in differences.items()}
    rest = adjusted[len(tested) :]
    signs = {key: sign if p < LEVEL else 0 for (key, (sign, _)), p in zip(distances.items(), rest, strict=True)}
    return real, signs


def turned_differences(
    agents: Sequence[str],
    title: Text,
    differences: Sequence[Difference | None],
    near: Sequence[int],
    *,
    form: Text,
    percent: bool,
) -> Iterator[Turned]:
    """A figure, if its difference has another sign among other agents, or it comes nearer to fair among some only."""
    cells = tuple(None if one is None else Estimate(one.value, one.low, one.high, min(one.n)) for one in differences)
    signs = [0 if one is None or not one.real else 1 if one.value > 0 else -1 for one in differences]
    for words, found in ((form, signs), (NEARER, near)):
        if (told := turned_text(words, agents, found)) is not None:
            yield Turned(title, cells, percent, told)
