"""What an option of Save Oneself leads to: which card lies there, what it takes, what a front gives."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from playmill.author import Text
from playmill.games.save_oneself import lookups
from playmill.games.save_oneself.actions import MOVE, SKIP, TURN, WAIVE
from playmill.games.save_oneself.config import Config
from playmill.games.save_oneself.constants import FRONT, MAP_C, MAP_R
from playmill.games.save_oneself.words.names import lives_word, points_word, side_name

NEW_CARD = Text("a new card", "новая карта")


def brings(config: Config, s: np.void, legal: Sequence[int]) -> dict[int, Text]:
    """The options of a position of which there is more to tell than `describe` can, each with that."""
    texts = {action: _step(config, s, action - MOVE) for action in legal if MOVE <= action < WAIVE}
    fronts = {action: _front(config, action - TURN) for action in legal if TURN <= action < SKIP}
    return texts | {action: front for action, front in fronts.items() if front is not None}


def _step(config: Config, s: np.void, direction: int) -> Text:
    """What lies on the next cell, and what a step onto it costs now."""
    card = lookups.card_at(s, lookups.cell_beside(int(s["here"]), direction))
    if card is None:
        return NEW_CARD
    side = lookups.side_up(s, card)
    name, lost = side_name(side), -lookups.lives_of(config, side)
    if side >= FRONT or lost <= 0 or lookups.is_guarded(s, side):
        return name
    return Text.join((name, lives_word(lost)), ", −")


def _front(config: Config, card: int) -> Text | None:
    """What turning a card over gives, lives and points; the maps turn together."""
    fronts = [card + FRONT, MAP_C + FRONT] if card == MAP_R else [card + FRONT]
    lives = sum(lookups.lives_of(config, front) for front in fronts)
    points = sum(lookups.points_of(config, front) for front in fronts)
    gifts = [lives_word(lives)] if lives > 0 else []
    gifts += [points_word(points)] if points else []
    return Text("+{}", "+{}").format(Text.join(gifts, ", +")) if gifts else None
