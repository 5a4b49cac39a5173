"""Code that deals anew what a seat does not see, derived from a declaration of what is hidden.

Whatever lies at places that a seat does not see is gathered in an order of its own, shuffled and laid back: so cards
are conserved, every deal is equally likely, and nothing depends on the truth. Rules may not allocate; the shuffle
buffer of the random streams is where cards lie in the meantime.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from playmill.defaults.secret_fields import Body, MaskField, PlacedField, Rule, each_place
from playmill.engine.compile.syntax import call, name
from playmill.engine.lang.rng import SHUFFLE_BUFFER_SIZE, below
from playmill.engine.lang.rule import as_int, as_word, rule

#: The stream of `conceal`.
_STREAM = 0
#: After so many deals that are not possible the last one stays: a rule must not loop for ever.
_TRIES = 1000


def clears(field: PlacedField) -> Body:
    """Empties places where nothing lies, for what used to lie there would tell; and masks that a seat does not see."""
    place = name("place")
    if isinstance(field, MaskField):
        test, nothing = field.hides(place), 0
    else:
        test, nothing = ast.UnaryOp(ast.Not(), field.lies(place)), field.secret.empty if field.secret else 0
    return [each_place(field.size, [ast.If(test, [field.write(place, ast.Constant(nothing))], [])])]


def draws_values(field: PlacedField, values: int | range | Rule) -> Body:
    """Draws each hidden number by itself; a rule that says of how many is called `many_` and the name of the field."""
    place = name("place")
    least, step = (values.start, values.step) if isinstance(values, range) else (0, 1)
    many = ast.Constant(len(values) if isinstance(values, range) else values) if not callable(values) else None
    drawn = call("below", name("rng"), ast.Constant(_STREAM), many or call(f"many_{field.key}", name("cfg"), name("s")))
    value = ast.BinOp(ast.Constant(least), ast.Add(), ast.BinOp(ast.Constant(step), ast.Mult(), drawn))
    return [each_place(field.size, [ast.If(field.hides(place), [field.write(place, value)], [])])]


def deals_cards(pool: int, fields: Sequence[PlacedField]) -> tuple[Body, dict[str, Any]]:
    """Deals the cards of a pool that a seat does not see to the places that it does not see; with the rules it calls.

    `count` is how many there are; their places lie in `rng.sorted`, the cards in the shuffle buffer.
    """
    copies = next((one.secret.copies for one in fields if one.secret and one.secret.deck is not None), None)
    body: Body = [ast.Assign([ast.Name("count", ast.Store())], ast.Constant(0))]
    body += [_finds(one, whole_deck=copies is not None) for one in fields]
    cards: ast.expr = name("count")
    if copies is None:
        body.append(ast.Expr(call("_sort", name("rng"), name("count"))))
    else:
        cards = name("cards")
        body.append(ast.Assign([ast.Name("cards", ast.Store())], call(f"left{pool}", name("rng"))))
    body.append(ast.Expr(call("_mix", name("rng"), cards)))
    most = name("count") if copies is None else call("min", name("count"), cards)
    body.append(ast.For(ast.Name("k", ast.Store()), call("range", most), _puts(fields), []))
    return body, {f"left{pool}": _left_of(copies)} if copies is not None else {}


def _of_rng(field: str, index: ast.expr, use: ast.expr_context) -> ast.Subscript:
    return ast.Subscript(ast.Attribute(name("rng"), field, ast.Load()), index, use)


def _sum(one: ast.expr, number: int) -> ast.expr:
    return ast.BinOp(one, ast.Add() if number >= 0 else ast.Sub(), ast.Constant(abs(number))) if number else one


def _finds(field: PlacedField, *, whole_deck: bool) -> ast.stmt:
    """Notes hidden places, and the cards there; of a whole deck it counts the cards that are seen."""
    place, count = name("place"), name("count")
    notes: Body = [
        ast.Assign([_of_rng("shuffle_buffer", count, ast.Store())], call("as_word", field.read(place))),
        ast.Assign([_of_rng("sorted", _sum(count, 1), ast.Store())], call("as_word", _sum(place, field.first))),
        ast.AugAssign(ast.Name("count", ast.Store()), ast.Add(), ast.Constant(1)),
    ]
    room = ast.Compare(count, [ast.Lt()], [ast.Constant(SHUFFLE_BUFFER_SIZE)])
    if not whole_deck:
        return each_place(field.size, [ast.If(ast.BoolOp(ast.And(), [field.hides(place), room]), notes, [])])
    card = ast.Assign([ast.Name("card", ast.Store())], field.read(place))
    bounds: list[ast.cmpop] = [ast.LtE(), ast.Lt()]
    known = ast.Compare(ast.Constant(0), bounds, [name("card"), ast.Constant(SHUFFLE_BUFFER_SIZE)])
    counts = ast.AugAssign(_of_rng("bucket", name("card"), ast.Store()), ast.Add(), ast.Constant(1))
    seen: Body = [card, ast.If(known, [counts], [])]
    return each_place(
        field.size, [ast.If(field.lies(place), [ast.If(field.sees(place), seen, [ast.If(room, notes, [])])], [])]
    )


def _puts(fields: Sequence[PlacedField]) -> Body:
    """Lays card k of the shuffle buffer at place k of those that were noted."""
    place, card = (
        call("as_int", _of_rng("sorted", _sum(name("k"), 1), ast.Load())),
        call("as_int", _of_rng("shuffle_buffer", name("k"), ast.Load())),
    )
    puts: Body = [ast.Pass()]
    for field in reversed(fields):
        here = field.write(_sum(name("place"), -field.first), card)
        behind = ast.Compare(name("place"), [ast.GtE()], [ast.Constant(field.first + field.size)])
        puts = [here] if field is fields[-1] else [ast.If(behind, puts, [here])]
    return [ast.Assign([ast.Name("place", ast.Store())], place), *puts]


def _left_of(copies: tuple[int, ...]) -> Rule:
    """Writes the cards of a deck that were not counted as seen into the shuffle buffer, by number; returns how many."""
    kinds = len(copies)

    @rule
    def left(rng: Any) -> int:
        count = 0
        for card in range(kinds):
            for _ in range(copies[card] - rng.bucket[card]):
                rng.shuffle_buffer[count] = as_word(card)
                count += 1
        for card in range(SHUFFLE_BUFFER_SIZE):
            rng.bucket[card] = 0
        return count

    return left


@rule
def _sort(rng: Any, count: int) -> None:
    """Puts the cards in the shuffle buffer in order, whatever their order was."""
    gap = 1
    while gap < count:
        gap = 3 * gap + 1
    while gap > 1:
        gap //= 3
        for k in range(gap, count):
            card = rng.shuffle_buffer[k]
            place = k
            while place >= gap and rng.shuffle_buffer[place - gap] > card:
                rng.shuffle_buffer[place] = rng.shuffle_buffer[place - gap]
                place -= gap
            rng.shuffle_buffer[place] = card


@rule
def _mix(rng: Any, count: int) -> None:
    """Shuffles the cards in the shuffle buffer; every order is equally likely."""
    for k in range(1, count):
        other = below(rng, _STREAM, k + 1)
        card = rng.shuffle_buffer[k]
        rng.shuffle_buffer[k] = rng.shuffle_buffer[other]
        rng.shuffle_buffer[other] = card


#: What code made here calls.
CALLED = {"below": below, "as_word": as_word, "as_int": as_int, "_sort": _sort, "_mix": _mix}


def until_possible(deals: Rule, possible: Rule) -> Rule:
    """Deals until the author's rule says that it can be so: then all deals that can be are equally likely."""

    @rule
    def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
        for _ in range(_TRIES):
            deals(cfg, s, player, rng)
            if possible(cfg, s, player):
                return

    return conceal
