"""Axes of a sweep: parses `--over` into paths of the config and the values they take."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from playmill.engine.config.model import RuleConfig
from playmill.lab.decide.changeable import Changeable, same, value_of, written
from playmill.texts import PlaymillError

_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?:/(\d+(?:\.\d+)?))?")
#: More settings than this are a mistake, or a job for `tune`.
MOST = 400


@dataclass(frozen=True)
class SweepAxis:
    """A path of the config with its values in the order asked for, and the value of the rules."""

    path: str
    values: tuple[Any, ...]
    rules: Any
    #: Whether it is a number of an agent, not of the rules.
    of_agent: bool = False

    @property
    def numbers(self) -> bool:
        """Whether all values are numbers, so that they have places on a scale."""
        return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in self.values)

    def name(self, value: Any) -> str:
        """Returns a value as people type it."""
        return written(value)

    def is_rules(self, value: Any) -> bool:
        """Returns whether the rules have this value."""
        return same(value, self.rules)


def read_axes(words: Sequence[str], config: RuleConfig | Changeable) -> tuple[SweepAxis, ...]:
    """Parses `--over`: `path=1..9`, `path=10..50/5`, `path=1,2,5`, `path=this,that`; raises for unknown paths."""
    if not words:
        raise PlaymillError(
            "nothing to go over; say what changes: --over path=1..9",
            "не задано, что менять; скажите: --over путь=1..9",
        )
    numbers = config if isinstance(config, Changeable) else Changeable(config)
    found: list[SweepAxis] = []
    for word in words:
        one = _read(word, numbers)
        if any(one.path == other.path for other in found):
            raise PlaymillError(
                f"--over {word}: {one.path} is named twice", f"--over {word}: путь {one.path} назван дважды"
            )
        found.append(one)
    settings = 1
    for one in found:
        settings *= len(one.values)
    if settings > MOST:
        raise PlaymillError(
            f"--over: these are more than {MOST} settings; take larger steps, or let playmill tune search",
            f"--over: это больше {MOST} настроек; возьмите шаг крупнее или ищите с playmill tune",
        )
    return tuple(found)


def _read(word: str, numbers: Changeable) -> SweepAxis:
    path, equals, span = word.partition("=")
    if not equals or not path or not span:
        raise PlaymillError(
            f"--over {word}: expected path=1..9, path=10..50/5 or path=1,2,5",
            f"--over {word}: нужно путь=1..9, путь=10..50/5 или путь=1,2,5",
        )
    now = numbers.value(path, f"--over {word}")
    found = _RANGE.fullmatch(span)
    values = _range(word, found) if found else _listed(span, now)
    for place, value in enumerate(values):
        numbers.check(path, value, f"--over {word}")
        if any(same(value, other) for other in values[:place]):
            raise PlaymillError(
                f"--over {word}: {written(value)} is named twice", f"--over {word}: {written(value)} названо дважды"
            )
    return SweepAxis(path, tuple(values), now, numbers.of_agent(path))


def _range(word: str, found: re.Match[str]) -> list[int | float]:
    """Returns numbers by steps, exact: 0.1..0.3/0.1 ends with 0.3."""
    low, high, step = Decimal(found[1]), Decimal(found[2]), Decimal(found[3] or "1")
    if step == 0 or high < low:
        raise PlaymillError(
            f"--over {word}: expected a low end, a high end that is not below it, and a step above 0",
            f"--over {word}: нужны начало, конец не меньше него и шаг больше 0",
        )
    count = int((high - low) / step) + 1
    numbers = (low + step * place for place in range(min(count, MOST + 1)))
    whole = all("." not in part for part in found.groups() if part is not None)
    return [int(number) if whole else float(number) for number in numbers]


def _listed(span: str, now: Any) -> list[Any]:
    """Returns values separated by commas or bars; parsed as JSON where possible, else as words."""
    parts = span.split("|") if isinstance(now, (list, dict)) else re.split(r"[,|]", span)
    return [value_of(part.strip()) for part in parts]
