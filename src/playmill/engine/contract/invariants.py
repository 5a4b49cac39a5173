"""Invariants of a game: named rules that hold in every position, or from each position to the next.

An author composes them in `invariants.py` from the functions here, which `playmill.author.invariants` offers. They are
plain Python over the record of a state; nothing of them is compiled.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.errors.located import at_name
from playmill.texts import PlaymillError, Text, as_text, near_to

#: A number: itself, the name of a setting or of a field of the state, or a function of config and state.
Number = int | str | Callable[[Any, Any], int]
#: What is wrong in a position, given the one before it (None where the game begins), or None if nothing is.
Wrong = Callable[[RuleConfig, np.void | None, np.void], Text | None]
#: So many numbers of a violation are listed.
_LISTED = 6


@dataclass(frozen=True)
class Pile:
    """Where cards lie: a field whose numbers are cards.

    `start` and `size` bound the places that count, in the last dimension of the field: from place `start` (0 without
    it) to before place `size` (the end without it); a field of them has a number for each row. `empty` is a number that
    is no card. With `counted`, place k of the last dimension tells how many cards k there are.
    """

    field: str
    size: Number | None = None
    start: Number | None = None
    empty: int | None = None
    counted: bool = False

    def cards(self, config: RuleConfig, s: Any) -> Counter[int]:
        """How many of each card lie here."""
        values = np.atleast_1d(s[self.field])
        rows = values.reshape(-1, values.shape[-1])
        if self.counted:
            return Counter({card: n for card, n in enumerate(rows.sum(axis=0).tolist()) if n})
        if self.start is None and self.size is None:
            found = Counter(rows.reshape(-1).tolist())
        else:
            starts, ends = (
                np.broadcast_to(np.ravel(_field_or_number(config, s, given, other)), len(rows)).tolist()
                for given, other in ((self.start, 0), (self.size, rows.shape[1]))
            )
            found = Counter(card for row, a, b in zip(rows.tolist(), starts, ends, strict=True) for card in row[a:b])
        if self.empty is not None:
            del found[self.empty]
        return found


#: Where cards lie: a pile, a field all of whose numbers are cards, or a function of config and state that lists them.
Cards = Pile | str | Callable[[Any, Any], Iterable[int]]


@dataclass(frozen=True)
class Invariant:
    """A rule with a name that must hold in every position."""

    name: Text
    wrong: Wrong
    #: Names that it reads: fields of the state, or settings.
    names: tuple[str, ...] = ()
    #: What it declares the numbers of a field to be, and where cards lie: for what never happens (see `coverage.py`).
    bounds: tuple[str, Number, Number] | None = None
    piles: tuple[Cards, ...] = ()
    cards: Any = field(default=None, compare=False)


def holds(name: Text | str, rule: Callable[[Any, Any], Any]) -> Invariant:
    """An invariant of your own: `rule(config, s)` is true, or returns a text that says what is wrong."""
    return Invariant(as_text(name), lambda config, before, s: _answer(rule(config, s)))


def step_holds(name: Text | str, rule: Callable[[Any, Any, Any], Any], *, each: str | None = None) -> Invariant:
    """The same from one position to the next: `rule(config, before, after)`."""
    return _step(name, each, (), lambda config, before, s: _answer(rule(config, before, s)))


def cards_conserved(name: Text | str, *piles: Cards, cards: Any = None, each: str | None = None) -> Invariant:
    """All piles together hold the same cards in every position: none is lost, none is there twice.

    `cards` says which: a list with every card as often as there is one, a dictionary of how many, or a function of
    config and state that gives either. Without it they are those that `setup` dealt; with `each`, dealt anew whenever
    that field changes.
    """

    def wrong(config: RuleConfig, before: np.void | None, s: np.void) -> Text | None:
        there = _cards_in_all(config, s, piles)
        if cards is not None:
            return _unlike(there, Counter(cards(config, s) if callable(cards) else cards))
        was = _cards_in_all(config, before, piles) if before is not None and _same(each, before, s) else there
        return _unlike(there, was)

    return Invariant(
        as_text(name), wrong, (*_names(*piles), *_given(each)), piles=tuple(piles), cards=cards if cards else None
    )


def different(name: Text | str, *piles: Cards) -> Invariant:
    """No card lies in two places."""

    def wrong(config: RuleConfig, before: np.void | None, s: np.void) -> Text | None:
        there = _cards_in_all(config, s, piles)
        twice = {card: n for card, n in sorted(there.items()) if n > 1}
        listed = ", ".join(f"{card} × {n}" for card, n in [*twice.items()][:_LISTED])
        return Text(f"there twice or more: {listed}", f"повторяются: {listed}") if twice else None

    return Invariant(as_text(name), wrong, _names(*piles), piles=tuple(piles))


def total_conserved(name: Text | str, *fields: str, equals: Number | None = None, each: str | None = None) -> Invariant:
    """The sum of all numbers of these fields stays the same, or is always `equals`."""

    def wrong(config: RuleConfig, before: np.void | None, s: np.void) -> Text | None:
        now = _total(s, fields)
        if equals is not None:
            wanted = number_of(config, s, equals)
        elif before is not None and _same(each, before, s):
            wanted = _total(before, fields)
        else:
            return None
        return None if now == wanted else _instead(fields, now, wanted)

    return Invariant(as_text(name), wrong, (*fields, *_names(equals), *_given(each)))


def never_grows(name: Text | str, *fields: str, each: str | None = None) -> Invariant:
    """The sum of all numbers of these fields never becomes more, as long as the field `each` stays the same."""

    def wrong(config: RuleConfig, before: np.void, s: np.void) -> Text | None:
        was, now = _total(before, fields), _total(s, fields)
        return None if now <= was else _instead(fields, now, was)

    return _step(name, each, fields, wrong)


def never_shrinks(name: Text | str, *fields: str, each: str | None = None) -> Invariant:
    """No single number of these fields ever becomes less, as long as the field `each` stays the same."""

    def wrong(config: RuleConfig, before: np.void, s: np.void) -> Text | None:
        less = [change for change in changes(before, s, fields) if change.now < change.was]
        return _listed(less)

    return _step(name, each, fields, wrong)


def stays(name: Text | str, field: str, value: int, *, each: str | None = None) -> Invariant:
    """A place of this field that has this value keeps it: who is out stays out, as long as `each` stays the same."""

    def wrong(config: RuleConfig, before: np.void, s: np.void) -> Text | None:
        return _listed([change for change in changes(before, s, (field,)) if change.was == value])

    return _step(name, each, (field,), wrong)


def within(name: Text | str, field: str, low: Number, high: Number) -> Invariant:
    """Every number of this field lies between two bounds, which may come from a setting or from other fields."""

    def wrong(config: RuleConfig, before: np.void | None, s: np.void) -> Text | None:
        values = np.atleast_1d(s[field])
        least, most = number_of(config, s, low), number_of(config, s, high)
        bad = (values < least) | (values > most)
        if not bad.any():
            return None
        first = tuple(np.argwhere(bad)[0])
        found = f"{_place(field, first, s)} = {values[first]}"
        bounds = f"{least} … {most}"
        return Text(f"{found}, and it must lie in {bounds}", f"{found}, а должно быть в {bounds}")

    names = (field, *_names(low, high))
    return Invariant(as_text(name), wrong, names, bounds=(field, low, high))


def exactly_one(name: Text | str, *parts: str | Callable[[Any, Any], Any], value: int = 1) -> Invariant:
    """Exactly one of these is so: a place of a field that has this value, or a function of config and state."""

    def wrong(config: RuleConfig, before: np.void | None, s: np.void) -> Text | None:
        n = sum(
            int(np.count_nonzero(np.asarray(s[part]) == value)) if isinstance(part, str) else bool(part(config, s))
            for part in parts
        )
        return None if n == 1 else Text(f"{n} instead of 1", f"{n} вместо 1")

    return Invariant(as_text(name), wrong, _names(*parts))


@dataclass(frozen=True)
class Change:
    """One number of a state that an action changed."""

    place: str
    was: int
    now: int

    def __str__(self) -> str:
        return f"{self.place} {self.was} → {self.now}"


def changes(before: np.void, after: np.void, fields: Sequence[str] | None = None) -> Iterator[Change]:
    """What differs between two states, number by number."""
    for name in fields if fields is not None else before.dtype.names or ():
        one, other = np.asarray(before[name]), np.asarray(after[name])
        if one.dtype.names:
            continue
        differ = np.atleast_1d(one != other)
        for place in map(tuple, np.argwhere(differ)) if differ.any() else ():
            was, now = np.atleast_1d(one)[place], np.atleast_1d(other)[place]
            yield Change(_place(name, place, before), was.item(), now.item())


def check_invariants(module: ModuleType, state: np.dtype[np.void], config: type[RuleConfig]) -> None:
    """Raises unless INVARIANTS are invariants, with names of their own, over fields and settings that there are."""
    made = module.INVARIANTS
    if isinstance(made, Mapping | str) or not isinstance(made, Iterable):
        made = (None,)
    module.__dict__["INVARIANTS"] = made = tuple(made)
    for one in made:
        if not isinstance(one, Invariant):
            message = Text(
                "INVARIANTS is a tuple of what the functions of playmill.author.invariants make: (within(…), …)",
                "INVARIANTS — кортеж из того, что дают функции playmill.author.invariants: (within(…), …)",
            )
            raise at_name(module, "INVARIANTS", message)
        known = {*(state.names or ()), *config.model_fields}
        for name in one.names:
            if name.partition(".")[0] not in known:
                near = near_to(name, known)
                message = Text(
                    f"the invariant {one.name.en!r} reads {name!r}, and there is no such field of State, nor a"
                    f" setting{near.en}",
                    f"инвариант {one.name.ru!r} читает {name!r}, а такого поля в State нет, настройки тоже{near.ru}",
                )
                raise at_name(module, "INVARIANTS", message)
    twice = [name for name, n in Counter(one.name for one in made).items() if n > 1]
    if twice:
        message = Text(
            f"two invariants are called {twice[0].en!r}; each has a name of its own",
            f"два инварианта зовутся {twice[0].ru!r}; у каждого должно быть своё имя",
        )
        raise at_name(module, "INVARIANTS", message)


def cards_in(config: RuleConfig, s: Any, pile: Cards) -> Counter[int]:
    """How many of each card lie in a pile."""
    if isinstance(pile, str):
        pile = Pile(pile)
    return pile.cards(config, s) if isinstance(pile, Pile) else Counter(int(card) for card in pile(config, s))


def _cards_in_all(config: RuleConfig, s: Any, piles: Sequence[Cards]) -> Counter[int]:
    """How many of each card lie in some piles together; none is not listed."""
    found: Counter[int] = Counter()
    for pile in piles:
        found.update(cards_in(config, s, pile))
    return found


def number_of(config: RuleConfig, s: Any, given: Number) -> int:
    """A number that an invariant was given; a name is that of a setting, or else of a field."""
    if given.__class__ is int:  # most often, and in every position
        return given
    value: Any = given
    if isinstance(given, str):
        value = config
        for step in given.split("."):
            value = getattr(value, step, None)
        value = value if value is not None or given not in (s.dtype.names or ()) else s[given]
    elif callable(given):
        value = given(config, s)
    if np.ndim(value) or not np.issubdtype(np.asarray(value).dtype, np.number):
        raise PlaymillError(
            f"an invariant takes {given!r} for a number, and it is {value!r}",
            f"инвариант принимает {given!r} за число, а это {value!r}",
        )
    return int(value)


def _field_or_number(config: RuleConfig, s: Any, given: Number | None, otherwise: int) -> Any:
    """A number for each row of a pile, by a field, or one for all of them."""
    if given is None:
        return otherwise
    if isinstance(given, str) and given in (s.dtype.names or ()):
        return s[given]
    return number_of(config, s, given)


def _names(*given: object) -> tuple[str, ...]:
    """Names of fields and settings among what an invariant was given."""
    found: list[str] = []
    for one in given:
        if isinstance(one, Pile):
            found += [one.field, *_names(one.size, one.start)]
        elif isinstance(one, str):
            found.append(one)
    return tuple(found)


def _given(each: str | None) -> tuple[str, ...]:
    return (each,) if each else ()


def _same(each: str | None, before: np.void, s: np.void) -> bool:
    """Whether two positions belong to the same round, or whatever `each` counts."""
    return each is None or bool(np.array_equal(before[each], s[each]))


def _step(
    name: Text | str,
    each: str | None,
    fields: Sequence[str],
    wrong: Callable[[RuleConfig, np.void, np.void], Text | None],
) -> Invariant:
    """An invariant of two positions that follow each other."""

    def judged(config: RuleConfig, before: np.void | None, s: np.void) -> Text | None:
        return None if before is None or not _same(each, before, s) else wrong(config, before, s)

    return Invariant(as_text(name), judged, (*fields, *_given(each)))


def _answer(answer: Any) -> Text | None:
    """What a rule of an author's own says: true is right, a text is what is wrong."""
    if isinstance(answer, str | Text):
        return as_text(answer)
    return None if answer else Text("it does not hold", "не выполнено")


def _total(s: np.void, fields: Sequence[str]) -> int:
    return sum(int(np.asarray(s[name], np.int64).sum()) for name in fields)


def _instead(fields: Sequence[str], now: int, wanted: int) -> Text:
    what = " + ".join(fields)
    return Text(f"{what} = {now} instead of {wanted}", f"{what} = {now} вместо {wanted}")


def _listed(found: Sequence[Change]) -> Text | None:
    if not found:
        return None
    text = ", ".join(map(str, found[:_LISTED])) + (", …" if len(found) > _LISTED else "")
    return Text(text, text)


def _unlike(there: Counter[int], wanted: Counter[int]) -> Text | None:
    """What two collections of cards differ in."""
    if there == wanted:
        return None
    cards = sorted(card for card in there | wanted if there[card] != wanted[card])[:_LISTED]
    en = ", ".join(f"card {card}: {there[card]} instead of {wanted[card]}" for card in cards)
    ru = ", ".join(f"карта {card}: {there[card]} вместо {wanted[card]}" for card in cards)
    n, should = there.total(), wanted.total()
    return Text(f"{en} ({n} cards in all instead of {should})", f"{ru} (всего карт {n} вместо {should})")


def _place(name: str, place: tuple[int, ...], s: np.void) -> str:
    """A number of a state as rules write it."""
    return f"{name}[{', '.join(map(str, place))}]" if s.dtype[name].shape else name
