"""Luck that is not drawn but asked for: every draw of the rules as a question with outcomes and their probabilities.

The rules are run by the interpreter, and what they draw luck with (`below`, `happens`, the hat) is replaced: a draw
whose answer is known gets it, the first one whose is not stops the rules. So the chance nodes of a game's tree are the
draws of its own rules, and nobody writes them twice. A game that reads the words of its streams itself cannot be asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from types import CodeType
from typing import Any, Literal

from playmill.engine.contract.game import Game
from playmill.engine.lang import rng
from playmill.engine.lang.rule import Interpreter, is_rule, python_function

#: Draws that can be asked for.
_ASKABLE = ("below", "happens", "into_hat", "out_of_hat", "shuffle", "empty_hat")
#: How the luck of a game is drawn: not at all, so that every draw can be asked for, or in ways of its own.
Kind = Literal["none", "draws", "words"]


class DrawError(Exception):
    """A draw whose answer is not known: the probability of each outcome."""

    def __init__(self, chances: Sequence[float]) -> None:
        super().__init__(chances)
        self.chances = tuple(chances)


class Answers:
    """In place of the luck of a game: answers to its draws, in their order."""

    __slots__ = ("_answers", "_hat", "_place")

    def __init__(self, answers: Sequence[int]) -> None:
        self._answers, self._place = answers, 0
        self._hat: dict[int, int] = {}

    def next(self, chances: Sequence[float]) -> int:
        """The answer to the next draw."""
        if self._place == len(self._answers):
            raise DrawError(chances)
        self._place += 1
        return self._answers[self._place - 1]


def _below(luck: Answers, stream: int, n: int) -> int:
    return luck.next([1 / n] * n) if n > 1 else 0


def _happens(luck: Answers, stream: int, probability: float) -> bool:
    return luck.next([1 - probability, probability]) == 1 if 0 < probability < 1 else probability >= 1


def _into_hat(luck: Answers, stream: int, place: int, card: int, identity: int) -> None:
    luck._hat[place] = card


def _out_of_hat(luck: Answers, stream: int, cards: Any, count: int) -> None:
    """Card by card; those alike are one outcome."""
    left = [luck._hat[place] for place in range(count)]
    for place in range(count):
        kinds = sorted(set(left))
        kind = kinds[luck.next([left.count(kind) / len(left) for kind in kinds]) if len(kinds) > 1 else 0]
        left.remove(kind)
        cards[place] = kind


def _nothing(luck: Answers) -> None:
    pass


#: Runs rules that are handed `Answers` for luck.
asking = Interpreter(
    {
        rng.below: _below,
        rng.happens: _happens,
        rng.into_hat: _into_hat,
        rng.out_of_hat: _out_of_hat,
        rng.empty_hat: _nothing,
    }
)


def kind_of_luck(game: Game) -> Kind:
    """How the rules of a game draw their luck."""
    found: set[str] = set()
    seen: set[int] = set()
    for name in ("setup", "apply_action"):
        _look(game.rules[name], found, seen)
    if not found:
        return "none"
    return "draws" if found <= set(_ASKABLE) else "words"


def _look(rule: Callable[..., Any], found: set[str], seen: set[int]) -> None:
    """Adds the ways in which a rule, and every rule it calls, draws luck."""
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
