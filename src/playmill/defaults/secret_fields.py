"""Rules over the places of a field that is declared hidden: what lies there, and who sees it.

A *place* of a field is its index, counted row by row.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from playmill.engine.compile.syntax import call, definition, function_of, name
from playmill.engine.contract.secrets import Secret
from playmill.engine.lang.rule import rule
from playmill.texts import PlaymillError

Rule = Callable[..., Any]


@dataclass(frozen=True)
class PlacedField:
    """A field of the state with the rules that read, write and judge its places."""

    size: int
    secret: Secret | None
    read: Rule
    write: Rule
    lies: Rule
    sees: Rule
    hides: Rule
    #: The number of its first place among all places of its pool.
    first: int = 0
    #: Whether everybody sees all of it: it is not declared, and holds no masks.
    is_open: bool = False


def placed_field(
    key: str, state: np.dtype[np.void], secret: Secret | None, *, first: int = 0, game: str = ""
) -> PlacedField:
    """The rules over the places of a field, declared or open."""
    kind = state[key]
    if kind.base.kind != "i" or kind.base.itemsize > 4:
        raise PlaymillError(
            f"the game {game!r} declares HIDDEN without an `observe` of its own, and its state has a field {key!r} of"
            f" the type {kind.base}; what is seen by itself are whole numbers: int8, int16 or int32",
            f"игра {game!r} объявляет HIDDEN без своей `observe`, а в состоянии есть поле {key!r} типа {kind.base};"
            " само собой видны только целые числа: int8, int16 или int32",
        )
    read, size = _read(key, kind.shape), prod(kind.shape)
    lies = _always if secret is None else _lies(read, kind.shape, state, secret)
    sees = _everybody if secret is None else _sees(kind.shape, state, secret)
    hides, write = _hides(lies, sees), _write(key, kind.shape)
    return PlacedField(size, secret, read, write, lies, sees, hides, first, secret is None)


def mask_field(key: str, state: np.dtype[np.void], field: PlacedField) -> PlacedField:
    """The field with the masks of another one: whoever sees a place sees who has seen it."""
    made = placed_field(key, state, None)
    sees, each = field.sees, field.size // made.size

    @rule
    def hides_mask(cfg: Any, s: Any, player: int, place: int) -> bool:
        return not sees(cfg, s, player, place * each)

    return replace(made, hides=hides_mask, is_open=False)


@rule
def _always(s: Any, place: int) -> bool:
    return True


@rule
def _everybody(cfg: Any, s: Any, player: int, place: int) -> bool:
    return True


def _indices(shape: Sequence[int]) -> list[ast.expr]:
    """The indices of a place: `place // 12, place // 3 % 4, place % 3`."""
    found: list[ast.expr] = []
    for axis in range(len(shape)):
        step = prod(shape[axis + 1 :])
        index: ast.expr = name("place")
        if step > 1:
            index = ast.BinOp(index, ast.FloorDiv(), ast.Constant(step))
        if axis:
            index = ast.BinOp(index, ast.Mod(), ast.Constant(shape[axis]))
        found.append(index)
    return found


def _element(key: str, shape: Sequence[int], use: ast.expr_context) -> ast.expr:
    """A field of the state at a place: `s.hand[place // 5, place % 5]`."""
    if not shape:
        return ast.Attribute(name("s"), key, use)
    indices = _indices(shape)
    whole = indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load())
    return ast.Subscript(ast.Attribute(name("s"), key, ast.Load()), whole, use)


def made_rule(word: str, arguments: Sequence[str], body: Sequence[ast.stmt], names: Mapping[str, Any]) -> Rule:
    """A rule of a syntax tree."""
    return rule(function_of(definition(word, arguments, body), {"__name__": __name__, **names}))


def _read(key: str, shape: Sequence[int]) -> Rule:
    return made_rule("read", ("s", "place"), [ast.Return(_element(key, shape, ast.Load()))], {})


def _write(key: str, shape: Sequence[int]) -> Rule:
    put = ast.Assign([_element(key, shape, ast.Store())], name("value"))
    return made_rule("write", ("s", "place", "value"), [put], {})


def sequence(word: str, arguments: Sequence[str], steps: Sequence[Rule]) -> Rule:
    """A rule that calls others one after the other, with the same arguments."""
    calls = [ast.Expr(call(f"step{k}", *map(name, arguments))) for k in range(len(steps))]
    return made_rule(word, arguments, calls, {f"step{k}": step for k, step in enumerate(steps)})


def _lies(read: Rule, shape: Sequence[int], state: np.dtype[np.void], secret: Secret) -> Rule:
    """Whether something lies at a place."""
    row, empty = shape[-1] if shape else 1, secret.empty
    if not secret.count and not secret.taken:

        @rule
        def holds(s: Any, place: int) -> bool:
            return bool(read(s, place) != empty)

        return holds
    taken = _read(secret.taken, state[secret.taken].shape) if secret.taken else _none
    count = _read(secret.count, state[secret.count].shape) if secret.count else None

    @rule
    def lies_behind(s: Any, place: int) -> bool:
        return bool(place % row >= taken(s, place // row) and read(s, place) != empty)

    if count is None:
        return lies_behind

    @rule
    def lies_between(s: Any, place: int) -> bool:
        return bool(place % row < count(s, place // row) and lies_behind(s, place))

    return lies_between


@rule
def _none(s: Any, place: int) -> int:
    return 0


def _hides(lies: Rule, sees: Rule) -> Rule:
    @rule
    def hides(cfg: Any, s: Any, player: int, place: int) -> bool:
        return lies(s, place) and not sees(cfg, s, player, place)

    return hides


def _sees(shape: Sequence[int], state: np.dtype[np.void], secret: Secret) -> Rule:
    """Whether a seat sees a place: by who it is, by what it has seen, or because all do."""
    sees = _sees_by(shape, secret)
    if secret.known is not None:
        sees = _either(sees, _knows(shape, state, secret.known))
    if secret.open is not None:
        sees = _either(sees, _opened(secret.open))
    return sees


def _sees_by(shape: Sequence[int], secret: Secret) -> Rule:
    if secret.seen_by == "owner":
        row = prod(shape[1:])

        @rule
        def owns(cfg: Any, s: Any, player: int, place: int) -> bool:
            return place // row == player

        return owns
    if isinstance(secret.seen_by, str):
        return _everybody if secret.seen_by == "everybody" else _nobody
    asked = call("sees", name("cfg"), name("s"), name("player"), *_indices(shape))
    answers: list[ast.stmt] = [
        ast.If(asked, [ast.Return(ast.Constant(True))], []),
        ast.Return(ast.Constant(False)),
    ]
    return made_rule("sees_place", ("cfg", "s", "player", "place"), answers, {"sees": secret.seen_by})


@rule
def _nobody(cfg: Any, s: Any, player: int, place: int) -> bool:
    return False


def _knows(shape: Sequence[int], state: np.dtype[np.void], known: str) -> Rule:
    """Whether the bit of a seat is set in a mask that has an index for each place, or for each row."""
    mask = _read(known, state[known].shape)
    each = prod(shape[len(state[known].shape) :])

    @rule
    def knows(cfg: Any, s: Any, player: int, place: int) -> bool:
        return bool(player >= 0 and mask(s, place // each) >> player & 1 == 1)

    return knows


def _opened(asked: Rule) -> Rule:
    @rule
    def opened(cfg: Any, s: Any, player: int, place: int) -> bool:
        return bool(asked(cfg, s))

    return opened


def _either(one: Rule, other: Rule) -> Rule:
    @rule
    def either(cfg: Any, s: Any, player: int, place: int) -> bool:
        return bool(one(cfg, s, player, place) or other(cfg, s, player, place))

    return either
