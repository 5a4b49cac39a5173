"""Cover picture of each game for the first page: a position some moves after its start."""

from __future__ import annotations

import random
import re
from functools import cache

from playmill.engine.contract.game import Game
from playmill.engine.run.state import State
from playmill.texts import Lang
from playmill.web.table.author_errors import author_errors

#: Random decisions before the picture: an empty table says little of a game.
_DECISIONS = 26
_NARROW = re.compile(r"@media \(max-width:[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}")


@cache
def cover(game: Game, lang: Lang) -> str:
    """Draws a game soon after its start, as a spectator sees it, in the layout of a wide page."""
    with author_errors(game):
        return _NARROW.sub("", _position(game).view(None, lang))


@cache
def _position(game: Game) -> State:
    """A position some way into a game, but never at its end."""
    dice, state = random.Random(7), State(game, seed=7, interpreted=True)
    for _ in range(_DECISIONS):
        ahead = state.clone()
        ahead.apply_action(dice.choice(ahead.legal_actions()))
        if ahead.is_terminal():
            break
        state = ahead
    return state
