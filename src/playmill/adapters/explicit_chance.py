"""Explicit chance: runs rules with given outcomes of their random draws, and finds the distribution of the next one.

The rules are run by the interpreter, and the functions they draw with (`below`, `happens`, the shuffle buffer) are
replaced: a draw whose outcome is given gets it, the first one without stops the rules. So the chance nodes of a game's
tree are the draws of its own rules, and nobody writes them twice. A game that reads the words of its streams itself
cannot be run so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import CodeType
from typing import Any, Literal

from playmill.engine.contract.game import Game
from playmill.engine.lang import rng
from playmill.engine.lang.rule import Interpreter, is_rule, python_function

#: Draws that can be asked for.
_ASKABLE = ("below", "happens", "add_to_shuffle_buffer", "drain_shuffle_buffer", "shuffle", "clear_shuffle_buffer")
#: How a game draws random numbers: not at all, by functions that can be replaced, or in ways of its own.
ChanceSource = Literal["none", "draws", "words"]


class DrawError(Exception):
    """A draw whose outcome is not given: the probability of each outcome."""

    def __init__(self, chances: Sequence[float]) -> None:
        super().__init__(chances)
        self.chances = tuple(chances)


class FixedDraws:
    """In place of an rng: outcomes of the draws, in their order."""

    __slots__ = ("_answers", "_place", "_shuffle_buffer")

    def __init__(self, answers: Sequence[int]) -> None:
        self._answers, self._place = answers, 0
        self._shuffle_buffer: dict[int, int] = {}

    def next(self, chances: Sequence[float]) -> int:
        """The outcome of the next draw."""
        if self._place == len(self._answers):
            raise DrawError(chances)
        self._place += 1
        return self._answers[self._place - 1]


def _below(rng: FixedDraws, stream: int, n: int) -> int:
    return rng.next([1 / n] * n) if n > 1 else 0


def _happens(rng: FixedDraws, stream: int, probability: float) -> bool:
    return rng.next([1 - probability, probability]) == 1 if 0 < probability < 1 else probability >= 1


def _add_to_shuffle_buffer(rng: FixedDraws, stream: int, place: int, card: int, identity: int) -> None:
    rng._shuffle_buffer[place] = card


def _drain_shuffle_buffer(rng: FixedDraws, stream: int, cards: Any, count: int) -> None:
    """Card by card; those alike are one outcome."""
    left = [rng._shuffle_buffer[place] for place in range(count)]
    for place in range(count):
        kinds = sorted(set(left))
        kind = kinds[rng.next([left.count(kind) / len(left) for kind in kinds]) if len(kinds) > 1 else 0]
        left.remove(kind)
        cards[place] = kind


def _nothing(rng: FixedDraws) -> None:
    pass


#: Runs rules that are handed `FixedDraws` for an rng.
asking = Interpreter(
    {
        rng.below: _below,
        rng.happens: _happens,
        rng.add_to_shuffle_buffer: _add_to_shuffle_buffer,
        rng.drain_shuffle_buffer: _drain_shuffle_buffer,
        rng.clear_shuffle_buffer: _nothing,
    }
)


def chance_source(game: Game) -> ChanceSource:
    """How the rules of a game draw random numbers."""
    found: set[str] = set()
    seen: set[int] = set()
    for name in ("setup", "apply_action"):
        _look(game.rules[name], found, seen)
    if not found:
        return "none"
    return "draws" if found <= set(_ASKABLE) else "words"


def _look(rule: Callable[..., Any], found: set[str], seen: set[int]) -> None:
    """Adds the ways in which a rule, and every rule it calls, draws random numbers."""
    function = python_function(rule)
    if id(function) in seen:
        return
    seen.add(id(function))
    if function.__module__ == rng.__name__:
        found.add(function.__name__)
        return
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    names = set(_names(function.__code__))
    if "stream" in names:
        found.add("stream")
    for value in [*cells, *(function.__globals__.get(name) for name in names)]:
        if is_rule(value):
            _look(value, found, seen)


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for value in code.co_consts:
        if isinstance(value, CodeType):
            yield from _names(value)
