"""Ranges of observations: the least and the largest value that each number of an observation can have.

A game declares them as `OBSERVED` in `invariants.py`, by the names of `NAMES` without what stands in brackets: two
ends, or the name of the field that is shown. Numbers that a game without an `observe` of its own shows are fields of
its state. A field lies within its type, and within the bounds that an invariant gives it. Beside them a game may
declare how long it is, `LONGEST`, and how many outcomes one draw has, `OUTCOMES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig, value_at
from playmill.engine.contract.secrets import UNKNOWN
from playmill.engine.lang.rule import python_function
from playmill.texts import PlaymillError, near_to

Whole = np.ndarray[Any, np.dtype[np.int32]]
#: An end of a range: a number, the path of a setting, or a function of the config and the number of players.
End = int | str | Callable[[Any, int], int]
#: The range of numbers that are seen: two ends, or the name of the field of the state that is shown.
Range = tuple[End, End] | str
_ANY = np.iinfo(np.int32)
#: Modules that make `observe` for games that write none themselves.
_DERIVED = ("playmill.defaults.hidden", "playmill.defaults.secret_fields")


def observed_ranges(game: Any, config: RuleConfig, players: int) -> tuple[Whole, Whole]:
    """Returns the least and the largest value of each number of an observation; where nothing is known, any int32."""
    low: Whole = np.full(game.observation, _ANY.min, np.int32)
    high: Whole = np.full(game.observation, _ANY.max, np.int32)
    names = [name.partition("[")[0] for name in game.names]
    fields = _by_field(game, config, players)
    ranges = fields if _shows_fields(game) else {}
    for name, given in game.observed.items():
        if isinstance(given, str):
            ranges[name] = fields[given]
        else:
            ranges[name] = (number(config, players, given[0]), number(config, players, given[1]))
    for place, name in enumerate(names):
        least, most = ranges.get(name, (_ANY.min, _ANY.max))
        low[place], high[place] = max(least, _ANY.min), min(most, _ANY.max)
    return low, high


def check_within(game: Any, seen: Any, low: Whole, high: Whole) -> None:
    """Raises if a number of some observations lies outside its range, with its name."""
    bad = (seen < low) | (seen > high)
    if bad.any():
        place = int(np.argwhere(bad)[0][-1])
        value = int(np.asarray(seen)[bad][0])
        between = f"{low[place]} … {high[place]}"
        raise PlaymillError(
            f"{game.name}: {game.names[place]} of an observation is {value}, and was declared to lie in {between};"
            " correct OBSERVED or the invariants of invariants.py",
            f"{game.name}: {game.names[place]} в наблюдении равно {value}, а объявлено {between}; исправьте OBSERVED"
            " или инварианты в invariants.py",
        )


def check_declared(game: str, names: tuple[str, ...], fields: tuple[str, ...], declared: Any) -> Mapping[str, Range]:
    """Returns `OBSERVED` of a game; raises unless it gives ranges to names of numbers that are seen."""
    known = {name.partition("[")[0] for name in names}
    if not isinstance(declared, Mapping):
        raise _unreadable(game, declared)
    for name, ends in declared.items():
        if name not in known:
            near = near_to(str(name), known)
            raise PlaymillError(
                f"the game {game!r}: OBSERVED names {name!r}, and no number of an observation is called so{near.en}",
                f"игра {game!r}: в OBSERVED есть {name!r}, а такого числа в наблюдении нет{near.ru}",
            )
        if not (ends in fields if isinstance(ends, str) else isinstance(ends, tuple | list) and len(ends) == 2):
            raise _unreadable(game, {name: ends})
    return {str(name): ends if isinstance(ends, str) else (ends[0], ends[1]) for name, ends in declared.items()}


def _unreadable(game: str, given: Any) -> PlaymillError:
    return PlaymillError(
        f"the game {game!r}: OBSERVED is {given!r}; expected names of numbers that are seen, each with its least and"
        ' its largest value, or with the field of State that it shows: {"pot": (0, 100), "turns": "turns"}',
        f"игра {game!r}: OBSERVED — это {given!r}, а нужны имена видимых чисел, у каждого наименьшее и наибольшее"
        ' значение или поле State, которое показано: {"pot": (0, 100), "turns": "turns"}',
    )


def _shows_fields(game: Any) -> bool:
    """Whether an observation is the state itself, with what is hidden left out."""
    return python_function(game.rules["observe"]).__module__ in _DERIVED


def _by_field(game: Any, config: RuleConfig, players: int) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for field in game.state.names or ():
        if game.state[field].base.kind not in "iu":
            continue
        ends = np.iinfo(game.state[field].base)
        low, high = int(ends.min), int(ends.max)
        for invariant in game.invariants:
            if invariant.bounds is not None and invariant.bounds[0] == field:
                known = [_constant(config, end) for end in invariant.bounds[1:]]
                low = low if known[0] is None else max(low, known[0])
                high = high if known[1] is None else min(high, known[1])
        if field == "player":
            low, high = max(low, -1), min(high, players - 1)
        others = _in_place_of(game, field)
        found[field] = (min(low, *others), max(high, *others)) if others else (low, high)
    return found


def _in_place_of(game: Any, field: str) -> tuple[int, ...]:
    """What may stand in an observation in place of a number that is hidden, or that means nothing."""
    if game.secrets is None:
        return ()
    secret = game.secrets.fields.get(field)
    return (0,) if secret is None else (UNKNOWN, secret.empty)


def _constant(config: RuleConfig, end: Any) -> int | None:
    """The bound of an invariant, if it is the same in every position."""
    if isinstance(end, str):
        try:
            end = value_at(config.model_dump(mode="json"), end)
        except KeyError:
            return None
    return int(end) if isinstance(end, int) and not isinstance(end, bool) else None


def number(config: RuleConfig, players: int, end: End) -> int:
    """A declared number of a game."""
    if callable(end):
        return int(end(config, players))
    return int(value_at(config.model_dump(mode="json"), end)) if isinstance(end, str) else int(end)
