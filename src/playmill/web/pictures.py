"""Pictures outside of any table: each game as it looks soon after its start, for the first page."""

from __future__ import annotations

import random
import re
from functools import cache

from playmill.engine.contract.game import Game
from playmill.engine.run.state import State
from playmill.texts import Lang
from playmill.web.careful import told_by_author

#: So many decisions are made before the picture is taken, at random: an empty table says little of a game.
_DECISIONS = 26
_NARROW = re.compile(r"@media \(max-width:[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}")


@cache
def cover(game: Game, lang: Lang) -> str:
    """A game soon after its start, as a spectator sees it, laid out as on a wide page."""
    with told_by_author(game):
        return _NARROW.sub("", _position(game).view(None, lang))


@cache
def _position(game: Game) -> State:
    """Some way into a game, but never at its end."""
    dice, state = random.Random(7), State(game, seed=7, interpreted=True)
    for _ in range(_DECISIONS):
        ahead = state.clone()
        ahead.apply_action(dice.choice(ahead.legal_actions()))
        if ahead.is_terminal():
            break
        state = ahead
    return state
