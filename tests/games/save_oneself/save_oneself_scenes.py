"""Positions of Save Oneself for tests: games played by the interpreter, and islands set up by hand.

An island by hand is written row by row with the ids of the sides that are up, `-` for an empty cell; a star marks where
the player stands. Its first cell is D4, where every game
begins, unless `at` says otherwise.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np

from playmill.engine.record import plain
from playmill.engine.rng import Luck, seed_luck
from playmill.engine.rule import interpreted
from playmill.games.save_oneself import hidden, rules
from playmill.games.save_oneself.actions import SKIP, TURN
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.ship import open_room, ship_comes
from playmill.games.save_oneself.tables import CARD_IDS, CARDS, CORNERS, FRONT, NO_SHIP, SIDE_IDS, STRIDE

LEGAL = np.dtype([("ids", np.int32, (rules.MAX_LEGAL,))])
DEFAULT = Config()
#: Many moves, many lives, an early tornado, a card that costs more: so that everything comes to pass.
LONG = Config.read({"lives": 40, "moves": 2, "tornado_at": 6, "cards": {"flint": {"lives": -1}, "hook": {"lives": 12}}})
Step = tuple[np.void, list[int], int, np.void]


def set_up(
    text: str,
    *,
    config: Config = DEFAULT,
    at: tuple[int, int] = (3, 3),
    turning: bool = False,
    ship: str = "",
    ship_at: tuple[int, int] | None = None,
    waiting: bool = False,
    deck: Sequence[str] = (),
    **changes: Any,
) -> np.void:
    """A state with these cards; `ship` is the corner of one that came now and has since sailed to `ship_at`."""
    state = np.zeros(1, rules.State)
    s, cfg = plain(state)[0], plain(config.pack(1))[0]
    s.lives, s.rounds, s.ship, s.moves = config.lives, 1, NO_SHIP, config.moves
    laid = []
    for row, line in enumerate(text.strip().splitlines(), at[0]):
        for column, found in enumerate(line.split(), at[1]):
            if found == "-":
                continue
            side, cell = SIDE_IDS.index(found.rstrip("*")), STRIDE * row + column
            _lay(s, side, cell, first=not laid)
            laid.append(side % CARDS)
            if found.endswith("*"):
                s.here = cell
    top = [CARD_IDS.index(card) for card in deck]
    rest = [card for card in range(CARDS) if card not in laid and card not in top]
    for place, card in enumerate([*laid, *top, *rest]):
        s.deck[place] = card
    s.placed = len(laid)
    interpreted(open_room)(s)
    if ship:
        interpreted(ship_comes)(s, CORNERS.index(ship))
        s.waiting = int(waiting)
        if ship_at:
            s.ship_row, s.ship_column = ship_at
    for name, value in changes.items():
        setattr(s, name, value)
    s.phase = rules.TURNING if turning else rules.MOVING
    if s.player == 0:
        assert interpreted(rules._offer_turns)(cfg, s) if turning else interpreted(rules._offer_moves)(s)
    return _copy(state)


def _lay(s: Any, side: int, cell: int, *, first: bool) -> None:
    card, row, column = side % CARDS, *divmod(cell, STRIDE)
    s.sides |= 1 << side
    s.field |= 1 << cell
    s.cell[card], s.card[cell] = cell, card
    if side >= FRONT:
        s.overturned |= 1 << card
    if first:
        s.here, s.north, s.south, s.west, s.east = cell, row, row, column, column
    s.north, s.south = min(s.north, row), max(s.south, row)
    s.west, s.east = min(s.west, column), max(s.east, column)


def _copy(state: Any) -> np.void:
    found: np.void = state[0].copy()
    return found


def _open(s: np.void) -> tuple[Any, Any]:
    state = np.zeros(1, rules.State)
    state[0] = s
    return state, plain(state)[0]


def options(config: Config, s: np.void) -> list[int]:
    """The legal actions of a position."""
    legal = plain(np.zeros(1, LEGAL))[0]
    count = interpreted(rules.legal_actions)(plain(config.pack(1))[0], _open(s)[1], legal)
    return [legal.ids[place] for place in range(count)]


def after(s: np.void, action: int, config: Config = DEFAULT, number: int = 0) -> np.void:
    """What a legal action makes of a position, with the luck of game `number`."""
    assert action in options(config, s), action
    (state, record), luck = _open(s), plain(np.zeros(1, Luck))[0]
    interpreted(seed_luck)(luck, 1, number)
    interpreted(rules.apply_action)(plain(config.pack(1))[0], record, action, luck)
    return _copy(state)


def concealed(s: np.void, number: int = 0) -> np.void:
    """The position with another order of the deck, as likely as the true one."""
    (state, record), luck = _open(s), plain(np.zeros(1, Luck))[0]
    interpreted(seed_luck)(luck, 2, number)
    interpreted(hidden.conceal)(plain(DEFAULT.pack(1))[0], record, 0, luck)
    return _copy(state)


def game(seed: int, config: Config = DEFAULT) -> list[Step]:
    """A game run by the interpreter: each decision, its options, the choice, what came of it."""
    cfg, luck, state = plain(config.pack(1))[0], plain(np.zeros(1, Luck))[0], np.zeros(1, rules.State)
    s, choice = plain(state)[0], random.Random(seed)
    interpreted(seed_luck)(luck, seed, 0)
    interpreted(rules.setup)(cfg, s, luck)
    steps: list[Step] = []
    while s.player >= 0:
        before = _copy(state)
        listed = options(config, before)
        turns = [option for option in listed if TURN <= option < SKIP]
        action = choice.choice(turns if turns and choice.random() < 0.8 else listed)
        interpreted(rules.apply_action)(cfg, s, action, luck)
        steps.append((before, listed, action, _copy(state)))
    return steps


@cache
def _kept() -> list[tuple[Config, Step]]:
    runs = [(DEFAULT, seed) for seed in range(60)] + [(LONG, seed) for seed in range(40)]
    return [(config, step) for config, seed in runs for step in game(seed, config)]


def games() -> Iterator[tuple[Config, Step]]:
    """All steps of a hundred games under two configs."""
    return iter(_kept())
