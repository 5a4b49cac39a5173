"""Positions in which a check tries single rules in the interpreter, and positions that look the same to a seat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from playmill.engine.check.findings import SEED, CheckedGame
from playmill.engine.contract.secrets import DerivedSecrets
from playmill.engine.lang.record import RecordArray, plain
from playmill.engine.lang.rng import GameRng
from playmill.engine.lang.rule import interpreted
from playmill.engine.run.stepper import Seen

#: A place of a hidden field: its name, and its index counted row by row.
Place = tuple[str, int]


class Worlds:
    """Asks rules about any position of a game with one config and one number of players, outside of games."""

    def __init__(self, checked: CheckedGame) -> None:
        game = checked.game
        self._config = checked.config.pack(checked.players)
        self._state: RecordArray = np.zeros(1, game.state)
        self._rng: RecordArray = np.zeros(1, GameRng)
        self._legal: RecordArray = np.zeros(1, game.options)
        self._seen: Seen = np.zeros(max(game.observation, 1), np.int32)
        self._size = game.observation
        self._rules = {
            name: interpreted(game.rules[name]) for name in ("legal_actions", "apply_action", "observe", "conceal")
        }
        self.draws = np.random.default_rng(SEED)

    @cached_property
    def cfg(self) -> Any:
        """The config, as rules see it."""
        return plain(self._config)[0]

    @cached_property
    def _records(self) -> tuple[Any, Any, Any, Any]:
        """Position, random streams, options and observation, as rules see them."""
        return plain(self._state)[0], plain(self._rng)[0], plain(self._legal)[0], plain(self._seen)

    def words(self) -> Any:
        """Fresh states of all random streams."""
        return self.draws.integers(0, 2**64, self._rng["stream"].size, np.uint64)

    def options(self, record: np.void) -> list[int]:
        """What the player to move may do."""
        s, _, legal, _ = self._records
        self._state[0] = record
        count = self._rules["legal_actions"](self.cfg, s, legal)
        options: list[int] = self._legal["ids"][0][:count].tolist()
        return options

    def after(self, record: np.void, action: int, words: Any) -> np.void:
        """The position after one of the options, with these states of the random streams."""
        s, rng, _, _ = self._records
        self._state[0] = record
        self._rng["stream"][0] = words
        self._rules["apply_action"](self.cfg, s, action, rng)
        return _copied(self._state)

    def after_if_offered(self, record: np.void, action: int, words: Any) -> np.void | None:
        """The position after an action; None if it is not offered."""
        return self.after(record, action, words) if action in self.options(record) else None

    def concealed(self, record: np.void, player: int, seed: int) -> np.void:
        """The position with what a seat cannot know dealt anew."""
        s, rng, _, _ = self._records
        self._state[0] = record
        self._rng["stream"][0, 0] = np.uint64(seed)
        self._rules["conceal"](self.cfg, s, player, rng)
        return _copied(self._state)

    def seen(self, record: np.void, player: int) -> Seen:
        """What a seat observes."""
        s, _, _, seen = self._records
        self._state[0] = record
        self._seen[:] = 0
        self._rules["observe"](self.cfg, s, player, seen)
        return self._seen[: self._size].copy()


@dataclass
class _Pool:
    """Hidden places of a pool, what lies there, and its cards that lie in no field."""

    places: list[Place] = field(default_factory=list)
    cards: list[int] = field(default_factory=list)
    elsewhere: list[int] = field(default_factory=list)


class AlikeWorlds:
    """Positions that look to a seat as a true one does, by what a game declares as hidden.

    Some hidden things stay the true ones in each: then more of them still look the same after an action.
    """

    def __init__(self, worlds: Worlds, secrets: DerivedSecrets, record: np.void, player: int) -> None:
        self._worlds, self._secrets, self._record, self._player = worlds, secrets, record, player
        self._world = as_array(record)
        self._cells = {name: self._world[name].reshape(-1) for name in secrets.fields}
        self._pools: dict[str, _Pool] = {}
        self._numbers: list[Place] = []
        for name, places in secrets.hidden_places(worlds.cfg, self._world, player).items():
            secret = secrets.fields[name]
            if secret.values is not None:
                self._numbers += [(name, place) for place in places]
                continue
            pool = self._pools.setdefault(secret.pool, _Pool())
            pool.places += [(name, place) for place in places]
            pool.cards += self._cells[name][places].tolist()
            if secret.copies is not None:
                pool.elsewhere = _elsewhere(secrets, secret.pool, secret.copies, self._world)
        shown = secrets.mask(worlds.cfg, record, player)
        masks = [secret.known for secret in secrets.fields.values() if secret.known is not None]
        #: Masks that the seat does not see.
        self._masks = [
            (self._world[mask].reshape(-1), place)
            for mask in masks
            for place in np.flatnonzero(record[mask] != shown[mask]).tolist()
        ]

    def draw(self, kept: float) -> np.void | None:
        """One of them, in which each hidden thing is with this probability the true one; None if it cannot be."""
        draws = self._worlds.draws
        self._world[0] = self._record
        for pool in self._pools.values():
            moved = np.flatnonzero(draws.random(len(pool.places)) >= kept).tolist()
            cards = draws.permutation([*(pool.cards[k] for k in moved), *pool.elsewhere]).tolist()
            for k, card in zip(moved, cards, strict=False):
                name, place = pool.places[k]
                self._cells[name][place] = card
        for name, place in self._numbers:
            if draws.random() >= kept:
                self._cells[name][place] = self._number(name)
        for masks, place in self._masks:
            masks[place] *= draws.random() < kept
        possible = self._secrets.possible
        if possible is not None and not interpreted(possible)(self._worlds.cfg, plain(self._world)[0], self._player):
            return None
        return _copied(self._world)

    def _number(self, name: str) -> int:
        """One of the numbers that a field may hold which is no card."""
        values = self._secrets.fields[name].values
        if callable(values):
            values = int(interpreted(values)(self._worlds.cfg, plain(self._world)[0]))
        choice = values if isinstance(values, range) else range(values or 0)
        return choice[self._worlds.draws.integers(len(choice))]


def _elsewhere(secrets: DerivedSecrets, pool: str, copies: Sequence[int], record: RecordArray) -> list[int]:
    """The cards of a pool that lie in no field."""
    lying: Counter[int] = Counter()
    s = plain(record)[0]
    for name, secret in secrets.fields.items():
        if secret.pool == pool and secret.values is None:
            lies = interpreted(secrets.lies[name])
            lying.update(card for place, card in enumerate(record[name].reshape(-1).tolist()) if lies(s, place))
    return [card for card, count in enumerate(copies) for _ in range(count - lying[card])]


def _copied(records: RecordArray) -> np.void:
    """A copy of the only record of an array."""
    record: np.void = records[0].copy()
    return record


def as_array(record: np.void) -> RecordArray:
    """A copy of a record as an array of one."""
    found: RecordArray = np.zeros(1, record.dtype)
    found[0] = record
    return found


def place_text(record: np.void, name: str, place: int) -> str:
    """A place of a field as rules write it: `hand[1, 0]`."""
    shape = record[name].shape
    return f"{name}{[int(one) for one in np.unravel_index(place, shape)]}" if shape else name
