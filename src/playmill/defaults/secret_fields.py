"""Code over the places of a field that is declared hidden: what lies there, and who sees it, as syntax trees.

A *place* of a field is its index, counted row by row. The rules that follow from a declaration consist of such code and
call next to nothing: calls are what the interpreter, and the compiler, would spend most of their time on.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from playmill.engine.compile.syntax import call, definition, function_of, name
from playmill.engine.contract.secrets import Secret
from playmill.engine.lang.rule import rule
from playmill.texts import PlaymillError

Rule = Callable[..., Any]
#: Code of one place, or of each.
Body = list[ast.stmt]


@dataclass(frozen=True)
class PlacedField:
    """A field of the state, and the code that reads, writes and judges its places."""

    key: str
    state: np.dtype[np.void]
    #: None: everybody sees all of it.
    secret: Secret | None = None
    #: The number of its first place among all places of its pool.
    first: int = 0

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the field."""
        return self.state[self.key].shape

    @property
    def size(self) -> int:
        """How many places there are."""
        return prod(self.shape)

    def names(self) -> dict[str, Rule]:
        """The author's own rules that its code calls, by the names under which it does."""
        secret = self.secret
        asked = {} if secret is None else {_asks(self.key): secret.seen_by, _opens(self.key): secret.open}
        return {word: asked_rule for word, asked_rule in asked.items() if callable(asked_rule)}

    def read(self, place: ast.expr) -> ast.expr:
        """The number at a place."""
        return element(self.key, self.shape, place, ast.Load())

    def write(self, place: ast.expr, value: ast.expr) -> ast.stmt:
        """Puts a number there."""
        return ast.Assign([element(self.key, self.shape, place, ast.Store())], value)

    def lies(self, place: ast.expr) -> ast.expr:
        """Whether something lies there: `place % 5 < s.held[place // 5] and s.hand[place // 5, place % 5] != -1`."""
        secret = self.secret
        if secret is None:
            return ast.Constant(True)
        row = self.shape[-1] if self.shape else 1
        column, number = ast.BinOp(place, ast.Mod(), ast.Constant(row)), _divided(place, row)
        tests: list[ast.expr] = []
        if secret.count:
            tests.append(_compare(column, ast.Lt(), self._other(secret.count, number)))
        if secret.taken:
            tests.append(_compare(column, ast.GtE(), self._other(secret.taken, number)))
        tests.append(_compare(self.read(place), ast.NotEq(), ast.Constant(secret.empty)))
        return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)

    def sees(self, place: ast.expr) -> ast.expr:
        """Whether a seat sees a place: by who it is, by what it has seen, or because all do."""
        secret = self.secret
        if secret is None or secret.seen_by == "everybody":
            return ast.Constant(True)
        tests: list[ast.expr] = []
        if secret.seen_by == "owner":
            tests.append(_compare(_divided(place, prod(self.shape[1:])), ast.Eq(), name("player")))
        elif callable(secret.seen_by):
            tests.append(call(_asks(self.key), name("cfg"), name("s"), name("player"), *indices(self.shape, place)))
        if secret.known is not None:
            each = prod(self.shape[len(self.state[secret.known].shape) :])
            mask = ast.BinOp(self._other(secret.known, _divided(place, each)), ast.RShift(), name("player"))
            seated = _compare(name("player"), ast.GtE(), ast.Constant(0))
            knows = _compare(ast.BinOp(mask, ast.BitAnd(), ast.Constant(1)), ast.Eq(), ast.Constant(1))
            tests.append(ast.BoolOp(ast.And(), [seated, knows]))
        if secret.open is not None:
            tests.append(call(_opens(self.key), name("cfg"), name("s")))
        return ast.BoolOp(ast.Or(), tests) if len(tests) > 1 else (tests or [ast.Constant(False)])[0]

    def hides(self, place: ast.expr) -> ast.expr:
        """Whether something lies there that a seat does not see."""
        return ast.BoolOp(ast.And(), [self.lies(place), ast.UnaryOp(ast.Not(), self.sees(place))])

    def _other(self, key: str, place: ast.expr) -> ast.expr:
        return element(key, self.state[key].shape, place, ast.Load())


@dataclass(frozen=True)
class MaskField(PlacedField):
    """The field with the masks of another one: whoever sees a place sees who has seen it."""

    of: PlacedField | None = None

    def names(self) -> dict[str, Rule]:
        """The author's own rules that its code calls."""
        return {} if self.of is None else self.of.names()

    def hides(self, place: ast.expr) -> ast.expr:
        """Whether a seat does not see the place that a mask is about."""
        assert self.of is not None
        each = self.of.size // self.size
        first = ast.BinOp(place, ast.Mult(), ast.Constant(each)) if each > 1 else place
        return ast.UnaryOp(ast.Not(), self.of.sees(first))


def check_kind(key: str, kind: np.dtype[Any], game: str) -> None:
    """Raises unless a field can be seen without an `observe` of the game's own."""
    if kind.base.kind != "i" or kind.base.itemsize > 4:
        raise PlaymillError(
            f"the game {game!r} declares HIDDEN without an `observe` of its own, and its state has a field {key!r} of"
            f" the type {kind.base}; what is seen by itself are whole numbers: int8, int16 or int32",
            f"игра {game!r} объявляет HIDDEN без своей `observe`, а в состоянии есть поле {key!r} типа {kind.base};"
            " само собой видны только целые числа: int8, int16 или int32",
        )


def _asks(key: str) -> str:
    return f"sees_{key}"


def _opens(key: str) -> str:
    return f"opened_{key}"


def _compare(one: ast.expr, operator: ast.cmpop, other: ast.expr) -> ast.expr:
    return ast.Compare(one, [operator], [other])


def _divided(place: ast.expr, by: int) -> ast.expr:
    return place if by == 1 else ast.BinOp(place, ast.FloorDiv(), ast.Constant(by))


def indices(shape: Sequence[int], place: ast.expr) -> list[ast.expr]:
    """The indices of a place: `place // 12, place // 3 % 4, place % 3`."""
    found: list[ast.expr] = []
    for axis in range(len(shape)):
        index = _divided(place, prod(shape[axis + 1 :]))
        found.append(ast.BinOp(index, ast.Mod(), ast.Constant(shape[axis])) if axis else index)
    return found


def element(key: str, shape: Sequence[int], place: ast.expr, use: ast.expr_context, *, of: str = "s") -> ast.expr:
    """A field of the state at a place: `s.hand[place // 5, place % 5]`."""
    if not shape:
        return ast.Attribute(name(of), key, use)
    found = indices(shape, place)
    whole = found[0] if len(found) == 1 else ast.Tuple(found, ast.Load())
    return ast.Subscript(ast.Attribute(name(of), key, ast.Load()), whole, use)


def each_place(size: int, body: Body) -> ast.stmt:
    """A loop over the places of a field."""
    return ast.For(ast.Name("place", ast.Store()), call("range", ast.Constant(size)), body, [])


def made_rule(word: str, arguments: Sequence[str], body: Sequence[ast.stmt], names: Mapping[str, Any]) -> Rule:
    """A rule of a syntax tree."""
    return rule(function_of(definition(word, arguments, body or [ast.Pass()]), {"__name__": __name__, **names}))


def judging_rule(word: str, arguments: Sequence[str], test: ast.expr, names: Mapping[str, Any]) -> Rule:
    """A rule that tells whether something is so."""
    answers: Body = [ast.If(test, [ast.Return(ast.Constant(True))], []), ast.Return(ast.Constant(False))]
    return made_rule(word, arguments, answers, names)
