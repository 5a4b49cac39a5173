"""Declaration of hidden information: which fields of a state are hidden from whom (`HIDDEN` of hidden.py).

`playmill.defaults.secrets` derives the rules from it: what a seat sees, and what is dealt anew where it does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from types import ModuleType
from typing import Any, Literal

import numpy as np

from playmill.engine.config.model import RuleConfig
from playmill.engine.contract.agent import RuleFunction
from playmill.engine.errors.located import at_name
from playmill.engine.lang.record import RecordArray, plain
from playmill.engine.lang.rng import SHUFFLE_BUFFER_SIZE
from playmill.engine.lang.rule import SPECTATOR, interpreted, is_rule
from playmill.texts import PlaymillError, Text, near_to

#: Stands for a hidden number in an observation, and in states that words and pictures get.
UNKNOWN = -2

_SEEN_BY = ("nobody", "owner", "everybody")


@dataclass(frozen=True)
class Secret:
    """Who sees a field of the state, and how it is dealt anew for the others.

    `seen_by`: "nobody"; "owner", the seat that is its first index; "everybody"; or a rule `(cfg, s, player, *place)`
    that tells whether a seat (-1: a spectator) sees one place of it.
    """

    seen_by: Literal["nobody", "owner", "everybody"] | RuleFunction = "nobody"
    _: KW_ONLY
    #: Name of a field with masks: bit 1 << seat is set once that seat has seen the place, or the row, of its index.
    #: Whoever sees a place sees who else has seen it; to all others its mask is 0.
    known: str | None = None
    #: A rule `(cfg, s)`: whether everybody sees all of it now.
    open: RuleFunction | None = None
    #: Name of a field that says how many places of a row hold something; what lies behind them is nothing.
    count: str | None = None
    #: Name of a field that says how many places at the front of a row have been taken; what lies there is nothing.
    taken: str | None = None
    #: The number at a place that holds nothing, which everybody sees.
    empty: int = -1
    #: For what is no card: it is any of 0 … n - 1, or of a range, or of as many as a rule `(cfg, s)` says.
    values: int | range | RuleFunction | None = None
    #: Cards of one pool may lie in any of its places.
    pool: str = "cards"
    #: All cards of the pool, where some of them lie in no field: how many there are, or how many of each.
    deck: int | Sequence[int] | None = None

    @property
    def copies(self) -> tuple[int, ...] | None:
        """How many there are of each card, if the whole deck is declared."""
        if self.deck is None:
            return None
        return (1,) * self.deck if isinstance(self.deck, int) else tuple(map(int, self.deck))


@dataclass(frozen=True, eq=False)
class DerivedSecrets:
    """What is derived from a declaration: rules, and the same for records of NumPy."""

    fields: Mapping[str, Secret]
    #: `(cfg, s, player, rng)`: deals anew what that seat does not see.
    redeal: RuleFunction
    #: `(cfg, s, player, shown)`: writes what that seat sees of the fields, and of their masks, into another state.
    masks: RuleFunction
    #: By field, `(cfg, s, player, place)`: whether something lies at a place, counted row by row, that is hidden.
    hides: Mapping[str, RuleFunction]
    #: By field, `(s, place)`: whether something lies there.
    lies: Mapping[str, RuleFunction]
    possible: RuleFunction | None
    #: The fewest and the most players of the game.
    players: tuple[int, int]

    def masked(self, config: RuleConfig, s: np.void, player: int | None) -> np.void:
        """A copy of a state in which UNKNOWN stands for all that a seat, or a spectator, does not see."""
        return self.mask(plain(config.pack(self._players_in(s)))[0], s, SPECTATOR if player is None else player)

    def mask(self, cfg: Any, s: np.void, player: int) -> np.void:
        """The same, given the record of the config."""
        records: RecordArray = np.zeros(2, s.dtype)
        records[:] = s
        both = plain(records)
        interpreted(self.masks)(cfg, both[0], player, both[1])
        shown: np.void = records[1]
        return shown

    def hidden_places(self, cfg: Any, record: RecordArray, player: int) -> dict[str, list[int]]:
        """Places of each field, counted row by row, where something lies that a seat does not see."""
        s, found = plain(record)[0], {}
        for name, rule in self.hides.items():
            hides = interpreted(rule)
            found[name] = [place for place in range(record[name].size) if hides(cfg, s, player, place)]
        return found

    def _players_in(self, s: np.void) -> int:
        """How many play, as far as a state can tell; else the most."""
        least, most = self.players
        return int(s["players"]) if least < most and "players" in (s.dtype.names or ()) else most


def check_declaration(hidden: ModuleType, rules: ModuleType) -> None:
    """Raises at the first thing in `HIDDEN` that the state of a game does not bear out."""
    state, declared = rules.State, hidden.HIDDEN
    if not isinstance(declared, Mapping) or not declared:
        raise _mistake(
            hidden,
            Text(
                'HIDDEN is a dictionary from fields of the state to who sees them: HIDDEN = {"hand": Secret("owner")}',
                'HIDDEN — словарь: поле состояния и кто его видит: HIDDEN = {"hand": Secret("owner")}',
            ),
        )
    masks: set[str] = set()
    for name, secret in declared.items():
        if not isinstance(secret, Secret):
            raise _mistake(
                hidden,
                Text(
                    f'{name!r} of HIDDEN is {secret!r}, and must be a Secret: {name!r}: Secret("owner")',
                    f'{name!r} в HIDDEN — это {secret!r}, а нужен Secret: {name!r}: Secret("owner")',
                ),
            )
        kind = _field(hidden, state, name, "HIDDEN")
        _check_rules(hidden, name, secret)
        if secret.seen_by == "owner" and (not kind.shape or kind.shape[0] < rules.MAX_PLAYERS):
            raise _mistake(
                hidden,
                Text(
                    f"{name!r} is seen by its owner, the seat of its first index, and has no room for"
                    f" {rules.MAX_PLAYERS} seats: its shape is {kind.shape}",
                    f"поле {name!r} видит его хозяин, место по первому индексу, а на {rules.MAX_PLAYERS} мест в нём не"
                    f" хватит: размеры — {kind.shape}",
                ),
            )
        if secret.known is not None:
            _check_shape(hidden, state, name, "known", secret.known, kind.shape)
            if secret.known in declared or secret.known in masks:
                raise _mistake(
                    hidden,
                    Text(
                        f"{name!r}: known={secret.known!r} is a field of masks for {name!r} alone: neither hidden"
                        " itself nor shared",
                        f"{name!r}: known={secret.known!r} — поле масок только для {name!r}: само не скрыто и ни с чем"
                        " не общее",
                    ),
                )
            masks.add(secret.known)
        for option, other in (("count", secret.count), ("taken", secret.taken)):
            if other is not None:
                _check_shape(hidden, state, name, option, other, kind.shape[:-1], whole=True)
        if UNKNOWN in (secret.empty, *_least_value(secret)):
            raise _mistake(
                hidden,
                Text(
                    f"{name!r}: {UNKNOWN} stands for what is unknown, and cannot be a value or `empty`",
                    f"{name!r}: число {UNKNOWN} означает неизвестное и не может быть значением или `empty`",
                ),
            )
    _check_decks(hidden, declared)


def _least_value(secret: Secret) -> tuple[int, ...]:
    return tuple(secret.values) if isinstance(secret.values, range) else ()


def _mistake(hidden: ModuleType, message: Text) -> PlaymillError:
    return at_name(hidden, "HIDDEN", message)


def _field(hidden: ModuleType, state: np.dtype[np.void], name: str, where: str) -> np.dtype[Any]:
    """The type of a field that is named in a declaration: whole numbers with a sign."""
    names = state.names or ()
    if name not in names:
        near = near_to(str(name), names)
        raise _mistake(
            hidden,
            Text(
                f"{where} names {name!r}, and the state has no such field{near.en}",
                f"{where} называет {name!r}, а такого поля в состоянии нет{near.ru}",
            ),
        )
    kind = state[name]
    if kind.base.kind != "i" or kind.base.itemsize > 4:
        raise _mistake(
            hidden,
            Text(
                f"the field {name!r} is of the type {kind.base}; hidden things are whole numbers with a sign: np.int8,"
                " np.int16 or np.int32",
                f"поле {name!r} — типа {kind.base}; скрытое — целые числа со знаком: np.int8, np.int16 или np.int32",
            ),
        )
    return kind


def _check_shape(
    hidden: ModuleType,
    state: np.dtype[np.void],
    name: str,
    option: str,
    other: str,
    shape: tuple[int, ...],
    *,
    whole: bool = False,
) -> None:
    """Raises unless a field has an index for each row of another one, or for each place."""
    found = _field(hidden, state, other, f"{option} of {name!r}").shape
    if found != shape if whole else found != shape[: len(found)]:
        raise _mistake(
            hidden,
            Text(
                f"{name!r}: {option}={other!r} is read at the index of its {'row' if whole else 'place or row'}, so its"
                f" shape must be {shape if whole else 'a beginning of ' + str(shape)}, and is {found}",
                f"{name!r}: {option}={other!r} читается по индексу {'ряда' if whole else 'места или ряда'}, поэтому"
                f" размеры должны быть {shape if whole else 'началом ' + str(shape)}, а они {found}",
            ),
        )


def _check_rules(hidden: ModuleType, name: str, secret: Secret) -> None:
    if isinstance(secret.seen_by, str) and secret.seen_by not in _SEEN_BY:
        known = ", ".join(f'"{one}"' for one in _SEEN_BY)
        raise _mistake(
            hidden,
            Text(
                f"{name!r} is seen by {secret.seen_by!r}; write {known}, or a rule (cfg, s, player, place)",
                f"{name!r} видит {secret.seen_by!r}; напишите {known} или правило (cfg, s, player, place)",
            ),
        )
    for option in ("seen_by", "open", "values"):
        value = getattr(secret, option)
        if value is not None and not isinstance(value, str | int | range) and not is_rule(value):
            given = getattr(value, "__name__", repr(value))
            raise _mistake(
                hidden,
                Text(
                    f"{option} of {name!r} is {given}, and must be a rule: put @rule above the function",
                    f"{option} у {name!r} — это {given}, а нужно правило: поставьте @rule над функцией",
                ),
            )


def _check_decks(hidden: ModuleType, declared: Mapping[str, Secret]) -> None:
    """Raises if two fields of a pool say different things of its deck, or if it cannot be redealt."""
    decks: dict[str, tuple[int, ...]] = {}
    for name, secret in declared.items():
        copies = secret.copies
        if copies is None:
            continue
        if min(copies, default=0) < 0 or not 1 <= sum(copies) <= SHUFFLE_BUFFER_SIZE:
            raise _mistake(
                hidden,
                Text(
                    f"the deck of {name!r} has {sum(copies)} cards; a deck has 1 … {SHUFFLE_BUFFER_SIZE}",
                    f"в колоде {name!r} карт: {sum(copies)}; бывает от 1 до {SHUFFLE_BUFFER_SIZE}",
                ),
            )
        if decks.setdefault(secret.pool, copies) != copies:
            raise _mistake(
                hidden,
                Text(
                    f"the pool {secret.pool!r} has two different decks; state it once",
                    f"у набора {secret.pool!r} две разные колоды; достаточно указать её один раз",
                ),
            )
