"""Derives `observe` and `conceal` from a declaration of what is hidden from whom (`HIDDEN`, see `Secret`)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from playmill.defaults.redeal import CALLED, clears, deals_cards, draws_values, until_possible
from playmill.defaults.secret_fields import (
    Body,
    MaskField,
    PlacedField,
    Rule,
    check_kind,
    each_place,
    element,
    judging_rule,
    made_rule,
)
from playmill.engine.compile.syntax import name
from playmill.engine.contract.secrets import UNKNOWN, DerivedSecrets, Secret
from playmill.engine.lang.rng import SEATS


def derived_module(game: str, own: ModuleType, rules: ModuleType) -> ModuleType:
    """The module `hidden` of a game that declares what is hidden, with all that its author did not write."""
    made = ModuleType(own.__name__, own.__doc__)
    found = derived_secrets(rules.State, own.HIDDEN, own.possible, (rules.MIN_PLAYERS, rules.MAX_PLAYERS))
    vars(made).update(vars(own), secrets=found)
    if own.observe is None:
        fields = {
            key: placed_field(key, rules.State, own.HIDDEN.get(key), game=game) for key in rules.State.names or ()
        }
        for key, secret in own.HIDDEN.items():
            if secret.known is not None:
                fields[secret.known] = MaskField(secret.known, rules.State, of=fields[key])
        names = [f"{key}{list(at) if at else ''}" for key in fields for at in np.ndindex(rules.State[key].shape)]
        vars(made).update(OBSERVATION=len(names), NAMES=tuple(names), observe=_observe(fields.values()))
    if own.conceal is None:
        made.__dict__["conceal"] = found.redeal
    return made


def redeal_rule(state: np.dtype[np.void], declared: Mapping[str, Secret], possible: Rule | None = None) -> Any:
    """A rule `(cfg, s, player, rng)` that deals anew what a seat does not see, for a `conceal` that does more."""
    return derived_secrets(state, declared, possible).redeal


def placed_field(
    key: str, state: np.dtype[np.void], secret: Secret | None, *, first: int = 0, game: str = ""
) -> PlacedField:
    """A field of the state, declared or open."""
    check_kind(key, state[key], game)
    return PlacedField(key, state, secret, first)


def derived_secrets(
    state: np.dtype[np.void],
    declared: Mapping[str, Secret],
    possible: Rule | None = None,
    players: tuple[int, int] = (1, SEATS),
) -> DerivedSecrets:
    """The rules that follow from a declaration."""
    fields: dict[str, PlacedField] = {}
    masks: dict[str, MaskField] = {}
    pools: dict[str, list[PlacedField]] = {}
    body: Body = []
    names: dict[str, Any] = {}
    for key, secret in declared.items():
        of_pool = pools.setdefault(secret.pool, []) if secret.values is None else []
        fields[key] = made = placed_field(key, state, secret, first=sum(one.size for one in of_pool))
        names.update(made.names())
        of_pool.append(made)
        if secret.known is not None:
            masks[secret.known] = MaskField(secret.known, state, of=made)
            body += clears(masks[secret.known])
        if secret.count or secret.taken:
            body += clears(made)
        if secret.values is not None:
            body += draws_values(made, secret.values)
            names.update({f"many_{key}": secret.values} if callable(secret.values) else {})
    for number, of_pool in enumerate(pools.values()):
        deals, called = deals_cards(number, of_pool)
        body += deals
        names.update(called)
    every = made_rule("conceal", ("cfg", "s", "player", "rng"), body, {**CALLED, **names})
    judged, place = ("cfg", "s", "player", "place"), name("place")
    return DerivedSecrets(
        fields=dict(declared),
        redeal=every if possible is None else until_possible(every, possible),
        masks=_masks([*fields.values(), *masks.values()]),
        hides={key: judging_rule("hides", judged, one.hides(place), one.names()) for key, one in fields.items()},
        lies={key: judging_rule("lies", ("s", "place"), one.lies(place), {}) for key, one in fields.items()},
        possible=possible,
        players=players,
    )


def _observe(fields: Iterable[PlacedField]) -> Rule:
    """Writes every number of the state, UNKNOWN for what is hidden."""
    body: Body = []
    names: dict[str, Rule] = {}
    at = 0
    for one in fields:
        index = ast.BinOp(ast.Constant(at), ast.Add(), name("place")) if one.shape else ast.Constant(at)
        body += _shows(one, ast.Subscript(name("out"), index, ast.Store()))
        names.update(one.names())
        at += one.size
    return made_rule("observe", ("cfg", "s", "player", "out"), body, names)


def _masks(fields: Iterable[PlacedField]) -> Rule:
    """Writes what a seat sees of the fields that are declared, and of their masks, into another state."""
    body: Body = []
    names: dict[str, Rule] = {}
    for one in fields:
        body += _shows(one, element(one.key, one.shape, name("place"), ast.Store(), of="shown"))
        names.update(one.names())
    return made_rule("masks", ("cfg", "s", "player", "shown"), body, names)


def _shows(field: PlacedField, cell: ast.expr) -> Body:
    """Writes each number of a field, or what stands for it, into a cell."""
    place = name("place")

    def put(value: ast.expr) -> Body:
        return [ast.Assign([cell], value)]

    shown = put(field.read(place))
    if isinstance(field, MaskField):
        shown = [ast.If(field.hides(place), put(ast.Constant(0)), shown)]
    elif field.secret is not None:
        seen = ast.If(field.sees(place), shown, put(ast.Constant(UNKNOWN)))
        shown = [ast.If(field.lies(place), [seen], put(ast.Constant(field.secret.empty)))]
    is_number = not field.shape and field.secret is None and not isinstance(field, MaskField)
    return shown if is_number else [each_place(field.size, shown)]
