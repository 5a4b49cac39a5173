"""Rules that deal anew what a seat does not see, derived from a declaration of what is hidden.

Whatever lies at places that a seat does not see is gathered in an order of its own, shuffled and laid back: so cards
are conserved, every deal is equally likely, and nothing depends on the truth. Rules may not allocate; the shuffle
buffer of the random streams is where cards lie in the meantime.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from playmill.defaults.secret_fields import PlacedField, Rule, made_rule
from playmill.engine.compile.syntax import call, name
from playmill.engine.lang.rng import SHUFFLE_BUFFER_SIZE, below
from playmill.engine.lang.rule import as_int, as_word, rule

#: The stream of `conceal`.
_STREAM = 0
#: After so many deals that are not possible the last one stays: a rule must not loop for ever.
_TRIES = 1000


def clears(field: PlacedField) -> Rule:
    """Empties places where nothing lies, for what used to lie there would tell; and masks that a seat does not see."""
    size, lies, hides, write = field.size, field.lies, field.hides, field.write
    nothing, all_hidden = (0, True) if field.secret is None else (field.secret.empty, False)

    @rule
    def clear(cfg: Any, s: Any, player: int, rng: Any) -> None:
        for place in range(size):
            if not lies(s, place) or (all_hidden and hides(cfg, s, player, place)):
                write(s, place, nothing)

    return clear


def draws_values(field: PlacedField, values: int | range | Rule) -> Rule:
    """Draws each hidden number by itself."""
    size, hides, write = field.size, field.hides, field.write
    least, step = (values.start, values.step) if isinstance(values, range) else (0, 1)
    many = _constant(len(values) if isinstance(values, range) else values) if not callable(values) else values

    @rule
    def draws(cfg: Any, s: Any, player: int, rng: Any) -> None:
        for place in range(size):
            if hides(cfg, s, player, place):
                write(s, place, least + step * below(rng, _STREAM, many(cfg, s)))

    return draws


def _constant(number: int) -> Rule:
    @rule
    def constant(cfg: Any, s: Any) -> int:
        return number

    return constant


def deals_cards(fields: Sequence[PlacedField]) -> Rule:
    """Deals the cards of a pool that a seat does not see to the places that it does not see."""
    copies = next((one.secret.copies for one in fields if one.secret and one.secret.deck is not None), None)
    find = _sequence_of_counts([_finds(one, copies is not None) for one in fields])
    put = _puts(fields)
    left = None if copies is None else _left_of(copies)

    if left is None:

        @rule
        def deals(cfg: Any, s: Any, player: int, rng: Any) -> None:
            count = find(cfg, s, player, rng, 0)
            _sort(rng, count)
            _mix(rng, count)
            for k in range(count):
                put(s, as_int(rng.sorted[1 + k]), as_int(rng.shuffle_buffer[k]))

        return deals

    @rule
    def deals_from_deck(cfg: Any, s: Any, player: int, rng: Any) -> None:
        count = find(cfg, s, player, rng, 0)
        cards = left(rng)
        _mix(rng, cards)
        for k in range(min(count, cards)):
            put(s, as_int(rng.sorted[1 + k]), as_int(rng.shuffle_buffer[k]))

    return deals_from_deck


def _finds(field: PlacedField, whole_deck: bool) -> Rule:
    """Notes hidden places, and the cards there, or, of a whole deck, the cards that are seen."""
    size, first, read, lies, hides = field.size, field.first, field.read, field.lies, field.hides

    @rule
    def finds(cfg: Any, s: Any, player: int, rng: Any, count: int) -> int:
        for place in range(size):
            if hides(cfg, s, player, place) and count < SHUFFLE_BUFFER_SIZE:
                rng.shuffle_buffer[count] = as_word(read(s, place))
                rng.sorted[1 + count] = as_word(first + place)
                count += 1
        return count

    if not whole_deck:
        return finds

    @rule
    def finds_and_counts(cfg: Any, s: Any, player: int, rng: Any, count: int) -> int:
        for place in range(size):
            if lies(s, place) and not hides(cfg, s, player, place):
                card = read(s, place)
                if 0 <= card < SHUFFLE_BUFFER_SIZE:
                    rng.bucket[card] += 1
        return finds(cfg, s, player, rng, count)

    return finds_and_counts


def _sequence_of_counts(steps: Sequence[Rule]) -> Rule:
    """Calls rules one after the other, each with the count that the one before it returned."""
    arguments = ("cfg", "s", "player", "rng", "count")
    calls: list[ast.stmt] = [
        ast.Assign([ast.Name("count", ast.Store())], call(f"step{k}", *map(name, arguments))) for k in range(len(steps))
    ]
    body = [*calls, ast.Return(name("count"))]
    return made_rule("find", arguments, body, {f"step{k}": step for k, step in enumerate(steps)})


def _puts(fields: Sequence[PlacedField]) -> Rule:
    """Lays a card at a place of the pool."""
    put = fields[0].write
    for field in fields[1:]:
        put = _puts_behind(field.first, put, field.write)
    return put


def _puts_behind(first: int, before: Rule, write: Rule) -> Rule:
    @rule
    def put(s: Any, place: int, card: int) -> None:
        if place < first:
            before(s, place, card)
        else:
            write(s, place - first, card)

    return put


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


def until_possible(deals: Rule, possible: Rule) -> Rule:
    """Deals until the author's rule says that it can be so: then all deals that can be are equally likely."""

    @rule
    def conceal(cfg: Any, s: Any, player: int, rng: Any) -> None:
        for _ in range(_TRIES):
            deals(cfg, s, player, rng)
            if possible(cfg, s, player):
                return

    return conceal
