"""Derives `observe` and `conceal` from a declaration of what is hidden from whom (`HIDDEN`, see `Secret`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from playmill.defaults.redeal import clears, deals_cards, draws_values, until_possible
from playmill.defaults.secret_fields import PlacedField, Rule, mask_field, placed_field, sequence
from playmill.engine.contract.secrets import UNKNOWN, DerivedSecrets, Secret
from playmill.engine.lang.rng import SEATS
from playmill.engine.lang.rule import rule


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
                fields[secret.known] = mask_field(secret.known, rules.State, fields[key])
        names = [f"{key}{list(at) if at else ''}" for key in fields for at in np.ndindex(rules.State[key].shape)]
        vars(made).update(OBSERVATION=len(names), NAMES=tuple(names), observe=_observe(fields.values()))
    if own.conceal is None:
        made.__dict__["conceal"] = found.redeal
    return made


def redeal_rule(state: np.dtype[np.void], declared: Mapping[str, Secret], possible: Rule | None = None) -> Any:
    """A rule `(cfg, s, player, rng)` that deals anew what a seat does not see, for a `conceal` that does more."""
    return derived_secrets(state, declared, possible).redeal


def derived_secrets(
    state: np.dtype[np.void],
    declared: Mapping[str, Secret],
    possible: Rule | None = None,
    players: tuple[int, int] = (1, SEATS),
) -> DerivedSecrets:
    """The rules that follow from a declaration."""
    fields: dict[str, PlacedField] = {}
    masks: dict[str, PlacedField] = {}
    pools: dict[str, list[PlacedField]] = {}
    steps = []
    for key, secret in declared.items():
        of_pool = pools.setdefault(secret.pool, []) if secret.values is None else []
        fields[key] = made = placed_field(key, state, secret, first=sum(one.size for one in of_pool))
        of_pool.append(made)
        if secret.known is not None:
            masks[secret.known] = mask_field(secret.known, state, made)
            steps.append(clears(masks[secret.known]))
        if secret.count or secret.taken:
            steps.append(clears(made))
        if secret.values is not None:
            steps.append(draws_values(made, secret.values))
    steps += [deals_cards(of_pool) for of_pool in pools.values()]
    every = sequence("conceal", ("cfg", "s", "player", "rng"), steps)
    return DerivedSecrets(
        fields=dict(declared),
        redeal=every if possible is None else until_possible(every, possible),
        hides={key: one.hides for key, one in fields.items()},
        hides_mask={key: one.hides for key, one in masks.items()},
        lies={key: one.lies for key, one in fields.items()},
        possible=possible,
        players=players,
    )


def _observe(fields: Iterable[PlacedField]) -> Rule:
    """Writes every number of the state, UNKNOWN for what is hidden."""
    steps, at = [], 0
    for one in fields:
        steps.append(_shows(one, at))
        at += one.size
    return sequence("observe", ("cfg", "s", "player", "out"), steps)


def _shows(field: PlacedField, at: int) -> Rule:
    size, read, lies, hides = field.size, field.read, field.lies, field.hides
    if field.is_open:

        @rule
        def shows_all(cfg: Any, s: Any, player: int, out: Any) -> None:
            for place in range(size):
                out[at + place] = read(s, place)

        return shows_all
    empty, hidden = (0, 0) if field.secret is None else (field.secret.empty, UNKNOWN)

    @rule
    def shows(cfg: Any, s: Any, player: int, out: Any) -> None:
        for place in range(size):
            if hides(cfg, s, player, place):
                out[at + place] = hidden
            else:
                out[at + place] = read(s, place) if lies(s, place) else empty

    return shows
