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

from common import interpreter
from common.found import game_of
from common.interpreter import Played, Step
from playmill.engine.lang.record import plain
from playmill.engine.lang.rule import interpreted
from playmill.games.save_oneself import constants, rules
from playmill.games.save_oneself.actions import SKIP, TURN
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import CARD_IDS, CARDS, CORNERS, FRONT, NO_SHIP, SIDE_IDS, STRIDE
from playmill.games.save_oneself.rules import turns
from playmill.games.save_oneself.rules.ship import open_room, ship_comes

GAME = game_of("save_oneself")
DEFAULT = Config()
#: Many moves, many lives, an early tornado, a card that costs more: so that everything comes to pass.
LONG = Config.read({"lives": 40, "moves": 2, "tornado_at": 6, "cards": {"flint": {"lives": -1}, "hook": {"lives": 12}}})


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
    s.phase = constants.TURNING if turning else constants.MOVING
    if s.player == 0:
        assert interpreted(turns._offer_turns)(cfg, s) if turning else interpreted(turns._offer_moves)(s)
    return interpreter.closed(state)


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


def options(config: Config, s: np.void) -> list[int]:
    """The legal actions of a position."""
    return interpreter.options(GAME, config, 1, s)


def after(s: np.void, action: int, config: Config = DEFAULT, number: int = 0) -> np.void:
    """What a legal action makes of a position, with the random numbers of game `number`."""
    assert action in options(config, s), action
    return interpreter.after(GAME, config, 1, s, action, number)


def concealed(s: np.void, number: int = 0) -> np.void:
    """The position with another order of the deck, as likely as the true one."""
    return interpreter.concealed(GAME, DEFAULT, 1, s, 0, number)


def turning(s: Any, listed: list[int], choice: random.Random) -> int:
    """Mostly turns a card over where it can."""
    turns = [option for option in listed if TURN <= option < SKIP]
    return choice.choice(turns if turns and choice.random() < 0.8 else listed)


@cache
def played() -> list[Played]:
    """A hundred games under two configs, run by the interpreter."""
    runs = [(DEFAULT, seed) for seed in range(60)] + [(LONG, seed) for seed in range(40)]
    return [interpreter.play(GAME, config, 1, seed, turning) for config, seed in runs]


def games() -> Iterator[tuple[Config, Step]]:
    """All steps of these games."""
    for config, _, steps in played():
        for step in steps:
            yield config, step
