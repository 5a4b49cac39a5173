"""Search space of a tuning: parses `--free` into numbers of the config with ranges, steps or choices."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import floor, log, prod
from random import Random
from typing import Any

from playmill.engine.config.model import RuleConfig
from playmill.lab.decide.changeable import Changeable, Setting, same, value_of, written
from playmill.texts import PlaymillError

#: How far a value close by is, in shares of the range.
_NEAR = 0.08
_NUMBER = r"[-+]?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})(?:/(\d+(?:\.\d+)?|log))?")
#: On a scale of factors each value is about this many times the one before.
_FACTOR = 1.1


@dataclass(frozen=True)
class Free:
    """One number that may change: from low to high by steps or by factors (`log`), or one of some choices.

    With a condition it is free only where another number has a certain value; elsewhere it is as in the rules.
    """

    path: str
    low: float = 0
    high: float = 0
    step: float | None = None
    choices: tuple[Any, ...] = ()
    whole: bool = True
    log: bool = False
    condition: tuple[str, Any] | None = None

    @property
    def count(self) -> int | None:
        """How many values it has; None if there is no end of them."""
        if self.choices or self.log:
            return len(self.values())
        return None if self.step is None else floor((self.high - self.low) / self.step + 1e-9) + 1

    def values(self) -> tuple[Any, ...]:
        """Returns all of them, where they can be counted."""
        if self.choices:
            return self.choices
        if self.log:
            return self._factors
        assert self.count is not None
        return tuple(self._stepped(place) for place in range(self.count))

    @cached_property
    def _factors(self) -> tuple[int | float, ...]:
        steps = max(1, round(log(self.high / self.low) / log(_FACTOR)))
        found = (self.low * (self.high / self.low) ** (step / steps) for step in range(steps + 1))
        return tuple(dict.fromkeys(round(value) if self.whole else float(f"{value:.6g}") for value in found))

    def _stepped(self, place: int) -> int | float:
        if self.log:
            return self._factors[place]
        assert self.step is not None
        value = self.low + place * self.step
        return int(value) if self.whole else round(value, 10)

    def holds(self, value: Any) -> bool:
        """Returns whether the search could choose this value."""
        if self.count is not None:
            return any(same(value, one) for one in self.values())
        return isinstance(value, (int, float)) and not isinstance(value, bool) and self.low <= value <= self.high

    def at_bound(self, value: Any) -> bool:
        """Returns whether a value is the least or the largest of its range; choices have none."""
        if self.choices:
            return False
        ends = (self.low, self.high) if self.count is None else (self.values()[0], self.values()[-1])
        return any(same(value, end) for end in ends)

    def any_value(self, rng: Random) -> Any:
        """Returns one of its values, all alike."""
        if self.choices:
            return rng.choice(self.choices)
        if self.count is None:
            return round(rng.uniform(self.low, self.high), 10)
        return self._stepped(rng.randrange(self.count))

    def near(self, value: Any, rng: Random) -> Any:
        """Another value, most often one close by; of choices any."""
        if self.choices:
            return rng.choice([one for one in self.choices if not same(one, value)])
        reach = _NEAR * rng.gauss(0, 1)
        if self.count is None:
            return round(min(self.high, max(self.low, value + reach * (self.high - self.low))), 10)
        steps = round(reach * self.count) or rng.choice((-1, 1))
        place = min(range(self.count), key=lambda place: abs(self._stepped(place) - value))
        return self._stepped(min(self.count - 1, max(0, place + steps)))

    def between(self, rules: Any, value: Any) -> list[Any]:
        """Returns the values strictly between the rules and another, those near the rules first."""
        low, high = min(rules, value), max(rules, value)
        return sorted((one for one in self.values() if low < one < high), key=lambda one: abs(one - rules))

    def asked(self, values: Mapping[str, Any]) -> bool:
        """Returns whether it is free beside these values of others."""
        return self.condition is None or same(values[self.condition[0]], self.condition[1])

    def written(self) -> str:
        """It as `--free` takes it."""
        if self.choices:
            span = "|".join(map(written, self.choices))
        else:
            plain = 1 if self.whole else None
            step = "log" if self.log else "" if self.step in (None, plain) else written(self.step)
            span = f"{written(self.low)}..{written(self.high)}" + (f"/{step}" if step else "")
        message = f"{self.path}:{span}"
        return message if self.condition is None else f"{message}?{self.condition[0]}={written(self.condition[1])}"


class Space:
    """All numbers that may change, and the rules as they are."""

    def __init__(self, config: RuleConfig | Changeable, words: Sequence[str]) -> None:
        if not words:
            raise PlaymillError(
                "nothing is free; say what may change: --free path:low..high",
                "менять нечего; скажите, что можно менять: --free путь:от..до",
            )
        self.numbers = config if isinstance(config, Changeable) else Changeable(config)
        self.rules: dict[str, Any] = {}
        self.free: list[Free] = []
        for word in words:
            one = _read(word, self.numbers)
            if one.path in self.rules:
                raise PlaymillError(
                    f"--free {word}: {one.path} is named twice", f"--free {word}: путь {one.path} назван дважды"
                )
            self.free.append(one)
            self.rules[one.path] = self.numbers.value(one.path, f"--free {word}")
        self._check_conditions()

    def _check_conditions(self) -> None:
        before: set[str] = set()
        for one in self.free:
            if one.condition is not None:
                path = one.condition[0]
                if path in self.rules and path not in before:
                    raise PlaymillError(
                        f"--free {one.written()}: name {path} before what depends on it",
                        f"--free {one.written()}: назовите {path} раньше того, что от него зависит",
                    )
                self.rules.setdefault(path, self.numbers.value(path, f"--free {one.written()}"))
            before.add(one.path)

    @property
    def count(self) -> int | None:
        """How many settings there are; None if they cannot be counted, or would be no product."""
        counts = [one.count for one in self.free]
        if any(one.condition for one in self.free) or None in counts:
            return None
        return prod(count for count in counts if count is not None)

    def everything(self) -> Iterator[Setting]:
        """Yields all settings, where they can be counted."""
        for values in product(*(one.values() for one in self.free)):
            yield self.setting(dict(zip((one.path for one in self.free), values, strict=True)))

    def chosen(self, choose: Callable[[Free], Any]) -> Setting:
        """Returns the setting in which somebody chooses each number that is free."""
        values = dict(self.rules)
        for one in self.free:
            if one.asked(values):
                values[one.path] = choose(one)
        return self.setting(values)

    def setting(self, values: Mapping[str, Any]) -> Setting:
        """Returns what of some values differs from the rules; what is not free beside the others is left out."""
        whole = {**self.rules, **values}
        kept: dict[str, Any] = {}
        current = dict(self.rules)
        for one in self.free:
            if one.asked(current) and not same(whole[one.path], self.rules[one.path]):
                current[one.path] = kept[one.path] = whole[one.path]
        return kept

    def whole(self, setting: Setting) -> dict[str, Any]:
        """Returns the value of everything that is free beside the others."""
        values = {**self.rules, **setting}
        return {one.path: values[one.path] for one in self.free if one.asked(values)}

    def could_choose(self, setting: Setting) -> bool:
        """Returns whether the search could have chosen it: the rules may lie outside what it may choose."""
        values = self.whole(setting)
        return all(one.holds(values[one.path]) for one in self.free if one.path in values)

    def configured(self, setting: Setting) -> RuleConfig:
        """Returns the config of a setting; raises PlaymillError if there is no such one."""
        return self.numbers.configured(setting, "--free")

    @property
    def config(self) -> RuleConfig:
        """The rules as they are."""
        return self.numbers.config

    @property
    def of_agents(self) -> bool:
        """Whether nothing of the rules is free, but numbers of agents."""
        return all(self.numbers.of_agent(one.path) for one in self.free)


def key(setting: Setting) -> str:
    """Returns the canonical text of a setting."""
    return json.dumps(dict(setting), sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _read(word: str, numbers: Changeable) -> Free:
    """Returns what one `--free` says."""
    path, colon, span = word.partition(":")
    if not colon or not path or not span:
        raise _unreadable(word)
    span, question, when = span.partition("?")
    condition: tuple[str, Any] | None = None
    if question:
        other, equals, value = when.partition("=")
        if not equals or not other or not value:
            raise _unreadable(word)
        numbers.value(other, f"--free {word}")
        condition = (other, value_of(value))
    now = numbers.value(path, f"--free {word}")
    if found := _RANGE.fullmatch(span):
        # An agent does not say whether its number is whole: it is where only whole ones are named.
        parted = any("." in text for text in found.groups() if text is not None)
        now = float(now) if parted and numbers.of_agent(path) and isinstance(now, int) else now
        one = _range(word, path, found, now, condition)
    else:
        choices = tuple(dict.fromkeys(map(_hashable, span.split("|"))))
        if len(choices) < 2:
            raise _unreadable(word)
        one = Free(path, choices=tuple(value_of(choice) for choice in choices), condition=condition)
    for value in one.choices or (one.low, one.high):
        numbers.check(path, value, f"--free {word}")
    return one


def _range(word: str, path: str, found: re.Match[str], now: Any, condition: tuple[str, Any] | None) -> Free:
    if isinstance(now, bool) or not isinstance(now, (int, float)):
        raise PlaymillError(
            f"--free {word}: {path} is {json.dumps(now)[:60]}, no number; name choices: {path}:this|that",
            f"--free {word}: {path} равно {json.dumps(now, ensure_ascii=False)[:60]}, это не число;"
            f" перечислите варианты: {path}:один|другой",
        )
    whole = isinstance(now, int)
    texts = [text for text in found.groups() if text is not None]
    if whole and any("." in text for text in texts):
        raise PlaymillError(
            f"--free {word}: {path} is a whole number; expected a range of whole numbers",
            f"--free {word}: {path} — целое число; нужны целые границы",
        )
    low, high = float(found[1]), float(found[2])
    by_factors = found[3] == "log"
    if by_factors and low <= 0:
        raise PlaymillError(
            f"--free {word}: factors begin above 0, not at {found[1]}",
            f"--free {word}: множители начинаются выше 0, а не с {found[1]}",
        )
    step = None if by_factors else float(found[3]) if found[3] else 1.0 if whole else None
    if low >= high or step == 0 or (step is not None and step > high - low):
        raise PlaymillError(
            f"--free {word}: expected a low end below the high one, and a step that fits between",
            f"--free {word}: нижняя граница должна быть меньше верхней, а шаг — помещаться между ними",
        )
    if whole:
        return Free(path, int(low), int(high), step, log=by_factors, condition=condition)
    return Free(path, low, high, step, whole=False, log=by_factors, condition=condition)


def _hashable(text: str) -> str:
    return text.strip()


def _unreadable(word: str) -> PlaymillError:
    return PlaymillError(
        f"--free {word}: expected path:low..high, path:low..high/step, path:low..high/log or path:this|that, with"
        " ?other=value behind it if it depends on another",
        f"--free {word}: нужно путь:от..до, путь:от..до/шаг, путь:от..до/log или путь:один|другой, а в конце"
        " ?другой=значение, если он зависит от другого",
    )
