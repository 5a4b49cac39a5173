"""Score range (STAKES): the least and the most a game can bring a player; validates what games brought against it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isclose, isfinite
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

from playmill.engine.errors.located import at_name
from playmill.texts import Text


class Stakes(NamedTuple):
    """The least and the most a game can bring a player, and what it brings all together if that is always the same."""

    least: float
    most: float
    together: float | None = None


#: So little more or less than stated is a matter of rounding.
_ROUNDING = 1e-6
#: What can be won if the rules do not say.
USUAL = Stakes(-1.0, 1.0)


def stakes_of(rules: ModuleType, config: Any, players: int) -> Stakes:
    """The score range as the rules state it: numbers, or a function of the config and the number of players."""
    return _read(rules, rules.STAKES(config, players) if callable(rules.STAKES) else rules.STAKES)


def check_stated(rules: ModuleType) -> None:
    """Raises unless STAKES are numbers in their order; those of a function are validated when it is called."""
    if not callable(rules.STAKES):
        _read(rules, rules.STAKES)


def beyond(rules: ModuleType, stakes: Stakes, players: int, ends: Sequence[Sequence[float]]) -> Iterator[Text]:
    """Reports returns of games outside the stated range, in at most one sentence with the line of STAKES."""
    least, most = min(map(min, ends), default=stakes.least), max(map(max, ends), default=stakes.most)
    if least < stakes.least - _ROUNDING or most > stakes.most + _ROUNDING:
        yield at_name(
            rules,
            "returns" if rules.STAKES is USUAL else "STAKES",
            Text(
                f"with {players} players, `returns` gave {least:g} … {most:g}, and {_stated(rules, stakes).en}; write"
                " in rules.py what a game can bring a player: STAKES = (least, most)",
                f"при числе игроков {players} `returns` дала {least:g} … {most:g}, а {_stated(rules, stakes).ru};"
                " напишите в rules.py, сколько партия может принести игроку: STAKES = (наименьшее, наибольшее)",
            ),
        ).text
        return
    sums = [] if stakes.together is None else [sum(end) for end in ends]
    other = [total for total in sums if not isclose(total, stakes.together or 0, abs_tol=_ROUNDING)]
    if other:
        yield at_name(
            rules,
            "STAKES",
            Text(
                f"with {players} players, `returns` gave all together {other[0]:g}, and STAKES say that this is always"
                f" {stakes.together:g}; leave out the third number, or correct it",
                f"при числе игроков {players} `returns` дала всем вместе {other[0]:g}, а по STAKES это всегда"
                f" {stakes.together:g}; уберите третье число или исправьте его",
            ),
        ).text


def _stated(rules: ModuleType, stakes: Stakes) -> Text:
    within = f"{stakes.least:g} … {stakes.most:g}"
    if rules.STAKES is USUAL:
        return Text(f"without STAKES that is {within}", f"без STAKES это {within}")
    return Text(f"STAKES allow {within}", f"STAKES допускают {within}")


def _read(rules: ModuleType, stated: Any) -> Stakes:
    numbers = tuple(stated) if isinstance(stated, tuple | list) else ()
    together = numbers[2:] if numbers[2:] != (None,) else ()
    if len(numbers) in (2, 3) and all(map(_is_number, (*numbers[:2], *together))) and numbers[0] <= numbers[1]:
        return Stakes(*numbers)
    raise at_name(
        rules,
        "STAKES",
        Text(
            f"STAKES are {stated!r}; they must be (least, most), what a game can bring a player, or (least, most,"
            " together), or a function of the config and the number of players that returns such numbers",
            f"STAKES — это {stated!r}, а нужны (наименьшее, наибольшее) — сколько партия может принести игроку, или"
            " (наименьшее, наибольшее, вместе), или функция от настроек и числа игроков, которая их возвращает",
        ),
    )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool) and isfinite(value)
