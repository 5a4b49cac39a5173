"""Holm's correction of differences across several agents, and detection of those that turn over."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from playmill.report.commands.each_agent import NEARER, ReversedFigure, turned_text
from playmill.report.model.among import Among
from playmill.report.model.tables import Estimate
from playmill.stats.critical_values import LEVEL
from playmill.stats.differences import Difference, holm
from playmill.stats.fair_share import Answer
from playmill.texts import Text

Key = TypeVar("Key")


def corrected_together(
    differences: Mapping[Key, Difference], distances: Mapping[Key, Answer]
) -> tuple[dict[Key, Difference], dict[Key, int]]:
    """Corrects differences, and whether figures came nearer to fair, by Holm's method for all questions.

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
    agents: Sequence[Among],
    title: Text,
    differences: Sequence[Difference | None],
    near: Sequence[int],
    *,
    form: Text,
    percent: bool,
) -> Iterator[ReversedFigure]:
    """Returns a figure whose difference changes sign between agents, or is nearer to fair for some only."""
    cells = tuple(None if one is None else Estimate(one.value, one.low, one.high, min(one.n)) for one in differences)
    signs = [0 if one is None or not one.real else 1 if one.value > 0 else -1 for one in differences]
    for words, found in ((form, signs), (NEARER, near)):
        if (message := turned_text(words, agents, found)) is not None:
            yield ReversedFigure(title, cells, percent, message)
